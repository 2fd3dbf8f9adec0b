import type { Transport, TransportReply, TransportRequest } from '../../src/webhooks/transport.ts'
import type { World } from '../../src/world/world.ts'
import { startTestPetri, type TestPetri } from './petri.ts'

/** A delivery as received; `at` is by the world's clock. */
export interface Received extends TransportRequest {
  readonly at: number
}

export const HOOK = 'http://receiver.test/hook'

export type Respond = (
  request: TransportRequest,
  nth: number,
) => number | Partial<TransportReply> | Promise<number | Partial<TransportReply>>

/** Receivers in place of the network: every URL responds what `respond` returns. */
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

/** A Petri whose first world has an endpoint, and its receiver, which accepts everything unless `respond` says otherwise. */
export async function startHeardPetri(
  respond: Respond = () => 200,
  options: Parameters<typeof startTestPetri>[0] = {},
) {
  let petri: TestPetri | undefined
  const receiver = fakeReceiver(respond, () => (petri as TestPetri).world())
  petri = await startTestPetri({
    transport: receiver.transport,
    ...options,
    world: { webhookUrl: HOOK, ...options.world },
  })
  return { petri, receiver }
}
