import { useSignal } from '@preact/signals'
import { keysOf } from '../../kernel/fields.ts'
import { sumOf } from '../../kernel/list.ts'
import { withQuery } from '../api.ts'
import { Button, Dim, Link, OrderLink, Panel, StatusTag, Table, Title } from '../components.tsx'
import {
  countOf,
  inWords,
  lowOf,
  methodNames,
  nounOf,
  numberOf,
  phaseNames,
  phaseOf,
  relativeTo,
} from '../format.ts'
import { Opens, SearchBy, SelectBy } from '../forms.tsx'
import { parameter, setQuery } from '../navigation.ts'
import type { Board, BoardRow, InterpretationName } from '../responses.ts'
import { now, useData } from '../store.ts'
import { Connect } from './connect.tsx'
import { PlaceOrder } from './place-order.tsx'

const PAGE_SIZE = 100
const MAX_SHOWN = 500

export function OrdersView() {
  const limit = useSignal(PAGE_SIZE)
  const status = parameter('status')
  const path = withQuery('/_petri/orders', {
    search: parameter('search'),
    status,
    method: parameter('method'),
    interpretation: parameter('interpretation'),
    limit: limit.value,
  })
  const { body: board, error } = useData<Board>(path)
  const isFiltered = ['search', 'status', 'method', 'interpretation'].some((name) => parameter(name) !== '')
  const total = sumOf(Object.values(board?.counts ?? {}))
  const isEmpty = total === 0 && !isFiltered
  return (
    <>
      <Title title="Orders" note={board && !isFiltered && `${numberOf(total)} in this world`} shows={path}>
        <SearchBy name="search" label="Search orders" placeholder="name, test, scenario, id…" />
        <SelectBy
          name="method"
          label="Method"
          options={[['', 'All methods'], ...Object.entries(methodNames)]}
        />
        <Opens dialog="place" class="primary">
          Place an order
        </Opens>
      </Title>
      <PlaceOrder />
      {error && <p class="banner lost">{error.message}</p>}
      {board && <Attention attention={board.attention} />}
      {board && !isEmpty && <Phases counts={board.counts} status={status} />}
      {board && isEmpty && <Connect />}
      {board && !isEmpty && (
        <OrderTable
          board={board}
          title={status ? inWords(status) : 'All orders'}
          onMore={() => {
            limit.value = Math.min(MAX_SHOWN, limit.value + PAGE_SIZE)
          }}
          canGrow={limit.value < MAX_SHOWN}
        />
      )}
    </>
  )
}

/** Things that may need attention: singular, plural, the view that lists them, and their tone. */
const attentionLinks = {
  failing_messages: ['delivery failing', 'deliveries failing', '/webhooks?status=failing', 'failed'],
  refused_requests: ['call refused', 'calls refused', '/requests?status=refused', 'failed'],
  requests_with_ignored_fields: [
    'call with unknown fields',
    'calls with unknown fields',
    '/requests?ignored=1',
    'attention',
  ],
  critical_results: ['critical result', 'critical results', '/orders?interpretation=critical', 'attention'],
  waiting_for_registration: [
    'kit waits to be registered',
    'kits wait to be registered',
    '/orders?status=with_customer&method=testkit',
    'attention',
  ],
} as const

function Attention({ attention }: Pick<Board, 'attention'>) {
  const names = keysOf(attentionLinks)
  const shown = names.filter((name) => attention[name] > 0)
  if (shown.length === 0) return null
  return (
    <ul class="attention-strip" aria-label="Needs attention">
      {shown.map((name) => {
        const [singular, plural, to, tone] = attentionLinks[name]
        return (
          <li key={name} class={tone} data-attention={name}>
            <Link to={to}>
              <b>{numberOf(attention[name])}</b> {nounOf(attention[name], singular, plural)}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

/** Each phase with the numbers of orders by status; a click filters by it. */
function Phases({ counts, status }: Pick<Board, 'counts'> & { status: string }) {
  const choose = (chosen: string) => setQuery({ status: chosen === status ? '' : chosen })
  return (
    <div class="phases">
      {Object.entries(phaseNames).map(([phase, name]) => {
        const own = Object.entries(counts).filter(([dotted]) => phaseOf(dotted) === phase)
        return (
          <section key={phase} class={`phase ${phase}`}>
            <button type="button" class="head" aria-pressed={status === phase} onClick={() => choose(phase)}>
              <b>{numberOf(sumOf(own.map(([, count]) => count)))}</b> <span>{name}</span>
            </button>
            <ul>
              {byLowStatus(own).map(({ low, dotted, count }) => (
                <li key={low}>
                  <Button aria-pressed={status === low} onClick={() => choose(low)}>
                    <StatusTag status={dotted} /> <b>{numberOf(count)}</b>
                  </Button>
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}

/** Adds up the same status of several methods, the most frequent first. */
function byLowStatus(counts: readonly (readonly [dotted: string, count: number])[]) {
  const merged = new Map<string, { low: string; dotted: string; count: number }>()
  for (const [dotted, count] of counts) {
    const low = lowOf(dotted)
    merged.set(low, { low, dotted, count: (merged.get(low)?.count ?? 0) + count })
  }
  return [...merged.values()].sort((a, b) => b.count - a.count)
}

interface OrderTableProps {
  readonly board: Board
  readonly title: string
  readonly canGrow: boolean
  readonly onMore: () => void
}

const OrderTable = ({ board, title, canGrow, onMore }: OrderTableProps) => (
  <Panel title={title} note={`${countOf(board.total, 'order')}, newest first`}>
    <Table
      label={title}
      empty="No order matches these filters."
      columns={[
        ['Order'],
        ['Patient', 'person'],
        ['Test', 'wraps'],
        ['Status'],
        ['Since'],
        ['Scenario', 'person long'],
        ['Next', 'wraps'],
      ]}
      rows={board.data}
      keyOf={({ id }) => id}
      cells={(row) => [
        <OrderLink id={row.id} row />,
        row.patient ?? <Dim>kit for {row.recipient ?? 'nobody'}</Dim>,
        <>
          {row.lab_test} <small class="dim">{methodNames[row.method]}</small>
        </>,
        <>
          <StatusTag status={row.status} />
          {row.has_missing_results && ', results missing'}
          <Interpretation of={row.interpretation} />
        </>,
        <time dateTime={row.since}>{relativeTo(row.since, now.value)}</time>,
        row.scenario,
        <NextStatus row={row} />,
      ]}
    />
    {board.next_cursor && (
      <p class="quiet">
        {canGrow ? (
          <Button onClick={onMore}>Show more</Button>
        ) : (
          'There are more; search or filter to find them.'
        )}
      </p>
    )}
  </Panel>
)

/** Interpretations of results, from bad to good. */
export const worstFirst: readonly string[] = [
  'critical',
  'abnormal',
  'unknown',
  'normal',
] satisfies readonly InterpretationName[]

export const Interpretation = ({ of }: { of: string | null }) =>
  of && of !== 'normal' ? <b class={`interpretation ${of}`}>{of}</b> : null

function NextStatus({ row: { waits_for, next, next_due } }: { row: BoardRow }) {
  if (waits_for) return <span class="wait">waits for {waits_for}</span>
  if (!next_due) return <Dim>nothing planned</Dim>
  return (
    <>
      <Dim>{next ? inWords(next) : 'next step'}</Dim> {relativeTo(next_due, now.value)}
    </>
  )
}
