import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs, {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { Database } from '../../src/storage/database.ts'
import { openWorldStore } from '../../src/storage/file-store.ts'
import { filesHeldBy } from '../../src/storage/files.ts'
import { fileFolder } from '../../src/storage/folder.ts'
import type { WorldStore } from '../../src/storage/store.ts'
import { table } from '../../src/storage/table.ts'
import { anyCharacter } from '../support/characters.ts'
import { field } from '../support/field.ts'
import { dataFolder } from '../support/keeping-folder.ts'
import { createUser, postUser } from '../support/orders.ts'
import { KEY, START } from '../support/petri.ts'
import { replaceIn } from '../support/replace-in.ts'
import { rounds } from '../support/rounds.ts'
import { eventually, useFakeTimers, useRealTimers, withoutWaiting } from '../support/timing.ts'

const thing = () => z.object({ id: z.string(), value: z.unknown() })
const things = table('things', thing, ({ id }) => id)
const others = table('other "things"', thing, ({ id }) => id)

const root = mkdtempSync(join(tmpdir(), 'petri-storage-'))
const quiet = { warn: () => undefined }
let made = 0
const newFolder = () => join(root, String(++made))
afterAll(() => rmSync(root, { recursive: true }))

interface Opened {
  readonly folder: string
  readonly db: Database
  readonly store: WorldStore
  readonly warnings: string[]
}

async function open(folder = newFolder()): Promise<Opened> {
  const warnings: string[] = []
  const store = await openWorldStore(folder, { warn: (message) => warnings.push(message) })
  return { folder, store, warnings, db: new Database(store) }
}

const put = (db: Database, ...ids: string[]) => {
  for (const id of ids) db.put(things, { id, value: `value of ${id}` })
  db.flush()
}

/** A new folder in which these rows are stored. */
async function openWith(...ids: string[]): Promise<Opened> {
  const opened = await open()
  put(opened.db, ...ids)
  return opened
}

const rowsOf = (db: Database) => [...db.all(things)]
const idsOf = (db: Database) => db.ids(things)
const changesIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('journal.'))
/** Where a symbolic link leads; empty if it is gone. */
const linkOf = (file: string) => {
  try {
    return readlinkSync(file)
  } catch {
    return ''
  }
}

/** Reopens a copy of a folder, so that the folder stays as it is. */
async function reopened(folder: string): Promise<Opened> {
  const copy = newFolder()
  cpSync(folder, copy, { recursive: true })
  return open(copy)
}

/** The ids that a folder has when it is opened. */
const idsIn = async (folder: string) => idsOf((await open(folder)).db)

/** A change that cannot be stored. */
async function expectRefused(db: Database, reason: string) {
  db.put(things, { id: 'lost', value: 1 })
  await expect(db.settled()).rejects.toThrow(reason)
}

/** What is stored after a write that failed; it takes changes again. */
async function reopenedFrom(store: WorldStore): Promise<Database> {
  const again = await store.reopen()
  expect(again.blocked()).toBeUndefined()
  return new Database(again)
}

/** The text of each file of a folder. */
const contentOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'utf8')])
    .sort()

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
const HEAD = '{"format":3,"journal":1,"after":"00000000"}\n'
/** More than is needed for the base to be rewritten. */
const LONG = 'x'.repeat(1200 * 1024)

