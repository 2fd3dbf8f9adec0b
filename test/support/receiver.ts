import type { Transport, TransportReply, TransportRequest } from '../../src/webhooks/transport.ts'
import type { World } from '../../src/world/world.ts'
import { startTestPetri, type TestPetri } from './petri.ts'

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

export type FakeReceiver = ReturnType<typeof fakeReceiver>

/** A Petri whose first world has an endpoint, and a receiver that takes all that is sent there unless told otherwise. */
export async function startHeardPetri(respond: Respond = () => 200) {
  let petri: TestPetri | undefined
  const receiver = fakeReceiver(respond, () => (petri as TestPetri).world())
  petri = await startTestPetri({
    transport: receiver.transport,
    world: { webhookUrl: 'http://receiver.test/hook' },
  })
  return { petri, receiver }
}
