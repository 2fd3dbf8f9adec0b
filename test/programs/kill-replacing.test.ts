import { readdirSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import { startPetri, stop } from '../support/cli.ts'
import { makeFolder } from '../support/new-folder.ts'
import { openNetwork } from '../support/open-network.ts'
import { startTestPetri } from '../support/petri.ts'
import { rounds } from '../support/rounds.ts'

openNetwork()

const ROUNDS = rounds(1)
const USERS = 300
/** Users in the base file; the others are in the journal. */
const STORED = 270

/** The states of worlds with one user, and with all that are in the base file. */
let [small, large] = ['', '']
beforeAll(async () => {
  const petri = await startTestPetri({ world: { apiKey: 'sk_us_petri' } })
  const headers = { 'x-service-api-key': 'sk_us_petri' }
  const state = async () => JSON.stringify(await petri.read('/_petri/state', headers))
  for (let id = 0; id < STORED; id++) {
    await petri.post('/v2/user', { client_user_id: `u${id}` }, headers)
    if (id === 0) small = await state()
  }
  large = await state()
  await petri.close()
})

it.each([
  ['a reset', 'POST', '/_petri/reset', 0],
  ['a restore', 'POST', '/_petri/snapshots/one/restore', 1],
  ['an import', 'PUT', '/_petri/state', 1],
])(
  'kill -9 in the middle of %s leaves the old world or the new one, whole, key and all',
  async (name, method, path, after) => {
    const root = makeFolder('petri-replace-')
    const folder = ['--data', root, '--frozen', '--now', '2026-01-05T09:00:00Z']
    const random = createRandom(`kill ${name}`)
    let [olds, news] = [0, 0]
    let running = await startPetri(folder)
    const headers = { 'x-service-api-key': running.ready.api_key, 'content-type': 'application/json' }
    const call = (verb: string, to: string, body?: string) =>
      fetch(`${running.ready.url}${to}`, { method: verb, headers, ...(body !== undefined && { body }) })
    const create = async (from: number, to: number) => {
      const ids = Array.from({ length: to - from }, (_, at) => ({ client_user_id: `u${from + at}` }))
      await Promise.all(ids.map((id) => call('POST', '/v2/user', JSON.stringify(id))))
    }
    await create(0, 1)
    await call('PUT', '/_petri/snapshots/one')
    for (let round = 0; round < ROUNDS; round++) {
      await call('PUT', '/_petri/state', large)
      await create(STORED, USERS)
      const replacing = call(method, path, path.endsWith('state') ? small : undefined).catch(() => undefined)
      // Whatever the machine, the kill comes before the replacement is done, or right after.
      await Promise.race([replacing, pause(random.integer(`round/${round}`, 0, 40))])
      await stop(running.child, 'SIGKILL')
      await replacing
      running = await startPetri(folder)
      const found = await call('GET', '/v2/user?limit=1')
      expect(found).toAnswer(200)
      const { total } = (await found.json()) as { total: number }
      expect([after, USERS]).toContain(total)
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
