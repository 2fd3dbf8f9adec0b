import * as z from 'zod'
import { date, field, integer, maybe, oneOf, text } from '../../api/fields.ts'
import { missing, notObject, type ValidationIssue, valueError, wrongChoice } from '../../api/issue.ts'
import { type LazySchema, schema, unnamed } from '../../api/schema.ts'
import { isObject, type JsonObject } from '../../kernel/json.ts'
import { didYouMean } from '../../kernel/nearest.ts'
import { camel } from '../timeseries/schema.ts'
import { namesOf } from './columns.ts'
import * as words from './vocabulary.ts'

/** A variant of an expression. */
interface Member {
  /** The key that identifies the variant. */
  readonly key: string
  readonly of: LazySchema
  /** Values of that key, if several variants have it. */
  readonly values?: readonly string[]
}

/** A union of expressions, distinguished by key, so that an error has the right location. */
const oneKindOf = <Built extends z.ZodType>(members: () => readonly Member[]) =>
  z.preprocess(
    (input, ctx) => {
      const chosen = choose(members(), input)
      if ('type' in chosen) {
        const { path = [], ...fault } = chosen
        ctx.issues.push({ code: 'custom', input, path: [...path], message: fault.msg, params: { ...fault } })
        return z.NEVER
      }
      const read = chosen.of().safeParse(input)
      if (read.success) return input
      for (const issue of read.error.issues) ctx.issues.push({ ...issue, input } as z.core.$ZodRawIssue)
      return z.NEVER
    },
    z.union([...new Set(members().map(({ of }) => of))].map((of) => of())) as unknown as Built,
  )

function choose(
  members: readonly Member[],
  input: unknown,
): Member | (ValidationIssue & { path?: readonly string[] }) {
  if (input === undefined) return missing
  if (!isObject(input)) return notObject
  const known = members.filter(({ key }) => Object.hasOwn(input, key))
  const key = known[0]?.key
  if (key === undefined) return noKnownKey(members, Object.keys(input))
  const value = (input as JsonObject)[key]
  const found =
    known.find(({ values }) => values?.includes(String(value))) ?? known.find(({ values }) => !values)
  return found ?? { ...wrongChoice(known.flatMap(({ values = [] }) => values)), path: [key] }
}

function noKnownKey(members: readonly Member[], given: readonly string[]): ValidationIssue {
  const keys = [...new Set(members.map(({ key }) => key))]
  const near = given.map((key) => didYouMean(key, keys)).find((hint) => hint !== '') ?? ''
  return valueError(`an expression here has one of the keys ${keys.join(', ')}.${near}`)
}

/** A field with exactly this value. */
const constant = <Word extends string | true>(word: Word) =>
  field({ type: word === true ? 'boolean' : 'string', const: word }, (input): Word | ValidationIssue => {
    const expected = word === true ? 'True' : `'${word}'`
    return input === word
      ? word
      : { type: 'literal_error', msg: `Input should be ${expected}`, ctx: { expected } }
  })

/** The maximum length of a period, in its own unit: 19 years of minutes. */
const MAX_PERIOD = 10_000_000

const PeriodExpr = schema('Period', () => ({
  value: integer({ ge: 1, le: MAX_PERIOD }).default(1),
  unit: oneOf(words.units),
}))

const Placeholder = schema('Placeholder', () => ({ placeholder: constant(true) }))

const RelativeTimeframe = schema('RelativeTimeframe', () => ({
  type: constant('relative'),
  anchor: date(),
  past: PeriodExpr(),
}))

const column = (table: Exclude<words.TableName, 'timeseries'>): Member => ({
  key: table,
  of: schema(`${camel(table)}ColumnExpr`, () => z.object({ [table]: oneOf(namesOf(table)) })) as LazySchema,
})

const columns = words.tables.flatMap((table) => (table === 'timeseries' ? [] : [column(table)]))

const macro = (word: (typeof words.macros)[number]): Member => ({
  key: 'value_macro',
  values: [word],
  of: schema(`${camel(word)}ValueMacroExpr`, () =>
    z.object({ value_macro: constant(word), version: constant('automatic').default('automatic') }),
  ),
})

const macros: readonly Member[] = [
  ...words.macros.map(macro),
  {
    key: 'value_macro',
    of: schema('UnrecognizedValueMacroExpr', () => ({ value_macro: text() })),
  },
]

