/** The statuses of orders and their spellings. Source: contract/lab-testing.md §1. */

import { once } from '../../kernel/once.ts'
import { collectionMethods } from '../catalogue/schema.ts'

export { collectionMethods as methods }
export type Method = (typeof collectionMethods)[number]

export const topStatuses = [
  'received',
  'collecting_sample',
  'sample_with_lab',
  'completed',
  'cancelled',
  'failed',
] as const
export type TopStatus = (typeof topStatuses)[number]

export const lowStatuses = [
  'ordered',
  'requisition_created',
  'requisition_bypassed',
  'transit_customer',
  'out_for_delivery',
  'with_customer',
  'transit_lab',
  'delivered_to_lab',
  'completed',
  'failure_to_deliver_to_lab',
  'failure_to_deliver_to_customer',
  'problem_in_transit_lab',
  'problem_in_transit_customer',
  'sample_error',
  'appointment_scheduled',
  'appointment_cancelled',
  'appointment_pending',
  'draw_completed',
  'cancelled',
  'lost',
  'do_not_process',
  'partial_results',
  'awaiting_registration',
  'registered',
  'redraw_available',
  'corrected',
  'lab_processing_blocked',
] as const
export type LowStatus = (typeof lowStatuses)[number]

export const statusDetails = [
  'fulfillment_error',
  'date_of_collection_unspecified',
  'demographic_information_unspecified',
  'demographic_information_mismatch',
  'sample_quantity_not_sufficient',
  'sample_contaminated',
  'sample_stability_exceeded',
  'sample_hemolyzed',
  'sample_improper_collection',
] as const
export type StatusDetail = (typeof statusDetails)[number]

/** The statuses a detail may explain. */
export const detailsOf: Partial<Record<LowStatus, readonly StatusDetail[]>> = {
  lab_processing_blocked: [
    'date_of_collection_unspecified',
    'demographic_information_unspecified',
    'demographic_information_mismatch',
  ],
  sample_error: [
    'sample_quantity_not_sufficient',
    'sample_contaminated',
    'sample_stability_exceeded',
    'sample_hemolyzed',
    'sample_improper_collection',
  ],
  failure_to_deliver_to_customer: ['fulfillment_error'],
  cancelled: ['fulfillment_error'],
}

const everywhere: Partial<Record<LowStatus, TopStatus>> = {
  ordered: 'received',
  requisition_created: 'received',
  requisition_bypassed: 'received',
  sample_error: 'failed',
  cancelled: 'cancelled',
  completed: 'completed',
  corrected: 'completed',
}

const appointments: Partial<Record<LowStatus, TopStatus>> = {
  appointment_pending: 'collecting_sample',
  appointment_scheduled: 'collecting_sample',
  appointment_cancelled: 'collecting_sample',
  partial_results: 'sample_with_lab',
}

/** The first part of the dotted status, by method. Absent if the method does not have the status. */
const tops: Record<Method, Partial<Record<LowStatus, TopStatus>>> = {
  testkit: {
    ...everywhere,
    awaiting_registration: 'received',
    registered: 'received',
    transit_customer: 'collecting_sample',
    out_for_delivery: 'collecting_sample',
    with_customer: 'collecting_sample',
    transit_lab: 'collecting_sample',
    problem_in_transit_customer: 'collecting_sample',
    problem_in_transit_lab: 'collecting_sample',
    delivered_to_lab: 'sample_with_lab',
    lab_processing_blocked: 'sample_with_lab',
    failure_to_deliver_to_customer: 'failed',
    failure_to_deliver_to_lab: 'failed',
    lost: 'failed',
    do_not_process: 'cancelled',
  },
  walk_in_test: { ...everywhere, ...appointments, redraw_available: 'collecting_sample' },
  at_home_phlebotomy: { ...everywhere, ...appointments, draw_completed: 'collecting_sample' },
  on_site_collection: {
    ...everywhere,
    draw_completed: 'sample_with_lab',
    partial_results: 'sample_with_lab',
  },
}

export const topStatusOf = (method: Method, low: LowStatus): TopStatus | undefined => tops[method][low]

/** `received.testkit.ordered`; a registered kit is spelled as the specification spells it, or as the live contract does. */
export const dotted = (method: Method, low: LowStatus, form: 'spec' | 'live' = 'spec'): string =>
  `${tops[method][low]}.${method}.${low === 'registered' && form === 'spec' ? 'testkit_registered' : low}`

export const dottedOf = (method: Method): string[] =>
  (Object.keys(tops[method]) as LowStatus[]).map((low) => dotted(method, low))

/** All dotted statuses Petri sends. */
export const dottedStatuses: readonly string[] = collectionMethods.flatMap(dottedOf)

/** Spellings accepted beside those that are sent. */
export const otherSpellings: Readonly<Record<string, string>> = {
  'received.testkit.registered': 'received.testkit.testkit_registered',
  'collecting_sample.on_site_collection.draw_completed': 'sample_with_lab.on_site_collection.draw_completed',
}

export interface StatusReading {
  readonly low: LowStatus
  /** Of a dotted status. */
  readonly method?: Method
}

/** The low status and, if it was dotted, the method of a status in any accepted spelling. */
export const readStatus = (text: string): StatusReading | undefined => readings().get(text)

/** Every spelling that `readStatus` knows. */
export const statusSpellings = (): readonly string[] => [...readings().keys()]

const readings = once((): ReadonlyMap<string, StatusReading> => {
  const known = new Map<string, StatusReading>(lowStatuses.map((low) => [low, { low }]))
  known.set('testkit_registered', { low: 'registered' })
  for (const method of collectionMethods) {
    for (const low of lowStatuses) if (tops[method][low]) known.set(dotted(method, low), { low, method })
  }
  for (const [other, sent] of Object.entries(otherSpellings)) {
    const reading = known.get(sent)
    if (reading) known.set(other, reading)
  }
  return known
})
