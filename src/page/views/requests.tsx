import { asCurl, call, withQuery } from '../api.ts'
import { useData } from '../data.ts'
import { Check, Search, Select } from '../forms.tsx'
import type { Call, Page } from '../responses.ts'
import { query, setQuery } from '../route.ts'
import { attempt } from '../store.ts'
import { Code, Empty, Link, Name, Title } from '../ui.tsx'
import { stampOf } from '../words.ts'
import { RequestDetail } from './request.tsx'

const ANSWERS = [
  ['', 'All answers'],
  ['refused', '4xx and 5xx'],
  ['2xx', '2xx'],
  ['4xx', '4xx'],
  ['5xx', '5xx'],
] as const

/** The journal beside the call that is looked at. */
export function RequestsView({ id }: { id: string | undefined }) {
  const [q, status, unread, fault] = ['q', 'status', 'unread', 'fault'].map(
    (name) => query.value.get(name) ?? '',
  )
  const path = withQuery('/_petri/requests', {
    order: 'desc',
    limit: fault ? 500 : 100,
    q,
    status: status === 'refused' ? '' : status,
    unread: unread ? 'true' : '',
  })
  const { body } = useData<Page<Call>>(path)
  const all = body?.data ?? []
  const requests = all.filter(
    (request) => (status !== 'refused' || request.status >= 400) && (!fault || request.fault_id === fault),
  )
  const chosen = id ?? requests[0]?.id
  return (
    <>
      <Title title="Requests" note="the latest 1,000 calls of your program" shows={path}>
        <Search
          label="Search requests"
          placeholder="path, body, answer…"
          value={q ?? ''}
          onChange={(text) => setQuery({ q: text })}
        />
        <Select
          label="Answered"
          value={status ?? ''}
          options={ANSWERS}
          onChange={(chosen) => setQuery({ status: chosen })}
        />
        <Check checked={unread !== ''} onChange={(checked) => setQuery({ unread: checked ? '1' : '' })}>
          unread fields
        </Check>
        {fault && (
          <button type="button" onClick={() => setQuery({ fault: '' })}>
            Only calls with this fault ✕
          </button>
        )}
        <button
          type="button"
          onClick={() => void attempt('Clearing the journal', () => call('DELETE', '/_petri/requests'))}
        >
          Clear all
        </button>
      </Title>
      {body && requests.length === 0 && (
        <Empty line={asCurl('GET', '/v2/user')}>
          {q || status || unread || fault
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

const RequestItem = ({ request, isChosen }: { request: Call; isChosen: boolean }) => (
  <Link
    data-row=""
    to={`/requests/${request.id}?${query.value}`}
    aria-current={isChosen ? 'true' : undefined}
  >
    <Code status={request.status} />
    <span>
      <b class="mono">
        {request.method} <Name text={request.path} />
      </b>
      <small class="dim">
        {request.operation ?? 'no operation has this path'}
        {request.from && ' · from this page'}
        {request.fault_id && ' · injected fault'}
      </small>
    </span>
    <span class="end">
      <time dateTime={request.at}>{stampOf(request.at).slice(4)}</time>
      {request.unread_count > 0 && <small class="warn">{request.unread_count} unread</small>}
    </span>
  </Link>
)
