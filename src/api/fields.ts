import codes from 'i18n-iso-countries/codes.json' with { type: 'json' }
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' }
import * as z from 'zod'
import { withoutUndefined } from '../kernel/fields.ts'
import { fromIso, isCalendarDate } from '../kernel/instant.ts'
import type { JsonObject } from '../kernel/json.ts'
import { isTimeZone } from '../kernel/local-day.ts'
import { once } from '../kernel/once.ts'
import { hyphenated, isCanonicalUuid } from '../kernel/uuid.ts'
import {
  isValidationIssue,
  missing,
  notDate,
  notText,
  tooGreat,
  tooLongText,
  tooShortText,
  tooSmall,
  type ValidationIssue,
  valueError,
  withError,
  wrongChoice,
} from './issue.ts'

const GROUPS = [8, 4, 4, 4, 12]

/** Why a text is not a UUID, in the words of the service's parser; undefined if it is one. */
function uuidIssue(text: string): ValidationIssue | undefined {
  if (isCanonicalUuid(text)) return undefined
  const bare = text.replace(/^urn:uuid:/i, '').replace(/^\{(.*)\}$/, '$1')
  const bad = bare.search(/[^0-9a-fA-F-]/)
  if (bad !== -1) {
    return parsing(
      `invalid character: expected an optional prefix of \`urn:uuid:\` followed by [0-9a-fA-F-], found \`${bare[bad]}\` at ${bad + 1}`,
    )
  }
  const groups = bare.split('-')
  if (groups.length === 1) {
    return bare.length === 32
      ? undefined
      : parsing(`invalid length: expected length 32 for simple format, found ${bare.length}`)
  }
  if (groups.length !== 5) return parsing(`invalid group count: expected 5, found ${groups.length}`)
  const wrong = groups.findIndex((group, at) => group.length !== GROUPS[at])
  if (wrong === -1) return undefined
  return parsing(
    `invalid group length in group ${wrong}: expected ${GROUPS[wrong]}, found ${groups[wrong]?.length}`,
  )
}

const parsing = (error: string): ValidationIssue =>
  withError('uuid_parsing', 'Input should be a valid UUID', error)

/** The same for routes whose validation error is a plain text. */
function goUuidIssue(parameter: string, value: string): ValidationIssue | undefined {
  if (!uuidIssue(value)) return undefined
  const detail = `Invalid format for parameter ${parameter}: error unmarshaling '${value}' text as *uuid.UUID: invalid UUID length: ${value.length}`
  return { type: 'value_error', msg: detail, detail }
}

