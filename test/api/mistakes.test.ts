import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  connectToPetri,
  type LocalPetri,
  matchers,
  type Order,
  type PetriWorld,
  parseWebhook,
  startPetri,
} from '../../src/index.ts'

let petri: LocalPetri
let world: PetriWorld
let order: Order
beforeAll(async () => {
  petri = await startPetri({ now: '2026-01-05T09:00:00Z' })
  world = await petri.world({ now: '2026-01-05T09:00:00Z', scenario: 'manual' })
  order = await world.orders.place()
})
afterAll(() => petri.close())

/** What the compiler would refuse. */
const wrong = (value: unknown) => value as never

async function call(path: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await petri.app.request(path, { headers })
  return `${response.status} ${await response.text()} ${response.headers.get('x-petri-hint')}`
}
const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
  const response = await world.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return `${response.status} ${await response.text()} ${response.headers.get('x-petri-hint')}`
}

interface Mistake {
  readonly mistake: string
  readonly make: () => unknown
  readonly cause: string
  /** Undefined where the service's own words have none. */
  readonly remedy?: string
}

// biome-ignore format: a table is read by its lines.
const mistakes: readonly Mistake[] = [
  { mistake: 'an option of startPetri is misspelled', make: () => startPetri(wrong({ prot: 0 })), cause: 'no option "prot"', remedy: 'Did you mean "port"?' },
  { mistake: 'a pace of 0', make: () => startPetri({ pace: 0 }), cause: 'it is 0', remedy: 'a number above 0' },
  { mistake: 'frozen as a text', make: () => startPetri(wrong({ frozen: 'yes' })), cause: 'it is "yes"', remedy: 'true or false' },
  { mistake: 'a team that does not exist', make: () => startPetri(wrong({ like: 'prod' })), cause: 'it is "prod"', remedy: 'sandbox or production' },
  { mistake: 'a default scenario is misspelled', make: () => startPetri({ scenario: 'happy-pth' }), cause: 'no scenario "happy-pth"', remedy: 'Did you mean "happy-path"?' },
  { mistake: 'a webhook URL without a protocol', make: () => startPetri({ webhookUrl: 'localhost:3000' }), cause: 'webhookUrl should be', remedy: 'an http or https URL' },
  { mistake: 'a port that is no number', make: () => startPetri(wrong({ port: 'abc' })), cause: 'it is "abc"', remedy: 'port should be a whole number from 0 to 65535' },
  { mistake: 'a webhook secret of another form', make: () => startPetri({ webhookSecret: 'secret' }), cause: 'webhookSecret', remedy: 'should be "whsec_" and Base64 of 24 to 64 bytes' },
  { mistake: 'a history that does not exist', make: () => startPetri(wrong({ history: '4d' })), cause: 'it is "4d"', remedy: 'should be full, 3d or none' },
  { mistake: 'onClock that is an object', make: () => startPetri(wrong({ onClock: {} })), cause: 'it is an object', remedy: 'onClock should be a function' },
  { mistake: 'a URL without a scheme', make: () => connectToPetri({ url: '127.0.0.1:4080' }), cause: 'it is "127.0.0.1:4080"', remedy: 'url should be an http or https URL' },
  { mistake: 'a number of histories in words', make: () => petri.explore(wrong({ runs: 'many' }), () => undefined), cause: 'it is "many"', remedy: 'runs should be a whole number' },
  { mistake: 'a port that is taken', make: portTaken, cause: 'is taken', remedy: 'Choose another with port; 0 picks a free one' },
  { mistake: 'a connection to no Petri', make: () => connectToPetri({ url: 'http://127.0.0.1:9' }), cause: 'No answer from http://127.0.0.1:9', remedy: 'Is Petri running there?' },
  { mistake: 'a scenario of an order is misspelled', make: () => world.orders.place({ scenario: 'happypath' }), cause: 'no scenario "happypath"', remedy: 'Did you mean "happy-path"?' },
  { mistake: 'camel case in orders.place', make: () => world.orders.place(wrong({ userId: order.user_id })), cause: 'body.userId', remedy: 'Did you mean "user_id"?' },
  { mistake: 'a short ZIP code', make: () => world.orders.place({ zip: '123' }), cause: 'body.zip', remedy: '\\d{5}' },
  { mistake: 'an order for a user of another world', make: () => world.orders.place({ user_id: order.id }), cause: 'The user does not' },
  { mistake: 'a number as an id', make: () => world.orders.wait('1', 'lost'), cause: '"1" is not an order id', remedy: 'orders.list()' },
  { mistake: 'a move to a misspelled status', make: () => world.orders.move(order.id, 'complete'), cause: '"complete" is not a status', remedy: 'Did you mean "completed"?' },
  { mistake: 'a move that the lifecycle does not have', make: () => world.orders.move(order.id, 'transit_lab'), cause: 'cannot become transit_lab', remedy: 'legal: received.testkit.requisition_created' },
  { mistake: 'a number of days', make: () => world.clock.advance(wrong(3)), cause: 'it got 3', remedy: "a duration such as '3d'" },
  { mistake: 'a wait in a frozen world', make: () => world.orders.wait(order.id, 'lost'), cause: 'is frozen', remedy: 'no job is pending' },
  { mistake: 'a timeout in milliseconds', make: () => world.orders.wait(order.id, 'lost', wrong({ timeout: 3000 })), cause: 'body.timeout', remedy: 'such as "10s"' },
  { mistake: 'a wait for a misspelled event type', make: () => world.webhooks.wait({ event_type: 'labtest.order.create' }), cause: 'no event type', remedy: 'Did you mean "labtest.order.created"?' },
  { mistake: 'a wait for an event type alone', make: () => world.webhooks.wait(wrong('labtest.order.created')), cause: 'webhooks.wait takes an object', remedy: 'it got "labtest.order.created"' },
  { mistake: 'a filter with an order', make: () => world.webhooks.messages(wrong({ order_id: order })), cause: 'order_id is an object', remedy: 'Give its id' },
  { mistake: 'a promise of an object in what is sent', make: () => world.orders.place(wrong({ user_id: Promise.resolve('') })), cause: 'user_id is a promise', remedy: 'Await it' },
  { mistake: 'webhooks to nothing', make: () => world.webhooks.deliverTo(wrong(undefined)), cause: 'it got undefined', remedy: 'webhooks.deliverTo takes a URL or a function' },
  { mistake: 'webhooks to an app', make: () => world.webhooks.deliverTo(wrong(petri.app)), cause: 'it got an object', remedy: 'Give (request) => app.fetch(request)' },
  { mistake: 'a receiver that returns a text', make: returnsText, cause: 'it returned "ok"', remedy: 'returns a Response or nothing' },
  { mistake: 'a scenario without its file', make: () => world.scenarios.add('x', wrong(undefined)), cause: 'it got undefined', remedy: 'scenarios.add, after the name, takes an object' },
  { mistake: 'a fault with the status beside respond', make: () => world.faults.set(wrong({ operation: 'GET /v2/user', status: 503 })), cause: 'faults.set has no option "status"', remedy: 'respond' },
  { mistake: 'results beside values', make: () => world.orders.setResults(order.id, wrong({ ferritin: 7 })), cause: 'orders.setResults has no option "ferritin"', remedy: 'It has values, comment, pdf' },
  { mistake: 'a third argument of a move', make: () => Reflect.apply(world.orders.move, undefined, [order.id, 'completed', { force: true }]), cause: 'orders.move takes an order id and a step', remedy: '{ status, force: true }' },
  { mistake: 'webhooks to a path', make: () => world.webhooks.deliverTo('/webhooks'), cause: 'body.url', remedy: 'starts with http:// or https://' },
  { mistake: 'a result that the order cannot have', make: () => world.orders.setResults(order.id, { values: { feritin: 7 } }), cause: '"feritin" is not a result', remedy: 'It has cholesterol-total' },
  { mistake: 'a misspelled feature', make: () => world.set({ features: { redraw: true } }), cause: 'body.features.redraw', remedy: 'Did you mean "redraws"?' },
  { mistake: 'a promise in an assertion', make: () => matchers.toHaveStatus(wrong(Promise.resolve(order)), 'ordered'), cause: 'A promise is not an order', remedy: 'Await it' },
  { mistake: 'a promise of a world in an assertion', make: () => matchers.toHaveDelivered(wrong(Promise.resolve(world)), 'labtest.order.created'), cause: 'A promise is not a world', remedy: 'Await it' },
  { mistake: 'an order in the place of a world', make: () => matchers.toAgree(wrong(order), order.id, {}), cause: 'An object is not a world', remedy: 'Give the world' },
  { mistake: 'an id in an assertion', make: () => matchers.toHaveVisited(wrong(order.id), ['ordered']), cause: 'is not an order', remedy: 'expect(await world.orders.get(id))' },
  { mistake: 'a misspelled status in an assertion', make: () => matchers.toHaveStatus(order, 'orderd'), cause: '"orderd" is not a status', remedy: 'Did you mean "ordered"?' },
  { mistake: 'no endpoint for webhooks', make: async () => (await matchers.toHaveDelivered(world, 'labtest.order.created')).message(), cause: 'None delivered', remedy: 'The world has no endpoint.' },
  { mistake: 'a call without a key', make: () => call('/v2/user'), cause: 'Missing x-vital-api-key', remedy: 'send the key of a world in x-vital-api-key; "petri env" prints' },
  { mistake: 'a call with an unknown key', make: () => call('/v2/user', { 'x-vital-api-key': 'sk_us_other' }), cause: 'no world has the key sk_us_...', remedy: '"petri env" prints' },
  { mistake: 'a misspelled path', make: () => call('/v2/usr'), cause: '404', remedy: 'GET /v2/user' },
  { mistake: 'a user in the place of an order', make: () => post(`/v3/order/${order.user_id}/cancel`, {}), cause: '404', remedy: 'the id of a user' },
  { mistake: 'a field in camel case', make: () => post('/v2/user', { clientUserId: 'ada' }), cause: 'client_user_id' },
  { mistake: 'a scenario header on a control call that places no order', make: () => post('/_petri/clock/advance', { by: '1h' }, { 'x-petri-scenario': 'slow-lab' }), cause: 'is for calls that place an order', remedy: 'POST /_petri/orders' },
  { mistake: 'a header with an unknown scenario on a control call', make: () => post('/_petri/orders', {}, { 'x-petri-scenario': 'slow-lb' }), cause: 'no scenario', remedy: 'slow-lab' },
  { mistake: 'an old name of a parameter', make: () => world.call('GET', '/_petri/requests?unread=true'), cause: 'unread', remedy: 'Extra inputs are not permitted' },
  { mistake: 'an old name of a method', make: () => (world.orders as unknown as { follow(id: string): void }).follow(order.id), cause: 'follow is not a function' },
  { mistake: 'an unsigned webhook', make: () => parseWebhook({ headers: {}, body: '{}' }, world.webhookSecret), cause: 'not genuine', remedy: 'svix-signature header is missing' },
  { mistake: 'a webhook without its secret', make: () => parseWebhook({ headers: {}, body: '{}' }, wrong(undefined)), cause: 'the secret is undefined', remedy: 'parseWebhook takes a webhook and its secret' },
  { mistake: 'no webhook', make: () => parseWebhook(wrong(undefined), world.webhookSecret), cause: 'it got undefined', remedy: 'parseWebhook takes an object' },
  { mistake: 'a world that is closed', make: closedWorld, cause: 'This world is closed', remedy: 'Await all calls' },
]

