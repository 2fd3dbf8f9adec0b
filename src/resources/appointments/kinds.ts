import type { ProblemKind } from '../../kernel/problem.ts'
import { homeReasons, olderPscReasons, pscReasons, type Reason } from './reasons.ts'
import type { AppointmentRow } from './table.ts'

type OrderMove = 'appointment_pending' | 'appointment_scheduled'
type Refusal = readonly [ProblemKind, string]

/** What the two kinds of appointment differ in. Source: contract/lab-testing.md §2.3, §2.4, §13, §14. */
export interface Kind {
  readonly name: 'home' | 'psc'
  readonly type: AppointmentRow['type']
  /** The orders it is for. */
  readonly method: 'at_home_phlebotomy' | 'walk_in_test'
  /** What the order goes through when a time is agreed, the first time and each further time. */
  readonly orderMoves: readonly OrderMove[]
  readonly reasons: readonly Reason[]
  /** Taken as well, though not listed. */
  readonly olderReasons: readonly Reason[]
  /** The reason Other needs words of the caller's. */
  readonly otherNeedsNotes: boolean
  readonly adultsOnly: boolean
  /** A patient has at most one of a provider's. */
  readonly onePerPatient: boolean
  /** Cancelling again answers as the first time. */
  readonly cancelsTwice: boolean
  readonly errors: {
    readonly wrongMethod: Refusal
    readonly bookingWrongMethod: Refusal
    /** There is none to be read. */
    readonly nothingToShow: Refusal
    /** There is none to be changed. */
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
