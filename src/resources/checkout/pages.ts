import { html } from 'hono/html'
import { CustomResponse } from '../../api/operation.ts'
import { page } from '../../api/responses.ts'
import { publicPath } from '../../kernel/http-call.ts'
import type { World } from '../../world/world.ts'
import { getQuote } from './quotes.ts'
import type { PaymentOutcome } from './schema.ts'
import { paySession, sessionOfToken } from './sessions.ts'
import type { SessionRow } from './table.ts'

/** The hosted page of a session: it takes the place of the payment provider's. */
export function paymentPage(
  world: World,
  token: string,
  outcome: PaymentOutcome | null | undefined,
): CustomResponse<never> {
  const session = sessionOfToken(world, token)
  if (session.status !== 'unpaid') return ended(session)
  if (!outcome) return form(world, session)
  const after = paySession(world, session.checkout_session_id, outcome)
  return after.status === 'unpaid' ? form(world, after, 'The payment was declined.') : ended(after)
}

function form(world: World, session: SessionRow, trouble?: string): CustomResponse<never> {
  const { line_items } = getQuote(world, session.quote_id)
  const total = line_items.reduce((sum, { amount_minor }) => sum + amount_minor, 0)
  return page(
    'Pay for lab tests',
    html`${trouble ? html`<p role="alert">${trouble}</p>` : ''}
<p>Petri is a sandbox: no money is moved. This page takes the place of the payment provider's own.</p>
<p>${world.identity.name} asks for <strong>${dollars(total)}</strong>.</p>
<form action="${publicPath(world.baseUrl, '/checkout/pay')}"><input type="hidden" name="token" value="${session.token}">
<button name="outcome" value="paid">Pay ${dollars(total)}</button>
<button name="outcome" value="declined">Pay with a card that is declined</button>
<button name="outcome" value="cancelled">Cancel</button>
</form>`,
  )
}

const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`

/** Back to the customer's page, or a page that says how the session ended. */
function ended(session: SessionRow): CustomResponse<never> {
  const url = session.status === 'paid' ? session.success_url : session.cancel_url
  if (url === null) {
    return page('Checkout', html`<p role="status">This checkout session is ${session.status}.</p>`)
  }
  const filled = url
    .replaceAll('{JUNCTION_CHECKOUT_SESSION_ID}', session.checkout_session_id)
    .replaceAll('{CHECKOUT_SESSION_ID}', session.payment_resource_id ?? '')
  return new CustomResponse<never>(303, undefined, '', { location: new URL(filled).href })
}
