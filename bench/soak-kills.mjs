// Kills Petri inside a reset, a restore, an import and an advance: what is found afterwards is the world from before
// or the one from after, whole, and what was answered has happened.
import { join } from 'node:path'
import { kill, pause, startPetri } from './processes.mjs'
import { shipping_details } from './sandbox.mjs'

const USERS = 200
const ORDERS = 10
const BEGIN = '2026-01-05T09:00:00Z'
const END = '2026-02-14T09:00:00.000Z'
/** The latest moment of a kill, in milliseconds after the call was sent. */
const LATEST_KILL_MS = 80

const patient_details = {
  first_name: 'Ada',
  last_name: 'Example',
  dob: '1990-01-01',
  gender: 'female',
  phone_number: '+16025550123',
  email: 'ada@example.com',
}

/** Each call that replaces a world, and how many users there are after it. */
const replacements = {
  reset: ['POST', '/_petri/reset', 0],
  restore: ['POST', '/_petri/snapshots/one/restore', 1],
  import: ['PUT', '/_petri/state', 1],
}

/** Goes on until `isOver`; answers how often Petri was killed inside each call, and reports what was lost. */
export async function killInside(main, folder, { isOver, problem }) {
  const start = () => startPetri(main, join(folder, 'kills'), { flags: ['--frozen', '--now', BEGIN] })
  let petri = await start()
  const counts = { reset: 0, restore: 0, import: 0, advance: 0 }
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
  const rounds = { ...replacements, advance: undefined }
  do {
    for (const [name, replacement] of Object.entries(rounds)) {
      const { body: world } = await ask(undefined, 'POST', '/_petri/worlds', { frozen: true, now: BEGIN })
      const on = (...call) => ask(world.api_key, ...call)
      const during = (...call) => killDuring(world.api_key, ...call)
      const wrong = replacement ? await replaced(on, during, replacement) : await advanced(on, during)
      if (wrong) problem(`kill inside ${name}: ${wrong}`)
      counts[name]++
      await ask(undefined, 'DELETE', `/_petri/worlds/${world.team_id}`)
    }
  } while (!isOver())
  await petri.stop()
  return counts
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

/** The same for an advance, which is then asked for again. */
async function advanced(on, during) {
  const tests = (await on('GET', '/v3/lab_tests')).body
  const lab_test_id = tests.find(({ method }) => method === 'testkit').id
  const { user_id } = (await on('POST', '/v2/user', { client_user_id: 'ada' })).body
  const order = { user_id, lab_test_id, patient_details, patient_address: shipping_details }
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
