import { compare } from '../../kernel/compare.ts'
import { readableInstant } from '../../kernel/readable.ts'
import { asCurl, withQuery } from '../api.ts'
import { Button, Code, Empty, ListItem, Name, Panel, Split, Table, Title } from '../components.tsx'
import { countOf } from '../format.ts'
import { Check, SearchBy, SelectBy } from '../forms.tsx'
import { parameter, query, setQuery } from '../navigation.ts'
import type { Call, ListPage, RefusedCall } from '../responses.ts'
import { perform, useData, useList } from '../store.ts'
import { RequestDetail } from './request.tsx'

const STATUSES = [
  ['', 'All statuses'],
  ['refused', '4xx and 5xx'],
  ['2xx', '2xx'],
  ['4xx', '4xx'],
  ['5xx', '5xx'],
] as const

export const clearRequests = (): Promise<unknown> =>
  perform('Clearing the journal', 'DELETE', '/_petri/requests')

/** The latest calls without a valid key, which reach no world. */
function RefusedCalls() {
  const calls = useList<RefusedCall>('/_petri/requests/refused').toReversed().slice(0, MAX_REFUSED)
  if (calls.length === 0) return null
  return (
    <Panel title="Calls without a valid key" note="of any client of this Petri, by the time of this machine">
      <Table
        label="Calls without a valid key"
        columns={[[''], [''], [''], ['', 'dim']]}
        rows={calls}
        keyOf={(call) => `${call.at} ${calls.indexOf(call)}`}
        cells={({ at, status, method, path, detail }) => [
          <time dateTime={at}>{readableInstant(at)}</time>,
          <Code status={status} />,
          <code>
            {method} {path}
          </code>,
          detail,
        ]}
      />
    </Panel>
  )
}

/** The most refused calls that are shown. */
const MAX_REFUSED = 10

/** The journal, next to the chosen call. */
export function RequestsView({ id }: { id: string | undefined }) {
  const q = parameter('q')
  const status = parameter('status')
  const ignored = parameter('ignored')
  const fault = parameter('fault')
  const pathOf = (wanted: string) =>
    withQuery('/_petri/requests', {
      order: 'desc',
      limit: fault ? 500 : 100,
      q,
      status: wanted,
      ignored: ignored ? 'true' : '',
    })
  const isRefused = status === 'refused'
  const path = pathOf(isRefused ? '4xx' : status)
  const { body } = useData<ListPage<Call>>(path)
  const serverErrors = useList<Call>(isRefused ? pathOf('5xx') : undefined)
  const requests = [...(body?.data ?? []), ...serverErrors]
    .filter((request) => !fault || request.fault_id === fault)
    .sort((a, b) => compare(b.id, a.id))
  const chosen = id ?? requests[0]?.id
  return (
    <>
      <Title title="Requests" note={body && noteOn(requests.length, body.next_cursor !== null)} shows={path}>
        <SearchBy name="q" label="Search requests" placeholder="path, body, response…" />
        <SelectBy name="status" label="Status" options={STATUSES} />
        <Check checked={ignored !== ''} onChange={(checked) => setQuery({ ignored: checked ? '1' : '' })}>
          unknown fields
        </Check>
        {fault && <Button onClick={() => setQuery({ fault: '' })}>Only calls with this fault ✕</Button>}
        <Button onClick={clearRequests}>Clear all</Button>
      </Title>
      {body && requests.length === 0 && (
        <Empty line={asCurl('GET', '/v2/user')}>
          {q || status || ignored || fault
            ? 'No call matches these filters.'
            : 'No call yet. Calls of your program appear here, with ignored fields and the events they caused.'}
        </Empty>
      )}
      <RefusedCalls />
      {requests.length > 0 && (
        <Split
          label="Requests"
          back={id && `/requests?${query.value}`}
          list={requests.map((request) => (
            <RequestItem key={request.id} request={request} isChosen={request.id === chosen} />
          ))}
        >
          {chosen && <RequestDetail key={chosen} id={chosen} />}
        </Split>
      )}
    </>
  )
}

const noteOn = (count: number, hasMore: boolean): string =>
  hasMore ? `the latest ${countOf(count, 'call')}` : countOf(count, 'call')

const RequestItem = ({ request, isChosen }: { request: Call; isChosen: boolean }) => (
  <ListItem
    to={`/requests/${request.id}?${query.value}`}
    isChosen={isChosen}
    lead={<Code status={request.status} />}
    title={
      <>
        {request.method} <Name text={request.path} />
      </>
    }
    note={
      <>
        {request.operation ?? 'unknown path'}
        {request.from && ' · from this page'}
        {request.fault_id && ' · injected fault'}
      </>
    }
    end={
      <span class="end">
        <time dateTime={request.at}>{readableInstant(request.at)}</time>
        {request.ignored_count > 0 && (
          <small class="warn">{countOf(request.ignored_count, 'unknown field')}</small>
        )}
      </span>
    }
  />
)
