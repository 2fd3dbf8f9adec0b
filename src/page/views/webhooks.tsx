import { petriLine, withQuery } from '../api.ts'
import {
  Button,
  Code,
  Empty,
  ListItem,
  messageUrl,
  Name,
  Panel,
  Secret,
  Split,
  Title,
} from '../components.tsx'
import { deliveryRules, isSet } from '../delivery-rules.ts'
import { countOf, DAY_MS, inWords, relativeTo, shortId, stampOf } from '../format.ts'
import { Check, Form, Opens, SearchBy, SelectBy, Submit, TextField, useForm } from '../forms.tsx'
import { parameter, query } from '../navigation.ts'
import type { Endpoint, Message, Page, Recovered } from '../responses.ts'
import { clock, now, perform, say, useData, useFields } from '../store.ts'
import { enable, MessageDetail, retry } from './message.tsx'
import { Trigger } from './trigger.tsx'

const ENDPOINTS = '/_petri/webhooks/endpoints'
const DELIVERY = '/_petri/webhooks/delivery'

const STATUSES = [
  ['', 'All'],
  ['failing', 'Failing'],
  ['pending', 'Pending'],
  ['delivered', 'Delivered'],
  ['failed', 'Given up'],
] as const

/** The messages of the log, beside the chosen one. */
export function WebhooksView({ id }: { id: string | undefined }) {
  const q = parameter('q')
  const wanted = parameter('status')
  const path = withQuery('/_petri/webhooks/messages', {
    order: 'desc',
    fields: 'summary',
    limit: 100,
    q,
    status: wanted,
  })
  const { body } = useData<Page<Message>>(path)
  const { body: known } = useData<Page<Endpoint>>(ENDPOINTS)
  const messages = body?.data ?? []
  const endpoints = known?.data ?? []
  const chosen = id ?? messages[0]?.id
  const newest = body?.next_cursor ? 'the newest ' : ''
  return (
    <>
      <Title
        title="Webhooks"
        note={`${newest}${countOf(messages.length, 'message')}, ${countOf(endpoints.length, 'endpoint')}`}
        shows={path}
      >
        <SearchBy name="q" label="Search messages" placeholder="event type, order…" />
        <SelectBy name="status" label="Status" options={STATUSES} />
        <Button onClick={() => retry({})}>Retry waiting</Button>
        <Button onClick={resendFailed}>Resend failed</Button>
        <Opens dialog="trigger" class="primary">
          Trigger an event
        </Opens>
      </Title>
      <Trigger />
      {body && known && messages.length === 0 && (
        <NoMessages hasEndpoints={endpoints.length > 0} isFiltered={q !== '' || wanted !== ''} />
      )}
      {messages.length > 0 && (
        <Split
          label="Messages"
          list={messages.map((message) => (
            <MessageItem
              key={message.id}
              message={message}
              endpoint={endpoints.find(({ id }) => id === message.endpoint_id)}
              isChosen={message.id === chosen}
            />
          ))}
        >
          {chosen && <MessageDetail key={chosen} id={chosen} endpoints={endpoints} />}
        </Split>
      )}
      <div class="cols">
        <Endpoints endpoints={endpoints} />
        <DeliveryRules />
      </div>
    </>
  )
}

function NoMessages({ hasEndpoints, isFiltered }: { hasEndpoints: boolean; isFiltered: boolean }) {
  if (isFiltered) return <Empty>No message matches these filters.</Empty>
  if (hasEndpoints)
    return <Empty>No message yet. Events of orders and users are sent to the endpoints below.</Empty>
  return (
    <Empty line={petriLine('webhook listen --add')}>
      There is no endpoint, so nothing is sent. Add one below, or run the command to add one that prints what
      it receives.
    </Empty>
  )
}

async function resendFailed(): Promise<void> {
  const since = new Date(Date.parse(clock.value?.now ?? '') - 30 * DAY_MS).toISOString()
  const path = '/_petri/webhooks/recover'
  const done = await perform<Recovered>('Resending the failed messages', 'POST', path, { since })
  if (done)
    say({
      title: `${countOf(done.resent, 'message')} resent`,
      lines: [done.reason ?? 'All that failed in the last 30 days.'],
    })
}

interface MessageItemProps {
  readonly message: Message
  readonly endpoint: Endpoint | undefined
  readonly isChosen: boolean
}

