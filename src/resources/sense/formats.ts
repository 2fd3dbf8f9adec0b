import { gzipSync } from 'node:zlib'
import type { Table } from './engine.ts'

/** A table as a Parquet file with nullable columns. */
export async function parquetOf(table: Table): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import('hyparquet-writer')
  const columnData = Object.entries(table).map(([name, cells]) => ({
    name,
    data: cells,
    type: typeOf(cells),
    nullable: true,
  }))
  return new Uint8Array(parquetWriteBuffer({ columnData }))
}

/** Tables as Parquet files in one compressed archive, `0.parquet` first; stamped with an instant in milliseconds. */
export async function archiveOf(tables: readonly Table[], mtime: number): Promise<Uint8Array> {
  const { createTar } = await import('nanotar')
  const files = await Promise.all(
    tables.map(async (table, at) => ({
      name: `${at}.parquet`,
      data: await parquetOf(table),
      attrs: { mtime },
    })),
  )
  return gzipSync(createTar(files))
}

function typeOf(cells: readonly unknown[]): 'DOUBLE' | 'BOOLEAN' | 'STRING' | 'JSON' {
  const sample = cells.find((cell) => cell !== null)
  if (typeof sample === 'number') return 'DOUBLE'
  if (typeof sample === 'boolean') return 'BOOLEAN'
  return typeof sample === 'object' ? 'JSON' : 'STRING'
}

/** The number of cells in a chunk. */
const CELLS_AT_ONCE = 1000

/** The JSON of the answer to several queries, piece by piece. */
export function* writeTables(tables: readonly Table[]): Generator<string> {
  let before = '{"results":['
  for (const table of tables) {
    yield before
    yield* writeTable(table)
    before = ','
  }
  yield tables.length === 0 ? '{"results":[]}' : ']}'
}

/** The JSON of the answer to one query, piece by piece. */
export function* writeTable(table: Table): Generator<string> {
  let before = '{"table":{'
  for (const [name, cells] of Object.entries(table)) {
    yield `${before}${JSON.stringify(name)}:[`
    for (let at = 0; at < cells.length; at += CELLS_AT_ONCE)
      yield `${at === 0 ? '' : ','}${JSON.stringify(cells.slice(at, at + CELLS_AT_ONCE)).slice(1, -1)}`
    yield ']'
    before = ','
  }
  yield before === ',' ? '}}' : `${before}}}`
}
