import { keysOf } from '../kernel/fields.ts'
import {
  cancelByPatient,
  cancelByProvider,
  completeAppointment,
  makeNextBookingTimeOut,
  moveAppointment,
  startAppointment,
  takeSlot,
} from '../resources/appointments/service.ts'
import type { LowStatus, Method } from '../resources/orders/lifecycle.ts'
import type { World } from '../world/world.ts'

/** The state of an order's appointment. */
export type VisitState = 'not booked' | 'booked' | 'started' | 'completed'

interface AppointmentVerb {
  /** The appointments to which it can happen. */
  readonly from: readonly VisitState[]
  readonly to: VisitState
  /** The statuses it brings an order to, by method; absent for methods without it. */
  readonly lows: Partial<Record<Method, readonly LowStatus[]>>
  /** Returns undefined if the appointment does not allow it. */
  run(world: World, orderId: string): unknown
}

const nothing: AppointmentVerb['lows'] = { walk_in_test: [], at_home_phlebotomy: [] }
const calledOff: AppointmentVerb['lows'] = {
  walk_in_test: ['appointment_cancelled'],
  at_home_phlebotomy: ['appointment_cancelled'],
}

/** The events of an order's appointment in a scenario, by their names in the file. */
export const appointmentVerbs = {
  /** The patient or the phlebotomist arrives. */
  start: { from: ['booked'], to: 'started', lows: nothing, run: startAppointment },
  /** Blood is drawn. */
  complete: {
    from: ['started'],
    to: 'completed',
    lows: { walk_in_test: [], at_home_phlebotomy: ['draw_completed'] },
    run: completeAppointment,
  },
  no_show: {
    from: ['booked'],
    to: 'not booked',
    lows: calledOff,
    run: (world, id) => cancelByProvider(world, id, 'no_show'),
  },
  cancelled_by_provider: {
    from: ['booked', 'started'],
    to: 'not booked',
    lows: calledOff,
    run: (world, id) => cancelByProvider(world, id, 'provider_unavailable'),
  },
  cancelled_by_patient: {
    from: ['booked', 'started'],
    to: 'not booked',
    lows: calledOff,
    run: cancelByPatient,
  },
  /** The patient changes its time. */
  moved: {
    from: ['booked'],
    to: 'booked',
    lows: { walk_in_test: [], at_home_phlebotomy: ['appointment_scheduled'] },
    run: moveAppointment,
  },
  /** The next slot the customer tries to book is no longer available. */
  slot_gone: { from: ['not booked', 'booked'], to: 'not booked', lows: nothing, run: takeSlot },
  /** The site does not answer the customer's next booking. */
  no_answer: { from: ['not booked'], to: 'not booked', lows: nothing, run: makeNextBookingTimeOut },
} as const satisfies Record<string, AppointmentVerb>

export type AppointmentWord = keyof typeof appointmentVerbs
export const appointmentWords = keysOf(appointmentVerbs)

/** The statuses an order goes through when its customer books. */
export const bookedLows: AppointmentVerb['lows'] = {
  walk_in_test: ['appointment_pending', 'appointment_scheduled'],
  at_home_phlebotomy: ['appointment_pending', 'appointment_scheduled'],
}

/** The states in which a status leaves the appointment. */
export const visitAfter: Partial<Record<LowStatus, VisitState>> = {
  appointment_scheduled: 'booked',
  appointment_cancelled: 'not booked',
  draw_completed: 'completed',
  partial_results: 'completed',
  completed: 'completed',
  redraw_available: 'completed',
  sample_error: 'completed',
}

/** Whether something can happen to an appointment in this state. */
export const canHappen = (word: AppointmentWord, state: VisitState): boolean =>
  appointmentVerbs[word].from.some((each) => each === state)
