import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { load, requestBytes } from '../load.mjs'
import { pause, startPetri, startReference } from '../processes.mjs'
import { startReceiver, startSilentReceiver } from '../receiver.mjs'
import { call, newSandbox, patient, shipping_details } from '../sandbox.mjs'
import { medianOf, medianRatio } from '../statistics.mjs'

/** Writes the answers of the reference servers to a file: Petri's own bodies, so that all send the same. */
export async function writeFacts(main, folder) {
  const petri = await startPetri(main, join(folder, 'facts'))
  const { ask, placeKit } = await newSandbox(petri.url)
  const markers = await ask('GET', '/v3/lab_tests/markers?size=50')
  const { order } = await placeKit()
  await petri.stop()
  const file = join(folder, 'facts.json')
  writeFileSync(file, JSON.stringify({ markers, order }))
  return file
}

/** Milliseconds in which the disk writes a round's stores, about 70 MB, before others are measured. */
const SETTLE_MS = 1000

/** The number of warm-up rounds of each server. */
const WARMING = 2

/** Rates and latencies of the three calls, all servers in turn, over and over; in a store of a round's size, dropped after it. */
export async function measureRequests({ main, folder, facts, rounds, orders }) {
  const petri = await startPetri(main, join(folder, 'requests'))
  const silent = await startSilentReceiver()
  const receiver = await startReceiver()
  const references = {
    bare: await startReference('bare-hono', facts),
    zod: await startReference('zod-openapi', facts),
  }
  const theirs = []
  for (const [name, { port }] of Object.entries(references))
    theirs.push(...(await referenceJobs(name, port, orders)))
  const measured = {}
  for (let round = -WARMING; round < rounds; round++) {
    const { jobs: ours, drop } = await petriJobs(petri, orders, silent, receiver)
    for (const { name, port, requests, count } of likeByLike([...theirs, ...ours])) {
      const result = await load(port, requests, count)
      measured[name] ??= []
      if (round >= 0) measured[name].push(result)
    }
    await drop()
    await pause(SETTLE_MS)
  }
  for (const server of [petri, ...Object.values(references)]) await server.stop()
  silent.stop()
  receiver.stop()
  return ratios(measured)
}

/**
 * The same call of all servers one after the other: what the machine does meanwhile strikes them alike. Petri comes last,
 * so that nobody else is slowed down by the disk that takes what Petri stored.
 */
const likeByLike = (jobs) =>
  ['markers', 'order', 'post', 'patient'].flatMap((call) =>
    jobs.filter(({ name }) => name.split(' ')[1] === call),
  )

async function petriJobs({ url, port }, count, silent, receiver) {
  const plain = await newSandbox(url)
  const written = await newSandbox(url, { endpoints: [silent.url] })
  const delivered = await newSandbox(url, { endpoints: [receiver.url] })
  const named = await newSandbox(url, { endpoints: [silent.url] })
  const ids = []
  for (let placed = 0; placed < 100; placed++) ids.push((await plain.placeKit()).order.id)
  const jobs = [
    { name: 'petri markers', port, requests: [plain.markersRequest], count },
    { name: 'petri order', port, requests: ids.map(plain.orderRequest), count: 2 * count },
    // The one that has a gate comes first: what the others store keeps the disk busy for a while.
    { name: 'petri post written', port, requests: [written.kitRequest], count },
    { name: 'petri post', port, requests: [plain.kitRequest], count },
    { name: 'petri post delivered', port, requests: [delivered.kitRequest], count: count / 4 },
    { name: 'petri patient', port, requests: [named.patientRequest], count },
  ]
  const drop = async () => {
    for (const world of [plain, written, delivered, named]) await world.drop()
  }
  return { jobs, drop }
}

async function referenceJobs(name, port, count) {
  const headers = { 'x-service-api-key': 'sk_us_petri' }
  const id = crypto.randomUUID()
  const body = { user_id: id, lab_test_id: id, shipping_details }
  const post = requestBytes('POST', '/v3/order/testkit', { headers, body })
  const forPatient = requestBytes('POST', '/v3/order', {
    headers,
    body: { user_id: id, lab_test_id: id, ...patient },
  })
  const ids = []
  for (let placed = 0; placed < 100; placed++) {
    ids.push((await call(`http://127.0.0.1:${port}`, 'POST', '/v3/order/testkit', { body })).order.id)
  }
  return [
    {
      name: `${name} markers`,
      port,
      requests: [requestBytes('GET', '/v3/lab_tests/markers?size=50', { headers })],
      count,
    },
    {
      name: `${name} order`,
      port,
      requests: ids.map((order) => requestBytes('GET', `/v3/order/${order}`, { headers })),
      count: 2 * count,
    },
    { name: `${name} post`, port, requests: [post], count },
    ...(name === 'zod' ? [{ name: 'zod patient', port, requests: [forPatient], count }] : []),
  ]
}

function ratios(measured) {
  const rate = (ours, theirs) => medianRatio(measured[ours], measured[theirs], 'rate')
  const p99 = (ours, theirs) => medianRatio(measured[ours], measured[theirs], 'p99')
  const rates = Object.entries(measured).map(([name, rounds]) => [name, Math.round(medianOf(rounds, 'rate'))])
  return {
    markers: rate('petri markers', 'bare markers'),
    order: rate('petri order', 'bare order'),
    postPlain: rate('petri post', 'bare post'),
    post: rate('petri post written', 'bare post'),
    postPatient: rate('petri patient', 'zod patient'),
    postDelivered: rate('petri post delivered', 'bare post'),
    p99Get: p99('petri order', 'zod order'),
    p99Post: p99('petri post written', 'zod post'),
    rates: Object.fromEntries(rates),
  }
}
