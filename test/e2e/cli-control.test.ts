import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { runCli } from '../../src/cli/program.ts'
import { main, type Started, startPetri, stop } from '../support/cli.ts'
import { cliSession } from '../support/cli-in-process.ts'
import { field } from '../support/field.ts'
import { makeFolder } from '../support/new-folder.ts'
import { openNetwork } from '../support/open-network.ts'

openNetwork()

let started: Started
let url: string
let orderId: string
beforeAll(async () => {
  vi.unstubAllGlobals()
  started = await startPetri(['--frozen', '--now', '2026-01-05T09:00:00Z'])
  url = started.ready.url
  orderId = await orderKit()
})
afterAll(() => stop(started.child))

const { run, json, call, orderKit } = cliSession(() => url)

describe('petri wait', () => {
  it('prints a condition that is already met', async () => {
    const order = await run('wait', 'order', orderId, 'ordered')
    expect(order).toMatchObject({
      status: 0,
      stdout: `order ${orderId}  received.testkit.awaiting_registration\n`,
    })
    const { requests } = await json('wait', 'request', 'POST', '/v2/user', '--status', '2xx')
    expect(requests).toMatchObject([{ path: '/v2/user' }])
  })

  it('ends with 1 after the timeout, with the nearest match and the next due job', async () => {
    const order = await run('wait', 'order', orderId, 'completed', '--timeout', '50ms')
    expect(order).toMatchObject({ status: 1, stdout: '' })
    expect(order.stderr).toMatch(/^Nearest: .+\nNext due: 6 Jan 2026 09:00:00$/m)
    const message = await run('wait', 'message', '--order', orderId, '--timeout', '50ms', '--json')
    expect(message).toAnswer(1)
    expect(JSON.parse(message.stderr)).toMatchObject({
      status: 408,
      next_due: expect.stringContaining('2026-01-06'),
    })
    expect(await run('wait', 'message', '--times', 'twice')).toAnswer(2)
  })
})

describe('petri snapshot and state', () => {
  it('goes back to a snapshot, and forgets it', async () => {
    expect((await run('snapshot', 'save', 'before')).stdout).toMatch(
      /^before {2}5 Jan 2026 09:00:00 {2}frozen {2}\d+ rows$/m,
    )
    await run('clock', 'advance', '1d')
    expect((await run('snapshot', 'restore', 'before')).stdout).toContain('5 Jan 2026 09:00:00  frozen')
    expect(await json('snapshot')).toMatchObject({ data: [{ name: 'before' }] })
    expect(await run('snapshot', 'drop', 'before')).toAnswer(0)
    expect(await run('snapshot', 'restore', 'before')).toAnswer(1)
  })

  it('tries the file to export to before anything else', async () => {
    const folder = makeFolder('petri-state-')
    const link = join(folder, 'link')
    symlinkSync(join(folder, 'nothing', 'here'), link)
    for (const [file, reason] of [
      ['', 'The name of the file to write is empty.'],
      [folder, `${folder} is a folder, not a file.`],
      [link, `${link} is a symbolic link to a file that does not exist.`],
      [`${folder}/no/world.json`, `There is no folder ${folder}/no to write ${folder}/no/world.json to.`],
    ] as const)
      expect(await run('state', 'export', file)).toMatchObject({ status: 1, stderr: `${reason}\n` })
    expect(readdirSync(folder)).toEqual(['link'])
  })

  it('prints a world as it comes, as fast as it is read', async () => {
    const written: string[] = []
    let waits = 0
    const stdout = {
      write: (text: string) => written.push(text) < 0,
      once: (_: 'drain', goOn: () => void) => setImmediate(() => ++waits && goOn()),
    }
    const environment = { PETRI_URL: url }
    expect(await runCli(['state', 'export'], { environment, stdout, stderr: stdout })).toBe(0)
    expect(JSON.parse(written.join(''))).toEqual(await call('GET', '/_petri/state'))
    expect(waits).toBeGreaterThan(0)
    expect(waits).toBe(written.length - 1)
  })

  it('exports a world to a file, and imports it from there', { tags: 'slow' }, async () => {
    const file = join(makeFolder('petri-state-'), 'world.json')
    expect(await run('state', 'export', file)).toAnswer(0)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(await json('state', 'export'))
    expect(await json('state', 'import', file)).toMatchObject({ counts: { orders: 1 } })
    expect((await run('state', 'export', '-')).stdout).toBe((await run('state', 'export')).stdout)
    const kept = readFileSync(file, 'utf8')
    const refused = await run('state', 'export', file, '--api-key', 'sk_us_nobody')
    expect([refused.status, readFileSync(file, 'utf8')]).toEqual([1, kept])
    writeFileSync(file, kept.slice(0, -20))
    expect(await run('state', 'import', file)).toMatchObject({
      status: 1,
      stderr: expect.not.stringContaining('No answer'),
    })
    for (const [name, reason] of [
      [`${file}.no`, 'is not there'],
      [tmpdir(), 'directory|folder'],
    ] as const)
      for (const way of ['import', name === tmpdir() ? 'export' : 'import'])
        expect(await run('state', way, name)).toMatchObject({
          status: 1,
          stderr: expect.stringMatching(reason),
        })
  })
})

