import { MINUTE_MS } from '../kernel/instant.ts'
import { remembered } from '../kernel/kept.ts'
import { localDay, nextDate, offsetSeconds } from '../kernel/local-day.ts'
import { MAX_KEPT } from './dates.ts'

/** The time zone of a local day of a person who may travel. */
export type ZoneOn = (date: string) => string

/** The clock of a day of a person who may travel. */
export const clockOn = (zoneOn: ZoneOn, date: string): DayClock =>
  clockOf(zoneOn(date), date, zoneOn(nextDate(date)))

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
  /** The local hour at an instant, with fraction. */
  hourAt(instant: number): number
}

/** `nextZone` is the time zone of the next day, whose start is the end of this one. */
export const clockOf = remembered(
  MAX_KEPT,
  makeClock,
  (timeZone, date, nextZone = timeZone) => `${timeZone}/${nextZone}/${date}`,
)

function makeClock(timeZone: string, date: string, nextZone = timeZone): DayClock {
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
    offsetAt,
    hourAt: (instant) => ((instant / 1000 + offsetAt(instant)) / 3600) % 24,
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
