import { call, withQuery } from '../api.ts'
import { useData } from '../data.ts'
import { Opens } from '../dialog.tsx'
import { Search, Select } from '../forms.tsx'
import type { Endpoint, Message, Page } from '../responses.ts'
import { query, setQuery } from '../route.ts'
import { attempt, clock } from '../store.ts'
import { say } from '../toast.ts'
import { Code, Empty, Link, Name, Title } from '../ui.tsx'
import { countOf, shortId, stampOf } from '../words.ts'
import { DeliveryRules } from './delivery-rules.tsx'
import { Endpoints } from './endpoints.tsx'
import { MessageDetail } from './message.tsx'
import { Trigger } from './trigger.tsx'

const DAY_MS = 86_400_000

const STATUSES = [
  ['', 'All'],
  ['failing', 'Failing'],
  ['pending', 'Pending'],
  ['delivered', 'Delivered'],
  ['failed', 'Given up'],
] as const

/** The messages of the log beside the one that is looked at. */
export function WebhooksView({ id }: { id: string | undefined }) {
  const [q, wanted] = [query.value.get('q') ?? '', query.value.get('status') ?? '']
  const status = wanted === 'failing' ? '' : wanted
  const path = withQuery('/_petri/webhooks/messages', {
    order: 'desc',
    fields: 'summary',
    limit: 100,
    q,
    status,
  })
  const { body } = useData<Page<Message>>(path)
  const { body: known } = useData<Page<Endpoint>>('/_petri/webhooks/endpoints')
  const all = body?.data ?? []
  const messages = wanted === 'failing' ? all.filter(isFailing) : all
  const endpoints = known?.data ?? []
  const chosen = id ?? messages[0]?.id
  return (
    <>
      <Title
        title="Webhooks"
        note={`${body?.next_cursor ? 'the newest ' : ''}${countOf(messages.length, 'message')}, ${countOf(endpoints.length, 'endpoint')}`}
        shows={path}
      >
        <Search
          label="Search messages"
          placeholder="event type, order…"
          value={q}
          onChange={(text) => setQuery({ q: text })}
        />
        <Select
          label="Status"
          value={wanted}
          options={STATUSES}
          onChange={(value) => setQuery({ status: value })}
        />
        <button type="button" onClick={() => void resendFailed()}>
          Resend failed
        </button>
        <Opens dialog="trigger" class="primary">
          Trigger an event
        </Opens>
      </Title>
      <Trigger />
      {body && known && messages.length === 0 && (
        <Nothing hasEndpoints={endpoints.length > 0} isFiltered={q !== '' || wanted !== ''} />
      )}
      {messages.length > 0 && (
        <div class="split">
          <MessageList messages={messages} endpoints={endpoints} chosen={chosen} />
          <div class="detail">
            {chosen && <MessageDetail key={chosen} id={chosen} endpoints={endpoints} />}
          </div>
        </div>
      )}
      <div class="cols">
        <Endpoints endpoints={endpoints} />
        <DeliveryRules />
      </div>
    </>
  )
}

const isFailing = ({ status, attempt_count }: Message) =>
  status === 'failed' || (status === 'pending' && attempt_count > 0)

const Nothing = ({ hasEndpoints, isFiltered }: { hasEndpoints: boolean; isFiltered: boolean }) => (
  <Empty {...(!hasEndpoints && { line: 'petri webhook listen --add' })}>
    {isFiltered
      ? 'No message passes these filters.'
      : hasEndpoints
        ? 'No message yet. What happens to orders and users from now on is sent to the endpoints below.'
        : 'There is no endpoint, so nothing is sent. Add one below, or let the command add one and print what comes.'}
  </Empty>
)

async function resendFailed(): Promise<void> {
  const since = new Date(Date.parse(clock.value?.now ?? '') - 30 * DAY_MS).toISOString()
  const done = await attempt('Resending the failed messages', () =>
    call<{ resent: number }>('POST', '/_petri/webhooks/recover', { since }),
  )
  if (done)
    say({
      title: `${countOf(done.resent, 'message')} tried again`,
      lines: ['All that failed in the last 30 days.'],
    })
}

interface ListProps {
  readonly messages: readonly Message[]
  readonly endpoints: readonly Endpoint[]
  readonly chosen: string | undefined
}

function MessageList({ messages, endpoints, chosen }: ListProps) {
  const nameOf = (id: string) => {
    const endpoint = endpoints.find((each) => each.id === id)
    return endpoint?.description ?? endpoint?.url.replace(/^https?:\/\//, '') ?? shortId(id)
  }
  return (
    <nav class="list" aria-label="Messages">
      {messages.map((message) => (
        <Link
          key={message.id}
          data-row=""
          to={`/webhooks/${encodeURIComponent(message.id)}?${query.value}`}
          aria-current={message.id === chosen ? 'true' : undefined}
        >
          <Code status={message.last_status} />
          <span>
            <b class="mono">
              <Name text={message.event_type} />
            </b>
            <small class="dim">
              {nameOf(message.endpoint_id)} ·{' '}
              {message.order_id
                ? `order ${shortId(message.order_id)}`
                : `user ${shortId(message.user_id ?? '')}`}
            </small>
          </span>
          <span class="end">
            <time dateTime={message.created_at}>{stampOf(message.created_at).slice(4)}</time>
            {message.attempt_count > 1 && <small class="warn">{message.attempt_count} attempts</small>}
          </span>
        </Link>
      ))}
    </nav>
  )
}
