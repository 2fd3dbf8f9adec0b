import { feature } from '../../api/features.ts'
import type { Parsed } from '../../api/schema.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, toDate, toWire } from '../../kernel/instant.ts'
import { atLocal, datesBetween, localDate } from '../../kernel/local-day.ts'
import { badRequest, Problem } from '../../kernel/problem.ts'
import { isWorkday } from '../../kernel/workdays.ts'
import type { World } from '../../world/world.ts'
import {
  findSite,
  type OpenHours,
  openHours,
  type SiteNearby,
  sitesNear,
  visitArea,
} from '../areas/service.ts'
import { type PhlebotomyAreaSeed, type PscSiteSeed, pscSiteKey } from '../catalogue/places.ts'
import { home, type Kind, psc, VISIT_HOURS, VISIT_MS } from './kinds.ts'
import type { Availability, UsAddressInput } from './schema.ts'
import { bookings, takenSlots } from './table.ts'

type Answer = Parsed<typeof Availability>
type Address = Parsed<typeof UsAddressInput>
type SlotOffer = Answer['slots'][number]['slots'][number]

/** Source: docs/contract/appointments.md#at-a-site. */
const MAX_SITES = 3
/** The interval at which calendars for `allow_stale` are refreshed. */
const STALE_MS = 5 * MINUTE_MS

const NOT_SERVED = 'No phlebotomy appointments are available for this address'

/** When a phlebotomist can come. Source: docs/contract/appointments.md#at-home. */
export function homeAvailability(world: World, address: Address, start: string | null | undefined): Answer {
  const area = visitArea(world, address.zip_code)
  const calendar = area && servesAtOnce(area, address.first_line) ? homeCalendar(world, area) : undefined
  const first = firstDate(world, calendar?.timeZone ?? 'UTC', start)
  if (!calendar) throw badRequest(NOT_SERVED)
  const offer = offers(world, home)
  const days = daysFrom(calendar, first).map(({ date, slots }) => ({
    date,
    location: null,
    slots: slots.flatMap(offer),
  }))
  return { timezone: calendar.timeZone, slots: days }
}

const servesAtOnce = ({ service_types, street }: PhlebotomyAreaSeed, line: string): boolean =>
  service_types.includes('appointment-ready') &&
  (street === null || line.toLowerCase().includes(street.toLowerCase()))

interface PscSearch {
  readonly lab: string
  readonly siteCodes: readonly string[] | null | undefined
  readonly zip: string | null | undefined
  /** Miles; null if it was sent empty. */
  readonly radius: string | null
  readonly start: string | null | undefined
  /** Whether a calendar may be some minutes old. */
  readonly stale: boolean
}

/** The slots of the requested sites, or of the nearest ones. Source: docs/contract/appointments.md#at-a-site. */
export function pscAvailability(world: World, search: PscSearch): Answer {
  assertSchedulingEnabled(world)
  // With both, the ZIP code wins. Source: docs/contract/phones.md#uploads.
  const sites =
    search.siteCodes?.length && !search.zip
      ? sitesByCode(world, search, search.siteCodes)
      : sitesByZip(world, search)
  const calendars = sites.map((nearby) => ({ ...nearby, calendar: siteCalendar(world, nearby.site) }))
  const firsts = calendars.map(({ calendar }) => firstDate(world, calendar.timeZone, search.start))
  const offer = offers(world, psc, search.stale)
  const days = calendars.flatMap(({ site, distance, calendar }, at) =>
    daysFrom(calendar, firsts[at] ?? '').map((day) => presentDay(day, site, distance, calendar, offer)),
  )
  return { timezone: null, slots: days.sort((a, b) => a.date.localeCompare(b.date)) }
}

export function assertSchedulingEnabled(world: World): void {
  if (!feature(world, 'psc_scheduling')) throw new Problem('unavailable', 'Feature not enabled')
}

interface SiteAsked {
  readonly site: PscSiteSeed
  readonly distance: number | null
}

function sitesByCode(world: World, { lab }: PscSearch, codes: readonly string[]): SiteAsked[] {
  if (codes.length > MAX_SITES) {
    throw badRequest('site_codes must be less than or equal to 3')
  }
  const sites = codes.map((code) => {
    const site = findSite(world, lab, code)
    if (!site) throw badRequest(`Location with site code ${code} not found`)
    if (!site.is_active) {
      throw badRequest(`Location with site code ${code} is no longer active`)
    }
    return { site, distance: null }
  })
  const open = sites.filter(({ site }) => isBookableHere(site))
  if (open.length === 0) {
    throw new Problem('not_found', 'No slots found. Not all PSCs support scheduling through the API.')
  }
  return open
}

