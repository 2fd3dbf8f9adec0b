/** Pending confirmations of appointments, and their timeouts. */

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, toWire } from '../../kernel/instant.ts'
import type { Job } from '../../scheduler/job.ts'
import type { World } from '../../world/world.ts'
import { getOrder } from '../orders/service.ts'
import type { OrderRow } from '../orders/table.ts'
import {
  type AppointmentJobKind,
  applyStep,
  kindOfAppointment,
  lacksRequisition,
  moveAlong,
  stopWaiting,
  updateBooking,
} from './course.ts'
import { isOver } from './lifecycle.ts'
import { type AppointmentRow, appointments, bookings } from './table.ts'

type Wait = AppointmentJobKind

/** The time until a provider confirms. */
const CONFIRM_MS: Readonly<Partial<Record<AppointmentRow['provider'], number>>> = {
  quest: 30 * SECOND_MS,
  sonora_quest: 5 * MINUTE_MS,
}
/** Source: contract/lab-testing.md §14. */
const REQUISITION_TIMEOUT_MS = 15 * MINUTE_MS
const REQUISITION_MS = 8 * HOUR_MS
const TOO_LATE_MS = 2 * HOUR_MS
/** The time until a phlebotomist chooses a time, and the earliest chosen time after that. */
const CHOOSE_TIME_MS = DAY_MS
const AHEAD_MS = 2 * DAY_MS
const VISIT_MS = 2 * HOUR_MS

export interface ConfirmationInput {
  /** Milliseconds after which an unconfirmed booking is given up. */
  readonly timeoutMs: number | null
  /** Whether the provider never answers. */
  readonly silent: boolean
}

/** Waits for the provider's confirmation. */
export function awaitProvider(
  world: World,
  { id, provider }: AppointmentRow,
  input: ConfirmationInput,
): void {
  const timeoutMs = input.timeoutMs ?? REQUISITION_TIMEOUT_MS
  const answerMs = Math.min(CONFIRM_MS[provider] ?? 0, timeoutMs / 2)
  if (!input.silent) wait(world, 'appointments.confirm', id, answerMs)
  wait(world, 'appointments.give_up', id, timeoutMs)
}

/** Waits for the requisition, with a deadline. Source: contract/lab-testing.md §14. */
export function awaitRequisition(world: World, { id, start_at }: AppointmentRow, order: OrderRow): void {
  const ageMs = world.clock.now() - Date.parse(order.created_at)
  if (order.activate_by === null) {
    wait(world, 'appointments.no_requisition', id, Math.max(0, REQUISITION_MS - ageMs))
  }
  if (start_at === null) return
  const due = Math.max(world.clock.now(), Date.parse(start_at) - TOO_LATE_MS)
  world.agenda.schedule({ due, kind: 'appointments.too_late' satisfies Wait, subject: id })
}

/** Waits for the phlebotomist to choose a time. */
export const awaitTime = (world: World, { id }: AppointmentRow): void =>
  wait(world, 'appointments.set_time', id, CHOOSE_TIME_MS)

function wait(world: World, kind: Wait, subject: string, waitMs: number): void {
  world.agenda.schedule({ due: world.clock.now() + world.paced(waitMs), kind, subject, paced: true })
}

/** Confirms a pending appointment: it becomes scheduled. */
export function confirmTime(world: World, appointment: AppointmentRow): AppointmentRow | undefined {
  const confirmed = applyStep(world, appointment, {
    to: 'scheduled',
    fields: confirmedFields(world, appointment),
  })
  if (confirmed) settle(world, confirmed.id)
  return confirmed
}

/** Confirms a pending appointment and moves the order. */
export function confirm(world: World, appointment: AppointmentRow): AppointmentRow | undefined {
  const confirmed = confirmTime(world, appointment)
  if (confirmed) moveAlong(world, confirmed.order_id, kindOfAppointment(confirmed).orderMoves)
  return confirmed
}

/** Cancels the jobs that wait for this appointment. */
function settle(world: World, id: string): void {
  updateBooking(world, id, { waits: null })
  stopWaiting(world, id)
}

/** The fields of a confirmed appointment: a time, and at some providers a confirmation code. */
export function confirmedFields(
  world: World,
  appointment: Pick<AppointmentRow, 'id' | 'provider' | 'start_at' | 'external_id'>,
): Partial<Pick<AppointmentRow, 'start_at' | 'end_at' | 'external_id'>> {
  return { ...namedTime(world, appointment), ...externalId(world, appointment) }
}

/** Six capital letters at Quest. Source: contract/lab-testing.md §14. */
const externalId = (world: World, { id, provider }: Pick<AppointmentRow, 'id' | 'provider'>) =>
  provider === 'quest'
    ? { external_id: world.random.letters(`appointment/${id}/code`, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 6) }
    : {}

function namedTime(world: World, { start_at }: Pick<AppointmentRow, 'start_at'>) {
  if (start_at !== null) return {}
  const start = Math.ceil((world.clock.now() + AHEAD_MS) / HOUR_MS) * HOUR_MS
  return { start_at: toWire(start), end_at: toWire(start + VISIT_MS) }
}

/** Continues an appointment that waited for the requisition. Source: contract/lab-testing.md §14. */
export function requisitionCame(world: World, appointment: AppointmentRow): void {
  if (world.db.get(bookings, appointment.id).waits !== 'requisition') return
  if (appointment.event_status === 'reserved') confirm(world, appointment)
  else {
    world.agenda.cancel('appointments.no_requisition', appointment.id)
    updateBooking(world, appointment.id, { waits: 'time' })
    moveAlong(world, appointment.order_id, ['appointment_pending'])
  }
}

/** The phlebotomist chooses a time; before the requisition exists it is only reserved. */
function setTime(world: World, appointment: AppointmentRow): void {
  const order = getOrder(world, appointment.order_id)
  if (!lacksRequisition(order)) {
    confirm(world, appointment)
    return
  }
  const reserved = applyStep(world, appointment, { to: 'reserved', fields: namedTime(world, appointment) })
  if (reserved) awaitRequisition(world, reserved, order)
}

const cancelled = (reason: string) => ({ to: 'cancelled', data: { origin: 'provider', reason } }) as const

const whenDue: Readonly<Record<Wait, (world: World, appointment: AppointmentRow) => void>> = {
  'appointments.confirm': (world, appointment) => void confirm(world, appointment),
  'appointments.give_up': (world, appointment) =>
    void applyStep(world, appointment, cancelled('confirmation_timeout')),
  'appointments.set_time': setTime,
  'appointments.no_requisition': (world, appointment) =>
    void applyStep(world, appointment, cancelled('requisition_timeout')),
  'appointments.too_late': (world, appointment) =>
    void applyStep(world, appointment, cancelled('requisition_timeout')),
}

export const appointmentJobs = Object.fromEntries(
  Object.entries(whenDue).map(([kind, act]) => [
    kind,
    (world: World, { subject }: Job) => {
      const appointment = world.db.find(appointments, subject)
      if (appointment && !isOver(appointment)) act(world, appointment)
    },
  ]),
)
