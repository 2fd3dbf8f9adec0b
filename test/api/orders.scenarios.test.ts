import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type LowStatus, lowStatuses, readStatus } from '../../src/resources/orders/lifecycle.ts'
import { orders } from '../../src/resources/orders/table.ts'
import { advance, cancelOrder, type LabMethod, moveOrder, orderBy, setFeatures } from '../support/orders.ts'
import { startTestWorld, type TestPetri } from '../support/petri.ts'
import { rounds } from '../support/rounds.ts'
import { expectLegalLives } from '../support/scenarios.ts'

type Act =
  | { readonly kind: 'place'; readonly method: LabMethod }
  | { readonly kind: 'cancel' | 'draw'; readonly target: number }
  | { readonly kind: 'move'; readonly target: number; readonly to: LowStatus }
  | { readonly kind: 'simulate'; readonly target: number; readonly delay: number; readonly missing: boolean }
  | { readonly kind: 'advance'; readonly minutes: number }

const target = fc.nat({ max: 3 })
const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('place' as const),
      method: fc.constantFrom<LabMethod>('walk_in_test', 'at_home_phlebotomy', 'on_site_collection'),
    }),
    fc.record({ kind: fc.constantFrom('cancel' as const, 'draw' as const), target }),
    fc.record({ kind: fc.constant('move' as const), target, to: fc.constantFrom(...lowStatuses) }),
    fc.record({
      kind: fc.constant('simulate' as const),
      target,
      delay: fc.nat({ max: 60 }),
      missing: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('advance' as const), minutes: fc.integer({ min: 1, max: 30 }) }),
  ),
  { maxLength: 20 },
)

async function perform(petri: TestPetri, act: Act): Promise<number> {
  const id = ('target' in act && petri.world().db.ids(orders)[act.target]) || 'none'
  switch (act.kind) {
    case 'place':
      await orderBy(petri, act.method)
      return 200
    case 'cancel':
      return (await cancelOrder(petri, id)).status
    case 'draw':
      return (await petri.patch(`/v3/order/${id}/draw_completed`)).status
    case 'move':
      return (await moveOrder(petri, id, act.to)).status
    case 'simulate': {
      const body = { has_missing_results: act.missing }
      return (await petri.post(`/v3/order/${id}/test?delay=${act.delay}`, body)).status
    }
    case 'advance':
      return (await advance(petri, `${act.minutes}m`)).status
  }
}

it('orders of every method keep to their lifecycle, their transaction and their events', {
  tags: 'slow',
}, async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (sequence) => {
      const petri = await startTestWorld()
      await setFeatures(petri, { redraws: true, partial_results_webhooks: true })
      for (const act of sequence) expect(await perform(petri, act), JSON.stringify(act)).toBeLessThan(500)
      expectLegalLives(petri)
      for (const order of petri.world().db.all(orders)) {
        const lows = order.events.map(({ status }) => readStatus(status)?.low)
        const line = order.order_transaction?.orders.find(({ id }) => id === order.id)
        expect(line?.low_level_status).toBe(lows.at(-1))
        expect(order.order_transaction?.orders.length).toBeLessThanOrEqual(2)
        expect(order.order_transaction?.orders.length === 2).toBe(
          lows.includes('redraw_available') || order.origin === 'redraw',
        )
      }
    }),
    { numRuns: rounds(30) },
  )
})