describe('a world on disk', () => {
  it('comes back with the same rows in the same order, closed or not', { tags: 'slow' }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.array(fc.tuple(fc.string({ unit: anyCharacter, maxLength: 4 }), fc.option(fc.jsonValue())), {
            maxLength: 5,
          }),
          { maxLength: 12 },
        ),
        fc.boolean(),
        async (turns, closed) => {
          const { folder, db, store } = await open()
          for (const changes of turns) {
            for (const [id, value] of new Map(changes))
              if (value === null) db.delete(things, id)
              else db.put(things, { id, value })
            for (const [id, value] of changes) db.put(others, { id, value })
            db.flush()
          }
          if (closed) await store.close()
          const again = await open(folder)
          expect(rowsOf(again.db)).toEqual(JSON.parse(JSON.stringify(rowsOf(db))))
          expect(again.db.ids(others)).toEqual(db.ids(others))
          expect(again.warnings).toEqual([])
        },
      ),
      { numRuns: rounds(30) },
    )
  })

  it('keeps ids and texts of every kind', async () => {
    const ids = [
      'plain',
      '"quoted"',
      'back\\slash',
      '\\',
      '\\"',
      'Zoë',
      '日本',
      '🧪',
      'line\nbreak',
      '',
      '__proto__',
      '\ud800',
    ]
    const { folder, db, store } = await open()
    for (const id of ids) db.put(things, { id, value: { text: `${id}\u2028\r\n`, list: [id] } })
    db.flush()
    expect(rowsOf((await reopened(folder)).db)).toEqual(rowsOf(db))
    await store.close()
    expect(rowsOf((await reopened(folder)).db)).toEqual(rowsOf(db))
  })

  it('is one readable JSON document after it was closed, one row a line', async () => {
    const { folder, db, store } = await openWith('a', 'b', 'c')
    db.delete(things, 'b')
    db.flush()
    await store.close()
    expect(readdirSync(folder)).toEqual(['world.json'])
    const text = readFileSync(join(folder, 'world.json'), 'utf8')
    expect(JSON.parse(text)).toMatchObject({
      format: 3,
      tables: { things: { a: { id: 'a', value: 'value of a' }, c: { id: 'c' } } },
    })
    expect(text.split('\n')).toContain('"a":\t{"id":"a","value":"value of a"},')
  })

  it('remembers that a table was emptied, so that it is not filled again', async () => {
    const born = table('born', thing, ({ id }) => id, {
      initialRows: () => [{ id: 'first', value: 1 }],
    })
    const folder = newFolder()
    for (const expected of [1, 0, 0]) {
      const store = await openWorldStore(folder, quiet)
      const db = new Database(store, { initialRows: (from) => from.initialRows?.({} as never) ?? [] })
      expect(db.count(born)).toBe(expected)
      db.delete(born, 'first')
      db.flush()
      await store.close()
    }
  })

  it('appends one batch a turn, and nothing when nothing changed', async () => {
    const { folder, db } = await open()
    db.put(things, { id: 'a', value: 1 })
    db.put(things, { id: 'b', value: 2 })
    db.delete(things, 'a')
    await db.settled()
    db.flush()
    const line = '\t"things"\t"a"\t\t"things"\t"b"\t{"id":"b","value":2}'
    const checksum = crc32(line, crc32(HEAD)).toString(16).padStart(8, '0')
    expect(readFileSync(join(folder, 'journal.1.log'), 'utf8')).toBe(`${HEAD}${checksum}${line}\n`)
  })

  it('keeps what is stored while it is read again after a write that failed, whoever tries to write meanwhile', async () => {
    const folder = newFolder()
    let isFull = false
    const assertHeld = () => {
      if (isFull) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
    }
    const store = await openWorldStore(folder, { ...quiet, assertHeld })
    put(new Database(store), 'kept')
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    const journal = join(folder, 'journal.1.log')
    const whole = readFileSync(journal)
    isFull = true
    expect(() => store.append([{ table: 'things', id: 'lost', text: '{}' }])).toThrow('The disk is full')
    isFull = false
    const reading = store.reopen()
    expect(store.blocked()).toContain('The disk is full')
    await store.compact()
    const again = await reading
    expect(readFileSync(journal).subarray(0, whole.length)).toEqual(whole)
    expect(again.blocked()).toBeUndefined()
    expect(idsOf(new Database(again))).toEqual(['kept'])
    expect(await idsIn(folder)).toEqual(['kept'])
  })

  it('warns and goes on when it can be neither rewritten nor cleaned up', { tags: 'slow' }, async () => {
    const { folder, store, warnings } = await openWith(LONG)
    renameSync(folder, `${folder}.away`)
    writeFileSync(folder, '')
    await store.compact()
    expect(warnings).toEqual([expect.stringContaining('could not rewrite')])
    rmSync(folder)
    renameSync(`${folder}.away`, folder)
    await store.close()
    expect(await idsIn(folder)).toEqual([LONG])
  })

  it('that cannot be read again after a write that failed takes nothing until it can', async () => {
    const { folder, db, store } = await openWith('kept')
    await db.settled()
    renameSync(folder, `${folder}.away`)
    await expect(store.reopen()).rejects.toThrow('ENOENT')
    for (let times = 0; times < 2; times++) expect(store.blocked()).toContain('cannot be read: ENOENT')
    renameSync(`${folder}.away`, folder)
    const again = await reopenedFrom(store)
    expect(idsOf(again)).toEqual(['kept'])
  })

  it('takes nothing once its folder was deleted, until it is back', async () => {
    const { folder, db, store } = await openWith('kept')
    await db.settled()
    cpSync(folder, `${folder}.copy`, { recursive: true })
    rmSync(folder, { recursive: true })
    await expectRefused(db, 'journal.1.log was deleted')
    expect(store.blocked()).toContain('was deleted')
    renameSync(`${folder}.copy`, folder)
    const again = await reopenedFrom(store)
    put(again, 'b')
    expect(await idsIn(folder)).toEqual(['kept', 'b'])
  })

  it.runIf(process.platform === 'linux')('holds no file while nothing is written', async () => {
    const { folder, db, store } = await open()
    const held = () =>
      readdirSync('/proc/self/fd').filter((fd) => linkOf(`/proc/self/fd/${fd}`).startsWith(folder)).length
    put(db, 'a')
    await db.settled()
    store.closeIdle()
    // The new file and its folder are synced in the background, one after the other.
    await eventually(async () => expect(held()).toBe(1))
    store.closeIdle()
    await eventually(async () => expect(held()).toBe(0))
    put(db, 'b')
    await db.settled()
    await eventually(async () => expect(held()).toBe(1))
    expect(await idsIn(folder)).toEqual(['a', 'b'])
    await store.close({ rewrites: false })
  })

  it.each([
    ['deleted', (file: string) => rmSync(file), 'journal.1.log'],
    ['cut off', (file: string) => truncateSync(file, 40), 'journal.1.log was cut off'],
  ])('takes nothing when its journal was %s while it was closed', async (_, damage, reason) => {
    const { folder, db, store } = await openWith('kept')
    await db.settled()
    for (let times = 0; times < 2; times++) store.closeIdle()
    damage(join(folder, 'journal.1.log'))
    await expectRefused(db, reason)
    expect(store.blocked()).toContain(reason)
  })

  it('goes back to what is stored after a write that failed, and goes on when it can', async () => {
    const { folder, db, store } = await open()
    mkdirSync(join(folder, 'journal.1.log'))
    await expectRefused(db, 'EISDIR')
    expect(() => db.put(things, { id: 'lost too', value: 1 })).toThrow('EISDIR')
    expect(store.blocked()).toContain('EISDIR')
    rmSync(join(folder, 'journal.1.log'), { recursive: true })
    const again = await reopenedFrom(store)
    put(again, 'b')
    expect(await idsIn(folder)).toEqual(['b'])
  })
})

