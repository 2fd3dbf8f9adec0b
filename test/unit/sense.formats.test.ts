import { gunzipSync } from 'node:zlib'
import { parquetReadObjects } from 'hyparquet'
import { parseTar } from 'nanotar'
import { describe, expect, it } from 'vitest'
import { archiveOf, parquetOf } from '../../src/resources/sense/formats.ts'

const read = (bytes: Uint8Array) => parquetReadObjects({ file: new Uint8Array(bytes).buffer })

describe('a Parquet file', () => {
  it.each([
    ['numbers', [null, 1.5, 2]],
    ['texts', ['a', null, 'b']],
    ['truth', [null, true, false]],
    ['lists', [null, ['a', 'b'], []]],
    ['nothing', [null, null]],
  ])('has cells of %s, which may be empty', async (name, cells) => {
    const rows = await read(await parquetOf({ [name]: cells }))
    expect(rows.map((row) => row[name] ?? null)).toEqual(cells)
  })

  it('has a column for each of a table', async () => {
    expect(await read(await parquetOf({ a: [1, 2], b: ['x', null] }))).toEqual([
      { a: 1, b: 'x' },
      { a: 2, b: null },
    ])
  })

  it('is in an archive with the others, numbered and stamped', async () => {
    const archive = await archiveOf([{ a: [1] }, { b: ['x'] }], 1_767_603_600_000)
    const files = parseTar(new Uint8Array(gunzipSync(archive)))
    expect(files.map(({ name, attrs }) => [name, attrs?.mtime])).toEqual([
      ['0.parquet', 1_767_603_600],
      ['1.parquet', 1_767_603_600],
    ])
    expect(await Promise.all(files.map(({ data }) => read(data ?? new Uint8Array())))).toEqual([
      [{ a: 1 }],
      [{ b: 'x' }],
    ])
  })
})
