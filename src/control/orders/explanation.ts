import * as z from 'zod'
import { type Parsed, schema, texts } from '../../api/schema.ts'
import { SECOND_MS, toIso } from '../../kernel/instant.ts'
import { compact } from '../../kernel/list.ts'
import { firstSentence, readableInstant, roughly } from '../../kernel/readable.ts'
import { dotted, type Method } from '../../resources/orders/lifecycle.ts'
import { movesByHand } from '../../resources/orders/service.ts'
import { currentStatusOf, methodOf, type OrderRow } from '../../resources/orders/table.ts'
import { customerActions } from '../../scenarios/steps.ts'
import { endpoints, type Message } from '../../webhooks/table.ts'
import { whyStanding } from '../../world/set-back.ts'
import type { World } from '../../world/world.ts'
import { fullName } from '../user-list.ts'
import {
  countOf,
  failing,
  inWords,
  type NextAction,
  nextActions,
  OrderAction,
  type Situation,
} from './next-actions.ts'

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
    case 'retry':
    case 'resend':
      return `${failing(messages).length} of ${countOf(messages)} not delivered: ${firstSentence(whyUndelivered(messages) ?? 'The endpoint is disabled')}.`
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
  const why = whyUndelivered(messages)
  const [noun, verb] = messages.length === 1 ? ['webhook', 'was'] : ['webhooks', 'were']
  if (open.length === 0) return `${messages.length} ${noun} ${verb} delivered.`
  if (why === null) return `${open.length} of ${messages.length} ${noun} not sent yet.`
  return `${open.length} of ${messages.length} ${noun} ${verb} not delivered: ${why}; \`npx petri-sandbox webhook resend\` tries again now.`
}

function whyNoWebhooks(world: World): string {
  const [first, ...others] = world.db.all(endpoints)
  if (!first || ![first, ...others].every(({ disabled }) => disabled)) return 'It has caused no webhooks yet.'
  return `No webhooks were sent, because all endpoints are disabled; \`npx petri-sandbox webhook enable ${first.id}\` enables one.`
}

/** The error of the latest attempt to deliver what is not delivered; null without one. */
export function whyUndelivered(messages: readonly Message[]): string | null {
  const open = messages.filter(({ status }) => status !== 'delivered')
  const latest = open.findLast(({ attempts }) => attempts.length > 0)?.attempts.at(-1)
  return latest?.error ?? null
}
