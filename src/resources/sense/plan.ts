import { valueError } from '../../api/issue.ts'
import type { Parsed } from '../../api/schema.ts'
import { isOneOf } from '../../kernel/compare.ts'
import { keysOf } from '../../kernel/fields.ts'
import { Problem } from '../../kernel/problem.ts'
import { aggregates } from './aggregate.ts'
import type { Period } from './calendar.ts'
import { type Column, columnsOf, type Kind, macroColumns, type Refusal, type Value } from './columns.ts'
import type { Argument } from './expressions.ts'
import type { Query } from './schema.ts'
import {
  cycleLists,
  type DatePart,
  type Func,
  series as kindsOfSeries,
  seriesFields,
  sourceFields,
  type TableName,
  tables,
} from './vocabulary.ts'
import { type Named, readWhere, type Where, WhereFault } from './where.ts'

/** The column an expression reads. */
interface Reference {
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
function referenceOf(expression: Argument): Reference | Refusal {
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
function sampleKind(field: string): Kind {
  if (numericFields.includes(field)) return 'number'
  return field === 'tags' ? 'list' : 'text'
}

/** A column of a summary's table, including macros. */
export function findColumn(table: SummaryName, name: string): Column | undefined {
  if (table === 'sleep' && Object.hasOwn(macroColumns, name)) return macroColumns[name]
  return Object.hasOwn(columnsOf[table], name) ? columnsOf[table][name] : undefined
}

/** Reduces a list in each row to one value. */
interface Subquery {
  readonly table: TableName
  readonly series: string | null
  /** The list. */
  readonly list: string
  /** The name of the column in the answer. */
  readonly label: string
  readonly kind: Kind
  /** Computes the value from the list of a row. */
  readonly of: (list: unknown) => Value
}

/** The name, in a condition, of an element that is not an object. */
const ELEMENT = 'element'

/** Reads `{select: {func, arg}, from: {unnest}, where}`, or returns why it is not supported. */
function subqueryOf({ select, from, where }: Argument): Subquery | Refusal {
  const { func = 'count', arg } = select as { readonly func?: Func; readonly arg?: Argument | null }
  const source = sourceOf((from as Argument).unnest as Argument | undefined, arg)
  if (!source) return { refused: 'from names no list' }
  const field = fieldOf(arg)
  const fields = elementFields(source)
  if (field !== null && !fields.includes(field))
    return { refused: `the elements of ${source.list} have no ${field}` }
  const kind = field !== null && isNumeric(source.list, field) ? 'number' : 'text'
  const { takes } = aggregates[func]
  if (!takes.includes(kind)) return { refused: `${func} takes numbers, and ${field} is a ${kind}` }
  const condition = typeof where === 'string' ? conditionOf(where, source.list, fields) : null
  if (condition && 'refused' in condition) return condition
  return {
    ...source,
    label: `${func}.${source.list}${field === null || field === ELEMENT ? '' : `.${field}`}`,
    kind: func === 'count' ? 'number' : kind,
    of(list) {
      const elements: readonly unknown[] = Array.isArray(list) ? list : []
      const rows = elements
        .map((element) => cellsOf(element, fields))
        .filter((cells) => !condition || condition.condition(cells) === true)
      const cells = field === null ? rows.map(() => 1) : rows.map((row) => row[field] ?? null)
      return aggregates[func].of(cells.filter((cell) => cell !== null))
    },
  }
}

type Source = Pick<Subquery, 'table' | 'series' | 'list'>

/** The named list, or the list whose elements have the selected field. */
function sourceOf(unnest: Argument | undefined, arg: Argument | null | undefined): Source | undefined {
  const named = unnest?.menstrual_cycle ?? (unnest ? undefined : listOf(arg))
  if (typeof named === 'string' && Object.hasOwn(cycleLists, named))
    return { table: 'menstrual_cycle', series: null, list: named }
  const { timeseries, field } = unnest ?? {}
  return timeseries === 'note' && field === 'tags'
    ? { table: 'timeseries', series: 'note', list: 'tags' }
    : undefined
}

const listOf = (arg: Argument | null | undefined) =>
  Object.keys(arg ?? {}).find((key) => Object.hasOwn(cycleLists, key))

function fieldOf(arg: Argument | null | undefined): string | null {
  if (!arg) return null
  const list = listOf(arg)
  return list === undefined ? ELEMENT : String(arg[list])
}

const elementFields = ({ list }: Source): readonly string[] =>
  Object.hasOwn(cycleLists, list) ? cycleLists[list as keyof typeof cycleLists] : [ELEMENT]

const isNumeric = (list: string, field: string) => list === 'basal_body_temperature' && field === 'value'

function cellsOf(element: unknown, fields: readonly string[]): Record<string, Value> {
  if (typeof element !== 'object' || element === null) return { [ELEMENT]: element as Value }
  const item = element as Record<string, Value | undefined>
  return Object.fromEntries(fields.map((field) => [field, item[field] ?? null]))
}

function conditionOf(text: string, list: string, fields: readonly string[]): Where | Refusal {
  try {
    return readWhere(text, (name) => {
      const column = name.slice(name.lastIndexOf('.') + 1)
      return fields.includes(column)
        ? { column, kind: isNumeric(list, column) ? 'number' : 'text' }
        : undefined
    })
  } catch (error) {
    if (error instanceof WhereFault) return { refused: error.message }
    throw error
  }
}

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
    if (isOneOf(sourceFields, column)) return { column, kind: 'text' }
    if (table !== 'timeseries') {
      const found = findColumn(table, column)
      return found && { column, kind: found.kind }
    }
    return fieldsOfSeries(series ?? '').includes(column) ? { column, kind: sampleKind(column) } : undefined
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

function fieldsOfSeries(series: string): readonly string[] {
  const kinds = keysOf(kindsOfSeries)
  const kind = kinds.find((one) => isOneOf<string>(kindsOfSeries[one], series))
  return kind ? seriesFields[kind] : []
}
