import { call, send, withQuery } from '../api.ts'
import { useData } from '../data.ts'
import type { Call, Message, OrderLife, Page } from '../responses.ts'
import { attempt } from '../store.ts'
import { say } from '../toast.ts'
import { Code, Link, Panel, Scroll } from '../ui.tsx'
import { countOf, phaseOf, shortId, stampOf } from '../words.ts'

/** The webhooks an order caused, and what became of them. */
export function MessagesOf({ orderId }: { orderId: string }) {
  const path = withQuery('/_petri/webhooks/messages', {
    order_id: orderId,
    order: 'desc',
    fields: 'summary',
    limit: 50,
  })
  const { body } = useData<Page<Message>>(path)
  const messages = body?.data ?? []
  return (
    <Panel title="Webhooks it caused" aside={<Link to={`/webhooks?q=${orderId}`}>all</Link>}>
      {messages.length === 0 && (
        <p class="quiet">None; add an endpoint in Webhooks, and what happens from then on is sent there.</p>
      )}
      <table class="rows tight">
        <tbody>
          {messages.slice(0, 12).map((message) => (
            <tr key={message.id}>
              <td>
                <time dateTime={message.created_at}>{stampOf(message.created_at)}</time>
              </td>
              <td>
                <Link to={`/webhooks/${encodeURIComponent(message.id)}`} class="mono">
                  {message.event_type}
                </Link>
              </td>
              <td>
                <Code status={message.last_status} />
                {message.attempt_count > 1 && <small class="dim"> ×{message.attempt_count}</small>}
              </td>
              <td class="act">
                <button type="button" class="small" onClick={() => void resend(message.id)}>
                  Resend
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

export const resend = (id: string) =>
  attempt('Resending the message', () =>
    call('POST', `/_petri/webhooks/messages/${encodeURIComponent(id)}/resend`),
  )

/** The calls that mention an order. */
export function RequestsOf({ orderId }: { orderId: string }) {
  const path = withQuery('/_petri/requests', { order_id: orderId, order: 'desc', limit: 12 })
  const { body } = useData<Page<Call>>(path)
  const requests = body?.data ?? []
  return (
    <Panel title="Requests that touched it">
      {requests.length === 0 && <p class="quiet">None in the journal, which keeps the latest 1,000.</p>}
      <table class="rows tight">
        <tbody>
          {requests.map((request) => (
            <tr key={request.id}>
              <td>
                <time dateTime={request.at}>{stampOf(request.at)}</time>
              </td>
              <td>
                <Link to={`/requests/${request.id}`} class="mono">
                  {request.method} {request.path.replace(orderId, `${shortId(orderId)}…`)}
                </Link>
                {request.unread_count > 0 && <small class="warn"> {request.unread_count} unread</small>}
                {request.from && <small class="dim"> from this page</small>}
              </td>
              <td>
                <Code status={request.status} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

interface ResultLine {
  readonly slug: string
  readonly name: string
  readonly result: string
  readonly value: number | null
  readonly unit: string | null
  readonly interpretation: string | null
  readonly min_range_value: number | null
  readonly max_range_value: number | null
  readonly reference_range: string | null
}

const urgency = ['critical', 'abnormal', 'unknown', 'normal']
const rankOf = ({ interpretation }: ResultLine) => (urgency.indexOf(interpretation ?? 'normal') + 4) % 4

/** The results, the critical ones first, each against its range. */
export function ResultOf({ life: { order } }: { life: OrderLife }) {
  const isReported =
    ['completed', 'sample_with_lab'].includes(phaseOf(order.last_event.status)) &&
    order.interpretation !== null
  const { body } = useData<{ results: ResultLine[] | null }>(
    isReported ? `/v3/order/${order.id}/result` : undefined,
  )
  const lines = [...(body?.results ?? [])].sort((a, b) => rankOf(a) - rankOf(b))
  if (lines.length === 0) return null
  return (
    <Panel title="Result" aside={<span class="dim">{countOf(lines.length, 'value')}</span>}>
      <Scroll label="Result">
        <table class="rows tight results">
          <tbody>
            {lines.map((line) => (
              <tr key={line.slug} class={line.interpretation ?? ''}>
                <td>{line.name}</td>
                <td class="num">
                  <b>{line.result}</b> <small class="dim">{line.unit}</small>
                </td>
                <td>
                  <Range line={line} />
                </td>
                <td class="dim">{line.reference_range}</td>
                <td>
                  {line.interpretation !== 'normal' && (
                    <b class={`interpretation ${line.interpretation}`}>{line.interpretation}</b>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Panel>
  )
}

/** A value on a bar of which the middle half is what is usual. */
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

/** The way of a kit to the customer and back. */
export function Shipment({ life: { order } }: { life: OrderLife }) {
  const shipment = order.details.type === 'testkit' && order.details.data?.shipment
  if (!shipment) return null
  const ways = [
    [
      'To the customer',
      shipment.outbound_courier,
      shipment.outbound_tracking_number,
      shipment.outbound_tracking_url,
    ],
    [
      'To the laboratory',
      shipment.inbound_courier,
      shipment.inbound_tracking_number,
      shipment.inbound_tracking_url,
    ],
  ] as const
  return (
    <Panel title="Shipment">
      <dl class="facts">
        {ways.map(([way, courier, number, url]) => (
          <div key={way}>
            <dt>{way}</dt>
            <dd>
              {courier ?? 'no courier yet'}{' '}
              {number && url && /^https?:/.test(url) ? (
                <a class="mono" href={url} target="_blank" rel="noreferrer">
                  {number}
                </a>
              ) : (
                <span class="mono">{number}</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

/** The order's papers, for download: a page under a strict policy cannot show them itself. */
export function Documents({ life: { documents } }: { life: OrderLife }) {
  const ready = documents.filter(({ available }) => available)
  if (ready.length === 0) return null
  return (
    <Panel title="Documents">
      <div class="row">
        {ready.map(({ name, path }) => (
          <button key={path} type="button" onClick={() => void download(name, path)}>
            {name} (PDF)
          </button>
        ))}
      </div>
    </Panel>
  )
}

async function download(name: string, path: string): Promise<void> {
  const response = await send('GET', path)
  if (!response.ok) {
    say({ title: `There is no ${name} yet`, lines: [await response.text()], isError: true })
    return
  }
  saveAs(`${name.replaceAll(' ', '-')}.pdf`, await response.blob())
}

/** Hands a file to the browser. */
export function saveAs(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
