import { fromIso, MINUTE_MS, SECOND_MS } from '../../kernel/instant.ts'
import { isObject, objectIn } from '../../kernel/json.ts'
import type { LowStatus, Method, StatusDetail } from '../../resources/orders/lifecycle.ts'
import type { Interpretation } from '../../resources/orders/schema.ts'
import type { AppointmentWord } from '../appointment-steps.ts'

/** A status that an order had. */
export interface RecordedStatus {
  readonly low: LowStatus
  readonly detail: StatusDetail | undefined
  /** Milliseconds since 1970. */
  readonly at: number
  /** The event of the appointment that brought the order to the status. */
  readonly appointment?: AppointmentWord | undefined
  /** The report of the laboratory that came with it. */
  readonly results?: RecordedResults | undefined
}

/** A report of the laboratory. */
export interface RecordedResults {
  readonly interpretation?: Interpretation
  /** The slugs of missing results; true if only their existence is known. */
  readonly missing?: readonly string[] | true
  /** By slug. */
  readonly values?: Readonly<Record<string, number | string>>
}

/** An event of an appointment. */
export interface RecordedAppointment {
  readonly word: AppointmentWord
  /** Milliseconds since 1970. */
  readonly at: number
}

/** An event of an appointment, as its webhooks show it. */
export interface AppointmentEvent {
  readonly status: keyof typeof effects
  readonly at: number
  readonly origin: string | undefined
  readonly reason: string | undefined
  readonly isReschedule: boolean
}

/** The status that an event brings an order to, at home and at a site. */
const effects = {
  pending: { home: 'appointment_pending', site: 'appointment_pending' },
  reserved: {},
  scheduled: { home: 'appointment_scheduled', site: 'appointment_scheduled' },
  in_progress: {},
  completed: { home: 'draw_completed' },
  cancelled: { home: 'appointment_cancelled', site: 'appointment_cancelled' },
} as const satisfies Record<string, { readonly home?: LowStatus; readonly site?: LowStatus }>

const isEventStatus = (status: unknown): status is AppointmentEvent['status'] =>
  typeof status === 'string' && Object.hasOwn(effects, status)

/** An event in the list of an appointment; undefined if it says no status or no instant. */
export function readAppointmentEvent(event: unknown): AppointmentEvent | undefined {
  if (!isObject(event) || !isEventStatus(event.status)) return undefined
  const at = fromIso(event.created_at)
  if (at === undefined) return undefined
  const data = objectIn(event.data)
  const textOf = (...fields: string[]) =>
    fields.map((field) => data[field]).find((value) => typeof value === 'string') as string | undefined
  return {
    status: event.status,
    at,
    origin: textOf('origin'),
    reason: textOf('cancelation_reason', 'cancellation_reason'),
    isReschedule: data.is_reschedule === true,
  }
}

/** How a scenario says it; undefined for a booking, which a status says. */
function wordOf({ status, origin, reason, isReschedule }: AppointmentEvent): AppointmentWord | undefined {
  if (isReschedule) return 'moved'
  if (status === 'in_progress') return 'start'
  if (status === 'completed') return 'complete'
  if (status !== 'cancelled') return undefined
  if (origin !== 'provider') return 'cancelled_by_patient'
  if (reason === 'slot_no_longer_available') return 'slot_gone'
  return reason === 'no_show' ? 'no_show' : 'cancelled_by_provider'
}

/** The longest time between an event of an appointment and the status that it brought its order to. */
const NEAR_MS = 10 * MINUTE_MS
/** The longest time between the status of an order and the event of the appointment that ended with it. */
const SAME_MS = 2 * SECOND_MS

/** Statuses with which an appointment ends without a cause of its own. */
const endings: readonly LowStatus[] = [
  'draw_completed',
  'partial_results',
  'completed',
  'redraw_available',
  'sample_error',
  'cancelled',
]

/** The statuses of an order with what happened to its appointments; with gaps, those that follow from its appointments. */
export function withAppointments(
  known: readonly RecordedStatus[],
  events: readonly AppointmentEvent[],
  method: Method,
  isWhole: boolean,
): { statuses: RecordedStatus[]; appointments: RecordedAppointment[]; notes: string[] } {
  const statuses = [...known]
  const appointments: RecordedAppointment[] = []
  const notes: string[] = []
  const explained = new Set<RecordedStatus>()
  const explain = (place: number, status: RecordedStatus) => {
    statuses[place] = status
    explained.add(status)
  }
  for (const event of events) {
    const { at } = event
    const word = wordOf(event)
    const low = statusOf(event, method)
    const place = statuses.findIndex(
      (status) => status.low === low && Math.abs(status.at - at) <= NEAR_MS && !explained.has(status),
    )
    const status = statuses[place]
    if (status) explain(place, { ...status, appointment: word })
    else if (low && !isWhole) explain(statuses.length, { low, detail: undefined, at, appointment: word })
    else if (!word || endsWithOrder(word, at, known)) continue
    else if (low)
      notes.push(`Left out ${word} of the appointment, because the order never became ${low} by it.`)
    else appointments.push({ word, at })
  }
  return { statuses: statuses.sort((a, b) => a.at - b.at), appointments, notes }
}

/** The status that an event brings an order to; at a site, moving an appointment changes none. */
function statusOf({ status, isReschedule }: AppointmentEvent, method: Method): LowStatus | undefined {
  const effect: { readonly home?: LowStatus; readonly site?: LowStatus } = effects[status]
  if (method === 'at_home_phlebotomy') return effect.home
  return isReschedule ? undefined : effect.site
}

/** Whether an appointment ended because its order did. */
const endsWithOrder = (word: AppointmentWord, at: number, known: readonly RecordedStatus[]): boolean =>
  word !== 'start' && known.some((one) => endings.includes(one.low) && Math.abs(one.at - at) <= SAME_MS)
