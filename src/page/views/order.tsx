import { useEffect } from 'preact/hooks'
import { send, withQuery } from '../api.ts'
import {
  Button,
  Code,
  Copy,
  CopyCurl,
  Crumbs,
  Empty,
  Facts,
  JsonBlock,
  Link,
  Menu,
  Mono,
  messageUrl,
  Panel,
  Scroll,
  StatusTag,
  saveAs,
  Table,
  Time,
  Title,
} from '../components.tsx'
import { countOf, inWords, phaseOf, relativeTo, shortId } from '../format.ts'
import { LifecycleMap } from '../lifecycle-map.tsx'
import { resend } from '../resend.ts'
import type { Call, Message, OrderLife, ResultLine, Results, Workflow } from '../responses.ts'
import { now, say, useData, useLifecycle, useList } from '../store.ts'
import { AppointmentPanel } from './appointment.tsx'
import { CheckoutOfOrder } from './checkout.tsx'
import { Explanation } from './explanation.tsx'
import { MoveDialog, Moves, moveOrder } from './order-moves.tsx'
import { OrderScenarioPanel } from './order-scenario.tsx'
import { Interpretation, worstFirst } from './orders.tsx'
import { SavedScenario, saveAsScenario } from './save-as-scenario.tsx'

/** Everything about one order. */
export function OrderView({ id }: { id: string }) {
  const { body: life, error } = useData<OrderLife>(`/_petri/orders/${encodeURIComponent(id)}`)
  const lifecycle = useLifecycle()
  const results = useResults(life?.order)
  if (error && !life)
    return (
      <>
        <Title title={`Order ${shortId(id)}`} />
        <Empty>
          {error.status === 404 ? 'This world has no such order.' : error.message}{' '}
          <Link to="/orders">All orders</Link>
        </Empty>
      </>
    )
  const workflow = lifecycle?.workflows.find(({ name }) => name === life?.workflow)
  if (!life || !workflow) return <p class="opening">Reading the order…</p>
  return (
    <>
      <OrderTitle life={life} workflow={workflow} />
      <Critical results={results} />
      <Explanation explanation={life.explanation} />
      <LifecyclePanel life={life} workflow={workflow} />
      <div class="cols">
        <div>
          <OrderScenarioPanel life={life} />
          <AgendaPanel life={life} />
          <AppointmentPanel life={life} />
          <Shipment life={life} />
          <CheckoutOfOrder orderId={id} />
          <ResultPanel results={results} />
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

const MENU = 'order-actions'

interface OrderProps {
  readonly life: OrderLife
  readonly workflow: Workflow
}

function OrderTitle({ life, workflow }: OrderProps) {
  const { order } = life
  const { id, lab_test, patient_details: patient, shipping_details: shipping, sample_id } = order
  const who = patient ? `${patient.first_name ?? ''} ${patient.last_name ?? ''}` : shipping?.receiver_name
  return (
    <>
      <Crumbs to="/orders" title="Orders" id={id} />
      <Title
        title={lab_test.name}
        tab={`${who ?? lab_test.name}: ${inWords(order.last_event.status)}`}
        note={
          <>
            <StatusTag status={order.last_event.status} />
            <Interpretation of={order.interpretation} /> for{' '}
            <Link to={`/users/${order.user_id}`}>{who ?? 'nobody'}</Link> · {inWords(workflow.name)} · sample{' '}
            {sample_id ?? 'none yet'}
          </>
        }
      >
        <Menu id={MENU} title="Actions">
          <Moves life={life} menu={MENU} />
          <Button onClick={() => saveAsScenario(id)}>Save as scenario</Button>
          <Copy text={id}>Copy id</Copy>
          <CopyCurl call={['GET', `/_petri/orders/${id}`]} />
          <Link to="/api/lab_tests_get_order" class="button">
            Open in API
          </Link>
        </Menu>
      </Title>
      <MoveDialog life={life} workflow={workflow} />
      <SavedScenario orderId={id} />
    </>
  )
}

function LifecyclePanel({ life, workflow }: OrderProps) {
  useEffect(scrollToCurrent, [life.order.last_event.status])
  return (
    <Panel
      title="Lifecycle"
      aside={
        <span class="legend">
          <span class="was">visited</span>
          <span class="here">now</span>
          <span class="plan">planned</span>
          <span class="open">legal moves</span>
        </span>
      }
    >
      <Scroll label="Lifecycle of this order" class="wide">
        <LifecycleMap
          workflow={workflow}
          life={life}
          now={now.value}
          onMove={(status) => void moveOrder(life, { status })}
        />
      </Scroll>
    </Panel>
  )
}

/** Scrolls the map to the current status, if the map is wider than its panel. */
function scrollToCurrent(): void {
  const stop = document.querySelector('.stop.here')
  const scroll = stop?.closest('.scroll')
  if (!stop || !scroll) return
  const { left, width } = scroll.getBoundingClientRect()
  scroll.scrollLeft += stop.getBoundingClientRect().left - left - width / 2
}

const AgendaPanel = ({ life: { agenda } }: { life: OrderLife }) =>
  agenda.length === 0 ? null : (
    <Panel title="Agenda">
      <ol class="agenda">
        {agenda.slice(0, 20).map(({ due, kind, subject, does }) => (
          <li key={`${kind}${subject}`}>
            <Time at={due} /> <span>{does}</span> <small class="dim">{relativeTo(due, now.value)}</small>
          </li>
        ))}
      </ol>
    </Panel>
  )

/** The way of a kit to the customer and back. */
function Shipment({ life: { order } }: { life: OrderLife }) {
  const shipment = order.details.type === 'testkit' && order.details.data?.shipment
  if (!shipment) return null
  const leg = (courier: string | null, number: string | null, url: string | null) => (
    <>
      {courier ?? 'no courier yet'}{' '}
      {number && url && /^https?:/.test(url) ? (
        <a class="mono" href={url} target="_blank" rel="noreferrer">
          {number}
        </a>
      ) : (
        <Mono>{number}</Mono>
      )}
    </>
  )
  const { outbound_courier, outbound_tracking_number, outbound_tracking_url } = shipment
  const { inbound_courier, inbound_tracking_number, inbound_tracking_url } = shipment
  return (
    <Panel title="Shipment">
      <Facts
        facts={[
          ['To the customer', leg(outbound_courier, outbound_tracking_number, outbound_tracking_url)],
          ['To the laboratory', leg(inbound_courier, inbound_tracking_number, inbound_tracking_url)],
        ]}
      />
    </Panel>
  )
}

const rankOf = ({ interpretation }: ResultLine) => worstFirst.indexOf(interpretation ?? 'normal')

/** The reported results of an order, the most urgent first. */
function useResults(order: OrderLife['order'] | undefined): readonly ResultLine[] {
  const isReported =
    order !== undefined &&
    ['completed', 'sample_with_lab'].includes(phaseOf(order.last_event.status)) &&
    order.interpretation !== null
  const { body } = useData<Results>(isReported ? `/v3/order/${order.id}/result` : undefined)
  const results = Array.isArray(body?.results) ? (body.results as ResultLine[]) : []
  return [...results].sort((a, b) => rankOf(a) - rankOf(b))
}

/** The critical results, which stand above all else. */
function Critical({ results }: { results: readonly ResultLine[] }) {
  const critical = results.filter(({ interpretation }) => interpretation === 'critical')
  if (critical.length === 0) return null
  return (
    <ul class="banner lost critical" aria-label="Critical results">
      {critical.map(({ slug, name, result, unit, reference_range }) => (
        <li key={slug}>
          <Interpretation of="critical" />{' '}
          <b>
            {name} {result} {unit}
          </b>
          {reference_range && `, usual ${reference_range}`}
        </li>
      ))}
    </ul>
  )
}

/** The results, each with its range. */
function ResultPanel({ results }: { results: readonly ResultLine[] }) {
  if (results.length === 0) return null
  return (
    <Panel title="Result" note={countOf(results.length, 'value')}>
      <Table
        label="Result"
        columns={[[''], ['', 'num'], [''], ['', 'dim'], ['']]}
        rows={results}
        keyOf={({ slug }) => slug ?? ''}
        rowClass={({ interpretation }) => interpretation ?? ''}
        cells={(line) => [
          line.name,
          <>
            <b>{line.result}</b> <small class="dim">{line.unit}</small>
          </>,
          <Range line={line} />,
          line.reference_range,
          <Interpretation of={line.interpretation ?? null} />,
        ]}
      />
    </Panel>
  )
}

/** A value on a bar whose middle half is the usual range. */
function Range({ line: { value, min_range_value: low, max_range_value: high } }: { line: ResultLine }) {
  if (typeof value !== 'number' || typeof low !== 'number' || typeof high !== 'number' || high <= low)
    return null
  const at = Math.max(0, Math.min(1, (value - low) / (high - low) / 2 + 0.25))
  return (
    <svg class="range" viewBox="0 0 120 12" aria-hidden="true">
      <rect x="0" y="4.5" width="120" height="3" rx="1.5" class="all" />
      <rect x="30" y="4.5" width="60" height="3" rx="1.5" class="usual" />
      <circle cx={4 + at * 112} cy="6" r="4.2" />
    </svg>
  )
}

/** For download, since the content security policy lets the page show none. */
function Documents({ life: { documents } }: { life: OrderLife }) {
  const ready = documents.filter(({ available }) => available)
  if (ready.length === 0) return null
  return (
    <Panel title="Documents">
      <div class="row">
        {ready.map(({ name, path }) => (
          <Button key={path} onClick={() => download(name, path)}>
            {name} (PDF)
          </Button>
        ))}
      </div>
    </Panel>
  )
}

async function download(name: string, path: string): Promise<void> {
  const response = await send('GET', path)
  if (response.ok) saveAs(`${name.replaceAll(' ', '-')}.pdf`, await response.blob())
  else say({ title: `There is no ${name} yet`, lines: [await response.text()], isError: true })
}

function MessagesOf({ orderId }: { orderId: string }) {
  const path = withQuery('/_petri/webhooks/messages', {
    order_id: orderId,
    order: 'desc',
    fields: 'summary',
    limit: 12,
  })
  return (
    <Panel title="Webhooks it caused" aside={<Link to={`/webhooks?q=${orderId}`}>all</Link>}>
      <Table
        empty="None. Add an endpoint in Webhooks to receive later events."
        columns={[[''], [''], [''], ['', 'act']]}
        rows={useList<Message>(path)}
        keyOf={({ id }) => id}
        cells={({
          id,
          created_at,
          subject_status,
          event_type,
          status,
          last_status,
          last_error,
          last_advice,
          ...rest
        }) => [
          <Time at={created_at} />,
          <>
            <Link to={messageUrl(id)} class="mono" data-row="">
              {event_type}
            </Link>{' '}
            {subject_status && <small class="dim">{inWords(subject_status)}</small>}
            {status !== 'delivered' && last_error && (
              <div>
                <small class="warn" title={last_advice ?? undefined}>
                  not delivered: {last_error}
                </small>
              </div>
            )}
          </>,
          <>
            <Code status={last_status} />
            {rest.attempt_count > 1 && <small class="dim"> ×{rest.attempt_count}</small>}
          </>,
          <Button class="small" onClick={() => resend({ message_id: id })}>
            Resend
          </Button>,
        ]}
      />
    </Panel>
  )
}

function RequestsOf({ orderId }: { orderId: string }) {
  const path = withQuery('/_petri/requests', { order_id: orderId, order: 'desc', limit: 12 })
  return (
    <Panel title="Requests about it">
      <Table
        empty="None of the latest 1,000 calls."
        columns={[[''], [''], ['']]}
        rows={useList<Call>(path)}
        keyOf={({ id }) => id}
        cells={(request) => [
          <Time at={request.at} />,
          <>
            <Link to={`/requests/${request.id}`} class="mono" data-row="">
              {request.method} {request.path.replace(orderId, `${shortId(orderId)}…`)}
            </Link>
            {request.ignored_count > 0 && (
              <small class="warn"> {countOf(request.ignored_count, 'unknown field')}</small>
            )}
            {request.from && <small class="dim"> from this page</small>}
          </>,
          <Code status={request.status} />,
        ]}
      />
    </Panel>
  )
}
