import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type LocalPetri, matchers, parseWebhook, startPetri, type WebhookEvent } from '../../src/index.ts'
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
  await petri.orders.setResults(id, { values: { glucose: 91 } })
  const { last_event, interpretation } = await petri.orders.wait(id, 'completed', { advance: true })
  const shown = { status: last_event.status, interpretation, results: { glucose: 91 } }
  for (const status of ['completed', 'completed.testkit.completed'])
    await expect(petri).toAgree(id, { ...shown, status })
  const { pass, message } = await matchers.toAgree(petri, id, {
    ...shown,
    status: 'lost',
    results: { glucose: 92 },
  })
  expect([pass, message()]).toEqual([
    false,
    'The program shows the order differently:\n  status: lost; expected completed.testkit.completed\n  glucose: 92; expected 91',
  ])
  expect((await matchers.toAgree(petri, id, undefined)).pass).toBe(false)
  expect(await petri.requests.list({ operation: 'GET /v3/order/{order_id}/result' })).toEqual([])
})

it('has a patient and an address in the spelling of the wire and in that of the official client', async () => {
  const { fixtures } = petri
  expect(fixtures.address({ zip: '00112' })).toMatchObject({ first_line: '1 N Central Ave', zip: '00112' })
  expect(fixtures.camelCase.patient({ lastName: 'Byron' })).toMatchObject({
    firstName: 'Ada',
    lastName: 'Byron',
  })
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
