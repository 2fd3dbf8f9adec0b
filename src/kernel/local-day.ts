import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, toDate } from './instant.ts'
import { remembered } from './kept.ts'
import { smallest } from './list.ts'

/** A calendar day in a time zone: 23, 24 or 25 hours. Instants in milliseconds since 1970. */
export interface LocalDay {
  readonly date: string
  readonly start: number
  /** The start of the next day. */
  readonly end: number
}

/** Seconds by which a zone is ahead of UTC at an instant. */
export function offsetSeconds(timeZone: string, instant: number): number {
  if (timeZone === 'UTC') return 0
  return offsetsOf(timeZone)(Math.floor(instant / DAY_MS)) ?? readOffset(timeZone, instant)
}

/** The offset on each day of UTC; null on a day on which the clocks are changed. */
const offsetsOf = remembered(64, (timeZone: string) =>
  remembered(1024, (day: number): number | null => {
    const start = readOffset(timeZone, day * DAY_MS)
    return start === readOffset(timeZone, (day + 1) * DAY_MS) ? start : null
  }),
)

function readOffset(timeZone: string, instant: number): number {
  const whole = Math.floor(instant / 1000) * 1000
  const parts: Record<string, number> = {}
  for (const { type, value } of formatterOf(timeZone).formatToParts(whole)) parts[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return (Date.UTC(year, month - 1, day, hour, minute, second) - whole) / 1000
}

/** The local date at an instant. */
export const localDate = (timeZone: string, instant: number): string =>
  toDate(instant + offsetSeconds(timeZone, instant) * 1000)

/** The local hour and minute at an instant. */
export function localTime(timeZone: string, instant: number): readonly [hour: number, minute: number] {
  const minutes = Math.floor((instant + offsetSeconds(timeZone, instant) * 1000) / MINUTE_MS)
  return [Math.floor(minutes / 60) % 24, minutes % 60]
}

export function localDay(timeZone: string, date: string): LocalDay {
  return { date, start: startOf(timeZone, date), end: startOf(timeZone, nextDate(date)) }
}

export const nextDate = (date: string): string => toDate(Date.parse(date) + DAY_MS)

/** The dates from the first to the last, both included. */
export function* datesBetween(first: string, last: string): Generator<string> {
  const end = Date.parse(last)
  for (let at = Date.parse(first); at <= end; at += DAY_MS) yield toDate(at)
}

/** The instant of an hour of a local date. */
export function atLocal(timeZone: string, date: string, hour: number): number {
  const naive = Date.parse(date) + Math.round((hour * HOUR_MS) / SECOND_MS) * SECOND_MS
  const guess = naive - offsetSeconds(timeZone, naive) * 1000
  return naive - offsetSeconds(timeZone, guess) * 1000
}

/** The first instant of a date; clocks may be changed at midnight or on an adjacent day. */
function startOf(timeZone: string, date: string): number {
  const midnight = Date.parse(date)
  const candidates = [-36 * HOUR_MS, 36 * HOUR_MS]
    .map((away) => midnight - offsetSeconds(timeZone, midnight + away) * 1000)
    .filter((instant) => localDate(timeZone, instant) === date)
  // A zone that crosses the date line skips a day.
  return candidates.length === 0 ? startOf(timeZone, nextDate(date)) : smallest(candidates)
}

const formatterOf = remembered(
  256,
  (timeZone: string) =>
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }),
)

/** Whether a name is an IANA time zone. */
export const isTimeZone = remembered(256, (name: string): boolean => {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
})