/** What a site has whose appointments the service books. */
export const BOOKABLE_HERE = 'appointment_scheduling_via_junction'

export const isBookableHere = ({ capabilities }: PscSiteSeed): boolean => capabilities.includes(BOOKABLE_HERE)

function sitesByZip(world: World, { lab, zip, radius }: PscSearch): SiteNearby[] {
  if (!zip) throw badRequest('site_codes or zip_code must be provided')
  if (!radius) throw badRequest('radius must be provided when using zip_code')
  const sites = sitesNear(world, { lab, zip, radius: Number(radius), capabilities: [BOOKABLE_HERE] })
  if (sites.length === 0) throw new Problem('not_found', 'No slots found for zip code')
  return sites.slice(0, MAX_SITES)
}

function firstDate(world: World, timeZone: string, start: string | null | undefined): string {
  const today = localDate(timeZone, world.clock.now())
  if (start && start < today) {
    throw badRequest('start_date must be greater or equal than the current date')
  }
  return start ?? today
}

/** Turns a slot into an offer; none if it is taken. */
function offers(world: World, kind: Kind, stale = false): (slot: Slot) => SlotOffer[] {
  const keys = keyMaker(world, kind)
  const asOf = stale ? Math.floor(world.clock.now() / STALE_MS) * STALE_MS : undefined
  const expires_at = toWire(keys.expiresAt)
  return (slot) => {
    const left = freePlaces(world, slot, asOf)
    if (left === 0) return []
    return [
      {
        booking_key: keys.make(slot.id),
        start: toWire(slot.startAt),
        end: toWire(slot.endAt),
        expires_at,
        price: slot.price,
        is_priority: slot.isPriority,
        num_appointments_available: left,
      },
    ]
  }
}

function presentDay(
  { date, slots }: SlotDay,
  site: PscSiteSeed,
  distance: number | null,
  { timeZone }: Calendar,
  offer: (slot: Slot) => SlotOffer[],
): Answer['slots'][number] {
  const { site_code: code, name, lng, lat } = site
  const location = {
    code,
    name,
    iana_timezone: timeZone,
    address: siteAddress(site),
    location: { lng, lat },
    distance,
  }
  return { date, location, slots: slots.flatMap(offer) }
}

export const siteAddress = ({ first_line, second_line, city, state, zip_code }: PscSiteSeed) => ({
  first_line,
  second_line,
  city,
  state,
  zip_code,
  country: 'United States',
  unit: null,
  access_notes: null,
})

/** A bookable slot; a function of the seed. Instants in milliseconds since 1970. */
export interface Slot {
  /** The place and the start: `quest/QNY1@1767693600`. */
  readonly id: string
  readonly startAt: number
  readonly endAt: number
  readonly price: number
  readonly isPriority: boolean
  /** The number of appointments it can have. */
  readonly capacity: number
}

interface SlotDay {
  readonly date: string
  readonly slots: readonly Slot[]
}

/** A place with a calendar. */
export interface Calendar {
  readonly timeZone: string
  slotsOf(date: string): readonly Slot[]
}

/** Source: docs/contract/appointments.md. */
const DAYS = 14
const GRID_MS = 20 * MINUTE_MS
const SANDBOX_ZONE = 'America/New_York'

/** US cents. Source: docs/contract/appointments.md#at-home. */
const PRICE = 3500
const PRIORITY_PRICE = 7900
const MAX_AT_ONCE = 3
/** Slots that begin sooner than this cost more. */
const PRIORITY_MS = 2 * DAY_MS

/** Fourteen days from a date on. */
export function daysFrom({ slotsOf }: Calendar, first: string): SlotDay[] {
  const last = toDate(Date.parse(first) + (DAYS - 1) * DAY_MS)
  return [...datesBetween(first, last)].map((date) => ({ date, slots: slotsOf(date) }))
}

/** Source: docs/contract/appointments.md#at-a-site. */
export const zoneOf = (world: World, site: PscSiteSeed): string =>
  feature(world, 'psc_time_zones') ? site.iana_timezone : SANDBOX_ZONE

/**
 * A patient service center. In the sandbox it has mornings, and today from the next full hour to five; elsewhere it is
 * open at its own hours. Source: docs/contract/appointments.md#at-a-site.
 */
