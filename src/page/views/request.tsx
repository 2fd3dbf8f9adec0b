import { asCurl, call } from '../api.ts'
import { useData } from '../data.ts'
import { Opens } from '../dialog.tsx'
import { harOf } from '../har.ts'
import { JsonBlock } from '../json.tsx'
import type { CallInFull } from '../responses.ts'
import { attempt } from '../store.ts'
import { say } from '../toast.ts'
import { Code, Copy, Empty, Id, Link, Panel } from '../ui.tsx'
import { stampOf } from '../words.ts'
import { saveAs } from './order-parts.tsx'
import { Repeat } from './repeat.tsx'
import { meantHeaders } from './request-headers.ts'

/** One call: what was sent and answered, what nothing read, what it caused. */
export function RequestDetail({ id }: { id: string }) {
  const { body: request, error } = useData<CallInFull>(`/_petri/requests/${encodeURIComponent(id)}`)
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
        aside={<Actions request={request} />}
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
      <Repeat request={request} />
      <div class="cols">
        <Panel title="Sent">
          {request.body === null ? (
            <p class="quiet">No body.</p>
          ) : (
            <JsonBlock value={request.body} label="What was sent" />
          )}
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

function Actions({ request }: { request: CallInFull }) {
  const { method, path, body, headers, operation } = request
  return (
    <>
      <Copy text={() => asCurl(method, path, body, meantHeaders(headers))}>Copy as curl</Copy>
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
      <Opens dialog="repeat" class="small primary">
        Send again
      </Opens>
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

/** What nothing read, each with the declared field it is most like. */
const Unread = ({ request: { unread, nearest_fields } }: { request: CallInFull }) => (
  <p class="note warn">
    <b>Nothing reads</b>{' '}
    {unread.map((path) => (
      <span key={path}>
        <code>{path}</code>
        {nearest_fields[path] && (
          <>
            {' '}
            (near it: <code>{nearest_fields[path]}</code>)
          </>
        )}{' '}
      </span>
    ))}
  </p>
)

const Facts = ({ request }: { request: CallInFull }) => (
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
    {request.fault_id && (
      <div>
        <dt>Injected fault</dt>
        <dd>
          <Link to="/faults">
            <Id id={request.fault_id} />
          </Link>
        </dd>
      </div>
    )}
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
