import { closeSync, openSync, readdirSync, readSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { parseJson } from '../kernel/json.ts'
import { writeBase } from './base-file.ts'
import { damage, readLines, textOf } from './lines.ts'
import { applyChange, type Tables } from './rows.ts'

// What Petri wrote up to version 0.1: it is read once, and written again in the format of today.

const BASE = 'world.json'
const CHANGES = /^changes\.(\d+)\.jsonl$/
const STRING = '("(?:[^"\\\\]|\\\\.)*")'
const ROW = new RegExp(`^${STRING}:(\\{.*\\}),?$`, 's')
const CHANGE = new RegExp(`^\\[${STRING},${STRING}(?:,(\\{.*\\}))?\\]$`, 's')
/** A part that many rows had was a row of a table of its own, and they referred to it. */
const PARTS = 'shared_parts'
const REFERENCE = /\{"\$shared":"([^"]+)"\}/g

/** Converts the world in a folder, if it is of this format. */
export async function convertFormat1(folder: string, warn: (message: string) => void): Promise<void> {
  const [base, beside] = [join(folder, BASE), join(folder, `${BASE}.tmp`)]
  const names = readdirSync(folder)
  const changes = names
    .filter((name) => CHANGES.test(name))
    .sort((a, b) => Number(CHANGES.exec(a)?.[1]) - Number(CHANGES.exec(b)?.[1]))
    .map((name) => ({ path: join(folder, name), generation: Number(CHANGES.exec(name)?.[1]) }))
  if (names.includes(BASE) ? isFormat1(base) : changes.length > 0) {
    const tables: Tables = new Map()
    let covers = names.includes(BASE) ? await readDocument(base, tables) : 0
    for (const { path, generation } of changes.filter(({ generation }) => generation > covers)) {
      if (generation !== covers + 1) throw damage(path, 1, 'the changes that come before these are missing')
      const torn = await readChanges(path, tables)
      if (torn) warn(`${path}: dropped what follows from line ${torn} on, which was not wholly written.`)
      covers = generation
    }
    expandParts(tables)
    await writeBase(beside, tables, { covers })
    renameSync(beside, base)
  }
  for (const { path } of changes) rmSync(path)
}

/** The rows of a snapshot. */
export async function readFormat1(path: string): Promise<Tables> {
  const tables: Tables = new Map()
  await readDocument(path, tables)
  expandParts(tables)
  return tables
}

/** What a snapshot was about lay beside it. */
export const format1AboutOf = (path: string): string => path.replace(/\.json$/, '.about')

export function isFormat1(path: string): boolean {
  const file = openSync(path, 'r')
  const start = Buffer.alloc(12)
  readSync(file, start)
  closeSync(file)
  return start.toString() === '{"format":1,'
}

/** Answers the generation of changes that the document includes. */
async function readDocument(path: string, tables: Tables): Promise<number> {
  let [covers, isWhole] = [Number.NaN, false]
  let rows: Map<string, string> | undefined
  await readLines(path, 1, (line) => {
    const text = textOf(line)
    const [, id, row] = ROW.exec(text) ?? []
    if (line.number === 1)
      covers = Number((parseJson(`${text}}}`) as { covers?: number } | undefined)?.covers)
    else if (text.startsWith('},"crc32":')) isWhole = true
    else if (id && row && rows) rows.set(JSON.parse(id), row)
    else if (text.endsWith(':{')) {
      rows = new Map()
      tables.set(JSON.parse(text.slice(0, -2)), rows)
    }
  })
  if (!isWhole || !Number.isInteger(covers)) throw damage(path, 1, 'this is not a whole document')
  return covers
}

/** Answers the line at which a batch begins that was not wholly written. */
async function readChanges(path: string, tables: Tables): Promise<number | undefined> {
  let batch: RegExpExecArray[] = []
  let [checksum, firstLine] = [0, 2]
  await readLines(path, 1, (line) => {
    const text = textOf(line)
    const change = CHANGE.exec(text)
    if (line.number === 1 || !line.isWhole) return
    if (change) {
      batch.push(change)
      checksum = crc32(line.bytes.subarray(line.start, line.end + 1), checksum)
      return
    }
    if (text !== `[${batch.length},${checksum}]`)
      throw damage(path, line.number, 'something before this was altered (checksum)')
    for (const [, table = '', id = '', row = null] of batch)
      applyChange(tables, { table: JSON.parse(table), id: JSON.parse(id), text: row })
    batch = []
    checksum = 0
    firstLine = line.number + 1
  })
  return batch.length > 0 ? firstLine : undefined
}

/** Puts the shared parts back in their places. */
function expandParts(tables: Tables): void {
  const parts = new Map<string, string>()
  for (const [id, row] of tables.get(PARTS) ?? []) parts.set(id, row.slice(row.indexOf('"part":') + 7, -1))
  tables.delete(PARTS)
  for (const rows of tables.values())
    for (const [id, row] of rows)
      if (row.includes('{"$shared":"'))
        rows.set(
          id,
          row.replace(REFERENCE, (all, part) => parts.get(part) ?? all),
        )
}
