import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type * as z from 'zod'
import { isBuilt } from './built.ts'
import { type DeepReadonly, isObject, type JsonObject } from './json.ts'
import { perOwner } from './kept.ts'
import { didYouMean } from './nearest.ts'
import { packageFolder } from './package-folder.ts'
import { whyUnread } from './reason.ts'
import { readUserFile } from './user-file.ts'
import { yaml } from './yaml.ts'

/** An invalid seed file. */
export class BadSeed extends Error {
  override readonly name = 'BadSeed'
  constructor(file: string, reason: string) {
    super(`${file}: ${reason}`)
  }
}

/** A file of `seeds/` that folders of users change and extend. */
export interface SeedTable<Row = unknown, Name extends string = string> {
  /** Without its extension. */
  readonly name: Name
  readonly schema: () => z.ZodType<Row>
  /** The cells that identify a row. */
  readonly key: readonly string[]
}

export const seedTable = <Schema extends z.ZodType, const Name extends string>(
  name: Name,
  schema: () => Schema,
  ...key: readonly (keyof z.input<Schema> & string)[]
): SeedTable<DeepReadonly<z.output<Schema>>, Name> => ({
  name,
  schema: schema as () => z.ZodType<DeepReadonly<z.output<Schema>>>,
  key,
})

/** The type of the rows that a schema describes. */
export type SeedRow<Schema extends () => z.ZodType> = DeepReadonly<z.output<ReturnType<Schema>>>

/** A map with a row for each of its keys. */
export interface CompleteMap<Key extends string, Row> extends ReadonlyMap<Key, Row> {
  get(key: Key): Row
}

/** A file of `seeds/` that belongs to the program, by its keys. Tests and the build check its rows; a start does not. */
export function bundledTable<Rows extends object, Schema extends z.ZodType>(
  file: string,
  rows: Rows,
  schema: () => Schema,
): CompleteMap<keyof Rows & string, DeepReadonly<z.output<Schema>>> {
  const entries = Object.entries(rows)
  const row = isBuilt ? undefined : schema()
  for (const [key, cells] of entries) {
    const error = row?.safeParse(cells).error
    if (error) throw new BadSeed(file, `${[key, ...pathOf(error)].join('.')}: ${problemOf(error)}`)
  }
  const table: ReadonlyMap<string, unknown> = new Map(entries)
  return table as CompleteMap<keyof Rows & string, DeepReadonly<z.output<Schema>>>
}

/**
 * The rows of a table by their keys. A row of a later folder changes the cells that it has in the row of the same key, and is
 * added where there is none; a complete list replaces all rows. Bundled rows alone come validated from the build.
 */
export function readSeeds<Row>(table: SeedTable<Row>, folders: readonly string[]): ReadonlyMap<string, Row> {
  const files = folders.map((folder) => fileOf(folder, table)).filter((file) => existsSync(file))
  return files.length > 0 ? parseFiles(table, files) : (bundledRows(table) as ReadonlyMap<string, Row>)
}

/** The bundled rows of a table, which are read once. */
const bundledRows = perOwner(
  (table: SeedTable): ReadonlyMap<string, unknown> =>
    isBuilt ? readBuilt(fileOf(packageFolder('dist/seeds'), table)) : parseFiles(table, []),
)

function parseFiles<Row>(table: SeedTable<Row>, files: readonly string[]): ReadonlyMap<string, Row> {
  const rows = mergeRows(table, [fileOf(packageFolder('seeds'), table), ...files])
  return new Map([...rows].map(([key, row]) => [key, parseRow(table.schema(), row)]))
}

const fileOf = (folder: string, { name }: Pick<SeedTable, 'name'>) => join(folder, `${name}.json`)

const readBuilt = (file: string): ReadonlyMap<string, unknown> =>
  new Map(existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as [string, unknown][]) : [])

