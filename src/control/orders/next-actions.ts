import * as z from 'zod'
import { anyObject, schema } from '../../api/schema.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { compact } from '../../kernel/list.ts'
import { plural, shortInstant } from '../../kernel/readable.ts'
import { happyPaths, type LowStatus } from '../../resources/orders/lifecycle.ts'
import { movesByHand } from '../../resources/orders/service.ts'
import { type OrderRow, statusHistoryOf, workflowOf } from '../../resources/orders/table.ts'
import { type Endpoint, endpoints, type Message } from '../../webhooks/table.ts'
import type { World } from '../../world/world.ts'
import type { describeOrderScenario } from '../scenarios.ts'

const actionKinds = ['register', 'book', 'enable_endpoint', 'retry', 'resend', 'advance', 'move'] as const

export const OrderAction = schema('PetriOrderAction', () => ({
  kind: z.enum(actionKinds),
  /** What a button says, such as `Advance to 13 Dec 09:00`. */
  label: z.string(),
  /** The call that does it. */
  method: z.string(),
  path: z.string(),
  body: anyObject().nullable(),
  /** The command that does it. */
  command: z.string(),
}))

/** The progress of an order in its scenario. */
type ScenarioProgress = ReturnType<typeof describeOrderScenario>

/** An order with what affects how it continues. */
export interface Situation {
  readonly world: World
  readonly order: OrderRow
  readonly progress: ScenarioProgress
  readonly messages: readonly Message[]
}

/** Next actions for an order: those of its customer, then failed webhooks, then the clock, then a manual move. */
export const nextActions = (situation: Situation): NextAction[] => [
  ...customerActions(situation),
  ...webhookActions(situation),
  ...clockActions(situation),
  ...moveActions(situation),
]

export type NextAction = ReturnType<typeof action>

function action(
  kind: (typeof actionKinds)[number],
  label: string,
  call: readonly [method: string, path: string, body?: JsonObject],
  command: string,
) {
  const [method, path, body = null] = call
  return { kind, label, method, path, body, command: `npx petri-sandbox ${command}` }
}

function customerActions({ order: { id }, progress }: Situation): NextAction[] {
  const path = `/_petri/orders/${id}`
  if (progress.waits_for === 'registration')
    return [action('register', 'Register the kit', ['POST', `${path}/register`], `order register ${id}`)]
  if (progress.waits_for === 'appointment')
    return [action('book', 'Book the visit', ['POST', `${path}/book`], `order book ${id}`)]
  return []
}

/** Messages that were refused or given up. */
export const failing = (messages: readonly Message[]) =>
  messages.filter(
    ({ status, attempts }) => status === 'failed' || (status === 'pending' && attempts.length > 0),
  )

export const countOf = (messages: readonly Message[]) => plural(messages.length, 'webhook')

function webhookActions({ world, order: { id }, messages }: Situation): NextAction[] {
  const open = failing(messages)
  const disabled = endpointsOf(world, open).filter((endpoint) => endpoint.disabled)
  const enabling = disabled.map(({ id: endpointId }) =>
    action(
      'enable_endpoint',
      'Enable the endpoint',
      ['PATCH', `/_petri/webhooks/endpoints/${endpointId}`, { disabled: false }],
      `webhook enable ${endpointId}`,
    ),
  )
  const isSendable = ({ endpoint_id }: Message) => world.db.find(endpoints, endpoint_id)?.disabled === false
  const resendable = open.filter((message) => message.status === 'pending' || isSendable(message))
  return compact([
    ...enabling,
    resendable.length !== 0 &&
      action(
        'resend',
        `Resend ${countOf(resendable)}`,
        ['POST', '/_petri/webhooks/resend', { order_id: id }],
        `webhook resend --order ${id}`,
      ),
  ])
}

function endpointsOf(world: World, messages: readonly Message[]): Endpoint[] {
  const ids = new Set(messages.map(({ endpoint_id }) => endpoint_id))
  return compact([...ids].map((id) => world.db.find(endpoints, id)))
}

function clockActions({ progress: { next_due, left_because } }: Situation): NextAction[] {
  if (next_due === null || left_because !== null) return []
  return [
    action(
      'advance',
      `Advance to ${shortInstant(next_due)}`,
      ['POST', '/_petri/clock/advance', { to: next_due }],
      `clock advance --to ${next_due}`,
    ),
  ]
}

/** The next status of the happy path, for an order that no scenario moves. */
function moveActions({ world, order, progress }: Situation): NextAction[] {
  const { next_due, waits_for, left_because } = progress
  const isMoved = left_because === null && (next_due !== null || waits_for !== null)
  const next = isMoved ? undefined : nextByHand(world, order)
  if (next === undefined) return []
  return [
    action(
      'move',
      `Move to ${inWords(next)}`,
      ['POST', `/_petri/orders/${order.id}/move`, { status: next }],
      `order move ${order.id} ${next}`,
    ),
  ]
}

function nextByHand(world: World, order: OrderRow): LowStatus | undefined {
  const path = happyPaths.get(workflowOf(order))
  const been = new Set(statusHistoryOf(order))
  const legal = movesByHand(world, order)
  return path.find((status) => !been.has(status) && legal.includes(status))
}

export const inWords = (status: string) => (status.split('.').at(-1) ?? status).replaceAll('_', ' ')