const samples = words.seriesKinds.map(
  (kind): Member => ({
    key: 'timeseries',
    values: words.series.get(kind),
    of: schema(`${camel(kind)}TimeseriesExpr`, () =>
      z.object({ timeseries: oneOf(words.series.get(kind)), field: oneOf(words.seriesFields[kind]) }),
    ),
  }),
)

const values = [...columns, ...macros, ...samples]

const placeholder: Member = { key: 'placeholder', of: Placeholder }
const source: Member = {
  key: 'source',
  of: schema('SourceColumnExpr', () => ({ source: oneOf(words.sourceFields) })),
}
const index: Member = {
  key: 'index',
  of: schema('IndexColumnExpr', () => ({ index: oneOf(words.tables) })),
}

const elementFields = Object.entries(words.cycleLists).map(
  ([name, fields]): Member => ({
    key: name,
    of: schema(`MC${camel(name)}FieldExpr`, () =>
      z.strictObject({
        field_for: constant('menstrual_cycle').default('menstrual_cycle'),
        [name]: oneOf(fields as unknown as readonly [string, ...string[]]),
      }),
    ) as LazySchema,
  }),
)

const element: Member = {
  key: 'element',
  of: schema('ElementFieldExpr', () => z.strictObject({ element: constant(true) })),
}

const AggregateFieldExpr = schema('AggregateFieldExpr', () => ({
  func: oneOf(words.functions),
  arg: maybe(oneKindOf(() => [...elementFields, element])),
}))

const UnnestExpr = schema('UnnestExpr', () => ({ unnest: oneKindOf(() => values) }))

const subquery: Member = {
  key: 'select',
  of: schema('ScalarOutputSubqueryExpr', () => ({
    select: oneKindOf(() => [{ key: 'func', of: AggregateFieldExpr }, placeholder]),
    from: oneKindOf(() => [{ key: 'unnest', of: UnnestExpr }, placeholder]),
    where: maybe(text()),
  })),
}

/** An expression that planning reads. */
export type Argument = JsonObject

const AggregateExpr = schema('AggregateExpr', () => ({
  arg: oneKindOf<z.ZodType<Argument>>(() => [...values, index, subquery]),
  func: oneOf(words.functions),
}))

const groupKey: Member = {
  key: 'group_key',
  of: schema('GroupKeyColumnExpr', () => ({
    group_key: field({ anyOf: [{ type: 'integer' }, { type: 'string', const: '*' }] }, (input) =>
      input === '*' || Number.isInteger(input)
        ? (input as number | '*')
        : valueError("a group key is the number of an expression in group_by, from 0, or '*'"),
    ),
  })),
}

/** What a query may select. */
export const SelectItem = unnamed(() =>
  oneKindOf<z.ZodType<Argument>>(() => [
    { key: 'func', of: AggregateExpr },
    { key: 'arg', of: AggregateExpr },
    groupKey,
    ...values,
    index,
    subquery,
    source,
  ]),
)

const DateTruncExpr = schema('DateTruncExpr', () => ({
  date_trunc: PeriodExpr(),
  arg: oneKindOf(() => [index, placeholder]),
}))
const DatePartExpr = schema('DatePartExpr', () => ({
  arg: oneKindOf(() => [index, placeholder]),
  date_part: oneOf(words.dateParts),
}))

/** What a query may group by. */
export const GroupByItem = unnamed(() =>
  oneKindOf<z.ZodType<Argument>>(() => [
    { key: 'date_trunc', of: DateTruncExpr },
    { key: 'date_part', of: DatePartExpr },
    ...values,
    source,
  ]),
)

const carry = (name: string, mode: string, bound: string): Member => ({
  key: 'mode',
  values: [mode],
  of: schema(name, () =>
    z.strictObject({ mode: constant(mode), [bound]: maybe(PeriodExpr()) }),
  ) as LazySchema,
})

/** How empty groups are filled. */
export const AlignExpr = schema('AlignExpr', () =>
  z.strictObject({
    carry: oneKindOf(() => [
      carry('CarryForwardExpr', 'carry_forward', 'max_age'),
      carry('CarryBackwardExpr', 'carry_backward', 'max_age'),
      carry('CarryNearestExpr', 'carry_nearest', 'span'),
    ]),
  }),
)

/** The days a query is about. */
export const Timeframe = unnamed(() =>
  oneKindOf<z.ZodType<Argument>>(() => [{ key: 'type', of: RelativeTimeframe }, placeholder]),
)
