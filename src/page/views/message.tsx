import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { wallNow } from '../api.ts'
import { useData } from '../data.ts'
import { TextField } from '../forms.tsx'
import { JsonBlock } from '../json.tsx'
import type { Attempt, Endpoint, Message } from '../responses.ts'
import { type Signed, signatureOf, type Verdict, verdictWords, verify } from '../signature.ts'
import { now } from '../store.ts'
import { Code, Copy, Empty, Id, Link, Panel } from '../ui.tsx'
import { relativeTo, stampOf } from '../words.ts'
import { resend } from './order-parts.tsx'

/** One message: to whom, about what, each attempt and its signature. */
export function MessageDetail({ id, endpoints }: { id: string; endpoints: readonly Endpoint[] }) {
  const { body: message, error } = useData<Message>(`/_petri/webhooks/messages/${encodeURIComponent(id)}`)
  if (error && !message) return <Empty>{error.message}</Empty>
  if (!message) return null
  const endpoint = endpoints.find((each) => each.id === message.endpoint_id)
  return (
    <>
      <Panel
        title={<span class="mono">{message.event_type}</span>}
        aside={
          <>
            <Copy text={() => curlOf(message, endpoint)}>Copy as curl</Copy>
            <button type="button" class="primary small" onClick={() => void resend(id)}>
              Resend now
            </button>
          </>
        }
      >
        <Facts message={message} endpoint={endpoint} />
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
  const headers = attempts.at(-1)?.request.headers ?? {}
  const shown = Object.entries(headers).filter(([name]) => /^(svix-|content-type)/.test(name))
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  return [
    `curl -sS -X POST ${quoted(endpoint?.url ?? '')}`,
    ...shown.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `-d ${quoted(JSON.stringify(payload))}`,
  ].join(' ')
}

const Facts = ({ message, endpoint }: { message: Message; endpoint: Endpoint | undefined }) => (
  <dl class="facts">
    <div>
      <dt>svix-id</dt>
      <dd class="mono">{message.svix_id}</dd>
    </div>
    <div>
      <dt>Endpoint</dt>
      <dd class="mono">{endpoint?.url ?? 'removed'}</dd>
    </div>
    <div>
      <dt>Status</dt>
      <dd class={`tag ${{ delivered: 'completed', failed: 'failed', pending: 'attention' }[message.status]}`}>
        <i aria-hidden="true" />
        {message.status}
      </dd>
    </div>
    <div>
      <dt>About</dt>
      <dd>
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
      </dd>
    </div>
    <div>
      <dt>Caused by</dt>
      <dd>
        {message.request_id ? (
          <Link to={`/requests/${message.request_id}`}>a request</Link>
        ) : (
          'time, or a request that the journal no longer has'
        )}
      </dd>
    </div>
    {message.next_attempt_at && (
      <div>
        <dt>Next attempt</dt>
        <dd data-next-attempt={message.next_attempt_at}>{relativeTo(message.next_attempt_at, now.value)}</dd>
      </div>
    )}
  </dl>
)

function Attempts({ message }: { message: Message }) {
  if (message.attempts.length === 0) return <p class="quiet">Not tried yet.</p>
  return (
    <ol class="attempts">
      {message.attempts.map((attempt, at) => (
        <li key={at}>
          <details>
            <summary>
              <Code status={attempt.status} /> <time dateTime={attempt.at}>{stampOf(attempt.at)}</time>{' '}
              <span>{attempt.error ?? 'The receiver took it'}</span>
              {attempt.manual && <small class="dim"> by hand</small>}
              {attempt.marks?.map((mark) => (
                <small key={mark} class="warn">
                  {' '}
                  {mark}
                </small>
              ))}
              <small class="dim"> {attempt.duration_ms} ms</small>
            </summary>
            <JsonBlock value={attempt.request.headers} label="Headers sent" />
            {attempt.response && <JsonBlock value={attempt.response} label="What the receiver answered" />}
          </details>
        </li>
      ))}
    </ol>
  )
}

/** The steps of the signature with this message's values, and whether a secret verifies it. */
function SignaturePanel({ message, endpoint }: { message: Message; endpoint: Endpoint | undefined }) {
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
    if (globalThis.crypto?.subtle) {
      signatureOf(secret, signed).then(
        (text) => {
          expected.value = text
        },
        () => {
          expected.value = 'this is no secret: it is not base64'
        },
      )
    }
  }, [secret, signed?.signatures])
  if (!signed) return null
  return (
    <Panel
      title="Signature"
      aside={verdict.value && <span class={`verdict ${verdict.value}`}>{verdictWords[verdict.value]}</span>}
    >
      <ol class="steps-list">
        <Step
          name="Signed text"
          value="svix-id.svix-timestamp.body"
        >{`${signed.id}.${signed.timestamp}.${signed.body.slice(0, 60)}…`}</Step>
        <Step name="Key" value="base64 of what follows whsec_">
          {pasted.value ? 'the secret you pasted' : "this endpoint's secret"}
        </Step>
        <Step name="HMAC-SHA256" value={expected.value}>
          the header says {signed.signatures}
        </Step>
        <Step name="Age" value="within 5 minutes of the true clock">
          the timestamp is the wall clock's, not this world's
        </Step>
      </ol>
      <TextField
        label="Paste your secret to see whether it is the right one"
        autocomplete="off"
        placeholder="whsec_…"
        value={pasted.value}
        onChange={(typed) => {
          pasted.value = typed.trim()
        }}
      />
      <p class="dim">
        Where a signature does not verify, the body was usually parsed and serialised again, the secret is
        another one, or a clock is wrong.
      </p>
    </Panel>
  )
}

const Step = ({
  name,
  value,
  children,
}: {
  name: string
  value: string
  children: preact.ComponentChildren
}) => (
  <li>
    <b>{name}</b>
    <span class="mono">{value}</span>
    <small class="dim">{children}</small>
  </li>
)

function signedOf({ svix_id, payload }: Message, { request: { headers } }: Attempt): Signed | undefined {
  const [timestamp, signatures] = [headers['svix-timestamp'], headers['svix-signature']]
  if (!timestamp || !signatures) return undefined
  return { id: svix_id, timestamp, signatures, body: JSON.stringify(payload) }
}

/** When a delivery was made by the true clock; in a frozen world nothing says so but the signature itself. */
function deliveredAt({ marks, request: { headers } }: Attempt): number {
  const signedAt = Number(headers['svix-timestamp']) * 1000
  return marks?.some((mark) => mark.includes('stale')) ? wallNow() : signedAt
}
