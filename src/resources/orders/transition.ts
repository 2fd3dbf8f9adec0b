import { feature } from '../../api/features.ts'
import { recordScenarioTime } from '../../api/scenario-times.ts'
import { DAY_MS, toDate, toWire, toWireMicros } from '../../kernel/instant.ts'
import { UPPER_ALPHANUMERIC } from '../../kernel/random.ts'
import type { World } from '../../world/world.ts'
import { putOrder } from './directory.ts'
import { announce, announceCritical } from './events.ts'
import { dotted, isOver, type LowStatus, reportKinds, type StatusDetail, topStatusOf } from './lifecycle.ts'
import { type NamedPatient, registrationOf } from './registration.ts'
import { type Interpretation, worstFirst } from './schema.ts'
import {
  metadataOf,
  methodOf,
  type OrderMetadata,
  type OrderRow,
  orderMetadata,
  orders,
  type ResultPlan,
} from './table.ts'
import { trackingNumber } from './tracking.ts'

/** A step of an order: the next status and its details. */
export interface Step {
  readonly to: LowStatus
  readonly detail?: StatusDetail | null | undefined
  /** Fields of the shipment; others are made up. */
  readonly shipment?: Readonly<Partial<ShipmentFields>> | undefined
  readonly results?: ResultPlan | undefined
  /** Of the patient who registers the kit; the rest is that of the user. */
  readonly patient?: NamedPatient | undefined
  /** Whether it is simulated as in the live sandbox, which differs in dates and documents. */
  readonly asLive?: boolean | undefined
}

type Kit = Extract<OrderRow['details'], { type: 'testkit' }>
type Shipment = NonNullable<NonNullable<Kit['data']>['shipment']>
type ShipmentFields = Omit<Shipment, 'id' | 'created_at' | 'updated_at'>

/** An order before its first event. */
export type Draft = Omit<OrderRow, 'status' | 'last_event'>

/** What is stored of an order. */
interface OrderState {
  readonly order: OrderRow
  readonly metadata: OrderMetadata
}

/**
 * Takes an order a step further: stores it, announces it and runs the order hooks. Returns the order after the hooks.
 * Does not check the lifecycle. `more` is stored with it.
 */
export function transition(world: World, before: Draft, step: Step, more?: Partial<OrderMetadata>): OrderRow {
  const { id } = before
  const known = metadataOf(world, id)
  const wasCritical = world.db.find(orders, id)?.interpretation === 'critical'
  const { order, metadata } = nextState(world, before, more ? { ...known, ...more } : known, step)
  if (metadata !== known) world.db.put(orderMetadata, metadata)
  recordScenarioTime(world, order)
  putOrder(world, order)
  updateSiblings(world, order)
  recordEffect(world, order)
  world.services.orderHooks.beforeAnnounce(world, id, step.to)
  announceStep(world, world.db.get(orders, id), step, wasCritical)
  world.services.orderHooks.afterCommit(world, id, step.to)
  return world.db.get(orders, id)
}

/** Stores a new order, and takes it to its first statuses. */
export function placeDraft(
  world: World,
  draft: Draft,
  metadata?: Partial<OrderMetadata>,
  then?: LowStatus,
): OrderRow {
  const order = transition(world, draft, { to: 'ordered' }, metadata)
  return then ? transition(world, order, { to: then }) : order
}

/** All orders of a transaction show it. */
function updateSiblings(world: World, { id, order_transaction }: OrderRow): void {
  for (const line of order_transaction?.orders ?? []) {
    const sibling = line.id === id ? undefined : world.db.find(orders, line.id)
    if (sibling) putOrder(world, { ...sibling, order_transaction })
  }
}

function recordEffect(world: World, { id, user_id, last_event: { status, status_detail } }: OrderRow): void {
  const effect = { order_id: id, user_id, status }
  world.agenda.record('order', status_detail ? { ...effect, detail: status_detail } : effect)
}

function announceStep(
  world: World,
  order: OrderRow,
  { to: low, asLive = false }: Step,
  wasCritical: boolean,
): void {
  if (low !== 'partial_results' || feature(world, 'partial_results_webhooks')) announce(world, order)
  const report = reportKinds[low]
  if (!report || order.interpretation !== 'critical') return
  // A simulation as in the live sandbox reports critical results once, unless the team is notified of partial ones.
  if (report === 'partial' && asLive && !feature(world, 'partial_results_webhooks')) return
  if (!wasCritical || report === 'final')
    announceCritical(world, order, report === 'partial' ? 'partial' : 'final')
}

/** The state after a step. Stores nothing. */
function nextState(world: World, before: Draft, metadata: OrderMetadata, step: Step): OrderState {
  const now = world.clock.now()
  const method = methodOf(before)
  const event = {
    id: world.next('order_event'),
    created_at: toWire(now),
    status: dotted(method, step.to, feature(world, 'contract_form')),
    status_detail: step.detail ?? null,
  }
  const order: OrderRow = {
    ...before,
    updated_at: toWire(now),
    status: topStatusOf(method, step.to) ?? null,
    events: [...before.events, event],
    last_event: event,
    order_transaction: transactionAfter(before, step.to, now),
  }
  const state = { order, metadata }
  return (needs[step.to] ?? []).reduce((reached, bring) => bring(world, reached, step), state)
}