/** Throws for a folder without a seed file, or with a file of an unknown name, which would never be read. */
export function assertSeedFolder(folder: string, names: readonly string[]): void {
  if (!existsSync(folder)) throw new BadSeed(folder, 'there is no such folder')
  if (!statSync(folder).isDirectory()) throw new BadSeed(folder, 'this is a file, not a folder of seeds')
  const known = names.map((name) => `${name}.json`)
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  const stray = files.find((name) => !known.includes(name))
  if (stray !== undefined)
    throw new BadSeed(
      join(folder, stray),
      `no seeds are read from a file of this name.${didYouMean(stray, known)}`,
    )
  if (files.length === 0)
    throw new BadSeed(folder, `there is no seed file, such as ${known[0]}, in this folder`)
}

/** A row as the files write it, and where its latest cells are. */
interface WrittenRow {
  readonly file: string
  readonly at: number
  readonly cells: JsonObject
}

function mergeRows({ key }: SeedTable, files: readonly string[]): ReadonlyMap<string, WrittenRow> {
  const rows = new Map<string, WrittenRow>()
  for (const file of files.filter((each) => existsSync(each))) {
    const list = readList(file)
    if (list.complete) rows.clear()
    const ids = new Set<string>()
    for (const [at, cells] of list.rows.entries()) {
      if (!isObject(cells)) throw badRow(file, [at], 'should be an object')
      const missing = key.find((cell) => cells[cell] === undefined)
      if (missing !== undefined) throw badRow(file, [at], `${missing} is missing`)
      const id = key.map((cell) => String(cells[cell])).join('/')
      if (ids.has(id)) throw badRow(file, [at], `${id} is there twice`)
      ids.add(id)
      rows.set(id, { file, at, cells: { ...rows.get(id)?.cells, ...cells } })
    }
  }
  return rows
}

function parseRow<Row>(schema: z.ZodType<Row>, { file, at, cells }: WrittenRow): Row {
  const { success, data, error } = schema.safeParse(cells)
  if (success) return data
  throw badRow(file, [at, ...pathOf(error)], problemOf(error))
}

const pathOf = ({ issues }: z.ZodError): string[] => (issues[0]?.path ?? []).map(String)
const problemOf = ({ issues }: z.ZodError): string => issues[0]?.message ?? 'malformed'

/** The content of a seed file. */
interface SeedList {
  readonly rows: readonly unknown[]
  /** Whether no other rows are used. */
  readonly complete: boolean
}

/** The longest file of seeds, in bytes: a hundred times the longest bundled one. */
const MAX_SEED_BYTES = 256 * 1024 * 1024

function readList(file: string): SeedList {
  let content: unknown
  try {
    content = JSON.parse(readUserFile(file, MAX_SEED_BYTES).toString('utf8'))
  } catch (error) {
    throw new BadSeed(file, whyUnread(error))
  }
  if (Array.isArray(content)) return { rows: content, complete: false }
  if (!isObject(content) || !Array.isArray(content.rows)) throw new BadSeed(file, 'should be a list of rows')
  const { rows, complete, ...others } = content
  const [stray] = Object.keys(others)
  if (stray !== undefined) throw new BadSeed(file, `${stray} is unknown next to rows and complete`)
  if (typeof complete !== 'boolean') throw new BadSeed(file, 'complete should be true or false')
  return { rows, complete }
}

/** An error of a row or of a cell in it, by its number in the file. */
function badRow(file: string, [at, ...cell]: readonly [number, ...string[]], message: string): BadSeed {
  const where = [`row ${at + 1}`, ...cell].join('.')
  return new BadSeed(file, `${where}: ${message} (line ${lineOf(file, [at, ...cell])})`)
}

/** The line of a value in a list of rows, or of the object that lacks it. */
function lineOf(file: string, path: readonly (string | number)[]): number {
  const { isNode, isSeq, LineCounter, parseDocument } = yaml()
  const lineCounter = new LineCounter()
  const document = parseDocument(readUserFile(file, MAX_SEED_BYTES).toString('utf8'), { lineCounter })
  const root = isSeq(document.contents) ? [] : ['rows']
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn([...root, ...path.slice(0, length)], true)
    if (isNode(node) && node.range) return lineCounter.linePos(node.range[0]).line
  }
  return 1
}
