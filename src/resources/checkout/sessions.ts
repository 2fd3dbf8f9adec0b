import { newLinkToken } from '../../api/credentials.ts'
import { fingerprint, leftBefore } from '../../api/idempotency.ts'
import { invalidValue, valueError } from '../../api/issue.ts'
import type { RequestContext } from '../../api/operation.ts'
import type { JobKinds } from '../../api/resource.ts'
import type { Parsed } from '../../api/schema.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS, toWire } from '../../kernel/instant.ts'
import { badRequest, orNotFound, Problem } from '../../kernel/problem.ts'
import type { Job } from '../../scheduler/job.ts'
import type { World } from '../../world/world.ts'
import { attachHold, type ChosenSlot, chooseHold, releaseHold, takeHold } from '../appointments/service.ts'
import { checkPaidOrder, placeOrder } from '../orders/placing.ts'
import { getUser } from '../users/service.ts'
import { announceSession } from './events.ts'
import { payerOf } from './payers.ts'
import { getQuote } from './quotes.ts'
import type { NewSession, PaymentOutcome, Session } from './schema.ts'
import { type QuoteRow, type SessionRow, sessions } from './table.ts'

/** Source: docs/contract/checkout.md. */
const LIFETIME_MS = DAY_MS
/** When a network answers whether it holds a place, and when one that does not answer is given up. */
const HOLD_MS = 30 * SECOND_MS
const HOLD_TIMEOUT_MS = 15 * MINUTE_MS
/** When a magic payer acts. */
const PAYER_MS = MINUTE_MS

const EXPIRE = 'checkout.expire'
const HOLD = 'checkout.hold'
const PAY = 'checkout.pay'

/** Creates a session, or returns the one that was created with the same key. */
export function createSession(
  world: World,
  key: string | null | undefined,
  body: Parsed<typeof NewSession>,
  context: RequestContext,
): SessionRow {
  const request = fingerprint(JSON.stringify(body))
  const known = leftBefore(world, key ? world.db.by(sessions, 'key', key)[0] : undefined, request)
  if (known) return known
  const { payment, user_id, patient_details, patient_address, appointment } = body
  assertPayment(payment)
  const quote = getQuote(world, body.quote_id)
  const now = world.clock.now()
  if (Date.parse(quote.expires_at) <= now) throw badRequest('The quote has expired')
  getUser(world, user_id)
  const scenario = checkPaidOrder(world, orderBody(quote, body), context)
  const payBefore = Math.min(Date.parse(quote.expires_at), now + LIFETIME_MS)
  const chosen = appointment ? slotFor(world, quote, appointment.booking_key, payBefore) : undefined
  const payer = payerOf(patient_details.email)
  const id = world.newId('checkout_session')
  const isHosted = payment.method === 'checkout_session'
  const session = world.db.put(sessions, {
    checkout_session_id: id,
    status: 'unpaid',
    pay_before: toWire(payBefore),
    payment_resource_id: isHosted
      ? `cs_test_${world.ids.base62(`${id}/payment`, 58)}`
      : `pi_${world.ids.base62(`${id}/payment`, 24)}`,
    order_id: null,
    order_transaction_id: null,
    appointment_hold_status: chosen ? 'pending' : null,
    appointment_id: null,
    quote_id: quote.id,
    user_id,
    method: payment.method,
    success_url: payment.success_url,
    cancel_url: payment.cancel_url,
    patient_details,
    patient_address,
    scenario,
    appointment_notes: appointment?.appointment_notes ?? null,
    token: newLinkToken(world.identity.teamId, world.ids.fork('checkout'), world.next('checkout')),
    idempotency_key: key ?? null,
    request,
    created_at: now,
  })
  if (appointment && chosen) {
    takeHold(world, id, chosen)
    const timeoutMs = appointment.async_confirmation_timeout_millisecond ?? HOLD_TIMEOUT_MS
    const afterScenarioMs = payer.holdFails === 'no_answer' ? timeoutMs : HOLD_MS
    world.agenda.schedule({ afterScenarioMs, kind: HOLD, subject: id })
  }
  world.agenda.schedule({ due: payBefore, kind: EXPIRE, subject: id })
  if (payer.isByItself) world.agenda.schedule({ afterScenarioMs: PAYER_MS, kind: PAY, subject: id })
  announce(world, 'created', session)
  return session
}

/** Source: docs/contract/checkout.md. */
function assertPayment({ method, success_url, cancel_url }: Parsed<typeof NewSession>['payment']): void {
  const isHosted = method === 'checkout_session'
  if (isHosted && success_url === null) throw wrongPayment('success_url', `must be set for ${method}`, null)
  for (const [field, url] of Object.entries({ success_url, cancel_url })) {
    if (url === null) continue
    if (!isHosted) throw wrongPayment(field, `must not be set for ${method}`, url)
    if (!URL.canParse(url)) throw wrongPayment(field, 'must be a URL', url)
  }
}

const wrongPayment = (field: string, rule: string, input: unknown) =>
  invalidValue(valueError(`${field} ${rule}`), ['body', 'payment', field], input)

function slotFor(world: World, quote: QuoteRow, key: string, payBefore: number): ChosenSlot {
  if (quote.modality !== 'walk_in_test') throw badRequest('Only a walk-in test can have an appointment')
  return chooseHold(world, key, { labs: quote.walk_in_collection_networks, after: payBefore })
}

