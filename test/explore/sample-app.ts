import { Hono } from 'hono'
import { Webhook } from 'svix'
import { field } from '../support/field.ts'

/** Mistakes that integrations make; each can be planted into the sample app. */
export const bugs = {
  last_webhook_wins: 'takes the status of whichever webhook comes last',
  dedupe_by_type: 'ignores a second webhook of the same type for an order',
  dedupe_by_status: 'ignores a status that the order had before',
  closed_schema: 'refuses webhooks with fields or statuses that it does not know',
  crash_on_blocked: 'has no case for a sample that the laboratory cannot process',
  result_before_final: 'keeps the first result that it reads',
  correction_ignored: 'ignores what comes after completed',
  cancelled_revived: 'forgets the events of a cancelled order, so that a late webhook brings it back',
  final_forever: 'never leaves cancelled, although a walk-in order can',
  reserialised_signature: 'verifies the signature of the JSON that it has parsed and written again',
  retry_without_key: 'places an order again after a lost answer, without an idempotency key',
  first_page_only: 'reads the first page of the orders',
  one_order_per_user: 'keeps one order for each user',
  local_time: 'takes UTC for local time',
  disconnected_kept: 'keeps a provider whose connection has ended',
  order_by_second: 'orders webhooks by seconds, so that of two in one second the first stays',
  counts_deliveries: 'counts deliveries instead of events',
  gives_up_on_error: 'accepts a webhook although reading the result failed',
  crash_on_critical: 'has no case for a critical result',
  crash_on_unmatched: 'expects an order in every webhook of a laboratory',
  users_by_prefix: 'takes users for one whose client user ids begin alike',
  only_kits: 'knows the statuses of kits only',
  requisition_unknown: 'passes over the requisition',
  shipping_unknown: 'passes over the way of a kit to the customer',
  arrival_unknown: 'passes over the arrival of a kit',
  laboratory_unknown: 'passes over the arrival of a sample',
  appointment_unknown: 'passes over the appointment',
  completed_early: 'shows an order as completed once its sample has arrived',
} as const
export type Bug = keyof typeof bugs

/** Mistakes in the middle of the happy path that nobody sees at its end: the statuses that the app passes over. */
const passedOver: Partial<Record<Bug, readonly string[]>> = {
  requisition_unknown: ['requisition_created'],
  shipping_unknown: ['transit_customer', 'out_for_delivery'],
  arrival_unknown: ['with_customer'],
  laboratory_unknown: ['delivered_to_lab'],
  appointment_unknown: ['appointment_pending', 'appointment_scheduled'],
  completed_early: [],
}
export const healingBugs = Object.keys(passedOver) as readonly Bug[]
export const bugNames = Object.keys(bugs) as readonly Bug[]

/** How the app calls the service. */
type Call = (path: string, init?: RequestInit) => Promise<Response>

interface StoredOrder {
  readonly id: string
  readonly user: string
  status: string
  eventId: number
  at: string
  result: string | null
  notifications: number
}

interface OrderEvent {
  readonly id: number
  readonly status: string
  readonly created_at: string
}

