import { useEffect } from 'preact/hooks'
import { asCurl } from '../api.ts'
import { isMissing, useData } from '../data.ts'
import { LifeGraph } from '../graph.tsx'
import { JsonBlock } from '../json.tsx'
import type { Lifecycle, OrderLife } from '../responses.ts'
import { now } from '../store.ts'
import { Copy, Empty, Link, Panel, Scroll, StatusTag, Title } from '../ui.tsx'
import { relativeTo, shortId, stampOf } from '../words.ts'
import { AppointmentOf } from './appointment.tsx'
import { Moves, useMove } from './order-moves.tsx'
import { Documents, MessagesOf, RequestsOf, ResultOf, Shipment } from './order-parts.tsx'
import { OrderScenarioPanel } from './order-scenario.tsx'
import { Interpretation } from './orders.tsx'

/** Everything about one order. */
export function OrderView({ id }: { id: string }) {
  const { body: life, error } = useData<OrderLife>(`/_petri/orders/${encodeURIComponent(id)}`)
  const { body: lifecycle } = useData<Lifecycle>('/_petri/lifecycle', false)
  if (error && !life)
    return <Missing id={id} why={isMissing(error) ? 'This world has no such order.' : error.message} />
  const workflow = lifecycle?.workflows.find(({ name }) => name === life?.workflow)
  if (!life || !workflow) return <p class="opening">Reading the order…</p>
  return (
    <>
      <Head life={life} />
      <Lifecycles life={life} workflow={workflow} />
      <div class="cols">
        <div>
          <OrderScenarioPanel life={life} />
          <Agenda life={life} />
          <AppointmentOf life={life} />
          <Shipment life={life} />
          <ResultOf life={life} />
          <Documents life={life} />
        </div>
        <div>
          <MessagesOf orderId={id} />
          <RequestsOf orderId={id} />
          <Panel title="JSON" aside={<Copy text={() => JSON.stringify(life.order, null, 2)} />}>
            <details>
              <summary>The order as the service shows it</summary>
              <JsonBlock value={life.order} label="The order as JSON" />
            </details>
          </Panel>
        </div>
      </div>
    </>
  )
}

const Missing = ({ id, why }: { id: string; why: string }) => (
  <>
    <Title title={`Order ${shortId(id)}`} />
    <Empty>
      {why} <Link to="/orders">All orders</Link>
    </Empty>
  </>
)

function Head({ life: { order, workflow } }: { life: OrderLife }) {
  const { lab_test, patient_details: patient, shipping_details: shipping, sample_id } = order
  const who = patient ? `${patient.first_name ?? ''} ${patient.last_name ?? ''}` : shipping?.receiver_name
  return (
    <>
      <nav class="crumbs" aria-label="Where you are">
        <Link to="/orders">Orders</Link> / <code>{shortId(order.id)}</code>
      </nav>
      <Title
        title={lab_test.name}
        note={
          <>
            <StatusTag status={order.last_event.status} />
            <Interpretation of={order.interpretation} /> for{' '}
            <Link to={`/users/${order.user_id}`}>{who ?? 'nobody'}</Link> · {workflow.replaceAll('_', ' ')} ·
            sample {sample_id ?? 'none yet'}
          </>
        }
      >
        <Copy text={order.id}>Copy id</Copy>
        <Copy text={() => asCurl('GET', `/_petri/orders/${order.id}`)}>Copy as curl</Copy>
        <Link to="/api/get_order" class="button">
          Open in API
        </Link>
      </Title>
    </>
  )
}

function Lifecycles({ life, workflow }: { life: OrderLife; workflow: Lifecycle['workflows'][number] }) {
  const move = useMove(life.order.id)
  const status = life.order.last_event.status
  useEffect(showHere, [status])
  return (
    <Panel
      title="Lifecycle"
      aside={
        <span class="legend">
          <span class="was">visited</span>
          <span class="here">now</span>
          <span class="plan">planned</span>
          <span class="open">legal by hand</span>
        </span>
      }
    >
      <Scroll label="Life of this order" class="wide">
        <LifeGraph workflow={workflow} life={life} now={now.value} onMove={(status) => void move(status)} />
      </Scroll>
      <Moves life={life} workflow={workflow} />
    </Panel>
  )
}

/** Scrolls the map to where the order is, where it is wider than its panel. */
function showHere(): void {
  const stop = document.querySelector('.stop.here')
  const scroll = stop?.closest('.scroll')
  if (!stop || !scroll) return
  const { left, width } = scroll.getBoundingClientRect()
  scroll.scrollLeft += stop.getBoundingClientRect().left - left - width / 2
}

function Agenda({ life: { agenda } }: { life: OrderLife }) {
  if (agenda.length === 0) return null
  return (
    <Panel title="Agenda">
      <ol class="agenda">
        {agenda.slice(0, 20).map(({ due, kind, subject, does }) => (
          <li key={`${kind}${subject}`}>
            <time dateTime={due}>{stampOf(due)}</time> <span>{does}</span>{' '}
            <small class="dim">{relativeTo(due, now.value)}</small>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
