import type { Column, Kind } from './column.ts'
import { columnsOf } from './columns.ts'
import type { Argument } from './expressions.ts'
import { sleepScore } from './macros.ts'
import { type TableName, tables } from './vocabulary.ts'

/** What an expression reads. */
export interface Reference {
  /** Null where it is the same of every table. */
  readonly table: TableName | null
  /** The series, under the name events use. */
  readonly series: string | null
  /** Null for the index, which is when a row is of. */
  readonly column: string | null
  readonly kind: Kind
  /** What the column of the answer is called. */
  readonly label: string
}

/** Why an expression cannot be answered. */
export interface Refusal {
  readonly refused: string
}

type SummaryName = Exclude<TableName, 'timeseries'>

/** What an expression reads, or why Petri cannot tell. */
export function referenceOf(expression: Argument): Reference | Refusal {
  const { index, source, timeseries, field, value_macro: macro } = expression
  if (typeof index === 'string') return indexOf(index as TableName)
  if (typeof source === 'string')
    return { table: null, series: null, column: source, kind: 'text', label: source }
  if (typeof timeseries === 'string') return sampleOf(timeseries, String(field))
  if (typeof macro === 'string') return macroOf(macro)
  const table = tables.find((name) => typeof expression[name] === 'string')
  if (table && table !== 'timeseries') return columnOf(table, String(expression[table]))
  return { refused: 'subqueries and placeholders are not supported by Petri' }
}

function indexOf(table: TableName): Reference | Refusal {
  if (table === 'derived_readiness') return noReadiness
  return { table, series: null, column: null, kind: 'text', label: 'timestamp' }
}

function columnOf(table: SummaryName, column: string): Reference | Refusal {
  if (table === 'derived_readiness') return noReadiness
  const kind = findColumn(table, column)?.kind ?? 'text'
  if (kind === 'list')
    return { refused: `${table}.${column} is a list, and subqueries are not supported by Petri` }
  return { table, series: null, column, kind, label: column }
}

const noReadiness: Refusal = { refused: 'derived_readiness is not supported by Petri' }

function macroOf(macro: string): Reference | Refusal {
  if (macro !== 'sleep_score') return { refused: `the macro ${macro} is not supported by Petri` }
  return { table: 'sleep', series: null, column: macro, kind: 'number', label: macro }
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

/** What a field of a sample holds. */
export const sampleKind = (field: string): Kind =>
  numericFields.includes(field) ? 'number' : field === 'tags' ? 'list' : 'text'

/** A column of a summary's table; the macros are columns beside those of the contract. */
export function findColumn(table: SummaryName, name: string): Column | undefined {
  if (table === 'sleep' && name === 'sleep_score') return sleepScore
  return Object.hasOwn(columnsOf[table], name) ? columnsOf[table][name] : undefined
}
