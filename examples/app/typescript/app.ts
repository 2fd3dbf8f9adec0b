// A small program that orders lab tests: the tests beside it run it against Petri.
import type { WebhookEvent } from 'petri-sandbox'
import { Webhook } from 'svix'

export interface Service {
  readonly apiKey: string
  readonly webhookSecret: string
  fetch(path: string, init?: RequestInit): Promise<Response>
}

export interface ShownOrder {
  status: string
  interpretation: string | null
  results: Record<string, number | null>
}

type OrderEvent = Extract<WebhookEvent, { event_type: `labtest.order.${'created' | 'updated'}` }>

const ATTEMPTS = 3

export function createApp(service: Service) {
  const handled = new Set<string>()
  const orders = new Map<string, ShownOrder & { events: number }>()
  const alarms: string[] = []
  const weights: (number | null)[] = []

  async function call<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    for (let attempt = 1; ; attempt++) {
      const response = await service.fetch(path, {
        method,
        headers: { 'content-type': 'application/json', 'x-vital-api-key': service.apiKey },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      if (response.ok) return (await response.json()) as Body
      const isTemporary = response.status === 429 || response.status >= 500
      if (!isTemporary || attempt === ATTEMPTS) throw new Error(`${response.status} ${await response.text()}`)
    }
  }

  async function readResults(id: string): Promise<ShownOrder['results']> {
    const { results } = await call<{ results: readonly { slug: string; value: number | null }[] }>(
      'GET',
      `/v3/order/${id}/result`,
    )
    return Object.fromEntries(results.map(({ slug, value }) => [slug, value]))
  }

  async function update({ data: order }: OrderEvent): Promise<void> {
    const known = orders.get(order.id)
    // Webhooks may arrive in another order: the one with more events is the newer one.
    if (known && known.events > order.events.length) return
    const { interpretation } = order
    const status = order.last_event.status.split('.').at(-1) ?? ''
    const hasResults = status === 'completed' || status === 'partial_results'
    const results = hasResults ? await readResults(order.id) : {}
    if (interpretation === 'critical' && known?.interpretation !== 'critical') alarms.push(order.id)
    orders.set(order.id, { status, interpretation, results, events: order.events.length })
  }

  return {
    alarms,
    weights,
    async order(userId: string, labTestId: string, patient: object, address: object): Promise<string> {
      const body = {
        user_id: userId,
        lab_test_id: labTestId,
        patient_details: patient,
        patient_address: address,
      }
      const { order } = await call<{ order: { id: string } }>('POST', '/v3/order', body)
      return order.id
    },
    cancel: (id: string) => call('POST', `/v3/order/${id}/cancel`),
    show(id: string): ShownOrder | undefined {
      const { events: _, ...shown } = orders.get(id) ?? { events: 0 }
      return 'status' in shown ? shown : undefined
    },
    async receive(request: Request): Promise<Response> {
      const headers = Object.fromEntries(request.headers)
      let event: WebhookEvent
      try {
        event = new Webhook(service.webhookSecret).verify(await request.text(), headers) as WebhookEvent
      } catch {
        return new Response('not genuine', { status: 401 })
      }
      const id = headers['svix-id'] ?? ''
      if (handled.has(id)) return new Response(null, { status: 204 })
      if (event.event_type === 'labtest.order.created' || event.event_type === 'labtest.order.updated')
        await update(event)
      if (event.event_type === 'daily.data.body.created') weights.push(event.data.weight)
      handled.add(id)
      return new Response(null, { status: 204 })
    },
  }
}
