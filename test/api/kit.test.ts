import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { allRows, type Caller, createCaller } from '../../src/client/caller.ts'
import { openPetri } from '../../src/client/petri.ts'
import { createLocalReceivers, createSocketReceivers, receiversOfWorld } from '../../src/client/receivers.ts'
import { createWorld } from '../../src/client/world.ts'
import {
  type LocalPetri,
  matchers,
  parseWebhook,
  type ShownOrder,
  startPetri,
  type WebhookEvent,
} from '../../src/index.ts'
import { useFakeTimers, useRealTimers } from '../support/timing.ts'

expect.extend(matchers)

const NOW = '2026-01-05T09:00:00Z'

let petri: LocalPetri
beforeEach(async () => {
  petri = await startPetri({ now: NOW })
})
afterEach(() => {
  useRealTimers()
  return petri.close()
})

it('moves the clock of the program along, so that its Date is the time of each event', async () => {
  petri = await startPetri({ now: NOW, onClock: (now) => vi.setSystemTime(now) })
  const heard: (readonly [event: string, date: string])[] = []
  await petri.webhooks.deliverTo(async (request) => {
    const event = await parseWebhook(request, petri.webhookSecret)
    if (event.event_type !== 'labtest.order.updated') return
    heard.push([Date.parse(event.data.last_event.created_at), Date.now()].map(iso) as [string, string])
  })
  const { id } = await petri.orders.place({ scenario: 'happy-path' })
  await petri.orders.reach(id, 'completed')
  expect(heard.length).toBeGreaterThan(3)
  expect(heard.map(([, date]) => date)).toEqual(heard.map(([event]) => event))
  await petri.clock.advance('2d')
  expect(new Date()).toEqual(await petri.clock.now())
})
const iso = (ms: number) => new Date(ms).toISOString()

it('has delivered the webhook of a status when it reaches it, however long the receiver takes', async () => {
  const heard: string[] = []
  await petri.webhooks.deliverTo(async (request) => {
    const event = await parseWebhook(request, petri.webhookSecret)
    await petri.users.create()
    if (event.event_type === 'labtest.order.updated') heard.push(event.data.last_event.status)
  })
  const { id } = await petri.orders.place()
  const { last_event } = await petri.orders.reach(id, 'delivered_to_lab')
  expect(heard.at(-1)).toBe(last_event.status)
})

it('gives up a function that never answers, and names its event, also where a test fakes the timers', async () => {
  const said = vi.spyOn(console, 'error').mockReturnValue()
  await petri.webhooks.deliverTo(() => new Promise<Response>(() => undefined))
  useFakeTimers('setTimeout', 'clearTimeout')
  await petri.orders.place()
  const settling = petri.clock.settle()
  await nextTurns()
  vi.advanceTimersByTime(2999)
  expect(said).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(said.mock.calls).toEqual([
    ['Petri: the function that receives webhooks has not answered labtest.order.created for 3 s.'],
  ])
  vi.advanceTimersByTime(11_999)
  expect(await Promise.race([settling, nextTurns()])).toBeUndefined()
  vi.advanceTimersByTime(1)
  await settling
  useRealTimers()
  expect((await petri.webhooks.messages())[0]?.attempts).toMatchObject([{ error: 'No reply within 15 s' }])
  said.mockRestore()
})

async function nextTurns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}

it('leaves the Date of the program alone in a live world', async () => {
  const moved: Date[] = []
  petri = await startPetri({ frozen: false, onClock: (now) => moved.push(now) })
  await petri.clock.advance('2d')
  expect(moved).toEqual([])
})

