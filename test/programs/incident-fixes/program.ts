import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

interface OrderEvent {
  readonly id: number
  readonly status: string
}

/** What a webhook says of an order. */
interface Update {
  readonly data: {
    readonly id: string
    readonly interpretation: string | null
    readonly events: readonly OrderEvent[]
    readonly last_event: OrderEvent
  }
}

/** What a program shows of an order. */
interface Shown {
  status?: string
  interpretation?: string | null
  notifications: number
  newest: number
}

/** Changes what is shown by a webhook; throws where the program has no case for it. */
type Handler = (shown: Shown, update: Update, isRepeated: boolean) => void

const take: Handler = (shown, { data: { last_event, interpretation } }) => {
  shown.status = last_event.status
  shown.interpretation = interpretation
  shown.notifications++
}

/** Takes each message once, and keeps what is newest by the ids of events. */
const right: Handler = (shown, update, isRepeated) => {
  if (isRepeated) return
  const { id } = update.data.last_event
  if (id > shown.newest) take(shown, update, false)
  else shown.notifications++
  shown.newest = Math.max(id, shown.newest)
}

const isStatus = (update: Update, status: string): boolean => update.data.last_event.status.endsWith(status)

/** Takes all but what a condition leaves out. */
const unless =
  (isLeftOut: (shown: Shown, update: Update) => boolean): Handler =>
  (shown, update, isRepeated) => {
    if (!isLeftOut(shown, update)) right(shown, update, isRepeated)
  }

/** Has no case for a status. */
const withoutCase =
  (status: string): Handler =>
  (shown, update, isRepeated) => {
    if (isStatus(update, status)) throw new Error(`no case for ${status}`)
    right(shown, update, isRepeated)
  }

const kit = (low: string) => `collecting_sample.testkit.${low}`
const walkIn = (low: string) => `completed.walk_in_test.${low}`
const ordered = ['received.walk_in_test.ordered', 'received.walk_in_test.requisition_created']
const shipped = ['received.testkit.ordered', 'received.testkit.requisition_created', kit('transit_customer')]

interface Incident {
  /** The statuses of the order, a day apart. */
  readonly statuses: readonly string[]
  /** By webhook, from 0: the hours by which it came late. */
  readonly late?: Readonly<Record<number, number>>
  /** The webhook, from 0, that came a second time an hour later. */
  readonly twice?: number
  /** By status, from 0: interpretations of reports. */
  readonly interpretations?: Readonly<Record<number, string>>
  /** What the test compares. */
  readonly compared: 'status' | 'interpretation' | 'notifications'
  readonly unfixed: Handler
  readonly wrong: Handler
}

/** Incidents, each with the program as it was, and with a fix that does not help. */
export const incidents: Readonly<Record<string, Incident>> = {
  'came-twice': {
    statuses: [...ordered, walkIn('completed')],
    twice: 2,
    compared: 'notifications',
    unfixed: take,
    wrong: unless((shown) => shown.notifications > 0),
  },
  'came-late': {
    statuses: [...ordered, walkIn('completed'), walkIn('corrected')],
    late: { 2: 30 },
    compared: 'status',
    unfixed: take,
    wrong: (shown, update) => {
      if (!isStatus(update, 'ordered')) take(shown, update, false)
    },
  },
  'correction-ignored': {
    statuses: [...ordered, walkIn('completed'), walkIn('corrected')],
    interpretations: { 2: 'abnormal', 3: 'normal' },
    compared: 'interpretation',
    unfixed: unless(({ status }) => status?.endsWith('.completed') === true),
    wrong: (shown, update, isRepeated) => {
      const { interpretation } = shown
      right(shown, update, isRepeated)
      if (isStatus(update, 'corrected') && interpretation) shown.interpretation = interpretation
    },
  },
  'partial-kept': {
    statuses: [
      ...ordered,
      walkIn('partial_results').replace('completed.', 'sample_with_lab.'),
      walkIn('completed'),
    ],
    compared: 'status',
    unfixed: unless(({ status }) => status?.endsWith('partial_results') === true),
    wrong: unless((_, update) => isStatus(update, 'walk_in_test.completed')),
  },
  'kit-lost': {
    statuses: [...shipped, 'failed.testkit.lost'],
    compared: 'status',
    unfixed: withoutCase('lost'),
    wrong: unless((_, update) => isStatus(update, 'lost')),
  },
  'sample-refused': {
    statuses: [
      ...shipped,
      kit('with_customer'),
      kit('transit_lab'),
      'sample_with_lab.testkit.delivered_to_lab',
      'failed.testkit.sample_error',
    ],
    compared: 'status',
    unfixed: unless(({ status }) => status?.endsWith('delivered_to_lab') === true),
    wrong: withoutCase('sample_error'),
  },
  'cancelled-revived': {
    statuses: [...ordered, 'cancelled.walk_in_test.cancelled'],
    late: { 1: 30 },
    compared: 'status',
    unfixed: take,
    wrong: (shown, update, isRepeated) => {
      if (shown.status?.startsWith('cancelled')) shown.newest = 0
      right(shown, update, isRepeated)
    },
  },
  'trouble-on-the-way': {
    statuses: [...shipped, kit('problem_in_transit_customer'), kit('with_customer')],
    late: { 3: 30 },
    compared: 'status',
    unfixed: take,
    wrong: unless((_, update) => isStatus(update, 'with_customer')),
  },
}

