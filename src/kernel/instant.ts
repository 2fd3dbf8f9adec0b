/** Converts between milliseconds since 1970 and the formats on the wire. Source: docs/contract/errors.md#limits-pages-formats. */

export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** The last instant of a world's clock. Later ones are shown as this one, because a year has four digits on the wire. */
export const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59)

/** The latest instant that a `Date` can have; the earliest is as long before 1970. */
export const DATE_LIMIT_MS = 8.64e15

/** In milliseconds since 1970; `until` is excluded. */
export interface TimeRange {
  readonly from: number
  readonly until: number
}

/** The formats of an instant. Cached, because everything created at one moment has the same timestamp. */
class Stamp {
  readonly instant: number
  readonly iso: string
  #wire: string | undefined
  #micros: string | undefined

  constructor(instant: number) {
    this.instant = instant
    this.iso = new Date(Math.min(instant, LATEST)).toISOString()
  }

  get wire(): string {
    this.#wire ??= `${this.iso.slice(0, -5)}+00:00`
    return this.#wire
  }

  get micros(): string {
    this.#micros ??= `${this.iso.slice(0, -1)}000Z`
    return this.#micros
  }
}

let last = new Stamp(0)

function stamp(instant: number): Stamp {
  if (last.instant !== instant) last = new Stamp(instant)
  return last
}

/** `2026-09-26T01:08:18+00:00`: UTC, whole seconds. */
export const toWire = (instant: number): string => stamp(instant).wire

/** `2026-09-26T01:08:18.140000Z`: microseconds, in nested lab fields. */
export const toWireMicros = (instant: number): string => stamp(instant).micros

/** `2026-09-26T01:08:18.140Z`: full precision, for Petri's own API. */
export const toIso = (instant: number): string => stamp(instant).iso

/** The same; null for none, and for an instant that never comes. */
export const isoOrNull = (instant: number | null | undefined): string | null =>
  instant != null && Number.isFinite(instant) ? toIso(instant) : null

/** `2026-09-25T18:08:18-07:00`: whole seconds, with the offset of a place. */
export function toLocalIso(instant: number, offsetSeconds: number): string {
  const minutes = Math.abs(Math.trunc(offsetSeconds / 60))
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60].map((each) => String(each).padStart(2, '0'))
  const local = new Date(Math.min(instant + offsetSeconds * 1000, LATEST)).toISOString().slice(0, -5)
  return `${local}${offsetSeconds < 0 ? '-' : '+'}${hours}:${rest}`
}

/** `2026-09-26`, the UTC date. */
export const toDate = (instant: number): string => stamp(instant).iso.slice(0, -14)

const ISO =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?) ?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/

/** Parses an ISO 8601 date or date-time; without an offset it is UTC. A date alone gets `timeOfDay`. */
export function fromIso(text: unknown, timeOfDay = '00:00:00'): number | undefined {
  const match = typeof text === 'string' && ISO.exec(text.trim())
  if (!match) return undefined
  const [, date = '', time, offset = 'Z'] = match
  const zone = /^[+-]\d{2}$/.test(offset) ? `${offset}:00` : offset.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')
  const instant = Date.parse(`${date}T${(time ?? timeOfDay).replace(',', '.')}${zone.toUpperCase()}`)
  if (Number.isNaN(instant) || !isCalendarDate(date)) return undefined
  return instant
}

/** `1985-06-07T00:00:00+00:00`: a date as a date-time. */
export const atMidnight = (date: string): string => `${date.slice(0, 10)}T00:00:00+00:00`

/** Whether a date of the form `YYYY-MM-DD` exists: `2026-02-30` does not, and is read as a day of March. */
export const isCalendarDate = (date: string): boolean =>
  new Date(`${date}T00:00:00Z`).getUTCDate() === Number(date.slice(8))
