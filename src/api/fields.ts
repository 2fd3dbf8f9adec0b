import * as z from 'zod'
import { fromIso } from '../kernel/instant.ts'
import { isTimeZone } from '../kernel/local-day.ts'
import { readDate, readDateTime } from './dates.ts'
import { isValidationIssue, missing, type ValidationIssue, valueError, wrongChoice } from './issue.ts'
import { usStates } from './us-states.ts'
import { goUuidIssue, isUsualUuid, uuidIssue } from './uuid.ts'

/** How a field looks in the OpenAPI document. */
type Shape = Readonly<Record<string, unknown>>

/** A field read by Petri's own code, with the messages of the service (pydantic v2). Source: contract/errors-and-auth.md §4. */
export function field<Value>(shape: Shape, read: (input: unknown) => Value | ValidationIssue) {
  return z
    .any()
    .transform((input: unknown, ctx): Value => {
      const value = input === undefined ? missing : read(input)
      if (!isValidationIssue(value)) return value
      ctx.issues.push({ code: 'custom', input, message: value.msg, params: { ...value } })
      return z.NEVER
    })
    .meta(shape)
}

/** A field that is a string first of all. */
const textual = <Value>(
  shape: Shape,
  wrongType: ValidationIssue,
  read: (text: string) => Value | ValidationIssue,
) => field({ type: 'string', ...shape }, (input) => (typeof input === 'string' ? read(input) : wrongType))

const notText: ValidationIssue = { type: 'string_type', msg: 'Input should be a valid string' }

export const uuid = () =>
  textual(
    { format: 'uuid' },
    { type: 'uuid_type', msg: 'UUID input should be a string, bytes or UUID object' },
    (text) => uuidIssue(text) ?? hyphenated(text),
  )

/** A UUID in the path of routes whose validation error is a plain text. */
export const goUuid = (parameter: string) =>
  textual({ format: 'uuid' }, notText, (text) => goUuidIssue(parameter, text) ?? hyphenated(text))

function hyphenated(text: string): string {
  if (isUsualUuid(text)) return text
  const hex = text
    .replace(/^urn:uuid:/i, '')
    .replace(/[{}-]/g, '')
    .toLowerCase()
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** A calendar date; read to `YYYY-MM-DD`. */
export const date = () => field({ type: 'string', format: 'date' }, readDate)

/** A date-time or date; read to milliseconds since 1970. */
export const dateTime = () => field({ type: 'string', format: 'date-time' }, readDateTime)

/** A date or date-time declared as plain text; read to milliseconds. A date alone takes `timeOfDay`. */
export const instantText = (name: string, timeOfDay: '00:00:00' | '23:59:59') =>
  textual({}, notText, (text): number | ValidationIssue => {
    const instant = fromIso(text, timeOfDay)
    return instant ?? { ...valueError(`Invalid ${name}`), detail: `Invalid ${name}: ${text}` }
  })

interface Bounds {
  readonly ge?: number
  readonly le?: number
}

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
    return outOfBounds(value, bounds) ?? value
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

const limits = ({ ge, le }: Bounds) => ({
  ...(ge !== undefined && { minimum: ge }),
  ...(le !== undefined && { maximum: le }),
})

function outOfBounds(value: number, { ge, le }: Bounds): ValidationIssue | undefined {
  if (ge !== undefined && value < ge) {
    return { type: 'greater_than_equal', msg: `Input should be greater than or equal to ${ge}`, ctx: { ge } }
  }
  if (le !== undefined && value > le) {
    return { type: 'less_than_equal', msg: `Input should be less than or equal to ${le}`, ctx: { le } }
  }
  return undefined
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

/** One of a closed list; with `fold`, whatever its case. Answers the listed spelling. */
export const oneOf = <const Values extends readonly [string, ...string[]]>(
  values: Values,
  { fold = false, also = {} }: { fold?: boolean; also?: Readonly<Record<string, Values[number]>> } = {},
) =>
  field({ type: 'string', enum: values }, (input): Values[number] | ValidationIssue => {
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
    const domain = address.slice(at + 1)
    if (at === -1) return emailIssue('An email address must have an @-sign.')
    if (at === 0) return emailIssue('There must be something before the @-sign.')
    if (domain === '') return emailIssue('There must be something after the @-sign.')
    if (!/^[^\s.]+(\.[^\s.]+)+$/.test(domain)) {
      return emailIssue('The part after the @-sign is not valid. It should have a period.')
    }
    return /^[^\s@"(),:;<>[\\\]]+$/.test(address.slice(0, at))
      ? address
      : emailIssue('The email address contains invalid characters before the @-sign.')
  })

/** International form with a leading plus. */
export const phone = () =>
  field({ type: 'string' }, (input) => {
    if (input === null) return valueError('Phone number cannot be None')
    if (typeof input !== 'string') return notText
    const compact = input.trim().replace(/[\s().-]/g, '')
    return /^\+[1-9]\d{6,14}$/.test(compact) ? compact : valueError(`Invalid phone number: ${input}`)
  })

export const usState = () =>
  textual({}, notText, (text) => {
    const code = text.trim().toUpperCase()
    return usStates.has(code) ? code : valueError(`Invalid state: ${text}`)
  })

const NAME = /^([a-zA-Z0-9]{1})([a-zA-Z0-9-.,']*(\s[a-zA-Z0-9-.,']+)*[a-zA-Z0-9-.,']?)$/
const NAME_RULE =
  'The field must start with a letter (a-z or A-Z or 0-9) and can only contain -,. special characters, but cannot start with a space or hyphen.'

/** A patient's first or last name, by the laboratories' rule. */
export const personName = () =>
  textual({ minLength: 1, maxLength: 50 }, notText, (text) => {
    const name = text.trim()
    if (name.length < 1) {
      return {
        type: 'string_too_short',
        msg: 'String should have at least 1 character',
        ctx: { min_length: 1 },
      }
    }
    if (name.length > 50) {
      return {
        type: 'string_too_long',
        msg: 'String should have at most 50 characters',
        ctx: { max_length: 50 },
      }
    }
    return NAME.test(name) ? name : valueError(NAME_RULE)
  })

/** An IANA time zone. */
export const timeZone = () =>
  textual({}, notText, (text) => (isTimeZone(text) ? text : valueError(`Invalid IANA time zone: ${text}`)))

export const text = () => z.string()
/** Text, trimmed. */
export const trimmed = () => z.string().trim()

/** A field that has to be there and may be null. */
export const nullable = <Schema extends z.ZodType>(inner: Schema) =>
  describedNullable(inner, inner.nullable())
/** A field that may be left out or null; read to null in both cases. */
export const orNull = <Schema extends z.ZodType>(inner: Schema) =>
  describedNullable(inner, inner.nullable().default(null as never))
/** A field that may be left out or null; left out stays undefined. */
export const maybe = <Schema extends z.ZodType>(inner: Schema) => describedNullable(inner, inner.nullish())

/** An object whose keys are of a closed list. */
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