it('reads a webhook that is genuine, as a request or as headers and text', async () => {
  const world = await petri.world({ now: NOW })
  const events: WebhookEvent[] = []
  const errors: unknown[] = []
  await world.webhooks.deliverTo(async (request) => {
    const headers = Object.fromEntries(request.headers)
    const body = await request.text()
    events.push(await parseWebhook({ headers, body }, world.webhookSecret))
    await parseWebhook({ headers, body: `${body} ` }, world.webhookSecret).catch((error) =>
      errors.push(error),
    )
  })
  const { id } = await world.orders.place()
  await world.clock.settle()
  expect(events).toMatchObject([{ event_type: 'labtest.order.created', data: { id } }])
  expect(errors).toMatchObject([{ message: expect.stringContaining('the body was changed') }])
})

it('says where what a program shows differs from the order', async () => {
  const { id } = await petri.orders.place()
  for (const status of ['received', 'ordered', 'received.testkit.ordered'])
    expect((await matchers.toAgree(petri, id, { status })).pass).toBe(true)
  await petri.orders.setResults(id, { values: { glucose: 91, 'hemoglobin-a1c': 5 } })
  const { last_event, interpretation } = await petri.orders.wait(id, 'completed', { advance: true })
  const shown = { status: last_event.status, interpretation, results: { glucose: 91 } }
  const differing = async (given: ShownOrder | undefined) => {
    const { pass, message } = await matchers.toAgree(petri, id, given)
    expect(pass).toBe(message() === 'The program shows the order as the world has it.')
    return message().split('\n').slice(1)
  }
  for (const agreeing of [
    shown,
    { status: 'completed' },
    { interpretation },
    { results: { glucose: '91', 'hemoglobin-a1c': '5.0' } },
    { results: { 'hemoglobin-a1c': '5' } },
    {},
  ])
    expect(await differing(agreeing)).toEqual([])
  const results = { glucose: 92, 'hemoglobin-a1c': 6, gluten: 1 }
  const wrong = { status: 'received', interpretation: null, results }
  expect(await differing(wrong)).toEqual([
    '  status: received; expected completed.testkit.completed',
    `  interpretation: null; expected ${interpretation}`,
    '  glucose: 92; expected 91',
    '  hemoglobin-a1c: 6; expected 5',
    '  gluten: 1; the order has no such result',
  ])
  const { message } = await matchers.toAgree(petri, id, wrong)
  expect(message()).toMatch(/^The program shows the order differently:\n/)
  const missing = await matchers.toAgree(petri, id, undefined)
  expect([missing.pass, missing.message()]).toEqual([false, `The program shows no order ${id}.`])
  expect(await petri.requests.list()).toHaveLength(1)
})

it('has a patient and an address in the spelling of the wire and in that of the official client', async () => {
  const { fixtures } = petri
  const address = fixtures.address({ zip: '00112' })
  const place = { zip: '00112', city: 'Phoenix', state: 'AZ', country: 'US' }
  const [receiverName, firstLine, phoneNumber] = ['Ada Example', '1 N Central Ave', '+16025550123']
  expect(address).toEqual({
    ...place,
    receiver_name: receiverName,
    first_line: firstLine,
    phone_number: phoneNumber,
  })
  expect(fixtures.camelCase.address({ zip: '00112' })).toEqual({
    ...place,
    receiverName,
    firstLine,
    phoneNumber,
  })
  expect(fixtures.patient({ dob: '1980-02-03' })).toMatchObject({ first_name: 'Ada', dob: '1980-02-03' })
  expect(fixtures.camelCase.patient({ lastName: 'Byron' })).toEqual({
    firstName: 'Ada',
    lastName: 'Byron',
    dob: '1990-01-01',
    gender: 'female',
    phoneNumber: '+16025550123',
    email: 'ada@example.com',
  })
})

