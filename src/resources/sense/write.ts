import type { Table } from './engine.ts'

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
