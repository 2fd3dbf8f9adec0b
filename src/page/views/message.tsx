import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { isSuccess } from '../../kernel/http-call.ts'
import { readableInstant, roughly } from '../../kernel/readable.ts'
import { quoted } from '../../kernel/shell.ts'
import { curlLine, wallNow, withQuery } from '../api.ts'
import {
  Button,
  Code,
  Copy,
  Empty,
  Facts,
  Id,
  JsonBlock,
  Link,
  Mono,
  Panel,
  StatusTag,
  useTabTitle,
} from '../components.tsx'
import { inWords, relativeTo } from '../format.ts'
import { Select, TextField } from '../forms.tsx'
import { showChange } from '../keyboard.ts'
import { Person } from '../people.tsx'
import { resend } from '../resend.ts'
import type { Attempt, Endpoint, ListPage, Message } from '../responses.ts'
import { type Signed, signatureOf, type Verdict, verdictTexts, verify } from '../signature.ts'
import { now, perform, useData } from '../store.ts'

interface MessageProps {
  readonly message: Message
  readonly endpoint: Endpoint | undefined
}

/** One message: its endpoint, its subject, each attempt and its signature. */
export function MessageDetail({ id, endpoints }: { id: string; endpoints: readonly Endpoint[] }) {
  const { body: message, error } = useData<Message>(`/_petri/webhooks/messages/${encodeURIComponent(id)}`)
  useTabTitle(`${message?.event_type ?? 'Message'} · Webhooks`)
  if (error && !message) return <Empty>{error.message}</Empty>
  if (!message) return null
  const endpoint = endpoints.find((each) => each.id === message.endpoint_id)
  return (
    <>
      <Panel
        title={<Mono>{message.event_type}</Mono>}
        aside={
          <Button class="primary small" onClick={() => resend({ message_id: id })}>
            Resend now
          </Button>
        }
      >
        <Attempts message={message} />
        <MessageFacts message={message} endpoint={endpoint} />
      </Panel>
      <Payload message={message} />
      <SignaturePanel message={message} endpoint={endpoint} />
    </>
  )
}

/** The body, in which what differs from another event about the same order is marked; at first from the one before. */
function Payload({
  message: { id, order_id, endpoint_id, event_type, payload },
}: Pick<MessageProps, 'message'>) {
  const path = withQuery('/_petri/webhooks/messages', { order_id, endpoint_id, order: 'desc', limit: 100 })
  const { body } = useData<ListPage<Message>>(order_id && path, false)
  const chosen = useSignal('')
  const all = body?.data ?? []
  const others = all.filter((each) => each.id !== id && each.payload)
  const earlier = all.slice(all.findIndex((each) => each.id === id) + 1)
  const family = event_type.replace(/[^.]+$/, '')
  const before =
    others.find((each) => each.id === chosen.value) ??
    earlier.find((each) => each.event_type.startsWith(family) && each.payload)
  return (
    <Panel
      title="Payload"
      aside={
        <>
          {before && (
            <span>
              <mark>changed</mark> since
            </span>
          )}
          {others.length > 0 && (
            <Select
              label="Compare with"
              options={[['', 'not compared'], ...others.map((each) => [each.id, eventName(each)] as const)]}
              value={before?.id ?? ''}
              onChange={(other) => {
                chosen.value = other
              }}
            />
          )}
          {before && (
            <Button class="small" onClick={() => showChange(1)}>
              Next change
            </Button>
          )}
          <Copy text={() => JSON.stringify(payload)} />
        </>
      }
    >
      <JsonBlock value={payload} label="Payload" {...(before && { before: before.payload })} />
    </Panel>
  )
}

const eventName = ({ subject_status, event_type, created_at }: Message) =>
  `${inWords(subject_status ?? event_type)}, ${readableInstant(created_at)}`

export const enable = ({ id }: Endpoint): Promise<unknown> =>
  perform('Enabling the endpoint', 'PATCH', `/_petri/webhooks/endpoints/${encodeURIComponent(id)}`, {
    disabled: false,
  })

function curlOf({ payload, attempts }: Message, endpoint: Endpoint | undefined): string {
  const headers = Object.entries(attempts.at(-1)?.request.headers ?? {}).filter(([name]) =>
    /^(svix-|content-type)/.test(name),
  )
  return curlLine(`POST ${quoted(endpoint?.url ?? '')}`, Object.fromEntries(headers), payload)
}

/** What caused a message without a recorded call. */
const causes = { call: 'a call that is not recorded', job: 'time passing' }

const tones = { delivered: 'completed', failed: 'failed', pending: 'attention', no_endpoint: 'cancelled' }

const MessageFacts = ({ message, endpoint }: MessageProps) => (
  <Facts
    facts={[
      ['svix-id', <Mono>{message.svix_id}</Mono>],
      ['Endpoint', <EndpointFact endpoint={endpoint} />],
      ['Status', <StatusTag status={message.status} tone={tones[message.status]} />],
      ['Reason', message.status === 'delivered' ? null : message.last_error],
      ['What to do', message.status === 'delivered' ? null : message.last_advice],
      [
        'About',
        <>
          {message.order_id && (
            <Link to={`/orders/${message.order_id}`}>
              order <Id id={message.order_id} />
            </Link>
          )}{' '}
          {message.user_id && (
            <Link to={`/users/${message.user_id}`}>
              <Person id={message.user_id} />
            </Link>
          )}
        </>,
      ],
      [
        'Caused by',
        message.request_id ? (
          <Link to={`/requests/${message.request_id}`}>a request</Link>
        ) : (
          causes[message.caused_by]
        ),
      ],
      [
        'Next attempt',
        message.next_attempt_at && (
          <span data-next-attempt={message.next_attempt_at}>
            {relativeTo(message.next_attempt_at, now.value)}, at {readableInstant(message.next_attempt_at)}
          </span>
        ),
      ],
      ['The call', <Copy text={() => curlOf(message, endpoint)}>Copy as curl</Copy>],
    ]}
  />
)

