// Measures Petri at the promised size: 100,000 orders in one world, and 5,000 worlds: `node bench/scale.mjs --write`.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { load } from './load.mjs'
import { killAll, pause, residentMb, startPetri } from './processes.mjs'
import { measureFilters } from './rows/growth.mjs'
import { heavyCalls, send } from './rows/stalls.mjs'
import { call, sandbox } from './sandbox.mjs'
import { writeSection } from './section.mjs'

const { values: flags } = parseArgs({
  options: {
    orders: { type: 'string', default: '100000' },
    worlds: { type: 'string', default: '5000' },
    write: { type: 'boolean', default: false },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'petri-scale-'))
const main = new URL('../dist/cli/main.js', import.meta.url).pathname
const options = { flags: ['--frozen', '--now', '2026-01-05T09:00:00Z'], path: '/v2/user' }

try {
  const orders = await measureOrders(join(folder, 'orders'), Number(flags.orders))
  const worlds = await measureWorlds(join(folder, 'worlds'), Number(flags.worlds))
  const table = tableOf(orders, worlds)
  console.log(
    `\n${table}\n\nLongest waits at ${flags.orders} orders, in ms: ${JSON.stringify(orders.stalls)}`,
  )
  if (flags.write) writeSection('evidence/benchmarks', 'scale', table)
} finally {
  killAll()
  rmSync(folder, { recursive: true, force: true })
}

async function measureOrders(data, count) {
  let petri = await startPetri(main, data, options)
  const { kitRequest } = await sandbox(petri.url)
  await load(petri.port, [kitRequest], count)
  // A start builds indexes that a process which took the orders may lack.
  const stallsBefore = await waitsDuring(petri.url, {
    'the first advance': () => call(petri.url, 'POST', '/_petri/clock/advance', { body: { by: '1s' } }),
  })
  await petri.stop()
  petri = await startPetri(main, data, options)
  const { startMs } = petri
  const mb = residentMb(petri)
  const { counts } = await call(petri.url, 'GET', '/_petri/world')
  if (counts.orders < count) throw new Error(`${counts.orders} of ${count} orders are left`)
  const filtersMs = await measureFilters(petri, count)
  const stalls = { ...stallsBefore, ...(await stallsOf(petri)) }
  const stopMs = await timeOf(() => petri.stop())
  return { startMs, mb, filtersMs, stopMs, stalls, stallMs: Math.max(...Object.values(stalls)) }
}

async function measureWorlds(data, count) {
  let petri = await startPetri(main, data, options)
  for (let made = 0; made < count; made++) {
    const { api_key: key } = await call(petri.url, 'POST', '/_petri/worlds', { body: { seed: String(made) } })
    await call(petri.url, 'POST', '/v2/user', { key, body: { client_user_id: 'scale' } })
  }
  const stopMs = await timeOf(() => petri.stop())
  petri = await startPetri(main, data, options)
  const { startMs } = petri
  const mb = residentMb(petri)
  const { data: worlds } = await call(petri.url, 'GET', '/_petri/worlds')
  if (worlds.length < count) throw new Error(`${worlds.length} of ${count} worlds are left`)
  const stalls = await waitsDuring(petri.url, {
    'a user made': () => call(petri.url, 'POST', '/v2/user', { body: { client_user_id: 'one more' } }),
    rest: () => pause(10_000),
  })
  await petri.stop()
  return { startMs, mb, stopMs, stallMs: Math.max(...Object.values(stalls)) }
}

async function timeOf(act) {
  const start = performance.now()
  await act()
  return performance.now() - start
}

async function stallsOf({ url }) {
  const user = await call(url, 'POST', '/v2/user', { body: { client_user_id: 'stalls' } })
  await call(url, 'POST', '/v2/link/connect/demo', {
    body: { user_id: user.user_id, provider: 'apple_health_kit' },
  })
  // Every order would move ten times: 10 GB of changes, in slices that do not depend on how many there are.
  const { 'the clock a month on': _, ...calls } = heavyCalls(user.user_id)
  return waitsDuring(
    url,
    Object.fromEntries(
      Object.entries(calls).map(([name, heavy]) => [name, () => send(url, 'sk_us_petri', heavy)]),
    ),
  )
}

/** The longest wait of a small request during each of the actions, in milliseconds. */
async function waitsDuring(url, acts) {
  const watch = new Worker(new URL('fuzz-time-watch.mjs', import.meta.url), { workerData: { url } })
  const waits = {}
  for (const [name, act] of Object.entries(acts)) {
    watch.postMessage('begin')
    await act()
    waits[name] = Math.round(
      await new Promise((resolve) => {
        watch.once('message', resolve)
        watch.postMessage('end')
      }),
    )
  }
  await watch.terminate()
  return waits
}

function tableOf(orders, worlds) {
  const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`
  const rows = [
    ['start to the first answer', seconds(orders.startMs), seconds(worlds.startMs)],
    ['memory after the start', `${orders.mb.toFixed(0)} MB`, `${worlds.mb.toFixed(0)} MB`],
    ['longest wait of a small request during heavy calls', `${orders.stallMs} ms`, `${worlds.stallMs} ms`],
    ['the slowest filter or order of `GET /v3/orders`', `${orders.filtersMs.toFixed(0)} ms`, ''],
    ['SIGTERM to the end', seconds(orders.stopMs), seconds(worlds.stopMs)],
  ]
  const head = `| | ${Number(flags.orders).toLocaleString('en')} orders in one world | ${Number(flags.worlds).toLocaleString('en')} worlds |`
  return [head, '|---|---|---|', ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join('\n')
}
