import { valueError } from '../../api/issue.ts'
import type { Parsed } from '../../api/schema.ts'
import { isOneOf } from '../../kernel/compare.ts'
import { Problem } from '../../kernel/problem.ts'
import { aggregates } from './aggregate.ts'
import type { Period } from './calendar.ts'
import { findColumn, type Kind, type Summary } from './columns.ts'
import type { Argument } from './expressions.ts'
import type { Query } from './schema.ts'
import { type Func, sourceFields } from './vocabulary.ts'
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
const seriesFields = [...numericFields, 'source_provider', 'source_type']

const kindOf = (field: string): Kind => (numericFields.includes(field) ? 'number' : 'text')

/** The column an expression reads; undefined if Petri does not support it. */
function referenceOf(expression: Argument): Reference | undefined {
  const { index, source, timeseries, field } = expression
  const nothing = { table: null, series: null, kind: 'text' as const }
  if (index !== undefined)
    return isOneOf<string>(readable, String(index))
      ? { ...nothing, table: index as Readable, column: null, label: 'timestamp' }
      : undefined
  if (typeof source === 'string') return { ...nothing, column: source, label: source }
  if (typeof timeseries === 'string' && typeof field === 'string') {
    if (!seriesFields.includes(field)) return undefined
    const label = field === 'value' ? timeseries : `${timeseries}.${field}`
    return { table: 'timeseries', series: timeseries, column: field, kind: kindOf(field), label }
  }
  const table = readable.find((name) => name !== 'timeseries' && typeof expression[name] === 'string')
  const column = table && String(expression[table])
  const found = table && column && findColumn(table, column)
  return found ? { table, series: null, column, kind: found.kind, label: column } : undefined
}

/** A column of the answer. */
export type Output = { readonly name: string } & (
  | { readonly of: 'key' }
  | { readonly of: 'column'; readonly column: string | null }
  | { readonly of: 'aggregate'; readonly func: Func; readonly column: string | null }
)

/** A validated query, and the data it reads. */
export interface Plan {
  readonly table: Readable
  /** The series as named in events; null for a summary. */
  readonly series: string | null
  /** The columns that are read. */
  readonly columns: readonly string[]
  /** The length of a group; null without groups. */
  readonly period: Period | null
  readonly outputs: readonly Output[]
  readonly where: Where | null
}

type Loc = readonly (string | number)[]
type ReadQuery = Parsed<typeof Query>

/** Plans a query. Throws all errors with their locations in the body. */
export function planQuery(query: ReadQuery, loc: Loc = ['body', 'queries', 0]): Plan {
  const errors: object[] = []
  const reject = (path: Loc, reason: string, input: unknown) => {
    const { type, msg, ctx } = valueError(reason)
    errors.push({ type, loc: [...loc, ...path], msg, input, ctx })
  }
  const references: Reference[] = []
  const read = (expression: Argument, path: Loc): Reference | undefined => {
    const reference = referenceOf(expression)
    if (reference) {
      const why = whyOfAnother(reference, references)
      if (why === undefined) references.push(reference)
      else reject(path, why, expression)
    } else reject(path, 'Petri does not support this expression', expression)
    return reference
  }
  const period = periodOf(query.group_by, read, reject)
  const outputs = query.select.flatMap((item, at) => outputOf(query, item, ['select', at], read, reject))
  if (period || outputs.some(({ of }) => of === 'aggregate'))
    for (const { of, name } of outputs)
      if (of === 'column') reject(['select'], `${name} has many values: aggregate it`, query.select)
  if (query.align) reject(['align'], 'Petri does not support align', query.align)
  const { table, series } = sourceOf(references)
  if (!table) reject(['select'], 'no expression names a table', query.select)
  else if (table === 'timeseries' && !series)
    reject(['select'], 'no expression names a timeseries', query.select)
  const where = query.where && table ? whereOf(query.where, table, series, reject) : null
  if (errors.length > 0 || !table) throw new Problem('invalid', errors)
  const columns = [...references.flatMap(({ column }) => column ?? []), ...(where?.columns ?? [])]
  return { table, series, columns: [...new Set(columns)], period, outputs, where }
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

/** The column of a selected expression; none if it cannot be read. */
function outputOf(
  { group_by }: ReadQuery,
  item: ReadQuery['select'][number],
  path: Loc,
  read: Read,
  reject: Reject,
): Output[] {
  const { group_key: key, func, arg } = item
  if (key !== undefined) {
    if (group_by[key === '*' ? 0 : Number(key)]) return [{ of: 'key', name: 'group_key.0' }]
    reject(path, `there is no group key ${key}: group_by has ${group_by.length}`, item)
    return []
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

/** The length of the groups. */
function periodOf(keys: ReadQuery['group_by'], read: Read, reject: Reject): Period | null {
  if (keys.length > 1) reject(['group_by'], 'Petri groups by one date_trunc', keys)
  const [key] = keys
  if (!key) return null
  const { date_trunc: period, arg } = key
  if (!period) reject(['group_by', 0], 'Petri groups by date_trunc only', key)
  // A placeholder stands for the index of the query's table.
  else if (!(arg as Argument).placeholder) read(arg as Argument, ['group_by', 0])
  return (period as Period | undefined) ?? null
}

function whereOf(text: string, table: Readable, series: string | null, reject: Reject): Where | null {
  try {
    return readWhere(text, (name) => {
      if (name === series) return { column: 'value', kind: 'number' }
      const [column = '', before] = name.split('.').reverse()
      if (before !== undefined && before !== table && before !== series && before !== 'source')
        return undefined
      if (isOneOf(sourceFields, column)) return { column, kind: 'text' }
      if (table === 'timeseries')
        return seriesFields.includes(column) ? { column, kind: kindOf(column) } : undefined
      const found = findColumn(table, column)
      return found && { column, kind: found.kind }
    })
  } catch (error) {
    if (!(error instanceof WhereFault)) throw error
    reject(['where'], error.message, text)
    return null
  }
}
