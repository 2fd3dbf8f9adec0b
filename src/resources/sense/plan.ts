import { valueError } from '../../api/issue.ts'
import type { Parsed } from '../../api/schema.ts'
import { isOneOf } from '../../kernel/compare.ts'
import { compact } from '../../kernel/list.ts'
import { Problem } from '../../kernel/problem.ts'
import { aggregates } from './aggregate.ts'
import { type Period, plus } from './calendar.ts'
import { findColumn, type Kind, type Summary } from './columns.ts'
import type { Argument } from './expressions.ts'
import type { Query } from './schema.ts'
import type { Func } from './vocabulary.ts'
import { readWhere, type Where, WhereFault } from './where.ts'

/** The column an expression reads. */
interface Reference {
  /** Null for a column that every table has. */
  readonly table: Readable | null
  /** The series, as named in events. */
  readonly series: string | null
  /** Null for the index, which is the time of a row. */
  readonly column: string | null
  readonly kind: Kind
  /** The name of the column in the answer. */
  readonly label: string
}

/** A table that Petri reads. */
type Readable = Summary | 'timeseries'
const readable = ['sleep', 'activity', 'workout', 'body', 'timeseries'] as const

const numericFields = ['value', 'systolic', 'diastolic']
const textFields = ['source_provider', 'source_type']

/** The kind of a column; undefined for one that the table lacks. */
function kindIn(table: Readable, column: string): Kind | undefined {
  if (table !== 'timeseries') return findColumn(table, column)?.kind
  if (numericFields.includes(column)) return 'number'
  return textFields.includes(column) ? 'text' : undefined
}

/** The column an expression reads; undefined if Petri does not support it. */
function referenceOf(expression: Argument): Reference | undefined {
  const { index, source, field } = expression
  const nothing = { table: null, series: null, kind: 'text' as const }
  if (index !== undefined)
    return isOneOf<string>(readable, String(index))
      ? { ...nothing, table: index as Readable, column: null, label: 'timestamp' }
      : undefined
  if (typeof source === 'string') return { ...nothing, column: source, label: source }
  const table = readable.find((name) => typeof expression[name] === 'string')
  const name = String(table && expression[table])
  const [series, column] = table === 'timeseries' ? [name, String(field)] : [null, name]
  const kind = table && kindIn(table, column)
  const label = series === null ? column : column === 'value' ? series : `${series}.${column}`
  return kind && { table, series, column, kind, label }
}

/** A column of the answer. */
export type Output = { readonly name: string } & (
  | { readonly of: 'key'; readonly key: number }
  | { readonly of: 'column'; readonly column: string | null }
  | { readonly of: 'aggregate'; readonly func: Func; readonly column: string | null }
)

/** The group key that is a period of time. */
interface Bucket {
  /** Its place among the keys. */
  readonly key: number
  readonly period: Period
  /** How long values are carried into empty groups; null without a limit, false where none are. */
  readonly maxAge: Period | null | false
}

/** A validated query, and the data it reads. */
export interface Plan {
  readonly table: Readable
  /** The series as named in events; null for a summary. */
  readonly series: string | null
  /** The columns that are read. */
  readonly columns: readonly string[]
  /** What rows are grouped by: the period they lie in, or the value of a column. */
  readonly keys: readonly (Period | string)[]
  readonly bucket: Bucket | null
  readonly outputs: readonly Output[]
  readonly where: Where | null
}

type Loc = readonly (string | number)[]
type ReadQuery = Parsed<typeof Query>

/** Plans a query. Throws all errors with their locations in the body. */
export function planQuery(query: ReadQuery, loc: Loc = ['body', 'queries', 0], isContinuous = false): Plan {
  const errors: object[] = []
  const reject = (path: Loc, reason: string, input: unknown) => {
    errors.push({ ...valueError(reason), loc: [...loc, ...path], input })
  }
  const references: (Reference & { readonly path: Loc })[] = []
  const read = (expression: Argument, path: Loc): Reference | undefined => {
    const reference = referenceOf(expression)
    if (reference) {
      const why = whyOfAnother(reference, references)
      if (why === undefined) references.push({ ...reference, path })
      else reject(path, why, expression)
    } else reject(path, 'Petri does not support this expression', expression)
    return reference
  }
  const keys = query.group_by.flatMap((key, at) => keyOf(key, ['group_by', at], read))
  const outputs = query.select.flatMap((item, at) => outputsOf(query, item, ['select', at], read, reject))
  if (keys.length > 0 || outputs.some(({ of }) => of === 'aggregate'))
    for (const { of, name } of outputs)
      if (of === 'column') reject(['select'], `${name} has many values: aggregate it`, query.select)
  const bucket = bucketOf(query, keys, reject)
  if (isContinuous || query.align) {
    if (!bucket) reject(['group_by'], 'alignment and continuous queries need a date_trunc', query.group_by)
    const selected = outputs.flatMap((output) => (output.of === 'key' ? output.key : []))
    if (new Set(selected).size < keys.length)
      reject(['select'], 'alignment and continuous queries need all group keys', query.select)
  }
  const { table, series } = sourceOf(references)
  if (!table) reject(['select'], 'no expression names a table', query.select)
  else if (table === 'timeseries' && !series)
    reject(['select'], 'no expression names a timeseries', query.select)
  else
    for (const { table: named, column, path } of references)
      if (!named && column && !kindIn(table, column))
        reject(path, `${series ?? table} has no ${column}`, column)
  const where = query.where && table ? whereOf(query.where, table, series, reject) : null
  if (errors.length > 0 || !table) throw new Problem('invalid', errors)
  const columns = [...references.flatMap(({ column }) => column ?? []), ...(where?.columns ?? [])]
  return { table, series, columns: [...new Set(columns)], keys, bucket, outputs, where }
}

