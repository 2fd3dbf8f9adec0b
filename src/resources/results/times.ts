import { DAY_MS, HOUR_MS, MINUTE_MS, type TimeRange } from '../../kernel/instant.ts'
import { atLocal, localDate } from '../../kernel/local-day.ts'
import { isWorkday } from '../../kernel/workdays.ts'
import { daysLater } from '../../people/dates.ts'
import type { World } from '../../world/world.ts'
import { appointments } from '../appointments/table.ts'
import { hoursNear, type OpenHours } from '../areas/service.ts'
import { zoneOfZip } from '../catalogue/homes.ts'
import type { AnalyteSeed } from '../catalogue/schema.ts'
import { turnaroundHours } from '../catalogue/service.ts'
import { hasReport, type LowStatus } from '../orders/lifecycle.ts'
import { labOf, lowStatusOf, methodOf, type OrderRow, orderMetadata } from '../orders/table.ts'

/** When and where a sample was drawn, and what the laboratory did when. Instants in milliseconds since 1970. */
export interface SampleTimes {
  /** The time zone where it was drawn. */
  readonly zone: string
  readonly collectedAt: number
  readonly receivedAt: number
  /** When the laboratory released the current report. */
  readonly reportedAt: number
  /** When the laboratory had a result of the report of an instant in wire format. */
  resultAt(analyte: AnalyteSeed, markerId: number, reportAt: string): number
}

interface Event {
  readonly at: number
  readonly low: LowStatus
}

type Chance = (what: string) => number

/**
 * The times of a sample. The service has statuses; a laboratory prints when it did what. A status says when a visit was
 * over and when a kit arrived. All other times lie between the statuses of the order, in this order: a function of the
 * seed and the order, the same in each later report.
 */
export function timesOf(world: World, order: OrderRow): SampleTimes {
  const key = `times/${world.drawKey('order', order.id)}`
  const chance: Chance = (what) => world.random.noise(`${key}/${what}`)
  const zone = zoneOf(world, order)
  const events = order.events.map((event) => ({
    at: Date.parse(event.created_at),
    low: lowStatusOf(event),
  }))
  const reports = events.filter(({ low }) => hasReport(low))
  const until = reports[0]?.at ?? events.at(-1)?.at ?? 0
  const collectedAt = collected(world, order, { events, zone, until, chance })
  const receivedAt = received(order, { events, collectedAt, until, chance })
  const windows = windowsOf(reports, { receivedAt, zone, chance })
  return {
    zone,
    collectedAt,
    receivedAt,
    reportedAt: windows.get(reports.at(-1)?.at ?? until)?.until ?? until,
    resultAt: (analyte, markerId, reportAt) => {
      const hours = turnaroundOf(world, analyte)
      const { from, until: to } = windows.get(Date.parse(reportAt)) ?? { from: receivedAt, until }
      const usual = receivedAt + hours * HOUR_MS * (0.8 + 0.4 * chance(`marker/${markerId}`))
      if (usual > from && usual < to) return Math.round(usual)
      return Math.round(from + (to - from) * (0.1 + 0.85 * (hours / (hours + DAY_HOURS))))
    },
  }
}

const DAY_HOURS = 24
const HOUR_MINUTES = 60

/** Hours from the receipt of a sample to the result of an analyte. */
export const turnaroundOf = (world: World, analyte: AnalyteSeed): number =>
  turnaroundHours(world.services.catalogue.turnarounds(), analyte)

/** Where the sample was drawn: at the site of the appointment, or where the patient lives. */
function zoneOf(world: World, order: OrderRow): string {
  return appointmentOf(world, order)?.iana_timezone ?? zoneOfZip(order.patient_address?.zip ?? '')
}

function appointmentOf(world: World, { details: { data } }: OrderRow) {
  const id = data && 'appointment_id' in data ? data.appointment_id : null
  return id === null ? undefined : world.db.find(appointments, id)
}

interface Visit {
  readonly events: readonly Event[]
  readonly zone: string
  /** The first report. */
  readonly until: number
  readonly chance: Chance
}

/** The local hours at which samples are taken with a kit, before breakfast, and by a phlebotomist. */
const MORNING = [6.5, 9.5] as const
const VISITS = [7, 15.5] as const
/** From a draw to the laboratory: a courier comes in the evening, a parcel takes days. */
const transportHours = { testkit: [40, 70], site: [5, 13] } as const
/** From the arrival to the first report, where no status says more. */
const ANALYSIS_HOURS = [9, 20] as const
const between = ([low, high]: readonly [number, number], share: number) => low + (high - low) * share

const kindOf = (order: OrderRow) => (methodOf(order) === 'testkit' ? 'testkit' : 'site')

const isParcel = ({ low }: Event) => low === 'transit_lab' || low === 'delivered_to_lab'

/** When the sample was taken: at the visit, in open hours before a status says so, or at a usual hour of the last day that leaves enough time. */
function collected(world: World, order: OrderRow, visit: Visit): number {
  const { events, zone, until, chance } = visit
  const isBack = (event: Event) => isParcel(event) || hasReport(event.low)
  const drawn = events.find(({ low }) => low === 'draw_completed')
  const sentAt = (drawn ?? events.find(isBack))?.at ?? until
  const isBefore = (event: Event) => event.at <= sentAt && event !== drawn && !isBack(event)
  const from = events.findLast(isBefore)?.at ?? sentAt
  const start = Date.parse(appointmentOf(world, order)?.start_at ?? '')
  const atVisit = start + between([3, 15], chance('visit')) * MINUTE_MS
  if (atVisit > from && atVisit < sentAt) return Math.round(atVisit)
  if (!drawn) return Math.round(atUsualHour(world, order, visit, { from, sentAt }))
  const inside = ([first, last]: Window) =>
    last === drawn.at ? last : between([first, last], chance('hour'))
  return Math.round(lastOpen(hoursOf(world, order), zone, { from, end: drawn.at }, inside) ?? drawn.at)
}

