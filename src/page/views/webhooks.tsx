import { parseDuration } from '../../kernel/duration.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { readableDuration, readableInstant } from '../../kernel/readable.ts'
import { petriLine, withQuery } from '../api.ts'
import {
  Button,
  Code,
  Copy,
  Dim,
  Empty,
  Facts,
  Link,
  ListItem,
  Mono,
  messageUrl,
  Name,
  Panel,
  Secret,
  Split,
  StatusTag,
  Tabs,
  Title,
} from '../components.tsx'
import { countOf, inWords, relativeTo, shortId } from '../format.ts'
import { Check, Form, Opens, SearchBy, SelectBy, Submit, TextField, useForm } from '../forms.tsx'
import { parameter, query } from '../navigation.ts'
import { Person } from '../people.tsx'
import { resend } from '../resend.ts'
import type { Endpoint, ListPage, Message } from '../responses.ts'
import { now, perform, useData, useFields, useList } from '../store.ts'
import { isSet, webhookFaults } from '../webhook-faults.ts'
import { enable, MessageDetail } from './message.tsx'
import { Trigger } from './trigger.tsx'

const ENDPOINTS = '/_petri/webhooks/endpoints'
const FAULTS = '/_petri/webhooks/faults'

const STATUSES = [
  ['', 'All'],
  ['failing', 'Failing'],
  ['pending', 'Pending'],
  ['delivered', 'Delivered'],
  ['failed', 'Given up'],
] as const

/** The endpoints, or what was sent to them. */
export function WebhooksView({ id }: { id: string | undefined }) {
  const { body: known } = useData<ListPage<Endpoint>>(ENDPOINTS)
  const endpoints = known?.data ?? []
  const isAboutEndpoints = id === undefined && parameter('tab') === 'endpoints'
  const disabled = endpoints.filter((each) => each.disabled).length
  return (
    <>
      <Title
        title="Webhooks"
        tab={isAboutEndpoints ? 'Endpoints · Webhooks' : 'Webhooks'}
        shows={isAboutEndpoints ? ENDPOINTS : messagesPath()}
      >
        {!isAboutEndpoints && (
          <>
            <SearchBy name="q" label="Search messages" placeholder="event type, order…" />
            <SelectBy name="status" label="Status" options={STATUSES} />
            <ResendAll />
          </>
        )}
        <Opens dialog="trigger" class="primary">
          Trigger an event
        </Opens>
      </Title>
      <Trigger />
      <Tabs
        label="Webhooks"
        tabs={[
          ['/webhooks', 'Deliveries', !isAboutEndpoints],
          [
            '/webhooks?tab=endpoints',
            <>
              Endpoints <small>{endpoints.length}</small>
              {disabled > 0 && <small class="warn"> {disabled} disabled</small>}
            </>,
            isAboutEndpoints,
          ],
        ]}
      />
      {isAboutEndpoints ? (
        <EndpointsTab endpoints={endpoints} />
      ) : (
        <DeliveriesTab id={id} endpoints={endpoints} isKnown={known !== undefined} />
      )}
    </>
  )
}

const messagesPath = () =>
  withQuery('/_petri/webhooks/messages', {
    order: 'desc',
    fields: 'summary',
    limit: 100,
    q: parameter('q'),
    status: parameter('status'),
    endpoint_id: parameter('endpoint'),
  })

interface DeliveriesProps {
  readonly id: string | undefined
  readonly endpoints: readonly Endpoint[]
  readonly isKnown: boolean
}

/** The messages of the log, next to the chosen one. */
function DeliveriesTab({ id, endpoints, isKnown }: DeliveriesProps) {
  const { body } = useData<ListPage<Message>>(messagesPath())
  const messages = body?.data ?? []
  const chosen = id ?? messages[0]?.id
  const isFiltered = ['q', 'status', 'endpoint'].some((name) => parameter(name) !== '')
  if (!body || !isKnown) return null
  if (messages.length === 0) return <NoMessages hasEndpoints={endpoints.length > 0} isFiltered={isFiltered} />
  return (
    <Split
      label="Messages"
      back={id && `/webhooks?${query.value}`}
      list={
        <>
          {messages.map((message) => (
            <MessageItem
              key={message.id}
              message={message}
              receiver={endpoints.length > 1 ? receiverOf(message, endpoints) : undefined}
              isChosen={message.id === chosen}
            />
          ))}
          {body.next_cursor && <p class="quiet">These are the newest {messages.length}.</p>}
        </>
      }
    >
      {chosen && <MessageDetail key={chosen} id={chosen} endpoints={endpoints} />}
    </Split>
  )
}