export const fixes = ['unfixed', 'right', 'wrong'] as const

/** Programs with a store that outlives the tests: /RUNNER:INCIDENT/FIX/webhooks and /RUNNER:INCIDENT/FIX/check. */
export async function startPrograms() {
  const seen = new Set<string>()
  const orders = new Map<string, Shown>()
  const app = new Hono()
  app.onError((_, context) => context.body(null, 500))
  app.post('/:incident/:fix/:what', async (context) => {
    const { incident: name, fix, what } = context.req.param()
    const incident = incidents[name.replace(/^[a-z]+:/, '')]
    if (!incident) return context.notFound()
    const body = await context.req.json()
    const program = `${name}/${fix}`
    const key = `${program}/${(body.data ?? body).id}`
    if (what === 'check') {
      // Before, a program whose webhook is late cannot know what the order shows.
      if (body.events.length < incident.statuses.length) return context.body(null, 200)
      const expected = {
        status: body.last_event.status,
        interpretation: body.interpretation,
        notifications: body.events.length,
      }[incident.compared]
      return context.body(null, orders.get(key)?.[incident.compared] === expected ? 200 : 409)
    }
    if (body.event_type !== 'labtest.order.updated' && body.event_type !== 'labtest.order.created')
      return context.body(null, 204)
    const message = `${program}/${context.req.header('svix-id')}`
    const shown = orders.get(key) ?? { notifications: 0, newest: 0 }
    const handle = fix === 'right' ? right : fix === 'wrong' ? incident.wrong : incident.unfixed
    handle(shown, body, seen.has(message))
    seen.add(message)
    orders.set(key, shown)
    return context.body(null, 204)
  })
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, close: () => server.close() }
}

const HOUR_MS = 3_600_000

/** The log of an incident: the webhooks with the times at which they came, as JSON lines. */
export function logOf({ statuses, late = {}, twice, interpretations = {} }: Incident): string {
  const events = statuses.map((status, id) => ({
    id: id + 1,
    status,
    status_detail: null,
    created_at: new Date(Date.UTC(2025, 2, 1 + id, 10)).toISOString(),
  }))
  const webhooks = events.map(({ created_at }, at) => ({
    received_at: Date.parse(created_at) + (late[at] ?? 0) * HOUR_MS,
    status: 200,
    headers: { 'svix-id': `msg_${at}` },
    body: {
      event_type: at === 0 ? 'labtest.order.created' : 'labtest.order.updated',
      data: {
        id: '11111111-1111-4111-8111-111111111111',
        details: { type: statuses[0]?.split('.')[1], data: {} },
        interpretation: interpretations[at] ?? null,
        events: events.slice(0, at + 1),
      },
    },
  }))
  const again = webhooks
    .filter((_, at) => at === twice)
    .map((webhook) => ({ ...webhook, received_at: webhook.received_at + HOUR_MS }))
  return [...webhooks, ...again]
    .sort((a, b) => a.received_at - b.received_at)
    .map(({ received_at, ...webhook }) =>
      JSON.stringify({ received_at: new Date(received_at).toISOString(), ...webhook }),
    )
    .join('\n')
}
