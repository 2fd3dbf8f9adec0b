import { feature } from '../../api/features.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/instant.ts'
import { localDate, nextDate, offsetSeconds } from '../../kernel/local-day.ts'
import type { World } from '../../world/world.ts'
import { findSite } from '../areas/service.ts'
import { type PhlebotomyAreaSeed, type PscSiteSeed, pscSiteKey } from '../catalogue/service.ts'
import { bookings, takenSlots } from './table.ts'

/** A bookable slot; a function of the seed. Instants in milliseconds since 1970. */
export interface Slot {
  /** The place and the start: `quest/23070@1767693600`. */
  readonly id: string
  readonly startAt: number
  readonly endAt: number
  readonly price: number
  readonly isPriority: boolean
  /** The number of appointments it can have. */
  readonly capacity: number
}

export interface SlotDay {
  readonly date: string
  readonly slots: readonly Slot[]
}

/** A place with a calendar. */
export interface Calendar {
  readonly timeZone: string
  slotsOf(date: string): readonly Slot[]
}

/** Source: contract/README.md #48. */
const DAYS = 14
const GRID_MS = 20 * MINUTE_MS
const SANDBOX_ZONE = 'America/New_York'

/** Two-hour windows begin at these hours. */
const WINDOWS = [7, 9, 11, 13, 15] as const
const WINDOW_MS = 2 * HOUR_MS
/** US cents. Source: contract/lab-testing.md §13. */
const PRICE = 3500
const PRIORITY_PRICE = 7900
const MAX_AT_ONCE = 3
/** Slots that begin sooner than this cost more. */
const PRIORITY_MS = 2 * DAY_MS

/** Fourteen days from a date on. */
export function daysFrom({ slotsOf }: Calendar, first: string): SlotDay[] {
  const days: SlotDay[] = []
  for (let date = first; days.length < DAYS; date = nextDate(date)) days.push({ date, slots: slotsOf(date) })
  return days
}

/** Source: contract/lab-testing.md §14. */
export const zoneOf = (world: World, site: PscSiteSeed): string =>
  feature(world, 'psc_time_zones') ? site.iana_timezone : SANDBOX_ZONE

/** A patient service center: mornings, and today from the next full hour to five. Source: contract/lab-testing.md §14. */
export function siteCalendar(world: World, site: PscSiteSeed): Calendar {
  const timeZone = zoneOf(world, site)
  const now = world.clock.now()
  const today = localDate(timeZone, now)
  return {
    timeZone,
    slotsOf(date) {
      if (date < today) return []
      const four = atLocal(timeZone, date, 16)
      const [opens, closes] =
        date === today
          ? [now < four ? nextFullHour(now) : four, now < four ? four + HOUR_MS : four]
          : [atLocal(timeZone, date, 7), atLocal(timeZone, date, 12)]
      const count = Math.floor((closes - opens) / GRID_MS)
      return Array.from({ length: count }, (_, at) => siteSlot(site, opens + at * GRID_MS))
    },
  }
}

const siteSlot = (site: PscSiteSeed, startAt: number): Slot => ({
  id: slotId(pscSiteKey(site), startAt),
  startAt,
  endAt: startAt + GRID_MS,
  price: 0,
  isPriority: true,
  capacity: 1,
})

const nextFullHour = (instant: number) => (Math.floor(instant / HOUR_MS) + 1) * HOUR_MS

/** The calendar of a phlebotomist; the windows of a day depend on the seed. */
export function homeCalendar(world: World, area: PhlebotomyAreaSeed): Calendar {
  const { zip_code, iana_timezone: timeZone } = area
  const now = world.clock.now()
  return {
    timeZone,
    slotsOf: (date) =>
      WINDOWS.filter((hour) => isOpen(world, `${zip_code}/${date}/${hour}`))
        .map((hour) => homeSlot(world, area, atLocal(timeZone, date, hour)))
        .filter(({ startAt }) => startAt > now),
  }
}

/** The share of open windows. */
const isOpen = ({ random }: World, window: string) => random.noise(`home-slots/${window}`) < 0.8

function homeSlot(world: World, { zip_code }: PhlebotomyAreaSeed, startAt: number): Slot {
  const id = slotId(zip_code, startAt)
  const isPriority = startAt - world.clock.now() < PRIORITY_MS
  return {
    id,
    startAt,
    endAt: startAt + WINDOW_MS,
    price: isPriority ? PRIORITY_PRICE : PRICE,
    isPriority,
    capacity: world.random.integer(`home-slots/${id}/capacity`, 1, MAX_AT_ONCE),
  }
}

const slotId = (place: string, startAt: number) => `${place}@${startAt / 1000}`

/** The place of a slot: a site, or an area that phlebotomists serve. */
export type SlotPlace = { readonly site: PscSiteSeed } | { readonly area: PhlebotomyAreaSeed }

/** The slot with this id, free or not. */
export function findSlot(world: World, id: string): { slot: Slot; place: SlotPlace } | undefined {
  const { catalogue } = world.parts
  const at = id.lastIndexOf('@')
  const startAt = Number(id.slice(at + 1)) * 1000
  const [lab = '', code = ''] = id.slice(0, at).split('/')
  const site = findSite(world, lab, code)
  if (site) return { slot: siteSlot(site, startAt), place: { site } }
  const area = catalogue.phlebotomyAreas().get(id.slice(0, at))
  return area && { slot: homeSlot(world, area, startAt), place: { area } }
}

/** The free places of a slot at an instant. */
export function freePlaces(world: World, { id, capacity }: Slot, asOf = Number.POSITIVE_INFINITY): number {
  const gone = world.db.find(takenSlots, id)
  if (gone && gone.taken_at <= asOf) return 0
  const taken = world.db.by(bookings, 'slot', id).filter(({ taken_at }) => taken_at <= asOf)
  return Math.max(0, capacity - taken.length)
}

/** The instant of an hour of a local date. */
function atLocal(timeZone: string, date: string, hour: number): number {
  const naive = Date.parse(`${date}T00:00:00Z`) + hour * HOUR_MS
  const guess = naive - offsetSeconds(timeZone, naive) * 1000
  return naive - offsetSeconds(timeZone, guess) * 1000
}