/** An integration with a store, which keeps what its webhooks and calls tell it. */
export function createSampleApp(call: Call, secret: string, bug?: Bug) {
  const has = (name: Bug) => bug === name
  const orders = new Map<string, StoredOrder>()
  const seen = new Set<string>()
  const providers = new Map<string, readonly string[]>()
  let placed = 0

  /** JSON of the service; throws for an error, so that the webhook is refused and comes again. */
  const read = async (path: string, init?: RequestInit) => {
    const response = await call(path, init)
    // biome-ignore lint/suspicious/noExplicitAny: the app reads what it needs.
    const body = (await response.json()) as any
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    return body
  }

  const keyOf = (order: { id: string; user_id: string }) =>
    has('one_order_per_user') ? order.user_id : order.id
  const userOf = (clientUserId: string) => (has('users_by_prefix') ? clientUserId.slice(0, 4) : clientUserId)

  const isNewer = (event: OrderEvent, known: StoredOrder | undefined) => {
    if (!known || has('last_webhook_wins')) return true
    if (has('final_forever') && known.status.startsWith('cancelled')) return false
    if (has('correction_ignored') && known.status.startsWith('completed')) return false
    return has('order_by_second') ? event.created_at > known.at : event.id > known.eventId
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const onOrder = async ({ data, client_user_id }: any) => {
    const event: OrderEvent = data.last_event
    const low = event.status.split('.').at(-1) ?? ''
    const isUnknown = Object.keys(event).length > 4 || !event.status.includes('.')
    if (has('closed_schema') && isUnknown) throw new Error(`unknown fields in ${JSON.stringify(event)}`)
    if (has('crash_on_blocked') && low === 'lab_processing_blocked') throw new Error(`no case for ${low}`)
    if (has('only_kits') && !event.status.includes('.testkit.'))
      throw new Error(`no case for ${event.status}`)
    const key = keyOf(data)
    const known = orders.get(key)
    if (known && has('counts_deliveries')) known.notifications++
    if (!isNewer(event, known) || (bug && passedOver[bug]?.includes(low))) return
    if (has('dedupe_by_status') && known && seen.has(`${key}/${low}`)) return
    seen.add(`${key}/${low}`)
    const order: StoredOrder = known ?? {
      id: data.id,
      user: userOf(client_user_id),
      status: '',
      eventId: 0,
      at: '',
      result: null,
      notifications: 1,
    }
    const isReported = ['completed', 'corrected', 'partial_results'].includes(low)
    const keepsFirst = has('result_before_final') && order.result !== null
    if (isReported && !keepsFirst) order.result = await resultOf(data.id)
    if (known && !has('counts_deliveries')) known.notifications++
    const forgets = has('cancelled_revived') && low === 'cancelled'
    Object.assign(order, {
      status:
        has('completed_early') && low === 'delivered_to_lab' ? 'completed.testkit.completed' : event.status,
      eventId: forgets ? 0 : event.id,
      at: event.created_at,
    })
    orders.set(key, order)
  }

  const resultOf = async (id: string): Promise<string> => {
    const reading = read(`/v3/order/${id}/result`)
    const body = await (has('gives_up_on_error')
      ? reading.catch(() => ({ metadata: {}, results: null }))
      : reading)
    return JSON.stringify([body.metadata.interpretation, body.results])
  }

  const app = new Hono()
  app.onError((error, c) => c.text(error.message, 500))
  app.post('/webhooks', async (c) => {
    const raw = await c.req.text()
    const signed = has('reserialised_signature') ? JSON.stringify(JSON.parse(raw)) : raw
    try {
      new Webhook(secret).verify(signed, c.req.header())
    } catch {
      return c.text('bad signature', 401)
    }
    const event = JSON.parse(raw)
    const id = has('dedupe_by_type') ? `${event.data.id}/${event.event_type}` : c.req.header('svix-id')
    if (id && seen.has(id) && !has('counts_deliveries')) return c.body(null, 204)
    if (event.event_type.startsWith('labtest.order.')) await onOrder(event)
    if (event.event_type === 'labtest.result.critical' && has('crash_on_critical'))
      throw new Error('no case for critical')
    if (event.event_type.startsWith('labtest.match_review.') && has('crash_on_unmatched')) {
      if (!event.data.order) throw new Error('no order in the webhook')
    }
    const isEnd = event.event_type === 'provider.connection.error'
    if (event.event_type.startsWith('provider.connection.') && !(isEnd && has('disconnected_kept'))) {
      const { providers: all } = await read(`/v2/user/providers/${event.user_id}`)
      const connected = all.filter(({ status }: { status: string }) => status === 'connected')
      providers.set(event.user_id, connected.map(field('slug')))
    }
    if (id) seen.add(id)
    return c.body(null, 204)
  })
  app.get('/orders/:id', (c) => {
    const order = [...orders.values()].find(({ id }) => id === c.req.param('id'))
    if (!order) return c.notFound()
    return c.json(order)
  })

  return {
    app,
    /** Places an order; a lost answer is asked for again. */
    async place(user_id: string, lab_test_id: string, registrable: boolean): Promise<string | undefined> {
      const key = `order-${++placed}`
      const [path, recipient] = registrable
        ? [
            '/v3/order/testkit',
            {
              shipping_details: {
                receiver_name: 'Ada Example',
                phone_number: patient.phone_number,
                ...address,
              },
            },
          ]
        : ['/v3/order', { patient_details: patient, patient_address: address }]
      const body = JSON.stringify({ user_id, lab_test_id, ...recipient })
      const headers = {
        'content-type': 'application/json',
        ...(!has('retry_without_key') && { 'x-idempotency-key': key }),
      }
      for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        const answer = await read(path, { method: 'POST', headers, body }).catch(() => undefined)
        if (answer) return answer.order.id
      }
      placed--
      return undefined
    },
    get placed() {
      return placed
    },
    order: (id: string) => [...orders.values()].find((order) => order.id === id),
    day: (order: StoredOrder) =>
      new Date(Date.parse(order.at) - (has('local_time') ? PHOENIX_MS : 0)).toISOString().slice(0, 10),
    ordersOf: (clientUserId: string) =>
      [...orders.values()].filter(({ user }) => user === userOf(clientUserId)).map(field('id')),
    providersOf: (userId: string) => providers.get(userId) ?? [],
    /** Counts the orders of the team, page after page. */
    async countOrders(): Promise<number> {
      let count = 0
      for (let page = 1; ; page++) {
        const list = await read(`/v3/orders?page=${page}&size=2`)
        count += list.orders.length
        if (has('first_page_only') || page * 2 >= list.total) return count
      }
    },
  }
}

const ATTEMPTS = 6
const PHOENIX_MS = 7 * 3_600_000

const patient = {
  first_name: 'Ada',
  last_name: 'Example',
  dob: '1990-01-01',
  gender: 'female',
  phone_number: '+16025550123',
  email: 'ada@example.com',
}
const address = {
  first_line: '1 Test Street',
  city: 'Phoenix',
  state: 'AZ',
  zip: '85004',
  country: 'US',
}
