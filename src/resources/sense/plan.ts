import { valueError } from '../../api/issue.ts'
import type { Parsed } from '../../api/schema.ts'
import { Problem } from '../../kernel/problem.ts'
import { aggregates } from './aggregate.ts'
import type { Period } from './calendar.ts'
import type { Argument } from './expressions.ts'
import { findColumn, type Reference, referenceOf, sampleKind } from './reference.ts'
import type { Query } from './schema.ts'
import type { Subquery } from './subquery.ts'
import {
  type DatePart,
  type Func,
  series as kindsOfSeries,
  seriesFields,
  sourceFields,
  type TableName,
} from './vocabulary.ts'
import { type Named, readWhere, type Where, WhereFault } from './where.ts'

/** A group key. */
export type Key =
  | { readonly by: 'trunc'; readonly period: Period }
  | { readonly by: 'part'; readonly part: DatePart }
  | { readonly by: 'column'; readonly column: string }

/** A column of the answer. */
export type Output = { readonly name: string } & (
  | { readonly of: 'key'; readonly ordinal: number }
  | { readonly of: 'index' }
  | { readonly of: 'column'; readonly column: string }
  | { readonly of: 'aggregate'; readonly func: Func; readonly column: string | null }
)

/** How the empty groups of a query by time are filled. */
export interface Carry {
  readonly mode: 'carry_forward' | 'carry_backward' | 'carry_nearest'
  /** The maximum distance of the copied value; null for no limit. */
  readonly within: Period | null
}

/** A validated query, and the data it reads. */
export interface Plan {
  readonly table: TableName
  /** The series as named in events; null for a summary. */
  readonly series: string | null
  /** The columns that are read. */
  readonly columns: readonly string[]
  readonly keys: readonly Key[]
  readonly outputs: readonly Output[]
  /** Whether rows are aggregated. */
  readonly isFolded: boolean
  readonly where: Where | null
  /** By the name of their column. */
  readonly subqueries: ReadonlyMap<string, Subquery>
  readonly carry: Carry | null
}

type Loc = readonly (string | number)[]
type ReadQuery = Parsed<typeof Query>

/** Plans a query. Throws all errors with their locations in the body. */
export function planQuery(query: ReadQuery, loc: Loc = ['body', 'queries', 0]): Plan {
  const planning = new Planning(loc)
  const keys = query.group_by.flatMap((item, at) => planning.key(item, ['group_by', at]))
  const columns = query.select.map((item, at) => planning.output(item, keys.length, ['select', at]))
  const outputs = columns.flat()
  const isFolded = keys.length > 0 || outputs.some((output) => output.of === 'aggregate')
  if (keys.filter(({ by }) => by === 'trunc').length > 1)
    planning.reject(['group_by'], 'a query groups by at most one date_trunc', query.group_by)
  if (query.align && !keys.some(({ by }) => by === 'trunc'))
    planning.reject(['align'], 'align needs a date_trunc in group_by', query.align)
  if (!planning.table) planning.reject(['select'], 'no expression names a table', query.select)
  else if (planning.table === 'timeseries' && !planning.series)
    planning.reject(['select'], 'no expression names a timeseries', query.select)
  const where = query.where ? planning.where(query.where) : null
  if (isFolded) {
    for (const [at, [output]] of columns.entries()) {
      if (output?.of !== 'index' && output?.of !== 'column') continue
      const reason = `${output.name} has many values: aggregate it, or group by it and select its group_key`
      planning.reject(['select', at], reason, query.select[at])
    }
  }
  return { ...planning.done(), keys, outputs, isFolded, where, carry: carryOf(query.align) }
}

/** Collects the data a query reads, and its errors. */
class Planning {
  readonly #loc: Loc
  readonly #entries: object[] = []
  readonly #columns = new Set<string>()
  readonly #subqueries = new Map<string, Subquery>()
  table: TableName | null = null
  series: string | null = null

  constructor(loc: Loc) {
    this.#loc = loc
  }

  reject(path: Loc, reason: string, input: unknown): [] {
    const { type, msg, ctx } = valueError(reason)
    this.#entries.push({ type, loc: [...this.#loc, ...path], msg, input, ctx })
    return []
  }

