import { wallClock } from '../kernel/clock.ts'
import { startTimer } from '../kernel/pause.ts'
import { reasonOf } from '../kernel/reason.ts'
import { sign } from '../webhooks/signature.ts'
import type { Client } from './client.ts'
import { CliError } from './config.ts'

/** A forwarded event, and the answer. */
export interface Forwarded {
  readonly id: string
  readonly event_type: string
  readonly status: number | null
  readonly ms: number
  /** Why there is no answer. */
  readonly error?: string
}

/** The timeout of a delivery in milliseconds, as in the service. */
const TIMEOUT_MS = 15_000

interface Forwarding {
  /** The id of the event. */
  readonly id: string
  readonly secret: string
  readonly to: string
}

/** Forwards an event with a fresh signature. There is no retry. */
export async function forwardEvent(petri: Client, { id, secret, to }: Forwarding): Promise<Forwarded> {
  const event = await readEvent(petri, id)
  if (!event) return { id, event_type: '', status: null, ms: 0, error: 'Petri no longer has this event' }
  const body = JSON.stringify(event.payload)
  const startedAt = wallClock()
  const timestamp = Math.floor(startedAt / 1000)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Petri-listen',
    'svix-id': id,
    'svix-timestamp': String(timestamp),
    'svix-signature': sign(secret, id, timestamp, body),
  }
  const outcome = await post(to, headers, body)
  return { id, event_type: event.event_type, ms: wallClock() - startedAt, ...outcome }
}

async function readEvent(petri: Client, id: string) {
  try {
    return await petri.get<{ event_type: string; payload: object }>(
      `/_petri/events/${encodeURIComponent(id)}`,
    )
  } catch (error) {
    if (error instanceof CliError && (error.answer as { status?: number }).status === 404) return undefined
    throw error
  }
}

async function post(to: string, headers: Readonly<Record<string, string>>, body: string) {
  const giving = new AbortController()
  const cancel = startTimer(TIMEOUT_MS, () => giving.abort())
  try {
    const response = await fetch(to, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: giving.signal,
    })
    await response.body?.cancel()
    return { status: response.status }
  } catch (error) {
    const reason = giving.signal.aborted ? `No reply within ${TIMEOUT_MS / 1000} s` : reasonOf(error)
    return { status: null, error: reason }
  } finally {
    cancel()
  }
}