describe('a durable world', () => {
  const EIO = Object.assign(new Error('EIO'), { code: 'EIO' })
  /** The length of the journal at each sync of it. */
  const lengths: number[] = []
  let failure: Error | undefined
  let restore: () => void
  beforeEach(() => {
    const { fdatasyncSync } = fs
    lengths.length = 0
    failure = undefined
    restore = replaceIn(fs, {
      fdatasyncSync(file) {
        if (failure) throw failure
        lengths.push(fs.fstatSync(file).size)
        fdatasyncSync(file)
      },
    })
  })
  afterEach(() => restore())
  const openDurably = async (...ids: string[]) => {
    const folder = newFolder()
    const store = await openWorldStore(folder, { ...quiet, isDurable: true })
    const db = new Database(store)
    put(db, ...ids)
    return { folder, store, db }
  }

  it('syncs all changes of a turn at once, before they count as stored', async () => {
    const { folder, db } = await openDurably()
    const written: number[] = []
    for (const turn of ['first', 'second', 'third']) {
      for (const id of ['a', 'b']) db.put(things, { id, value: turn })
      await db.settled()
      written.push(readFileSync(join(folder, 'journal.1.log')).length)
      expect(lengths).toEqual(written)
    }
  })

  it('refuses a change that cannot be synced, and stores nothing of it', async () => {
    const { folder, db, store } = await openDurably('kept')
    failure = EIO
    await expectRefused(db, 'The disk reports an error')
    failure = undefined
    const again = await reopenedFrom(store)
    put(again, 'next')
    expect(await idsIn(folder)).toEqual(['kept', 'next'])
  })

  it('reads no change that it has refused, also if what was written could not be removed at once', async () => {
    const { folder, db, store } = await openDurably('kept')
    failure = EIO
    const heal = replaceIn(fs, {
      truncateSync() {
        throw failure
      },
    })
    await expectRefused(db, 'The disk reports an error')
    await expect(store.reopen()).rejects.toThrow('EIO')
    expect(store.blocked()).toContain('cannot be read')
    heal()
    expect(idsOf((await reopened(folder)).db)).toEqual(['kept'])
    failure = undefined
    const again = await reopenedFrom(store)
    expect(idsOf(again)).toEqual(['kept'])
    put(again, 'next')
    expect(await idsIn(folder)).toEqual(['kept', 'next'])
  })

  it('says of a refused change that it may be read if nothing of it can be removed', async () => {
    const { db } = await openDurably('kept')
    failure = EIO
    const fail = () => {
      throw failure
    }
    const { openSync } = fs
    const open = (...given: Parameters<typeof openSync>) => (given[1] === 'r+' ? fail() : openSync(...given))
    const heal = replaceIn(fs, { truncateSync: fail, openSync: open })
    db.put(things, { id: 'unknown', value: 1 })
    await expect(db.settled()).rejects.toThrow('the write that failed counts as stored')
    heal()
  })

  it('that replaces its rows is stored with the rename; files that cannot be closed are a warning', async () => {
    const { folder, store, warnings } = await openWith('before')
    const heal = replaceIn(fs, {
      closeSync() {
        throw Object.assign(new Error('EIO: i/o error, close'), { code: 'EIO' })
      },
    })
    const replaced = new Map([['things', new Map([['after', '{"id":"after","value":1}']])]])
    await store.replace(replaced, () => undefined).finally(heal)
    expect(warnings).toEqual([expect.stringContaining('could not close')])
    expect(idsOf((await reopened(folder)).db)).toEqual(['after'])
    await store.close()
  })

  it('is one that was asked for: others are not synced at each change', async () => {
    const { db } = await open(newFolder())
    for (const id of ['a', 'b']) put(db, id)
    expect(lengths).toEqual([])
  })
})

describe('a batch that was not wholly written', () => {
  it.each([0, 1, 2])(
    'is dropped as a whole, wherever it ends, after %i others',
    { tags: 'slow' },
    async (before) => {
      const { folder, db } = await open()
      const file = join(folder, 'journal.1.log')
      for (let batch = 0; batch < before; batch++) put(db, `kept ${batch}`, `too ${batch}`)
      const kept = idsOf(db)
      const start = before === 0 ? HEAD.length : readFileSync(file).length
      put(db, 'lost', 'with it')
      const whole = readFileSync(file)
      for (let length = start; length < whole.length; length++) {
        writeFileSync(file, whole.subarray(0, length))
        const again = await open(folder)
        expect(idsOf(again.db)).toEqual(kept)
        expect(again.warnings).toHaveLength(length === start ? 0 : 1)
        put(again.db, 'next')
        const last = await open(folder)
        expect(idsOf(last.db)).toEqual([...kept, 'next'])
        expect(last.warnings).toEqual([])
      }
    },
  )

  it('is told of with the file and the line it began at', async () => {
    const folder = newFolder()
    put((await open(folder)).db, 'a')
    appendFileSync(join(folder, 'journal.1.log'), '["things","b",{"id"')
    const [warning] = (await open(folder)).warnings
    expect(warning).toContain('journal.1.log: dropped 19 bytes from line 3 on')
  })
})

describe('a tail that is no line', () => {
  it.each(['garbage', 'garbage\n', 'two\nlines\n', '\0\0\0\0', '\0'.repeat(5000), '\n', '{"a":1}\n'])(
    'is dropped with a warning, whatever it is: %j',
    async (tail) => {
      const folder = newFolder()
      put((await open(folder)).db, 'a')
      appendFileSync(join(folder, 'journal.1.log'), tail)
      const again = await open(folder)
      expect(idsOf(again.db)).toEqual(['a'])
      expect(again.warnings).toEqual([expect.stringContaining(`dropped ${tail.length} bytes from line 3 on`)])
      put(again.db, 'b')
      expect((await open(folder)).warnings).toEqual([])
    },
  )
})

