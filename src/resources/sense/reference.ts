import type { Column, Kind, Refusal } from './column.ts'
import { columnsOf } from './columns.ts'
import type { Argument } from './expressions.ts'
import { macroColumns } from './macros.ts'
import { type Subquery, subqueryOf } from './subquery.ts'
import { type TableName, tables } from './vocabulary.ts'

/** The column an expression reads. */
export interface Reference {
  /** Null for a column that every table has. */
  readonly table: TableName | null
  /** The series, as named in events. */
  readonly series: string | null
  /** Null for the index, which is the time of a row. */
  readonly column: string | null
  readonly kind: Kind
  /** The name of the column in the answer. */
  readonly label: string
  readonly subquery?: Subquery
}

type SummaryName = Exclude<TableName, 'timeseries'>

/** The column an expression reads, or why Petri does not support it. */
export function referenceOf(expression: Argument): Reference | Refusal {
  const { index, source, timeseries, field, value_macro: macro } = expression
  if (typeof index === 'string') return indexOf(index as TableName)
  if (typeof source === 'string')
    return { table: null, series: null, column: source, kind: 'text', label: source }
  if (typeof timeseries === 'string') return sampleOf(timeseries, String(field))
  if (typeof macro === 'string') return macroOf(macro)
  const table = tables.find((name) => typeof expression[name] === 'string')
  if (table && table !== 'timeseries') return columnOf(table, String(expression[table]))
  if (expression.select !== undefined) return ofSubquery(expression)
  return { refused: 'a placeholder is not allowed here' }
}

function indexOf(table: TableName): Reference | Refusal {
  return { table, series: null, column: null, kind: 'text', label: 'timestamp' }
}

function columnOf(table: SummaryName, column: string): Reference | Refusal {
  const kind = findColumn(table, column)?.kind ?? 'text'
  if (kind === 'list') return { refused: `${table}.${column} is a list: a subquery makes one value of it` }
  return { table, series: null, column, kind, label: column }
}

function macroOf(macro: string): Reference | Refusal {
  if (!Object.hasOwn(macroColumns, macro)) return { refused: `there is no macro ${macro}` }
  const kind = macroColumns[macro]?.kind ?? 'text'
  return { table: 'sleep', series: null, column: macro, kind, label: macro }
}

function ofSubquery(expression: Argument): Reference | Refusal {
  const subquery = subqueryOf(expression)
  if ('refused' in subquery) return subquery
  const { table, series, label, kind } = subquery
  return { table, series, column: JSON.stringify(expression), kind, label, subquery }
}

function sampleOf(series: string, field: string): Reference {
  return {
    table: 'timeseries',
    series,
    column: field,
    kind: sampleKind(field),
    label: field === 'value' ? series : `${series}.${field}`,
  }
}

const numericFields = ['value', 'duration', 'timezone_offset', 'systolic', 'diastolic']

/** The type of a sample's field. */
export const sampleKind = (field: string): Kind =>
  numericFields.includes(field) ? 'number' : field === 'tags' ? 'list' : 'text'

/** A column of a summary's table, including macros. */
export function findColumn(table: SummaryName, name: string): Column | undefined {
  if (table === 'sleep' && Object.hasOwn(macroColumns, name)) return macroColumns[name]
  return Object.hasOwn(columnsOf[table], name) ? columnsOf[table][name] : undefined
}
