import { advance } from '../advance.ts'
import { petriLine } from '../api.ts'
import { Button, Copy, Dim, Facts, Link, Panel, Time } from '../components.tsx'
import { inWords, relativeTo } from '../format.ts'
import type { OrderLife } from '../responses.ts'
import { clock, now, perform } from '../store.ts'

type NextAction = OrderLife['what_now']['actions'][number]

/** The next step of an order, in one sentence with one main button, and why the order is where it is. */
export function WhatNow({ life }: { life: OrderLife }) {
  const { sentence, actions } = life.what_now
  const [main, ...others] = actions
  return (
    <Panel title="What now" aside={main && <Copy text={commandOf(main)}>Copy as command</Copy>}>
      <div class="now">
        <p>{sentence}</p>
        {main && (
          <div class="row">
            <Button class="primary" onClick={() => act(main)}>
              {main.label}
            </Button>
            {others.map((other) => (
              <Button key={other.label} onClick={() => act(other)}>
                {other.label}
              </Button>
            ))}
          </div>
        )}
      </div>
      <details>
        <summary>Why it is here</summary>
        <Reasons life={life} />
      </details>
    </Panel>
  )
}

const commandOf = ({ command }: NextAction): string => petriLine(command.replace(/^npx petri-sandbox /, ''))

/** Does what an action says. */
export const act = ({ kind, label, method, path, body }: NextAction): Promise<unknown> =>
  kind === 'advance' ? advance(body ?? {}) : perform(label, method, path, body ?? undefined)

const waits: Readonly<Record<string, string>> = {
  registration: 'until the kit is registered',
  appointment: 'until an appointment is booked',
}

function Reasons({ life: { order, scenario, messages } }: { life: OrderLife }) {
  const { status_detail, created_at } = order.last_event
  const { scenario: name, next_due, waits_for, left_because, warning } = scenario
  return (
    <Facts
      facts={[
        ['Because of', status_detail && inWords(status_detail)],
        [
          'Since',
          <>
            <Time at={created_at} />, <Dim>{relativeTo(created_at, now.value)}</Dim>
          </>,
        ],
        ['Scenario', name ? <Link to={`/scenarios/${name}`}>{name}</Link> : 'none'],
        ['It does nothing', warning && <small class="warn">{warning}</small>],
        ['Waits', waits_for && waits[waits_for]],
        [
          'Clock',
          next_due && left_because === null && clock.value?.frozen && 'frozen: it moves when you advance it',
        ],
        ['Webhooks', <Deliveries orderId={order.id} messages={messages} />],
      ]}
    />
  )
}

function Deliveries({ orderId, messages }: { orderId: string; messages: OrderLife['messages'] }) {
  const { total, delivered, last_error } = messages
  if (total === 0) return <Link to="/webhooks?tab=endpoints">none yet</Link>
  return (
    <>
      <Link to={`/webhooks?q=${orderId}`}>
        {delivered} of {total} delivered
      </Link>
      {last_error && <small class="warn"> {last_error}</small>}
    </>
  )
}