describe('a journal that a power failure left empty', () => {
  it.each([
    ['without a byte', 0],
    ['with zeros', 5000],
  ])('is dropped with a warning, %s, and the base is read', async (_, bytes) => {
    const { folder, store } = await openWith('a')
    await store.close()
    writeFileSync(join(folder, 'journal.2.log'), Buffer.alloc(bytes))
    const again = await open(folder)
    expect(idsOf(again.db)).toEqual(['a'])
    expect(again.warnings).toEqual([
      expect.stringContaining(`journal.2.log: dropped ${bytes} bytes from line 1 on`),
    ])
    put(again.db, 'b')
    const last = await open(folder)
    expect([idsOf(last.db), last.warnings]).toEqual([['a', 'b'], []])
  })

  it('is damage when another one follows', async () => {
    const { folder, store } = await openWith('a')
    await store.close()
    writeFileSync(join(folder, 'journal.2.log'), '')
    writeFileSync(join(folder, 'journal.3.log'), '')
    await expect(open(folder)).rejects.toThrow('journal.2.log, line 1: the file is truncated here')
  })
})

describe('a folder of the former format', () => {
  /** A document whose one block has a checksum. */
  const documentOf = (tables: Record<string, Record<string, object>>) => {
    const lines = Object.entries(tables).map(([name, rows]) => {
      const inTable = Object.entries(rows).map(
        ([id, row]) => `${JSON.stringify(id)}:\t${JSON.stringify(row)}`,
      )
      return `${JSON.stringify(name)}:{\n${inTable.join(',\n')}\n}`
    })
    const text = `{"format":1,"covers":1,"tables":{\n${lines.join(',\n')}\n`
    return `${text}},"crc32":[${crc32(text)}]}\n`
  }
  const target = { id: 'target', url: null, folder: 'lake', failures: 0, last_error: null, delivered: 1 }
  const job = (id: string, kind: string) => [id, { id, kind }]

  const journalOf = (...lines: string[]) => {
    let text = '{"format":2,"journal":2,"after":"00000000"}\n'
    let checksum = crc32(text)
    for (const line of lines) {
      checksum = crc32(line, checksum)
      text += `${checksum.toString(16).padStart(8, '0')}${line}\n`
    }
    return text
  }
  /** A folder with a document of these tables, and a journal if lines are given. */
  const formerFolder = (tables: Parameters<typeof documentOf>[0], ...lines: string[]) => {
    const folder = newFolder()
    mkdirSync(folder)
    writeFileSync(join(folder, 'world.json'), documentOf(tables))
    if (lines.length > 0) writeFileSync(join(folder, 'journal.2.log'), journalOf(...lines))
    return folder
  }
  const tablesOnceOpened = async (folder: string) => {
    await open(folder)
    return JSON.parse(readFileSync(join(folder, 'world.json'), 'utf8')).tables
  }

  it('is rewritten in the current format when it is opened, with its journal', async () => {
    const line = '\t"things"\t"b"\t{"id":"b","value":2}'
    const folder = formerFolder({ things: { a: { id: 'a', value: 1 } } }, line)
    const { db } = await open(folder)
    expect([idsOf(db), readdirSync(folder)]).toEqual([['a', 'b'], ['world.json']])
    expect(JSON.parse(readFileSync(join(folder, 'world.json'), 'utf8'))).toMatchObject({
      format: 3,
      covers: 2,
    })
    put(db, 'c')
    expect(await idsIn(folder)).toEqual(['a', 'b', 'c'])
  })

  it('loses an ETL target with a folder, the events that wait for it and their delivery', async () => {
    const jobs = Object.fromEntries([job('1', 'etl.deliver'), job('2', 'scenarios.step')])
    const waiting = '\t"etl_outbox"\t"msg_1"\t{"event_id":"msg_1"}'
    const folder = formerFolder({ etl_target: { target }, jobs }, waiting)
    expect(await tablesOnceOpened(folder)).toEqual({ etl_target: {}, etl_outbox: {}, jobs: { 2: jobs[2] } })
  })

  it('keeps an ETL target with a URL, and what waits for it', async () => {
    const url = 'http://pipeline.test/'
    const rows = {
      jobs: Object.fromEntries([job('1', 'etl.deliver')]),
      etl_outbox: { msg_1: { event_id: 'msg_1' } },
    }
    const stored = { ...rows, etl_target: { target: { ...target, folder: null, url } } }
    const { folder: _, ...kept } = { ...target, url }
    expect(await tablesOnceOpened(formerFolder(stored))).toEqual({ ...rows, etl_target: { target: kept } })
  })

  it.each([
    [
      '# Ours.\nname: a\n"webhooks": { delay: 1h } # late\nsteps: []',
      '"webhook_faults": { delay: 1h } # late',
    ],
    ['name: a\nsummary: "webhooks: kept"\nwebhooks:\n  - { burst: 2 }\n', 'kept"\nwebhook_faults:\n  -'],
    ['{"name":"a","webhooks":{"duplicate":1}}', '"a","webhook_faults":{"duplicate":1}}'],
    ['name: a\nsteps: [{ webhooks: 1 }]\n', '[{ webhooks: 1 }]'],
    ['- webhooks', '- webhooks'],
  ])('names webhook faults in the scenario %j', async (source, expected) => {
    const rows = { mine: { name: 'mine', source, zip: null } }
    const tables = await tablesOnceOpened(formerFolder({ uploaded_scenarios: rows, shared_scenarios: rows }))
    for (const table of ['uploaded_scenarios', 'shared_scenarios']) {
      const { name, source: migrated } = tables[table].mine
      expect([name, migrated]).toEqual(['mine', expect.stringContaining(expected)])
      expect(migrated.replace('webhook_faults', 'webhooks')).toBe(source)
    }
  })
})