async function portTaken(): Promise<void> {
  const first = await startPetri({ port: 0 })
  try {
    await startPetri({ port: Number(new URL(first.url).port) })
  } finally {
    await first.close()
  }
}

/** What an attempt says about a receiver that returns a text. */
async function returnsText(): Promise<string | null | undefined> {
  const other = await petri.world()
  await other.webhooks.deliverTo(wrong(() => 'ok'))
  await other.orders.place()
  await other.clock.settle()
  const [message] = await other.webhooks.messages()
  await other.close()
  return message?.attempts[0]?.error
}

async function closedWorld(): Promise<void> {
  const closed = await petri.world()
  await closed.close()
  await closed.orders.place()
}

async function messageOf(make: () => unknown): Promise<string> {
  try {
    return String(await make())
  } catch (error) {
    return (error as Error).message
  }
}

it.each(mistakes)(
  'what is said about $mistake names the cause and the remedy',
  async ({ make, cause, remedy }) => {
    const message = await messageOf(make)
    expect(message).toContain(cause)
    expect(message).toContain(remedy ?? '')
  },
)

/** Every method that takes an id or a name, with what it is called. */
const takers: Readonly<Record<string, (id: never) => unknown>> = {
  'order id orders.get': (id) => world.orders.get(id),
  'order id orders.life': (id) => world.orders.life(id),
  'order id orders.move': (id) => world.orders.move(id, 'lost'),
  'order id orders.setResults': (id) => world.orders.setResults(id, { values: {} }),
  'order id orders.scenario': (id) => world.orders.scenario(id),
  'order id orders.setScenario': (id) => world.orders.setScenario(id, 'slow-lab'),
  'order id orders.reach': (id) => world.orders.reach(id, 'lost'),
  'order id orders.wait': (id) => world.orders.wait(id, 'lost'),
  'order id orders.wait, with advance': (id) => world.orders.wait(id, 'lost', { advance: true }),
  'order id toAgree': (id) => matchers.toAgree(world, id, {}),
  'user id users.get': (id) => world.users.get(id),
  'user id users.setScenario': (id) => world.users.setScenario(id, null),
  'user id users.setFeed': (id) => world.users.setFeed(id, 'oura', 'steady'),
  'user id users.addData': (id) => world.users.addData(id, { resource: 'steps', provider: 'oura' }),
  'provider users.setFeed': (provider) => world.users.setFeed(order.user_id, provider, 'steady'),
  'endpoint id endpoints.change': (id) => world.webhooks.endpoints.change(id, {}),
  'endpoint id endpoints.remove': (id) => world.webhooks.endpoints.remove(id),
  'endpoint id endpoints.rotateSecret': (id) => world.webhooks.endpoints.rotateSecret(id),
  'message id webhooks.message': (id) => world.webhooks.message(id),
  'request id requests.get': (id) => world.requests.get(id),
  'scenario name scenarios.get': (name) => world.scenarios.get(name),
  'scenario name scenarios.add': (name) => world.scenarios.add(name, 'name: mine'),
  'scenario name scenarios.remove': (name) => world.scenarios.remove(name),
  'snapshot name snapshots.save': (name) => world.snapshots.save(name),
  'snapshot name snapshots.restore': (name) => world.snapshots.restore(name),
  'snapshot name snapshots.remove': (name) => world.snapshots.remove(name),
}

