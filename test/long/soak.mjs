// A bounded run of mixed traffic over many worlds, with receivers that fail and a process that is killed:
// nothing may be lost or doubled, and memory has to stay flat. Then it is killed inside the calls that replace or advance a
// world, and its disk fills up. `npm test soak -- --minutes 5 --write`, `npm test soak -- --seconds 60` for a short run, or
// `npm test soak -- --minutes 90 --rounds 1000 --write` for as many kills.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { killAll } from '../../bench/processes.mjs'
import { patient, shipping_details } from '../../bench/sandbox.mjs'
import { announcements, heartRateUpload } from './phone-uploads.mjs'
import { fillDisk } from './soak-full-disk.mjs'
import { killInside } from './soak-kills.mjs'

const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const wholeMs = flags.seconds ? Number(flags.seconds) * 1000 : Number(flags.minutes) * 60_000
/** The part of the run with mixed traffic; in the rest Petri is killed inside single calls. */
const MIXED = 0.7
const MAX_MIXED_MS = 5 * 60_000
const runMs = Math.min(wholeMs * MIXED, MAX_MIXED_MS)
/** The number of kills, of all kinds, after which the run ends. */
const enough = Number(flags.rounds ?? Number.POSITIVE_INFINITY)
const main = new URL('../../dist/cli/main.js', import.meta.url).pathname
/** The part of the run in which Petri is killed; memory is watched in the rest. */
const KILLING = 0.5
const KILL_EVERY_MS = 6000
/** Rounds without kills by which memory can be judged; a run bounded in seconds may have fewer. */
const ROUNDS_JUDGED = 6
const WORLDS = 4
const SECOND = 1000
const root = new URL('../..', import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'petri-soak-'))

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const chance = (share) => Math.random() < share
const tally = {
  requests: 0,
  retried: 0,
  rounds: 0,
  worlds: 0,
  orders: 0,
  'order events': 0,
  'uploaded samples': 0,
  events: 0,
  deliveries: 0,
  refusals: 0,
  repeats: 0,
  kills: 0,
  'logs cut': 0,
}
const problems = []
const latencies = []

/** The deliveries of each world's receiver: count and content by svix-id. */
const received = new Map()
let isDown = false
/** True while receivers no longer fail, so that all messages arrive. */
let isCalm = false
const receiver = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    if (!isCalm && (isDown || chance(0.03))) {
      tally.refusals++
      response.writeHead(503).end()
      return
    }
    const id = request.headers['svix-id']
    const world = received.get(request.url)
    if (world?.has(id)) tally.repeats++
    else world?.set(id, JSON.parse(Buffer.concat(chunks).toString()))
    tally.deliveries++
    response.writeHead(200).end()
  })
})
await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const hooks = `http://127.0.0.1:${receiver.address().port}`

let petri
let base
async function start(port = 0) {
  const args = [
    main,
    'start',
    '--port',
    String(port),
    '--data',
    join(folder, '.petri'),
    '--log-format',
    'json',
  ]
  petri = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  let isReady = false
  await new Promise((resolve, reject) => {
    petri.once('exit', (code) =>
      reject(new Error(`Petri ended with ${code} before it was ready:\n${output}`)),
    )
    petri.stdout.on('data', (text) => {
      output = (output + text).slice(-4000)
      if (output.includes('A bug in Petri')) problems.push(`a bug was logged: ${output.slice(-600)}`)
      // Later lines name the URLs of receivers.
      const url = isReady ? undefined : /"url":"(http:[^"]+)"/.exec(output)?.[1]
      if (!url) return
      isReady = true
      base = url
      resolve()
    })
  })
  petri.removeAllListeners('exit')
}

async function kill() {
  const gone = new Promise((resolve) => petri.once('exit', resolve))
  petri.kill('SIGKILL')
  await gone
  tally.kills++
  await start(new URL(base).port)
}