function MessageItem({ message, endpoint, isChosen }: MessageItemProps) {
  const { id, order_id, user_id, created_at, attempt_count, status, last_error, next_attempt_at } = message
  const to =
    endpoint?.description ?? endpoint?.url.replace(/^https?:\/\//, '') ?? shortId(message.endpoint_id)
  const about = order_id ? `order ${shortId(order_id)}` : `user ${shortId(user_id ?? '')}`
  return (
    <ListItem
      to={`${messageUrl(id)}?${query.value}`}
      isChosen={isChosen}
      lead={<Code status={message.last_status} />}
      title={<Name text={message.event_type} />}
      note={
        <>
          {to} · {about}
          {status !== 'delivered' && last_error && <span class="warn"> · {last_error}</span>}
        </>
      }
      end={
        <span class="end">
          <time dateTime={created_at}>{stampOf(created_at).slice(4)}</time>
          {attempt_count > 1 && <small class="warn">{attempt_count} attempts</small>}
          {attempt_count > 0 && next_attempt_at && (
            <small class="dim">next {relativeTo(next_attempt_at, now.value)}</small>
          )}
        </span>
      }
    />
  )
}

const Endpoints = ({ endpoints }: { endpoints: readonly Endpoint[] }) => (
  <Panel title="Endpoints" note={endpoints.length}>
    <ul class="endpoints">
      {endpoints.map((endpoint) => (
        <EndpointItem key={endpoint.id} endpoint={endpoint} />
      ))}
    </ul>
    <NewEndpoint />
  </Panel>
)

function EndpointItem({ endpoint }: { endpoint: Endpoint }) {
  const { id, url, disabled, disabled_reason, event_types, secret } = endpoint
  const path = `${ENDPOINTS}/${encodeURIComponent(id)}`
  return (
    <li>
      <code class="break">{url}</code>
      <small class="dim">
        {disabled ? 'disabled' : 'enabled'} · {event_types ? event_types.join(', ') : 'all events'}
      </small>
      {disabled && (
        <small class="warn">
          {disabled_reason}. Enable it here, or run <code>npx petri-sandbox webhook enable {id}</code>.
        </small>
      )}
      <Secret value={secret} />
      <div class="row">
        <Button
          class="small"
          onClick={() =>
            disabled ? enable(endpoint) : perform('Disabling the endpoint', 'PATCH', path, { disabled: true })
          }
        >
          {disabled ? 'Enable' : 'Disable'}
        </Button>
        {!disabled && (
          <Button class="small" onClick={() => retry({ endpoint_id: id })}>
            Retry now
          </Button>
        )}
        <Button
          class="small"
          onClick={() => perform('Creating a new secret', 'POST', `${path}/rotate-secret`)}
        >
          New secret
        </Button>
        <Button class="small danger" onClick={() => perform('Removing the endpoint', 'DELETE', path)}>
          Remove
        </Button>
      </div>
    </li>
  )
}

function NewEndpoint() {
  const form = useForm('endpoint', { url: '', types: '' })
  const { url, types } = form.values
  const event_types = types.split(/[\s,]+/).filter(Boolean)
  const body = { url, ...(event_types.length > 0 && { event_types }) }
  return (
    <Form onSubmit={() => form.send('Adding the endpoint', 'POST', ENDPOINTS, body)}>
      <TextField
        label="URL of a new endpoint"
        type="url"
        required
        placeholder="http://127.0.0.1:3000/webhooks"
        {...form.bind('url')}
      />
      <TextField
        label="Event types; all if empty"
        placeholder="labtest.order.updated"
        {...form.bind('types')}
      />
      <Submit>Add</Submit>
    </Form>
  )
}

function DeliveryRules() {
  const { body: rules = {} } = useData<Record<string, unknown>>(DELIVERY)
  const fields = useFields('WebhookDeliveryInput')
  const set = (name: string, value: unknown) => {
    const kept = deliveryRules.map(([each]) => [each, rules[each]] as const).filter(([, each]) => isSet(each))
    return perform('Changing the deliveries', 'PUT', DELIVERY, { ...Object.fromEntries(kept), [name]: value })
  }
  return (
    <Panel title="Delivery faults" note="in this world">
      <ul class="switches">
        {deliveryRules.map(([name, value]) => (
          <li key={name}>
            <Check
              checked={isSet(rules[name])}
              onChange={(checked) => void set(name, checked ? value : undefined)}
            >
              {inWords(name)}
            </Check>
            <small class="dim">{fields[name]?.description}</small>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
