import { tooLongList } from '../../api/issue.ts'
import { jsonLimits } from '../../api/limits.ts'
import { isObject } from '../../kernel/json.ts'
import { readJsonStream } from '../../kernel/json-stream.ts'
import { didYouMean } from '../../kernel/nearest.ts'
import { Problem } from '../../kernel/problem.ts'
import { clockRow } from '../../scheduler/clock-row.ts'
import { type Job, jobs } from '../../scheduler/job.ts'
import type { Tables } from '../../storage/rows.ts'
import type { AnyTable } from '../../storage/table.ts'
import { beginWork } from '../../world/long-work.ts'
import { settings } from '../../world/settings.ts'
import type { World } from '../../world/world.ts'
import { STATE_FORMAT } from './schema.ts'

/** The maximum length of a row, in characters: a row is parsed as a whole. */
const MAX_ROW_LENGTH = 4 * 1024 * 1024
/** Limits of a row. */
const rowLimits = { ...jsonLimits, fields: 10 * jsonLimits.fields }

/** Tables that the document has in fields of their own, not under `tables`. */
export const SEPARATE_TABLES: ReadonlySet<string> = new Set([settings.name, clockRow.name])

/** The rows of a document as JSON, already checked. */
export class CheckedRows {
  readonly tables: Tables = new Map()
}

/** A function that reads an exported world from a stream and checks each row. The part about the organisation is ignored. */
export function documentReader(known: readonly AnyTable[]) {
  const tables = new Map(known.map((table) => [table.name, table]))
  for (const name of SEPARATE_TABLES) tables.delete(name)
  return async (chunks: AsyncIterable<Uint8Array>, world: World): Promise<unknown> => {
    const head = new Map<string, unknown>()
    const rows = new CheckedRows()
    let whole: unknown
    const progress = beginWork(world, 'import')
    try {
      await readJsonStream(chunks, {
        maxLength: MAX_ROW_LENGTH,
        limits: rowLimits,
        isOpened: ([part, ...inside], kind) =>
          kind === 'object' &&
          (part === undefined ||
            (part === 'tables' && inside.length < 2) ||
            (part === 'organisation' && inside.length < 1)),
        onValue([part, name, id], value) {
          if (head.size > jsonLimits.fields) throw tooManyFields()
          if (part === 'format') assertFormat(value)
          if (part === undefined) whole = value
          else if (name === undefined) head.set(part, value ?? (part === 'tables' ? rows : {}))
          else if (part === 'tables') {
            const table = tables.get(name) ?? unknownTable(name, [...tables.keys()])
            if (id === undefined) openTable(rows, table, value)
            else {
              assertRow(table, id, value)
              if (name === jobs.name) assertKind(id, (value as Job).kind, world.agenda.kinds)
              rows.tables.get(name)?.set(id, JSON.stringify(value))
              progress.add(1)
            }
          }
        },
      })
    } finally {
      progress.end()
    }
    return whole === undefined ? Object.fromEntries(head) : whole
  }
}

/** Other formats have other rows. A format that is not a number is left to the schema. */
function assertFormat(format: unknown): void {
  if (typeof format === 'number' && format !== STATE_FORMAT)
    throw invalid(
      ['format'],
      `The export has format ${format}, and this Petri reads format ${STATE_FORMAT}. Import it with the version of Petri that wrote it, or export the world again with this one.`,
    )
}

function unknownTable(name: string, names: readonly string[]): never {
  throw invalidRow([name], `There is no table "${name}".${didYouMean(name, names)}`)
}

/** `value` is undefined for an object, whose rows follow. */
function openTable({ tables }: CheckedRows, { name }: AnyTable, value: unknown): void {
  if (value !== undefined) throw invalidRow([name], NOT_AN_OBJECT)
  if (!tables.has(name)) tables.set(name, new Map())
}

function assertRow({ name, schema, idOf }: AnyTable, id: string, row: unknown): void {
  if (!isObject(row)) throw invalidRow([name, id], NOT_AN_OBJECT)
  const [issue] = schema().safeParse(row).error?.issues ?? []
  if (issue) throw invalidRow([name, id, ...issue.path.map(String)], issue.message)
  if (idOf(row as never) !== id) throw invalidRow([name, id], 'The row has another id')
}

function assertKind(id: string, kind: string, kinds: ReadonlyMap<string, unknown>): void {
  if (!kinds.has(kind))
    throw invalidRow(
      [jobs.name, id, 'kind'],
      `There are no jobs of kind "${kind}".${didYouMean(kind, [...kinds.keys()])}`,
    )
}

const NOT_AN_OBJECT = 'Input should be a valid dictionary'

const invalidRow = (path: readonly string[], message: string): Problem =>
  invalid(['tables', ...path], message)

const invalid = (path: readonly string[], message: string): Problem =>
  new Problem('invalid', [{ type: 'value_error', loc: ['body', ...path], msg: message, input: null }])

const tooManyFields = (): Problem =>
  new Problem('invalid', [
    { ...tooLongList(jsonLimits.fields, undefined, 'Dictionary'), loc: ['body'], input: null },
  ])
