import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, expect, it, vi } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import { startPetri, stop } from '../support/cli.ts'
import { shipping } from '../support/orders.ts'
import { rounds } from '../support/rounds.ts'

beforeEach(() => void vi.unstubAllGlobals())

const ROUNDS = rounds(2)
const CLIENTS = 4

interface Acknowledged {
  /** Client user ids that were answered with 200. */
  readonly users: string[]
  /** Orders that were answered with 200, as they were. */
  // biome-ignore lint/suspicious/noExplicitAny: an order as it came.
  readonly orders: any[]
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
const jsonOf = (response: Response): Promise<any> => response.json()

/** Creates users and orders kits until the server is gone; remembers what was acknowledged. */
async function keepOrdering(
  url: string,
  key: string,
  name: string,
  acknowledged: Acknowledged,
): Promise<void> {
  const headers = { 'x-service-api-key': key, 'content-type': 'application/json' }
  const post = async (path: string, body: object) => {
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(response.status).toBe(200)
    return jsonOf(response)
  }
  try {
    const labTests = await jsonOf(await fetch(`${url}/v3/lab_tests?collection_method=testkit`, { headers }))
    for (let count = 0; ; count++) {
      const client_user_id = `${name}/${count}`
      const { user_id } = await post('/v2/user', { client_user_id })
      acknowledged.users.push(client_user_id)
      const body = { user_id, lab_test_id: labTests[0].id, shipping_details: shipping }
      acknowledged.orders.push((await post('/v3/order/testkit', body)).order)
    }
  } catch (error) {
    // What `fetch` throws when the server is gone, and nothing else.
    if (!(error instanceof TypeError && (error.message === 'fetch failed' || error.message === 'terminated')))
      throw error
  }
}

// Many processes are started and killed, one after another.
it('what was answered with 200 is there after kill -9, whenever it comes', {
  timeout: rounds(120_000),
}, async () => {
  const folder = [
    '--data',
    mkdtempSync(join(tmpdir(), 'petri-kill-')),
    '--frozen',
    '--now',
    '2026-01-05T09:00:00Z',
  ]
  const random = createRandom('kill')
  const acknowledged: Acknowledged = { users: [], orders: [] }
  for (let round = 0; round < ROUNDS; round++) {
    const { child, ready } = await startPetri(folder)
    const clients = Array.from({ length: CLIENTS }, (_, at) =>
      keepOrdering(ready.url, ready.api_key, `${round}/${at}`, acknowledged),
    )
    const before = acknowledged.orders.length
    while (acknowledged.orders.length === before) await pause(1)
    await pause(random.integer(`round/${round}`, 0, 60))
    await stop(child, 'SIGKILL')
    await Promise.all(clients)
  }
  expect(acknowledged.orders.length).toBeGreaterThanOrEqual(ROUNDS)

  const { child, ready } = await startPetri(folder)
  const headers = { 'x-service-api-key': ready.api_key }
  const look = async (path: string) => fetch(`${ready.url}${path}`, { headers })
  const ofOrders = acknowledged.orders.map(async (order) =>
    expect(await jsonOf(await look(`/v3/order/${order.id}`))).toEqual(order),
  )
  const ofUsers = acknowledged.users.map(async (name) =>
    expect((await look(`/v2/user/resolve/${encodeURIComponent(name)}`)).status).toBe(200),
  )
  await Promise.all([...ofOrders, ...ofUsers])
  const { pending } = await jsonOf(await fetch(`${ready.url}/_petri/clock`, { headers }))
  expect(pending).toBeGreaterThanOrEqual(acknowledged.orders.length)
  expect(await stop(child)).toBe(0)
})
