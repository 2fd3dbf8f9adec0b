import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import { Database } from '../../src/storage/database.ts'
import { fileFolder } from '../../src/storage/folder.ts'
import { memoryStore } from '../../src/storage/store.ts'
import { numbered, takeStep } from '../support/durable-steps.ts'
import { makeFolder } from '../support/new-folder.ts'
import { rounds } from '../support/rounds.ts'

const ROUNDS = rounds(4)
const MAX_STEPS = 120
const TEAM = 'team'

const root = makeFolder('petri-durability-')
const child = join(root, 'child.mjs')
const data = join(root, 'data')

beforeAll(() =>
  build({
    entryPoints: [fileURLToPath(new URL('../support/durable-child.ts', import.meta.url))],
    outfile: child,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  }),
)
afterAll(() => rmSync(root, { recursive: true }))

// Many processes are started and killed, one after another.
it(`what was acknowledged is there after each of ${ROUNDS} kills, and no batch is stored in part`, {
  timeout: rounds(120_000),
  tags: 'slow',
}, async () => {
  const random = createRandom('durability')
  const model = new Database(memoryStore())
  let [done, rewritten, interrupted] = [0, 0, 0]
  for (let round = 0; round < ROUNDS; round++) {
    const steps = random.integer(`round ${round}`, 1, MAX_STEPS)
    const isRewriting = round % 3 === 0
    const args = [child, data, TEAM, ...(isRewriting ? [`${steps}`] : [])]
    const acknowledged = await untilKilled(spawn(process.execPath, args), isRewriting ? undefined : steps)
    const files = readdirSync(join(data, 'worlds', TEAM))
    if (files.includes('world.json')) rewritten++
    if (files.includes('world.json.tmp')) interrupted++
    const { last, rows } = await reopen()
    expect(acknowledged - done).toBeGreaterThanOrEqual(steps)
    expect(last).toBeGreaterThanOrEqual(acknowledged)
    expect(last).toBeLessThanOrEqual(acknowledged + 1)
    while (done < last) takeStep(model, ++done)
    expect(rows).toEqual([...model.all(numbered)])
  }
  expect(rewritten).toBeGreaterThan(0)
  expect(interrupted).toBeGreaterThan(0)
})

/** Answers the last step that a process acknowledged; kills it after so many, while it goes on, where it does not do so itself. */
async function untilKilled(process: ChildProcess, steps: number | undefined): Promise<number> {
  const closed = once(process, 'close')
  const told: string[] = []
  process.stderr?.setEncoding('utf8').on('data', (text: string) => told.push(text))
  let [count, last] = [0, 0]
  for await (const line of createInterface({ input: process.stdout as NodeJS.ReadableStream })) {
    last = Number(line)
    if (++count === steps) process.kill('SIGKILL')
  }
  await closed
  expect(process.signalCode, told.join('')).toBe('SIGKILL')
  return last
}

async function reopen() {
  const folder = await fileFolder(data, { warn: () => undefined })
  const store = await folder.open(TEAM)
  const db = new Database(store)
  const [last, rows] = [db.get(numbered, 'last').step, [...db.all(numbered)]]
  await store.close({ rewrites: false })
  await folder.close()
  return { last, rows }
}
