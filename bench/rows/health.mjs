import { join } from 'node:path'
import { startPetri } from '../processes.mjs'
import { newSandbox } from '../sandbox.mjs'
import { quantile } from '../statistics.mjs'

const ROUNDS = 15

/** Reads a day of heart rate, and a year of steps page by page; milliseconds, and whether a sample of the last page costs more than one of the first. */
export async function measureHealth({ main, folder }) {
  const petri = await startPetri(main, join(folder, 'health'))
  const { ask } = await newSandbox(petri.url)
  const { user_id } = await ask('POST', '/v2/user', { client_user_id: 'wearer' })
  await ask('POST', '/v2/link/connect/demo', { user_id, provider: 'fitbit' })
  const { now } = await ask('POST', '/_petri/clock/advance', { by: '366d' })
  const end = Date.parse(now)
  const day = (before) => new Date(end - before * 86_400_000).toISOString().slice(0, 10)
  const heart = `/v2/timeseries/${user_id}/heartrate/grouped?start_date=${day(3)}&end_date=${day(3)}`
  const steps = `/v2/timeseries/${user_id}/steps/grouped?start_date=${day(365)}&end_date=${day(1)}`
  const heartDay = await median(() => ask('GET', heart))
  const pages = []
  for (const { cursor, samples } of await pagesOf(ask, steps)) {
    pages.push((await median(() => ask('GET', page(steps, cursor)))) / samples)
  }
  await petri.stop()
  return { heartDay, stepsThousand: pages[0] * 1000, stepsFlat: pages.at(-1) / pages[0] }
}

const page = (path, cursor) => (cursor ? `${path}&next_cursor=${encodeURIComponent(cursor)}` : path)

/** Where each page of an answer begins, and how many samples it has. */
async function pagesOf(ask, path) {
  const pages = []
  for (let cursor = null; ; ) {
    const { groups, next_cursor } = await ask('GET', page(path, cursor))
    const samples = Object.values(groups).flatMap((group) => group.flatMap(({ data }) => data)).length
    pages.push({ cursor, samples })
    if (next_cursor === null) return pages
    cursor = next_cursor
  }
}

async function median(act) {
  const took = new Float64Array(ROUNDS)
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    await act()
    took[round] = performance.now() - start
  }
  return quantile(took.sort(), 0.5)
}
