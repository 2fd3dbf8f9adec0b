import { DAY_MS, toDate } from '../kernel/instant.ts'

/** Days since 1970 of a date, `YYYY-MM-DD`. */
export function dayNumber(date: string): number {
  const known = dayNumbers.get(date)
  if (known !== undefined) return known
  if (dayNumbers.size >= MAX_DAY_NUMBERS) dayNumbers.clear()
  const number = Math.floor(Date.parse(date) / DAY_MS)
  dayNumbers.set(date, number)
  return number
}

/** Dates are parsed some twenty times for each day of a person. */
const dayNumbers = new Map<string, number>()
const MAX_DAY_NUMBERS = 4000

export function dateOfDay(day: number): string {
  const known = dates.get(day)
  if (known !== undefined) return known
  if (dates.size >= MAX_DAY_NUMBERS) dates.clear()
  const date = toDate(day * DAY_MS)
  dates.set(day, date)
  return date
}

const dates = new Map<number, string>()

export const daysLater = (date: string, days: number): string => dateOfDay(dayNumber(date) + days)

export const daysBetween = (from: string, until: string): number => dayNumber(until) - dayNumber(from)

export const YEAR_DAYS = 365.25

/** Age in years from which people are adults. */
export const ADULT = 18

/** The most days, cycles or blocks of days that a cache of people has. */
export const MAX_KEPT = 64

/** Years from a date to a later one, with fraction. */
export const yearsBetweenDates = (from: string, until: string): number => daysBetween(from, until) / YEAR_DAYS

/** Whole years from a date of birth to a day, `YYYY-MM-DD`; a time after either counts for nothing. */
export function yearsBetween(dob: string, day: string): number {
  const years = Number(day.slice(0, 4)) - Number(dob.slice(0, 4))
  return Math.max(0, day.slice(5, 10) < dob.slice(5, 10) ? years - 1 : years)
}

/** 1 in the middle of January, -1 in the middle of July. */
export function seasonOf(date: string): number {
  const day = daysBetween(`${date.slice(0, 4)}-01-15`, date)
  return Math.cos((day / YEAR_DAYS) * 2 * Math.PI)
}

/** Saturday and Sunday, by days since 1970; a night belongs to the day on which it ends. */
export const isWeekend = (day: number): boolean => (day + 3) % 7 >= 5
