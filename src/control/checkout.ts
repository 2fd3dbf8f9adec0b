import * as z from 'zod'
import { maybe, oneOf, uuid } from '../api/fields.ts'
import { operation } from '../api/operation.ts'
import { pageAfter, pageOf, pageQuery } from '../api/pagination.ts'
import { instant, type Parsed, schema, unnamed } from '../api/schema.ts'
import { toWire } from '../kernel/instant.ts'
import { paymentOutcomes, Quote, Session } from '../resources/checkout/schema.ts'
import { getQuote, paySession, presentSession } from '../resources/checkout/service.ts'
import { type SessionRow, sessions } from '../resources/checkout/table.ts'
import type { World } from '../world/world.ts'

const Payment = schema('PetriPayment', () =>
  z.strictObject({
    outcome: oneOf(paymentOutcomes)
      .optional()
      .describe('`paid`, unless the e-mail address of the patient is a magic one.'),
  }),
)

export const CheckoutSessions = schema('PetriCheckoutSessions', () =>
  pageOf(Session().extend({ user_id: z.guid(), created_at: instant(), quote: Quote() })),
)

const SessionsQuery = unnamed(() => ({
  user_id: maybe(uuid()).describe('Only sessions of this user.'),
  order_id: maybe(uuid()).describe('Only the session that became this order.'),
  ...pageQuery(),
}))

export const checkoutOperations = [
  operation({
    id: 'petri_checkout_sessions',
    route: 'GET /_petri/checkout/sessions',
    summary: 'List checkout sessions with their users and quotes, newest last',
    tool: { name: 'list_checkout_sessions' },
    query: SessionsQuery,
    returns: CheckoutSessions,
    run: (world, { query }) => listSessions(world, query),
  }),
  operation({
    id: 'petri_checkout_pay',
    route: 'POST /_petri/checkout/sessions/{checkout_session_id}/pay',
    summary: 'Pay for a checkout session, which places its order; or have the payment declined or given up',
    tool: { name: 'pay_checkout_session' },
    body: Payment,
    bodyOptional: true,
    returns: Session,
    needs: 'scenarios',
    run: (world, { params, body }) =>
      presentSession(world, paySession(world, params.checkout_session_id, body?.outcome)),
  }),
]

function listSessions(
  world: World,
  { limit, cursor, ...filter }: Parsed<typeof SessionsQuery>,
): Parsed<typeof CheckoutSessions> {
  const { items, nextCursor } = pageAfter(
    {
      of: ['checkout_sessions', world.identity.teamId, filter],
      rows: rowsOf(world, filter.user_id, filter.order_id),
      idOf: (row) => row.checkout_session_id,
      keyOf: (row) => row.created_at,
    },
    cursor,
    limit,
  )
  const data = items.map((row) => ({
    ...presentSession(world, row),
    user_id: row.user_id,
    created_at: toWire(row.created_at),
    quote: getQuote(world, row.quote_id),
  }))
  return { data, next_cursor: nextCursor }
}

function rowsOf({ db }: World, userId?: string | null, orderId?: string | null): SessionRow[] {
  if (!orderId) return userId ? db.by(sessions, 'user', userId) : [...db.all(sessions)]
  return db.by(sessions, 'order', orderId).filter(({ user_id }) => !userId || user_id === userId)
}
