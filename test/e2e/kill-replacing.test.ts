import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, expect, it, vi } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import { startPetri, stop } from '../support/cli.ts'

beforeEach(() => void vi.unstubAllGlobals())

const ROUNDS = 3
const USERS = 300

it.each([
  ['a reset', 'POST', '/_petri/reset', 0],
  ['a restore', 'POST', '/_petri/snapshots/one/restore', 1],
  ['an import', 'PUT', '/_petri/state', 1],
])(
  'kill -9 in the middle of %s leaves the old world or the new one, whole, key and all',
  async (name, method, path, after) => {
    const root = mkdtempSync(join(tmpdir(), 'petri-replace-'))
    const folder = ['--data', root, '--frozen', '--now', '2026-01-05T09:00:00Z']
    const random = createRandom(`kill ${name}`)
    let [olds, news] = [0, 0]
    let running = await startPetri(folder)
    for (let round = 0; round < ROUNDS; round++) {
      const { child, ready } = running
      const headers = { 'x-service-api-key': ready.api_key, 'content-type': 'application/json' }
      const call = (verb: string, to: string, body?: string) =>
        fetch(`${ready.url}${to}`, { method: verb, headers, ...(body !== undefined && { body }) })
      const create = (id: number) => call('POST', '/v2/user', JSON.stringify({ client_user_id: `u${id}` }))
      await call('POST', '/_petri/reset')
      await create(0)
      await call('PUT', '/_petri/snapshots/one')
      const state = await (await call('GET', '/_petri/state')).text()
      await Promise.all(Array.from({ length: USERS }, (_, at) => create(at + 1)))
      const replacing = call(method, path, path.endsWith('state') ? state : undefined).catch(() => undefined)
      // Whatever the machine, the kill comes before the replacement is done, or right after.
      await Promise.race([replacing, pause(random.integer(`round/${round}`, 0, 40))])
      await stop(child, 'SIGKILL')
      await replacing
      running = await startPetri(folder)
      const found = await fetch(`${running.ready.url}/v2/user?limit=1`, { headers })
      expect(found.status).toBe(200)
      const { total } = (await found.json()) as { total: number }
      expect([after, USERS + 1]).toContain(total)
      if (total === after) news++
      else olds++
      const files = readdirSync(root, { recursive: true }).map(String)
      expect(files.filter((file) => file.endsWith('.tmp'))).toEqual([])
    }
    expect(olds + news).toBe(ROUNDS)
    expect(await stop(running.child)).toBe(0)
    rmSync(root, { recursive: true })
  },
)
