import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { ExploreProperty } from '../../src/client/explore.ts'
import type { Order } from '../../src/client/responses.ts'
import { type Bug, createSampleApp } from './sample-app.ts'

/** What ends a connection without a webhook: the customer's own call, and the end of ingestion. */
const DISCONNECTS = /\b(disconnect|ingestion_end):/

function assertSame(what: string, said: unknown, truth: unknown): void {
  if (!isDeepStrictEqual(said, truth))
    throw new Error(`${what}: the app says ${JSON.stringify(said)}; true is ${JSON.stringify(truth)}`)
}

/** Once all is quiet, the app agrees with Petri. */
export const agreesWithPetri =
  (bug?: Bug, onDelivery?: (id: string, body: string) => void): ExploreProperty =>
  async ({ world, history }) => {
    const sample = createSampleApp(world.fetch, world.webhookSecret, bug)
    await world.webhooks.deliverTo(async (request) => {
      onDelivery?.(request.headers.get('svix-id') ?? '', await request.clone().text())
      return sample.app.fetch(new Request('http://app/webhooks', request))
    })
    await history.play({
      place: ({ user_id, lab_test_id, registrable }) => sample.place(user_id, lab_test_id, registrable),
      async look({ orders }) {
        for (const { id, last_event } of orders)
          assertSame('status', sample.order(id)?.status, last_event.status)
      },
    })
    const read = <Body>(path: string) => world.call<Body>('GET', path)
    for (const order of history.orders) {
      const { last_event: last, events } = order
      const known = sample.order(order.id)
      assertSame('status', known?.status, last?.status)
      if (!known) continue
      assertSame('day of the last change', sample.day(known), last?.created_at.slice(0, 10))
      assert.ok(
        known.notifications <= events.length,
        `${known.notifications} notifications of ${events.length} events`,
      )
      if (!/completed|corrected/.test(known.status)) continue
      const { metadata, results } = await read<{ metadata: { interpretation: string }; results: unknown }>(
        `/v3/order/${order.id}/result`,
      )
      assertSame('result', known.result, JSON.stringify([metadata.interpretation, results]))
    }
    const { orders } = await read<{ orders: readonly Order[] }>('/v3/orders?size=100')
    assertSame('orders', orders.filter(({ origin }) => origin === 'initial').length, sample.placed)
    assertSame('orders in the list', await sample.countOrders(), orders.length)
    for (const [at, userId] of history.userIds.entries()) {
      const own = orders.filter(({ user_id }) => user_id === userId).map(({ id }) => id)
      assertSame('orders of the user', sample.ordersOf(`user-${at + 1}`).sort(), own.sort())
      if (DISCONNECTS.test(history.source)) continue
      const { providers } = await read<{ providers: readonly { slug: string; status: string }[] }>(
        `/v2/user/providers/${userId}`,
      )
      const connected = providers.filter(({ status }) => status === 'connected').map(({ slug }) => slug)
      assertSame('providers', sample.providersOf(userId), connected)
    }
  }