/** What the kit throws for a reply of Petri. */
it.each([
  [{ detail: 'No.' }, 'No.'],
  [
    { detail: [{ loc: ['body', 'a', 0], msg: 'Wrong.' }, { msg: 'Odd.' }, { loc: ['a'] }] },
    'body.a.0: Wrong.\n{"msg":"Odd."}\n{"loc":["a"]}',
  ],
  [
    { detail: 'No.', legal: ['a', 'b'], near: [], other: { c: 1 } },
    'No.\n  legal: a, b\n  near: nothing\n  other: {"c":1}',
  ],
  [
    {
      detail: 'No.',
      timeline: [
        { at: '09:00', what: 'placed' },
        { at: '10:00', what: 'sent' },
      ],
    },
    'No.\n  timeline:\n    09:00  placed\n    10:00  sent',
  ],
  [
    { detail: 'No.', timeline: [{ at: '09:00', what: 'placed' }, { at: '10:00' }], near: [{ what: 'a' }] },
    'No.\n  timeline: [{"at":"09:00","what":"placed"},{"at":"10:00"}]\n  near: [{"what":"a"}]',
  ],
  ['No JSON', 'No JSON'],
  [undefined, 'nothing'],
  [null, 'nothing'],
])('throws a reply %j in words', async (body, words) => {
  const said: (readonly [string, string])[] = []
  const { call } = createCaller({
    base: () => 'http://petri.test',
    send: async ({ url, headers }) => {
      said.push([url, JSON.stringify(Object.fromEntries(headers))])
      return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status: 418 })
    },
    credentials: { 'x-key': 'mine' },
    credentialHeaders: ['x-key', 'authorization'],
    readHeaders: { 'x-read': 'yes' },
  })
  const refusal = { name: 'PetriRefusal', status: 418, body, message: `POST /a answered 418: ${words}` }
  await expect(call('POST', '/a', 'text')).rejects.toMatchObject(refusal)
  await expect(call('GET', '/b')).rejects.toThrow('GET /b answered 418: ')
  await expect(call('GET', '/c', undefined, { authorization: 'theirs' })).rejects.toThrow('418')
  expect(said).toEqual([
    ['http://petri.test/a', '{"content-type":"application/json","x-key":"mine"}'],
    ['http://petri.test/b', '{"x-key":"mine","x-read":"yes"}'],
    ['http://petri.test/c', '{"authorization":"theirs","x-read":"yes"}'],
  ])
})

it('makes worlds with the control token, and does not hide why one cannot be deleted', async () => {
  const asked: string[] = []
  const local = createLocalReceivers()
  const running = await openPetri(
    {
      async send(request) {
        const { method, url, headers } = request
        const key = headers.get('authorization') ?? headers.get('x-service-api-key')
        asked.push(`${method} ${new URL(url).pathname} ${key} ${await request.text()}`)
        if (method === 'DELETE') return new Response('Busy', { status: 503 })
        return Response.json({ team_id: 'team', api_key: 'theirs', webhook_secret: 'whsec_theirs' })
      },
      base: () => 'http://petri.test',
      url: () => 'http://petri.test',
      credentialHeaders: ['x-service-api-key', 'authorization'],
      receivers: {
        async open(receive) {
          const { url } = await local.open(receive)
          return { url, close: async () => void asked.push(`closed ${url}`) }
        },
      },
      controlToken: 'token',
      worldDefaults: { seed: 'default', frozen: undefined },
      close: async () => void asked.push('closed'),
    },
    'mine',
  )
  const world = await running.world({ webhookUrl: 'http://127.0.0.1:9/' })
  await running.world({ frozen: false, seed: 'own', webhookUrl: () => undefined })
  await world.describe()
  for (const each of [running, world])
    expect([each.webhookSecret, each.teamId]).toEqual(['whsec_theirs', 'team'])
  expect([running.apiKey, world.apiKey]).toEqual(['mine', 'theirs'])
  const refused = 'DELETE /_petri/worlds/team answered 503: Busy'
  for (let time = 0; time < 2; time++) await expect(world.close()).rejects.toThrow(refused)
  await expect(running.close()).rejects.toThrow(refused)
  const deleted = 'DELETE /_petri/worlds/team Bearer token '
  expect(asked).toEqual([
    'GET /_petri/world mine ',
    'POST /_petri/worlds Bearer token {"seed":"default","frozen":true,"webhook_url":"http://127.0.0.1:9/"}',
    'POST /_petri/worlds Bearer token {"seed":"own","frozen":false,"webhook_url":"http://receiver-1.petri.localhost/"}',
    'GET /_petri/world theirs ',
    deleted,
    deleted,
    'closed http://receiver-1.petri.localhost/',
    'closed',
  ])
})

