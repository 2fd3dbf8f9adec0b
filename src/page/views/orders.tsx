import { useSignal } from '@preact/signals'
import { asCurl, withQuery } from '../api.ts'
import { useData } from '../data.ts'
import { Opens } from '../dialog.tsx'
import { Search, Select } from '../forms.tsx'
import type { Board, BoardRow } from '../responses.ts'
import { query, setQuery } from '../route.ts'
import { now } from '../store.ts'
import { Empty, Id, Link, Panel, Rows, StatusTag, Title } from '../ui.tsx'
import { countOf, inWords, lowOf, methodNames, phaseNames, phaseOf, relativeTo } from '../words.ts'
import { Attention } from './attention.tsx'
import { curlOfKit, PlaceOrder } from './place-order.tsx'

const SIZE = 100

export function OrdersView() {
  const size = useSignal(SIZE)
  const [search, status, method, interpretation] = ['search', 'status', 'method', 'interpretation'].map(
    (name) => query.value.get(name) ?? '',
  )
  const path = withQuery('/_petri/orders', { search, status, method, interpretation, limit: size.value })
  const { body: board, error } = useData<Board>(path)
  const total = Object.values(board?.counts ?? {}).reduce((sum, count) => sum + count, 0)
  return (
    <>
      <Title title="Orders" note={board && `${total.toLocaleString('en')} in this world`} shows={path}>
        <Search
          label="Search orders"
          placeholder="id, sample, patient…"
          value={search ?? ''}
          onChange={(text) => setQuery({ search: text })}
        />
        <Select
          label="Method"
          value={method ?? ''}
          options={[['', 'All methods'], ...Object.entries(methodNames)]}
          onChange={(chosen) => setQuery({ method: chosen })}
        />
        <Opens dialog="place" class="primary">
          Place an order
        </Opens>
      </Title>
      <PlaceOrder />
      {error && <p class="banner lost">{error.message}</p>}
      {board && <Attention board={board} />}
      {board && <Phases board={board} status={status ?? ''} />}
      {board && total === 0 && <NoOrders />}
      {board && total > 0 && (
        <OrderTable
          board={board}
          title={status ? inWords(status) : 'All orders'}
          onMore={() => {
            size.value = Math.min(500, size.value + SIZE)
          }}
          canGrow={size.value < 500}
        />
      )}
    </>
  )
}

function NoOrders() {
  const { body: list } = useData<{ users: { user_id: string }[] }>('/v2/user?limit=1')
  const { body: tests } = useData<{ id: string }[]>('/v3/lab_tests?collection_method=testkit', false)
  const [user, test] = [list?.users[0]?.user_id, tests?.[0]?.id]
  return (
    <Empty
      line={user && test ? curlOfKit(user, test) : asCurl('POST', '/v2/user', { client_user_id: 'ada' })}
    >
      No order yet. It appears here as soon as your program places one, or you do.
      {list && !user && ' An order needs a user first.'}
    </Empty>
  )
}

/** Each phase with its statuses and how many orders have them; a click shows only those. */
function Phases({ board, status }: { board: Board; status: string }) {
  const choose = (chosen: string) => setQuery({ status: chosen === status ? '' : chosen })
  return (
    <div class="phases">
      {Object.entries(phaseNames).map(([phase, name]) => {
        const own = Object.entries(board.counts).filter(([dotted]) => phaseOf(dotted) === phase)
        return (
          <section key={phase} class={`phase ${phase}`}>
            <button type="button" class="head" aria-pressed={status === phase} onClick={() => choose(phase)}>
              <b>{own.reduce((sum, [, count]) => sum + count, 0).toLocaleString('en')}</b> <span>{name}</span>
            </button>
            <ul>
              {byStatus(own).map(([low, count, dotted]) => (
                <li key={low}>
                  <button type="button" aria-pressed={status === low} onClick={() => choose(low)}>
                    <StatusTag status={dotted} /> <b>{count.toLocaleString('en')}</b>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}

/** The same status of several methods is one. */
function byStatus(counts: readonly (readonly [dotted: string, count: number])[]) {
  const merged = new Map<string, readonly [count: number, dotted: string]>()
  for (const [dotted, count] of counts)
    merged.set(lowOf(dotted), [(merged.get(lowOf(dotted))?.[0] ?? 0) + count, dotted])
  return [...merged]
    .map(([low, [count, dotted]]) => [low, count, dotted] as const)
    .sort((a, b) => b[1] - a[1])
}

interface TableProps {
  readonly board: Board
  readonly title: string
  readonly canGrow: boolean
  readonly onMore: () => void
}

function OrderTable({ board, title, canGrow, onMore }: TableProps) {
  return (
    <Panel title={title} aside={<span class="dim">{countOf(board.total, 'order')}, newest first</span>}>
      <Rows label={title} heads={['Order', 'Patient', 'Test', 'Status', 'Since', 'Scenario', 'Next']}>
        {board.data.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </Rows>
      {board.data.length === 0 && <p class="quiet">No order passes these filters.</p>}
      {board.next_cursor && canGrow && (
        <p class="quiet">
          <button type="button" onClick={onMore}>
            Show more
          </button>
        </p>
      )}
      {board.next_cursor && !canGrow && <p class="quiet">There are more; search or filter to find them.</p>}
    </Panel>
  )
}

const Row = ({ row }: { row: BoardRow }) => (
  <tr>
    <td>
      <Link to={`/orders/${row.id}`} data-row="">
        <Id id={row.id} />
      </Link>
    </td>
    <td class="person">
      {row.patient ?? (
        <span class="dim" title="Nobody has registered this kit; this is who it was sent to">
          → {row.recipient ?? 'unknown'}
        </span>
      )}
    </td>
    <td>
      {row.lab_test} <small class="dim">{methodNames[row.method]}</small>
    </td>
    <td>
      <StatusTag status={row.status} />
      <Interpretation of={row.interpretation} />
    </td>
    <td>
      <time dateTime={row.since}>{relativeTo(row.since, now.value)}</time>
    </td>
    <td class="person long" title={row.scenario ?? ''}>
      {row.scenario}
    </td>
    <td>
      <Next row={row} />
    </td>
  </tr>
)

export const Interpretation = ({ of }: { of: string | null }) =>
  of && of !== 'normal' ? <b class={`interpretation ${of}`}>{of}</b> : null

const Next = ({ row }: { row: BoardRow }) =>
  row.waits_for ? (
    <span class="wait">waits for {row.waits_for}</span>
  ) : row.next_due ? (
    <>
      <span class="dim">{row.next ? inWords(row.next) : 'next step'}</span>{' '}
      {relativeTo(row.next_due, now.value)}
    </>
  ) : (
    <span class="dim">nothing planned</span>
  )
