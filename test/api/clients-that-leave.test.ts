/** @module-tag slow */
import { readdirSync } from 'node:fs'
import { afterEach, expect, it, vi } from 'vitest'
import { SECOND_MS } from '../../src/kernel/instant.ts'
import { users } from '../../src/resources/users/table.ts'
import { events } from '../../src/world/events.ts'
import { dataFolder } from '../support/keeping-folder.ts'
import { orderKit } from '../support/orders.ts'
import { KEY, START } from '../support/petri.ts'
import { makeStepsSlow } from '../support/timing.ts'
import { wearer } from '../support/wearables.ts'

afterEach(() => void vi.restoreAllMocks())

/** A stored world with hundreds of rows and jobs. */
async function startLarge() {
  const { root, start } = dataFolder()
  const petri = await start()
  const { db, agenda } = petri.world()
  const user_id = await wearer(petri)
  const { id: order_id } = await orderKit(petri, { scenario: 'manual' })
  const user = db.get(users, user_id)
  for (let at = 0; at < 300; at++) {
    db.put(users, { ...user, user_id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}` })
    agenda.schedule({ due: START + at + 1, kind: 'webhooks.release', subject: `none-${at}` })
  }
  await petri.put('/_petri/snapshots/kept')
  const state = JSON.stringify(await petri.read('/_petri/state'))
  /** What a call answers whose client leaves after some turns of the event loop, in which each step takes a slice. */
  const callAndLeave = async (method: string, path: string, body?: string | object, turns = 5) => {
    const client = new AbortController()
    makeStepsSlow()
    const answer = petri.petri.app.request(path, {
      method,
      headers: { 'x-service-api-key': KEY, 'content-type': 'application/json' },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: client.signal,
    })
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
    client.abort()
    const { status } = await answer
    vi.restoreAllMocks()
    return status
  }
  return { petri, root, user_id, order_id, state, callAndLeave }
}

it('long work ends when its client has gone, and changes nothing', async () => {
  const { petri, root, user_id, state, callAndLeave } = await startLarge()
  const world = petri.world()
  const before = { files: readdirSync(root, { recursive: true }).sort(), events: world.db.ids(events).length }
  const trigger = { event_type: 'daily.data.menstrual_cycle.created', user_id, provider: 'fitbit' }
  const query = { timeframe: { type: 'relative', anchor: '2026-01-05', past: { value: 1, unit: 'year' } } }
  const steps = { select: [{ func: 'sum', arg: { activity: 'steps' } }] }
  for (const [method, path, body] of [
    ['PUT', '/_petri/snapshots/another'],
    ['POST', '/_petri/snapshots/kept/restore'],
    ['POST', '/_petri/reset', {}],
    ['POST', '/_petri/reset', { new_ids: true }],
    ['PUT', '/_petri/state', state],
    ['POST', '/_petri/trigger', trigger],
    ['POST', `/aggregate/v1/user/${user_id}/query`, { ...query, queries: [steps] }],
  ] as const) {
    expect(await callAndLeave(method, path, body), path).toBe(400)
    expect(petri.world(), path).toBe(world)
    expect(world.longWork.size, path).toBe(0)
  }
  expect(world.db.ids(events)).toHaveLength(before.events)
  expect(readdirSync(root, { recursive: true }).sort()).toEqual(before.files)
  expect(JSON.stringify(await petri.read('/_petri/state'))).toBe(state)
  await petri.close()
})

it('a clock stops where it is when the client that moves it has gone', async () => {
  const { petri, order_id, callAndLeave } = await startLarge()
  const to = new Date(START + 10 * SECOND_MS).toISOString()
  let at = START
  for (const [status, method, path, body] of [
    [400, 'PATCH', '', { now: to, frozen: false }],
    [200, 'POST', '/advance', { to }],
    [200, 'POST', '/advance', { until: 'idle' }],
    [200, 'POST', '/advance', { order_id, status: 'completed' }],
  ] as const) {
    expect(await callAndLeave(method, `/_petri/clock${path}`, body), path).toBe(status)
    const clock = await petri.read('/_petri/clock')
    expect(clock).toMatchObject({ frozen: true, advancing: false })
    expect(Date.parse(clock.now)).toBeGreaterThan(at)
    expect(Date.parse(clock.now)).toBeLessThan(START + 300)
    at = Date.parse(clock.now)
  }
  await petri.close()
})
