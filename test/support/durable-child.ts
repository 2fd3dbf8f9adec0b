import { existsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { Database } from '../../src/storage/database.ts'
import { fileFolder } from '../../src/storage/folder.ts'
import { numbered, takeStep } from './durable-steps.ts'

// Changes a world step by step until it is killed; tells of a step once it is stored. With a number of steps, it kills itself
// after as many, as soon as its base file is being rewritten.
const [root = '', teamId = '', steps = 'Infinity'] = process.argv.slice(2)
const warn = (message: string) => void writeSync(2, `${message}\n`)
const folder = await fileFolder(root, { warn })
const store = await folder.open(teamId)
const db = new Database(store)

const first = (db.find(numbered, 'last')?.step ?? 0) + 1
for (let step = first; ; step++) {
  takeStep(db, step)
  await db.settled()
  writeSync(1, `${step}\n`)
  const compacting = step % 20 === 0 ? store.compact() : undefined
  if (step % 100 === 0) await compacting
  if (step - first >= Number(steps) && existsSync(join(root, 'worlds', teamId, 'world.json.tmp')))
    process.kill(process.pid, 'SIGKILL')
}
