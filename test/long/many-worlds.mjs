// A folder of many worlds in a small heap: how long a start and the first call of each world take, also after a kill.
//   npm test many-worlds -- [--worlds 1000] [--orders 30] [--heap 300]
// Exits with 1 when a start takes over 5 s, the median of the first calls is over 50 ms, or an order is missing.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { cpuSeconds, freePort, killAll, residentMb, startServer } from '../../bench/processes.mjs'

const { values } = parseArgs({
  options: {
    worlds: { type: 'string', default: '1000' },
    orders: { type: 'string', default: '30' },
    heap: { type: 'string', default: '300' },
  },
})
const START_MS = 5000
const FIRST_CALL_MS = 50
const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'petri-many-worlds-'))
const faults = []

async function start() {
  const port = await freePort()
  const heap = `--max-old-space-size=${values.heap}`
  const flags = ['--port', String(port), '--data', folder, '--log', 'warn', '--frozen']
  return startServer([heap, main, 'start', ...flags], port, '/_petri/health')
}

async function call({ url }, method, path, { key = 'sk_us_petri', body } = {}) {
  const response = await fetch(url + path, {
    method,
    headers: { 'x-service-api-key': key, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`)
  return text === '' ? undefined : JSON.parse(text)
}

/** Places orders in the first world and brings them to their end. */
async function fillFirst(petri) {
  const address = {
    receiver_name: 'Ada Muster',
    phone_number: '+14155550101',
    first_line: '1 Main St',
    city: 'Phoenix',
    state: 'AZ',
    zip: '85004',
    country: 'US',
  }
  const tests = await call(petri, 'GET', '/v3/lab_tests')
  const kit = tests.find(({ method }) => method === 'testkit')
  for (let at = 0; at < Number(values.orders); at++) {
    const { user_id } = await call(petri, 'POST', '/v2/user', { body: { client_user_id: `user-${at}` } })
    await call(petri, 'POST', '/v3/order/testkit', {
      body: {
        user_id,
        lab_test_id: kit.id,
        shipping_details: address,
      },
    })
  }
  await call(petri, 'POST', '/_petri/clock/advance', { body: { until: 'idle' } })
}

/** Makes the other worlds with the same data. Returns the keys of all. */
async function fillOthers(petri) {
  const state = await call(petri, 'GET', '/_petri/state')
  const keys = ['sk_us_petri']
  while (keys.length < Number(values.worlds)) {
    const { api_key } = await call(petri, 'POST', '/_petri/worlds', { body: { frozen: true } })
    await call(petri, 'PUT', '/_petri/state', { key: api_key, body: state })
    keys.push(api_key)
  }
  return keys
}

const stop = (petri, signal) => {
  petri.child.kill(signal)
  return once(petri.child, 'exit')
}

/** The milliseconds of the first call of each world, which tells whether it has its orders. */
async function callEach(petri, keys) {
  const took = []
  for (const key of keys) {
    const startedAt = performance.now()
    const { total } = await call(petri, 'GET', '/v3/orders?size=1', { key })
    took.push(performance.now() - startedAt)
    if (total !== Number(values.orders)) faults.push(`a world lists ${total} orders`)
  }
  return took.sort((a, b) => a - b)
}

async function measure(what, keys, isIndexed) {
  const petri = await start()
  const afterStart = residentMb(petri)
  const cpu = cpuSeconds(petri.child.pid)
  const took = await callEach(petri, keys)
  const cpuMs = (1000 * (cpuSeconds(petri.child.pid) - cpu)) / keys.length
  const median = took[took.length >> 1]
  const worst = took.at(-1)
  console.log(
    `${what}: start ${Math.round(petri.startMs)} ms (CPU ${Math.round(petri.startCpuMs)}), ${Math.round(afterStart)} MB; first calls of ${keys.length} worlds: ` +
      `median ${median.toFixed(1)} ms, 99 % ${took[Math.floor(took.length * 0.99)].toFixed(1)} ms, longest ${worst.toFixed(1)} ms, CPU ${cpuMs.toFixed(1)} ms; ` +
      `then ${Math.round(residentMb(petri))} MB`,
  )
  if (isIndexed && petri.startMs > START_MS) faults.push(`${what}: the start took ${petri.startMs} ms`)
  if (median > FIRST_CALL_MS) faults.push(`${what}: the median of the first calls was ${median} ms`)
  return petri
}

try {
  const first = await start()
  await fillFirst(first)
  const madeAt = performance.now()
  const keys = await fillOthers(first)
  console.log(
    `${keys.length} worlds made in ${Math.round(performance.now() - madeAt)} ms, ${Math.round(residentMb(first))} MB`,
  )
  await stop(first, 'SIGTERM')
  await stop(await measure('after a stop', keys, true), 'SIGKILL')
  await stop(await measure('after a kill', keys, true), 'SIGKILL')
  rmSync(join(folder, 'worlds.index'))
  await stop(await measure('without an index', keys, false), 'SIGTERM')
} finally {
  killAll()
  rmSync(folder, { recursive: true, force: true })
}
for (const fault of faults) console.log(fault)
process.exitCode = faults.length > 0 ? 1 : 0
