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
  { mistake: 'a port that is taken', make: portTaken, cause: 'is taken', remedy: 'Choose another with port; 0 picks a free one' },
  { mistake: 'a connection to no Petri', make: () => connectToPetri({ url: 'http://127.0.0.1:9' }), cause: 'No answer from http://127.0.0.1:9', remedy: 'Is Petri running there?' },
  { mistake: 'a scenario of an order is misspelled', make: () => world.orders.place({ scenario: 'happypath' }), cause: 'no scenario "happypath"', remedy: 'Did you mean "happy-path"?' },
  { mistake: 'camel case in orders.place', make: () => world.orders.place(wrong({ userId: order.user_id })), cause: 'body.userId', remedy: 'Did you mean "user_id"?' },
  { mistake: 'a short ZIP code', make: () => world.orders.place({ zip: '123' }), cause: 'body.zip', remedy: '\\d{5}' },
  { mistake: 'an order for a user of another world', make: () => world.orders.place({ user_id: order.id }), cause: 'The user does not' },
  { mistake: 'a move to a misspelled status', make: () => world.orders.move(order.id, 'complete'), cause: '"complete" is not a status', remedy: 'Did you mean "completed"?' },
  { mistake: 'a move that the lifecycle does not have', make: () => world.orders.move(order.id, 'transit_lab'), cause: 'cannot become transit_lab', remedy: 'legal: received.testkit.requisition_created' },
  { mistake: 'a wait in a frozen world', make: () => world.orders.wait(order.id, 'lost'), cause: 'is frozen', remedy: 'no job is pending' },
  { mistake: 'a timeout in milliseconds', make: () => world.orders.wait(order.id, 'lost', wrong({ timeout: 3000 })), cause: 'body.timeout', remedy: 'such as "10s"' },
  { mistake: 'a wait for a misspelled event type', make: () => world.webhooks.wait({ event_type: 'labtest.order.create' }), cause: 'no event type', remedy: 'Did you mean "labtest.order.created"?' },
  { mistake: 'webhooks to a path', make: () => world.webhooks.deliverTo('/webhooks'), cause: 'body.url', remedy: 'starts with http:// or https://' },
  { mistake: 'a result that the order cannot have', make: () => world.orders.setResults(order.id, { values: { feritin: 7 } }), cause: '"feritin" is not a result', remedy: 'It has cholesterol-total' },
  { mistake: 'a misspelled feature', make: () => world.set({ features: { redraw: true } }), cause: 'body.features.redraw', remedy: 'Did you mean "redraws"?' },
  { mistake: 'an id in an assertion', make: () => matchers.toHaveVisited(wrong(order.id), ['ordered']), cause: 'is not an order', remedy: 'expect(await world.orders.get(id))' },
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

