import { shortInstant } from '../kernel/readable.ts'
import { inWords, lowOf, relativeTo } from './format.ts'
import type { OrderLife, Workflow } from './responses.ts'

const COLUMN = 104
const MARGIN = 62
const laneHeights = { above: 62, middle: 158, below: 262 }
export const HEIGHT = 318

export const xOf = ({ column }: Stop) => MARGIN + column * COLUMN
export const yOf = ({ lane }: Stop) => laneHeights[lane]

export const widthOf = (stops: readonly Stop[]): number =>
  MARGIN * 2 + Math.max(...stops.map(({ column }) => column)) * COLUMN

interface MapProps {
  readonly workflow: Workflow
  readonly life: MapLife
  readonly now: string
  readonly onMove?: (status: string) => void
}

/** What the map shows of an order; nothing of it for a map of the workflow alone. */
interface MapLife extends Pick<OrderLife, 'legal' | 'planned'> {
  readonly order: {
    readonly events: readonly { readonly status: string; readonly created_at: string }[]
    readonly last_event: { readonly status: string } | null
  }
}

/** The lifecycle of an order as a map: its past, current, planned and legal statuses. */
export function LifecycleMap({ workflow, life, now, onMove }: MapProps) {
  const history = life.order.events.map(({ status }) => lowOf(status))
  const stops = layoutOf(workflow, history)
  const width = widthOf(stops)
  const planned = life.planned.map(({ status }) => inWords(status))
  const label = `Lifecycle: ${history.map(inWords).join(', then ')}. Planned: ${planned.join(', ') || 'nothing'}. Legal by hand: ${life.legal.map(inWords).join(', ') || 'nothing'}.`
  return (
    <svg
      class="life"
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label={label}
    >
      <Edges workflow={workflow} life={life} stops={stops} />
      {stops.map((stop) => (
        <StopMark key={stop.name} stop={stop} life={life} now={now} {...(onMove && { onMove })} />
      ))}
    </svg>
  )
}

function Edges({
  workflow,
  life,
  stops,
}: {
  workflow: Workflow
  life: MapProps['life']
  stops: readonly Stop[]
}) {
  const byName = new Map(stops.map((stop) => [stop.name, stop]))
  const history = life.order.events.map(({ status }) => lowOf(status))
  const here = history.at(-1) ?? ''
  const pairs = (names: readonly string[]) => names.slice(1).map((to, at) => [names[at] ?? '', to] as const)
  const line = stops.filter(({ lane }) => lane === 'middle').map(({ name }) => name)
  const groups: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
    ['faint', [...pairs(line), ...detoursOf(workflow, byName)]],
    ['legal', life.legal.map((status) => [here, lowOf(status)] as const)],
    ['planned', pairs([here, ...life.planned.map(({ status }) => lowOf(status))])],
    ['been', pairs(history)],
  ]
  return (
    <>
      {groups.map(([kind, edges]) => (
        <g key={kind} class={kind}>
          {[...new Set(edges.map(([from, to]) => pathOf(byName.get(from), byName.get(to))))]
            .filter((path) => path !== '')
            .map((path) => (
              <path key={path} class="edge" d={path} />
            ))}
        </g>
      ))}
    </>
  )
}

/** The moves to and from what lies above the line. */
const detoursOf = ({ statuses }: Workflow, byName: ReadonlyMap<string, Stop>) =>
  statuses.flatMap(({ name, leads_to }) =>
    leads_to
      .filter((to) => {
        const lanes = [name, to].map((end) => byName.get(end)?.lane)
        return lanes.includes('above') && !lanes.includes('below')
      })
      .map((to) => [name, to] as const),
  )

export function pathOf(from: Stop | undefined, to: Stop | undefined): string {
  if (!from || !to || from === to) return ''
  const x1 = xOf(from)
  const y1 = yOf(from)
  const x2 = xOf(to)
  const y2 = yOf(to)
  const columns = to.column - from.column
  const isStraight = y1 === y2 && columns > 0 && columns <= 1.6
  if (isStraight) return `M${x1} ${y1}L${x2} ${y2}`
  if (y1 === y2) return `M${x1} ${y1}C${x1 + 30} ${y1 - 40} ${x2 - 30} ${y2 - 40} ${x2} ${y2}`
  const middle = (y1 + y2) / 2
  return `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`
}

/** The name of the first state that applies. */
const stateOf = (states: Readonly<Record<string, unknown>>): string =>
  Object.keys(states).find((state) => states[state]) ?? 'idle'

function StopMark({ stop, life, now, onMove }: { stop: Stop } & Omit<MapProps, 'workflow'>) {
  const visit = visitsOf(life.order.events).find(({ name }) => name === stop.name)
  const plan = life.planned.find(({ status }) => lowOf(status) === stop.name)
  const legal = life.legal.find((status) => lowOf(status) === stop.name)
  const isHere = lowOf(life.order.last_event?.status ?? '') === stop.name
  const state = stateOf({ here: isHere, was: visit, plan, open: legal })
  const when = visit ? shortInstant(visit.at) : plan && (plan.due ? relativeTo(plan.due, now) : 'no date yet')
  const name = wrap(inWords(stop.name) + (visit && visit.count > 1 ? ` ×${visit.count}` : ''))
  const lines = [...name, ...(when ? [when] : [])]
  const top = stop.lane === 'above' ? -17 - (lines.length - 1) * 13 : 28
  const move = legal && onMove ? () => onMove(legal) : undefined
  return (
    <g
      class={`stop ${state}${move ? ' movable' : ''}`}
      data-stop={stop.name}
      data-state={state}
      transform={`translate(${xOf(stop)} ${yOf(stop)})`}
      {...(move && { onClick: move })}
    >
      {state === 'here' && <circle r="15" class="halo" />}
      <circle r={state === 'here' ? 9 : 7.5} class="dot" />
      {state === 'was' && <path class="tick" d="M-3.2 0.2L-1 2.6L3.4-2.4" />}
      <text y={top}>
        {lines.map((line, at) => (
          <tspan key={line} x="0" dy={at === 0 ? 0 : 13} class={line === when ? 'when' : 'name'}>
            {line}
          </tspan>
        ))}
      </text>
    </g>
  )
}