it('reads a list page by page', async () => {
  const paths: string[] = []
  const pages = [
    { data: [1, 2], next_cursor: 'a' },
    { data: [3], next_cursor: 'b' },
    { data: [4], next_cursor: null },
  ]
  const call: Caller['call'] = async (_, path) => pages[paths.push(path) - 1] as never
  expect(await allRows(call, '/rows', { user_id: 'me' })).toEqual([1, 2, 3, 4])
  const first = '/rows?user_id=me&limit=500'
  expect(paths).toEqual([first, `${first}&cursor=a`, `${first}&cursor=b`])
})

it('sends all that its methods are given', async () => {
  const asked: string[] = []
  const world = createWorld({
    url: () => 'http://petri.test',
    apiKey: 'sk_us_a',
    webhookSecret: 'whsec_a',
    teamId: 'team',
    caller: {
      fetch: async () => new Response(),
      async call<Body>(method: string, path: string, body?: unknown) {
        asked.push(`${method} ${path} ${JSON.stringify(body)}`)
        return {} as Body
      },
    },
    receivers: receiversOfWorld(createLocalReceivers()),
    noun: 'world',
    close: async () => undefined,
  })
  const id = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
  const { users, orders, scenarios, webhooks, requests, clock } = world
  // biome-ignore format: a table is read by its lines.
  const calls: readonly (readonly [made: Promise<unknown>, asks: string])[] = [
    [world.reset({ keep_endpoints: true }), 'POST /_petri/reset {"keep_endpoints":true}'],
    [world.set({ like: 'sandbox' }), 'PATCH /_petri/world {"like":"sandbox"}'],
    [world.agenda(id), `GET /_petri/agenda?subject=${id} undefined`],
    [world.state.import({ a: 1 }), 'PUT /_petri/state {"a":1}'],
    [users.create({ user_id: id, client_user_id: 'a' }), `POST /_petri/users {"user_id":"${id}","client_user_id":"a"}`],
    [users.setScenario(id, null), `PUT /_petri/users/${id}/scenario {"scenario":null}`],
    [users.setFeed(id, 'a/b', 'c'), `PUT /_petri/users/${id}/connections/a%2Fb/feed {"scenario":"c"}`],
    [users.addData(id, { resource: 'steps', provider: 'oura' }), `POST /_petri/users/${id}/data {"resource":"steps","provider":"oura"}`],
    [orders.list({ status: 'lost' }), 'GET /_petri/orders?status=lost undefined'],
    [orders.setScenario(id, 'slow-lab', { from: 'ordered' }), `PUT /_petri/orders/${id}/scenario {"scenario":"slow-lab","from":"ordered"}`],
    [orders.wait(id, 'lost', { timeout: '1s' }), `POST /_petri/wait {"order_id":"${id}","status":"lost","timeout":"1s"}`],
    [scenarios.list({ kind: 'order' }), 'GET /_petri/scenarios?kind=order undefined'],
    [scenarios.add('a/b', { name: 'a' }), 'PUT /_petri/scenarios/a%2Fb {"name":"a"}'],
    [webhooks.deliverTo('http://a', { resend: 2 }), 'POST /_petri/webhooks/endpoints {"resend":2,"url":"http://a"}'],
    [webhooks.endpoints.change('a', { url: 'b' }), 'PATCH /_petri/webhooks/endpoints/a {"url":"b"}'],
    [webhooks.endpoints.rotateSecret('a', 'b'), 'POST /_petri/webhooks/endpoints/a/rotate-secret {"secret":"b"}'],
    [webhooks.wait({ order_id: id }, { timeout: '1s' }), `POST /_petri/wait {"message":{"order_id":"${id}"},"timeout":"1s"}`],
    [requests.wait({ operation: 'a' }, { timeout: '1s' }), 'POST /_petri/wait {"request":{"operation":"a"},"timeout":"1s"}'],
    [clock.freeze(), 'PATCH /_petri/clock {"frozen":true}'],
    [clock.run(), 'PATCH /_petri/clock {"frozen":false}'],
    [clock.setPace(2), 'PATCH /_petri/clock {"pace":2}'],
    [clock.settle(), 'POST /_petri/clock/advance {"by":"0s"}'],
  ]
  await Promise.all(calls.map(([made]) => made))
  expect(asked.sort()).toEqual(calls.map(([, asks]) => asks).sort())
})