describe('damage', () => {
  it('is a journal whose head was cut off', async () => {
    const folder = newFolder()
    put((await open(folder)).db, 'a')
    writeFileSync(join(folder, 'journal.1.log'), '{"format":2')
    await expect(open(folder)).rejects.toThrow('journal.1.log, line 1: ')
  })

  it('is a line of a journal that is missing, or in the place of another', async () => {
    const { folder, db } = await open()
    for (let row = 0; row < 6; row++) put(db, `row ${row}`)
    const file = join(folder, 'journal.1.log')
    const lines = readFileSync(file, 'utf8').split('\n')
    const last = lines.length - 2
    for (let line = 1; line < last; line++) {
      writeFileSync(file, lines.filter((_, at) => at !== line).join('\n'))
      await expect(open(folder), `without line ${line}`).rejects.toThrow(`line ${line + 1}: this line was`)
      const swapped = lines.with(line, lines[line + 1] ?? '').with(line + 1, lines[line] ?? '')
      writeFileSync(file, swapped.join('\n'))
      await expect(open(folder), `with line ${line} later`).rejects.toThrow(`line ${line + 1}: this line was`)
    }
  })

  it('is the end of a journal that is missing although another follows', { tags: 'slow' }, async () => {
    const { folder, db, store } = await openWith(LONG, 'a')
    put(db, 'b')
    mkdirSync(join(folder, 'world.json'))
    await store.compact()
    put(db, 'c')
    rmSync(join(folder, 'world.json'), { recursive: true })
    const first = join(folder, 'journal.1.log')
    const lines = readFileSync(first, 'utf8').split('\n')
    writeFileSync(first, lines.filter((_, at) => at !== lines.length - 2).join('\n'))
    await expect(open(folder)).rejects.toThrow(
      'journal.2.log, line 1: this journal does not follow the last line of journal 1',
    )
  })

  const refusal = (name: string) => new RegExp(`${name}(, line \\d+( to \\d+)?: | has format )`)

  it.each<[string, name: string, last: (opened: Opened) => unknown]>([
    ['changes', 'journal.1.log', ({ db }) => put(db, 'c')],
    ['base', 'world.json', ({ store }) => store.close()],
  ])(
    'of any byte of the %s stops the start, and names file and line',
    { tags: 'slow' },
    async (_, name, last) => {
      const opened = await openWith('a', 'b')
      await last(opened)
      const file = join(opened.folder, name)
      const whole = readFileSync(file)
      for (let at = 0; at < whole.length - 1; at++) {
        const damaged = Buffer.from(whole)
        damaged[at] = (whole[at] ?? 0) ^ 1
        writeFileSync(file, damaged)
        await expect(open(opened.folder), `byte ${at}`).rejects.toThrow(refusal(name))
      }
      writeFileSync(file, whole)
      await open(opened.folder)
    },
  )

  it('is found in the block of lines where it lies', async () => {
    const { folder, db, store } = await open()
    for (let row = 0; row < 2000; row++) db.put(things, { id: `row ${row}`, value: 'y'.repeat(500) })
    db.flush()
    await store.close()
    const file = join(folder, 'world.json')
    const lines = readFileSync(file, 'utf8').split('\n')
    const damaged = (line: number, change: (text: string) => string) =>
      writeFileSync(file, lines.map((text, at) => (at === line - 1 ? change(text) : text)).join('\n'))
    damaged(1003, (text) => text.replace('yyy', 'yzy'))
    const message = await open(folder).then(String, (error: Error) => error.message)
    const [, from, to] = /line (\d+) to (\d+)/.exec(message) ?? []
    expect(Number(from)).toBeLessThanOrEqual(1003)
    expect(Number(to)).toBeGreaterThanOrEqual(1003)
    expect(Number(to) - Number(from)).toBeLessThan(200)
  })

  it('is a base cut off anywhere, and a file that is missing', { tags: 'slow' }, async () => {
    const { folder, store } = await openWith('a', 'b')
    await store.close()
    const file = join(folder, 'world.json')
    const whole = readFileSync(file)
    for (let length = 0; length < whole.length; length++) {
      writeFileSync(file, whole.subarray(0, length))
      await expect(open(folder), `${length} bytes`).rejects.toThrow(refusal('world.json'))
    }
    writeFileSync(file, whole)
    put((await open(folder)).db, 'c')
    rmSync(file)
    await expect(open(folder)).rejects.toThrow('journal.2.log is there, but not what comes before it')
  })

  it('is not what a later version wrote: that is refused by its name', async () => {
    const folder = newFolder()
    mkdirSync(folder)
    writeFileSync(join(folder, 'world.json'), '{"format":7,"covers":1,"tables":{\n},"crc32":[]}\n')
    await expect(open(folder)).rejects.toThrow(
      'world.json has format 7, and this Petri reads up to format 3. Use the newer version',
    )
  })
})