/** The position of a status: the happy path in the middle, detours above it, final statuses below. */
export interface Stop {
  readonly name: string
  readonly phase: string
  /** In widths of a label. */
  readonly column: number
  readonly lane: Lane
}

type Lane = 'above' | 'middle' | 'below'

/** The distance between the stops of a lane; final statuses have long names. */
const laneGaps: Record<Lane, number> = { above: 1.15, middle: 1, below: 1.3 }

/** The positions of all statuses of a workflow. `history` are the low-level statuses of an order so far. */
export function layoutOf(workflow: Workflow, history: readonly string[] = []): Stop[] {
  const line = lineOf(workflow, history)
  const stops: Stop[] = line.map((name, column) => ({
    name,
    phase: phaseOf(workflow, name),
    column,
    lane: 'middle',
  }))
  return [...stops, ...laneOf(workflow, line, 'above'), ...laneOf(workflow, line, 'below')]
}

const phaseOf = ({ statuses }: Workflow, name: string): string =>
  statuses.find((status) => status.name === name)?.phase ?? ''

/** The happy path, and corrections after it; a kit registered before it was sent has its columns in that order. */
function lineOf({ happy_path, statuses }: Workflow, history: readonly string[]): string[] {
  const hasCorrection = statuses.some(({ name }) => name === 'corrected')
  const line = [...happy_path, ...(hasCorrection ? ['corrected'] : [])]
  const registered = history.indexOf('registered')
  const sent = history.indexOf('transit_customer')
  if (!line.includes('registered') || registered === -1 || (sent !== -1 && sent < registered)) return line
  const moved = ['registered', 'requisition_created']
  const rest = line.filter((name) => !moved.includes(name))
  return [...rest.slice(0, 2), ...moved, ...rest.slice(2)]
}

/** The stops of a lane, each near the stops of the middle lane that it is connected to. */
function laneOf(workflow: Workflow, line: readonly string[], lane: 'above' | 'below'): Stop[] {
  const { statuses } = workflow
  const sorted = statuses
    .filter(({ name, phase }) => !line.includes(name) && isEnd(phase) === (lane === 'below'))
    .map(({ name, phase }) => ({ name, phase, column: meanColumn(workflow, line, name), lane }))
    .sort((a, b) => a.column - b.column)
  return spread(sorted, laneGaps[lane], line.length - 1)
}

const isEnd = (phase: string) => phase === 'failed' || phase === 'cancelled'

function meanColumn({ statuses }: Workflow, line: readonly string[], name: string): number {
  const own = statuses.find((status) => status.name === name)?.leads_to ?? []
  const columns = statuses
    .filter((other) => other.leads_to.includes(name) || own.includes(other.name))
    .map((other) => line.indexOf(other.name))
    .filter((column) => column >= 0)
  return columns.length === 0
    ? line.length / 2
    : columns.reduce((sum, column) => sum + column, 0) / columns.length
}

/** Moves stops apart, and back if that pushed them beyond the end of the middle lane. */
function spread(stops: readonly Stop[], gap: number, last: number): Stop[] {
  const columns = stops.map(({ column }) => column)
  for (let at = 1; at < columns.length; at++) {
    columns[at] = Math.max(columns[at] ?? 0, (columns[at - 1] ?? 0) + gap)
  }
  const beyond = Math.max(0, (columns.at(-1) ?? 0) - Math.max(last, (columns.length - 1) * gap))
  for (let at = columns.length - 1; at >= 0; at--) {
    const most = at === columns.length - 1 ? (columns[at] ?? 0) - beyond : (columns[at + 1] ?? 0) - gap
    columns[at] = Math.min(columns[at] ?? 0, most)
  }
  return stops.map((stop, at) => ({ ...stop, column: columns[at] ?? 0 }))
}

/** Splits a long name into two lines of about the same length. */
export function wrap(text: string, most = 14): string[] {
  if (text.length <= most) return [text]
  const words = text.split(' ')
  const splits = words
    .slice(1)
    .map((_, at) => [words.slice(0, at + 1).join(' '), words.slice(at + 1).join(' ')])
  const longest = (lines: readonly string[]) => Math.max(...lines.map(({ length }) => length))
  return splits.sort((a, b) => longest(a) - longest(b))[0] ?? [text]
}

interface Visit {
  readonly name: string
  readonly at: string
  readonly count: number
}

/** The statuses an order has had, each with its latest time and how often. */
function visitsOf(events: readonly { readonly status: string; readonly created_at: string }[]): Visit[] {
  const visits = new Map<string, Visit>()
  for (const { status, created_at } of events) {
    const name = lowOf(status)
    visits.set(name, { name, at: created_at, count: (visits.get(name)?.count ?? 0) + 1 })
  }
  return [...visits.values()]
}
