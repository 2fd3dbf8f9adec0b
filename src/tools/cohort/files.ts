import { type FileHandle, mkdir, open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { stringify } from 'csv-stringify/sync'
import { version } from '../../api/version.ts'
import { type JsonObject, parseJson } from '../../kernel/json.ts'
import { compact } from '../../kernel/list.ts'
import { codeOf, whyUnreadable } from '../../kernel/reason.ts'
import { CliError } from '../../terminal/errors.ts'
import { writeWhole } from '../../terminal/whole-file.ts'
import type { CohortPlan } from './plan.ts'

/** The content of a folder, and how much of it is complete. Without times, so that the same plan gives the same bytes. */
export interface Manifest {
  readonly petri: string
  readonly contract: string
  readonly plan: CohortPlan
  /** The number of people whose rows are in all files. */
  readonly people: number
  readonly files: Readonly<Record<string, FileSize>>
}

interface FileSize {
  readonly rows: number
  readonly bytes: number
}

const MANIFEST = 'manifest.json'

/** The manifest of a folder; a new one if it is empty or missing. Writes nothing. */
export async function readManifest(folder: string, plan: CohortPlan): Promise<Manifest> {
  const fresh = { petri: version.petri, contract: version.contract, plan, people: 0, files: {} }
  const names = await namesIn(folder)
  if (names.length === 0) return fresh
  if (!names.includes(MANIFEST))
    throw new CliError(`${folder} has files of something else. Choose another folder.`)
  const known = parseJson(await readFile(join(folder, MANIFEST), 'utf8')) as Manifest | undefined
  if (known && isDeepStrictEqual(known.plan, plan) && known.petri === fresh.petri) return known
  throw new CliError(`${folder} holds another cohort. Choose another folder.`)
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw new CliError(`${whyUnreadable(folder, error)}.`)
  }
}

export type CohortFiles = Awaited<ReturnType<typeof openFiles>>

interface OpenFile {
  readonly file: FileHandle
  rows: number
  bytes: number
}

/** Without this, `true` is 1 and `false` is empty like null. */
const cast = { boolean: String }

/** Opens the files of the tables, each as CSV and NDJSON, cut to what the manifest says is complete. One without columns is NDJSON alone. */
export async function openFiles(
  folder: string,
  manifest: Manifest,
  tables: Readonly<Record<string, readonly string[]>>,
) {
  await mkdir(folder, { recursive: true })
  const files = new Map<string, OpenFile>()
  const write = async (name: string, text: string, rows: number) => {
    const opened = files.get(name)
    if (!opened || text === '') return
    await opened.file.write(text)
    opened.rows += rows
    opened.bytes += Buffer.byteLength(text)
  }
  for (const [table, columns] of Object.entries(tables)) {
    for (const name of compact([columns.length > 0 && `${table}.csv`, `${table}.ndjson`])) {
      const file = await open(join(folder, name), 'a')
      const { rows = 0, bytes = 0 } = manifest.files[name] ?? {}
      await file.truncate(bytes)
      files.set(name, { file, rows, bytes })
    }
    if (files.get(`${table}.csv`)?.bytes === 0) await write(`${table}.csv`, stringify([columns]), 0)
  }
  return {
    async append(table: string, rows: readonly JsonObject[]): Promise<void> {
      if (files.has(`${table}.csv`))
        await write(`${table}.csv`, stringify(rows.map(Object.values), { cast }), rows.length)
      await write(`${table}.ndjson`, rows.map((row) => `${JSON.stringify(row)}\n`).join(''), rows.length)
    },
    /** Records that the files have all rows of a number of people. */
    async complete(people: number): Promise<Manifest> {
      const sizes = [...files].map(([name, { rows, bytes }]) => [name, { rows, bytes }] as const)
      const next = { ...manifest, people, files: Object.fromEntries(sizes) }
      await writeWhole(join(folder, MANIFEST), next)
      return next
    },
    async close(): Promise<void> {
      for (const { file } of files.values()) await file.close()
    },
  }
}
