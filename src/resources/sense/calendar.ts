import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/instant.ts'
import type { DatePart, Unit } from './vocabulary.ts'

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

/** The user's time zone by provider. */
export type Zones = (provider: string) => string

const WEEK_MS = 7 * DAY_MS
/** The first Monday of 1970; weeks begin on Mondays. */
const FIRST_MONDAY = 4 * DAY_MS

/** The earliest and latest instant of data. */
const EARLIEST = Date.UTC(1900, 0, 1)
const LATEST = Date.UTC(9990, 0, 1)

const lengths = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS, week: WEEK_MS } as const

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

/** The instant one period later, or earlier with -1. */
export function addPeriod(at: number, { value, unit }: Period, sign: 1 | -1): number {
  if (unit !== 'month' && unit !== 'year') return at + sign * msIn(value, unit)
  const months = sign * monthsIn(value, unit)
  return monthStart(monthsOf(at) + months) + (at - monthStart(monthsOf(at)))
}

const monthsOf = (at: number) => new Date(at).getUTCFullYear() * 12 + new Date(at).getUTCMonth()

function monthStart(months: number): number {
  const year = Math.floor(months / 12)
  return new Date(0).setUTCFullYear(year, months - year * 12, 1)
}

/** A part of a date or time as a number. Days of the week count from Monday (1) to Sunday (7). */
export function partOf(at: number, part: DatePart): number {
  const date = new Date(at)
  switch (part) {
    case 'minute':
      return date.getUTCMinutes()
    case 'hour':
      return date.getUTCHours()
    case 'day':
      return date.getUTCDate()
    case 'month':
      return date.getUTCMonth() + 1
    case 'year':
      return date.getUTCFullYear()
    case 'weekday':
      return date.getUTCDay() || 7
    case 'day_of_year':
      return Math.floor((at - startOfYear(at)) / DAY_MS) + 1
    default:
      return weekOfYear(at)
  }
}

const startOfYear = (at: number) => truncate(at, { value: 1, unit: 'year' })

/** By ISO 8601: a week belongs to the year its Thursday is in. */
function weekOfYear(at: number): number {
  const thursday = truncate(at, { value: 1, unit: 'week' }) + 3 * DAY_MS
  return Math.floor((thursday - startOfYear(thursday)) / WEEK_MS) + 1
}

/** The period that ends with a date, which is included. */
export function windowUntil(anchor: string, { value, unit }: Period): Window {
  const until = Date.parse(`${anchor}T00:00:00Z`) + DAY_MS
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