/** At the hour that the order names, or at any open one, on the last day before the sample was sent that leaves the laboratory enough time. */
function atUsualHour(
  world: World,
  order: OrderRow,
  visit: Visit,
  { from, sentAt }: { readonly from: number; readonly sentAt: number },
): number {
  const { zone, chance } = visit
  const hoursOn = hoursOf(world, order)
  const minute = world.db.find(orderMetadata, order.id)?.draw?.minute
  const atUsual = (window: Window, date: string, back: number) =>
    minute === undefined
      ? between(window, chance(`hour/${back}`))
      : atLocal(zone, date, minute / HOUR_MINUTES)
  // A patient goes to a site in the days after the requisition, also where the laboratory is slow.
  const latest = visit.events.some(isParcel)
    ? sentAt
    : Math.min(from + DRAWN_WITHIN_DAYS * DAY_MS, latestForReport(order, visit))
  return (
    lastOpen(hoursOn, zone, { from, end: latest }, atUsual) ??
    // A sample that was drawn shortly before its report has been analysed faster than usual.
    lastOpen(hoursOn, zone, { from, end: sentAt - LEAST_HOURS * HOUR_MS }, atUsual) ??
    from + (sentAt - from) * (0.1 + 0.2 * chance('hour'))
  )
}

/** The last instant that leaves enough time for transport and analysis before the report. */
function latestForReport(order: OrderRow, { zone, until, chance }: Visit): number {
  const needed =
    between(transportHours[kindOf(order)], chance('transport')) + between(ANALYSIS_HOURS, chance('analysis'))
  // What is reported on a Sunday or a holiday was released on the day before.
  const rest = isWorkday(localDate(zone, until)) ? 0 : 18
  return until - (needed + rest) * HOUR_MS
}

type Window = readonly [first: number, last: number]

/** An instant in the last open hours between two instants, where `choose` gives one; undefined if none are open. */
function lastOpen(
  hoursOn: (date: string) => readonly OpenHours[],
  zone: string,
  { from, end }: { readonly from: number; readonly end: number },
  choose: (window: Window, date: string, back: number) => number,
): number | undefined {
  for (let back = 0; back <= MOST_DAYS_BACK; back++) {
    const date = daysLater(localDate(zone, end), -back)
    if (date < localDate(zone, from)) break
    for (const [opens, closes] of hoursOn(date)) {
      const first = Math.max(from, atLocal(zone, date, opens))
      const last = Math.min(end, atLocal(zone, date, closes))
      const at = choose([first, last], date, back)
      if (first < last && at > from && at <= end) return at
    }
  }
  return undefined
}

const DRAWN_WITHIN_DAYS = 7
/** From a draw to its report. */
const LEAST_HOURS = 4
const MOST_DAYS_BACK = 4

/** The hours of a date at which the sample of an order is taken: at home, at the nearest open site, or by a phlebotomist. */
function hoursOf(world: World, order: OrderRow): (date: string) => readonly OpenHours[] {
  if (kindOf(order) === 'testkit') return () => [MORNING]
  const search = { lab: labOf(order), zip: order.patient_address?.zip ?? '', radius: NEAR_MILES }
  const ofSites = methodOf(order) === 'walk_in_test' ? hoursNear(world, search, MAX_SITES) : () => undefined
  return (date) => (isWorkday(date) ? (ofSites(date) ?? [VISITS]) : [])
}

/** How far, and to how many closed sites, a patient goes. */
const MAX_SITES = 10
const NEAR_MILES = 25

function received(
  order: OrderRow,
  { events, collectedAt, until, chance }: Omit<Visit, 'zone'> & { readonly collectedAt: number },
): number {
  const delivered = events.find(({ low }) => low === 'delivered_to_lab')
  if (delivered) return delivered.at
  const transport = between(transportHours[kindOf(order)], chance('transport')) * HOUR_MS
  const share = 0.3 + 0.2 * chance('arrival')
  return Math.round(collectedAt + Math.min(transport, (until - collectedAt) * share))
}

/** Minutes from a release to the report of the service. */
const PASSED_ON_MINUTES = [2, 50] as const
const SATURDAY_HOURS = [14, 20] as const

/**
 * When the laboratory had the results of each report, by its instant; `until` is their release. What is passed on on a Sunday
 * was released on the day before, if it can. A correction is passed on when it is made.
 */
function windowsOf(
  reports: readonly Event[],
  { receivedAt, zone, chance }: Pick<Visit, 'zone' | 'chance'> & { readonly receivedAt: number },
): Map<number, TimeRange> {
  const windows = new Map<number, TimeRange>()
  let from = receivedAt
  for (const [nth, { at, low }] of reports.entries()) {
    if (low === 'corrected' && nth > 0) {
      windows.set(at, { from: at, until: at })
      from = at
      continue
    }
    const delay = between(PASSED_ON_MINUTES, chance(`release/${nth}`)) * MINUTE_MS
    const usual = at - Math.min(delay, (at - from) / 8)
    const date = localDate(zone, usual)
    const saturday = atLocal(zone, daysLater(date, -1), between(SATURDAY_HOURS, chance(`saturday/${nth}`)))
    const until = Math.round(!isWorkday(date) && saturday > from + DAY_MS / 8 ? saturday : usual)
    windows.set(at, { from, until })
    from = until
  }
  return windows
}
