import { fromIso, isCalendarDate } from '../kernel/instant.ts'
import { type ValidationIssue, withError } from './issue.ts'

/** Reads a date field: a date, or a date-time at midnight. Answers `YYYY-MM-DD`. */
export function readDate(input: unknown): string | ValidationIssue {
  if (typeof input === 'number') {
    const instant = ofTimestamp(input)
    const issue = timestampIssue(
      instant,
      'date_from_datetime_parsing',
      'Input should be a valid date or datetime',
    )
    return issue ?? readDate(new Date(instant).toISOString())
  }
  if (typeof input !== 'string') return { type: 'date_type', msg: 'Input should be a valid date' }
  const text = input.trim()
  const reason = dateReason(text)
  if (reason)
    return withError('date_from_datetime_parsing', 'Input should be a valid date or datetime', reason)
  if (text.length === 10) return text
  const instant = fromIso(text)
  if (instant === undefined) {
    return withError(
      'date_from_datetime_parsing',
      'Input should be a valid date or datetime',
      'unexpected extra characters at the end of the input',
    )
  }
  if (!/[Tt ]00:00(:00([.,]0+)?)?(?![\d:.,])/.test(text)) {
    return {
      type: 'date_from_datetime_inexact',
      msg: 'Datetimes provided to dates should have zero time - e.g. be exact dates',
    }
  }
  return text.slice(0, 10)
}

/** Reads a date-time field, or a date as its first instant. Answers milliseconds since 1970. */
export function readDateTime(input: unknown): number | ValidationIssue {
  if (typeof input === 'number') {
    const instant = ofTimestamp(input)
    return timestampIssue(instant, 'datetime_parsing', 'Input should be a valid datetime') ?? instant
  }
  if (typeof input !== 'string') return { type: 'datetime_type', msg: 'Input should be a valid datetime' }
  const text = input.trim()
  const instant = fromIso(text)
  if (instant !== undefined) return instant
  const reason = dateReason(text) ?? 'invalid datetime separator, expected `T`, `t`, `_` or space'
  return withError('datetime_from_date_parsing', 'Input should be a valid datetime or date', reason)
}

/** The milliseconds of a number: it counts seconds, or milliseconds where it is too large for that. */
const ofTimestamp = (input: number): number => (Math.abs(input) <= 2e10 ? input * 1000 : input)

/** The instants that the service's parser takes as numbers, in milliseconds since 1970. */
const [EARLIEST, LATEST] = [Date.UTC(1600, 0, 1), Date.UTC(9999, 11, 31, 23, 59, 59, 999)]

function timestampIssue(instant: number, type: string, msg: string): ValidationIssue | undefined {
  if (instant >= EARLIEST && instant <= LATEST) return undefined
  const bound = instant < EARLIEST ? 'before 1600' : 'after 9999'
  return withError(type, msg, `dates ${bound} are not supported as unix timestamps`)
}

/** Why the first ten characters are no date, in the words of the service's parser. */
function dateReason(text: string): string | undefined {
  if (text.length < 10) return 'input is too short'
  if (!/^\d{4}/.test(text)) return 'invalid character in year'
  if (text[4] !== '-') return 'invalid date separator, expected `-`'
  if (!/^\d\d$/.test(text.slice(5, 7))) return 'invalid character in month'
  if (text[7] !== '-') return 'invalid date separator, expected `-`'
  if (!/^\d\d$/.test(text.slice(8, 10))) return 'invalid character in day'
  const month = Number(text.slice(5, 7))
  if (month < 1 || month > 12) return 'month value is outside expected range of 1-12'
  return isCalendarDate(text.slice(0, 10)) ? undefined : 'day value is outside expected range'
}
