import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { once } from '../../src/kernel/once.ts'
import { createPetri, type PetriOptions } from '../../src/petri.ts'
import { createCatalogue } from '../../src/resources/catalogue/service.ts'
import { payloadText } from '../../src/world/append-event.ts'
import { events } from '../../src/world/events.ts'
import type { World } from '../../src/world/world.ts'
import { checkReply } from './replies.ts'

export const KEY = 'sk_us_test'
/** Nine on a Monday morning. */
export const START = Date.parse('2026-01-05T09:00:00Z')

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  readonly body: any
  readonly headers: Headers
}

type Send = (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>

interface Calls {
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  /** The body of the reply to a GET. */
  read(path: string, headers?: Record<string, string>): Promise<Answer['body']>
  readonly post: Send
  readonly put: Send
  readonly patch: Send
  readonly delete: Send
}

export interface TestPetri extends Calls {
  readonly petri: Awaited<ReturnType<typeof createPetri>>
  readonly world: () => World
  /** The API key of its world. */
  readonly key: string
  close(): Promise<void>
}

/** The body of a reply that has to be a success. */
export async function ok(answer: Promise<Pick<Answer, 'status' | 'body'>>): Promise<Answer['body']> {
  const { status, body } = await answer
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return body
}

/** What a refused call answers. */
export const refusal = (status: number, detail: unknown) => ({ status, body: { detail } })

/** The detail of a 422 for a value that a rule of the vendor's own refuses. */
export const valueError = (loc: readonly string[], text: string, input: unknown) => [
  { type: 'value_error', loc: ['body', ...loc], msg: `Value error, ${text}`, input, ctx: { error: {} } },
]

/** The id of nothing. */
export const NOBODY = '00000000-0000-4000-8000-000000000000'

/** The events of its world, oldest first. */
export const eventsOf = (petri: TestPetri) => [...petri.world().db.all(events)]

/** What the events so far tell whose type begins so, oldest first. */
export const payloadsOf = (petri: TestPetri, type = '') =>
  eventsOf(petri)
    .filter(({ event_type }) => event_type.startsWith(type))
    .map(({ id }) => JSON.parse(payloadText(petri.world(), id)))

/** Hono's `Env` for a call that came by a socket from this address. */
export const fromAddress = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } })

/** The bundled seeds, which are read once for all tests of a worker. */
const catalogue = createCatalogue()

/** How a provider lives. */
export const traitsOf = (provider: string) => catalogue.traitsOf(provider)

type Birth = Partial<PetriOptions['firstWorld']>

const frozenWorld = {
  name: 'Petri',
  seed: '1',
  frozen: true,
  now: START,
  pace: 8640,
  scenario: 'happy-path',
  webhookUrl: null,
} as const

/** A Petri with one frozen world. */
export async function startTestPetri(
  options: Partial<PetriOptions> & { world?: Birth } = {},
): Promise<TestPetri> {
  const bugs: unknown[] = []
  const { world: birth, ...rest } = options
  const petri = await createPetri({
    wall: () => START,
    heapUse: () => 0,
    ...(!options.seeds && { catalogue }),
    reportBug: (error) => bugs.push(error),
    ...rest,
    firstWorld: { ...frozenWorld, apiKey: KEY, ...birth },
  })
  // Tests read its rows without a call.
  const first = petri.worlds.all().find(({ identity }) => identity.apiKey === KEY)
  if (first) await petri.worlds.use(first, () => undefined)
  return testPetri(petri, KEY, bugs)
}

const sharedBugs: unknown[] = []
const shared = once(() => startTestPetri({ reportBug: (error) => sharedBugs.push(error) }))
/** The worlds of the latest tests; no test has more. */
const latest: World[] = []
const MAX_WORLDS = 10

/** A frozen world in a Petri that the tests of a worker share, for tests that concern one world. It takes a quarter of the time. */
export async function startTestWorld({ world: birth }: { world?: Birth } = {}): Promise<TestPetri> {
  const { petri } = await shared()
  const world = await petri.worlds.make({ ...frozenWorld, ...birth })
  latest.push(world)
  if (latest.length > MAX_WORLDS) await petri.worlds.drop(latest.shift() as World)
  return { ...testPetri(petri, world.identity.apiKey, sharedBugs), close: async () => undefined }
}

function testPetri(petri: TestPetri['petri'], key: string, bugs: unknown[]): TestPetri {
  const call: TestPetri['call'] = async (method, path, body, headers = {}) => {
    const response = await petri.app.request(path, {
      method,
      headers: { 'x-service-api-key': key, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    if (bugs.length > 0) throw bugs.shift()
    const answer = {
      status: response.status,
      body: text === '' ? null : JSON.parse(text),
      headers: response.headers,
    }
    checkReply(petri.operations, method, path, answer.status, answer.body)
    return answer
  }
  return {
    petri,
    world: () => petri.worlds.byKey(key) as World,
    key,
    ...callsOver(call),
    close: () => petri.close(),
  }
}

/** The methods of HTTP over one function. */
export function callsOver(call: Calls['call']): Calls {
  const by =
    (method: string): Send =>
    (...of) =>
      call(method, ...of)
  return {
    call,
    get: (path, headers) => call('GET', path, undefined, headers),
    read: async (path, headers) => (await call('GET', path, undefined, headers)).body,
    post: by('POST'),
    put: by('PUT'),
    patch: by('PATCH'),
    delete: by('DELETE'),
  }
}

/** A Petri of its own for each test (a world where nothing else is named); what is asked of it goes to that of the running test. */
export function forEachTest(start: () => Promise<TestPetri> = startTestWorld): TestPetri {
  let running: TestPetri | undefined
  beforeEach(async () => {
    running = await start()
  })
  afterEach(() => running?.close())
  return asking(() => running as TestPetri)
}

/** One Petri for all tests of a file or `describe`. */
export function forAllTests(start: () => Promise<TestPetri> = startTestWorld): TestPetri {
  let running: TestPetri | undefined
  beforeAll(async () => {
    running = await start()
  })
  afterAll(() => running?.close())
  return asking(() => running as TestPetri)
}

const asking = (running: () => TestPetri): TestPetri => ({
  get petri() {
    return running().petri
  },
  get key() {
    return running().key
  },
  world: () => running().world(),
  ...callsOver((...of) => running().call(...of)),
  close: () => running().close(),
})
