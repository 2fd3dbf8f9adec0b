import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { load } from '../load.mjs'
import { bytesWritten, kill, longestStall, pause, residentMb, startPetri } from '../processes.mjs'
import { call, newSandbox, sandbox } from '../sandbox.mjs'
import { median } from '../statistics.mjs'

/** Orders whose latencies are compared, at either end. */
const SAMPLE = 4000
/** Milliseconds in which an idle Petri finishes rewriting its file. */
const QUIET_MS = 15_000

/** Fills a store, waits until it is compacted, kills Petri and starts it again on it. */
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
    orderRss: memoryOver(filledMb - emptyMb, orders * orderBytes),
    startFull: again.addedSeconds,
    filters: again.filtersMs,
    orderRssRestarted: memoryOver(again.addedMb, orders * orderBytes),
  }
}

const memoryOver = (mb, bytes) => (mb * 1024 * 1024) / bytes

/** Seconds and MB that the orders add to a start, and whether all that was answered is there. */
async function measureRestart(main, folder, data, orders) {
  const options = { path: '/v2/user' }
  const empty = await startPetri(main, join(folder, 'growth-empty'), options)
  const emptyMb = residentMb(empty)
  await empty.stop()
  const full = await startPetri(main, data, options)
  const addedMb = residentMb(full) - emptyMb
  const { counts } = await call(full.url, 'GET', '/_petri/world')
  if (counts.orders < orders) throw new Error(`${orders} orders were answered, and ${counts.orders} are left`)
  const filtersMs = await measureFilters(full, orders)
  await full.stop()
  return { addedSeconds: (full.startMs - empty.startMs) / 1000, addedMb, filtersMs }
}

const TIMES = 7

/** The slowest filter, page or order of a list of orders: its median in milliseconds. */
export async function measureFilters({ url }, orders) {
  const last = Math.floor(orders / 100)
  const queries = [
    'size=100',
    `page=${last}&size=100`,
    'status=ordered',
    'status=cancelled',
    `status=ordered&status=awaiting_registration&page=${Math.floor(last / 2)}&size=100`,
    'order_type=testkit&order_direction=asc',
    'interpretation=critical',
    'start_date=2020-01-01&end_date=2020-02-01',
    'patient_name=nobody',
    'shipping_recipient_name=ada',
    'search_input=zzzz',
    'order_key=patient_name',
    `order_key=last_status&order_direction=asc&page=${last}&size=100`,
    'order_activation_types=scheduled',
  ]
  // The first filter after a start waits until all orders are indexed.
  await call(url, 'GET', '/v3/orders?status=cancelled')
  const medians = []
  for (const query of queries) {
    const took = []
    for (let time = 0; time < TIMES; time++) {
      const start = performance.now()
      await call(url, 'GET', `/v3/orders?${query}`)
      took.push(performance.now() - start)
    }
    medians.push(median(took))
  }
  return Math.max(...medians)
}

/** Bytes of the rows in a folder's journals, without names and checksums. */
async function changedBytes(data) {
  let bytes = 0
  for (const team of readdirSync(join(data, 'worlds'))) {
    const folder = join(data, 'worlds', team)
    for (const name of readdirSync(folder).filter((file) => file.startsWith('journal.'))) {
      for await (const line of createInterface({ input: createReadStream(join(folder, name)) }))
        bytes += rowBytes(line)
    }
  }
  return bytes
}

/** A checksum, then table, id and JSON of each row, parted by tabs. */
const rowBytes = (line) =>
  line
    .split('\t')
    .filter((_, at) => at > 0 && at % 3 === 0)
    .reduce((sum, json) => sum + Buffer.byteLength(json), 0)
