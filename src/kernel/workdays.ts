import { DAY_MS } from './instant.ts'
import { nextDate } from './local-day.ts'

const dayOf = (date: string) => new Date(date)

/** Days of the week, as `Date` counts them. */
const SUNDAY = 0
const MONDAY = 1
const THURSDAY = 4

type FixedDay = readonly [month: number, day: number]
/** The nth such weekday of a month; the last one if `nth` is -1. */
type FloatingDay = readonly [month: number, weekday: number, nth: number]

/** The eleven US federal holidays. Source: 5 U.S.C. 6103. */
const fixedHolidays: readonly FixedDay[] = [
  [1, 1],
  [6, 19],
  [7, 4],
  [11, 11],
  [12, 25],
]
const floatingHolidays: readonly FloatingDay[] = [
  [1, MONDAY, 3],
  [2, MONDAY, 3],
  [5, MONDAY, -1],
  [9, MONDAY, 1],
  [10, MONDAY, 2],
  [11, THURSDAY, 4],
]

export const isSunday = (date: string): boolean => dayOf(date).getUTCDay() === SUNDAY

/** Whether a date is a US federal holiday, or the Monday after one that fell on a Sunday, as couriers observe them. */
export function isHoliday(date: string): boolean {
  const day = dayOf(date)
  const isFixed = (each: Date) =>
    fixedHolidays.some(([month, of]) => each.getUTCMonth() === month - 1 && each.getUTCDate() === of)
  if (isFixed(day)) return true
  const weekday = day.getUTCDay()
  if (weekday === MONDAY && isFixed(new Date(day.getTime() - DAY_MS))) return true
  const isLast = new Date(day.getTime() + 7 * DAY_MS).getUTCMonth() !== day.getUTCMonth()
  const nth = Math.ceil(day.getUTCDate() / 7)
  return floatingHolidays.some(
    ([month, of, which]) =>
      day.getUTCMonth() === month - 1 && weekday === of && (which === -1 ? isLast : which === nth),
  )
}

/** Whether couriers, laboratories and phlebotomists work on a date: Monday to Saturday, but not on holidays. */
export const isWorkday = (date: string): boolean => !isSunday(date) && !isHoliday(date)

/** The next date, from this one on, on which they work. */
export function nextWorkday(date: string): string {
  let day = date
  while (!isWorkday(day)) day = nextDate(day)
  return day
}
