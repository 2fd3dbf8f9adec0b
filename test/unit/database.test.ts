import { expect, it } from 'vitest'
import * as z from 'zod'
import { Database } from '../../src/storage/database.ts'
import type { RowChange, Tables } from '../../src/storage/rows.ts'
import { table } from '../../src/storage/table.ts'

const row = () => z.object({ id: z.string(), colour: z.string().nullable() })
const rows = table('rows', row, ({ id }) => id, {
  indexes: { colour: ({ colour }) => colour },
})

function open(tables: Tables = new Map()) {
  const batches: (readonly RowChange[])[] = []
  return {
    db: new Database({ tables, append: (changes) => void batches.push(changes), blocked: () => undefined }),
    batches,
    tables,
  }
}

it('stores all that changed in a turn once, as it is at its end', async () => {
  const { db, batches } = open()
  db.put(rows, { id: 'a', colour: 'red' })
  db.put(rows, { id: 'a', colour: 'blue' })
  db.put(rows, { id: 'b', colour: null })
  db.delete(rows, 'b')
  await db.settled()
  expect(batches).toEqual([
    [
      { table: 'rows', id: 'a', text: '{"id":"a","colour":"blue"}' },
      { table: 'rows', id: 'b', text: null },
    ],
  ])
  expect(db.settled()).toBeUndefined()
})

it('tells of a row deleted and put again in one turn, for it is now the last', async () => {
  const { db, batches } = open()
  for (const id of ['a', 'b']) db.put(rows, { id, colour: null })
  await db.settled()
  db.delete(rows, 'a')
  db.put(rows, { id: 'a', colour: 'red' })
  await db.settled()
  expect(db.ids(rows)).toEqual(['b', 'a'])
  expect(batches.at(-1)?.map(({ text }) => text)).toEqual([null, '{"id":"a","colour":"red"}'])
})

it('finds rows by an index that follows every change', () => {
  const { db } = open()
  db.put(rows, { id: 'a', colour: 'red' })
  expect(db.by(rows, 'colour', 'red').map(({ id }) => id)).toEqual(['a'])
  db.put(rows, { id: 'b', colour: 'red' })
  db.put(rows, { id: 'a', colour: 'blue' })
  expect(db.idsBy(rows, 'colour', 'red')).toEqual(['b'])
  db.delete(rows, 'b')
  expect(db.idsBy(rows, 'colour', 'red')).toEqual([])
  expect(db.idsBy(rows, 'colour', 'blue')).toEqual(['a'])
})

it('reads no row again for an index that is first used when there are many', () => {
  let read = 0
  const counted = table('counted', row, ({ id }) => id, {
    indexes: {
      colour({ colour }) {
        read++
        return colour
      },
    },
  })
  const { db } = open()
  for (let at = 0; at < 5000; at++) db.put(counted, { id: `${at}`, colour: at % 2 ? 'red' : null })
  read = 0
  expect(db.idsBy(counted, 'colour', 'red')).toHaveLength(2500)
  expect(read).toBe(0)
})

it('keeps nothing of what was not stored once it is closed', async () => {
  const { db, batches } = open()
  db.put(rows, { id: 'a', colour: null })
  db.close()
  await db.settled()
  expect(batches).toEqual([])
})

it('copies the rows as they are when it is asked, whatever is put while it copies', {
  tags: 'slow',
}, async () => {
  const { db } = open()
  const count = 60_000
  for (let at = 0; at < count; at++) db.put(rows, { id: `${at}`, colour: 'red' })
  const copying = db.copy()
  let turns = 0
  const isDone = copying.then(() => true)
  const nextTurn = () => new Promise<false>((resolve) => setImmediate(() => resolve(false)))
  do {
    turns++
    for (const at of [0, count - 1]) db.put(rows, { id: `${at}`, colour: `blue ${turns}` })
    db.delete(rows, `${count - 2}`)
    db.put(rows, { id: `late ${turns}`, colour: null })
  } while (!(await Promise.race([isDone, nextTurn()])))
  const texts = [...((await copying).get('rows') ?? [])]
  expect(texts).toHaveLength(count)
  expect(
    texts.findIndex(([id, text], at) => text !== `{"id":"${at}","colour":"red"}` || id !== `${at}`),
  ).toBe(-1)
  expect(db.find(rows, '0')?.colour).toBe(`blue ${turns}`)
})
