import type { RequestContext } from '../../contract/operation.ts'
import type { Parsed } from '../../contract/schema.ts'
import { toDate, toWire, toWireMicros } from '../../kernel/instant.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Job } from '../../world/agenda.ts'
import type { World } from '../../world/world.ts'
import { resolveLabAccount } from '../lab-accounts/service.ts'
import { findLabTest, presentLabTest } from '../lab-tests/service.ts'
import type { LabTestRow } from '../lab-tests/table.ts'
import { getUser } from '../users/service.ts'
import { patientAddress, patientDetails, shippingDetails, shippingToPatient } from './addresses.ts'
import { enter } from './moves.ts'
import { servicePhysician } from './physicians.ts'
import { type Draft, emptyShipment, newSampleId, noteFacts, progress } from './progress.ts'
import type { NewKitOrder, NewOrder } from './requests.ts'
import { type OrderRow, orders } from './table.ts'

const ACTIVATE = 'orders.activate'
const unknownUser = {
  unknown: 'User does not exist on this team',
  deleted: 'User does not exist on this team',
}

/** Orders a kit for nobody in particular; a patient registers it later. Source: contract/lab-testing.md §4.2. */
export function placeKit(world: World, body: Parsed<typeof NewKitOrder>, context: RequestContext): OrderRow {
  getUser(world, body.user_id, unknownUser)
  const labTest = findLabTest(world, body.lab_test_id)
  if (!labTest) throw new Problem('bad_request', 'Test does not exist')
  if (labTest.method !== 'testkit')
    throw new Problem('bad_request', 'The lab test is not collected with a test kit')
  const account = accountFor(world, labTest, body.lab_account_id)
  const story = chooseStory(world, context, body.shipping_details.zip, body.user_id)
  const draft = draftKit(world, labTest, {
    user_id: body.user_id,
    shipping_details: shippingDetails(body.shipping_details),
    passthrough: body.passthrough,
  })
  if (account) noteFacts(world, draft.id, { lab_account_id: account.id })
  const ordered = enter(world, progress(world, draft, { to: 'ordered' }))
  const order = enter(world, progress(world, ordered, { to: 'awaiting_registration' }))
  world.parts.stories.begin(world, order.id, story)
  return order
}

/** Orders for a named patient. Source: contract/lab-testing.md §4.1. */
export function placeOrder(world: World, body: Parsed<typeof NewOrder>, context: RequestContext): OrderRow {
  getUser(world, body.user_id, unknownUser)
  const labTest = chooseLabTest(world, body)
  if (labTest.method !== 'testkit') {
    throw new Problem(
      'not_implemented',
      `Orders collected by ${labTest.method} are not there yet; test kits are.`,
    )
  }
  const today = toDate(world.clock.now())
  if (body.activate_by !== null && body.activate_by < today) {
    throw new Problem('bad_request', 'activate_by must not be in the past')
  }
  const account = accountFor(world, labTest, body.lab_account_id ?? body.order_set?.lab_account_id)
  const { patient_details: patient, patient_address: address } = body
  const story = chooseStory(world, context, address.zip, body.user_id)
  const draft = draftKit(world, labTest, {
    user_id: body.user_id,
    patient_details: patientDetails(patient),
    patient_address: patientAddress(address, patient),
    shipping_details: shippingToPatient(address, patient),
    passthrough: body.passthrough,
    clinical_notes: joinNotes(account?.default_clinical_notes, body.clinical_notes ?? body.clinical_comments),
    physician: body.physician ? ownPhysician(body.physician) : servicePhysician,
    priority: body.priority,
    billing_type: body.billing_type,
    icd_codes: body.icd_codes,
    activate_by: body.activate_by,
  })
  if (account) noteFacts(world, draft.id, { lab_account_id: account.id })
  const order = enter(world, progress(world, draft, { to: 'ordered' }))
  if (body.activate_by !== null && body.activate_by > today) scheduleStory(world, order, story)
  else world.parts.stories.begin(world, order.id, story)
  return order
}

/** What the service and the account's laboratory note, one line each. Source: contract/README.md #6. */
const joinNotes = (...notes: (string | null | undefined)[]): string | null =>
  notes.filter(Boolean).join('\n') || null

const ownPhysician = ({
  first_name,
  last_name,
  npi,
}: {
  first_name: string
  last_name: string
  npi: string
}) => ({
  first_name,
  last_name,
  npi,
})

const accountFor = (world: World, labTest: LabTestRow, labAccountId: string | null | undefined) =>
  resolveLabAccount(world, { labSlug: labTest.lab, labAccountId })