/** Reads a date field: a date, or a date-time at midnight. Returns `YYYY-MM-DD`. */
function readDate(input: unknown): string | ValidationIssue {
  if (typeof input === 'number') {
    const instant = ofTimestamp(input)
    const issue = timestampIssue(
      instant,
      'date_from_datetime_parsing',
      'Input should be a valid date or datetime',
    )
    return issue ?? readDate(new Date(instant).toISOString())
  }
  if (typeof input !== 'string') return notDate
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

/** Reads a date-time field, or a date as its first instant. Returns milliseconds since 1970. */
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

/** Milliseconds from seconds, or from milliseconds if the number is too large for seconds. */
const ofTimestamp = (input: number): number => (Math.abs(input) <= 2e10 ? input * 1000 : input)

/** The range of numbers that the service's parser accepts as instants, in milliseconds since 1970. */
const EARLIEST = Date.UTC(1600, 0, 1)
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

function timestampIssue(instant: number, type: string, msg: string): ValidationIssue | undefined {
  if (instant >= EARLIEST && instant <= LATEST) return undefined
  const bound = instant < EARLIEST ? 'before 1600' : 'after 9999'
  return withError(type, msg, `dates ${bound} are not supported as unix timestamps`)
}

/** Why the first ten characters are not a date, in the words of the service's parser. */
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

/** Two-letter codes of the states and the federal district. */
export const usStates: ReadonlySet<string> = new Set(
  (
    'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR ' +
    'PA PR RI SC SD TN TX UT VT VA WA WV WI WY'
  ).split(' '),
)

/** The JSON schema of a field in the OpenAPI document. */
type Shape = JsonObject

/**
 * A field with its own parser and the messages of the service (pydantic v2). `Input` is what clients should send; the parser
 * may accept more. Source: docs/contract/errors.md#errors.
 */
export function field<Output, Input = Output>(
  shape: Shape,
  read: (input: unknown) => Output | ValidationIssue,
): z.ZodType<Output, Input> {
  return z
    .any()
    .transform((input: unknown, ctx): Output => {
      const value = input === undefined ? missing : read(input)
      if (!isValidationIssue(value)) return value
      ctx.issues.push({ code: 'custom', input, message: value.msg, params: { ...value } })
      return z.NEVER
    })
    .meta(shape)
}

/** A field whose value must be a string. */
export const textual = <Value>(
  shape: Shape,
  wrongType: ValidationIssue,
  read: (text: string) => Value | ValidationIssue,
) =>
  field<Value, string>({ type: 'string', ...shape }, (input) =>
    typeof input === 'string' ? read(input) : wrongType,
  )

export const uuid = () =>
  textual(
    { format: 'uuid' },
    { type: 'uuid_type', msg: 'UUID input should be a string, bytes or UUID object' },
    (text) => uuidIssue(text) ?? canonical(text),
  )

/** A UUID in the path of routes whose validation error is a plain text. */
export const goUuid = (parameter: string) =>
  textual({ format: 'uuid' }, notText, (text) => goUuidIssue(parameter, text) ?? canonical(text))

function canonical(text: string): string {
  if (isCanonicalUuid(text)) return text
  const hex = text
    .replace(/^urn:uuid:/i, '')
    .replace(/[{}-]/g, '')
    .toLowerCase()
  return hyphenated(hex)
}

/** A calendar date; parsed to `YYYY-MM-DD`. */
export const date = () => field({ type: 'string', format: 'date' }, readDate)

/** A date-time or date; parsed to milliseconds since 1970. */
export const dateTime = () => field<number, string>({ type: 'string', format: 'date-time' }, readDateTime)

/** A date or date-time declared as plain text; parsed to milliseconds. A date alone gets `timeOfDay`. */
export const instantText = (name: string, timeOfDay: '00:00:00' | '23:59:59') =>
  textual({}, notText, (text): number | ValidationIssue => {
    // The iOS SDK writes dates with slashes.
    const instant = fromIso(text.replace(/^(\d{4})\/(\d\d)\/(\d\d)$/, '$1-$2-$3'), timeOfDay)
    return instant ?? { ...valueError(`Invalid ${name}`), detail: `Invalid ${name}: ${text}` }
  })

interface Bounds {
  readonly ge?: number
  readonly le?: number
}

const { MIN_SAFE_INTEGER, MAX_SAFE_INTEGER } = Number

export const integer = (bounds: Bounds = {}) =>
  field({ type: 'integer', ...limits(bounds) }, (input) => {
    const value = typeof input === 'string' && /^\s*[+-]?\d+(\.0*)?\s*$/.test(input) ? Number(input) : input
    if (typeof value === 'boolean') return Number(value)
    if (typeof value === 'string') {
      return {
        type: 'int_parsing',
        msg: 'Input should be a valid integer, unable to parse string as an integer',
      }
    }
    if (typeof value !== 'number') return { type: 'int_type', msg: 'Input should be a valid integer' }
    if (!Number.isInteger(value)) {
      return {
        type: 'int_from_float',
        msg: 'Input should be a valid integer, got a number with a fractional part',
      }
    }
    // Larger ones are not exact, and would be written as 1e+22.
    return outOfBounds(value, { ge: MIN_SAFE_INTEGER, le: MAX_SAFE_INTEGER, ...bounds }) ?? value
  })

export const number = (bounds: Bounds = {}) =>
  field({ type: 'number', ...limits(bounds) }, (input) => {
    const value = typeof input === 'string' && input.trim() !== '' ? Number(input) : input
    if (typeof value === 'boolean') return Number(value)
    if (typeof value === 'string' || Number.isNaN(value)) {
      return {
        type: 'float_parsing',
        msg: 'Input should be a valid number, unable to parse string as a number',
      }
    }
    if (typeof value !== 'number') return { type: 'float_type', msg: 'Input should be a valid number' }
    return outOfBounds(value, bounds) ?? value
  })

const limits = ({ ge, le }: Bounds) =>
  withoutUndefined({
    minimum: ge,
    maximum: le,
  })

function outOfBounds(value: number, { ge, le }: Bounds): ValidationIssue | undefined {
  if (ge !== undefined && value < ge) return tooSmall(ge)
  return le !== undefined && value > le ? tooGreat(le) : undefined
}

const truths = new Map<unknown, boolean>([
  ...[true, 1, '1', 'true', 't', 'yes', 'y', 'on'].map((word) => [word, true] as const),
  ...[false, 0, '0', 'false', 'f', 'no', 'n', 'off'].map((word) => [word, false] as const),
])

export const boolean = () =>
  field({ type: 'boolean' }, (input): boolean | ValidationIssue => {
    const value = truths.get(typeof input === 'string' ? input.toLowerCase() : input)
    if (value !== undefined) return value
    return typeof input === 'string' || typeof input === 'number'
      ? { type: 'bool_parsing', msg: 'Input should be a valid boolean, unable to interpret input' }
      : { type: 'bool_type', msg: 'Input should be a valid boolean' }
  })

interface ChoiceOptions<Value> {
  /** Ignores case. */
  readonly fold?: boolean
  /** Other accepted values, and what they mean. */
  readonly also?: Readonly<Record<string, Value>>
  /** The error for null, if it is one of its own. */
  readonly ifNull?: ValidationIssue
}

/** One of a closed list. Returns the listed spelling. */
export const oneOf = <const Values extends readonly string[]>(
  values: Values,
  { fold = false, also = {}, ifNull }: ChoiceOptions<Values[number]> = {},
) =>
  field({ type: 'string', enum: values }, (input): Values[number] | ValidationIssue => {
    if (input === null && ifNull) return ifNull
    const key = fold && typeof input === 'string' ? input.toLowerCase() : input
    const value = values.find((known) => known === key || (fold && known.toLowerCase() === key))
    return (
      value ??
      (typeof key === 'string' && Object.hasOwn(also, key) ? also[key] : undefined) ??
      wrongChoice(values)
    )
  })

const emailIssue = (reason: string): ValidationIssue => ({
  type: 'value_error',
  msg: `value is not a valid email address: ${reason}`,
  ctx: { reason },
})

export const email = () =>
  textual({ format: 'email' }, notText, (text) => {
    const address = text.trim()
    const at = address.lastIndexOf('@')
    const domain = address.slice(at + 1).toLowerCase()
    if (at === -1) return emailIssue('An email address must have an @-sign.')
    if (at === 0) return emailIssue('There must be something before the @-sign.')
    if (domain === '') return emailIssue('There must be something after the @-sign.')
    if (!/^[^\s.]+(\.[^\s.]+)+$/.test(domain)) {
      return emailIssue('The part after the @-sign is not valid. It should have a period.')
    }
    return /^[^\s@"(),:;<>[\\\]]+$/.test(address.slice(0, at))
      ? `${address.slice(0, at)}@${domain}`
      : emailIssue('The email address contains invalid characters before the @-sign.')
  })

/** A phone number in international form, with a leading plus. */
export const phone = () =>
  field({ type: 'string' }, (input) => {
    if (input === null) return valueError('Phone number cannot be None')
    if (typeof input !== 'string') return notText
    const compact = input.trim().replace(/[\s().-]/g, '')
    return /^\+[1-9]\d{6,14}$/.test(compact) ? compact : valueError(`Invalid phone number: ${input}`)
  })

export const usState = () =>
  textual({}, notText, (text) => {
    const code = text.trim()
    return usStates.has(code) ? code : valueError(`Invalid state: ${text}`)
  })

const letters = (text = '') => text.toUpperCase().replaceAll('.', '').trim()

/** The codes of two and three letters, and the English names, of all countries. Source: ISO 3166-1. */
const countries = once(() => {
  const two = codes.map(([code]) => code)
  const three = codes.map(([, code]) => code)
  return new Set([...two, ...three, ...Object.values(english.countries).flat()].map(letters))
})

/** Whether a text is the code or the English name of a country. */
const isCountry = (text: string): boolean => countries().has(letters(text))

/** A country by its two-letter code; three letters and English names are taken as well, as programs send them. */
export const country = () =>
  textual({}, notText, (text) => (isCountry(text) ? text.trim() : valueError(`Invalid country: ${text}`)))

/** A ZIP code of five or nine digits. */
export const zipCode = () =>
  textual({ pattern: '^\\d{5}(-\\d{4})?$' }, notText, (text) =>
    /^\d{5}(-\d{4})?$/.test(text) ? text : valueError(`Invalid zip code: ${text}`),
  )

const NAME = /^([a-zA-Z0-9]{1})([a-zA-Z0-9-.,']*(\s[a-zA-Z0-9-.,']+)*[a-zA-Z0-9-.,']?)$/
const NAME_RULE =
  'The field must start with a letter (a-z or A-Z or 0-9) and can only contain -,. special characters, but cannot start with a space or hyphen.'

/** A patient's first or last name, as laboratories accept it. */
export const personName = () =>
  textual({ minLength: 1, maxLength: 50 }, notText, (text) => {
    const name = text.trim()
    if (name.length < 1) return tooShortText(1)
    if (name.length > 50) return tooLongText(50)
    return NAME.test(name) ? name : valueError(NAME_RULE)
  })

/** An IANA time zone. */
export const timeZone = () =>
  textual({}, notText, (text) => (isTimeZone(text) ? text : valueError(`Invalid IANA time zone: ${text}`)))

export const text = () => z.string()
/** Text, trimmed. */
export const trimmed = () => z.string().trim()

/** A required field that may be null. */
export const nullable = <Schema extends z.ZodType>(inner: Schema) =>
  describedNullable(inner, inner.nullable())
/** A field that may be omitted or null; parsed to null in both cases. */
export const orNull = <Schema extends z.ZodType>(inner: Schema) =>
  describedNullable(inner, inner.nullable().default(null as never))
/** A field that may be omitted or null; an omitted one stays undefined. */
export const maybe = <Schema extends z.ZodType>(inner: Schema) => describedNullable(inner, inner.nullish())

/** An object with keys from a closed list. */
export const mapOf = <Value extends z.ZodType>(keys: readonly string[], value: Value) =>
  z
    .record(z.string(), value)
    .superRefine((entries, ctx) => {
      for (const key of Object.keys(entries)) {
        if (keys.includes(key)) continue
        const { msg, ...params } = wrongChoice(keys)
        ctx.addIssue({ code: 'custom', path: [key, '[key]'], message: msg, params: { msg, ...params } })
      }
    })
    .meta({ propertyNames: { enum: [...keys] } })

/** Repeats the type that `field` declared, with null added, because the OpenAPI writer cannot see it in a transform. */
function describedNullable<Outer extends z.ZodType>(inner: z.ZodType, outer: Outer): Outer {
  const { type, enum: values, ...shape } = (inner.meta() ?? {}) as Shape
  const choices = Array.isArray(values) && { enum: [...values, null] }
  return typeof type === 'string' ? outer.meta({ ...shape, type: [type, 'null'], ...choices }) : outer
}
