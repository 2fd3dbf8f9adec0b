import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/instant.ts'
import type { Unit } from './vocabulary.ts'

// All functions use floating time: local time as milliseconds since 1970, without a zone.

/** A number of units of time. */
export interface Period {
  readonly value: number
  readonly unit: Unit
}

/** A period in floating time; `until` is excluded. */
export interface Window {
  readonly from: number
  readonly until: number
}

/** The first Monday of 1970; weeks begin on Mondays. */
const FIRST_MONDAY = 4 * DAY_MS

/** The earliest and latest instant of data. */
const EARLIEST = Date.UTC(1900, 0, 1)
const LATEST = Date.UTC(9990, 0, 1)

const lengths = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS } as const

/** Longer periods count as this long, which is longer than all data. */
const MAX_MONTHS = 10_000 * 12
const MAX_MS = 10_000 * 366 * DAY_MS

const monthsIn = (value: number, unit: 'month' | 'year'): number =>
  Math.min(MAX_MONTHS, unit === 'month' ? value : value * 12)
const msIn = (value: number, unit: keyof typeof lengths): number => Math.min(MAX_MS, value * lengths[unit])

/** The beginning of the period that contains an instant. */
export function truncate(at: number, { value, unit }: Period): number {
  if (unit === 'month' || unit === 'year') {
    const months = monthsIn(value, unit)
    return monthStart(Math.floor(monthsOf(at) / months) * months)
  }
  const length = msIn(value, unit)
  const origin = unit === 'week' ? FIRST_MONDAY : 0
  return Math.floor((at - origin) / length) * length + origin
}

const monthsOf = (at: number) => new Date(at).getUTCFullYear() * 12 + new Date(at).getUTCMonth()

function monthStart(months: number): number {
  const year = Math.floor(months / 12)
  return new Date(0).setUTCFullYear(year, months - year * 12, 1)
}

/** The period that ends with a date, which is included. */
export function windowUntil(anchor: string, { value, unit }: Period): Window {
  const until = Date.parse(anchor) + DAY_MS
  const from =
    unit === 'month' || unit === 'year'
      ? monthsBefore(until, monthsIn(value, unit))
      : until - msIn(value, unit)
  return { from: within(from), until: within(until) }
}

/** The same day of an earlier month, or its last where it is shorter. */
function monthsBefore(at: number, months: number): number {
  const first = monthsOf(at) - months
  const day = new Date(at).getUTCDate()
  const daysThere = Math.round((monthStart(first + 1) - monthStart(first)) / DAY_MS)
  return monthStart(first) + (Math.min(day, daysThere) - 1) * DAY_MS
}

const within = (at: number) => Math.min(LATEST, Math.max(EARLIEST, at))

/** The window with all data. */
export const always: Window = { from: EARLIEST, until: LATEST }

/** `2026-01-05T07:10:00`. */
export const floatingText = (at: number): string => new Date(at).toISOString().slice(0, 19)
