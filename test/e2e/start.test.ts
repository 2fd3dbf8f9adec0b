/** @module-tag slow */
import { spawn } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { main, startPetri, stop } from '../support/cli.ts'
import { makeFolder } from '../support/new-folder.ts'
import { openNetwork } from '../support/open-network.ts'

openNetwork()

const newFolder = () => makeFolder('petri-start-')
const headers = { 'x-vital-api-key': 'sk_us_petri', 'content-type': 'application/json' }

// biome-ignore lint/suspicious/noExplicitAny: tests look into the fields of responses.
type Call = (method: string, path: string, body?: object) => Promise<any>

const callsTo =
  (url: string): Call =>
  async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    expect(response.status).toBeLessThan(400)
    return response.json()
  }

/** Makes a folder with a Petri that is then stopped. */
async function folderAfter(change: (call: Call) => Promise<unknown>, flags: string[] = []): Promise<string> {
  const data = newFolder()
  const { child, ready } = await startPetri(['--data', data, ...flags])
  await change(callsTo(ready.url))
  await stop(child)
  return data
}

/** The banner of a plain start with a folder, and the world that it is about. */
async function startWith(data: string, flags: string[] = []) {
  const child = spawn(process.execPath, [main, 'start', '--port', '0', '--data', data, ...flags], {
    env: { PATH: process.env.PATH, PETRI_LOG_FORMAT: 'pretty' },
  })
  const banner = new Map<string, string>()
  let url = ''
  for await (const line of createInterface({ input: child.stdout })) {
    url ||= /ready at (\S+)/.exec(line)?.[1] ?? ''
    const [, name, value] = /^ {2}(\w[\w ]*?) {2,}(.*)$/.exec(line) ?? []
    if (name && value) banner.set(name, value)
    if (name === 'More') break
  }
  const call = callsTo(url)
  const world = await call('GET', '/_petri/world')
  const endpoints = (await call('GET', '/_petri/webhooks/endpoints')).data as { url: string }[]
  await stop(child)
  return { banner, world, endpoints, url }
}

/** A folder that an earlier version has written, with a frozen world and its endpoints. */
async function copyOfOlder(): Promise<string> {
  const data = newFolder()
  cpSync(new URL('../volumes/before-0.1.0/data', import.meta.url), data, { recursive: true })
  return data
}

/** Lines of a start until one has these words. */
async function linesUntil(data: string, words: string): Promise<string[]> {
  const child = spawn(process.execPath, [main, 'start', '--port', '0', '--data', data], {
    env: { PATH: process.env.PATH, PETRI_LOG_FORMAT: 'pretty' },
  })
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (line.includes(words)) break
  }
  await stop(child)
  return lines
}

const frozen = 'frozen; npx petri-sandbox clock advance 3d moves it'
const live = 'live: a day of a scenario takes 10 s; npx petri-sandbox clock freeze stops it'
const add = (call: Call, url: string) => call('POST', '/_petri/webhooks/endpoints', { url })

describe('the banner of a start', () => {
  it.each([
    ['empty', async () => newFolder(), live, false],
    ['made frozen', () => folderAfter(async () => undefined, ['--frozen']), frozen, false],
    [
      'frozen later',
      () => folderAfter((call) => call('PATCH', '/_petri/clock', { frozen: true })),
      frozen,
      false,
    ],
    [
      'made frozen and live now',
      () => folderAfter((call) => call('PATCH', '/_petri/clock', { frozen: false }), ['--frozen']),
      live,
      false,
    ],
    [
      'of another pace',
      () => folderAfter((call) => call('PATCH', '/_petri/clock', { pace: 1 })),
      'live: a day of a scenario takes 1 d; npx petri-sandbox clock freeze stops it',
      false,
    ],
    [
      'like a production team',
      () => folderAfter((call) => call('PATCH', '/_petri/world', { like: 'production' })),
      undefined,
      false,
    ],
    [
      'with two endpoints',
      () =>
        folderAfter(async (call) => {
          await add(call, 'http://127.0.0.1:9/a')
          await add(call, 'http://127.0.0.1:9/b')
        }),
      live,
      true,
    ],
    [
      'with two worlds',
      () => folderAfter((call) => call('POST', '/_petri/worlds', { frozen: true })),
      live,
      false,
    ],
    ['of an older Petri', copyOfOlder, frozen, true],
  ] as const)('tells the truth about a folder that is %s', async (_, folder, time, hasEndpoints) => {
    const { banner, world, endpoints, url } = await startWith(await folder())
    if (time !== undefined) expect(banner.get('Time')).toBe(time)
    expect(banner.get('Time')?.startsWith(world.clock.frozen ? 'frozen' : 'live')).toBe(true)
    expect(banner.get('Like')).toBe(
      world.like ? `a ${world.like} team of the live service, scenario ${world.scenario}` : undefined,
    )
    expect(endpoints.length > 0).toBe(hasEndpoints)
    expect(banner.get('Webhooks')).toBe(
      endpoints.map((endpoint) => endpoint.url).join(', ') ||
        `npx petri-sandbox webhook add http://127.0.0.1:3000/webhooks --url ${url}`,
    )
    expect([banner.get('API key'), banner.get('Page')]).toEqual([world.api_key, `${url}/_petri/`])
  })
})

it('a start on a folder whose world is damaged has no banner, and says why', async () => {
  const data = await folderAfter(async () => undefined)
  const worlds = join(data, 'worlds')
  const team = readdirSync(worlds).find((name) => name !== 'organisation') as string
  const file = join(worlds, team, 'world.json')
  const [head = '', ...rest] = readFileSync(file, 'utf8').split('\n')
  writeFileSync(file, [head, ...rest.slice(1)].join('\n'))
  const lines = await linesUntil(data, 'no world has the API key of its settings')
  expect(lines.join('\n')).toContain(`${file}, line 2: `)
  expect(lines.join('\n')).not.toMatch(/^ {2}(?:Time|Webhooks|API key) /m)
})

describe('PETRI_WEBHOOK_URL', () => {
  it('changes the endpoint that it has made, and no other; a reset keeps the latest', async () => {
    const first = ['--webhook-url', 'http://127.0.0.1:9/first']
    const data = await folderAfter((call) => add(call, 'http://127.0.0.1:9/mine'), first)
    const urls = async (flags: string[]) =>
      (await startWith(data, flags)).endpoints.map(({ url }) => url.replace('http://127.0.0.1:9', '')).sort()
    expect(await urls(first)).toEqual(['/first', '/mine'])
    const second = ['--webhook-url', 'http://127.0.0.1:9/second']
    expect(await urls(second)).toEqual(['/mine', '/second'])
    expect(await urls([])).toEqual(['/mine', '/second'])
    expect(await urls(['--webhook-url', 'http://127.0.0.1:9/mine'])).toEqual(['/mine', '/second'])
    const { child, ready } = await startPetri(['--data', data])
    const call = callsTo(ready.url)
    await call('POST', '/_petri/reset', {})
    expect((await call('GET', '/_petri/webhooks/endpoints')).data).toMatchObject([
      { url: 'http://127.0.0.1:9/mine' },
    ])
    await stop(child)
  })
})
