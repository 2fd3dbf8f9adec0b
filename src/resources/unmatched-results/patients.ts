import { atMidnight, toWire } from '../../kernel/instant.ts'
import { groupBy } from '../../kernel/list.ts'
import { type Identity, makeIdentity, makeStreet } from '../../kernel/people.ts'
import { makePerson } from '../../people/person.ts'
import type { Sex } from '../../people/traits.ts'
import type { World } from '../../world/world.ts'
import { getLabTest, markersOf } from '../lab-tests/service.ts'
import { placeOrder } from '../orders/placing.ts'
import { NewOrder } from '../orders/requests.ts'
import { currentStatusOf, type OrderRow } from '../orders/table.ts'
import { NewUser } from '../users/schema.ts'
import { createUser } from '../users/service.ts'
import { type CandidateReason, cases, type TestCase } from './cases.ts'
import type { UnmatchedResultRow } from './table.ts'

export interface Patient extends Identity {
  readonly gender: Sex
  /** YYYY-MM-DD. */
  readonly dob: string
}

const HOUSTON_AREA_CODE = '713'

/** A generated patient in Houston, for results without an order. */
export function makePatient({ random }: World, key: string): Patient {
  const { sex: gender, birthDate: dob } = makePerson(random, `unmatched/${key}`, {})
  return { ...makeIdentity(random, `unmatched/${key}`, gender, HOUSTON_AREA_CODE), gender, dob }
}

export const newTestUser = (world: World, name: string): string =>
  createUser(world, NewUser().parse({ client_user_id: name })).user_id

/** Orders a lab test for a user under this name; the order follows no scenario. */
export function placeForPatient(
  world: World,
  user_id: string,
  lab_test_id: string,
  patient_details: Patient,
): OrderRow {
  const { first_name, last_name, phone_number } = patient_details
  const patient_address = {
    receiver_name: `${first_name} ${last_name}`,
    first_line: makeStreet(world.random, `unmatched/${world.drawKey('user', user_id)}`),
    city: 'Houston',
    state: 'TX',
    zip: '77002',
    country: 'US',
    phone_number,
  }
  const order = placeOrder(
    world,
    NewOrder().parse({ user_id, lab_test_id, billing_type: 'client_bill', patient_details, patient_address }),
    { scenario: undefined },
  )
  world.services.scenarios.leave(world, order.id, 'the order belongs to an unmatched result')
  return order
}

interface StrayResult {
  readonly case: TestCase
  readonly labTestId: string
  /** The orders the result may belong to. */
  readonly orders: readonly OrderRow[]
  readonly interpretation: UnmatchedResultRow['interpretation']
  readonly resultStatus: UnmatchedResultRow['result_status']
}

/** Creates the review of a result that matches no order. Does not store it. */
export function makeReview(world: World, stray: StrayResult): UnmatchedResultRow {
  const labTest = getLabTest(world, stray.labTestId)
  const markers = markersOf(world, labTest)
  const lab = world.services.catalogue.labs().get(labTest.lab)
  const now = toWire(world.clock.now())
  const id = world.newId('raw_result')
  const groups = groupBy(stray.orders, ({ user_id }) => user_id)
  return {
    id,
    status: 'pending_customer_review',
    decision_code: stray.case,
    sub_reason_codes: [],
    reason: cases.get(stray.case).reason,
    patient: patientOf(world, id, stray),
    lab: { id: lab?.id ?? 0, name: lab?.name ?? labTest.lab, slug: labTest.lab },
    markers: markers.map(({ provider_id, name }) => ({ provider_id, name })),
    interpretation: stray.interpretation,
    result_status: stray.resultStatus,
    note: null,
    resolution_action: null,
    resolved_user_id: null,
    resolved_order_id: null,
    allowed_actions: ['accept', 'reject', 'unsure'],
    candidate_groups: [...groups].map(([user_id, orders]) => ({
      user_id,
      candidates: orders.map((order) => toCandidate(stray.case, order, labTest.lab, slugsOf(markers))),
    })),
    created_at: now,
    updated_at: now,
    reviewed_at: null,
    latest_activity_actor_id: null,
    latest_activity_actor_type: null,
    latest_activity_at: null,
    lab_test_id: labTest.id,
  }
}

const slugsOf = (markers: readonly { readonly slug: string }[]) => [
  ...new Set(markers.map(({ slug }) => slug)),
]

/** The patient of the result. */
function patientOf(
  world: World,
  id: string,
  { case: testCase, orders: [order] }: StrayResult,
): UnmatchedResultRow['patient'] {
  const isOtherPatient = testCase === 'match_sample_id_mismatch_demo'
  const madeUp = makePatient(world, world.drawKey('raw_result', id))
  const { dob, gender } = order?.patient_details ?? madeUp
  const { first_name, last_name } = (isOtherPatient ? undefined : order?.patient_details) ?? madeUp
  return { first_name, last_name, dob: atMidnight(dob), gender }
}

type Candidate = UnmatchedResultRow['candidate_groups'][number]['candidates'][number]

function toCandidate(
  testCase: TestCase,
  order: OrderRow,
  labSlug: string,
  received: readonly string[],
): Candidate {
  const { roles, reasons, score } = cases.get(testCase)
  const ordered = slugsOf(order.lab_test.markers ?? [])
  const shared = ordered.filter((slug) => received.includes(slug))
  const low = currentStatusOf(order)
  return {
    candidate_type: 'provenance' in roles ? 'provenance_order' : 'order_option',
    order_id: order.id,
    order_transaction_id: order.order_transaction?.id ?? null,
    last_status: low,
    confidence_level: confidenceLevel(score),
    confidence_score: score,
    reasons: [
      ...reasons,
      ...(order.lab_test.lab?.slug === labSlug ? (['same_lab'] as const) : []),
      overlapReason(shared.length, ordered.length, received.length),
    ],
    marker_overlap: { ordered: ordered.length, received: received.length, shared: shared.length },
    status_context: { last_status: low, last_status_at: order.last_event.created_at },
  }
}

function confidenceLevel(score: number): Candidate['confidence_level'] {
  if (score >= 0.9) return 'high'
  return score >= 0.6 ? 'medium' : 'low'
}

function overlapReason(shared: number, ordered: number, received: number): CandidateReason {
  if (shared === 0) return 'marker_overlap_none'
  return shared === ordered && shared === received ? 'marker_overlap_exact' : 'marker_overlap_partial'
}
