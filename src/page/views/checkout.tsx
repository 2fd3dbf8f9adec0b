import { sumOf } from '../../kernel/list.ts'
import { readableInstant } from '../../kernel/readable.ts'
import { withQuery } from '../api.ts'
import { Button, Facts, Mono, OrderLink, Panel, StatusTag } from '../components.tsx'
import { dollarsOf, inWords, methodNames, relativeTo } from '../format.ts'
import type { CheckoutSessions } from '../responses.ts'
import { now, perform, useList } from '../store.ts'

type Session = CheckoutSessions['data'][number]

const useSessions = (query: { user_id: string } | { order_id: string }): readonly Session[] =>
  useList(withQuery('/_petri/checkout/sessions', query))

/** The checkout sessions of a user, newest first; nothing for a user without any. */
export function CheckoutsOf({ userId }: { userId: string }) {
  const sessions = useSessions({ user_id: userId })
  if (sessions.length === 0) return null
  return (
    <Panel title="Checkout" note={sessions.length}>
      {sessions.toReversed().map((session) => (
        <CheckoutFacts key={session.checkout_session_id} session={session} />
      ))}
    </Panel>
  )
}

/** The checkout session that became an order, if there is one. */
export function CheckoutOfOrder({ orderId }: { orderId: string }) {
  const [session] = useSessions({ order_id: orderId })
  return session ? (
    <Panel title="Checkout">
      <CheckoutFacts session={session} />
    </Panel>
  ) : null
}

function CheckoutFacts({ session }: { session: Session }) {
  const { status, quote, created_at, pay_before, order_id, payment_resource_url: url } = session
  const { line_items, modality, expires_at } = quote
  const total = sumOf(line_items.map(({ amount_minor }) => amount_minor))
  const fees = line_items.map(({ code, amount_minor }) => `${inWords(code)} ${dollarsOf(amount_minor)}`)
  const isUnpaid = status === 'unpaid'
  return (
    <>
      <p>
        <b>{dollarsOf(total)}</b> <StatusTag status={status} tone={tones[status]} />
        <small class="dim"> since {readableInstant(created_at)}</small>
      </p>
      <Facts
        facts={[
          ['Quote', `${methodNames[modality]}: ${fees.join(', ')}`],
          ['Quote expires', isUnpaid && relativeTo(expires_at, now.value)],
          ['Pay', isUnpaid && relativeTo(pay_before, now.value)],
          ['Payment', <Mono>{session.payment_resource_id}</Mono>],
          ['Appointment', session.appointment_hold_status],
          ['Order', order_id && <OrderLink id={order_id} />],
        ]}
      />
      {isUnpaid && (
        <div class="row">
          <Button onClick={() => pay(session, 'paid')}>Pay</Button>
          <Button onClick={() => pay(session, 'declined')}>Decline</Button>
          <Button class="danger" onClick={() => pay(session, 'cancelled')}>
            Cancel
          </Button>
          {url && (
            <a href={url} target="_blank" rel="noreferrer">
              Payment page
            </a>
          )}
        </div>
      )}
    </>
  )
}

const tones: Readonly<Record<Session['status'], string>> = {
  unpaid: 'attention',
  paid: 'completed',
  expired: 'failed',
  cancelled: 'cancelled',
}

const pay = ({ checkout_session_id: id }: Session, outcome: string) =>
  perform('The payment', 'POST', `/_petri/checkout/sessions/${id}/pay`, { outcome })
