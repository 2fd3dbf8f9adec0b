import type { RequestContext } from '../../api/operation.ts'
import { toWire, toWireMicros } from '../../kernel/instant.ts'
import type { World } from '../../world/world.ts'
import { presentOrderedLabTest } from '../lab-tests/service.ts'
import type { LabTestRow } from '../lab-tests/table.ts'
import type { Method } from './lifecycle.ts'
import { type OrderMetadata, type OrderRow, orderMetadata, orders } from './table.ts'
import { type Draft, newSampleId } from './transition.ts'

type Transaction = NonNullable<OrderRow['order_transaction']>
type TransactionLine = Transaction['orders'][number]

/** The previous order of the same transaction. */
export interface Predecessor {
  readonly order: OrderRow
  readonly origin: 'redraw' | 'recreation'
}

/** How an order is placed. */
export interface PlacingContext extends Pick<RequestContext, 'scenario'> {
  /** The id of the order, if one was chosen. */
  readonly orderId?: string | undefined
}

interface Ordered extends Partial<Omit<Draft, 'id'>> {
  readonly id?: string | undefined
  readonly user_id: string
}

/** The fields of a new order in the order of the published document, including those of its first event. */
const blank = {
  user_id: '',
  id: '',
  team_id: '',
  patient_details: null,
  patient_address: null,
  lab_test: undefined,
  details: undefined,
  sample_id: null,
  notes: null,
  clinical_notes: null,
  created_at: '',
  updated_at: '',
  events: [] as OrderRow['events'],
  status: null,
  last_event: undefined,
  physician: null,
  health_insurance_id: null,
  health_insurace_id: undefined,
  requisition_form_url: null,
  priority: false,
  shipping_details: null,
  activate_by: null,
  passthrough: null,
  billing_type: 'client_bill' as const,
  icd_codes: null,
  has_abn: false,
  interpretation: null,
  has_missing_results: null,
  expected_result_by_date: null,
  worst_case_result_by_date: null,
  origin: 'initial',
  order_transaction: undefined,
}

/** A draft of an order. A kit without a patient has a sample id from the start; others get one with the requisition. */
export function draftOrder(world: World, labTest: LabTestRow, fields: Ordered, after?: Predecessor): Draft {
  const now = world.clock.now()
  const id = fields.id ?? world.newId('order', (each) => world.db.has(orders, each))
  const stamp = { created_at: toWire(now), updated_at: toWire(now) }
  const isKit = labTest.method === 'testkit'
  return {
    ...blank,
    team_id: world.identity.teamId,
    lab_test: presentOrderedLabTest(world, labTest),
    details: detailsOf(world, labTest.method, id, stamp),
    sample_id: isKit && !fields.patient_details ? newSampleId(world, id) : null,
    created_at: stamp.created_at,
    updated_at: stamp.updated_at,
    origin: after?.origin ?? 'initial',
    order_transaction: transactionOf(world, id, now, after),
    ...fields,
    id,
    health_insurace_id: isKit ? (fields.health_insurance_id ?? null) : undefined,
  }
}

/** An order that follows another one, and its metadata. */
export interface FollowOn {
  readonly draft: Draft
  readonly metadata: Omit<OrderMetadata, 'order_id'>
}

/** A draft of the patient's next order in the same transaction, created by the service. */
export function draftFollowOn(world: World, labTest: LabTestRow, after: Predecessor): FollowOn {
  const { order } = after
  const draft = draftOrder(
    world,
    labTest,
    {
      user_id: order.user_id,
      patient_details: order.patient_details,
      patient_address: order.patient_address,
      shipping_details: labTest.method === 'testkit' ? order.shipping_details : null,
      physician: order.physician,
      clinical_notes: order.clinical_notes,
      priority: order.priority,
      passthrough: order.passthrough,
      billing_type: order.billing_type,
      icd_codes: order.icd_codes,
      health_insurance_id: order.health_insurance_id,
    },
    after,
  )
  const account = world.db.find(orderMetadata, order.id)?.lab_account_id
  return { draft, metadata: account === undefined ? {} : { lab_account_id: account } }
}

interface Stamp {
  readonly created_at: string
  readonly updated_at: string
}

function detailsOf(world: World, method: Method, orderId: string, stamp: Stamp): OrderRow['details'] {
  const id = world.ids.uuid(`${method === 'testkit' ? 'kit' : method}/${orderId}`)
  switch (method) {
    case 'testkit':
      return { type: method, data: { id, shipment: null, ...stamp } }
    case 'walk_in_test':
      return { type: method, data: { id, ...stamp, appointment_id: null } }
    case 'at_home_phlebotomy':
      return { type: method, data: { id, appointment_id: null, ...stamp } }
    case 'on_site_collection':
      return { type: method, data: { id, ...stamp } }
  }
}

/** A new transaction, or that of its predecessor with one more line. */
function transactionOf(world: World, id: string, now: number, after?: Predecessor): Transaction {
  const line: TransactionLine = {
    id,
    low_level_status: null,
    low_level_status_created_at: null,
    origin: after?.origin ?? 'initial',
    parent_id: after?.order.id ?? null,
    created_at: toWireMicros(now),
    updated_at: toWireMicros(now),
  }
  const before = after?.order.order_transaction
  if (before) return { ...before, orders: [...before.orders, line] }
  return { id: world.ids.uuid(`transaction/${id}`), status: 'active', orders: [line] }
}
