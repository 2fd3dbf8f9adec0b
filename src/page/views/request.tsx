import { useSignal } from '@preact/signals'
import type { RequestInFull } from '../answers.ts'
import { asCurl, call } from '../api.ts'
import { useData } from '../data.ts'
import { harOf } from '../har.ts'
import { JsonBlock } from '../json.tsx'
import { nearestName } from '../nearest.ts'
import { attempt, say } from '../store.ts'
import { Code, Copy, Empty, Link, Panel } from '../ui.tsx'
import { stampOf } from '../words.ts'
import { saveAs } from './order-parts.tsx'
import { Repeat } from './repeat.tsx'

/** One call: what was sent and answered, what nothing read, what it caused. */
export function RequestDetail({ id }: { id: string }) {
  const { body: request, error } = useData<RequestInFull>(`/_petri/requests/${encodeURIComponent(id)}`)
  const isRepeating = useSignal(false)
  if (error && !request) return <Empty>{error.message}</Empty>
  if (!request) return null
  return (
    <>
      <Panel
        title={
          <span class="mono break">
            {request.method} {request.path}
          </span>
        }
        aside={
          <Actions
            request={request}
            onRepeat={() => {
              isRepeating.value = true
            }}
          />
        }
      >
        {request.unread.length > 0 && <Unread request={request} />}
        {request.nearest.length > 0 && (
          <p class="note">
            No operation has this path. Near it:{' '}
            {request.nearest.map((route) => (
              <code key={route}>{route} </code>
            ))}
          </p>
        )}
        <Facts request={request} />
      </Panel>
      {isRepeating.value && (
        <Repeat
          request={request}
          onClose={() => {
            isRepeating.value = false
          }}
        />
      )}
      <div class="cols">
        <Panel title="Sent">
          <JsonBlock value={request.body} label="What was sent" />
          <details>
            <summary>Headers</summary>
            <JsonBlock value={request.headers} label="Headers sent" />
          </details>
        </Panel>
        <Panel title="Answered" aside={<Code status={request.status} />}>
          <JsonBlock value={request.response} label="What was answered" />
        </Panel>
      </div>
    </>
  )
}

function Actions({ request, onRepeat }: { request: RequestInFull; onRepeat: () => void }) {
  const { method, path, body, operation } = request
  return (
    <>
      <Copy text={() => asCurl(method, path, body)}>Copy as curl</Copy>
      <button
        type="button"
        class="small"
        onClick={() =>
          saveAs('petri.har', new Blob([JSON.stringify(harOf(request))], { type: 'application/json' }))
        }
      >
        HAR
      </button>
      {operation && (
        <button type="button" class="small" onClick={() => void failNext(operation)}>
          Fail the next one
        </button>
      )}
      <button type="button" class="small primary" onClick={onRepeat}>
        Send again
      </button>
    </>
  )
}

async function failNext(operation: string): Promise<void> {
  const fault = { operation, times: 1, respond: { status: 503 } }
  const armed = await attempt('Arming the fault', () => call('POST', '/_petri/faults', { faults: [fault] }))
  if (armed !== undefined)
    say({
      title: 'The next call of this operation fails',
      lines: ['with 503, once'],
      link: { to: '/faults', text: 'See faults' },
    })
}

/** What nothing read, each with the known field it is most like. */
function Unread({ request: { unread, body, response } }: { request: RequestInFull }) {
  const known = [...namesIn(body), ...namesIn(response)]
  return (
    <p class="note warn">
      <b>Nothing reads</b>{' '}
      {unread.map((path) => {
        const name = path.split('.').at(-1)?.replace('[]', '') ?? path
        const near = nearestName(
          name,
          known.filter((each) => each !== name),
        )
        return (
          <span key={path}>
            <code>{path}</code>
            {near && (
              <>
                {' '}
                (near it: <code>{near}</code>)
              </>
            )}{' '}
          </span>
        )
      })}
    </p>
  )
}

/** Names of all fields anywhere in a value. */
function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, field]) => [name, ...namesIn(field)])
}

const Facts = ({ request }: { request: RequestInFull }) => (
  <dl class="facts">
    <div>
      <dt>Answer</dt>
      <dd>
        <Code status={request.status} />
      </dd>
    </div>
    <div>
      <dt>Operation</dt>
      <dd class="mono">
        {request.operation ? <Link to={`/api/${request.operation}`}>{request.operation}</Link> : 'none'}
      </dd>
    </div>
    <div>
      <dt>At</dt>
      <dd>{stampOf(request.at)}</dd>
    </div>
    <div>
      <dt>Caused</dt>
      <dd>
        {request.caused.length === 0 && 'nothing'}
        {request.caused.map(({ event_id, event_type, messages }) => (
          <span key={event_id}>
            {messages[0] ? (
              <Link to={`/webhooks/${encodeURIComponent(messages[0].id)}`}>{event_type}</Link>
            ) : (
              event_type
            )}{' '}
          </span>
        ))}
      </dd>
    </div>
  </dl>
)