it.each(Object.entries(takers))('refuses what is not the %s', async (name, take) => {
  const noun = name.startsWith('provider') ? 'provider' : name.split(' ', 2).join(' ')
  const messages = [{}, Promise.resolve(order.id), undefined].map((id) => messageOf(() => take(wrong(id))))
  expect(await Promise.all(messages)).toEqual([
    expect.stringMatching(`^An object is not an? ${noun}. Give its `),
    expect.stringMatching(`^A promise is not an? ${noun}. Await it, and give its `),
    expect.stringMatching(`^undefined is not an? ${noun}.`),
  ])
})

it.each([
  'orders.place',
  'webhooks.resend',
  'trigger',
  'orders.list',
  'webhooks.messages',
  'requests.list',
  'requests.wait',
  'webhooks.wait',
])('refuses a promise as a field of %s', async (method) => {
  const [kit = '', verb = ''] = method.split('.')
  const owner = verb === '' ? world : Reflect.get(world, kit)
  const field = method === 'orders.list' ? 'status' : 'order_id'
  const given = { [method === 'orders.place' ? 'user_id' : field]: Promise.resolve(order.id) }
  const refused = await messageOf(() => Reflect.get(owner, verb || kit)(given))
  expect(refused).toMatch(/_id|status/)
  expect(refused).toContain('is a promise. Await it')
})

