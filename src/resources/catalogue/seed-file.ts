import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import type { LazySchema } from '../../api/schema.ts'
import { didYouMean } from '../../kernel/nearest.ts'

/** An invalid seed file. */
export class BadSeed extends Error {
  override readonly name = 'BadSeed'
  constructor(file: string, reason: string) {
    super(`${file}: ${reason}`)
  }
}

/** The files a folder of seeds may have. */
export const seedFileNames = [
  ...([
    'labs',
    'analytes',
    'panels',
    'results',
    'markers',
    'orderables',
    'lab-tests',
    'lab-accounts',
  ] as const),
  ...(['payors', 'diagnoses', 'diagnosis-excludes', 'cancer-signal-origins'] as const),
  ...(['psc-sites', 'psc-density', 'phlebotomy-areas', 'zip-places'] as const),
] as const

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

/** Reads one seed file of every folder; a row of a later folder replaces the one of the same id. */
export function readSeeds<Schema extends z.ZodType>(
  folders: readonly string[],
  name: string,
  schema: LazySchema<Schema>,
  idOf: (row: z.output<Schema>) => string,
): ReadonlyMap<string, z.output<Schema>> {
  const rows = new Map<string, z.output<Schema>>()
  for (const file of folders.map((folder) => join(folder, name)).filter((path) => existsSync(path))) {
    const ids = new Set<string>()
    for (const [at, input] of readArray(file).entries()) {
      const row = readRow(file, at, schema(), input)
      const id = idOf(row)
      if (ids.has(id)) throw new BadSeed(file, `row ${at + 1}: ${id} is there twice`)
      ids.add(id)
      rows.set(id, row)
    }
  }
  return rows
}

function readArray(file: string): unknown[] {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new BadSeed(file, (error as Error).message)
  }
  if (!Array.isArray(content)) throw new BadSeed(file, 'should be a list of rows')
  return content
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
  const where = [`row ${at + 1}`, ...(issue?.path ?? []).map(String)].join('.')
  throw new BadSeed(file, `${where}: ${issue?.message ?? 'malformed'}`)
}
