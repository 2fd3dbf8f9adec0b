import * as z from 'zod'
import { anyObject, type Parsed, schema, texts } from '../../api/schema.ts'
import { SECOND_MS, toIso } from '../../kernel/instant.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { compact } from '../../kernel/list.ts'
import { plural, readableInstant, roughly, shortInstant } from '../../kernel/readable.ts'
import { dotted, happyPaths, type LowStatus, type Method } from '../../resources/orders/lifecycle.ts'
import { movesByHand } from '../../resources/orders/service.ts'
import {
  currentStatusOf,
  methodOf,
  type OrderRow,
  statusHistoryOf,
  workflowOf,
} from '../../resources/orders/table.ts'
import { customerActions } from '../../scenarios/steps.ts'
import { type Attempt, type Endpoint, endpoints, isFailing, type Message } from '../../webhooks/table.ts'
import { whyStanding } from '../../world/set-back.ts'
import type { World } from '../../world/world.ts'
import type { describeOrderScenario } from '../scenarios.ts'
import { fullName } from '../users.ts'

/** The call by which a customer does what a scenario waits for. */
const callsAwaited: Partial<Record<Method, string>> = {
  testkit: 'POST /v3/order/testkit/register',
  walk_in_test: 'POST /v3/order/{order_id}/psc/appointment/book',
  at_home_phlebotomy: 'POST /v3/order/{order_id}/phlebotomy/appointment/book',
}

export const Explanation = schema('PetriExplanation', () => ({
  /** The state of the order and what it waits for, in one sentence. */
  sentence: z.string(),
  /** Why it stands where it stands, what it waits for, what would move it, and what happened to its webhooks. */
  lines: texts(),
  /** What continues it, the most useful first; none if nothing is left to do. */
  actions: z.array(OrderAction()),
}))

export function explainOrder(situation: Situation): Parsed<typeof Explanation> {
  const { world } = situation
  const actions = nextActions(situation)
  const lines = [
    ...compact([whyStanding(world.clock)]),
    standing(situation),
    reason(situation),
    remedy(situation),
    deliveries(situation),
  ]
  return { sentence: sentenceOf(situation, actions[0]?.kind), lines, actions }
}

