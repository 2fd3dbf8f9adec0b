import { JsonStreamError, readJsonStream } from '../../kernel/json-stream.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Tables } from '../../storage/rows.ts'
import { beginWork } from '../../world/long-work.ts'
import type { World } from '../../world/world.ts'
import { assertRow, assertTable } from './row-checks.ts'

/** The maximum length of a row, in characters: a row is parsed as a whole. */
const MAX_ROW_LENGTH = 4 * 1024 * 1024

/** The rows of a document as JSON, already checked. */
export class CheckedRows {
  readonly tables: Tables = new Map()
}

/** Reads an exported world from a stream and checks each row. The part about the organisation is ignored. */
export async function readDocument(chunks: AsyncIterable<Uint8Array>, world: World): Promise<unknown> {
  const head = new Map<string, unknown>()
  const rows = new CheckedRows()
  const progress = beginWork(world, 'import')
  try {
    await readJsonStream(chunks, {
      maxLength: MAX_ROW_LENGTH,
      isOpened: ([part, ...inside]) =>
        part === undefined ||
        (part === 'tables' && inside.length < 2) ||
        (part === 'organisation' && inside.length < 1),
      onValue([part, table, id], value) {
        if (part === undefined) {
          if (value !== undefined) head.set('', value)
        } else if (part === 'tables') {
          if (table === undefined) head.set(part, value ?? rows)
          else if (id === undefined) openTable(rows, table, value)
          else {
            putRow(rows, table, id, value)
            progress.add(1)
          }
        } else if (table === undefined) head.set(part, value ?? {})
      },
    })
  } catch (error) {
    if (error instanceof JsonStreamError) throw noJson(error)
    throw error
  } finally {
    progress.end()
  }
  return head.has('') ? head.get('') : Object.fromEntries(head)
}

function openTable({ tables }: CheckedRows, table: string, value: unknown): void {
  assertTable(table, value === undefined ? {} : value)
  if (!tables.has(table)) tables.set(table, new Map())
}

function putRow({ tables }: CheckedRows, table: string, id: string, value: unknown): void {
  assertRow(table, id, value)
  tables.get(table)?.set(id, JSON.stringify(value))
}

const noJson = ({ message, at }: JsonStreamError): Problem =>
  new Problem('invalid', [
    { type: 'json_invalid', loc: ['body', at], msg: message, input: {}, ctx: { error: message } },
  ])