it('gives functions a URL on this machine, where a Petri elsewhere sends its webhooks', async () => {
  vi.unstubAllGlobals()
  const opened = await createSocketReceivers().open(async (request) => {
    const said = `${new URL(request.url).pathname} ${request.headers.get('svix-id')} ${await request.text()}`
    if (said.includes('none')) return null as never
    if (said.includes('throw')) throw new Error('never')
    return new Response(said, { status: 202, headers: { 'x-a': 'b' } })
  })
  expect(opened.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/)
  const replies: unknown[] = []
  for (const body of ['{}', 'none', 'throw']) {
    const reply = await fetch(`${opened.url}a`, { method: 'POST', body, headers: { 'svix-id': 'msg' } })
    replies.push([reply.status, reply.headers.get('x-a'), await reply.text()])
  }
  expect(replies).toEqual([
    [202, 'b', '/a msg {}'],
    [204, null, ''],
    [500, null, 'Error: never'],
  ])
  await opened.close()
  await expect(fetch(opened.url)).rejects.toThrow('fetch failed')
})

it('keeps events without an endpoint, and sends the last of them to one that is added', async () => {
  const { id } = await petri.orders.place()
  await petri.orders.reach(id, 'completed')
  const add = (more: object) =>
    petri.call<{ earlier_events: number }>('POST', '/_petri/webhooks/endpoints', {
      url: 'http://127.0.0.1:9/',
      ...more,
    })
  const { earlier_events: kept } = await add({ event_types: ['labtest.order.updated'] })
  expect(kept).toBeGreaterThan(3)
  const received: string[] = []
  const listening = await petri.webhooks.deliverTo(
    async (request) => {
      const event = await parseWebhook(request, petri.webhookSecret)
      if (event.event_type === 'labtest.order.updated') received.push(event.data.last_event.status)
    },
    { resend: 2, event_types: ['labtest.order.updated'] },
  )
  await petri.clock.settle()
  expect(listening).toMatchObject({ earlier_events: kept - 2 })
  expect(received).toEqual(['sample_with_lab.testkit.delivered_to_lab', 'completed.testkit.completed'])
})

it('says which endpoints a reset removes, unless it keeps them', async () => {
  const url = 'http://127.0.0.1:9/hook'
  await petri.webhooks.deliverTo(url, { event_types: ['labtest.order.created'] })
  const reset = (body: object) =>
    petri.call<{ removed_endpoints: readonly string[] }>('POST', '/_petri/reset', body)
  expect(await reset({ keep_endpoints: true })).toMatchObject({ removed_endpoints: [] })
  expect(await petri.webhooks.endpoints.list()).toMatchObject([
    { url, event_types: ['labtest.order.created'] },
  ])
  expect(await reset({})).toMatchObject({ removed_endpoints: [url] })
  expect(await petri.webhooks.endpoints.list()).toEqual([])
})
