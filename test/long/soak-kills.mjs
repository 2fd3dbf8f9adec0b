// Kills Petri inside an upload, a reset, a restore, an import, an advance, a compaction and its own end: what is found afterwards is
// the world from before or the one from after, whole, and what was answered has happened.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { kill, pause, startPetri } from '../../bench/processes.mjs'
import { patient } from '../../bench/sandbox.mjs'
import { announcements, heartRateUpload, storedSamples } from './phone-uploads.mjs'

const USERS = 200
const ORDERS = 10
const BEGIN = '2026-01-05T09:00:00Z'
const END = '2026-02-14T09:00:00.000Z'
/** The latest moment of a kill, in milliseconds after the call was sent. */
const LATEST_KILL_MS = 80
/** The same after a file began to be rewritten. */
const LATEST_KILL_REWRITING_MS = 40
/** Samples that make a journal long enough to be rewritten, and how many a page has. */
const [SAMPLES, PAGE] = [20_000, 10_000]
/** Samples of an upload, which is stored in several transactions. */
const UPLOADED = 5000
/** Milliseconds in which a quiet Petri begins to rewrite. */
const QUIET_MS = 20_000

/** Each call that replaces a world, and how many users there are after it. */
const replacements = {
  reset: ['POST', '/_petri/reset', 0],
  restore: ['POST', '/_petri/snapshots/one/restore', 1],
  import: ['PUT', '/_petri/state', 1],
}