type SideEffect = (world: World, state: OrderState, step: Step) => OrderState

const withParcels: SideEffect = (world, { order, metadata }, { shipment }) => ({
  order: withShipment(world, order, shipment),
  metadata,
})

const withKit: SideEffect = (world, { order, metadata }) => ({
  order: withShipmentToCome(world, order),
  metadata,
})

/**
 * What each status needs. A step to the status brings what is missing, however it is made; a visit gets its appointment
 * from the order hooks. Source: docs/contract/simulation.md.
 */
const needs: Partial<Record<LowStatus, readonly SideEffect[]>> = {
  ordered: [withAccount],
  registered: [withPatient, withKit],
  requisition_created: [withRequisition],
  transit_customer: [withParcels],
  out_for_delivery: [withParcels],
  transit_lab: [withParcels],
  draw_completed: [withCollection],
  delivered_to_lab: [withCollection],
  partial_results: [withPatient, withResults],
  redraw_available: [withPatient, withResults],
  completed: [withPatient, withResults],
  corrected: [withPatient, withResults],
}

/** Throws if a step needs a patient, and the patient it would bring is refused. */
export function assertHasNeeds(world: World, order: OrderRow, { to, patient }: Step): void {
  if (!order.patient_details && needs[to]?.includes(withPatient)) registrationOf(world, order, patient)
}

/** Registers a kit that has no patient, as its recipient would. */
function withPatient(world: World, { order, metadata }: OrderState, { patient }: Step): OrderState {
  if (order.patient_details) return { order, metadata }
  const { bound, consents } = registrationOf(world, order, patient)
  return { order: bound, metadata: { ...metadata, consents } }
}

/** Names the account of the order, if the team wants to see it. Source: docs/contract/lab-tests.md. */
function withAccount(world: World, { order, metadata }: OrderState): OrderState {
  if (!feature(world, 'order_lab_account')) return { order, metadata }
  return { order: { ...order, lab_account_id: metadata.lab_account_id ?? null }, metadata }
}

function withRequisition(world: World, { order, metadata }: OrderState, { asLive }: Step): OrderState {
  const hasNoForm = asLive && methodOf(order) === 'testkit'
  return {
    order: {
      ...withShipmentToCome(world, order),
      sample_id: order.sample_id ?? newSampleId(world, order.id),
      requisition_form_url: hasNoForm ? null : `${world.baseUrl}/v3/order/${order.id}/requisition/pdf`,
    },
    metadata,
  }
}

/** Twelve letters and digits, as printed on a kit. */
export const newSampleId = (world: World, orderId: string): string =>
  world.ids.letters(`sample/${orderId}`, UPPER_ALPHANUMERIC, 12)

/** The order of a kit with its shipment, which has not been sent yet. */
function withShipmentToCome<Of extends Pick<OrderRow, 'id' | 'updated_at' | 'details'>>(
  world: World,
  order: Of,
): Of {
  const { details } = order
  if (details.type !== 'testkit' || !details.data || details.data.shipment) return order
  const shipment = emptyShipment(world, order)
  return { ...order, details: { ...details, data: { ...details.data, shipment } } }
}

function withShipment(world: World, order: OrderRow, given: Step['shipment'] = {}): OrderRow {
  const { details } = order
  if (details.type !== 'testkit' || !details.data) return order
  const before = details.data.shipment ?? emptyShipment(world, order)
  const shipment: Shipment = {
    ...before,
    ...parcel(world, order, 'outbound', given.outbound_courier ?? before.outbound_courier),
    ...parcel(world, order, 'inbound', given.inbound_courier ?? before.inbound_courier),
    ...given,
    updated_at: order.updated_at,
  }
  return {
    ...order,
    details: { ...details, data: { ...details.data, shipment, updated_at: order.updated_at } },
  }
}

/** Both parcels get numbers when the kit leaves, because it contains its return label. */
function parcel(world: World, order: OrderRow, direction: 'outbound' | 'inbound', known: string | null) {
  const courier =
    known ??
    world.random.pick(`courier/${world.drawKey('order', order.id)}`, ['usps', 'usps', 'ups', 'fedex'])
  const number = trackingNumber(world.ids, courier, `${direction}/${order.id}`)
  return {
    [`${direction}_courier`]: courier,
    [`${direction}_tracking_number`]: number,
    [`${direction}_tracking_url`]: `${world.baseUrl}/tracking/${courier.toLowerCase()}/${number}`,
  }
}

/** A shipment that has not been sent. */
function emptyShipment(world: World, order: { id: string; updated_at: string }): Shipment {
  return {
    id: world.ids.uuid(`shipment/${order.id}`),
    outbound_tracking_number: null,
    outbound_tracking_url: null,
    inbound_tracking_number: null,
    inbound_tracking_url: null,
    outbound_courier: null,
    inbound_courier: null,
    notes: null,
    created_at: order.updated_at,
    updated_at: order.updated_at,
  }
}

