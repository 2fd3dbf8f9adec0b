import { MINUTE_MS } from '../../../kernel/instant.ts'
import { localDay, nextDate, offsetSeconds } from '../../../kernel/local-day.ts'

/** What the clocks show during one local day, where they change at most once. Instants in milliseconds since 1970. */
export interface DayClock {
  readonly date: string
  readonly start: number
  /** Where the next day starts. */
  readonly end: number
  /** Seconds ahead of UTC at an instant of the day. */
  offsetAt(instant: number): number
  /** When the clocks show so many minutes after midnight; what is left out comes after the gap. */
  instantAt(minute: number): number
}

/** Days asked for of late; a page of a year goes through them one by one. */
const MAX_KEPT = 64
const kept = new Map<string, DayClock>()

/** `nextZone` is where the next day is spent; it ends this one. */
export function clockOf(timeZone: string, date: string, nextZone = timeZone): DayClock {
  const key = `${timeZone}/${nextZone}/${date}`
  const known = kept.get(key)
  if (known) return known
  const oldest = kept.size < MAX_KEPT ? undefined : kept.keys().next().value
  if (oldest !== undefined) kept.delete(oldest)
  const clock = makeClock(timeZone, date, nextZone)
  kept.set(key, clock)
  return clock
}

function makeClock(timeZone: string, date: string, nextZone: string): DayClock {
  const { start, end: midnight } = localDay(timeZone, date)
  const end = nextZone === timeZone ? midnight : Math.max(start, localDay(nextZone, nextDate(date)).start)
  const before = offsetSeconds(timeZone, start)
  const after = end > start ? offsetSeconds(timeZone, end - 1) : before
  const change = before === after ? end : changeBetween(timeZone, start, end, before)
  return {
    date,
    start,
    end,
    offsetAt: (instant) => (instant < change ? before : after),
    instantAt(minute) {
      const passed = start + minute * MINUTE_MS
      return passed < change ? passed : Math.max(change, passed - (after - before) * 1000)
    },
  }
}

/** The minute at which the clocks no longer stand as they did `before`. */
function changeBetween(timeZone: string, start: number, end: number, before: number): number {
  let [low, high] = [0, (end - start) / MINUTE_MS]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetSeconds(timeZone, start + middle * MINUTE_MS) === before) low = middle
    else high = middle
  }
  return start + high * MINUTE_MS
}