/** Runs until `isOver(rounds)`. Returns the number of kills inside each call, and reports lost data. */
export async function killInside(main, folder, { isOver, problem }) {
  const data = join(folder, 'kills')
  const start = () => startPetri(main, data, { flags: ['--frozen', '--now', BEGIN] })
  let petri = await start()
  const counts = { upload: 0, reset: 0, restore: 0, import: 0, advance: 0, compaction: 0, end: 0 }
  const ask = async (key, method, path, body) => {
    const response = await fetch(petri.url + path, {
      method,
      headers: { 'content-type': 'application/json', ...(key && { 'x-service-api-key': key }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, text, body: text === '' ? null : JSON.parse(text) }
  }
  /** Kills Petri while it answers; resolves with the status if it came, once Petri runs again. */
  const killDuring = async (...call) => {
    const answer = ask(...call).then(
      ({ status }) => status,
      () => undefined,
    )
    await Promise.race([answer, pause(Math.random() * LATEST_KILL_MS)])
    await kill(petri)
    petri = await start()
    return answer
  }
  /** Kills Petri while it rewrites a world's file and answers calls; resolves once it runs again. */
  const killRewriting = async ({ team_id }, signal, callOn) => {
    const beside = join(data, 'worlds', team_id, 'world.json.tmp')
    if (signal) petri.child.kill(signal)
    const until = performance.now() + QUIET_MS
    const isGone = () => petri.child.exitCode !== null
    while (!existsSync(beside) && !isGone() && performance.now() < until) await pause(1)
    const wasRewriting = existsSync(beside)
    const calls = signal ? undefined : callOn()
    await pause(Math.random() * LATEST_KILL_REWRITING_MS)
    await kill(petri)
    await calls
    petri = await start()
    return wasRewriting || signal !== undefined
  }
  const rounds = {
    upload: (world) => uploaded(world.on, world.during),
    ...Object.fromEntries(
      Object.entries(replacements).map(([name, replacement]) => [
        name,
        (world) => replaced(world.on, world.during, replacement),
      ]),
    ),
    advance: (world) => advanced(world.on, world.during),
    compaction: (world) => rewritten(world.on, (callOn) => killRewriting(world, undefined, callOn)),
    end: (world) => rewritten(world.on, (callOn) => killRewriting(world, 'SIGTERM', callOn)),
  }
  const total = () => Object.values(counts).reduce((sum, count) => sum + count, 0)
  do {
    for (const [name, round] of Object.entries(rounds)) {
      const { body: world } = await ask(undefined, 'POST', '/_petri/worlds', { frozen: true, now: BEGIN })
      const on = (...call) => ask(world.api_key, ...call)
      const during = (...call) => killDuring(world.api_key, ...call)
      const wrong = await round({ ...world, on, during })
      if (wrong) problem(`kill inside ${name}: ${wrong}`)
      counts[name]++
      await ask(undefined, 'DELETE', `/_petri/worlds/${world.team_id}`)
    }
  } while (!isOver(total()))
  await petri.stop()
  return counts
}

/** What is wrong after a kill while the file of a world was rewritten; undefined when nothing is. */
async function rewritten(on, killRewriting) {
  const { user_id } = (await on('POST', '/v2/user', { client_user_id: 'user-0' })).body
  const from = Date.parse('2025-12-01T00:00:00Z')
  const samples = Array.from({ length: SAMPLES }, (_, at) => ({
    timestamp: new Date(from + at * 60_000).toISOString(),
    value: 5,
  }))
  const body = { resource: 'glucose', provider: 'freestyle_libre', samples }
  const put = await on('POST', `/_petri/users/${user_id}/data`, body)
  if (put.status !== 200) return `putting samples in answered ${put.status}`
  let [sent, told] = [1, 1]
  /** Adds users until Petri is gone. */
  const callOn = async () => {
    try {
      for (;;) {
        const { status } = await on('POST', '/v2/user', { client_user_id: `user-${sent++}` })
        if (status === 200) told++
      }
    } catch {
      // Killed.
    }
  }
  if (!(await killRewriting(callOn))) return `nothing was rewritten within ${QUIET_MS / 1000} s`
  const { status, body: users } = await on('GET', '/v2/user?limit=1')
  if (status !== 200) return `the key answers ${status}`
  if (users.total < told || users.total > sent) return `${users.total} of ${told} users are left`
  const page = await on('GET', `/v2/timeseries/${user_id}/glucose/grouped?start_date=2025-12-01`)
  const kept = Object.values(page.body.groups)
    .flat()
    .flatMap(({ data }) => data).length
  return kept === PAGE ? undefined : `${kept} of ${PAGE} samples are left`
}

/** What is wrong after a kill inside an upload, which is then sent again; undefined when nothing is. */
async function uploaded(on, during) {
  const { user_id } = (await on('POST', '/v2/user', { client_user_id: 'ada' })).body
  const [announce, send] = heartRateUpload(user_id, UPLOADED)
  await on(...announce)
  const answered = await during(...send)
  const found = async () => {
    const { body: state } = await on('GET', '/_petri/state')
    const told = announcements(
      Object.values(state.tables.events ?? {}).map(({ payload }) => payload),
      user_id,
    )
    return { stored: storedSamples(state, user_id), told }
  }
  const wrong = ({ stored, told }) => {
    if (stored.length !== told.size) return `${stored.length} samples are stored, and ${told.size} announced`
    return [...told.values()].some((times) => times > 1) ? 'a sample was announced twice' : undefined
  }
  const before = await found()
  if (answered === 200 && before.stored.length < UPLOADED)
    return `it was answered, and ${before.stored.length} of ${UPLOADED} samples are stored`
  const { status } = await on(...send)
  if (status !== 200) return `sending it again answered ${status}`
  const after = await found()
  if (after.stored.length !== UPLOADED) return `${after.stored.length} of ${UPLOADED} samples are stored`
  return wrong(before) ?? wrong(after)
}

/** What is wrong after a kill inside a call that replaces the world; undefined when nothing is. */
async function replaced(on, during, [method, path, after]) {
  const addUser = (id) => on('POST', '/v2/user', { client_user_id: `user-${id}` })
  await addUser(0)
  await on('PUT', '/_petri/snapshots/one')
  const { text } = await on('GET', '/_petri/state')
  await Promise.all(Array.from({ length: USERS }, (_, at) => addUser(at + 1)))
  const answered = await during(method, path, method === 'PUT' ? text : undefined)
  const { status, body } = await on('GET', '/v2/user?limit=1')
  if (status !== 200) return `the key answers ${status}`
  const isNew = body.total === after
  if (!isNew && body.total !== USERS + 1) return `${body.total} of ${USERS + 1} users are left`
  return answered === 200 && !isNew ? 'it was answered, and has not happened' : undefined
}

/** The same for an advance, which is then repeated. */
async function advanced(on, during) {
  const tests = (await on('GET', '/v3/lab_tests')).body
  const lab_test_id = tests.find(({ method }) => method === 'testkit').id
  const { user_id } = (await on('POST', '/v2/user', { client_user_id: 'ada' })).body
  const order = { user_id, lab_test_id, ...patient }
  const placed = await Promise.all(Array.from({ length: ORDERS }, () => on('POST', '/v3/order', order)))
  const ids = placed.map(({ body }) => body.order.id)
  const answered = await during('POST', '/_petri/clock/advance', { to: END })
  const { now } = (await on('GET', '/_petri/clock')).body
  if (answered === 200 && now !== END) return `it was answered, and the clock stands at ${now}`
  const again = await on('POST', '/_petri/clock/advance', { to: END })
  if (again.body.now !== END) return `the clock stands at ${again.body.now}`
  for (const id of ids) {
    const { status, body } = await on('GET', `/v3/order/${id}`)
    if (status !== 200) return `order ${id} is gone`
    const statuses = body.events.map((event) => event.status)
    if (body.status !== 'completed') return `order ${id} is left ${statuses.at(-1)}`
    if (new Set(statuses).size !== statuses.length) return `order ${id} went through a status twice`
  }
  return undefined
}
