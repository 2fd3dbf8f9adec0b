import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { load } from '../load.mjs'
import { bytesWritten, kill, longestStall, pause, residentMb, startPetri } from '../processes.mjs'
import { newSandbox, sandbox } from '../sandbox.mjs'

/** Orders whose latencies are compared, at either end. */
const SAMPLE = 4000
/** Milliseconds in which a quiet Petri rewrites its file and is done with it. */
const QUIET_MS = 15_000

/** Fills a store, leaves it alone, kills Petri and starts it again on what is there. */
export async function measureGrowth({ main, folder, orders }) {
  const data = join(folder, 'growth')
  const petri = await startPetri(main, data, { watched: true })
  const warming = await newSandbox(petri.url)
  await load(petri.port, [warming.kitRequest], SAMPLE)
  await warming.ask('DELETE', `/_petri/worlds/${(await warming.ask('GET', '/_petri/world')).team_id}`)
  const { kitRequest, placeKit } = await sandbox(petri.url)
  const orderBytes = Buffer.byteLength(JSON.stringify((await placeKit()).order))
  const emptyMb = residentMb(petri)
  const changesBefore = await changedBytes(data)
  const writtenBefore = bytesWritten(petri)
  await longestStall(petri)

  const early = await load(petri.port, [kitRequest], SAMPLE)
  const changed = ((await changedBytes(data)) - changesBefore) / SAMPLE
  const filling = await load(petri.port, [kitRequest], orders - 2 * SAMPLE)
  const late = await load(petri.port, [kitRequest], SAMPLE)
  await pause(QUIET_MS)
  const stall = await longestStall(petri)
  const received = early.received + filling.received + late.received
  const written = (bytesWritten(petri) - writtenBefore - received) / orders
  const filledMb = residentMb(petri)
  await kill(petri)
  const again = await measureRestart(main, folder, data, orders)
  return {
    growth: late.p50 / early.p50,
    stall,
    bytes: written / changed,
    orderRss: ((filledMb - emptyMb) * 1024 * 1024) / orders / orderBytes,
    ...again,
    growthDetails: {
      early,
      late,
      written,
      changed,
      orderBytes,
      filledMb,
      emptyMb,
      fillingRate: filling.rate,
    },
  }
}

/** Seconds that 100k orders add to a start, and whether all that was answered is there. */
async function measureRestart(main, folder, data, orders) {
  const rest = await startPetri(main, join(folder, 'growth-empty'), { path: '/v2/user' })
  await kill(rest)
  const again = await startPetri(main, data, { path: '/v2/user' })
  const { ask } = await sandboxOf(again.url)
  const { counts } = await ask('GET', '/_petri/world')
  if (counts.orders < orders) throw new Error(`${orders} orders were answered, and ${counts.orders} are left`)
  const restartedMb = residentMb(again)
  await again.stop()
  return { startFull: (again.startMs - rest.startMs) / 1000, restartedMb }
}

const sandboxOf = async (url) => {
  const { call } = await import('../sandbox.mjs')
  return { ask: (method, path) => call(url, method, path) }
}

/** Bytes of the rows in a folder's files of changes: what there was to write, without names and checksums. */
async function changedBytes(data) {
  let bytes = 0
  for (const team of readdirSync(join(data, 'worlds'))) {
    const folder = join(data, 'worlds', team)
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.jsonl'))) {
      for await (const line of createInterface({ input: createReadStream(join(folder, name)) })) {
        if (line.startsWith('["')) bytes += rowBytes(line)
      }
    }
  }
  return bytes
}

/** `["table","id",{…}]` */
const rowBytes = (line) => Math.max(0, Buffer.byteLength(line) - 1 - line.indexOf(',{') - 1)
