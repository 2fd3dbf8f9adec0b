/** @module-tag slow */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compareWalk } from '../../scripts/compare-walk/main.ts'
import { type WalkOptions, walk } from '../../scripts/compare-walk/walk.ts'
import { parseJson } from '../../src/kernel/json.ts'
import { runInContext } from '../../src/terminal/context.ts'
import type { Reply, TeamApi, TeamRequest } from '../../src/tools/team-api.ts'
import { makeFolder } from '../support/new-folder.ts'
import { openNetwork } from '../support/open-network.ts'
import { KEY, startTestWorld, type TestPetri } from '../support/petri.ts'
import { sampled } from '../support/rounds.ts'
import { type ServedPetri, serveHost, servePetri } from '../support/served.ts'
import { openData } from '../support/wearables.ts'

// biome-ignore lint/suspicious/noExplicitAny: a planted difference changes bodies of every shape.
type Body = any

interface PlantedReply {
  readonly status: number
  readonly body: Body
}

/** Changes a reply, or returns undefined; `seen` is kept from call to call. */
type Plant = (request: TeamRequest, reply: PlantedReply, seen: Map<string, Body>) => PlantedReply | undefined

interface AskedApi extends TeamApi {
  /** The calls that were made. */
  readonly asked: TeamRequest[]
}

