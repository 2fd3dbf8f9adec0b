import type { Receiver } from '../../client/kit.ts'
import { filterFields } from '../../kernel/fields.ts'
import { isSuccess } from '../../kernel/http-call.ts'
import type { Outage } from '../../scenarios/finding.ts'
import { describeFailure, failureText, isInContainer } from '../../webhooks/outgoing.ts'
import { TIMEOUT_MS } from '../../webhooks/retry-schedule.ts'
import { createTransport, type Transport } from '../../webhooks/transport.ts'

/** A delivery that reached the program under test, or its outage. */
export interface ReceivedDelivery {
  readonly id: string
  /** The answer of the program; null without one. */
  readonly status: number | null
  /** Why there was no answer, or the body of a refusal. */
  readonly detail: string
  /** Whether an outage of the history kept it from the program, or its answer from Petri. */
  readonly outage: Outage | undefined
  /** The bytes that were sent. */
  readonly body: string
}

/** Stands between Petri and the receiver of the program under test. */
export interface HistoryReceiver {
  readonly receive: Receiver
  readonly deliveries: readonly ReceivedDelivery[]
  /** Sets the receiver behind it. */
  connect(target: string | Receiver): void
  setOutage(outage: Outage | undefined): void
  /** Forgets the deliveries and the receiver. */
  reset(): void
  close(): Promise<void>
}

interface Answer {
  readonly status: number
  readonly body: string
}

export function createHistoryReceiver(): HistoryReceiver {
  const transport = createTransport()
  let deliveries: ReceivedDelivery[] = []
  let target: string | Receiver | undefined
  let outage: Outage | undefined
  const receive = async (request: Request): Promise<Response> => {
    const headers = Object.fromEntries(request.headers)
    const body = await request.text()
    const delivery = { id: headers['svix-id'] ?? '', outage, body }
    const hit = outage
    if (hit === 'down' || hit === 'busy') {
      deliveries.push({ ...delivery, status: null, detail: '' })
      return hit === 'busy' ? new Response('busy', { status: 503 }) : new Response('down', { status: 502 })
    }
    const answer = await forward(transport, target, headers, body)
    if (typeof answer === 'string') {
      deliveries.push({ ...delivery, status: null, detail: answer })
      return new Response(answer, { status: 502 })
    }
    deliveries.push({
      ...delivery,
      status: answer.status,
      detail: isSuccess(answer.status) ? '' : answer.body,
    })
    if (hit === 'lost_reply') return new Response('lost', { status: 504 })
    return new Response(BODILESS.has(answer.status) ? null : answer.body, { status: answer.status })
  }
  return {
    receive,
    get deliveries() {
      return deliveries
    },
    connect(next) {
      target = next
    },
    setOutage(next) {
      outage = next
    },
    reset() {
      deliveries = []
      target = undefined
      outage = undefined
    },
    close: async () => transport.close?.(),
  }
}

const BODILESS = new Set([204, 205, 304])

/** The answer of the program, or why there was none. */
async function forward(
  transport: Transport,
  target: string | Receiver | undefined,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<Answer | string> {
  if (target === undefined) return { status: 204, body: '' }
  if (typeof target === 'string') return post(transport, target, headers, body)
  try {
    const response = await target(
      new Request('http://receiver.petri.localhost/', { method: 'POST', headers, body }),
    )
    return response ? { status: response.status, body: await response.text() } : { status: 204, body: '' }
  } catch (error) {
    return `It threw: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Headers of the connection between Petri and this receiver. */
const HOP_HEADERS = ['host', 'connection', 'content-length', 'transfer-encoding']

async function post(
  transport: Transport,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<Answer | string> {
  const passed = filterFields(headers, (name) => !HOP_HEADERS.includes(name))
  try {
    return await transport({ url, headers: passed, body, timeoutMs: TIMEOUT_MS })
  } catch (error) {
    return failureText(describeFailure(error, { url, timeoutMs: TIMEOUT_MS, inContainer: isInContainer() }))
  }
}
