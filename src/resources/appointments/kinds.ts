import type { ProblemKind } from '../../kernel/problem.ts'
import { homeReasons, olderPscReasons, pscReasons, type Reason } from './reasons.ts'
import type { AppointmentRow } from './table.ts'

type OrderMove = 'appointment_pending' | 'appointment_scheduled'
type Refusal = readonly [ProblemKind, string]

/** The differences between the two kinds of appointments. Source: contract/lab-testing.md §2.3, §2.4, §13, §14. */
export interface Kind {
  readonly name: 'home' | 'psc'
  readonly type: AppointmentRow['type']
  /** The collection method of its orders. */
  readonly method: 'at_home_phlebotomy' | 'walk_in_test'
  /** The statuses of the order when a time is confirmed, first and later. */
  readonly orderMoves: readonly OrderMove[]
  readonly reasons: readonly Reason[]
  /** Reasons that are accepted but not listed. */
  readonly olderReasons: readonly Reason[]
  /** The reason Other needs a note. */
  readonly otherNeedsNotes: boolean
  readonly adultsOnly: boolean
  /** Whether a patient can have only one per provider. */
  readonly onePerPatient: boolean
  /** Whether a repeated cancellation succeeds. */
  readonly cancelsTwice: boolean
  readonly errors: {
    readonly wrongMethod: Refusal
    readonly bookingWrongMethod: Refusal
    /** The error if there is no appointment to read. */
    readonly nothingToShow: Refusal
    /** The error if there is no appointment to change. */
    readonly nothingToChange: Refusal
    readonly malformedKey: Refusal
    readonly noRequisition: (low: string) => Refusal
  }
}

export const home: Kind = {
  name: 'home',
  type: 'phlebotomy',
  method: 'at_home_phlebotomy',
  orderMoves: ['appointment_scheduled'],
  reasons: homeReasons,
  olderReasons: [],
  otherNeedsNotes: true,
  adultsOnly: true,
  onePerPatient: true,
  cancelsTwice: true,
  errors: {
    wrongMethod: ['not_found', "This order doesn't have a phlebotomy order."],
    bookingWrongMethod: ['not_found', "This order doesn't have a phlebotomy order."],
    nothingToShow: ['not_found', 'No appointment for this order'],
    nothingToChange: ['not_found', 'No appointment for this order'],
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
  orderMoves: ['appointment_pending', 'appointment_scheduled'],
  reasons: pscReasons,
  olderReasons: olderPscReasons,
  otherNeedsNotes: false,
  adultsOnly: false,
  onePerPatient: false,
  cancelsTwice: false,
  errors: {
    wrongMethod: ['not_found', 'This order is not a walk-in phlebotomy order.'],
    bookingWrongMethod: ['bad_request', 'Order is not a walkin phlebotomy order'],
    nothingToShow: ['not_found', 'Appointment not found.'],
    nothingToChange: ['bad_request', "This order doesn't have an appointment yet."],
    malformedKey: ['bad_request', 'Invalid booking key format'],
    noRequisition: () => ['bad_request', 'This order does not have a requisition yet.'],
  },
}

/** The kind of appointment that orders of a method have. */
export const kindOf = (method: string): Kind | undefined => [home, psc].find((kind) => kind.method === method)
