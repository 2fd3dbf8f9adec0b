import { isOneOf } from '../../kernel/compare.ts'
import { byName } from '../../kernel/fields.ts'
import type { AnalyteSeed } from '../catalogue/schema.ts'
import type { Catalogue } from '../catalogue/service.ts'
import type { ResultPlan } from '../orders/table.ts'
import { formulas } from './derived.ts'
import { type Expected, slugIn } from './expected.ts'
import { spanOf } from './ranges.ts'
import type { Value } from './values.ts'

/** Exact results as they are entered: values by name, and the laboratory's comment on them. */
export interface EnteredResults {
  readonly values?: Readonly<Record<string, Value>> | undefined
  readonly comment?: string | undefined
}

/** The part of a plan that exact results are; a comment without values concerns all results. */
export function planOf({ values = {}, comment }: EnteredResults): ResultPlan {
  const names = Object.keys(values)
  return {
    ...(names.length > 0 && { values }),
    ...(comment !== undefined &&
      (names.length > 0 ? { notes: Object.fromEntries(names.map((name) => [name, comment])) } : { comment })),
  }
}

/** The greatest value, and the most digits after its point. */
const MAX_VALUE = 1_000_000_000
const MAX_DECIMALS = 6
const MAX_LENGTH = 200

/** The texts of results that have no others. */
const closedTexts = byName<readonly string[]>({
  'cancer-signal': ['DETECTED', 'NOT_DETECTED'],
  'abo-grouping': ['O', 'A', 'B', 'AB'],
})

/** Why an analyte cannot have a value, in a sentence without its end; undefined if it can. */
export function whyImpossible(analyte: AnalyteSeed, name: string, value: Value): string | undefined {
  return analyte.kind === 'numeric'
    ? whyImpossibleNumber(analyte, name, value)
    : whyImpossibleText(analyte, name, value)
}

/** What laboratories print in place of a number: test not performed, quantity not sufficient, did not report. */
export const insteadOfNumbers = ['TNP', 'QNS', 'DNR', 'See note', 'Trace'] as const

function whyImpossibleNumber(
  { slug, unit, possible }: AnalyteSeed,
  name: string,
  value: Value,
): string | undefined {
  if (typeof value === 'string' && (spanOf(value) || isOneOf(insteadOfNumbers, value)))
    return formulas[slug]
      ? `"${name}" is calculated, so it is a number; it is ${JSON.stringify(value)}`
      : undefined
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    return `"${name}" is measured as a number${unit ? ` in ${unit}` : ''}; it is ${JSON.stringify(value)}`
  }
  if (value < 0 && !(possible && possible.low < 0)) return `"${name}" cannot be negative; it is ${value}`
  if (value > MAX_VALUE) return `"${name}" cannot be more than ${MAX_VALUE}; it is ${value}`
  if (Number(value.toFixed(MAX_DECIMALS)) !== value)
    return `"${name}" can have ${MAX_DECIMALS} digits after the point at most; it is ${value}`
  return undefined
}

function whyImpossibleText(
  { slug, normal = 'Negative', abnormal = 'Positive' }: AnalyteSeed,
  name: string,
  value: Value,
): string | undefined {
  const texts = closedTexts[slug]
  const examples = (texts ?? [normal, abnormal]).map((text) => `"${text}"`).join(' or ')
  if (typeof value !== 'string' || value.trim() === '' || spanOf(value))
    return `"${name}" is reported in words, such as ${examples}; it is ${JSON.stringify(value)}`
  if (value.length > MAX_LENGTH)
    return `"${name}" can have ${MAX_LENGTH} characters at most; it has ${value.length}`
  if (texts && !texts.includes(value)) return `"${name}" is ${examples}; it is ${JSON.stringify(value)}`
  return undefined
}

/** The values that plans give, by analyte; a later plan overrides an earlier one. */
export interface GivenResults {
  /** Those that were entered. */
  readonly entered: ReadonlyMap<string, Value>
  /** Also those that a correction leaves as they were. */
  readonly values: ReadonlyMap<string, Value>
  /** What is printed in place of numbers, by analyte. */
  readonly printed: ReadonlyMap<string, string>
  /** Comments on single results, by analyte. */
  readonly notes: ReadonlyMap<string, string>
}

export function givenIn(
  plans: readonly ResultPlan[],
  all: readonly Expected[],
  catalogue: Catalogue,
): GivenResults {
  const slugOf = slugIn(all)
  const bySlug = <Item>(records: readonly (Readonly<Record<string, Item>> | undefined)[]) =>
    new Map(
      records.flatMap((record) => Object.entries(record ?? {})).map(([name, item]) => [slugOf(name), item]),
    )
  const isPossible = ([slug, value]: readonly [string, Value]) => {
    const analyte = catalogue.analytes().get(slug)
    return analyte !== undefined && whyImpossible(analyte, slug, value) === undefined
  }
  const isNumeric = (slug: string) => catalogue.analytes().get(slug)?.kind === 'numeric'
  const possible = [...bySlug(plans.map(({ values }) => values))].filter(isPossible)
  const printed = new Map(
    possible.flatMap(([slug, value]) =>
      typeof value === 'string' && isNumeric(slug) ? [[slug, value] as const] : [],
    ),
  )
  const entered = new Map(possible.filter(([slug]) => !printed.has(slug)))
  const unchanged = bySlug(plans.map((plan) => plan.unchanged))
  return {
    entered,
    printed,
    values: new Map([...unchanged, ...entered]),
    notes: bySlug(plans.map(({ notes }) => notes)),
  }
}