  key(item: Argument, path: Loc): Key[] {
    const { date_trunc: period, date_part: part, arg } = item
    // A placeholder stands for the index of the query's table.
    if ((arg as Argument | undefined)?.placeholder)
      return [period ? { by: 'trunc', period: period as Period } : { by: 'part', part: part as DatePart }]
    const reference = this.#read((arg ?? item) as Argument, path)
    if (!reference) return []
    if (period) return [{ by: 'trunc', period: period as Period }]
    if (part) return [{ by: 'part', part: part as DatePart }]
    if (reference.kind === 'list') return this.reject(path, `${reference.label} is a list`, item)
    return [{ by: 'column', column: reference.column ?? '' }]
  }

  output(item: Argument, keyCount: number, path: Loc): Output[] {
    const { group_key: key, func, arg } = item
    if (key !== undefined) return this.#keyColumns(key as number | '*', keyCount, path)
    const reference = this.#read((arg ?? item) as Argument, path)
    if (!reference) return []
    const { label, column, kind } = reference
    if (func !== undefined) {
      const { takes } = aggregates[func as Func]
      if (!takes.includes(kind))
        return this.reject(path, `${func} takes numbers, and ${label} is a ${kind}`, item)
      return [{ of: 'aggregate', name: `${func}.${label}`, func: func as Func, column }]
    }
    return [column === null ? { of: 'index', name: label } : { of: 'column', name: label, column }]
  }

  where(text: string): Where | null {
    try {
      const where = readWhere(text, (name) => this.#named(name))
      for (const column of where.columns) this.#columns.add(column)
      return where
    } catch (error) {
      if (!(error instanceof WhereFault)) throw error
      this.reject(['where'], error.message, text)
      return null
    }
  }

  done(): Pick<Plan, 'table' | 'series' | 'columns' | 'subqueries'> {
    const { table, series } = this
    if (this.#entries.length > 0 || !table) throw new Problem('invalid', this.#entries)
    return { table, series, columns: [...this.#columns], subqueries: this.#subqueries }
  }

  #keyColumns(key: number | '*', keyCount: number, path: Loc): Output[] {
    if (key !== '*' && (key < 0 || key >= keyCount)) {
      return this.reject(path, `there is no group key ${key}: group_by has ${keyCount}`, { group_key: key })
    }
    const ordinals = key === '*' ? Array.from({ length: keyCount }, (_, at) => at) : [key]
    return ordinals.map((ordinal) => ({ of: 'key', name: `group_key.${ordinal}`, ordinal }))
  }

  #read(expression: Argument, path: Loc): Reference | undefined {
    const reference = referenceOf(expression)
    if ('refused' in reference) {
      this.reject(path, reference.refused, expression)
      return undefined
    }
    const { table, series, column, subquery } = reference
    if (column !== null && subquery) this.#subqueries.set(column, subquery)
    this.table ??= table
    this.series ??= series
    if (table && table !== this.table)
      this.reject(path, `a query reads one table, and this one reads ${this.table}, not ${table}`, expression)
    else if (series && series !== this.series)
      this.reject(path, `a query reads one timeseries, here ${this.series}, not ${series}`, expression)
    else if (column !== null) this.#columns.add(column)
    return reference
  }

  /** A column in a condition: its name, or its table or series and its name. */
  #named(name: string): Named | undefined {
    const { table, series } = this
    if (!table) return undefined
    if (name === series) return { column: 'value', kind: 'number' }
    const column = name.slice(name.lastIndexOf('.') + 1)
    const before = name.slice(0, Math.max(0, name.length - column.length - 1))
    if (before !== '' && before !== table && before !== series && before !== 'source') return undefined
    if ((sourceFields as readonly string[]).includes(column)) return { column, kind: 'text' }
    if (table !== 'timeseries') {
      const found = findColumn(table, column)
      return found && { column, kind: found.kind }
    }
    return fieldsOf(series ?? '').includes(column) ? { column, kind: sampleKind(column) } : undefined
  }
}

function carryOf(align: ReadQuery['align']): Carry | null {
  if (!align) return null
  const { mode, max_age, span } = align.carry as Pick<Carry, 'mode'> & {
    readonly max_age?: Period | null
    readonly span?: Period | null
  }
  return { mode, within: max_age ?? span ?? null }
}

function fieldsOf(series: string): readonly string[] {
  const kinds = Object.keys(kindsOfSeries) as (keyof typeof kindsOfSeries)[]
  const kind = kinds.find((one) => (kindsOfSeries[one] as readonly string[]).includes(series))
  return kind ? seriesFields[kind] : []
}