/** What the kit refuses by itself: the whole text. */
// biome-ignore format: a table is read by its lines.
const refusals: readonly { readonly mistake: string; readonly make: () => unknown; readonly says: string }[] = [
  { mistake: 'an option of startPetri is misspelled', make: () => startPetri(wrong({ prot: 0 })), says: 'startPetri has no option "prot". Did you mean "port"?' },
  { mistake: 'a pace of 0', make: () => startPetri({ pace: 0 }), says: 'pace should be a number above 0; it is 0.' },
  { mistake: 'frozen as a text', make: () => startPetri(wrong({ frozen: 'yes' })), says: 'frozen should be true or false; it is "yes".' },
  { mistake: 'a team that does not exist', make: () => startPetri(wrong({ like: 'prod' })), says: 'like should be sandbox or production; it is "prod".' },
  { mistake: 'a default scenario is misspelled', make: () => startPetri({ scenario: 'happy-pth' }), says: 'There is no scenario "happy-pth". Did you mean "happy-path"?' },
  { mistake: 'a webhook URL without a protocol', make: () => startPetri({ webhookUrl: 'localhost:3000' }), says: 'webhookUrl should be an http or https URL; it is "localhost:3000".' },
  { mistake: 'a port that is no number', make: () => startPetri(wrong({ port: 'abc' })), says: 'port should be a whole number from 0 to 65535; it is "abc".' },
  { mistake: 'a webhook secret of another form', make: () => startPetri({ webhookSecret: 'secret' }), says: 'webhookSecret should be "whsec_" and Base64 of 24 to 64 bytes; it is "secret".' },
  { mistake: 'a history that does not exist', make: () => startPetri(wrong({ history: '4d' })), says: 'history should be full, 3d or none; it is "4d".' },
  { mistake: 'onClock that is an object', make: () => startPetri(wrong({ onClock: {} })), says: 'onClock should be a function; it is an object.' },
  { mistake: 'a URL without a scheme', make: () => connectToPetri({ url: '127.0.0.1:4080' }), says: 'url should be an http or https URL; it is "127.0.0.1:4080".' },
  { mistake: 'a number of histories in words', make: () => petri.explore(wrong({ runs: 'many' }), () => undefined), says: 'runs should be a whole number above 0; it is "many".' },
  { mistake: 'a number as an id', make: () => world.orders.wait('1', 'lost'), says: '"1" is not an order id. petri.orders.list() lists the orders.' },
  { mistake: 'a number as the id of a user', make: () => world.users.get('1'), says: '"1" is not a user id.' },
  { mistake: 'a number of days', make: () => world.clock.advance(wrong(3)), says: "clock.advance takes a duration such as '3d' or '90s', a Date, { to } or { until }; it got 3." },
  { mistake: 'a promise of a duration', make: () => world.clock.advance(wrong(Promise.resolve('3d'))), says: "clock.advance takes a duration such as '3d' or '90s', a Date, { to } or { until }; it got a promise." },
  { mistake: 'a wait for an event type alone', make: () => world.webhooks.wait(wrong('labtest.order.created')), says: 'webhooks.wait takes an object; it got "labtest.order.created".' },
  { mistake: 'a filter with an order', make: () => world.webhooks.messages(wrong({ order_id: order })), says: 'webhooks.messages: order_id is an object. Give its id.' },
  { mistake: 'a message in the place of its id', make: () => world.webhooks.resend(wrong({ message_id: {} })), says: 'webhooks.resend: message_id is an object. Give its id.' },
  { mistake: 'a user in the place of an id', make: () => world.requests.wait(wrong({ user_id: {} })), says: 'requests.wait: user_id is an object. Give its id.' },
  { mistake: 'a promise of an object in what is sent', make: () => world.orders.place(wrong({ user_id: Promise.resolve('') })), says: 'user_id is a promise. Await it.' },
  { mistake: 'webhooks to nothing', make: () => world.webhooks.deliverTo(wrong(undefined)), says: 'webhooks.deliverTo takes a URL or a function; it got undefined.' },
  { mistake: 'webhooks to an app', make: () => world.webhooks.deliverTo(wrong(petri.app)), says: 'webhooks.deliverTo takes a URL or a function; it got an object. Give (request) => app.fetch(request).' },
  { mistake: 'webhooks to an object', make: () => world.webhooks.deliverTo(wrong({})), says: 'webhooks.deliverTo takes a URL or a function; it got an object.' },
  { mistake: 'a receiver that returns a text', make: returnsText, says: 'A function that receives webhooks returns a Response or nothing; it returned "ok"' },
  { mistake: 'a scenario without its file', make: () => world.scenarios.add('x', wrong(undefined)), says: 'scenarios.add, after the name, takes an object; it got undefined.' },
  { mistake: 'a fault with the status beside respond', make: () => world.faults.set(wrong({ operation: 'GET /v2/user', status: 503 })), says: 'faults.set has no option "status". It has operation, times, rate, after, respond, latency, drop.' },
  { mistake: 'results beside values', make: () => world.orders.setResults(order.id, wrong({ ferritin: 7 })), says: 'orders.setResults has no option "ferritin". It has values, comment, pdf.' },
  { mistake: 'a third argument of a move', make: () => Reflect.apply(world.orders.move, undefined, [order.id, 'completed', { force: true }]), says: 'orders.move takes an order id and a step, such as { status, force: true }.' },
  { mistake: 'a promise in an assertion', make: () => matchers.toHaveStatus(wrong(Promise.resolve(order)), 'ordered'), says: 'A promise is not an order. Await it, and give the order.' },
  { mistake: 'a promise of a world in an assertion', make: () => matchers.toHaveDelivered(wrong(Promise.resolve(world)), 'labtest.order.created'), says: 'A promise is not a world. Await it, and give the world.' },
  { mistake: 'an order in the place of a world', make: () => matchers.toAgree(wrong(order), order.id, {}), says: 'An object is not a world. Give the world.' },
  { mistake: 'a misspelled status in an assertion', make: () => matchers.toHaveStatus(order, 'orderd'), says: '"orderd" is not a status of an order. Did you mean "ordered"?' },
  { mistake: 'an unsigned webhook', make: () => parseWebhook({ headers: {}, body: '{}' }, world.webhookSecret), says: 'The webhook is not genuine: the svix-id, svix-timestamp or svix-signature header is missing.' },
  { mistake: 'a webhook without its secret', make: () => parseWebhook({ headers: {}, body: '{}' }, wrong(undefined)), says: 'parseWebhook takes a webhook and its secret; the secret is undefined.' },
  { mistake: 'no webhook', make: () => parseWebhook(wrong(undefined), world.webhookSecret), says: 'parseWebhook takes an object; it got undefined.' },
  { mistake: 'two wrong options', make: () => startPetri(wrong({ prot: 0, pace: 0 })), says: 'startPetri has no option "prot". Did you mean "port"?\npace should be a number above 0; it is 0.' },
  { mistake: 'a promise of a filter', make: () => world.webhooks.wait(wrong(Promise.resolve({}))), says: 'webhooks.wait takes an object; it got a promise. Await it, and give the object.' },
  { mistake: 'a list as a filter', make: () => world.webhooks.wait(wrong(['a'])), says: 'webhooks.wait takes an object; it got ["a"].' },
  { mistake: 'one folder instead of a list', make: () => startPetri(wrong({ scenarios: 'a' })), says: 'scenarios should be a list of folders; it is "a".' },
  { mistake: 'a number in a list of folders', make: () => startPetri(wrong({ scenarios: ['a', 7] })), says: 'scenarios should be a text that is not empty; it is ["a",7].' },
  { mistake: 'a Date of no instant', make: () => startPetri({ now: new Date(Number.NaN) }), says: 'now should be an ISO 8601 date or instant; it is a Date.' },
  { mistake: 'a number as a webhook URL', make: () => startPetri(wrong({ webhookUrl: 7 })), says: 'webhookUrl should be an http or https URL; it is 7.' },
  { mistake: 'a number as a port in a text', make: () => startPetri(wrong({ port: '4080' })), says: 'port should be a whole number from 0 to 65535; it is "4080".' },
  { mistake: 'no histories', make: () => petri.explore({ runs: 0 }, () => undefined), says: 'runs should be a whole number above 0; it is 0.' },
  { mistake: 'one history with another option', make: () => petri.explore(wrong({ runs: 1, rns: 2 }), () => undefined), says: 'petri.explore has no option "rns". Did you mean "runs"?' },
  { mistake: 'half a history', make: () => petri.explore({ runs: 1.5 }, () => undefined), says: 'runs should be a whole number above 0; it is 1.5.' },
  { mistake: 'a function in the place of a world', make: () => matchers.toHaveDelivered(wrong(() => world), 'a'), says: 'A function is not a world. Give one: expect(world).' },
  { mistake: 'an object without events in an assertion', make: () => matchers.toHaveStatus(wrong({ last_event: {} }), 'ordered'), says: 'An object is not an order. Give an order: expect(await world.orders.get(id)).' },
  { mistake: 'an object without a last event', make: () => matchers.toHaveStatus(wrong({ events: [] }), 'ordered'), says: 'An object is not an order. Give an order: expect(await world.orders.get(id)).' },
  { mistake: 'a Date as an id', make: () => world.orders.get(wrong(new Date(0))), says: 'A Date is not an order id. Give its id.' },
  { mistake: 'an empty id', make: () => world.webhooks.message(''), says: '"" is not a message id.' },
  { mistake: 'another field of what a program shows', make: () => matchers.toAgree(world, order.id, wrong({ a: 'b' })), says: 'toAgree has no option "a". It has status, interpretation, results.' },
  { mistake: 'a status that no program can show', make: () => matchers.toAgree(world, order.id, { status: 'orderd' }), says: '"orderd" is not a status of an order. Did you mean "ordered"?' },
  { mistake: 'the middle of a status', make: () => matchers.toAgree(world, order.id, { status: 'testkit' }), says: '"testkit" is not a status of an order. Did you mean "testkit_registered"?' },
  { mistake: 'a misspelled dotted status', make: () => matchers.toHaveStatus(order, 'received.testkit.orderd'), says: '"received.testkit.orderd" is not a status of an order. Did you mean "received.testkit.ordered"?' },
  { mistake: 'the status of a delivery in an assertion', make: () => matchers.toHaveDelivered(world, wrong({ status: 'a' })), says: 'toHaveDelivered has no option "status". It has event_type, order_id, user_id.' },
  { mistake: 'a promise of all that is sent', make: () => world.trigger(wrong(Promise.resolve({}))), says: 'The body is a promise. Await it.' },
  { mistake: 'camel case in users.create', make: () => world.users.create(wrong({ userId: order.user_id })), says: 'users.create has no option "userId". Did you mean "user_id"?' },
  { mistake: 'a number as a user', make: () => world.users.create(wrong(7)), says: 'users.create takes an object; it got 7.' },
  { mistake: 'a misspelled option of a world', make: () => petri.world(wrong({ sed: 'a' })), says: 'petri.world has no option "sed". Did you mean "seed"?' },
  { mistake: 'numbers for texts of a world', make: () => petri.world(wrong({ name: 7, seed: 7, scenario: 7 })), says: 'name should be a text that is not empty; it is 7.\nseed should be a text that is not empty; it is 7.\nscenario should be one word; it is 7.' },
  { mistake: 'a number as a move', make: () => world.orders.move(order.id, wrong(7)), says: 'orders.move takes an object; it got 7.' },
  { mistake: 'a world that is closed', make: closedWorld, says: 'This world is closed. Await all calls before you close it.' },
]