describe('petri faults and requests', () => {
  it('adds a fault to those that are armed, and shows the calls they were applied to', {
    tags: 'slow',
  }, async () => {
    await run('faults', 'add', 'GET', '/v2/user', '--status', '503', '--times', '2')
    await call('GET', '/v2/user')
    const { faults } = await json('faults', 'add', 'POST /v2/user', '--latency', '1ms', '--after', '3')
    expect(faults).toMatchObject([
      { times: 2, hits: 1, respond: { status: 503 } },
      { times: null, after: 3, latency: { min: '1ms' } },
    ])
    const bodyOf = async (body: string) =>
      (await json('faults', 'add', 'GET /v2/user', '--status', '503', '--body', body)).faults.at(-1).respond
    expect(await bodyOf('{"late":true}')).toAnswer(503, { late: true })
    expect(await bodyOf('null')).toMatchObject({ body: null })
    expect(await bodyOf('try again')).toMatchObject({ body: 'try again' })
    expect(await run('faults', 'add', 'GET /v2/user', '--latency', '1ms', '--body', '{}')).toAnswer(2)
    expect((await run('faults')).stdout).toMatch(
      /^fault_\d+ +GET \/v2\/user +status 503 +2x +1 of 1 requests$/m,
    )
    const { data } = await json('requests', '--status', '5xx')
    expect(data).toMatchObject([{ path: '/v2/user', status: 503 }])
    expect((await run('requests', 'show', data[0].id)).stdout).toContain('GET /v2/user')
    expect(await run('faults', 'clear')).toAnswer(0)
    expect((await run('faults')).stdout).toBe('No faults.\n')
    expect(await run('faults', 'add', 'GET /v2/user')).toAnswer(2)
    expect((await run('faults', 'add', 'GET /v2/usr', '--status', '500')).stderr).toContain('Did you mean')
    expect((await run('coverage')).stdout).toMatch(
      /^operations: \d+ of \d+ met\n {2}GET \/v2\/user +503 1x$/m,
    )
    await call('GET', '/v2/user?nick=ada')
    const ignored = await json('requests', '--ignored')
    expect(ignored.data.map(field('ignored_count'))).toEqual([1])
    expect(await run('requests', 'clear')).toAnswer(0)
  })
})

describe('petri trigger and events', () => {
  it('sends an event, and follows what happens until it has seen enough', { tags: 'slow' }, async () => {
    const child = spawn(process.execPath, [main, 'events', '--json', '--kinds', 'event', '--count', '1'], {
      env: { PATH: process.env.PATH ?? '', PETRI_URL: url },
    })
    const closed = new Promise((resolve) => child.once('close', resolve))
    const [notice, line] = [child.stderr, child.stdout].map((input) =>
      createInterface({ input })[Symbol.asyncIterator](),
    )
    expect((await notice?.next())?.value).toBe(`Following what happens at ${url}`)
    const triggered = await run('trigger', 'labtest.order.updated', '--order', orderId)
    expect(triggered).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('No endpoint subscribes to it'),
    })
    expect(JSON.parse((await line?.next())?.value)).toMatchObject({
      kind: 'event',
      event_type: 'labtest.order.updated',
    })
    expect(await closed).toBe(0)
    expect(await run('trigger', 'labtest.order.updatd')).toAnswer(1)
    expect(await run('events', '--count', '0')).toAnswer(2)
  })
})
