import { aggregates } from './aggregate.ts'
import type { Kind, Refusal, Value } from './column.ts'
import type { Argument } from './expressions.ts'
import { cycleLists, type Func, type TableName } from './vocabulary.ts'
import { readWhere, type Where, WhereFault } from './where.ts'

/** Reduces a list in each row to one value. */
export interface Subquery {
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

/** Reads `{select: {func, arg}, from: {unnest}, where}`, or says why it cannot be answered. */
export function subqueryOf({ select, from, where }: Argument): Subquery | Refusal {
  const { func = 'count', arg } = select as { readonly func?: Func; readonly arg?: Argument | null }
  const source = sourceOf((from as Argument).unnest as Argument | undefined, arg)
  if (!source) return { refused: 'from names no list' }
  const field = fieldOf(arg)
  const fields = fieldsOf(source)
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

const fieldsOf = ({ list }: Source): readonly string[] =>
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
