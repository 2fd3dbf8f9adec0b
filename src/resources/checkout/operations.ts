import { operation } from '../../api/operation.ts'
import { headerNames } from '../../kernel/headers.ts'
import { paymentPage } from './pages.ts'
import { estimate } from './pricing.ts'
import { createQuote, getQuote, refineQuote } from './quotes.ts'
import {
  NewQuote,
  NewSession,
  OrderSetPricings,
  PaymentPageQuery,
  PricingRequest,
  Quote,
  Refinement,
  Session,
  SessionHeaders,
} from './schema.ts'
import { createSession, getSession, presentSession } from './sessions.ts'

export const checkoutOperations = [
  operation({
    id: 'checkout_create_quote',
    route: 'POST /checkout/v1/quote',
    summary: 'Quote what an order would cost',
    assumes: [
      'A quote can be used for seven days.',
      'The lab test fee is the sum of the prices of the lab tests and of the added markers that have one. A walk-in draw costs 10 dollars, a visit 35. Priority costs nothing.',
      'A quote is refused for the same tests as an order, in the same words.',
    ],
    body: NewQuote,
    returns: Quote,
    run: (world, { body }) => createQuote(world, body),
  }),
  operation({
    id: 'checkout_get_quote',
    route: 'GET /checkout/v1/quote/{quote_id}',
    summary: 'Get a quote',
    returns: Quote,
    run: (world, { params }) => getQuote(world, params.quote_id),
  }),
  operation({
    id: 'checkout_refine_quote',
    route: 'POST /checkout/v1/quote/{quote_id}/refine',
    summary: 'Make another quote from one, with a change',
    assumes: ['The new quote has the inputs and the id of the first, and sends `checkout.quote.created`.'],
    body: Refinement,
    returns: Quote,
    run: (world, { params, body }) => refineQuote(world, params.quote_id, body),
  }),
  operation({
    id: 'checkout_create_checkout_session',
    route: 'POST /checkout/v1/session',
    summary: 'Start the payment of a quote, which becomes an order when it is paid',
    assumes: [
      'A session is refused for the same reasons as an order.',
      'Pay with `POST /_petri/checkout/sessions/{checkout_session_id}/pay`, on the page of `payment_resource_url`, or by a magic e-mail address. It is settled at once.',
      'A declined payment leaves the session unpaid. A session is cancelled only by a payment that is given up.',
      'The order has the billing type `upfront_payment`, whatever its account allows.',
      'A place is held half a minute after the request. A magic e-mail address simulates a network that cannot hold it.',
    ],
    headers: SessionHeaders,
    body: NewSession,
    returns: Session,
    needs: 'scenarios',
    run: (world, { headers, body }, context) =>
      presentSession(world, createSession(world, headers[headerNames.idempotencyKey], body, context)),
  }),
  operation({
    id: 'checkout_get_checkout_session',
    route: 'GET /checkout/v1/session/{checkout_session_id}',
    summary: 'Get a checkout session',
    returns: Session,
    run: (world, { params }) => presentSession(world, getSession(world, params.checkout_session_id)),
  }),
  operation({
    id: 'checkout_confirm_checkout_session',
    route: 'POST /checkout/v1/session/{checkout_session_id}/confirm',
    summary: 'Check whether a checkout session was paid',
    assumes: ['A session that was not paid is returned as it is, with 200.'],
    returns: Session,
    run: (world, { params }) => presentSession(world, getSession(world, params.checkout_session_id)),
  }),
  operation({
    id: 'petri_checkout_page',
    route: 'GET /checkout/pay',
    tag: 'checkout',
    access: 'link_token',
    produces: 'text/html',
    summary: 'The hosted page on which a checkout session is paid',
    query: PaymentPageQuery,
    needs: 'scenarios',
    run: (world, { query }) => paymentPage(world, query.token, query.outcome),
  }),
  operation({
    id: 'lab_tests_estimate_order_set_pricing',
    route: 'POST /v3/lab_test/estimate_order_set_pricing',
    summary: 'Estimate what orders would cost',
    assumes: [
      'The estimate has the charges that a quote has, in the order of the order sets; billing and state do not change it.',
      'No price has modifiers, here or in the lists of lab tests and markers: no source says which prices have some.',
    ],
    body: PricingRequest,
    returns: OrderSetPricings,
    run: (world, { body }) => estimate(world, body),
  }),
]
