import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll } from 'vitest'
import { listening } from '../support/listening.ts'
import { shipping as madeUpAddress, patient as madeUpPatient } from '../support/orders.ts'
import { type Stage, setStage } from './browser.ts'

export interface Receiver {
  readonly url: string
  /** Status it answers from now on. */
  answer(status: number): void
  /** Keeps its answers back until the function it answers is called. */
  hold(): () => void
  close(): void
}

export async function startReceiver(): Promise<Receiver> {
  let status = 204
  let held: Promise<void> = Promise.resolve()
  const server: Server = createServer((incoming, outgoing) => {
    incoming.resume()
    void held.then(() => outgoing.writeHead(status).end())
  })
  const url = await listening(server)
  return {
    url: `${url}/hook`,
    answer(next) {
      status = next
    },
    hold() {
      let release: () => void = () => undefined
      held = new Promise((resolve) => {
        release = resolve
      })
      return () => release()
    },
    close: () => server.close(),
  }
}

const { phone_number: _, ...address } = madeUpAddress

/** No two users may have the same name. */
const placed = { count: 0 }

/** A user, and an order of a kit for them that follows a scenario. */
export async function placeKit(
  stage: Stage,
  scenario: string,
  { name = 'Ada Lovelace', isNamed = true, user }: { name?: string; isNamed?: boolean; user?: string } = {},
): Promise<string> {
  const made = await stage.call('POST', '/v2/user', { client_user_id: user ?? `${name} ${++placed.count}` })
  const tests = await stage.call('GET', '/v3/lab_tests?collection_method=testkit')
  const [first_name = '', ...rest] = name.split(' ')
  const patient_details = { ...madeUpPatient, first_name, last_name: rest.join(' ') || 'Example' }
  const base = { user_id: made.body.user_id, lab_test_id: tests.body.at(-1).id }
  const body = isNamed
    ? { ...base, patient_details, patient_address: address }
    : { ...base, shipping_details: { ...madeUpAddress, receiver_name: name } }
  const answer = await stage.call('POST', isNamed ? '/v3/order' : '/v3/order/testkit', body, {
    'x-petri-scenario': scenario,
  })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body.order.id
}

/** A world in which something of everything has happened. */
export async function fillWorld(
  stage: Stage,
  receiver: Receiver,
): Promise<{ orderId: string; userId: string }> {
  await stage.call('POST', '/_petri/webhooks/endpoints', { url: receiver.url, description: 'clinic-api' })
  const people = [
    'Alan Turing',
    'Katherine Johnson',
    'Emmy Noether',
    'Chien-Shiung Wu',
    'Rosalind Franklin',
    'Mary Seacole',
  ]
  const scenarios = [
    'problem-in-transit-customer',
    'lost-on-the-way-out',
    'critical-result',
    'happy-path',
    'corrected-result',
    'sample-hemolyzed',
  ]
  const ids: string[] = []
  for (const [at, scenario] of scenarios.entries()) {
    ids.push(await placeKit(stage, scenario, { name: people[at] ?? '', isNamed: at % 3 !== 1 }))
  }
  const user = await stage.call('POST', '/v2/user', { client_user_id: 'night-owl' })
  const userId: string = user.body.user_id
  await stage.call('POST', '/v2/link/connect/demo', { user_id: userId, provider: 'oura' })
  await stage.call('POST', '/_petri/clock/advance', { by: '4d' })
  receiver.answer(500)
  await stage.call('POST', '/_petri/clock/advance', { by: '4d' })
  receiver.answer(204)
  await stage.call('GET', '/v2/user/nobody')
  await stage.call('POST', '/v2/user', { client_user_id: 'ada', nickname: 'a' })
  await stage.call('PUT', '/_petri/snapshots/before')
  return { orderId: ids[0] ?? '', userId }
}

/** A view as part of a picture's file name. */
export const nameOf = (place: string): string => place.replace(/[/?=]/g, '-').slice(0, 18)

/** Every view, and of those about one thing one. */
export const everyPlace = ({ orderId, userId }: { orderId: string; userId: string }): string[] => [
  ...views,
  `orders/${orderId}`,
  `users/${userId}`,
]

/** A Petri with a filled world, for all tests of a suite, and every view of it. */
export function filledStage(): { readonly stage: Stage; readonly places: readonly string[] } {
  const filled = {} as { stage: Stage; places: string[] }
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
    filled.stage = await setStage()
    filled.places = everyPlace(await fillWorld(filled.stage, receiver))
  }, 240_000)
  afterAll(async () => {
    await filled.stage.close()
    receiver.close()
  })
  return filled
}

const views = [
  'orders',
  'users',
  'webhooks',
  'webhooks?tab=endpoints',
  'requests',
  'scenarios',
  'faults',
  'coverage',
  'snapshots',
  'api',
  'settings',
] as const
