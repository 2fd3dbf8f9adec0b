import QuickLRU from 'quick-lru'
import { DAY_MS, MINUTE_MS } from '../kernel/instant.ts'
import { type Journey, localDay, nextDate, offsetSeconds } from '../kernel/local-day.ts'
import { daysBetween } from './dates.ts'

/** Where a person spends which days. */
export interface Whereabouts {
  /** The time zone of a local day. */
  zoneOn(date: string): string
  /** Earliest first. */
  readonly journeys: readonly Journey[]
}

export const stayingIn = (timeZone: string): Whereabouts => ({ zoneOn: () => timeZone, journeys: [] })

/** The clock of a day of a person who may travel. */
export const clockOn = (where: Whereabouts, date: string): DayClock =>
  clockOf(where.zoneOn(date), date, where.zoneOn(nextDate(date)), lagOn(where, date))

/** What a day depends on of a person's whereabouts. */
export function whereaboutsKey(where: Whereabouts, date: string): string {
  const zone = where.zoneOn(date)
  if (where.journeys.length === 0) return zone
  const next = nextDate(date)
  return `${zone}/${where.zoneOn(next)}/${lagOn(where, date)}/${lagOn(where, next)}`
}

/** Minutes by which the body gets nearer to the local clock in a day: 57 to the east, 92 to the west, rounded to an hour. */
const RECOVERED_MINUTES = 60

const lagAfter = (lag: number, days: number): number =>
  Math.sign(lag) * Math.max(0, Math.abs(lag) - RECOVERED_MINUTES * Math.max(0, days))

/** The lag of the body when a day begins. */
function lagOn({ journeys }: Whereabouts, date: string): number {
  if (journeys.length === 0) return 0
  let lag = 0
  let since = date
  for (const { date: arrival, from, to } of journeys) {
    if (arrival > date) break
    const { start } = localDay(to, arrival)
    const shift = (offsetSeconds(to, start) - offsetSeconds(from, start)) / 60
    lag = lagAfter(lag, daysBetween(since, arrival)) + shift
    since = arrival
  }
  return lagAfter(lag, daysBetween(since, date))
}

/** The offsets of one local day, which change at most once. Instants in milliseconds since 1970. */
export interface DayClock {
  readonly date: string
  readonly start: number
  /** The start of the next day. */
  readonly end: number
  /** Seconds ahead of UTC at an instant of the day. */
  offsetAt(instant: number): number
  /** The instant of a local time in minutes after midnight; a skipped one is that after the gap. */
  instantAt(minute: number): number
  /** Minutes by which the body lives later than the clock when the day begins, after a journey; negative if earlier. */
  readonly lagMinutes: number
  /** The hour of the body's own day at an instant, with fraction. */
  bodyHourAt(instant: number): number
}

/** The maximum number of cached days. */
const MAX_KEPT = 64
const kept = new QuickLRU<string, DayClock>({ maxSize: MAX_KEPT })

/** `nextZone` is the time zone of the next day, whose start is the end of this one. */
export function clockOf(timeZone: string, date: string, nextZone = timeZone, lagMinutes = 0): DayClock {
  const key = `${timeZone}/${nextZone}/${date}/${lagMinutes}`
  const known = kept.get(key)
  if (known) return known
  const clock = makeClock(timeZone, date, nextZone, lagMinutes)
  kept.set(key, clock)
  return clock
}

function makeClock(timeZone: string, date: string, nextZone: string, lagMinutes: number): DayClock {
  const { start, end: midnight } = localDay(timeZone, date)
  const end = nextZone === timeZone ? midnight : Math.max(start, localDay(nextZone, nextDate(date)).start)
  const before = offsetSeconds(timeZone, start)
  const after = end > start ? offsetSeconds(timeZone, end - 1) : before
  const change = before === after ? end : changeBetween(timeZone, start, end, before)
  const offsetAt = (instant: number) => (instant < change ? before : after)
  return {
    date,
    start,
    end,
    lagMinutes,
    offsetAt,
    bodyHourAt(instant) {
      const lag = lagAfter(lagMinutes, (instant - start) / DAY_MS)
      const hour = ((instant / 1000 + offsetAt(instant)) / 3600 - lag / 60) % 24
      return hour < 0 ? hour + 24 : hour
    },
    instantAt(minute) {
      const passed = start + minute * MINUTE_MS
      return passed < change ? passed : Math.max(change, passed - (after - before) * 1000)
    },
  }
}

/** The minute at which the offset is no longer `before`. */
function changeBetween(timeZone: string, start: number, end: number, before: number): number {
  let low = 0
  let high = (end - start) / MINUTE_MS
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetSeconds(timeZone, start + middle * MINUTE_MS) === before) low = middle
    else high = middle
  }
  return start + high * MINUTE_MS
}
