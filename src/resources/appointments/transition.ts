import { feature } from '../../api/features.ts'
import type { JobKinds } from '../../api/resource.ts'
import { recordScenarioTime } from '../../api/scenario-times.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, toWire } from '../../kernel/instant.ts'
import { atLocal, localDate } from '../../kernel/local-day.ts'
import { nextWorkday } from '../../kernel/workdays.ts'
import type { Job } from '../../scheduler/job.ts'
import type { World } from '../../world/world.ts'
import { canMove, type LowStatus } from '../orders/lifecycle.ts'
import { getOrder, moveOrder, setAppointment } from '../orders/service.ts'
import { currentStatusOf, type OrderRow, statusHistoryOf, workflowOf } from '../orders/table.ts'
import { eventSubject } from '../users/service.ts'
import { home, type Kind, psc, VISIT_HOURS, VISIT_MS } from './kinds.ts'
import { canBecome, canChangeTime, isOver, statusOf } from './lifecycle.ts'
import { type AppointmentRow, appointments, type Booking, bookings } from './table.ts'

type EventStatus = AppointmentRow['event_status']

/** An appointment before its first event. */
export type AppointmentDraft = Omit<
  AppointmentRow,
  'status' | 'event_status' | 'event_data' | 'events' | 'can_reschedule'
>

/** The next event of an appointment. */
interface AppointmentStep {
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
type AppointmentJobKind = (typeof jobKinds)[number]

/** The active appointment of an order. */
export function activeAppointment(world: World, { details }: OrderRow): AppointmentRow | undefined {
  if (details.type !== 'at_home_phlebotomy' && details.type !== 'walk_in_test') return undefined
  const id = details.data?.appointment_id
  return id ? world.db.find(appointments, id) : undefined
}

/** Attaches an appointment to its order, moves the order, and announces the appointment. */
export function begin(
  world: World,
  draft: AppointmentDraft,
  statuses: readonly EventStatus[],
  booking: Pick<Booking, 'slot' | 'waits'>,
  orderMoves: readonly LowStatus[] = [],
): AppointmentRow {
  world.db.put(bookings, { appointment_id: draft.id, taken_at: world.clock.now(), ...booking })
  setAppointment(world, draft.order_id, draft.id)
  let events: AppointmentRow['events'] = []
  for (const to of statuses) events = commitTransition(world, { ...draft, events }, { to }).events
  moveAlong(world, draft.order_id, orderMoves)
  const appointment = world.db.get(appointments, draft.id)
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
    setAppointment(world, next.order_id, null)
  }
  announce(world, next, 'updated')
  world.services.scenarios.appointmentChanged(world, next.order_id)
  return next
}

/** Cancels the jobs that wait for this appointment. */
function stopWaiting(world: World, id: string): void {
  for (const kind of jobKinds) world.agenda.cancel(kind, id)
}

function commitTransition(
  world: World,
  before: AppointmentDraft & Pick<AppointmentRow, 'events'>,
  { to, data = null, fields = {} }: AppointmentStep,
): AppointmentRow {
  const now = toWire(world.clock.now())
  const draft = { ...before, ...fields }
  const appointment: AppointmentRow = {
    ...draft,
    status: shownStatus(world, before.provider, to),
    event_status: to,
    event_data: data,
    can_reschedule: canChangeTime(world, draft, to),
    events: [...before.events, { created_at: now, status: to, data }],
  }
  world.agenda.record('appointment', { order_id: before.order_id, user_id: before.user_id, status: to })
  recordScenarioTime(world, appointment)
  return world.db.put(appointments, appointment)
}

const isConfirmedAtOnce = (world: World) => feature(world, 'visit_confirmation') === 'at_once'

/** A visit of Getlabs is shown as pending even when its time is set. Source: docs/contract/appointments.md#at-home. */
const shownStatus = (world: World, provider: AppointmentRow['provider'], to: EventStatus) =>
  to === 'scheduled' && provider === 'getlabs' && !isConfirmedAtOnce(world) ? 'pending' : statusOf(to)

/** The statuses of a new appointment whose time is set. */
export const bookedStatuses = (world: World, kind: Kind): readonly EventStatus[] =>
  kind === home && !isConfirmedAtOnce(world) ? ['pending', 'scheduled'] : ['scheduled']

/** The statuses of an order whose appointment gets its time. */
export const bookedMoves = (world: World, kind: Kind): readonly LowStatus[] =>
  kind === home && isConfirmedAtOnce(world)
    ? ['appointment_scheduled']
    : ['appointment_pending', 'appointment_scheduled']

/** The data of a cancellation; the service spells it with one l. Source: docs/contract/appointments.md#at-home. */
export const cancellationData = (
  origin: 'patient' | 'provider',
  reason: string | null = null,
  notes: string | null = null,
) => ({ origin, cancelation_notes: notes, cancelation_reason: reason })

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

