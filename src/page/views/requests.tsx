import type { Page, RequestSummary } from '../answers.ts'
import { asCurl, call, withQuery } from '../api.ts'
import { useData } from '../data.ts'
import { query, setQuery } from '../route.ts'
import { attempt, world } from '../store.ts'
import { Code, Copy, Empty, Link, Title } from '../ui.tsx'
import { stampOf } from '../words.ts'
import { RequestDetail } from './request.tsx'

/** The journal beside the call that is looked at. */
export function RequestsView({ id }: { id: string | undefined }) {
  const [q, status, unread] = ['q', 'status', 'unread'].map((name) => query.value.get(name) ?? '')
  const path = withQuery('/_petri/requests', {
    order: 'desc',
    limit: 100,
    q,
    status: status === 'refused' ? '' : status,
    unread: unread ? 'true' : '',
  })
  const { body } = useData<Page<RequestSummary>>(path)
  const all = body?.data ?? []
  const requests = status === 'refused' ? all.filter((request) => request.status >= 400) : all
  const chosen = id ?? requests[0]?.id
  return (
    <>
      <Title title="Requests" note="the latest 1,000 calls of your program">
        <input
          type="search"
          placeholder="path, body, answer…"
          aria-label="Search requests"
          value={q}
          onInput={(event) => setQuery({ q: event.currentTarget.value })}
        />
        <select
          aria-label="Answered"
          value={status}
          onChange={(event) => setQuery({ status: event.currentTarget.value })}
        >
          {[
            ['', 'All answers'],
            ['refused', '4xx and 5xx'],
            ['2xx', '2xx'],
            ['4xx', '4xx'],
            ['5xx', '5xx'],
          ].map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
        <label class="check">
          <input
            type="checkbox"
            checked={unread !== ''}
            onChange={(event) => setQuery({ unread: event.currentTarget.checked ? '1' : '' })}
          />{' '}
          unread fields
        </label>
        <Copy text={() => asCurl('GET', path)}>Copy as curl</Copy>
        <button
          type="button"
          onClick={() => void attempt('Forgetting', () => call('DELETE', '/_petri/requests'))}
        >
          Forget all
        </button>
      </Title>
      {body && requests.length === 0 && (
        <Empty
          line={`curl ${location.origin}/v2/user -H "x-service-api-key: ${world.value?.api_key === 'sk_us_petri' ? 'sk_us_petri' : '$PETRI_API_KEY'}"`}
        >
          {q || status || unread
            ? 'No call passes these filters.'
            : 'No call yet. What your program asks appears here, with what nothing read and what it caused.'}
        </Empty>
      )}
      {requests.length > 0 && (
        <div class="split">
          <nav class="list" aria-label="Requests">
            {requests.map((request) => (
              <RequestItem key={request.id} request={request} isChosen={request.id === chosen} />
            ))}
          </nav>
          <div class="detail">{chosen && <RequestDetail key={chosen} id={chosen} />}</div>
        </div>
      )}
    </>
  )
}

const RequestItem = ({ request, isChosen }: { request: RequestSummary; isChosen: boolean }) => (
  <Link
    data-row=""
    to={`/requests/${request.id}?${query.value}`}
    aria-current={isChosen ? 'true' : undefined}
  >
    <Code status={request.status} />
    <span>
      <b class="mono">
        {request.method} {request.path}
      </b>
      <small class="dim">
        {request.operation ?? 'no operation has this path'}
        {request.from && ' · from this page'}
      </small>
    </span>
    <span class="end">
      <time dateTime={request.at}>{stampOf(request.at).slice(4)}</time>
      {request.unread_count > 0 && <small class="warn">{request.unread_count} unread</small>}
    </span>
  </Link>
)
