import fs, { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import { Database } from '../../src/storage/database.ts'
import { openWorldStore } from '../../src/storage/file-store.ts'
import { memoryStore } from '../../src/storage/store.ts'
import { numbered, takeStep } from '../support/durable-steps.ts'
import { makeFolder } from '../support/new-folder.ts'
import { replaceIn } from '../support/replace-in.ts'
import { rounds } from '../support/rounds.ts'

const random = createRandom('faults of a disk')
const root = makeFolder('petri-disk-')
let made = 0
const newFolder = () => join(root, String(++made))
afterAll(() => rmSync(root, { recursive: true }))

async function open(folder: string, isDurable = false) {
  const warnings: string[] = []
  const store = await openWorldStore(folder, { warn: (text) => warnings.push(text), isDurable })
  return { store, db: new Database(store), warnings }
}

const rowsOf = (db: Database) => JSON.stringify([...db.all(numbered)])
const lastStep = (db: Database) => db.find(numbered, 'last')?.step ?? 0

/** What a world contained after each step. */
const states: string[] = []
/** Folders of a world in several states, with the number of its last step. */
const folders: { readonly path: string; readonly step: number }[] = []

function play(db: Database, until: number): void {
  for (let step = lastStep(db) + 1; step <= until; step++) {
    takeStep(db, step)
    db.flush()
    states[step] = rowsOf(db)
  }
}

const keep = (folder: string, step: number) => {
  const path = newFolder()
  cpSync(folder, path, { recursive: true })
  folders.push({ path, step })
}

beforeAll(async () => {
  const folder = newFolder()
  const first = await open(folder)
  play(first.db, 25)
  keep(folder, 25)
  await first.store.close()
  keep(folder, 25)
  const second = await open(folder)
  play(second.db, 90)
  keep(folder, 90)
  // Another journal follows this one, although the base could not be rewritten.
  const restore = replaceIn(fs, {
    renameSync() {
      throw new Error('EIO')
    },
  })
  await second.store.compact()
  restore()
  play(second.db, 100)
  await second.store.close({ rewrites: false })
  expect(readdirSync(folder).sort()).toEqual(['journal.2.log', 'journal.3.log', 'world.json'])
  keep(folder, 100)
})

/** A draw from 0 to `below - 1`. */
type Draw = (what: string, below: number) => number

const linesOf = (bytes: Buffer) => bytes.toString('latin1').split('\n').slice(0, -1)
const joined = (lines: readonly string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1')

const faults: Readonly<Record<string, (bytes: Buffer, draw: Draw) => Buffer>> = {
  'a bit flipped': (bytes, draw) => {
    const at = draw('byte', bytes.length)
    return bytes.fill((bytes[at] ?? 0) ^ (1 << draw('bit', 8)), at, at + 1)
  },
  'a line lost': (bytes, draw) => {
    const lines = linesOf(bytes)
    return joined(lines.toSpliced(draw('line', lines.length), 1))
  },
  'two lines swapped': (bytes, draw) => {
    const lines = linesOf(bytes)
    const [a, b] = [draw('line', lines.length), draw('other line', lines.length)]
    return joined(lines.with(a, lines[b] ?? '').with(b, lines[a] ?? ''))
  },
  'a range zeroed': (bytes, draw) => {
    const from = draw('from', bytes.length)
    return bytes.fill(0, from, Math.min(bytes.length, from + 1 + draw('length', 8192)))
  },
  'the end cut off': (bytes, draw) => bytes.subarray(0, draw('length', bytes.length)),
}

const isJournal = (name: string) => name.startsWith('journal.')
const journalNumber = (name: string) => Number(name.split('.')[1])

it('a fault in a file is told of with the file, and never taken for what was stored', {
  timeout: rounds(60_000),
  tags: 'slow',
}, async () => {
  const seen: Record<string, number> = {}
  const count = (outcome: string) => {
    seen[outcome] = (seen[outcome] ?? 0) + 1
  }
  for (let round = 0; round < rounds(35); round++) {
    const draw: Draw = (what, below) => random.integer(`${what} of ${round}`, 0, below - 1)
    const { path, step } = folders[round % folders.length] ?? expect.fail()
    const names = readdirSync(path)
    const name = names[draw('file', names.length)] ?? ''
    const kinds = Object.keys(faults)
    const kind = kinds[draw('fault', kinds.length)] ?? ''
    const before = readFileSync(join(path, name))
    const after = faults[kind]?.(Buffer.from(before), draw) ?? before
    if (after.equals(before)) {
      count('no change')
      continue
    }
    const folder = newFolder()
    cpSync(path, folder, { recursive: true })
    writeFileSync(join(folder, name), after)
    const what = `round ${round}: ${kind} in ${name}`
    const opened = await open(folder).catch((error: Error) => error)
    rmSync(folder, { recursive: true })
    if (opened instanceof Error) {
      expect(opened.message, what).toContain(folder)
      count('refused')
      continue
    }
    const { db, warnings } = opened
    const rows = rowsOf(db)
    if (warnings.length > 0) {
      expect(warnings, what).toEqual([expect.stringContaining(name)])
      expect(rows, what).toBe(states[lastStep(db)] ?? '[]')
      count('dropped with a warning')
      continue
    }
    if (rows === states[step]) {
      count('nothing lost')
      continue
    }
    // The last lines of the newest journal are gone, as if they had never been written.
    const newest = names
      .filter(isJournal)
      .sort((a, b) => journalNumber(a) - journalNumber(b))
      .at(-1)
    expect(name, what).toBe(newest)
    expect(before.subarray(0, after.length).equals(after) && after.at(-1) === 10, what).toBe(true)
    expect(rows, what).toBe(states[lastStep(db)] ?? '[]')
    count('whole lines missing at the very end')
  }
  if (process.env.TEST_ROUNDS) console.info(seen)
  expect(seen.refused).toBeGreaterThan(0)
  expect(seen['dropped with a warning']).toBeGreaterThan(0)
})

/** The calls of Node that change or read files. */
const calls = [
  'writeSync',
  'writeFileSync',
  'renameSync',
  'truncateSync',
  'fdatasyncSync',
  'openSync',
] as const

it('an error of the disk refuses the change it hits as a whole, and takes nothing of others', {
  timeout: rounds(60_000),
  tags: 'slow',
}, async () => {
  const seen: Record<string, number> = {}
  for (let round = 0; round < rounds(15); round++) {
    const draw: Draw = (what, below) => random.integer(`${what} of error ${round}`, 0, below - 1)
    const failing = calls[draw('call', calls.length)] ?? 'writeSync'
    const code = ['EIO', 'ENOSPC'][draw('code', 2)]
    const first = draw('first', 40)
    const last = first + draw('length', 3)
    const isPartial = draw('partial', 2) === 1
    let done = 0
    const original = fs[failing] as (...given: unknown[]) => unknown
    const fail = (...given: unknown[]) => {
      const at = done++
      if (at < first || at > last) return original(...given)
      seen[`${failing} ${code}`] = (seen[`${failing} ${code}`] ?? 0) + 1
      const [file, bytes, from] = given
      if (failing === 'writeSync' && isPartial && bytes instanceof Uint8Array)
        fs.writeSync === fail || original(file, bytes.subarray(0, bytes.length >> 1), from)
      throw Object.assign(new Error(`${code}: ${failing}`), { code })
    }
    const what = `round ${round}: ${code} in ${failing} from call ${first} to ${last}`
    const folder = newFolder()
    const model = new Database(memoryStore())
    let { db, store } = await open(folder, draw('durable', 2) === 1)
    const restore = replaceIn(fs, { [failing]: fail })
    try {
      for (let step = 1; step <= 60; step++) {
        takeStep(db, step)
        const isStored = await db.settled()?.then(
          () => true,
          () => false,
        )
        if (isStored !== false) takeStep(model, step)
        if (step % 20 === 0) await store.compact()
        for (let tries = 0; isStored === false && tries < 10; tries++) {
          const again = await store.reopen().catch(() => undefined)
          if (again?.blocked() !== undefined || !again) continue
          store = again
          db = new Database(store)
          break
        }
        if (isStored === false) expect(rowsOf(db), `${what}, step ${step}`).toBe(rowsOf(model))
      }
    } finally {
      restore()
    }
    const copy = newFolder()
    cpSync(folder, copy, { recursive: true })
    model.flush()
    expect(rowsOf((await open(copy)).db), what).toBe(rowsOf(model))
    await store.close()
    expect(rowsOf((await open(folder)).db), what).toBe(rowsOf(model))
  }
  if (process.env.TEST_ROUNDS) console.info(seen)
  expect(Object.keys(seen).length).toBeGreaterThan(2)
})
