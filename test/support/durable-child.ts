import { writeSync } from 'node:fs'
import { Database } from '../../src/storage/database.ts'
import { fileFolder } from '../../src/storage/folder.ts'
import { numbered, takeStep } from './durable-steps.ts'

// Changes a world step by step until it is killed; tells of a step once it is stored.
const [root = '', teamId = ''] = process.argv.slice(2)
const warn = (message: string) => void writeSync(2, `${message}\n`)
const folder = await fileFolder(root, { warn })
const store = await folder.open(teamId)
const db = new Database(store)

for (let step = (db.find(numbered, 'last')?.step ?? 0) + 1; ; step++) {
  takeStep(db, step)
  await db.settled()
  writeSync(1, `${step}\n`)
  if (step % 20 === 0) void store.compact()
}
