import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type * as z from 'zod'
import type { LazySchema } from '../../api/schema.ts'
import { isBuilt } from '../../kernel/built.ts'
import { isObject } from '../../kernel/json.ts'
import { didYouMean } from '../../kernel/nearest.ts'
import { once } from '../../kernel/once.ts'
import { packageFolder } from '../../kernel/package-folder.ts'
import { whyUnreadable } from '../../kernel/reason.ts'
import { readUserFile } from '../../kernel/user-file.ts'
import { yaml } from '../../kernel/yaml.ts'

/** An invalid seed file. */
export class BadSeed extends Error {
  override readonly name = 'BadSeed'
  constructor(file: string, reason: string) {
    super(`${file}: ${reason}`)
  }
}

/** The files a folder of seeds may have. */
export const seedFileNames = [
  'labs',
  'lab-profiles',
  'units',
  'analytes',
  'panels',
  'results',
  'markers',
  'orderables',
  'lab-tests',
  'lab-accounts',
  'payors',
  'diagnoses',
  'diagnosis-excludes',
  'cancer-signal-origins',
  'turnarounds',
  'psc-sites',
  'phlebotomy-areas',
  'area-info',
  'psc-info',
  'towns',
  'homes',
  'providers',
  'provider-traits',
] as const

/** The build writes them validated, with their defaults. */
export const bundledSeeds = (): string => packageFolder(isBuilt ? 'dist/seeds' : 'seeds')

/** Throws for a file with an unknown name, which would never be read. */
export function assertSeedFolder(folder: string): void {
  if (!existsSync(folder)) throw new BadSeed(folder, 'there is no such folder')
  if (!statSync(folder).isDirectory()) throw new BadSeed(folder, 'this is a file, not a folder of seeds')
  const known = seedFileNames.map((name) => `${name}.json`)
  const stray = readdirSync(folder).find((name) => name.endsWith('.json') && !known.includes(name))
  if (stray !== undefined)
    throw new BadSeed(
      join(folder, stray),
      `no seeds are read from a file of this name.${didYouMean(stray, known)}`,
    )
}

/** Reads one seed file of every folder; a row of a later folder replaces the one of the same id, a complete list all rows. */
export function readSeeds<Schema extends z.ZodType>(
  folders: readonly string[],
  name: string,
  schema: LazySchema<Schema>,
  idOf: (row: z.output<Schema>) => string,
): ReadonlyMap<string, z.output<Schema>> {
  const rows = new Map<string, z.output<Schema>>()
  for (const folder of folders) {
    const file = join(folder, name)
    if (!existsSync(file)) continue
    const isValid = isBuilt && folder === bundledSeeds()
    const ids = new Set<string>()
    const list = readList(file)
    if (list.complete) rows.clear()
    for (const [at, input] of list.rows.entries()) {
      const row = isValid ? (input as z.output<Schema>) : readRow(file, at, schema(), input)
      const id = idOf(row)
      if (ids.has(id)) throw new BadSeed(file, `row ${at + 1}: ${id} is there twice`)
      ids.add(id)
      rows.set(id, row)
    }
  }
  return rows
}

/** Readers of the files of some folders; each reads its file when it is first called. */
export const seedReader =
  (folders: readonly string[]) =>
  <Schema extends z.ZodType>(
    name: string,
    schema: LazySchema<Schema>,
    idOf: (row: z.output<Schema>) => string,
  ) =>
    once(() => readSeeds(folders, name, schema, idOf))

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
    throw new BadSeed(file, whyUnreadable(file, error).replace(`${file} `, ''))
  }
  if (Array.isArray(content)) return { rows: content, complete: false }
  if (!isObject(content) || !Array.isArray(content.rows)) throw new BadSeed(file, 'should be a list of rows')
  const { rows, complete, ...others } = content
  const [stray] = Object.keys(others)
  if (stray !== undefined) throw new BadSeed(file, `${stray} is unknown next to rows and complete`)
  if (typeof complete !== 'boolean') throw new BadSeed(file, 'complete should be true or false')
  return { rows, complete }
}

function readRow<Schema extends z.ZodType>(
  file: string,
  at: number,
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  const { success, data, error } = schema.safeParse(input)
  if (success) return data
  const [issue] = error.issues
  const path = (issue?.path ?? []).map(String)
  const where = [`row ${at + 1}`, ...path].join('.')
  throw new BadSeed(file, `${where}: ${issue?.message ?? 'malformed'} (line ${lineOf(file, [at, ...path])})`)
}

/** The line of a value in a list of rows, or of the object that lacks it. */
function lineOf(file: string, path: (string | number)[]): number {
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
