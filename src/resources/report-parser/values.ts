import type { Parsed } from '../../api/schema.ts'
import type { ParsedResult } from './schema.ts'

type Result = Parsed<typeof ParsedResult>
type ResultType = NonNullable<Result['type']>

const NUMBER = '\\d{1,9}(?:[.,]\\d{1,9})?'
const forms: readonly (readonly [ResultType, RegExp])[] = [
  ['numeric', new RegExp(`^[-+]?${NUMBER}$`)],
  ['percentage', /%/],
  ['range', new RegExp(`^(?:[<>≤≥]=?\\s?${NUMBER}|${NUMBER}\\s?-\\s?${NUMBER})$`)],
  ['ratio', new RegExp(`^${NUMBER}\\s?[/:]\\s?${NUMBER}$`)],
  ['boolean', /^(yes|no|positive|negative|true|false)$/i],
  ['duration', new RegExp(`^(?:${NUMBER}\\s?(?:h|hr|hrs|hours?|min|mins|minutes?)|\\d{1,3}:\\d{2})$`, 'i')],
]

/** The kind of a value, derived from the value. Source: contract/lab-testing.md §16. */
export function typeOfValue(value: string): ResultType {
  if (/^\d{1,3}:\d{2}$/.test(value)) return 'duration'
  return forms.find(([, form]) => form.test(value))?.[0] ?? 'comment'
}

export interface Bounds {
  readonly min: number | null
  readonly max: number | null
}

/** Parses `3.5-5.1`, `<200` or `>=39`; undefined for other text. */
export function readRange(text: string): Bounds | undefined {
  const compact = text.replace(/[()\s]/g, '').replace(/,/g, '.')
  const both = /^(\d{1,9}(?:\.\d{1,9})?)[-\u2013](\d{1,9}(?:\.\d{1,9})?)$/.exec(compact)
  if (both) return { min: Number(both[1]), max: Number(both[2]) }
  const one = /^([<>\u2264\u2265])=?(\d{1,9}(?:\.\d{1,9})?)$/.exec(compact)
  if (!one) return undefined
  const bound = Number(one[2])
  return one[1] === '<' || one[1] === '≤' ? { min: null, max: bound } : { min: bound, max: null }
}

type Flags = Pick<Result, 'interpretation' | 'is_above_max_range' | 'is_below_min_range'>
const unknown: Flags = { interpretation: 'unknown', is_above_max_range: null, is_below_min_range: null }

/** Whether a value is in range; of a value with a comparator only if it is conclusive. */
export function flagsOf(value: string, type: ResultType, { min, max }: Bounds): Flags {
  if (min === null && max === null) return unknown
  if (type === 'numeric' || type === 'percentage') {
    const amount = Number.parseFloat(value.replace(',', '.'))
    return Number.isNaN(amount) ? unknown : flags(max !== null && amount > max, min !== null && amount < min)
  }
  const bounds = type === 'range' ? readRange(value) : undefined
  if (!bounds) return unknown
  const isAbove = max !== null && bounds.min !== null && bounds.min >= max
  const isBelow = min !== null && bounds.max !== null && bounds.max <= min
  const isInside =
    (max === null || (bounds.max !== null && bounds.max <= max)) &&
    (min === null || (bounds.min !== null && bounds.min >= min))
  return isAbove || isBelow || isInside ? flags(isAbove, isBelow) : unknown
}

const flags = (isAbove: boolean, isBelow: boolean): Flags => ({
  interpretation: isAbove || isBelow ? 'abnormal' : 'normal',
  is_above_max_range: isAbove,
  is_below_min_range: isBelow,
})