/** The order of a session, as a client would send it. */
const orderBody = (
  { order_set, modality, priority }: QuoteRow,
  {
    user_id,
    patient_details,
    patient_address,
  }: Pick<SessionRow, 'user_id' | 'patient_details' | 'patient_address'>,
): Parameters<typeof placeOrder>[1] => ({
  user_id,
  order_set,
  // As in an order, kits are chosen by their lab test alone.
  collection_method: modality === 'testkit' ? null : modality,
  priority,
  billing_type: 'upfront_payment',
  icd_codes: null,
  consents: [],
  activate_by: null,
  passthrough: null,
  clinical_notes: null,
  patient_details,
  patient_address,
})

/** The session, or the 404. */
export function getSession(world: World, id: string): SessionRow {
  return orNotFound(world.db.find(sessions, id), 'Checkout session not found')
}

/** The session of a hosted page, or the 404. */
export function sessionOfToken(world: World, token: string): SessionRow {
  return orNotFound(world.db.by(sessions, 'token', token)[0], 'Checkout session not found')
}

/** A payment for a session succeeds, is declined, or is given up. By default it does what the patient is known for. */
export function paySession(world: World, id: string, asked?: PaymentOutcome | null): SessionRow {
  const session = getSession(world, id)
  if (session.status !== 'unpaid')
    throw new Problem('conflict', `The checkout session is already ${session.status}.`)
  const outcome = asked ?? payerOf(session.patient_details.email).outcome
  if (outcome === 'declined') {
    record(world, session, outcome)
    return session
  }
  return outcome === 'paid' ? settle(world, session) : end(world, session, outcome)
}

/** Places the order of a paid session. */
function settle(world: World, session: SessionRow): SessionRow {
  const quote = getQuote(world, session.quote_id)
  const { scenario, checkout_session_id: id } = session
  const order = placeOrder(world, orderBody(quote, session), { scenario, isPaid: true })
  const isHeld = session.appointment_hold_status === 'held' || session.appointment_hold_status === 'pending'
  const appointment = isHeld ? attachHold(world, id, order, session.appointment_notes) : undefined
  stopWaiting(world, id)
  return update(world, session, {
    status: 'paid',
    order_id: order.id,
    order_transaction_id: order.order_transaction?.id ?? null,
    appointment_hold_status: isHeld ? 'held' : session.appointment_hold_status,
    appointment_id: appointment?.id ?? null,
  })
}

/** Ends an unpaid session; a held place is released. */
function end(world: World, session: SessionRow, status: 'expired' | 'cancelled'): SessionRow {
  const { checkout_session_id: id } = session
  stopWaiting(world, id)
  releaseHold(world, id)
  return update(world, session, {
    status,
    appointment_hold_status: session.appointment_hold_status && 'failed',
  })
}

function stopWaiting(world: World, id: string): void {
  for (const kind of [EXPIRE, HOLD, PAY]) world.agenda.cancel(kind, id)
}

/** Each change sends an event. */
function update(world: World, session: SessionRow, change: Partial<SessionRow>): SessionRow {
  const changed = world.db.put(sessions, { ...session, ...change })
  announce(world, 'updated', changed)
  return changed
}

function announce(world: World, what: 'created' | 'updated', session: SessionRow): void {
  record(world, session, session.status)
  announceSession(world, what, publicOf(session))
}

const record = (world: World, { checkout_session_id, user_id }: SessionRow, status: string) =>
  world.agenda.record('checkout', { checkout_session_id, user_id, status })

/** A session in wire format for the team that pays; what it pays with is shown while it is unpaid. */
export function presentSession(world: World, session: SessionRow): Parsed<typeof Session> {
  const { status, method, token, payment_resource_id, checkout_session_id: id } = session
  const shown = publicOf(session)
  if (status !== 'unpaid') return shown
  if (method === 'checkout_session')
    return { ...shown, payment_resource_url: `${world.baseUrl}/checkout/pay?token=${token}` }
  const secret = world.ids.base62(`${id}/secret`, 25)
  return { ...shown, payment_resource_client_secret: `${payment_resource_id}_secret_${secret}` }
}

/** A session in wire format for events. */
export const publicOf = (session: SessionRow): Parsed<typeof Session> => ({
  checkout_session_id: session.checkout_session_id,
  status: session.status,
  pay_before: session.pay_before,
  payment_resource_id: session.payment_resource_id,
  order_id: session.order_id,
  order_transaction_id: session.order_transaction_id,
  appointment_hold_status: session.appointment_hold_status,
  appointment_id: session.appointment_id,
  payment_resource_url: null,
  payment_resource_client_secret: null,
})

/** A network answers whether it holds the place. */
function answerHold(world: World, session: SessionRow): void {
  const { holdFails } = payerOf(session.patient_details.email)
  if (holdFails) releaseHold(world, session.checkout_session_id)
  update(world, session, { appointment_hold_status: holdFails ? 'failed' : 'held' })
}

/** A magic payer acts; an order that can no longer be placed leaves the session unpaid. */
function payByItself(world: World, session: SessionRow): void {
  try {
    paySession(world, session.checkout_session_id)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    record(world, session, 'declined')
  }
}

/** Runs a job of an unpaid session. */
const whileUnpaid =
  (act: (world: World, session: SessionRow) => void) =>
  (world: World, { subject }: Job): void | Promise<void> => {
    const run = () => {
      const session = world.db.find(sessions, subject)
      if (session?.status === 'unpaid') act(world, session)
    }
    return world.services.scenarios.ready()?.then(run) ?? run()
  }

export const sessionJobs: JobKinds = {
  [EXPIRE]: {
    does: 'the unpaid checkout session expires',
    run: whileUnpaid((world, session) => void end(world, session, 'expired')),
  },
  [HOLD]: { does: 'the site says whether it holds the appointment', run: whileUnpaid(answerHold) },
  [PAY]: {
    does: 'the patient pays for the checkout session, or cancels it',
    run: whileUnpaid(payByItself),
  },
}
