import type { Transport, TransportReply, TransportRequest } from '../../src/webhooks/transport.ts'
import type { World } from '../../src/world/world.ts'

/** A delivery as a fake receiver saw it; `at` is the world's clock. */
export interface Received extends TransportRequest {
  readonly at: number
}

type Respond = (
  request: TransportRequest,
  nth: number,
) => number | Partial<TransportReply> | Promise<number | Partial<TransportReply>>

/** Receivers in the place of the network: every URL answers what `respond` says. */
export function fakeReceiver(respond: Respond, world: () => World) {
  const received: Received[] = []
  const transport: Transport = async (request) => {
    received.push({ ...request, at: world().clock.now() })
    const reply = await respond(request, received.length)
    const partial = typeof reply === 'number' ? { status: reply } : reply
    return { status: 200, headers: {}, body: '', ...partial }
  }
  return { received, transport }
}