describe('rewriting the base', () => {
  it('waits until enough was appended', async () => {
    const { folder, db, store } = await openWith('a')
    await store.compact()
    expect(readdirSync(folder)).toEqual(['journal.1.log'])
    db.put(things, { id: 'long', value: LONG })
    db.flush()
    await store.compact()
    expect(readdirSync(folder)).toEqual(['world.json'])
    put(db, 'b')
    await store.compact()
    expect(readdirSync(folder)).toEqual(['journal.2.log', 'world.json'])
    expect(await idsIn(folder)).toEqual(['a', 'long', 'b'])
  })

  it('loses nothing when the process ends at any moment of it', {
    timeout: 60_000,
    tags: 'slow',
  }, async () => {
    const { folder, db, store, warnings } = await open()
    // More than a megabyte is written in several parts.
    for (let row = 0; row < 40; row++) db.put(things, { id: `row ${row}`, value: LONG.slice(0, 30_000) })
    db.flush()
    const seen: { crashed: string; ids: string[]; values: string }[] = []
    let running = true
    const compacting = Promise.all([store.compact(), store.compact()]).then(() => {
      running = false
    })
    for (let step = 0; running || step === 0; step++) {
      db.delete(things, `row ${step % 40}`)
      db.put(things, { id: `new ${step}`, value: step })
      db.flush()
      db.put(things, { id: `row ${step % 40}`, value: `again in ${step}` })
      db.flush()
      const crashed = copyOf(folder)
      if (crashed) seen.push({ crashed, ids: idsOf(db), values: JSON.stringify(rowsOf(db)) })
      await turn()
    }
    await compacting
    expect(seen.length).toBeGreaterThan(3)
    for (const { crashed, ids, values } of seen) {
      const again = await open(crashed)
      expect(idsOf(again.db)).toEqual(ids)
      expect(JSON.stringify(rowsOf(again.db))).toBe(values)
      rmSync(crashed, { recursive: true })
    }
    expect(warnings).toEqual([])
    expect(readdirSync(folder).sort()).toEqual(['journal.2.log', 'world.json'])
    expect(await idsIn(folder)).toEqual(idsOf(db))
    // Some twenty copies of all files are written and read.
  })

  it('does no harm when it ended before the changes it includes were deleted', async () => {
    const { folder, db, store } = await openWith('a', 'b')
    db.delete(things, 'a')
    db.flush()
    const changes = readFileSync(join(folder, 'journal.1.log'))
    await store.close()
    writeFileSync(join(folder, 'journal.1.log'), changes)
    writeFileSync(join(folder, 'world.json.tmp'), '{"format":1,"cov')
    expect(await idsIn(folder)).toEqual(['b'])
    expect(readdirSync(folder)).toEqual(['world.json'])
  })

  it('that fails is told of, and everything is still there', { tags: 'slow' }, async () => {
    const { folder, db, store, warnings } = await open()
    db.put(things, { id: 'long', value: LONG })
    db.flush()
    mkdirSync(join(folder, 'world.json'))
    await store.compact()
    put(db, 'later')
    expect(warnings).toEqual([expect.stringContaining('could not rewrite')])
    rmSync(join(folder, 'world.json'), { recursive: true })
    expect(changesIn(folder)).toEqual(['journal.1.log', 'journal.2.log'])
    expect(idsOf((await reopened(folder)).db)).toEqual(['long', 'later'])
    await store.close()
    expect(readdirSync(folder)).toEqual(['world.json'])
  })

  it('is stopped by closing, at no cost', { tags: 'slow' }, async () => {
    const { folder, db, store, warnings } = await open()
    for (let row = 0; row < 10; row++) db.put(things, { id: `row ${row}`, value: LONG })
    db.flush()
    const compacting = store.compact()
    while (!readdirSync(folder).includes('world.json.tmp')) await turn()
    put(db, 'later')
    await store.close()
    await compacting
    expect(readdirSync(folder)).toEqual(['journal.1.log', 'journal.2.log'])
    expect(warnings).toEqual([])
    expect(await idsIn(folder)).toEqual(idsOf(db))
  })

  it('waits until the rows that replace all others are stored', { tags: 'slow' }, async () => {
    const { folder, db, store, warnings } = await open()
    for (let row = 0; row < 10; row++) db.put(things, { id: `row ${row}`, value: LONG })
    db.flush()
    const rows = Array.from({ length: 200 }, (_, at) => ({ id: `new ${at}`, value: at }))
    const texts = new Map(rows.map((row) => [row.id, JSON.stringify(row)]))
    const replacing = store.replace(new Map([[things.name, texts]]), () => undefined)
    await turn()
    await Promise.all([store.compact(), replacing])
    expect(warnings).toEqual([])
    expect(rowsOf((await open(folder)).db)).toEqual(rows)
    await store.close()
    expect(rowsOf((await open(folder)).db)).toEqual(rows)
  })
})

/** A copy of a folder as it is now; undefined when it changed meanwhile. */
function copyOf(folder: string): string | undefined {
  const copy = newFolder()
  try {
    cpSync(folder, copy, { recursive: true })
    return copy
  } catch {
    return undefined
  }
}