/** Repeats a call until it is answered; `again` says whether an earlier try may have been carried out. */
async function call(method, path, body, key, headers = {}) {
  for (let tries = 0; ; tries++) {
    const began = performance.now()
    try {
      const response = await fetch(base + path, {
        method,
        headers: { 'content-type': 'application/json', ...(key && { 'x-service-api-key': key }), ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      tally.requests++
      latencies.push(performance.now() - began)
      if (response.status >= 500)
        problems.push(`${method} ${path} answered ${response.status}: ${text.slice(0, 200)}`)
      return { status: response.status, body: text === '' ? null : JSON.parse(text), again: tries > 0 }
    } catch {
      tally.retried++
      if (tries > 200) throw new Error(`${method} ${path} is not answered any more`)
      await pause(50)
    }
  }
}

let serial = 0
async function newWorld(isFrozen) {
  const hook = `/hook/${++serial}`
  received.set(hook, new Map())
  const input = { seed: `soak-${serial}`, frozen: isFrozen, pace: 200_000, webhook_url: hooks + hook }
  const { status, body } = await call('POST', '/_petri/worlds', input)
  if (status !== 201) throw new Error(`no world: ${status} ${JSON.stringify(body)}`)
  tally.worlds++
  return { ...body, key: body.api_key, hook, isFrozen, orders: new Set(), uploaders: [] }
}

/** Samples of an upload, which is stored in two transactions. */
const UPLOADED = 1200

/** A user with kits, a walk-in order, an upload and a demo connection; what was acknowledged is written down. */
async function live(world, isFirst) {
  const { key, orders } = world
  const tests = (await call('GET', '/v3/lab_tests', undefined, key)).body
  const testOf = (method) => tests.find((test) => test.method === method)?.id
  const made = await call('POST', '/v2/user', { client_user_id: `user-${++serial}` }, key)
  if (made.status !== 200) return
  const { user_id } = made.body
  const kit = { user_id, lab_test_id: testOf('testkit'), shipping_details }
  const walkIn = {
    user_id,
    lab_test_id: testOf('walk_in_test'),
    ...patient,
  }
  for (const [path, body] of [
    ['/v3/order/testkit', kit],
    ['/v3/order', walkIn],
    ['/v3/order', { ...walkIn, lab_test_id: testOf('testkit') }],
  ]) {
    const { status, body: answer } = await call('POST', path, body, key, {
      'x-idempotency-key': `soak-${++serial}`,
    })
    if (status === 200) orders.add(answer.order.id)
    else problems.push(`${path} answered ${status} ${JSON.stringify(answer).slice(0, 200)}`)
  }
  for (const [method, path, body] of heartRateUpload(user_id, UPLOADED)) {
    const { status, body: answer } = await call(method, path, body, key)
    if (status !== 200) problems.push(`${path} answered ${status} ${JSON.stringify(answer).slice(0, 200)}`)
  }
  world.uploaders.push(user_id)
  if (isFirst) await call('POST', '/v2/link/connect/demo', { user_id, provider: 'fitbit' }, key)
  await call('GET', `/v2/user/${user_id}`, undefined, key)
  await call('GET', '/v3/orders', undefined, key)
  await call('GET', `/v2/summary/sleep/${user_id}?start_date=2026-01-01`, undefined, key)
  await call('GET', '/v2/nothing-here', undefined, key)
}

const advance = ({ key }, by) => call('POST', '/_petri/clock/advance', by, key)

async function pages(path, key) {
  const all = []
  for (let cursor = null; ; ) {
    const { body } = await call(
      'GET',
      `${path}?limit=500${cursor ? `&cursor=${cursor}` : ''}`,
      undefined,
      key,
    )
    all.push(...body.data)
    cursor = body.next_cursor
    if (!cursor) return all
  }
}

/** Resends all failed messages until they arrive. */
async function settle(world, since) {
  const { key } = world
  await call('PATCH', '/_petri/clock', { frozen: true }, key)
  const [endpoint] = (await call('GET', '/_petri/webhooks/endpoints', undefined, key)).body.data
  for (let tries = 0; tries < 30; tries++) {
    await advance(world, { by: '36h' })
    await call('PATCH', `/_petri/webhooks/endpoints/${endpoint.id}`, { disabled: false }, key)
    await call('POST', '/_petri/webhooks/resend', { since }, key)
    await advance(world, { by: '1s' })
    const messages = await pages('/_petri/webhooks/messages', key)
    if (tries > 0 && messages.every(({ status }) => status === 'delivered')) return messages
  }
  problems.push(`${world.hook}: messages are still not delivered`)
  return pages('/_petri/webhooks/messages', key)
}

/** The length from which a log may have dropped its oldest events. Source: src/webhooks/event-log.ts. */
const MAX_LOGGED = 2000

/** Checks that every acknowledged order exists, and that every event arrived once and no other did. */
async function verify(world, messages) {
  const { key, hook, orders, uploaders } = world
  const came = received.get(hook)
  const told = new Set(messages.map(({ svix_id }) => svix_id))
  tally.events += told.size
  const isWhole = messages.length < MAX_LOGGED
  if (!isWhole) tally['logs cut']++
  for (const { svix_id, event_type, status } of messages) {
    if (!came.has(svix_id)) problems.push(`${hook}: ${svix_id} ${event_type} (${status}) never came`)
  }
  for (const id of isWhole ? came.keys() : [])
    if (!told.has(id)) problems.push(`${hook}: ${id} came and is in no log`)
  const byOrderEvent = new Map()
  for (const [id, { event_type, data }] of came) {
    if (!data?.last_event) continue
    const about = `${event_type} of ${data.id}, order event ${data.last_event.id}`
    if (byOrderEvent.has(about))
      problems.push(`${hook}: ${about} came as ${byOrderEvent.get(about)} and ${id}`)
    byOrderEvent.set(about, id)
  }
  for (const userId of uploaders) {
    const told = announcements(came.values(), userId)
    tally['uploaded samples'] += told.size
    const twice = [...told.values()].filter((times) => times > 1).length
    if (told.size !== UPLOADED || twice > 0)
      problems.push(`${hook}: ${told.size} of ${UPLOADED} samples were announced, ${twice} of them twice`)
  }
  for (const orderId of orders) {
    const { status, body } = await call('GET', `/v3/order/${orderId}`, undefined, key)
    if (status !== 200) {
      problems.push(`${hook}: the acknowledged order ${orderId} is gone`)
      continue
    }
    tally.orders++
    for (const { id } of body.events) {
      tally['order events']++
      const types = ['created', 'updated'].map(
        (verb) => `labtest.order.${verb} of ${orderId}, order event ${id}`,
      )
      if (!types.some((type) => byOrderEvent.has(type)))
        problems.push(`${hook}: nobody was told of order event ${id} of ${orderId}`)
    }
  }
}

const memory = () =>
  process.platform === 'linux'
    ? Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${petri.pid}/status`, 'utf8'))[1]) / 1024
    : Number(execFileSync('ps', ['-o', 'rss=', '-p', String(petri.pid)])) / 1024

const began = Date.now()
const elapsed = () => Date.now() - began
const samples = []

async function round() {
  const since = '2000-01-01T00:00:00Z'
  const worlds = await Promise.all(Array.from({ length: WORLDS }, (_, at) => newWorld(at !== 0)))
  for (let pass = 0; pass < 3; pass++) {
    await Promise.all(worlds.map((world) => live(world, pass === 0)))
    isDown = pass === 1
    await Promise.all(worlds.filter(({ isFrozen }) => isFrozen).map((world) => advance(world, { by: '2d' })))
    isDown = false
  }
  isCalm = true
  await Promise.all(worlds.map(async (world) => verify(world, await settle(world, since))))
  isCalm = false
  await Promise.all(worlds.map(({ team_id }) => call('DELETE', `/_petri/worlds/${team_id}`)))
  for (const { hook } of worlds) received.delete(hook)
  tally.rounds++
}

async function killNowAndThen() {
  while (elapsed() < runMs * KILLING - KILL_EVERY_MS / 2) {
    await pause(KILL_EVERY_MS * (0.5 + Math.random()))
    if (elapsed() < runMs * KILLING) await kill()
  }
}

await start()
try {
  const killing = killNowAndThen()
  while (elapsed() < runMs * KILLING) await round()
  await killing
  while (elapsed() < runMs || samples.length < (flags.seconds ? 1 : ROUNDS_JUDGED)) {
    await round()
    samples.push(memory())
  }
} catch (error) {
  problems.push(`the run broke off: ${error.stack}`)
}
petri.kill('SIGTERM')
receiver.close()
receiver.closeAllConnections()
await pause(SECOND)
const problem = (text) => problems.push(text)
let killed = {}
let full = {}
try {
  full = await fillDisk(main, folder, problem)
  killed = await killInside(main, folder, {
    isOver: (rounds) => elapsed() >= wholeMs || tally.kills + rounds >= enough,
    problem,
  })
} catch (error) {
  problem(`the run broke off: ${error.stack}`)
} finally {
  killAll()
}
rmSync(folder, { recursive: true, force: true })

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
const warm = samples.slice(Math.floor(samples.length / 3))
const half = Math.ceil(warm.length / 2)
const [early, late] = [median(warm.slice(0, half)), median(warm.slice(-half))]
/** Collections come when they come; a leak of a round's rows would be far more. */
if (samples.length >= ROUNDS_JUDGED && late > early * 1.25 + 20)
  problems.push(`memory grew from ${early.toFixed(0)} to ${late.toFixed(0)} MB`)
latencies.sort((a, b) => a - b)
const at = (share) => `${(latencies[Math.floor(latencies.length * share)] ?? 0).toFixed(1)} ms`
const rows = [
  ['seconds', Math.round(elapsed() / SECOND)],
  ...Object.entries(tally),
  ...Object.entries(killed).map(([name, times]) => [`kills inside ${name}`, times]),
  ['kills in all', Object.values(killed).reduce((sum, times) => sum + times, tally.kills)],
  [`writes refused on a full disk (${full.disk})`, full.refused],
  ['lost or doubled', problems.length],
  ['answer, median', at(0.5)],
  ['answer, 99th percentile', at(0.99)],
  ['memory, first half after warm-up', `${early.toFixed(0)} MB`],
  ['memory, second half', `${late.toFixed(0)} MB`],
]
for (const [name, value] of rows) console.log(`${name.padEnd(34)} ${value}`)
for (const problem of problems.slice(0, 30)) console.error(`PROBLEM ${problem}`)
if (flags.write) {
  const table = rows.map(([name, value]) => `| ${name} | ${value} |`).join('\n')
  const text = `# Soak

See what Petri withstands before you leave it running: steady traffic, \`kill -9\` at any moment, and a full disk.

The traffic is mixed, over many worlds on one machine: users, kits, walk-in orders, uploads of phones, demo connections,
reads and advances. A receiver fails now and then, and for whole rounds. In the first half Petri is killed and restarted.
Every acknowledged order has to be there, every logged event has to arrive, and no order event may be sent twice. Each
uploaded sample has to be announced once. A message sent again with the same \`svix-id\` counts as a repeat. Memory is that
of the process after each round of the second half, in which nothing is killed.

After that, Petri is killed inside uploads, resets, restores, imports, advances, compactions and its own shutdown after a SIGTERM.
It has to come back with the world from before or after, and with everything it had acknowledged.

Last, its disk fills up. Writes are refused with 507, and what was acknowledged is still there. Petri starts on the full
disk and recovers when there is room.

\`npm test soak -- --minutes 5 --write\` writes this page.

| | |
|---|---|
${table}
`
  writeFileSync(new URL('docs/evidence/soak.md', root), text)
}
process.exit(problems.length > 0 ? 1 : 0)