export function siteCalendar(world: World, site: PscSiteSeed): Calendar {
  const timeZone = zoneOf(world, site)
  const now = world.clock.now()
  const today = localDate(timeZone, now)
  const hoursOf = (date: string): readonly OpenHours[] =>
    feature(world, 'psc_time_zones') ? openHours(site, date) : date === today ? [[0, 17]] : [[7, 12]]
  return {
    timeZone,
    slotsOf: (date) =>
      hoursOf(date).flatMap(([from, to]) => {
        const opens = Math.max(atLocal(timeZone, date, from), date === today ? nextFullHour(now) : 0)
        const count = Math.max(0, Math.floor((atLocal(timeZone, date, to) - opens) / GRID_MS))
        return Array.from({ length: count }, (_, at) => siteSlot(site, opens + at * GRID_MS))
      }),
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
      (isWorkday(date) ? VISIT_HOURS : [])
        .filter((hour) => isOpen(world, `${zip_code}/${date}/${hour}`))
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
    endAt: startAt + VISIT_MS,
    price: isPriority ? PRIORITY_PRICE : PRICE,
    isPriority,
    capacity: world.random.integer(`home-slots/${id}/capacity`, 1, MAX_AT_ONCE),
  }
}

const slotId = (place: string, startAt: number) => `${place}@${startAt / 1000}`

/** The place of a slot: a site, or an area that phlebotomists serve. */
export type SlotPlace = { readonly site: PscSiteSeed } | { readonly area: PhlebotomyAreaSeed }

export interface ChosenSlot {
  readonly slot: Slot
  readonly place: SlotPlace
}

/** The slot with this id, free or not. */
export function findSlot(world: World, id: string): ChosenSlot | undefined {
  const at = id.lastIndexOf('@')
  const startAt = Number(id.slice(at + 1)) * 1000
  const [lab = '', code = ''] = id.slice(0, at).split('/')
  const site = findSite(world, lab, code)
  if (site) return { slot: siteSlot(site, startAt), place: { site } }
  const area = visitArea(world, id.slice(0, at))
  return area && { slot: homeSlot(world, area, startAt), place: { area } }
}

/** The free places of a slot at an instant. */
export function freePlaces(world: World, { id, capacity }: Slot, asOf = Number.POSITIVE_INFINITY): number {
  const gone = world.db.find(takenSlots, id)
  if (gone && gone.taken_at <= asOf) return 0
  const taken = world.db.by(bookings, 'slot', id).filter(({ taken_at }) => taken_at <= asOf)
  return Math.max(0, capacity - taken.length)
}

/** How long a booking key is valid. Keys are not stored. */
const VALID_MS = 30 * MINUTE_MS

/** Creates the booking keys of one availability request; each request gets new keys. */
function keyMaker(world: World, kind: Kind) {
  const call = world.next('availability').toString(36)
  const expiresAt = world.clock.now() + VALID_MS
  const end = `|${expiresAt.toString(36)}|${call}`
  return {
    expiresAt,
    make(slot: string): string {
      const content = `${kind.name}|${slot}${end}`
      return Buffer.from(`${content}|${seal(world, content)}`).toString('base64url')
    },
  }
}

/** The slot of a booking key; `malformed` if it is not a key, undefined if it is not valid for this kind in this world now. */
export function slotOfKey(world: World, kind: Kind, text: string): ChosenSlot | 'malformed' | undefined {
  const key = readKey(text)
  if (!key) return 'malformed'
  const isValid =
    key.seal === seal(world, key.content) && key.kind === kind.name && key.expiresAt > world.clock.now()
  return isValid ? findSlot(world, key.slot) : undefined
}

function readKey(text: string) {
  const decoded = Buffer.from(text, 'base64url').toString()
  const match = /^((home|psc)\|([^|]+)\|([0-9a-z]+)\|[0-9a-z]+)\|([0-9a-f]{16})$/.exec(decoded)
  if (!match) return undefined
  const [, content = '', kind, slot = '', expires = '', given] = match
  return { content, kind, slot, expiresAt: Number.parseInt(expires, 36), seal: given }
}

/** A check value that binds a key to its world and seed. */
const seal = ({ ids, identity }: World, content: string): string =>
  ids.uuid(`booking-key/${identity.teamId}/${content}`).replaceAll('-', '').slice(0, 16)