function EndpointFact({ endpoint }: { endpoint: Endpoint | undefined }) {
  if (!endpoint) return <Mono>removed</Mono>
  return (
    <>
      <Mono>{endpoint.url}</Mono>
      {endpoint.disabled && (
        <Link to="/webhooks?tab=endpoints" class="warn">
          {' '}
          disabled
        </Link>
      )}
    </>
  )
}

/** All attempts on a line of time, the last one open. */
function Attempts({ message: { attempts } }: { message: Message }) {
  if (attempts.length === 0) return <p class="quiet">No attempt yet.</p>
  return (
    <ol class="attempts">
      {attempts.map((attempt, at) => (
        <li key={at} class={isSuccess(attempt.status) ? 'delivered' : 'refused'}>
          <details open={at === attempts.length - 1}>
            <summary>
              <b>#{at + 1}</b> <Code status={attempt.status} />{' '}
              <time dateTime={attempt.at}>{readableInstant(attempt.at)}</time>
              <Waited before={attempts[at - 1]} attempt={attempt} />{' '}
              <span>{attempt.error ?? 'Accepted by the receiver'}</span>
              {attempt.manual && <small class="dim"> manually</small>}
              {attempt.marks?.map((mark) => (
                <small key={mark} class="warn">
                  {' '}
                  {mark}
                </small>
              ))}
              {attempt.duration_ms > 0 && <small class="dim"> took {attempt.duration_ms} ms</small>}
            </summary>
            {attempt.response && (
              <JsonBlock value={attempt.response.body || '(empty)'} label="Response body" />
            )}
            <details>
              <summary>Headers</summary>
              <JsonBlock value={attempt.request.headers} label="Request headers" />
              {attempt.response && <JsonBlock value={attempt.response.headers} label="Response headers" />}
            </details>
          </details>
        </li>
      ))}
    </ol>
  )
}

/** The wait since the attempt before. */
const Waited = ({ before, attempt }: { before: Attempt | undefined; attempt: Attempt }) =>
  before ? <small class="dim"> {roughly(Date.parse(attempt.at) - Date.parse(before.at))} later</small> : null

/** The steps of the signature with the values of this message, and whether a secret verifies it. */
function SignaturePanel({ message, endpoint }: MessageProps) {
  const attempt = message.attempts.at(-1)
  const pasted = useSignal('')
  const verdict = useSignal<Verdict | undefined>(undefined)
  const expected = useSignal('')
  const secret = pasted.value || endpoint?.secret || ''
  const signed = attempt && signedOf(message, attempt)
  useEffect(() => {
    if (!signed || secret === '') return
    void verify(secret, signed, deliveredAt(attempt)).then((result) => {
      verdict.value = result
    })
    if (!globalThis.crypto?.subtle) return
    void signatureOf(secret, signed)
      .catch(() => 'not a secret: it is not base64')
      .then((text) => {
        expected.value = text
      })
  }, [secret, signed?.signatures])
  if (!signed) return null
  return (
    <Panel
      title="Signature"
      aside={verdict.value && <span class={`verdict ${verdict.value}`}>{verdictTexts[verdict.value]}</span>}
    >
      <ol class="steps-list">
        <SignatureStep name="Signed text" value="svix-id.svix-timestamp.body">
          {`${signed.id}.${signed.timestamp}.${signed.body.slice(0, 60)}…`}
        </SignatureStep>
        <SignatureStep name="Key" value="base64 of what follows whsec_">
          {pasted.value ? 'the secret you pasted' : "this endpoint's secret"}
        </SignatureStep>
        <SignatureStep name="HMAC-SHA256" value={expected.value}>
          the header says {signed.signatures}
        </SignatureStep>
        <SignatureStep name="Age" value="within 5 minutes of the real time">
          it is signed with the real time, which the clock of Petri does not change
        </SignatureStep>
      </ol>
      <TextField
        label="Paste your secret to check it"
        autocomplete="off"
        placeholder="whsec_…"
        value={pasted.value}
        onChange={(typed) => {
          pasted.value = typed.trim()
        }}
      />
      <p class="dim">
        If a signature does not verify, the body was usually parsed and serialised again, the secret is
        another one, or a clock is wrong.
      </p>
    </Panel>
  )
}

interface StepProps {
  readonly name: string
  readonly value: string
  readonly children: ComponentChildren
}

const SignatureStep = ({ name, value, children }: StepProps) => (
  <li>
    <b>{name}</b>
    <Mono>{value}</Mono>
    <small class="dim">{children}</small>
  </li>
)

function signedOf({ svix_id, payload }: Message, { request: { headers } }: Attempt): Signed | undefined {
  const timestamp = headers['svix-timestamp']
  const signatures = headers['svix-signature']
  if (!timestamp || !signatures) return undefined
  return { id: svix_id, timestamp, signatures, body: JSON.stringify(payload) }
}

/** The wall-clock time of a delivery; in a frozen world only the signature has it. */
function deliveredAt({ marks, request: { headers } }: Attempt): number {
  const isStale = marks?.some((mark) => mark.includes('stale'))
  return isStale ? wallNow() : Number(headers['svix-timestamp']) * 1000
}
