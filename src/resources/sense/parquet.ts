import { gzipSync } from 'node:zlib'
import type { Value } from './column.ts'

export const PARQUET = 'application/vnd.apache.parquet'
export const PARQUET_ARCHIVE = 'application/vnd.vital.tar+gzip+parquet'

type Table = Readonly<Record<string, readonly unknown[]>>

/** A table as a Parquet file with nullable columns. */
export async function parquetOf(table: Table): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import('hyparquet-writer')
  const columnData = Object.entries(table).map(([name, cells]) => ({
    name,
    data: cells as Value[],
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
