import { join } from 'node:path'
import { request } from 'undici'
import { load } from '../load.mjs'
import { startPetri } from '../processes.mjs'
import { newSandbox } from '../sandbox.mjs'
import { median } from '../statistics.mjs'

/** Long enough for all statuses of a kit before its registration. */
const BY = '10d'
const FEW = 100
const MANY = 10_000
/** The answer of an advance holds at most this many effects. */
const SMALL_ROUNDS = 15

/** The time of one transition with many orders under way over that with few, in worlds of one process. */
export async function measureAdvance({ main, folder, rounds }) {
  const petri = await startPetri(main, join(folder, 'advance'))
  await advanceOrders(petri, 1000)
  const ratios = []
  const watched = []
  for (let round = 0; round < rounds; round++) {
    const few = []
    for (let at = 0; at < SMALL_ROUNDS; at++) few.push(await advanceOrders(petri, FEW))
    const many = await advanceOrders(petri, MANY)
    ratios.push(many / median(few))
    watched.push((await advanceOrders(petri, MANY, { isWatched: true })) / many)
  }
  await petri.stop()
  return { advance: median(ratios), advanceWatched: median(watched) }
}

/** Milliseconds for each order; watched by one reader of the event stream, if told so. */
async function advanceOrders({ url, port }, count, { isWatched = false } = {}) {
  const { key, ask, kitRequest } = await newSandbox(url)
  await load(port, [kitRequest], count)
  const stream = isWatched ? await watch(url, key) : undefined
  const start = performance.now()
  await ask('POST', '/_petri/clock/advance', { by: BY })
  const tookMs = performance.now() - start
  stream?.destroy()
  const { team_id } = await ask('GET', '/_petri/world')
  await ask('DELETE', `/_petri/worlds/${team_id}`)
  return tookMs / count
}

/** Reads a world's event stream and discards the events. */
async function watch(url, key) {
  const { body } = await request(`${url}/_petri/events`, {
    headers: { 'x-service-api-key': key },
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  body.on('error', () => undefined)
  return body.resume()
}
