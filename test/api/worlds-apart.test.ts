import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type LowStatus, lowStatuses } from '../../src/resources/orders/lifecycle.ts'
import { orderMetadata, orders } from '../../src/resources/orders/table.ts'
import { events } from '../../src/world/events.ts'
import {
  advance,
  cancelOrder,
  deleteUser,
  kitTestId,
  moveOrder,
  patient,
  postUser,
  shipping,
} from '../support/orders.ts'
import { startTestPetri, type TestPetri } from '../support/petri.ts'
import { rounds } from '../support/rounds.ts'
import { expectLegalLives } from '../support/scenarios.ts'
import { simulate } from '../support/simulation.ts'

type Act =
  | { readonly kind: 'user' }
  | { readonly kind: 'kit' | 'order'; readonly user: number; readonly scenario: string }
  | { readonly kind: 'register' | 'cancel' | 'simulate' | 'delete'; readonly target: number }
  | { readonly kind: 'move'; readonly target: number; readonly to: LowStatus }
  | { readonly kind: 'advance'; readonly hours: number }
  | { readonly kind: 'nonsense'; readonly body: unknown }

const index = fc.nat({ max: 5 })
const scenario = fc.constantFrom(
  'happy-path',
  'manual',
  'lost-on-the-way-back',
  'corrected-result',
  'demographics-mismatch',
  'no-such',
)
const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.oneof(
    fc.constant<Act>({ kind: 'user' }),
    fc.record({ kind: fc.constantFrom('kit' as const, 'order' as const), user: index, scenario }),
    fc.record({
      kind: fc.constantFrom('register' as const, 'cancel' as const, 'simulate' as const, 'delete' as const),
      target: index,
    }),
    fc.record({ kind: fc.constant('move' as const), target: index, to: fc.constantFrom(...lowStatuses) }),
    fc.record({ kind: fc.constant('advance' as const), hours: fc.integer({ min: 1, max: 200 }) }),
    fc.record({ kind: fc.constant('nonsense' as const), body: fc.json() }),
  ),
  { maxLength: 25 },
)

/** Does one act after another and answers every reply. */
async function perform(petri: TestPetri, sequence: readonly Act[]): Promise<unknown[]> {
  const users: string[] = []
  const placed: { id: string; sample_id: string }[] = []
  const replies: unknown[] = []
  const lab_test_id = await kitTestId(petri)
  const one = async (act: Act) => {
    const user_id = 'user' in act ? users[act.user] : undefined
    const order = 'target' in act ? placed[act.target] : undefined
    switch (act.kind) {
      case 'user':
        return postUser(petri, `user ${users.length}`)
      case 'kit':
        return petri.post(
          '/v3/order/testkit',
          { user_id, lab_test_id, shipping_details: shipping },
          { 'x-petri-scenario': act.scenario },
        )
      case 'order':
        return petri.post(
          '/v3/order',
          { user_id, lab_test_id, patient_details: patient, patient_address: shipping },
          { 'x-petri-scenario': act.scenario },
        )
      case 'register':
        return petri.post('/v3/order/testkit/register', {
          sample_id: order?.sample_id ?? 'none',
          patient_details: patient,
          patient_address: shipping,
        })
      case 'cancel':
        return cancelOrder(petri, order?.id ?? 'none')
      case 'simulate':
        return simulate(petri, order?.id ?? 'none')
      case 'delete':
        return deleteUser(petri, users[act.target] ?? 'none')
      case 'move':
        return moveOrder(petri, order?.id ?? 'none', act.to)
      case 'advance':
        return advance(petri, `${act.hours}h`)
      case 'nonsense':
        return petri.post('/v3/order', act.body as object)
    }
  }
  for (const act of sequence) {
    const { status, body } = await one(act)
    replies.push({ act, status, body })
    expect(status, JSON.stringify(act)).toBeLessThan(500)
    if (act.kind === 'user') users.push(body.user_id)
    if ((act.kind === 'kit' || act.kind === 'order') && status === 200) placed.push(body.order)
  }
  return replies
}

const rowsOf = (petri: TestPetri) => {
  const { db } = petri.world()
  return [[...db.all(orders)], [...db.all(orderMetadata)], [...db.all(events)]]
}

describe('random lives', () => {
  it('never break the lifecycle, never lose or repeat an event, and are equal for equal seeds', {
    tags: 'slow',
  }, async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (sequence) => {
        const [petri, twin] = [await startTestPetri(), await startTestPetri()]
        const replies = await perform(petri, sequence)
        expect(JSON.stringify(await perform(twin, sequence))).toBe(JSON.stringify(replies))
        expect(JSON.stringify(rowsOf(twin))).toBe(JSON.stringify(rowsOf(petri)))
        expectLegalLives(petri)
        await petri.close()
        await twin.close()
      }),
      { numRuns: rounds(25) },
    )
  })
})