/** Pending confirmations of appointments, and their timeouts. */

type Wait = AppointmentJobKind

/** The time until a provider confirms. */
const CONFIRM_MS: Readonly<Partial<Record<AppointmentRow['provider'], number>>> = {
  quest: 30 * SECOND_MS,
  sonora_quest: 5 * MINUTE_MS,
}
/** Source: docs/contract/appointments.md#at-a-site. */
const REQUISITION_TIMEOUT_MS = 15 * MINUTE_MS
const REQUISITION_MS = 8 * HOUR_MS
const TOO_LATE_MS = 2 * HOUR_MS
/** The time until a phlebotomist chooses a time, and the earliest chosen time after that. */
const CHOOSE_TIME_MS = DAY_MS
const AHEAD_MS = 2 * DAY_MS

interface ConfirmationInput {
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

/** Waits for the requisition, with a deadline. Source: docs/contract/appointments.md#at-a-site. */
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
  world.agenda.schedule({ afterScenarioMs: waitMs, kind, subject })
}

/** Confirms a pending appointment: it becomes scheduled. */
export function confirmTime(world: World, appointment: AppointmentRow): void {
  const fields = confirmedFields(world, appointment)
  if (!applyStep(world, appointment, { to: 'scheduled', fields })) return
  updateBooking(world, appointment.id, { waits: null })
  stopWaiting(world, appointment.id)
}

/** Confirms a pending appointment and moves the order. */
function confirm(world: World, appointment: AppointmentRow): void {
  confirmTime(world, appointment)
  moveAlong(world, appointment.order_id, bookedMoves(world, appointment.type === home.type ? home : psc))
}

/** The fields of a confirmed appointment: a time, and at some providers a confirmation code. */
export function confirmedFields(
  world: World,
  appointment: Pick<AppointmentRow, 'id' | 'provider' | 'start_at' | 'iana_timezone' | 'external_id'>,
): Partial<Pick<AppointmentRow, 'start_at' | 'end_at' | 'external_id'>> {
  return { ...namedTime(world, appointment), ...externalId(world, appointment) }
}

/** Six capital letters at Quest. Source: docs/contract/appointments.md#at-a-site. */
const externalId = (world: World, { id, provider }: Pick<AppointmentRow, 'id' | 'provider'>) =>
  provider === 'quest'
    ? { external_id: world.ids.letters(`appointment/${id}/code`, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 6) }
    : {}

function namedTime(
  world: World,
  { id, start_at, iana_timezone }: Pick<AppointmentRow, 'id' | 'start_at' | 'iana_timezone'>,
) {
  if (start_at !== null) return {}
  const timeZone = iana_timezone ?? 'UTC'
  const date = nextWorkday(localDate(timeZone, world.clock.now() + AHEAD_MS))
  const start = atLocal(
    timeZone,
    date,
    world.random.pick(`appointment/${world.drawKey('appointment', id)}/hour`, VISIT_HOURS),
  )
  return { start_at: toWire(start), end_at: toWire(start + VISIT_MS) }
}

/** Continues an appointment that waited for the requisition. Source: docs/contract/appointments.md#at-a-site. */
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
  const reserved = lacksRequisition(order)
    ? applyStep(world, appointment, { to: 'reserved', fields: namedTime(world, appointment) })
    : undefined
  if (reserved) awaitRequisition(world, reserved, order)
  else confirm(world, appointment)
}

/** A kind of jobs about an appointment. */
const appointmentJob = (does: string, act: (world: World, appointment: AppointmentRow) => void) => ({
  does,
  about: 'appointment' as const,
  run(world: World, { subject }: Job) {
    const appointment = world.db.find(appointments, subject)
    if (appointment) act(world, appointment)
  },
})

const cancelFor = (reason: string) => (world: World, appointment: AppointmentRow) =>
  void applyStep(world, appointment, { to: 'cancelled', data: cancellationData('provider', reason) })

export const appointmentJobs: Readonly<Record<Wait, JobKinds[string]>> = {
  'appointments.confirm': appointmentJob('the provider confirms the appointment', confirm),
  'appointments.give_up': appointmentJob(
    'the unconfirmed booking is given up',
    cancelFor('confirmation_timeout'),
  ),
  'appointments.set_time': appointmentJob('the phlebotomist names a time', setTime),
  'appointments.no_requisition': appointmentJob(
    'the booking is given up without a requisition',
    cancelFor('requisition_timeout'),
  ),
  'appointments.too_late': appointmentJob(
    'the booking is too late without a requisition',
    cancelFor('requisition_timeout'),
  ),
}