function sentenceOf(situation: Situation, kind: NextAction['kind'] | undefined): string {
  const { order, progress, messages } = situation
  switch (kind) {
    case 'register':
      return `${recipientOf(order)} has not registered the kit, and the scenario waits for it.`
    case 'book':
      return `${patientOf(order)} has not booked an appointment, and the scenario waits for it.`
    case 'enable_endpoint':
    case 'resend':
      return `${messages.filter(isFailing).length} of ${countOf(messages)} not delivered: ${latestFailure(messages).error ?? 'The endpoint is disabled'}.`
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
  if (waitMs < SECOND_MS) return `${step} is due now.`
  const how = world.clock.frozen ? '; the clock is frozen' : ''
  return `${step} comes on ${readableInstant(next_due ?? '')}, in ${roughly(waitMs)}${how}.`
}

const recipientOf = ({ shipping_details }: OrderRow) => shipping_details?.receiver_name ?? 'The recipient'

const patientOf = ({ patient_details: patient }: OrderRow) => (patient ? fullName(patient) : 'The patient')

function standing({ world, order: { last_event } }: Situation): string {
  const sinceMs = world.clock.now() - Date.parse(last_event.created_at)
  const detail = last_event.status_detail ? `, because of ${last_event.status_detail}` : ''
  const since = `${readableInstant(last_event.created_at)} (${roughly(sinceMs)})`
  return `The order is ${last_event.status} since ${since}${detail}.`
}

function reason({ world, order, progress }: Situation): string {
  const { scenario, next, next_due, waits_for, left_because, dropped, warning } = progress
  if (scenario === null) return 'It follows no scenario.'
  if (left_because !== null) {
    const lost = dropped.length > 0 ? `; ${dropped.join(', ')} will not come` : ''
    return `It has left the scenario ${scenario} because ${left_because}${lost}.`
  }
  if (waits_for !== null)
    return `Its scenario ${scenario} waits until ${customerActions[waits_for]} (\`${callsAwaited[methodOf(order)]}\`).`
  const undone = dropped.length > 0 && `It could not do ${dropped.join(', ')}.`
  if (next_due === null)
    return compact([warning ?? `Its scenario ${scenario} has no more steps.`, undone]).join(' ')
  const clock = world.clock.frozen ? '; the clock is frozen, so no time passes by itself' : ''
  const step = next === null ? '' : ` with ${next}`
  const continues = `Its scenario ${scenario} continues at ${readableInstant(next_due)}${step}${clock}.`
  return compact([continues, warning, undone]).join(' ')
}

function remedy({ world, order, progress: { next_due, waits_for, left_because } }: Situation): string {
  const method = methodOf(order)
  const legal = movesByHand(world, order)
  if (legal.length === 0)
    return `${dotted(method, currentStatusOf(order))} is final; only \`npx petri-sandbox order move ${order.id} STATUS --force\` moves it.`
  const move = `\`npx petri-sandbox order move ${order.id} STATUS\` sets one of ${legal.join(', ')}`
  if (waits_for !== null) {
    const act = waits_for === 'registration' ? 'register' : 'book'
    return `\`npx petri-sandbox order ${act} ${order.id}\` does it for the customer; ${move}.`
  }
  if (next_due === null || left_because !== null) return `${move}.`
  const isLate = next_due <= toIso(world.clock.now())
  return `${isLate ? 'The step is due now' : `\`npx petri-sandbox clock set ${next_due}\` brings it there`}; ${move}.`
}

function deliveries({ world, messages }: Situation): string {
  if (messages.length === 0) {
    return world.db.count(endpoints) === 0
      ? 'No webhooks were sent, because the world has no endpoint; add one with `npx petri-sandbox webhook add URL`.'
      : whyNoWebhooks(world)
  }
  const open = messages.filter(({ status }) => status !== 'delivered')
  const { error, advice } = latestFailure(messages)
  const [noun, verb] = messages.length === 1 ? ['webhook', 'was'] : ['webhooks', 'were']
  if (open.length === 0) return `${messages.length} ${noun} ${verb} delivered.`
  if (error === undefined) return `${open.length} of ${messages.length} ${noun} not sent yet.`
  const advised = advice === undefined ? '' : ` ${advice}.`
  return `${open.length} of ${messages.length} ${noun} ${verb} not delivered: ${error}; \`npx petri-sandbox webhook resend\` tries again now.${advised}`
}

function whyNoWebhooks(world: World): string {
  const [first, ...others] = world.db.all(endpoints)
  if (!first || ![first, ...others].every(({ disabled }) => disabled)) return 'It has caused no webhooks yet.'
  return `No webhooks were sent, because all endpoints are disabled; \`npx petri-sandbox webhook enable ${first.id}\` enables one.`
}

/** The error of the latest attempt to deliver what is not delivered, and the advice on it; empty without one. */
export function latestFailure(messages: readonly Message[]): Pick<Attempt, 'error' | 'advice'> {
  const open = messages.filter(({ status }) => status !== 'delivered')
  return open.findLast(({ attempts }) => attempts.length > 0)?.attempts.at(-1) ?? {}
}

const actionKinds = ['register', 'book', 'enable_endpoint', 'resend', 'advance', 'move'] as const

const OrderAction = schema('PetriOrderAction', () => ({
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
interface Situation {
  readonly world: World
  readonly order: OrderRow
  readonly progress: ScenarioProgress
  readonly messages: readonly Message[]
}

/** Next actions for an order: those of its customer, then failed webhooks, then the clock, then a manual move. */
const nextActions = (situation: Situation): NextAction[] => [
  ...actionsAsCustomer(situation),
  ...webhookActions(situation),
  ...clockActions(situation),
  ...moveActions(situation),
]

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

function actionsAsCustomer({ order: { id }, progress }: Situation): NextAction[] {
  const path = `/_petri/orders/${id}`
  if (progress.waits_for === 'registration')
    return [action('register', 'Register the kit', ['POST', `${path}/register`], `order register ${id}`)]
  if (progress.waits_for === 'appointment')
    return [action('book', 'Book the visit', ['POST', `${path}/book`], `order book ${id}`)]
  return []
}

const countOf = (messages: readonly Message[]) => plural(messages.length, 'webhook')

function webhookActions({ world, order: { id }, messages }: Situation): NextAction[] {
  const open = messages.filter(isFailing)
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

const inWords = (status: string) => (status.split('.').at(-1) ?? status).replaceAll('_', ' ')
