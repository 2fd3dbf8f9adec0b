import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CONNECTIONS } from '../load.mjs'
import { pause, startPetri } from '../processes.mjs'
import { startReceiver } from '../receiver.mjs'
import { newSandbox } from '../sandbox.mjs'
import { median } from '../statistics.mjs'

/** Events of one call; each goes to as many endpoints as there are connections, and each endpoint takes one at a time. */
const EVENTS = 300

/** Deliveries per second, signed and stored, relative to a loop that only sends POST requests. */
export async function measureDeliveries({ main, folder, rounds }) {
  const petri = await startPetri(main, join(folder, 'deliveries'))
  const receiver = await startReceiver()
  const poster = startPoster()
  const endpoints = Array.from({ length: CONNECTIONS }, (_, at) => `${receiver.url}/${at}`)
  const { ask, placeKit } = await newSandbox(petri.url, { endpoints })
  const orders = []
  for (let at = 0; at < EVENTS; at++) orders.push((await placeKit()).order)
  const body = JSON.stringify({ event_type: 'labtest.order.updated', data: orders[0] })
  const resend = { order_ids: orders.map(({ id }) => id) }
  const count = EVENTS * CONNECTIONS
  await until(receiver, 2 * count)
  const ours = []
  const bare = []
  for (let round = -1; round < rounds; round++) {
    const theirs = await measured(receiver, count, () => poster.post(receiver.url, body, count))
    const mine = await measured(receiver, count, () => ask('POST', '/v3/order/resend_events', resend))
    if (round >= 0) {
      bare.push(theirs)
      ours.push(mine)
    }
  }
  await petri.stop()
  poster.stop()
  receiver.stop()
  return {
    deliveries: median(ours.map((rate, at) => rate / bare[at])),
    deliveryRates: { ours: Math.round(median(ours)), bare: Math.round(median(bare)) },
  }
}

/** Deliveries a second between the first and the last. */
async function measured({ received }, count, send) {
  received.count = 0
  const sent = send()
  await until({ received }, count)
  await sent
  return (1000 * count) / (received.lastAt - received.firstAt)
}

async function until({ received }, count) {
  const deadline = performance.now() + 60_000
  while (received.count < count) {
    if (performance.now() > deadline) throw new Error(`${received.count} of ${count} deliveries came`)
    await pause(5)
  }
}

/** Starts the poster once for all rounds, so that it is as warm as Petri. */
function startPoster() {
  const poster = fork(fileURLToPath(new URL('../poster.mjs', import.meta.url)))
  return {
    async post(url, body, count) {
      poster.send({ url, body, count, connections: CONNECTIONS })
      await once(poster, 'message')
    },
    stop: () => poster.kill(),
  }
}
