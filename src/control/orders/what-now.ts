import * as z from 'zod'
import { schema } from '../../api/schema.ts'
import { toIso } from '../../kernel/instant.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { compact } from '../../kernel/list.ts'
import {
  firstSentence,
  lowerFirst,
  plural,
  readableDuration,
  readableInstant,
  shortInstant,
} from '../../kernel/readable.ts'
import { happyPaths, type LowStatus } from '../../resources/orders/lifecycle.ts'
import { movesByHand } from '../../resources/orders/service.ts'
import { currentStatusOf, type OrderRow, statusHistoryOf, workflowOf } from '../../resources/orders/table.ts'
import { type Endpoint, endpoints, type Message } from '../../webhooks/table.ts'
import type { World } from '../../world/world.ts'
import { fullName } from '../user-list.ts'
import { type ScenarioProgress, whyUndelivered } from './explanation.ts'

const actionKinds = ['register', 'book', 'enable_endpoint', 'retry', 'resend', 'advance', 'move'] as const

const OrderAction = schema('PetriOrderAction', () =>
  z.object({
    kind: z.enum(actionKinds),
    /** What a button says, such as `Advance to 13 Dec 09:00`. */
    label: z.string(),
    /** The call that does it. */
    method: z.string(),
    path: z.string(),
    body: z.record(z.string(), z.unknown()).nullable(),
    /** The command that does it. */
    command: z.string(),
  }),
)

export const WhatNow = schema('PetriWhatNow', () =>
  z.object({
    /** The state of the order and what it waits for, in one sentence. */
    sentence: z.string(),
    /** What continues it, the most useful first; none if nothing is left to do. */
    actions: z.array(OrderAction()),
  }),
)

interface Situation {
  readonly world: World
  readonly order: OrderRow
  readonly progress: ScenarioProgress
  readonly messages: readonly Message[]
}

/** Next actions for an order: those of its customer, then failed webhooks, then the clock, then a manual move. */
export function describeWhatNow(situation: Situation) {
  const actions = [
    ...customerActions(situation),
    ...webhookActions(situation),
    ...clockActions(situation),
    ...moveActions(situation),
  ]
  return { sentence: sentenceOf(situation, actions[0]?.kind), actions }
}

type NextAction = ReturnType<typeof action>

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
const failing = (messages: readonly Message[]) =>
  messages.filter(
    ({ status, attempts }) => status === 'failed' || (status === 'pending' && attempts.length > 0),
  )

const countOf = (messages: readonly Message[]) => plural(messages.length, 'webhook')

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
  const waiting = open.filter(({ status }) => status === 'pending')
  const givenUp = open.filter((message) => message.status === 'failed' && isSendable(message))
  return compact([
    ...enabling,
    waiting.length !== 0 &&
      action(
        'retry',
        `Retry ${countOf(waiting)}`,
        ['POST', '/_petri/webhooks/retry', { order_id: id }],
        `webhook retry --order ${id}`,
      ),
    givenUp.length !== 0 &&
      action(
        'resend',
        `Resend ${countOf(givenUp)}`,
        ['POST', '/_petri/webhooks/recover', { since: toIso(0), order_id: id }],
        `webhook recover --order ${id}`,
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
  const path = happyPaths[workflowOf(order)]
  const been = new Set(statusHistoryOf(order))
  const legal = movesByHand(world, order)
  return path.find((status) => !been.has(status) && legal.includes(status))
}

const inWords = (status: string) => (status.split('.').at(-1) ?? status).replaceAll('_', ' ')

function sentenceOf(situation: Situation, kind: NextAction['kind'] | undefined): string {
  const { order, progress, messages } = situation
  switch (kind) {
    case 'register':
      return `${recipientOf(order)} has not registered the kit, and the scenario waits for it.`
    case 'book':
      return `${patientOf(order)} has not booked an appointment, and the scenario waits for it.`
    case 'enable_endpoint':
    case 'retry':
    case 'resend':
      return `${failing(messages).length} of ${countOf(messages)} not delivered: ${lowerFirst(firstSentence(whyUndelivered(messages) ?? 'the endpoint is disabled'))}.`
    case 'advance':
      return nextStep(situation)
    case 'move':
      if (progress.warning !== null) return progress.warning
      return progress.left_because === null
        ? 'No scenario moves the order; move it manually.'
        : `The order has left its scenario because ${progress.left_because}; move it manually.`
    default:
      return `The order is ${inWords(currentStatusOf(order))}, and nothing is left to do.`
  }
}

function nextStep({ world, progress: { next, next_due } }: Situation): string {
  const waitMs = Date.parse(next_due ?? '') - world.clock.now()
  const step = next === null ? 'The next step of its scenario' : `The next status, ${inWords(next)},`
  if (waitMs <= 0) return `${step} is due now.`
  const how = world.clock.frozen ? '; the clock is frozen' : ''
  return `${step} comes on ${readableInstant(next_due ?? '')}, in ${readableDuration(waitMs)}${how}.`
}

const recipientOf = ({ shipping_details }: OrderRow) => shipping_details?.receiver_name ?? 'The recipient'

const patientOf = ({ patient_details: patient }: OrderRow) => (patient ? fullName(patient) : 'The patient')
