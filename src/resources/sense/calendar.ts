import { clamp } from '../../kernel/compare.ts'
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

const monthsIn = (value: number, unit: 'month' | 'year'): number =>
  clamp(unit === 'month' ? value : value * 12, -MAX_MONTHS, MAX_MONTHS)

/** The beginning of the period that contains an instant. */
export function truncate(at: number, { value, unit }: Period): number {
  if (unit === 'month' || unit === 'year') {
    const months = monthsIn(value, unit)
    return monthStart(Math.floor(monthsOf(at) / months) * months)
  }
  const length = value * lengths[unit]
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
  return { from: within(plus(until, { value: -value, unit })), until: within(until) }
}

/** An instant a period later; by months, on the same day, or on the last of a shorter month. */
export function plus(at: number, { value, unit }: Period): number {
  if (unit !== 'month' && unit !== 'year') return at + value * lengths[unit]
  const there = new Date(at)
  const day = there.getUTCDate()
  there.setUTCMonth(there.getUTCMonth() + monthsIn(value, unit))
  if (there.getUTCDate() !== day) there.setUTCDate(0)
  return there.getTime()
}

const within = (at: number) => clamp(at, EARLIEST, LATEST)

/** The window with all data. */
export const always: Window = { from: EARLIEST, until: LATEST }

/** `2026-01-05T07:10:00`. */
export const floatingText = (at: number): string => new Date(at).toISOString().slice(0, 19)
