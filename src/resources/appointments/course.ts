import { feature } from '../../api/features.ts'
import { toWire } from '../../kernel/instant.ts'
import type { World } from '../../world/world.ts'
import { canMove, type LowStatus } from '../orders/lifecycle.ts'
import { getOrder, moveOrder, setAppointment } from '../orders/service.ts'
import { currentStatusOf, type OrderRow, statusHistoryOf, workflowOf } from '../orders/table.ts'
import { eventSubject } from '../users/service.ts'
import { home, type Kind, psc } from './kinds.ts'
import { canBecome, canChangeTime, isOver, statusOf } from './lifecycle.ts'
import { type AppointmentRow, appointments, type Booking, bookings } from './table.ts'

type EventStatus = AppointmentRow['event_status']

/** An appointment before its first event. */
export type AppointmentDraft = Omit<
  AppointmentRow,
  'status' | 'event_status' | 'event_data' | 'events' | 'can_reschedule'
>

/** The next event of an appointment. */
export interface AppointmentStep {
  readonly to: EventStatus
  readonly data?: AppointmentRow['event_data']
  readonly fields?: Partial<AppointmentDraft>
}

/** Jobs that are cancelled with their appointment. */
const jobKinds = [
  'appointments.confirm',
  'appointments.give_up',
  'appointments.set_time',
  'appointments.no_requisition',
  'appointments.too_late',
] as const
export type AppointmentJobKind = (typeof jobKinds)[number]

export const kindOfAppointment = ({ type }: AppointmentRow): Kind => (type === home.type ? home : psc)

/** The active appointment of an order. */
export function activeAppointment(world: World, { details }: OrderRow): AppointmentRow | undefined {
  if (details.type !== 'at_home_phlebotomy' && details.type !== 'walk_in_test') return undefined
  const id = details.data?.appointment_id
  return id ? world.db.find(appointments, id) : undefined
}

/** Attaches an appointment to its order and announces it. */
export function begin(
  world: World,
  draft: AppointmentDraft,
  step: AppointmentStep,
  booking: Pick<Booking, 'slot' | 'waits'>,
): AppointmentRow {
  world.db.put(bookings, { appointment_id: draft.id, taken_at: world.clock.now(), ...booking })
  setAppointment(world, draft.order_id, draft.id)
  const appointment = commitTransition(world, { ...draft, events: [] }, step)
  if (feature(world, 'appointment_created_events')) announce(world, appointment, 'created')
  announce(world, appointment, 'updated')
  return appointment
}

/** Moves an appointment one step and announces it; undefined if the lifecycle does not allow the step. */
export function applyStep(
  world: World,
  appointment: AppointmentRow,
  step: AppointmentStep,
): AppointmentRow | undefined {
  if (!canBecome(appointment, step.to)) return undefined
  const next = commitTransition(world, appointment, step)
  if (isOver(next)) stopWaiting(world, next.id)
  if (next.event_status === 'cancelled') {
    updateBooking(world, next.id, { slot: null, waits: null })
    const order = getOrder(world, next.order_id)
    if (activeAppointment(world, order)?.id === next.id) setAppointment(world, order.id, null)
  }
  announce(world, next, 'updated')
  return next
}

/** Cancels the jobs that wait for this appointment. */
export function stopWaiting(world: World, id: string): void {
  for (const kind of jobKinds) world.agenda.cancel(kind, id)
}

function commitTransition(
  world: World,
  before: AppointmentDraft & Pick<AppointmentRow, 'events'>,
  { to, data = null, fields = {} }: AppointmentStep,
): AppointmentRow {
  const now = toWire(world.clock.now())
  const appointment: AppointmentRow = {
    ...before,
    ...fields,
    status: shownStatus(world, before.type, to),
    event_status: to,
    event_data: data,
    can_reschedule: false,
    events: [...before.events, { created_at: now, status: to, data }],
  }
  world.agenda.record('appointment', { order_id: before.order_id, user_id: before.user_id, status: to })
  return world.db.put(appointments, { ...appointment, can_reschedule: canChangeTime(appointment, to) })
}

/** The live sandbox shows a booked visit as pending. Source: contract/lab-testing.md §13. */
const shownStatus = (world: World, type: AppointmentRow['type'], to: EventStatus) =>
  to === 'scheduled' && type === home.type && feature(world, 'simulation') === 'live'
    ? 'pending'
    : statusOf(to)

function announce(
  world: World,
  { id, user_id, order_id }: AppointmentRow,
  what: 'created' | 'updated',
): void {
  const subject = eventSubject(world, user_id, order_id)
  world.emit(`labtest.appointment.${what}`, subject, world.db.text(appointments, id))
}

export function updateBooking(
  world: World,
  id: string,
  change: Partial<Omit<Booking, 'appointment_id'>>,
): void {
  world.db.put(bookings, { ...world.db.get(bookings, id), ...change })
}

/** Moves an order through those of the statuses that are allowed. */
export function moveAlong(world: World, orderId: string, statuses: readonly LowStatus[]): void {
  for (const to of statuses) {
    const order = getOrder(world, orderId)
    if (canMove(workflowOf(order), statusHistoryOf(order), to)) moveOrder(world, order, { to })
  }
}

/** Whether the requisition does not exist yet. */
export const lacksRequisition = (order: OrderRow): boolean => currentStatusOf(order) === 'ordered'