/** What a query reads: the table and the series that its first expressions name. */
const sourceOf = (references: readonly Reference[]): Pick<Reference, 'table' | 'series'> => ({
  table: references.find(({ table }) => table)?.table ?? null,
  series: references.find(({ series }) => series)?.series ?? null,
})

/** Why an expression cannot be read with those before it: a query reads one table, and one series of it. */
function whyOfAnother(reference: Reference, before: readonly Reference[]): string | undefined {
  const { table, series } = sourceOf([...before, reference])
  if (reference.table && reference.table !== table)
    return `a query reads one table, and this one reads ${table}, not ${reference.table}`
  if (reference.series && reference.series !== series)
    return `a query reads one timeseries, here ${series}, not ${reference.series}`
  return undefined
}

type Read = (expression: Argument, path: Loc) => Reference | undefined

/** The columns of a selected expression; none if it cannot be read. */
function outputsOf(
  { group_by }: ReadQuery,
  item: ReadQuery['select'][number],
  path: Loc,
  read: Read,
  reject: Reject,
): Output[] {
  const { group_key: chosen, func, arg } = item
  if (chosen !== undefined) {
    const found = [...group_by.keys()].filter((key) => chosen === '*' || chosen === key)
    if (found.length === 0)
      reject(path, `there is no group key ${chosen}: group_by has ${group_by.length}`, item)
    return found.map((key) => ({ of: 'key', name: `group_key.${key}`, key }))
  }
  const reference = read((arg ?? item) as Argument, path)
  if (!reference) return []
  const { label, column, kind } = reference
  if (func === undefined) return [{ of: 'column', name: label, column }]
  if (aggregates[func as Func].takes.includes(kind))
    return [{ of: 'aggregate', name: `${func}.${label}`, func: func as Func, column }]
  reject(path, `${func} takes numbers, and ${label} is a ${kind}`, item)
  return []
}

type Reject = (path: Loc, reason: string, input: unknown) => void

/** What an expression groups by; nothing if it cannot be read. */
function keyOf(key: ReadQuery['group_by'][number], path: Loc, read: Read): (Period | string)[] {
  const { date_trunc: period, arg } = key
  if (!period) return compact([read(key, path)?.column])
  // A placeholder stands for the index of the query's table.
  if (!(arg as Argument).placeholder) read(arg as Argument, path)
  return [period as Period]
}

/** The beginning of a shortest month: a period that does not reach the next group from here never does. */
const FEBRUARY = Date.UTC(2026, 1)

/** The period among the keys, and how long values are carried into its empty groups. */
function bucketOf({ group_by, align }: ReadQuery, keys: Plan['keys'], reject: Reject) {
  const periods = keys.filter((key) => typeof key !== 'string')
  const [period] = periods
  if (periods.length > 1) reject(['group_by'], 'a query groups by one date_trunc at most', group_by)
  const { mode, max_age: maxAge = null } = (align?.carry ?? {}) as { mode?: string; max_age?: Period | null }
  if (mode && mode !== 'carry_forward')
    reject(['align', 'carry'], 'Petri carries values forward only', align?.carry)
  if (maxAge && period && plus(FEBRUARY, maxAge) < plus(FEBRUARY, period))
    reject(['align', 'carry', 'max_age'], 'max_age is shorter than a group', maxAge)
  return period ? { key: keys.indexOf(period), period, maxAge: align ? maxAge : (false as const) } : null
}

function whereOf(text: string, table: Readable, series: string | null, reject: Reject): Where | null {
  try {
    return readWhere(text, (name) => {
      if (name === series) return { column: 'value', kind: 'number' }
      const [column = '', before] = name.split('.').reverse()
      if (before !== undefined && before !== table && before !== series && before !== 'source')
        return undefined
      const kind = kindIn(table, column)
      return kind && { column, kind }
    })
  } catch (error) {
    if (!(error instanceof WhereFault)) throw error
    reject(['where'], error.message, text)
    return null
  }
}