/** Records the collection and the expected dates of the results. Only the first call has an effect. */
function withCollection(world: World, { order, metadata }: OrderState): OrderState {
  if (metadata.collected_at !== undefined) return { order, metadata }
  const collectedAt = world.clock.now()
  const { common_tat_days, worst_case_tat_days } = order.lab_test
  return {
    order: {
      ...order,
      expected_result_by_date: daysAfter(collectedAt, common_tat_days),
      worst_case_result_by_date: daysAfter(collectedAt, worst_case_tat_days),
    },
    metadata: { ...metadata, collected_at: collectedAt },
  }
}

/** A date some days after an instant; null if the number is unknown. */
const daysAfter = (instant: number, days: number | null): string | null =>
  days === null ? null : toDate(instant + days * DAY_MS)

/** Reported results stay until a correction: a later report adds to them, and the interpretation never improves. */
function withResults(world: World, state: OrderState, step: Step): OrderState {
  const { to, results: planned = {}, asLive = false } = step
  const method = methodOf(state.order)
  const isLiveVisit = asLive && method === 'walk_in_test'
  const { order, metadata } = isLiveVisit ? withLiveDates(world, state, to) : withCollection(world, state)
  const isCorrection = to === 'corrected'
  const before = isCorrection ? undefined : metadata.results
  const results = isCorrection ? planned : withGiven(metadata.given_results, planned)
  const interpretation = lessFavourable(before?.interpretation, results.interpretation)
  const { missing = false } = results
  return {
    order: {
      ...order,
      interpretation: interpretation ?? 'normal',
      has_missing_results: Array.isArray(missing) ? missing.length > 0 : missing === true,
    },
    metadata: {
      ...metadata,
      results: interpretation ? { ...results, interpretation } : results,
      earlier_results: before ? [...(metadata.earlier_results ?? []), before] : [],
      ...(asLive && method === 'testkit' && { is_undated: true }),
    },
  }
}

/** A plan with the exact results that were given before; its own override them. */
const withGiven = (given: ResultPlan | undefined, plan: ResultPlan): ResultPlan =>
  given
    ? {
        ...given,
        ...plan,
        values: { ...given.values, ...plan.values },
        notes: { ...given.notes, ...plan.notes },
      }
    : plan

/** Usual and longest turnaround in the live sandbox, where the lab test has none. Source: docs/contract/simulation.md#as-observed. */
const LIVE_TURNAROUND_DAYS = { common: 3, worst: 5 } as const

/** The expected dates in the live sandbox, which follow from the day of the final results. */
function withLiveDates(world: World, state: OrderState, to: LowStatus): OrderState {
  const { order, metadata } = withCollection(world, state)
  const { expected_result_by_date, worst_case_result_by_date } = state.order
  if (to !== 'completed')
    return { order: { ...order, expected_result_by_date, worst_case_result_by_date }, metadata }
  const now = world.clock.now()
  const { common_tat_days, worst_case_tat_days } = order.lab_test
  return {
    order: {
      ...order,
      expected_result_by_date: daysAfter(now, common_tat_days ?? LIVE_TURNAROUND_DAYS.common),
      worst_case_result_by_date: daysAfter(now, worst_case_tat_days ?? LIVE_TURNAROUND_DAYS.worst),
    },
    metadata,
  }
}

/** Of two interpretations that may not have been chosen. */
const lessFavourable = (one?: Interpretation, other?: Interpretation): Interpretation | undefined =>
  worstFirst.find((each) => each === one || each === other)

/** The transaction with the new status of the order. */
function transactionAfter({ id, order_transaction: transaction }: Draft, low: LowStatus, now: number) {
  if (!transaction) return transaction
  const orders = transaction.orders.map((line) =>
    line.id === id ? { ...line, ...lineStatus(line, low, now), updated_at: toWireMicros(now) } : line,
  )
  return { ...transaction, status: transactionStatus(orders), orders }
}

type TransactionLine = NonNullable<OrderRow['order_transaction']>['orders'][number]

/** The first status is a millisecond younger than the order. Source: docs/contract/placing.md#orders-for-a-patient. */
const lineStatus = ({ low_level_status: before }: TransactionLine, low: LowStatus, now: number) => ({
  low_level_status: low,
  low_level_status_created_at: toWireMicros(before === null ? now + 1 : now),
})

/** Source: docs/contract/order-transactions.md. */
function transactionStatus(lines: readonly TransactionLine[]): 'active' | 'completed' | 'cancelled' {
  const lows = lines.map((line) => line.low_level_status ?? 'ordered')
  if (lows.every((low) => low === 'cancelled' || low === 'do_not_process')) return 'cancelled'
  const waitsForRedraw = lows.includes('redraw_available') && lows.length === 1
  return !waitsForRedraw && lows.every(isOver) ? 'completed' : 'active'
}
