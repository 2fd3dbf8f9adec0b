import { once } from 'node:events'
import { Agent, createServer, request, type Server } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Started, startPetri, stop } from '../support/cli.ts'
import { listening } from '../support/listening.ts'
import { shipping } from '../support/orders.ts'
import { rounds } from '../support/rounds.ts'

/** Programs of calls that both processes are asked. */
const PROGRAMS = rounds(20)
const KEY = 'sk_us_petri'

interface Step {
  readonly method: string
  readonly path: string
  readonly body?: object
}

const post = (path: string, body?: object): Step => ({ method: 'POST', path, ...(body && { body }) })
const rules = (body: object): Step => ({ method: 'PUT', path: '/_petri/webhooks/faults', body })

/** `USER`, `KIT`, `ORDER` and `ENDPOINT` stand for what was made last. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.nat(5).map((nth) => post('/v2/user', { client_user_id: `user ${nth}` })) },
  {
    weight: 5,
    arbitrary: fc.constant(
      post('/v3/order/testkit', { user_id: 'USER', lab_test_id: 'KIT', shipping_details: shipping }),
    ),
  },
  {
    weight: 5,
    arbitrary: fc
      .constantFrom('0s', '1s', '6m', '3h', '2d', '9d')
      .map((by) => post('/_petri/clock/advance', { by })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom({}, { drop_first: 1 }, { duplicate: 2 }, { reorder: 2 }, { burst: 2 }, { delay: '90s' })
      .map(rules),
  },
  {
    weight: 5,
    arbitrary: fc.constantFrom<Step>(
      { method: 'PUT', path: '/_petri/snapshots/a' },
      post('/_petri/snapshots/a/restore'),
      post('/_petri/webhooks/resend', { since: '2026-01-01T00:00:00Z' }),
      post('/_petri/orders/ORDER/move', { status: 'transit_customer' }),
      post('/v3/order/ORDER/cancel'),
      { method: 'PATCH', path: '/_petri/webhooks/endpoints/ENDPOINT', body: { disabled: true } },
      { method: 'PATCH', path: '/_petri/webhooks/endpoints/ENDPOINT', body: { disabled: false } },
      post('/_petri/webhooks/endpoints/ENDPOINT/rotate-secret'),
      { method: 'DELETE', path: '/_petri/webhooks/endpoints/ENDPOINT' },
      { method: 'GET', path: '/v3/orders' },
    ),
  },
)

interface Prepared {
  readonly url: string
  readonly names: Names
}

let receiver: Server
let hook: string
const running: Started[] = []

beforeAll(async () => {
  // Takes a random time, and fails as the delivery itself decides.
  receiver = createServer((request, response) => {
    let length = 0
    request.on('data', (chunk) => {
      length += chunk.length
    })
    request.on('end', () => {
      const answer = () => response.writeHead(length % 3 === 0 ? 500 : 200).end()
      if (Math.random() < 0.5) setImmediate(answer)
      else answer()
    })
  })
  hook = await listening(receiver)
  const flags = ['--frozen', '--now', '2026-01-05T09:00:00Z']
  running.push(await startPetri(flags), await startPetri(flags))
})

afterAll(async () => {
  for (const { child } of running) await stop(child, 'SIGKILL')
  agent.destroy()
  receiver.closeAllConnections()
  receiver.close()
})

/** What follows from the wall clock or the port. */
const WALL = /"(?:svix-timestamp|svix-signature|date)":"[^"]*",?|http:\/\/127\.0\.0\.1:\d+/g

/** Costs a third of what `fetch` does. */
const agent = new Agent({ keepAlive: true })

type Names = Record<'USER' | 'KIT' | 'ORDER' | 'ENDPOINT', string>

async function ask(url: string, { method, path, body }: Step, known: Names) {
  const fill = (text: string) =>
    text.replace(/\b(USER|KIT|ORDER|ENDPOINT)\b/g, (name) => known[name as keyof Names])
  const headers = { 'x-service-api-key': KEY, 'content-type': 'application/json' }
  const sent = request(url + fill(path), { agent, method, headers }).end(body && fill(JSON.stringify(body)))
  const [response] = await once(sent, 'response')
  const text = await textOf(response)
  return { status: response.statusCode, text, body: text === '' ? null : JSON.parse(text) }
}

/** Fills a world and keeps it as the snapshot that each program begins with. */
async function prepare(url: string): Promise<Prepared> {
  const known: Names = { USER: 'none', KIT: 'none', ORDER: 'none', ENDPOINT: 'none' }
  const tests = (await ask(url, { method: 'GET', path: '/v3/lab_tests' }, known)).body
  known.KIT = tests.find((test: { method: string }) => test.method === 'testkit').id
  for (const path of ['a', 'b'])
    known.ENDPOINT = (await ask(url, post('/_petri/webhooks/endpoints', { url: hook + path }), known)).body.id
  known.USER = (await ask(url, post('/v2/user', { client_user_id: 'first' }), known)).body.user_id
  await ask(url, { method: 'PUT', path: '/_petri/snapshots/beginning' }, known)
  return { url, names: known }
}

/** All that a program is answered. */
async function run({ url, names }: Prepared, steps: readonly Step[]): Promise<string[]> {
  const known = { ...names }
  const told = [(await ask(url, post('/_petri/snapshots/beginning/restore'), known)).text]
  for (const each of steps) {
    const { status, text, body } = await ask(url, each, known)
    if (body?.user_id) known.USER = body.user_id
    if (body?.order) known.ORDER = body.order.id
    told.push(`${each.method} ${each.path}: ${status} ${text.replaceAll(WALL, '')}`)
  }
  const last = await ask(url, post('/_petri/clock/advance', { by: '1s' }), known)
  const log = await ask(url, { method: 'GET', path: '/_petri/webhooks/messages?limit=500' }, known)
  return [...told, last.text, log.text.replaceAll(WALL, '')]
}

// Each program takes some 50 ms, more on a busy machine.
it(`two processes answer ${PROGRAMS} programs of calls with the same bytes`, {
  timeout: PROGRAMS * 600,
  tags: 'slow',
}, async () => {
  const [one, other] = await Promise.all(running.map(({ ready }) => prepare(ready.url)))
  const programs = fc.array(step, { minLength: 2, maxLength: 10 })
  let refused = 0
  let asked = 0
  await fc.assert(
    fc.asyncProperty(programs, async (steps) => {
      const [first, second] = await Promise.all([run(one as Prepared, steps), run(other as Prepared, steps)])
      expect(second).toEqual(first)
      asked += steps.length
      refused += first.filter((text) => /^[A-Z]+ \S+: 4/.test(text)).length
    }),
    { numRuns: PROGRAMS },
  )
  expect(refused).toBeLessThan(asked / 2)
})