it.each(refusals)('says about $mistake: $says', async ({ make, says }) => {
  expect(await messageOf(make)).toBe(says)
})

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
  const field = { provider: 'slug', 'user id': 'user_id' }[noun] ?? noun.replace(/^.* /, '')
  const is = `is not ${/^[oe]/.test(noun) ? 'an' : 'a'} ${noun}.`
  const messages = [{}, Promise.resolve(order.id), undefined].map((id) => messageOf(() => take(wrong(id))))
  expect(await Promise.all(messages)).toEqual([
    `An object ${is} Give its ${field}.`,
    `A promise ${is} Await it, and give its ${field}.`,
    `undefined ${is}${noun === 'order id' ? ' petri.orders.list() lists the orders.' : ''}`,
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

it('accepts a Date as an instant, an id in capitals, and a second close', async () => {
  expect((await world.orders.get(order.id.toUpperCase())).id).toBe(order.id)
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

it('keeps what a receiver threw as the cause of a wait that failed, and of no other error', async () => {
  const deaf = await petri.world({ now: '2026-01-05T09:00:00Z' })
  const boom = new Error('boom')
  await deaf.webhooks.deliverTo(() => {
    throw boom
  })
  const { id } = await deaf.orders.place()
  await expect(deaf.webhooks.wait({ order_id: id })).rejects.toMatchObject({ status: 408, cause: boom })
  await expect(deaf.orders.get(order.id)).rejects.not.toHaveProperty('cause')
  await expect(deaf.close()).rejects.toBe(boom)
})