describe('a data folder', () => {
  /** What this process writes into a lock. */
  const ownHolder = async (): Promise<object> => {
    const folder = newFolder()
    const worlds = await fileFolder(folder, quiet)
    const holder = JSON.parse(readFileSync(join(folder, 'petri.lock'), 'utf8'))
    await worlds.close()
    return holder
  }

  /** A folder with the lock of this process, in which these fields are others. */
  const lockedFolder = async (more: object) => {
    const holder = await ownHolder()
    const folder = newFolder()
    mkdirSync(folder)
    writeFileSync(join(folder, 'petri.lock'), JSON.stringify({ ...holder, ...more }))
    return folder
  }

  it('lists, removes and reopens its worlds', async () => {
    const folder = newFolder()
    const worlds = await fileFolder(folder, quiet)
    const store = await worlds.open('team-1')
    store.append([{ table: 'things', id: 'a', text: '{"id":"a"}' }])
    await store.close()
    await (await worlds.open('team-2')).close({ rewrites: false })
    expect(await worlds.list()).toEqual(['team-1', 'team-2'])
    await worlds.remove('team-1')
    expect(await worlds.list()).toEqual(['team-2'])
    expect((await worlds.open('team-1')).tables.size).toBe(0)
    await worlds.close()
    expect(readdirSync(folder)).toEqual(['.gitignore', 'worlds'])
  })

  it('refuses a second Petri, and says who has it', async () => {
    const folder = newFolder()
    const first = await fileFolder(folder, quiet)
    await expect(fileFolder(folder, quiet)).rejects.toThrow(
      new RegExp(
        `petri\\.lock says that another Petri uses this folder: this very process \\(${process.pid}\\)`,
      ),
    )
    await first.close()
    await (await fileFolder(folder, quiet)).close()
  })

  it.each([
    ['a dead process', { pid: 2 ** 22 + 1, started: '1' }],
    ['a process whose id another one has now', { pid: process.ppid, started: '1' }],
    ['a process before us with our id', { pid: process.pid, started: '1' }],
  ])('takes over what %s left', async (_, holder) => {
    const folder = await lockedFolder(holder)
    const worlds = await fileFolder(folder, quiet)
    expect(JSON.parse(readFileSync(join(folder, 'petri.lock'), 'utf8'))).toMatchObject({ pid: process.pid })
    await worlds.close()
  })

  it.skipIf(process.platform !== 'linux')(
    'is taken over from a process that has ended and that nobody has asked how',
    async () => {
      const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 30'])
      const pid = Number(String((await once(parent.stdout, 'data'))[0]))
      const stat = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
      while (stat()[0] !== 'Z') await new Promise((resolve) => setImmediate(resolve))
      const folder = await lockedFolder({ pid, started: stat()[19] })
      await (await fileFolder(folder, quiet)).close()
      parent.kill()
    },
  )

  it('that is taken away is told of once, takes no writes, and takes them again when it is back', async () => {
    useFakeTimers('setInterval', 'clearInterval')
    const told: string[] = []
    const { root, start } = dataFolder((text) => told.push(text))
    const petri = await start({ reportBug: (error) => told.push((error as Error).message) })
    const make = (name: string) => postUser(petri, name)
    try {
      expect(await make('kept')).toAnswer(200)
      renameSync(root, `${root}.away`)
      vi.advanceTimersByTime(9000)
      expect(told).toEqual([expect.stringMatching(/petri\.lock.*nothing is stored.*ENOENT/)])
      for (const name of ['lost', 'lost too'])
        expect(await make(name)).toRefuse(507, expect.stringContaining('ENOENT'))
      await petri.petri.worlds.maintain()
      expect((await petri.read('/_petri/health')).status).toBe('degraded')
      renameSync(`${root}.away`, root)
      await petri.petri.worlds.maintain()
      expect(await make('next')).toAnswer(200)
      const { users } = await petri.read('/v2/user')
      expect(users.map(field('client_user_id')).sort()).toEqual(['kept', 'next'])
    } finally {
      await petri.close()
      useRealTimers()
    }
  })

  it('that is taken away is not begun anew by a world or a snapshot, which would be lost when it is back', async () => {
    const { root, start } = dataFolder(() => undefined)
    const petri = await start()
    const statuses = async () => [
      (await petri.post('/_petri/worlds')).status,
      (await petri.put('/_petri/snapshots/first')).status,
    ]
    renameSync(root, `${root}.away`)
    expect([await statuses(), existsSync(root)]).toEqual([[507, 507], false])
    renameSync(`${root}.away`, root)
    expect(await statuses()).toEqual([201, 200])
    await petri.close()
  })

  describe('whose holder is on another machine or in another container', () => {
    const elsewhere = JSON.stringify({
      pid: process.pid,
      started: '1',
      host: 'other',
      space: 'another machine',
    })
    const locked = (ageMs: number) => {
      const folder = newFolder()
      mkdirSync(folder)
      const lock = join(folder, 'petri.lock')
      writeFileSync(lock, elsewhere)
      utimesSync(lock, new Date(Date.now() - ageMs), new Date(Date.now() - ageMs))
      return { folder, lock }
    }

    it('is refused as soon as the holder renews it', { tags: 'slow' }, async () => {
      const { folder, lock } = locked(2000)
      const renewing = setInterval(() => utimesSync(lock, new Date(), new Date()), 300)
      await expect(fileFolder(folder, quiet)).rejects.toThrow(`process ${process.pid} on other`)
      clearInterval(renewing)
    })

    it('is taken over once nobody has renewed it for fifteen seconds', async () => {
      const { folder } = locked(2000)
      const worlds = await withoutWaiting(() => fileFolder(folder, quiet))
      await worlds.close()
    })

    it('is changed in no way once the lock was lost, not even by a file that is being written', async () => {
      const folder = newFolder()
      let isHeld = true
      const files = filesHeldBy(() => {
        if (!isHeld) throw new Error('lost')
      })
      const kept = join(folder, 'kept')
      const other = join(folder, 'other')
      const bytes = Buffer.from('more')
      mkdirSync(folder, { recursive: true })
      files.write(other, 'other')
      const file = await files.create(kept)
      await file.write(Buffer.from('kept'))
      isHeld = false
      const before = contentOf(folder)
      for (const change of [
        () => file.write(bytes),
        () => files.create(other),
        () => files.removeAll(folder),
        async () => files.makeFolder(join(folder, 'new')),
        async () => files.write(other, ''),
        async () => files.append(1, bytes),
        async () => files.overwrite(other, 0, bytes),
        async () => files.truncate(other, 0),
        async () => files.rename(other, kept),
        async () => files.remove(other),
      ])
        await expect(change(), String(change)).rejects.toThrow('lost')
      await file.close()
      expect(contentOf(folder)).toEqual(before)
    })

    it('is changed by no call of a holder that was stopped for so long that another took it', async () => {
      const { root, start } = dataFolder(() => undefined)
      const petri = await start()
      const other = (await petri.post('/_petri/worlds')).body
      expect(await petri.put('/_petri/snapshots/first')).toAnswer(200)
      writeFileSync(join(root, 'petri.lock'), elsewhere)
      const now = Date.now()
      vi.spyOn(Date, 'now').mockImplementation(() => now + 60_000)
      const before = contentOf(root)
      const { teamId } = petri.world().identity
      for (const [method, target] of [
        ['DELETE', `/_petri/worlds/${other.team_id}`],
        ['DELETE', `/_petri/worlds/${teamId}`],
        ['PUT', '/_petri/snapshots/first'],
        ['PUT', '/_petri/snapshots/second'],
        ['DELETE', '/_petri/snapshots/first'],
        ['POST', '/_petri/snapshots/first/restore'],
        ['POST', '/_petri/reset'],
        ['POST', '/_petri/worlds'],
        ['POST', '/v2/user'],
      ] as const) {
        const { status, body } = await petri.call(
          method,
          target,
          target === '/v2/user' ? { client_user_id: 'lost' } : undefined,
        )
        expect([method, target, status, body.detail]).toEqual([
          method,
          target,
          503,
          expect.stringContaining('Another Petri has taken'),
        ])
      }
      expect(await petri.read('/_petri/health')).toMatchObject({
        status: 'degraded',
        detail: expect.stringContaining('Another Petri has taken'),
      })
      await petri.close()
      expect(contentOf(root)).toEqual(before)
      vi.restoreAllMocks()
    })
  })

  it('of a dead process in a folder that is read-only is named as the reason', async () => {
    const folder = await lockedFolder({ started: '1' })
    mkdirSync(join(folder, 'worlds'))
    const refuse = (code: string) => {
      throw Object.assign(new Error(code), { code })
    }
    const restore = replaceIn(fs, {
      renameSync: () => refuse('EROFS'),
      writeFileSync: () => refuse('EEXIST'),
    })
    const opening = fileFolder(folder, quiet)
    await expect(opening.finally(restore)).rejects.toThrow('is read-only')
  })

  it('is left alone while its process lives', async () => {
    const folder = await lockedFolder({ pid: process.ppid, started: null, host: 'here' })
    await expect(fileFolder(folder, quiet)).rejects.toThrow(`process ${process.ppid} on here`)
    expect(existsSync(join(folder, 'petri.lock'))).toBe(true)
  })
})

