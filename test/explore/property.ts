import { expect } from 'vitest'
import type { ExploreProperty } from '../../src/client/explore.ts'
import type { Order } from '../../src/client/responses.ts'
import { type Bug, createSampleApp } from './sample-app.ts'

/** Not a call of the program under test. */
const ASIDE = { 'x-petri-aside': '1' }

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
      place: ({ userId, labTestId, registrable }) => sample.place(userId, labTestId, registrable),
    })
    const read = <Body>(path: string) => world.call<Body>('GET', path, undefined, ASIDE)
    for (const order of history.orders) {
      const { last_event: last, events } = order
      const known = sample.order(order.id)
      expect(known?.status, 'status').toBe(last?.status)
      if (!known) continue
      expect(sample.day(known), 'day of the last change').toBe(last?.created_at.slice(0, 10))
      expect(known.notifications, 'notifications').toBeLessThanOrEqual(events.length)
      if (!/completed|corrected/.test(known.status)) continue
      const { metadata, results } = await read<{ metadata: { interpretation: string }; results: unknown }>(
        `/v3/order/${order.id}/result`,
      )
      expect(known.result, 'result').toBe(JSON.stringify([metadata.interpretation, results]))
    }
    const { orders } = await read<{ orders: readonly Order[] }>('/v3/orders?size=100')
    expect(orders.filter(({ origin }) => origin === 'initial').length, 'orders').toBe(sample.placed)
    expect(await sample.countOrders(), 'orders in the list').toBe(orders.length)
    for (const [at, userId] of history.userIds.entries()) {
      const own = orders.filter(({ user_id }) => user_id === userId).map(({ id }) => id)
      expect(sample.ordersOf(`user-${at + 1}`).sort(), 'orders of the user').toEqual(own.sort())
      const { providers } = await read<{ providers: readonly { slug: string; status: string }[] }>(
        `/v2/user/providers/${userId}`,
      )
      const connected = providers.filter(({ status }) => status === 'connected').map(({ slug }) => slug)
      expect(sample.providersOf(userId), 'providers').toEqual(connected)
    }
  }