it('accepts a Date as an instant, and a second close', async () => {
  const now = new Date('2026-01-05T09:00:00Z')
  const another = await startPetri({ now })
  const later = new Date('2026-01-06T09:00:00Z')
  const next = await another.world({ now: later })
  expect([await another.clock.now(), await next.clock.now()]).toEqual([now, later])
  expect((await another.clock.advance(later)).now).toBe(later.toISOString())
  await next.close()
  await next.close()
  await another.close()
  await another.close()
})

it('names the remedy of nine in ten mistakes', () => {
  expect(mistakes.length).toBeGreaterThanOrEqual(46)
  expect(mistakes.filter(({ remedy }) => remedy).length / mistakes.length).toBeGreaterThanOrEqual(0.9)
})

it('keeps what a receiver threw as the cause of a wait that failed', async () => {
  const deaf = await petri.world({ now: '2026-01-05T09:00:00Z' })
  const boom = new Error('boom')
  await deaf.webhooks.deliverTo(() => {
    throw boom
  })
  const { id } = await deaf.orders.place()
  await expect(deaf.webhooks.wait({ order_id: id })).rejects.toMatchObject({ status: 408, cause: boom })
  await expect(deaf.close()).rejects.toBe(boom)
})

it('shows other errors without a cause', async () => {
  await expect(world.orders.get(order.user_id)).rejects.not.toHaveProperty('cause')
})
