// Looks for requests that hold the event loop: `npm test fuzz-time`, `npm test fuzz-time -- --seconds 30 --write`.
// Grows every text, list and object of every operation tenfold until it is refused, and watches from another thread
// how long Petri keeps a small request waiting. Exits with 1 when one is kept for longer than the limit (--limit, in ms).
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { request } from 'undici'
import { writeSection } from '../../bench/section.mjs'
import { bodiesOf, fillPath } from './fuzz-time-bodies.mjs'

/** The resolution of the CPU time reported by the kernel, in milliseconds. */
const TICK_MS = 10

const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`)
  return at === -1 ? otherwise : process.argv[at + 1]
}
/** Milliseconds; CI passes a larger limit, because its machine may be busy. */
const LIMIT_MS = Number(option('limit', '50'))
const deadline = performance.now() + Number(option('seconds', '600')) * 1000
const only = option('only', '')

const child = spawn(
  process.execPath,
  ['dist/cli/main.js', 'start', '--port', '0', '--data', 'memory', '--frozen', '--log-format', 'json'],
  { stdio: ['ignore', 'pipe', 'inherit'], cwd: fileURLToPath(new URL('../..', import.meta.url)) },
)
let url
for await (const line of createInterface({ input: child.stdout })) {
  url = JSON.parse(line).url
  if (url) break
}
child.stdout.resume()
const watch = new Worker(new URL('../../bench/fuzz-time-watch.mjs', import.meta.url), { workerData: { url } })
try {
  const report = await fuzz()
  print(report)
  process.exitCode = report.slow.length > 0 ? 1 : 0
} finally {
  await watch.terminate()
  child.kill('SIGKILL')
}

async function fuzz() {
  const { body } = await request(`${url}/openapi.json`)
  const document = await body.json()
  const known = await seed()
  const slow = []
  let cases = 0
  const operations = shuffled(operationsOf(document)).filter(({ id }) => id.includes(only))
  let covered = 0
  for (const operation of operations) {
    if (performance.now() > deadline) break
    covered++
    for (const { field, grow } of bodiesOf(operation, document, known)) {
      let before
      for (const size of [10, 100, 1000, 10_000, 100_000, 1_000_000]) {
        const sent = grow(size)
        if (sent === undefined || sent.length > 4_000_000) break
        const { status, waitMs, cpuMs } = await measure(operation, known, sent)
        cases++
        const worst = Math.min(waitMs, cpuMs + TICK_MS)
        const isSuperlinear = before !== undefined && cpuMs > 50 && cpuMs > 20 * Math.max(before, TICK_MS)
        if (worst > LIMIT_MS || isSuperlinear) {
          slow.push({ operation: operation.id, field, size, status, ms: Math.round(worst), isSuperlinear })
          break
        }
        before = cpuMs
        if (status >= 400) break
      }
    }
  }
  return { operations: operations.length, covered, cases, slow }
}

/** Creates a user and orders for the calls. */
async function seed() {
  const call = async (method, path, body) => {
    const answer = await request(url + path, {
      method,
      headers: { 'x-service-api-key': 'sk_us_petri', 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    })
    return answer.body.json()
  }
  const { user_id } = await call('POST', '/v2/user', { client_user_id: 'fuzz-time' })
  const tests = await call('GET', '/v3/lab_tests')
  const kit = tests.find(({ method }) => method === 'testkit')
  const address = { first_line: '1 Main St', city: 'Phoenix', state: 'AZ', zip: '85004', country: 'US' }
  const { order } = await call('POST', '/v3/order/testkit', {
    user_id,
    lab_test_id: kit.id,
    shipping_details: { ...address, receiver_name: 'Fuzz', phone_number: '+16025550100' },
  })
  await call('POST', '/v2/link/connect/demo', { user_id, provider: 'fitbit' })
  const { link_token } = await call('POST', '/v2/link/token', { user_id })
  return {
    user_id,
    order_id: order.id,
    lab_test_id: kit.id,
    link_token,
    token: link_token,
    name: 'happy-path',
    scenario: 'happy-path',
    provider: 'fitbit',
    resource: 'steps',
    event_type: 'labtest.order.updated',
    timeout: '1ms',
    by: '1s',
    team_id: order.team_id,
    url: 'http://127.0.0.1:9/hook',
  }
}

async function measure(operation, known, { path = '', body, contentType }) {
  watch.postMessage('begin')
  const cpuBefore = cpuOf(child.pid)
  const answer = await request(url + fillPath(operation.path, known) + path, {
    method: operation.method,
    headers: {
      'x-service-api-key': 'sk_us_petri',
      'x-management-key': 'mk_us_petri',
      ...(body !== undefined && { 'content-type': contentType ?? 'application/json' }),
    },
    body,
  })
  if (String(answer.headers['content-type']).startsWith('text/event-stream')) answer.body.destroy()
  else await answer.body.dump({ limit: 64 * 1024 * 1024 })
  const cpuMs = cpuOf(child.pid) - cpuBefore
  const waitMs = await new Promise((resolve) => {
    watch.once('message', resolve)
    watch.postMessage('end')
  })
  return { status: answer.statusCode, waitMs, cpuMs }
}

/** Milliseconds of CPU time a process has used; without /proc only the waiting time counts. */
function cpuOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

function operationsOf({ paths }) {
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        id: operation.operationId,
        path,
        method: method.toUpperCase(),
        parameters: operation.parameters ?? [],
        body: operation.requestBody?.content,
      })),
    )
    .filter(
      ({ id }) => !/reset|clock_patch|events_stream|world_delete|worlds_delete|snapshot_restore/.test(id),
    )
}

/** A fixed order in which operations of a resource are apart, so that a short run covers all kinds. */
function shuffled(operations) {
  const key = ({ id }) => [...id].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 9973, 7)
  return [...operations].sort((a, b) => key(a) - key(b))
}

function print({ operations, covered, cases, slow }) {
  const lines = [
    `${cases} requests to ${covered} of ${operations} operations; ${slow.length} kept another request for more than ${LIMIT_MS} ms.`,
    ...slow.map(
      ({ operation, field, size, status, ms, isSuperlinear }) =>
        `- ${operation}, ${field} at ${size}: ${ms} ms, ${status}${isSuperlinear ? ', superlinear' : ''}`,
    ),
  ]
  console.log(lines.join('\n'))
  if (process.argv.includes('--write')) writeSection('security', 'fuzz-time', lines.join('\n'))
}