const chooseStory = (world: World, { scenario }: RequestContext, zip: string, userId: string) =>
  world.parts.stories.choose(world, { asked: scenario, method: 'testkit', zip, userId })

function chooseLabTest(world: World, body: Parsed<typeof NewOrder>): LabTestRow {
  const { lab_test_id: single, order_set: set, collection_method: method } = body
  if (!single && !set) throw new Problem('bad_request', 'Either lab_test_id or order_set must be set')
  if (method === 'testkit') throw new Problem('bad_request', 'Cannot set collection_method to TESTKIT')
  const ids = set?.lab_test_ids ?? (single ? [single] : [])
  if (set?.add_on) refuseAddOn(set.add_on, method)
  if (ids.length === 0) throw new Problem('bad_request', 'lab_test_ids or add_on must be set in order_set')
  const found = ids.map((id) => findLabTest(world, id))
  const labTests = found.filter((labTest) => labTest !== undefined)
  if (labTests.length < found.length) {
    throw new Problem(
      'bad_request',
      'No markers found for the supplied lab tests. Please check the lab test ids',
    )
  }
  if (new Set(labTests.map(({ lab: slug }) => slug)).size > 1) {
    throw new Problem('bad_request', 'cannot order lab_tests from multiple labs')
  }
  if (!method && new Set(labTests.map((labTest) => labTest.method)).size > 1) {
    throw new Problem('bad_request', 'cannot order lab tests with multiple collection methods')
  }
  const [first, second] = labTests as [LabTestRow, LabTestRow | undefined]
  if (second || method) throw new Problem('not_implemented', 'Orders of several lab tests are not there yet.')
  return first
}

function refuseAddOn(
  addOn: { marker_ids?: unknown[] | null | undefined; provider_ids?: unknown[] | null | undefined },
  method: unknown,
): never {
  if (!method) throw new Problem('bad_request', 'collection_method must be set if add_on is set')
  if (!addOn.marker_ids && !addOn.provider_ids) {
    throw new Problem('bad_request', 'marker_ids or provider_ids must be set in add_on')
  }
  if (addOn.marker_ids && addOn.provider_ids) {
    throw new Problem('bad_request', 'cannot set both marker_ids and provider_ids in add_on')
  }
  throw new Problem('not_implemented', 'Orders with an add_on are not there yet.')
}

/** A kit order that has not happened yet. */
function draftKit(world: World, labTest: LabTestRow, fields: Partial<Draft> & { user_id: string }): Draft {
  const now = world.clock.now()
  const id = world.newId('order')
  const stamp = { created_at: toWire(now), updated_at: toWire(now) }
  const shipment = fields.patient_details ? emptyShipment(world, { id, updated_at: stamp.updated_at }) : null
  return {
    id,
    team_id: world.identity.teamId,
    patient_details: null,
    patient_address: null,
    shipping_details: null,
    lab_test: presentLabTest(world, labTest),
    details: { type: 'testkit', data: { id: world.random.uuid(`kit/${id}`), ...stamp, shipment } },
    sample_id: newSampleId(world, id),
    notes: null,
    clinical_notes: null,
    ...stamp,
    events: [],
    physician: null,
    health_insurance_id: null,
    health_insurace_id: null,
    requisition_form_url: null,
    priority: false,
    activate_by: null,
    passthrough: null,
    billing_type: 'client_bill',
    icd_codes: null,
    has_abn: false,
    interpretation: null,
    has_missing_results: null,
    expected_result_by_date: null,
    worst_case_result_by_date: null,
    origin: 'initial',
    order_transaction: newTransaction(world, id, now),
    ...fields,
  }
}

const newTransaction = (world: World, orderId: string, now: number): Draft['order_transaction'] => ({
  id: world.random.uuid(`transaction/${orderId}`),
  status: 'active',
  orders: [
    {
      id: orderId,
      low_level_status: null,
      low_level_status_created_at: null,
      last_status: null,
      last_status_created_at: null,
      origin: 'initial',
      parent_id: null,
      created_at: toWireMicros(now),
      updated_at: toWireMicros(now),
    },
  ],
})

/** A scheduled order stands still until its day. */
function scheduleStory(world: World, order: OrderRow, story: string): void {
  const due = Date.parse(`${order.activate_by}T00:00:00Z`)
  world.agenda.add({ due, kind: ACTIVATE, subject: order.id, data: { story } })
}

export const placeJobs = {
  [ACTIVATE](world: World, { subject, data }: Job) {
    if (world.db.find(orders, subject)?.last_event.status.endsWith('.ordered')) {
      world.parts.stories.begin(world, subject, (data as { story: string }).story)
    }
  },
}