/** The API of a Petri in this process, with a difference planted in it. */
function apiOf(petri: TestPetri, plant: Plant = () => undefined): AskedApi {
  const asked: TeamRequest[] = []
  const seen = new Map<string, Body>()
  return {
    url: 'http://petri.test',
    asked,
    async ask(request): Promise<Reply> {
      asked.push(request)
      const { method, path, body } = request
      const response = await petri.petri.app.request(path, {
        method,
        headers: { ...request.headers, 'x-service-api-key': petri.key, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      // As with a running clock, on which the data would have come by the next call.
      if (path === '/v2/link/connect/demo' && response.ok)
        openData(petri, (body as { user_id: string }).user_id)
      const { status, headers } = response
      const reply = { status, body: parseJson(await response.text()) }
      return { headers, ...(plant(request, reply, seen) ?? reply) }
    },
  }
}

const walkBetween = (own: TeamApi, other: TeamApi, options: Partial<WalkOptions> = {}) =>
  runInContext(
    { environment: {}, stdout: { write() {} }, stderr: { write() {} }, wait: async () => {} },
    () => walk({ own, other, budget: 400, seed: 1, run: '1', maxFindings: 1, known: [], ...options }),
  )

/** A plant for replies of one operation. */
const at =
  (
    route: RegExp,
    change: (reply: PlantedReply, path: string, seen: Map<string, Body>) => PlantedReply | undefined,
  ): Plant =>
  ({ method, path }, reply, seen) =>
    route.test(`${method} ${path}`) ? change(reply, path, seen) : undefined

/** A plant for the bodies of successful replies of one operation. */
const bodyAt = (route: RegExp, change: (body: Body, path: string, seen: Map<string, Body>) => Body): Plant =>
  at(route, ({ status, body }, path, seen) =>
    status < 300 ? { status, body: change(structuredClone(body), path, seen) } : undefined,
  )

const ID = '[0-9a-f-]{36}'
const user = new RegExp(`^GET /v2/user/${ID}$`)
const order = new RegExp(`^GET /v3/order/${ID}$`)
const placed = /^POST \/v3\/order(\/testkit)?$/
const listed = /^GET \/v3\/orders/

const planted: readonly (readonly [what: string, where: string, plant: Plant])[] = [
  [
    'an order can be cancelled twice',
    'POST /v3/order/{order_id}/cancel',
    at(/order\/[^/]+\/cancel$/, ({ status, body }) => (status === 400 ? { status: 200, body } : undefined)),
  ],
  [
    'a deleted user is still there',
    'GET /v2/user/{user_id}',
    at(user, (reply, path, seen) => {
      if (reply.status === 404) return { status: 200, body: seen.get(path) ?? {} }
      seen.set(path, reply.body)
      return undefined
    }),
  ],
  [
    'a list lacks its last order',
    'GET /v3/orders',
    bodyAt(listed, (body) => ({ ...body, orders: body.orders.slice(0, -1) })),
  ],
  [
    'the latest insurance is the first',
    'GET /v2/user/{user_id}/insurance/latest',
    bodyAt(/\/insurance/, (body, path, seen) => {
      const of = path.replace(/\/latest.*/, '')
      if (!seen.has(of)) seen.set(of, body)
      return path === of ? body : seen.get(of)
    }),
  ],
  [
    'a disconnected provider cannot be found',
    'DELETE /v2/user/{user_id}/{provider}',
    at(/^DELETE .*\/(fitbit|oura|freestyle_libre)$/, ({ status, body }) =>
      status === 200 ? { status: 404, body } : undefined,
    ),
  ],
  [
    'a unit has another name',
    'GET /v2/timeseries/{user_id}/steps/grouped',
    bodyAt(/steps/, (body) => parseJson(JSON.stringify(body).replaceAll('"unit":"count"', '"unit":"steps"'))),
  ],
  [
    'results that are not there are refused in other words',
    'GET /v3/order/{order_id}/result',
    at(/\/result$/, ({ status }) =>
      status === 404 ? { status, body: { detail: 'No results' } } : undefined,
    ),
  ],
  [
    'clinical notes are cut',
    'POST /v3/order',
    bodyAt(placed, (body) => ({
      ...body,
      order: { ...body.order, clinical_notes: body.order.clinical_notes?.slice(0, 10) ?? null },
    })),
  ],
  [
    'a user has a field more',
    'GET /v2/user/{user_id}',
    bodyAt(user, (body) => ({ ...body, nickname: null })),
  ],
  [
    'a boolean is a text',
    'POST /v2/user/{user_id}/insurance',
    bodyAt(/^POST .*insurance$/, (body) => ({ ...body, is_primary: String(body.is_primary) })),
  ],
]

const siteVisit = new RegExp(`^GET /v3/order/${ID}/psc/appointment$`)

const plantedInAppointments: typeof planted = [
  [
    'an order does not wait for its appointment',
    'GET /v3/order/{order_id}',
    bodyAt(order, (body) => ({
      ...body,
      events: body.events.filter(({ status }: Body) => !status.endsWith('appointment_scheduled')),
    })),
  ],
  [
    'a visit gets lost when it is moved',
    'PATCH /v3/order/{order_id}/phlebotomy/appointment/reschedule',
    at(/phlebotomy\/appointment\/reschedule$/, ({ status }) =>
      status === 200 ? { status: 404, body: { detail: 'No appointment for this order' } } : undefined,
    ),
  ],
  [
    'an order gets two appointments',
    'POST /v3/order/{order_id}/phlebotomy/appointment/book',
    at(/phlebotomy\/appointment\/book$/, ({ status, body }) =>
      status === 400 ? { status: 200, body } : undefined,
    ),
  ],
  [
    'an appointment at a site stays after it was cancelled',
    'GET /v3/order/{order_id}/psc/appointment',
    bodyAt(siteVisit, (body) => ({
      ...body,
      event_status: body.event_status === 'cancelled' ? 'scheduled' : body.event_status,
    })),
  ],
]

describe('a walk', { timeout: 60_000 }, () => {
  it.each([1, 2])('finds nothing between equal Petris of other seeds, with seed %i', async (seed) => {
    const own = await startTestWorld()
    const other = await startTestWorld({ world: { seed: '2' } })
    const result = await walkBetween(apiOf(own), apiOf(other), { seed, budget: 120 })
    expect(result).toEqual({ findings: [], calls: expect.any(Number), sequences: expect.any(Number) })
    expect(result.calls).toBeGreaterThan(80)
  })

  it.each(sampled(planted))('finds within 400 calls that %s', async (_, where, plant) => {
    const other = apiOf(await startTestWorld(), plant)
    const { findings, calls } = await walkBetween(apiOf(await startTestWorld()), other, { seed: 3 })
    expect(findings[0]?.differences.map((each) => each.where).join()).toContain(where)
    expect(findings[0]?.calls.length).toBeLessThanOrEqual(5)
    expect(calls).toBeLessThanOrEqual(400)
    expect(other.asked).toHaveLength(calls)
  })

  it.each(sampled(plantedInAppointments))(
    'finds within 400 calls of appointments that %s',
    async (_, where, plant) => {
      const other = apiOf(await startTestWorld({ world: { seed: '2' } }), plant)
      const { findings, calls } = await walkBetween(apiOf(await startTestWorld()), other, { seed: 3 })
      expect(findings[0]?.differences.map((each) => each.where).join()).toContain(where)
      // A user, an order with a requisition, the offered times, a booking, and what is done with it.
      expect(findings[0]?.calls.length).toBeLessThanOrEqual(8)
      expect(calls).toBeLessThanOrEqual(400)
      expect(other.asked).toHaveLength(calls)
    },
  )

  it('cancels appointments and deletes users when a sequence has ended', async () => {
    const own = await startTestWorld()
    const other = await startTestWorld({ world: { seed: '2' } })
    await walkBetween(apiOf(own), apiOf(other), { budget: 200, seed: 3 })
    for (const petri of [own, other]) {
      const { tables } = await petri.read('/_petri/state')
      const statuses = Object.values<Body>(tables.appointments).map((row) => row.event_status)
      expect(statuses.length).toBeGreaterThan(2)
      for (const status of statuses) expect(['cancelled', 'completed']).toContain(status)
      expect((await petri.read('/v2/user')).users).toEqual([])
    }
  })

  it('books at times that only one service offers, if none is offered by both', async () => {
    const half = (remainder: number) =>
      bodyAt(/appointment\/availability/, (body) => ({
        ...body,
        slots: body.slots.filter((_: Body, position: number) => position % 2 === remainder),
      }))
    const own = apiOf(await startTestWorld(), half(0))
    const other = apiOf(await startTestWorld(), half(1))
    const { findings } = await walkBetween(own, other, { budget: 200, seed: 3 })
    expect(findings).toEqual([])
    for (const { asked } of [own, other])
      expect(asked.filter(({ path }) => path.endsWith('/appointment/book')).length).toBeGreaterThan(2)
  })

  it('takes the same addresses at both services for equal, also those with ids', async () => {
    let moved = 0
    const other = apiOf(await startTestWorld(), (_, { status, body }) => {
      if (body === undefined) return undefined
      const elsewhere = JSON.stringify(body).replace(/"https?:\/\/[^/"]+\/v3\/order\//g, () => {
        moved++
        return '"https://elsewhere.example/v3/order/'
      })
      return { status, body: parseJson(elsewhere) }
    })
    const { findings } = await walkBetween(apiOf(await startTestWorld()), other, { budget: 200, seed: 3 })
    expect(findings).toEqual([])
    expect(moved).toBeGreaterThan(2)
  })

  it('goes on past what is known, and repeats itself with the same seed', async () => {
    const [[what, where, plant] = []] = planted.slice(-1)
    expect(what).toBe('a boolean is a text')
    const run = async (known: WalkOptions['known'] = []) =>
      walkBetween(apiOf(await startTestWorld()), apiOf(await startTestWorld(), plant), { known, budget: 80 })
    const { findings } = await run()
    expect((await run()).findings).toEqual(findings)
    expect(findings[0]?.differences[0]?.where).toBe(where)
    expect((await run(findings.flatMap(({ differences }) => differences))).findings).toEqual([])
  })
})

describe('scripts/compare-walk.mjs', () => {
  openNetwork()

  /** Runs the script; `root` is the folder of the repository that it writes to. */
  async function compare(args: readonly string[], { root = '', waits = [] as number[] } = {}) {
    const written: string[] = []
    const context = {
      environment: {},
      stdout: { write: (text: string) => written.push(text) },
      stderr: { write() {} },
      wait: async (waitMs: number) => void waits.push(waitMs),
    }
    const status = await runInContext(context, () => compareWalk(args, root))
    return { status, stdout: written.join('') }
  }
  const between = (own: string, other: string, ...args: string[]) => [
    '--url',
    own,
    '--api-key',
    KEY,
    '--against',
    other,
    '--key',
    KEY,
    ...args,
  ]
  const page = 'docs/evidence/fidelity.md'
  /** The folder of a repository without pages. */
  function newRoot(): string {
    const root = makeFolder('petri-walk-')
    mkdirSync(join(root, 'docs/evidence'), { recursive: true })
    mkdirSync(join(root, 'test/contract'), { recursive: true })
    return root
  }

  it('returns 0 without differences, and leaves neither users nor recorded calls', async () => {
    const own = await servePetri()
    const other = await servePetri({ world: { seed: '2' } })
    const traces = async (petri: ServedPetri) => [
      await petri.read('/_petri/requests'),
      await petri.read('/_petri/coverage'),
    ]
    const before = [await traces(own), await traces(other)]
    const { status, stdout } = await compare(between(own.url, other.url, '--calls', '40', '--seed', '7'))
    expect(status).toBe(0)
    expect(stdout).toMatch(
      /^No differences between .*\.\n\nMade \d\d calls to each service in \d+ sequences?; seed 7\.\n$/,
    )
    expect([await traces(own), await traces(other)]).toEqual(before)
    for (const petri of [own, other]) expect((await petri.read('/v2/user')).users).toEqual([])
  })

  it('returns 1, prints the shortest sequence, and writes date and result to the page', async () => {
    const own = await servePetri()
    const other = await servePetri()
    const respond = { status: 503 }
    await other.put('/_petri/faults', { faults: [{ operation: 'POST /v3/order', respond }] })
    const root = newRoot()
    const args = between(own.url, other.url, '--calls', '60', '--seed', '1', '--write')
    const { status, stdout } = await compare(args, { root })
    expect(status).toBe(1)
    expect(stdout).toMatch(/^Statuses\n(?:.*\n)* {2}~ POST \/v3\/order: 200 -> 503\n/)
    expect(stdout).toMatch(
      /Sequence \d, for 1 difference of POST \/v3\/order\n {2}1\. POST \/v2\/user \{"client_user_id":"petri-walk-\d+-\d+"\}: 200\n {2}2\. POST \/v3\/order .*: 200 -> 503\n/,
    )
    for (const petri of [own, other]) expect((await petri.read('/v2/user')).users).toEqual([])
    const today = new Date().toISOString().slice(0, 10)
    expect(readFileSync(join(root, page), 'utf8')).toMatch(
      new RegExp(
        `^- \\*\\*Walked\\*\\*: on ${today}, \\d\\d calls to each service in \\d+ sequences \\(seed 1\\): \\d+ differences?\\. `,
        'm',
      ),
    )
    expect(JSON.parse(readFileSync(join(root, 'test/contract/walk.json'), 'utf8'))).toEqual({
      date: today,
      result: expect.stringContaining('(seed 1)'),
    })
  })

  it('waits as long as a limit of the rate asks', async () => {
    const own = await servePetri()
    const other = await servePetri()
    const respond = { status: 429, headers: { 'retry-after': '7' } }
    await other.put('/_petri/faults', { faults: [{ operation: 'POST /v2/user', times: 2, respond }] })
    const waits: number[] = []
    expect(await compare(between(own.url, other.url, '--calls', '20'), { waits })).toAnswer(0)
    expect(waits).toEqual([7000, 7000])
  })

  it('refuses what cannot be compared', async () => {
    const own = await servePetri()
    const refused = (against: string, ...args: string[]) =>
      compare(between(own.url, against, '--calls', '20', ...args)).then(
        () => 'compared',
        (error: Error) => error.message,
      )
    expect(await refused('http://127.0.0.1:1')).toMatch(/^No answer from http:\/\/127\.0\.0\.1:1: /)
    const empty = await serveHost(() => Response.json([]))
    expect(await refused(empty)).toBe(
      `${own.url} and ${empty} have no lab test in common, so no order can be compared.`,
    )
    expect(await refused(own.url, '--key', 'pk_us_ours')).toBe(
      'The walk places orders; --key should be the key of a sandbox, not of production.',
    )
    expect(await refused(own.url, '--calls', 'all')).toBe(
      '--calls should be a whole number from 10 to 100000; it is "all".',
    )
    expect(await refused(own.url, '--sed', '1')).toContain("Unknown option '--sed'")
    await expect(compare(['--key', KEY])).rejects.toThrow('--against is missing')
    await expect(compare(['--against', own.url])).rejects.toThrow('--key is missing')
    const left = await servePetri()
    const right = await servePetri()
    for (const petri of [left, right])
      await petri.put('/_petri/faults', {
        faults: [{ operation: 'POST /v2/user', respond: { status: 503 } }],
      })
    await expect(compare(between(left.url, right.url, '--calls', '20'))).rejects.toThrow(
      'No user could be created, so nothing was compared.',
    )
  })
})