it('a Petri finds a world that was reset empty', async () => {
  const { start } = dataFolder()
  const first = await start()
  await createUser(first, 'gone')
  await first.petri.worlds.reset(first.world())
  await first.close()
  const second = await start()
  expect((await second.read('/v2/user')).users).toEqual([])
  await second.close()
})

it('a Petri that is being closed begins no change of a world, and ends those that were asked for before', async () => {
  const { start } = dataFolder()
  const petri = await start()
  await createUser(petri, 'kept')
  const { worlds } = petri.petri
  const first = worlds.identify(petri.world(), (names) => ({ ...names, name: 'before' }))
  const last = worlds.close()
  await expect(worlds.reset(petri.world())).rejects.toThrow('being stopped')
  expect((await first).identity.name).toBe('before')
  await last
  await petri.close()
  const again = await start()
  expect([again.world().identity.name, (await again.read('/v2/user')).total]).toEqual(['before', 1])
  await again.close()
})

it.each(['a reset', 'an import', 'a restore'])(
  'a call whose body comes after %s leaves nothing in the world that was put in place of its own',
  async (what) => {
    const petri = await dataFolder().start()
    await petri.put('/_petri/snapshots/empty')
    const state = await petri.read('/_petri/state')
    let body: ReadableStreamDefaultController<Uint8Array> | undefined
    const late = petri.petri.app.request('/v2/user', {
      method: 'POST',
      headers: { 'x-service-api-key': KEY, 'content-type': 'application/json' },
      body: new ReadableStream<Uint8Array>({
        start(controller) {
          body = controller
        },
      }),
      duplex: 'half',
    } as RequestInit)
    if (what === 'a reset') await petri.post('/_petri/reset')
    else if (what === 'an import') await petri.put('/_petri/state', state)
    else await petri.post('/_petri/snapshots/empty/restore')
    body?.enqueue(new TextEncoder().encode('{"client_user_id": "late"}'))
    body?.close()
    await late
    expect((await petri.read('/v2/user')).users).toEqual([])
    await petri.close()
  },
)

it('a live world that nobody used is left as it is stored, and one that told the time goes on from there', async () => {
  const folder = dataFolder()
  let now = START
  const start = () => folder.start({ wall: () => now, world: { frozen: false } })
  const first = await start()
  const { teamId } = first.world().identity
  await first.close()
  const kept = () => readFileSync(join(folder.root, 'worlds', teamId, 'world.json'), 'utf8')
  const before = kept()
  now += 60_000
  await (await start()).close()
  expect(kept()).toBe(before)
  const second = await start()
  const told = (await second.read('/_petri/clock')).now
  await second.close()
  now -= 30_000
  const third = await start()
  expect((await third.read('/_petri/clock')).now).toBe(told)
  await third.close()
})
