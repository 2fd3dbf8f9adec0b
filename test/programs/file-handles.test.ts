import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { main, type Started, stop } from '../support/cli.ts'
import { makeFolder } from '../support/new-folder.ts'
import { openNetwork } from '../support/open-network.ts'
import { eventually } from '../support/timing.ts'

openNetwork()

/** Starts the built Petri as a process that may open only so many files. */
async function startWithLimit(files: number, args: readonly string[]): Promise<Started> {
  const command = `ulimit -n ${files}; exec "$0" "$@"`
  const own = ['--port', '0', '--log-format', 'json', '--open-worlds', ...args]
  const child = spawn('sh', ['-c', command, process.execPath, main, 'start', ...own])
  const before: unknown[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    const ready = JSON.parse(line)
    if (ready.url) {
      child.stdout.resume()
      return { child, ready, before }
    }
    before.push(ready)
  }
  throw new Error('Petri ended before it was ready')
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
type Called = readonly [status: number, body: any]

async function call(url: string, path: string, key = '', body?: object): Promise<Called> {
  const headers = { 'x-service-api-key': key, 'content-type': 'application/json' }
  const response = await fetch(`${url}${path}`, {
    headers,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  return [response.status, JSON.parse((await response.text()) || 'null')]
}

describe.runIf(process.platform === 'linux')('a process that may open few files', () => {
  // Idle journals are closed after some seconds.
  it('refuses with the reason, serves reads, recovers and loses nothing', { timeout: 60_000 }, async () => {
    const data = ['--data', makeFolder('petri-handles-')]
    const first = await startWithLimit(64, data)
    const { url } = first.ready
    expect(JSON.stringify(first.before)).toContain('PETRI_WORLD_LIMIT is 5000')
    const stored: string[] = []
    const add = async (world: number): Promise<Called> => {
      const key = `sk_us_world_${world}`
      const called = await call(url, '/v2/user', key, { client_user_id: 'u' })
      if (called[0] === 200) stored.push(key)
      return called
    }
    const detail = expect.stringContaining('Too many files are open')
    const addUntilRefused = async () => {
      let called: Called
      do called = await add(stored.length)
      while (called[0] === 200)
      expect(called).toMatchObject([507, { detail }])
    }
    for (let time = 0; time < 20; time++) await addUntilRefused()
    // Idle journals may be closed between two calls.
    await eventually(async () => {
      await addUntilRefused()
      expect(await call(url, '/_petri/health')).toMatchObject([200, { status: 'degraded', detail }])
    })
    await addUntilRefused()
    expect((await call(url, '/openapi.json'))[0]).toBe(507)
    expect((await call(url, '/v2/user', stored[0]))[0]).toBe(200)
    await eventually(async () => expect((await call(url, '/_petri/health'))[1].status).toBe('ok'))
    expect((await call(url, '/openapi.json'))[0]).toBe(200)
    expect((await add(1000))[0]).toBe(200)
    expect((await call(url, '/v2/user', stored[0], { client_user_id: 'later' }))[0]).toBe(200)
    await stop(first.child, 'SIGKILL')
    const second = await startWithLimit(1000, [...data, '--world-limit', '30'])
    expect(second.before).toEqual([])
    for (const key of stored) {
      const [, { users }] = await call(second.ready.url, '/v2/user', key)
      expect(users).toHaveLength(key === stored[0] ? 2 : 1)
    }
    await stop(second.child)
  })
})
