import { HOUR_MS } from '../../kernel/instant.ts'
import type { ProblemKind } from '../../kernel/problem.ts'
import type { AppointmentRow } from './table.ts'

/** Why an appointment is cancelled. Source: docs/contract/appointments.md. */
interface Reason {
  readonly id: string
  readonly name: string
  readonly is_refundable: boolean
}

const reason = (id: string, name: string): Reason => ({ id, name, is_refundable: true })

export const OTHER = 'Other'

const homeReasons: readonly Reason[] = [
  reason('5c0257ef-6fea-4a22-b20a-3ddab573d5c9', 'Did not fast for appointment'),
  reason('448c519c-64b4-4497-ae73-622fa93371b3', 'Do not trust company'),
  reason('d378e152-12d1-433e-9dd1-e0410f9331dc', 'Getlabs cannot deliver to my preferred lab'),
  reason('5330c863-ac80-4316-901b-d305d0df74d5', 'No longer interested'),
  reason('2b9f23fd-163e-4483-bb10-90c74a67e0dc', OTHER),
  reason('98f861dd-fe61-4817-a9d6-1b99b19cd0fb', 'Provider asked me to cancel'),
  reason('7dfd7da5-ed6e-40bb-a7e4-c8003f0c10a9', 'Scheduled for wrong patient'),
  reason('796da8c8-e654-4347-8ded-1026410c1976', 'Scheduled time no longer works'),
  reason('ba02af35-a34f-4a7a-abe5-5f766e8f6cd1', 'Unable to get lab order from provider'),
  reason('0c9425db-f11e-49c5-b976-3c0d1d4a4ea8', 'Wanted to book in-person appointment'),
  reason('2599a0ea-0b4a-42fe-8df6-d8f7c68182e7', 'Went to lab for appointment'),
  reason('7be75f90-303d-4656-8eed-9bd3e20cb2cc', 'Getlabs - late'),
  reason('ae3ec4dc-387c-42ac-835a-bf88fc4e411b', 'Getlabs -Phleb Out Sick'),
  reason('e2396e00-dd49-4f38-a395-51d6304c3312', 'Getlabs rescheduled time does not work for patient'),
]

const pscReasons: readonly Reason[] = [reason('226a6520-667c-495f-8500-c20722d231d0', OTHER)]

export const CANCELLED_OR_COMPLETED = 'This appointment has been cancelled or completed.'

type Refusal = readonly [ProblemKind, string]

/** The differences between the two kinds of appointments. Source: docs/contract/orders.md#transitions, docs/contract/appointments.md#at-home, docs/contract/appointments.md#at-a-site. */
export interface Kind {
  readonly name: 'home' | 'psc'
  readonly type: AppointmentRow['type']
  /** The collection method of its orders. */
  readonly method: 'at_home_phlebotomy' | 'walk_in_test'
  readonly reasons: readonly Reason[]
  /** The reason Other needs a note. */
  readonly otherNeedsNotes: boolean
  readonly adultsOnly: boolean
  /** Whether a patient can have only one per provider. */
  readonly onePerPatient: boolean
  /** Whether the order gets an event when its appointment is rescheduled. */
  readonly movesOrderAgain: boolean
  /** Whether the event of a cancellation says why the patient cancelled. */
  readonly showsReason: boolean
  readonly errors: {
    readonly wrongMethod: Refusal
    readonly bookingWrongMethod: Refusal
    /** The error if there is no appointment to read. */
    readonly nothingToShow: Refusal
    /** The error if there is no appointment to change. */
    readonly nothingToChange: Refusal
    readonly rescheduleCancelled: Refusal
    readonly malformedKey: Refusal
    readonly noRequisition: (low: string) => Refusal
  }
}

export const home: Kind = {
  name: 'home',
  type: 'phlebotomy',
  method: 'at_home_phlebotomy',
  reasons: homeReasons,
  otherNeedsNotes: true,
  adultsOnly: true,
  onePerPatient: true,
  movesOrderAgain: true,
  showsReason: true,
  errors: {
    wrongMethod: ['not_found', "This order doesn't have a phlebotomy order."],
    bookingWrongMethod: ['not_found', "This order doesn't have a phlebotomy order."],
    nothingToShow: ['not_found', 'No appointment for this order'],
    nothingToChange: ['not_found', 'No appointment for this order'],
    rescheduleCancelled: ['bad_request', 'Cannot reschedule a cancelled appointment'],
    malformedKey: ['bad_request', 'Invalid or expired booking key'],
    noRequisition: (low) => [
      'bad_request',
      `This order does not have a requisition, it's still in state ${low}.`,
    ],
  },
}

export const psc: Kind = {
  name: 'psc',
  type: 'patient_service_center',
  method: 'walk_in_test',
  reasons: pscReasons,
  otherNeedsNotes: false,
  adultsOnly: false,
  onePerPatient: false,
  movesOrderAgain: false,
  showsReason: false,
  errors: {
    wrongMethod: ['not_found', 'This order is not a walk-in phlebotomy order.'],
    bookingWrongMethod: ['bad_request', 'Order is not a walkin phlebotomy order'],
    nothingToShow: ['not_found', 'Appointment not found.'],
    nothingToChange: ['bad_request', "This order doesn't have an appointment yet."],
    rescheduleCancelled: ['bad_request', CANCELLED_OR_COMPLETED],
    malformedKey: ['bad_request', 'Invalid booking key format'],
    noRequisition: () => ['bad_request', 'This order does not have a requisition yet.'],
  },
}

/** The kind of appointment that orders of a method have. */
export const kindOf = (method: string): Kind | undefined => [home, psc].find((kind) => kind.method === method)

/** The local hours at which visits at home begin, Monday to Saturday; each is a window of two hours. */
export const VISIT_HOURS = [7, 9, 11, 13, 15] as const
export const VISIT_MS = 2 * HOUR_MS
