import type { LowStatus } from '../orders/lifecycle.ts'
import { type OrderRow, statusHistoryOf } from '../orders/table.ts'
import type { TrackingRow } from './table.ts'

type Source = TrackingRow['updates'][number]['source']

/** A status that tells when the sample was collected. */
export interface Collection {
  /** From what the time is inferred; null if it is that of the status. */
  readonly inferredFrom: TrackingRow['inferred_from']
  /** Why another estimate takes the place of an earlier one. */
  readonly reason: string
  readonly source: Source
}

const accessioned: Collection = {
  inferredFrom: 'lab_accessioning',
  reason: 'The laboratory has the sample',
  source: 'lab',
}

/** By the status that an order has reached. */
export const collections: Partial<Record<LowStatus, Collection>> = {
  appointment_scheduled: {
    inferredFrom: 'scheduled_appointment',
    reason: 'The sample is taken at another time',
    source: 'patient',
  },
  draw_completed: { inferredFrom: null, reason: 'The sample was taken at another time', source: 'patient' },
  delivered_to_lab: {
    inferredFrom: 'lab_arrival',
    reason: 'The laboratory works on the sample',
    source: 'lab',
  },
  partial_results: accessioned,
  completed: accessioned,
}

/** Why the results of an order cannot be expected at any time. */
interface Setback {
  readonly source: Source
  readonly reason: (order: OrderRow) => string
  /** Whether it is told even if no results were expected yet. */
  readonly isAlwaysTold?: boolean
}

/** The courier of a kit, and the parcel. */
function parcelOf({ details }: OrderRow, direction: 'inbound' | 'outbound'): string {
  const shipment = details.type === 'testkit' ? details.data?.shipment : undefined
  const courier = shipment?.[`${direction}_courier`]
  return courier ? `${courier.toUpperCase()} parcel ${shipment[`${direction}_tracking_number`]}` : 'The kit'
}

const inTransit = (direction: 'inbound' | 'outbound', happened: string): Setback => ({
  source: 'junction',
  reason: (order) => `${parcelOf(order, direction)} ${happened}`,
  isAlwaysTold: true,
})

/** A sentence with the detail of the last event, if it has one. */
const withDetail = (sentence: string) => (order: OrderRow) => {
  const detail = order.last_event.status_detail?.replaceAll('_', ' ')
  return detail ? `${sentence}: ${detail}` : sentence
}

const atLab = (sentence: string): Setback => ({ source: 'lab', reason: withDetail(sentence) })

/** By the status that an order has reached. */
export const setbacks: Partial<Record<LowStatus, Setback>> = {
  problem_in_transit_customer: inTransit('outbound', 'has a problem on its way to the customer'),
  problem_in_transit_lab: inTransit('inbound', 'has a problem on its way to the laboratory'),
  failure_to_deliver_to_customer: inTransit('outbound', 'could not be delivered to the customer'),
  failure_to_deliver_to_lab: inTransit('inbound', 'could not be delivered to the laboratory'),
  lost: {
    source: 'junction',
    reason: (order) =>
      `${parcelOf(order, statusHistoryOf(order).includes('transit_lab') ? 'inbound' : 'outbound')} is lost`,
    isAlwaysTold: true,
  },
  lab_processing_blocked: atLab('The laboratory has stopped its work'),
  sample_error: atLab('The laboratory cannot use the sample'),
  do_not_process: atLab('The laboratory discards the sample'),
  redraw_available: atLab('The laboratory needs another sample'),
  appointment_cancelled: { source: 'patient', reason: () => 'The appointment was cancelled' },
  cancelled: { source: 'junction', reason: () => 'The order was cancelled' },
}
