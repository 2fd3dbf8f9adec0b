import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './instant.ts'

/** The form of times and durations for people, the same in the terminal and on the page. */

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `5 Jan`, UTC. */
export function readableDay(instant: string): string {
  const at = new Date(instant)
  return `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]}`
}

/** `09:00:00`, UTC. */
export const readableTime = (instant: string): string => new Date(instant).toISOString().slice(11, 19)

/** `5 Jan 2026`, UTC. */
export const readableDate = (instant: string): string =>
  `${readableDay(instant)} ${new Date(instant).getUTCFullYear()}`

/** `5 Jan 2026 09:00:00`, UTC. */
export const readableInstant = (instant: string): string =>
  `${readableDate(instant)} ${readableTime(instant)}`

/** `5 Jan 09:00`, UTC, where the year is known from what stands around it; seconds only if there are some. */
export const shortInstant = (instant: string): string =>
  `${readableDay(instant)} ${readableTime(instant).replace(/:00$/, '')}`

const units = [
  ['d', DAY_MS],
  ['h', HOUR_MS],
  ['min', MINUTE_MS],
  ['s', SECOND_MS],
  ['ms', 1],
] as const

/** The largest unit of a duration and the next smaller one: `3 d 4 h`, but `5 d` for five days and a second. */
export function readableDuration(durationMs: number): string {
  const first = units.findIndex(([, size]) => durationMs >= size)
  let rest = durationMs
  const parts = units.slice(Math.max(0, first), first + 2).map(([unit, size]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count > 0 ? `${count} ${unit}` : ''
  })
  return parts.join(' ').trim() || '0 s'
}

/** A duration to the second. */
export const roughly = (ms: number): string => readableDuration(Math.round(ms / SECOND_MS) * SECOND_MS)

/** `1 message`, `2 messages`. */
export const plural = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : nouns}`
