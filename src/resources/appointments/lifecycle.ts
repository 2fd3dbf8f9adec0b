/** The lifecycle of an appointment. Source: docs/contract/appointments.md#states. */

import { feature } from '../../api/features.ts'
import type { World } from '../../world/world.ts'
import type { AppointmentRow } from './table.ts'

type Event = AppointmentRow['event_status']

const moves: Readonly<Record<Event, readonly Event[]>> = {
  pending: ['scheduled', 'cancelled', 'reserved'],
  // An appointment that waits for the requisition can be rescheduled.
  reserved: ['scheduled', 'cancelled', 'reserved'],
  scheduled: ['scheduled', 'in_progress', 'cancelled', 'completed'],
  in_progress: ['completed', 'cancelled'],
  completed: [],
  cancelled: [],
}

export const canBecome = ({ event_status }: AppointmentRow, to: Event): boolean =>
  moves[event_status].includes(to)

export const isOver = ({ event_status }: AppointmentRow): boolean => moves[event_status].length === 0

/** Source: docs/contract/appointments.md#at-a-site. */
export const statusOf = (event: Event): AppointmentRow['status'] =>
  event === 'scheduled' ? 'confirmed' : event

type Place = Pick<AppointmentRow, 'provider' | 'address'>

/** Whether the laboratory keeps the calendar of a site alone: it confirms later, and nothing can be changed through the API. */
export const isScheduledByLab = (world: World, { provider, address }: Place): boolean =>
  provider === 'sonora_quest' ||
  (provider === 'quest' && address.state === 'AZ' && feature(world, 'arizona_scheduling') === 'by_laboratory')

/** Providers that let a time be changed through the API. */
const changeable: ReadonlySet<AppointmentRow['provider']> = new Set(['getlabs', 'quest'])

/** Whether the patient can choose another time. */
export const canChangeTime = (
  world: World,
  place: Place & Pick<AppointmentRow, 'start_at'>,
  event: Event,
): boolean =>
  changeable.has(place.provider) &&
  !isScheduledByLab(world, place) &&
  place.start_at !== null &&
  (event === 'scheduled' || event === 'reserved')
