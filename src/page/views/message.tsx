import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { quoted, wallNow } from '../api.ts'
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
  Time,
} from '../components.tsx'
import { relativeTo } from '../format.ts'
import { TextField } from '../forms.tsx'
import type { Attempt, Endpoint, Message } from '../responses.ts'
import { type Signed, signatureOf, type Verdict, verdictTexts, verify } from '../signature.ts'
import { now, useData } from '../store.ts'
import { resend } from './order.tsx'

interface MessageProps {
  readonly message: Message
  readonly endpoint: Endpoint | undefined
}

/** One message: its endpoint, its subject, each attempt and its signature. */
export function MessageDetail({ id, endpoints }: { id: string; endpoints: readonly Endpoint[] }) {
  const { body: message, error } = useData<Message>(`/_petri/webhooks/messages/${encodeURIComponent(id)}`)
  if (error && !message) return <Empty>{error.message}</Empty>
  if (!message) return null
  const endpoint = endpoints.find((each) => each.id === message.endpoint_id)
  return (
    <>
      <Panel
        title={<Mono>{message.event_type}</Mono>}
        aside={
          <>
            <Copy text={() => curlOf(message, endpoint)}>Copy as curl</Copy>
            <Button class="primary small" onClick={() => resend(id)}>
              Resend now
            </Button>
          </>
        }
      >
        <MessageFacts message={message} endpoint={endpoint} />
        <h3>Attempts</h3>
        <Attempts message={message} />
      </Panel>
      <SignaturePanel message={message} endpoint={endpoint} />
      <Panel title="Payload" aside={<Copy text={() => JSON.stringify(message.payload)} />}>
        <JsonBlock value={message.payload} label="Payload" />
      </Panel>
    </>
  )
}

function curlOf({ payload, attempts }: Message, endpoint: Endpoint | undefined): string {
  const headers = Object.entries(attempts.at(-1)?.request.headers ?? {})
  return [
    `curl -sS -X POST ${quoted(endpoint?.url ?? '')}`,
    ...headers
      .filter(([name]) => /^(svix-|content-type)/.test(name))
      .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `-d ${quoted(JSON.stringify(payload))}`,
  ].join(' ')
}

const tones = { delivered: 'completed', failed: 'failed', pending: 'attention' }

const MessageFacts = ({ message, endpoint }: MessageProps) => (
  <Facts
    facts={[
      ['svix-id', <Mono>{message.svix_id}</Mono>],
      ['Endpoint', <Mono>{endpoint?.url ?? 'removed'}</Mono>],
      ['Status', <StatusTag status={message.status} tone={tones[message.status]} />],
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
              user <Id id={message.user_id} />
            </Link>
          )}
        </>,
      ],
      [
        'Caused by',
        message.request_id ? (
          <Link to={`/requests/${message.request_id}`}>a request</Link>
        ) : (
          'a job, or a request that is no longer in the journal'
        ),
      ],
      [
        'Next attempt',
        message.next_attempt_at && (
          <span data-next-attempt={message.next_attempt_at}>
            {relativeTo(message.next_attempt_at, now.value)}
          </span>
        ),
      ],
    ]}
  />
)

function Attempts({ message }: { message: Message }) {
  if (message.attempts.length === 0) return <p class="quiet">No attempt yet.</p>
  return (
    <ol class="attempts">
      {message.attempts.map((attempt, at) => (
        <li key={at}>
          <details>
            <summary>
              <Code status={attempt.status} /> <Time at={attempt.at} />{' '}
              <span>{attempt.error ?? 'Accepted by the receiver'}</span>
              {attempt.manual && <small class="dim"> by hand</small>}
              {attempt.marks?.map((mark) => (
                <small key={mark} class="warn">
                  {' '}
                  {mark}
                </small>
              ))}
              <small class="dim"> {attempt.duration_ms} ms</small>
            </summary>
            <JsonBlock value={attempt.request.headers} label="Request headers" />
            {attempt.response && <JsonBlock value={attempt.response} label="Response of the receiver" />}
          </details>
        </li>
      ))}
    </ol>
  )
}

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
        <SignatureStep name="Age" value="within 5 minutes of the wall clock">
          the timestamp is the wall clock's, not this world's
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
