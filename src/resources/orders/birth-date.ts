import { field, readDateTime } from '../../api/fields.ts'
import { isValidationIssue, notDate, type ValidationIssue, valueError } from '../../api/issue.ts'
import { byName } from '../../kernel/fields.ts'
import { DAY_MS, isCalendarDate, toDate, toIso, toWire } from '../../kernel/instant.ts'

/** The formats of a patient's date of birth, in the order they are tried. Source: docs/contract/placing.md#orders-for-a-patient. */
// biome-ignore format: a table
const formats = [
  'YYYY-MM-DD', 'YYYY-M-DD', 'YYYY-M-D',
  'YYYY/MM/DD', 'YYYY/M/DD', 'YYYY/M/D',
  'YYYY.MM.DD', 'YYYY.M.DD', 'YYYY.M.D',
  'YYYYMMDD', 'YYYY-DDDD', 'YYYYDDDD',
  'YYYY-MM', 'YYYY/MM', 'YYYY.MM',
  'YYYY', 'W',
]

/** The parts of a format; a `W` is a whole week date. */
const parts = byName<string>({
  YYYY: '(?<year>\\d{4})',
  MM: '(?<month>\\d{2})',
  M: '(?<month>\\d{1,2})',
  DDDD: '(?<dayOfYear>\\d{3})',
  DD: '(?<day>\\d{2})',
  D: '(?<day>\\d{1,2})',
  W: '(?<year>\\d{4})-?W(?<week>\\d{2})-?(?<weekday>\\d)?',
  '.': '\\.',
})

const patterns = formats.map(
  (format) => new RegExp(`^${format.replace(/Y+|M+|D+|W|\./g, (part) => parts[part] ?? part)}$`),
)

/** A patient's date of birth, in the formats and with the messages of orders; parsed to `YYYY-MM-DD`. */
export const birthDate = () => field({ type: 'string', format: 'date' }, readBirthDate)

function readBirthDate(input: unknown): string | ValidationIssue {
  if (typeof input === 'object') return valueError('date of birth is not specified.')
  if (typeof input === 'number') return ofTimestamp(input)
  if (typeof input !== 'string') return notDate
  const text = input.trim()
  const separator = text.search(/[Tt ]\d/)
  const date = readDay(separator === -1 ? text : text.slice(0, separator)) ?? noFormat(input)
  if (separator === -1 || isValidationIssue(date)) return date
  const time = text.slice(separator + 1)
  const moment = readDateTime(`${date}T${time}`)
  if (isValidationIssue(moment)) return noFormat(input)
  return MIDNIGHT.test(time) ? date : inexact(`${toIso(moment).slice(0, -1)}000+00:00`)
}

/** Midnight in any zone. */
const MIDNIGHT = /^00:?00(:?00([.,]0+)?)?(?![\d:.,])/

function ofTimestamp(input: number): string | ValidationIssue {
  const moment = readDateTime(input)
  if (isValidationIssue(moment)) return moment
  return moment % DAY_MS === 0 ? toDate(moment) : inexact(toWire(moment))
}

/** The error shows the moment that was read. */
const inexact = (input: string): ValidationIssue => ({
  type: 'date_from_datetime_inexact',
  msg: 'Datetimes provided to dates should have zero time - e.g. be exact dates',
  input,
})

const noFormat = (input: string): ValidationIssue =>
  valueError(`Could not match input '${input}' to any of the following formats: ${formats.join(', ')}.`)

/** The date of a text; undefined in none of the formats. */
function readDay(text: string): string | ValidationIssue | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(text)?.groups
    if (!found) continue
    const { year = '', month = '01', day = '01', dayOfYear, week, weekday = '1' } = found
    if (dayOfYear !== undefined) return nthDay(year, Number(dayOfYear))
    if (week !== undefined) return dateOfWeek(year, Number(week), Number(weekday))
    return dateOf(year, Number(month), Number(day))
  }
  return undefined
}

function dateOf(year: string, month: number, day: number): string | ValidationIssue {
  if (Number(year) < 1) return valueError(`year must be in 1..9999, not ${Number(year)}`)
  if (month < 1 || month > 12) return valueError(`month must be in 1..12, not ${month}`)
  const at = (dayOfMonth: number) => `${year}-${twoDigits(month)}-${twoDigits(dayOfMonth)}`
  if (isCalendarDate(at(day))) return at(day)
  const last = [31, 30, 29].find((dayOfMonth) => isCalendarDate(at(dayOfMonth))) ?? 28
  return valueError(`day ${day} must be in range 1..${last} for month ${month} in year ${Number(year)}`)
}

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** The date so many days after another. */
const daysAfter = (date: string, days: number) => toDate(Date.parse(date) + days * DAY_MS)

function nthDay(year: string, nth: number): string | ValidationIssue {
  const date = daysAfter(`${year}-01-01`, nth - 1)
  return date.startsWith(year) ? date : valueError(`The provided day of year '${nth}' is invalid.`)
}

/** A date of the ISO calendar, whose first week has the fourth of January. */
function dateOfWeek(year: string, week: number, weekday: number): string | ValidationIssue {
  if (week < 1 || week > 53) return valueError('ISO Calendar week value must be between 1-53.')
  if (weekday < 1 || weekday > 7) return valueError('ISO Calendar day value must be between 1-7')
  const fourth = `${year}-01-04`
  const weekdayOfFourth = new Date(fourth).getUTCDay() || 7
  return daysAfter(fourth, (week - 1) * 7 + weekday - weekdayOfFourth)
}