function NoMessages({ hasEndpoints, isFiltered }: { hasEndpoints: boolean; isFiltered: boolean }) {
  if (isFiltered) return <Empty>No message matches these filters.</Empty>
  if (hasEndpoints)
    return <Empty>No message yet. Events of orders and users are sent to the endpoints.</Empty>
  return (
    <>
      <AddEndpoint />
      <Empty line={petriLine('listen --add')}>
        There is no endpoint, so nothing is sent. This command adds one that prints what it receives:
      </Empty>
    </>
  )
}

const FAILING = withQuery('/_petri/webhooks/messages', { status: 'failing', fields: 'summary', limit: 100 })

/** `Resend 3 webhooks`, if so many were given up or were refused and wait. */
function ResendAll() {
  const { body } = useData<ListPage<Message>>(FAILING)
  const count = body?.data.length ?? 0
  if (count === 0) return null
  const webhooks = body?.next_cursor ? 'all failing webhooks' : countOf(count, 'webhook')
  return <Button onClick={() => resend({})}>Resend {webhooks}</Button>
}

interface MessageItemProps {
  readonly message: Message
  /** If the world has several. */
  readonly receiver: string | undefined
  readonly isChosen: boolean
}

function receiverOf({ endpoint_id }: Message, endpoints: readonly Endpoint[]): string {
  const endpoint = endpoints.find(({ id }) => id === endpoint_id)
  return endpoint?.description ?? endpoint?.url.replace(/^https?:\/\//, '') ?? shortId(endpoint_id)
}

function MessageItem({ message, receiver, isChosen }: MessageItemProps) {
  const { id, event_type, subject_status, user_id, created_at, attempt_count } = message
  const { status, last_error, next_attempt_at } = message
  return (
    <ListItem
      to={`${messageUrl(id)}?${query.value}`}
      isChosen={isChosen}
      lead={<Code status={message.last_status} />}
      title={<Name text={event_type} />}
      note={
        <>
          {subject_status && <b>{inWords(subject_status)} </b>}
          {user_id && <Person id={user_id} />}
          {receiver && ` · ${receiver}`}
          {status !== 'delivered' && last_error && <span class="warn"> · {last_error}</span>}
        </>
      }
      end={
        <span class="end">
          <time dateTime={created_at}>{readableInstant(created_at)}</time>
          {attempt_count > 1 && <small class="warn">{attempt_count} attempts</small>}
          {attempt_count > 0 && next_attempt_at && (
            <small class="dim">next {relativeTo(next_attempt_at, now.value)}</small>
          )}
        </span>
      }
    />
  )
}

const EndpointsTab = ({ endpoints }: { endpoints: readonly Endpoint[] }) => (
  <>
    <AddEndpoint />
    {endpoints.map((endpoint) => (
      <EndpointPanel key={endpoint.id} endpoint={endpoint} />
    ))}
    <WebhookFaults />
  </>
)

const MOST_COUNTED = 100

function EndpointPanel({ endpoint }: { endpoint: Endpoint }) {
  const { id, url, description, disabled, disabled_reason, event_types, secret } = endpoint
  const path = `${ENDPOINTS}/${encodeURIComponent(id)}`
  return (
    <Panel
      title={<Mono>{url}</Mono>}
      aside={
        <>
          {description && <Dim>{description}</Dim>}
          <HealthTag endpoint={endpoint} />
        </>
      }
    >
      {disabled && (
        <p class="note warn row">
          <span class="grow">{disabled_reason}.</span>
          <Button class="primary" onClick={() => enable(endpoint)}>
            Enable
          </Button>
          <Copy text={petriLine(`webhook enable ${id}`)}>Copy as command</Copy>
        </p>
      )}
      <Facts
        facts={[
          ['Events', event_types ? event_types.join(', ') : 'all'],
          ...useDeliveryFacts(endpoint),
          ['Secret', <Secret value={secret} />],
        ]}
      />
      <div class="row">
        {!disabled && (
          <>
            <Button class="small" onClick={() => resend({ endpoint_id: id })}>
              Resend
            </Button>
            <Button
              class="small"
              onClick={() => perform('Disabling the endpoint', 'PATCH', path, { disabled: true })}
            >
              Disable
            </Button>
          </>
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
    </Panel>
  )
}

/** Whether an endpoint takes what it is sent. */
function HealthTag({ endpoint: { disabled, failing_since } }: { endpoint: Endpoint }) {
  if (disabled) return <StatusTag status="disabled" tone="failed" />
  if (failing_since)
    return (
      <>
        <StatusTag status="failing" tone="attention" />
        <Dim>since {readableInstant(failing_since)}</Dim>
      </>
    )
  return <StatusTag status="healthy" tone="completed" />
}

/** The latest deliveries and failures of an endpoint. */
function useDeliveryFacts({ id, disabled }: Endpoint) {
  const newest = { order: 'desc', fields: 'summary', endpoint_id: id }
  const path = '/_petri/webhooks/messages'
  const { body: failing } = useData<ListPage<Message>>(
    withQuery(path, { ...newest, status: 'failing', limit: MOST_COUNTED }),
  )
  const [taken] = useList<Message>(withQuery(path, { ...newest, status: 'delivered', limit: 1 }))
  const failed = failing?.data ?? []
  const [last] = failed
  const next = failed
    .map(({ next_attempt_at }) => next_attempt_at ?? '')
    .filter(Boolean)
    .sort()[0]
  return [
    ['Last delivered', taken ? readableInstant(taken.created_at) : 'nothing yet'],
    [
      'Not delivered',
      failed.length > 0 && (
        <Link to={`/webhooks?status=failing&endpoint=${id}`}>
          {failing?.next_cursor ? `${MOST_COUNTED} messages or more` : countOf(failed.length, 'message')}
        </Link>
      ),
    ],
    ['Reason', !disabled && last?.last_error],
    ['Next attempt', next && `${relativeTo(next, now.value)}, ${readableInstant(next)}`],
  ] as const
}

function AddEndpoint() {
  const form = useForm('endpoint', { url: '', types: '' })
  const { url, types } = form.values
  const event_types = types.split(/[\s,]+/).filter(Boolean)
  const body = { url, event_types: event_types.length > 0 ? event_types : undefined }
  return (
    <Panel title="Add an endpoint">
      <Form
        class="row"
        errors={form.errors}
        onSubmit={() => form.send('Adding the endpoint', 'POST', ENDPOINTS, body)}
      >
        <TextField
          label="URL"
          type="url"
          size={34}
          required
          placeholder="http://127.0.0.1:3000/webhooks"
          {...form.bind('url')}
        />
        <TextField
          label="Event types; all if empty"
          placeholder="labtest.order.updated"
          {...form.bind('types')}
        />
        <Submit curl={['POST', ENDPOINTS, body]}>Add</Submit>
      </Form>
    </Panel>
  )
}

/** How many, or how long; nothing for a fault that is only on or off. */
function RuleValue({ value }: { value: unknown }) {
  if (typeof value === 'boolean') return null
  const durationMs = typeof value === 'string' ? parseDuration(value) : undefined
  return <> ({durationMs === undefined ? String(value) : readableDuration(durationMs)})</>
}

function WebhookFaults() {
  const { body: rules = {} } = useData<JsonObject>(FAULTS)
  const fields = useFields('WebhookFaultsInput')
  const set = (name: string, value: unknown) => {
    const kept = webhookFaults.map(([each]) => [each, rules[each]] as const).filter(([, each]) => isSet(each))
    return perform('Changing the webhook faults', 'PUT', FAULTS, {
      ...Object.fromEntries(kept),
      [name]: value,
    })
  }
  return (
    <Panel title="Webhook faults" note="to all endpoints of this world">
      <ul class="switches">
        {webhookFaults.map(([name, value]) => (
          <li key={name}>
            <Check
              checked={isSet(rules[name])}
              onChange={(checked) => void set(name, checked ? value : undefined)}
            >
              {inWords(name)}
              <RuleValue value={isSet(rules[name]) ? rules[name] : value} />
            </Check>
            <small class="dim">{fields[name]?.description}</small>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
