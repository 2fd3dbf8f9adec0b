import { feature } from '../../api/features.ts'
import type { Parsed } from '../../api/schema.ts'
import { MINUTE_MS, toWire } from '../../kernel/instant.ts'
import { localDate } from '../../kernel/local-day.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { findSite, phlebotomyArea, type SiteNearby, sitesNear } from '../areas/service.ts'
import type { PhlebotomyAreaSeed, PscSiteSeed } from '../catalogue/service.ts'
import { keyMaker } from './booking-keys.ts'
import { home, type Kind, psc } from './kinds.ts'
import type { UsAddressInput } from './requests.ts'
import type { Availability } from './schema.ts'
import {
  type Calendar,
  daysFrom,
  freePlaces,
  homeCalendar,
  type Slot,
  type SlotDay,
  siteCalendar,
} from './slots.ts'

type Answer = Parsed<typeof Availability>
type Address = Parsed<typeof UsAddressInput>
type SlotOffer = Answer['slots'][number]['slots'][number]

/** Source: contract/lab-testing.md §14. */
const MAX_SITES = 3
/** The interval at which calendars for `allow_stale` are refreshed. */
const STALE_MS = 5 * MINUTE_MS

const NOT_SERVED = 'No phlebotomy appointments are available for this address'

/** When a phlebotomist can come. Source: contract/lab-testing.md §13. */
export function homeAvailability(world: World, address: Address, start: string | null | undefined): Answer {
  const area = phlebotomyArea(world, address.zip_code)
  const calendar = area && servesAtOnce(area, address.first_line) ? homeCalendar(world, area) : undefined
  const first = firstDate(world, calendar?.timeZone ?? 'UTC', start)
  if (!calendar) throw new Problem('bad_request', NOT_SERVED)
  const offer = offers(world, home)
  const days = daysFrom(calendar, first).map(({ date, slots }) => ({
    date,
    location: null,
    slots: slots.flatMap(offer),
  }))
  return { timezone: calendar.timeZone, slots: days }
}

export const servesAtOnce = ({ service_types, street }: PhlebotomyAreaSeed, line: string): boolean =>
  service_types.includes('appointment-ready') &&
  (street === null || line.toLowerCase().includes(street.toLowerCase()))

export interface PscSearch {
  readonly lab: string
  readonly siteCodes: readonly string[] | null | undefined
  readonly zip: string | null | undefined
  /** Miles; null if it was sent empty. */
  readonly radius: string | null
  readonly start: string | null | undefined
  /** Whether a calendar may be some minutes old. */
  readonly stale: boolean
}

/** The slots of the requested sites, or of the nearest ones. Source: contract/lab-testing.md §14. */
export function pscAvailability(world: World, search: PscSearch): Answer {
  assertSchedulingEnabled(world)
  const sites = search.siteCodes?.length
    ? sitesByCode(world, search, search.siteCodes)
    : sitesByZip(world, search)
  const calendars = sites.map((nearby) => ({ ...nearby, calendar: siteCalendar(world, nearby.site) }))
  const firsts = calendars.map(({ calendar }) => firstDate(world, calendar.timeZone, search.start))
  const offer = offers(world, psc, search.stale)
  const days = calendars.flatMap(({ site, distance, calendar }, at) =>
    daysFrom(calendar, firsts[at] ?? '').map((day) => presentDay(day, site, distance, calendar, offer)),
  )
  return { timezone: null, slots: days.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0)) }
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
    throw new Problem('bad_request', 'site_codes must be less than or equal to 3')
  }
  const sites = codes.map((code) => {
    const site = findSite(world, lab, code)
    if (!site) throw new Problem('bad_request', `Location with site code ${code} not found`)
    if (!site.is_active) {
      throw new Problem('bad_request', `Location with site code ${code} is no longer active`)
    }
    return { site, distance: null }
  })
  const open = sites.filter(({ site }) => isBookableHere(site))
  if (open.length === 0) {
    throw new Problem('not_found', 'No slots found. Not all PSCs support scheduling through the API.')
  }
  return open
}

export const isBookableHere = ({ capabilities }: PscSiteSeed): boolean =>
  capabilities.includes('appointment_scheduling_via_junction')

function sitesByZip(world: World, { lab, zip, radius }: PscSearch): SiteNearby[] {
  if (!zip) throw new Problem('bad_request', 'site_codes or zip_code must be provided')
  if (!radius) throw new Problem('bad_request', 'radius must be provided when using zip_code')
  const capabilities = ['appointment_scheduling_via_junction'] as const
  const sites = sitesNear(world, { lab, zip, radius: Number(radius), capabilities })
  if (sites.length === 0) throw new Problem('not_found', 'No slots found for zip code')
  return sites.slice(0, MAX_SITES)
}

function firstDate(world: World, timeZone: string, start: string | null | undefined): string {
  const today = localDate(timeZone, world.clock.now())
  if (start && start < today) {
    throw new Problem('bad_request', 'start_date must be greater or equal than the current date')
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
