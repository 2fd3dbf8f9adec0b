import { Hono } from 'hono'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { type LocalPetri, type Order, startPetri } from '../../src/index.ts'
import { type Listening, listen } from '../../src/listen.ts'
import { judgeInvariants } from '../../src/tools/explore/checks.ts'

/** What the program under test shows of an order. */
let shown: unknown
let program: Listening
let petri: LocalPetri
let order: Order
beforeAll(async () => {
  program = await listen(
    new Hono().get('/orders/:id', (c) => c.json({ results: shown })),
    { host: '127.0.0.1', port: 0 },
  )
  petri = await startPetri({ now: '2026-01-05T09:00:00Z' })
  const { id } = await petri.orders.place()
  await petri.orders.setResults(id, { values: { glucose: 91 } })
  order = await petri.orders.reach(id, 'completed')
})
// The program listens on this machine.
beforeEach(() => void vi.unstubAllGlobals())
afterAll(() => Promise.all([program.close(), petri.close()]))

async function judge() {
  const url = `${program.url}/orders/{order_id}`
  const judgeResults = judgeInvariants([{ url, equals: 'results', at: 'results' }], petri)
  return judgeResults({ orders: [order], userIds: [] } as unknown as Parameters<typeof judgeResults>[0])
}

it('compares results as a list of slugs and values, or as an object by slug', async () => {
  const { results } = await petri.call<{ results: readonly { slug: string; value: number }[] }>(
    'GET',
    `/v3/order/${order.id}/result`,
  )
  shown = results.map(({ slug, value }) => ({ value, slug })).reverse()
  expect(await judge()).toBeUndefined()
  const bySlug = Object.fromEntries(results.map(({ slug, value }) => [slug, value]))
  shown = bySlug
  expect(await judge()).toBeUndefined()
  shown = { ...bySlug, glucose: 92 }
  expect(await judge()).toMatchObject({ oracle: 'check', actual: shown })
})
