import { layoutOf, type Stop, visitsOf, wrap } from './graph-layout.ts'
import type { OrderLife, Workflow } from './responses.ts'
import { inWords, lowOf, relativeTo, stampOf } from './words.ts'

const COLUMN = 104
const MARGIN = 62
const heights = { above: 62, middle: 158, below: 262 }
const HEIGHT = 318

const xOf = ({ column }: Stop) => MARGIN + column * COLUMN
const yOf = ({ lane }: Stop) => heights[lane]

interface Props {
  readonly workflow: Workflow
  readonly life: Pick<OrderLife, 'order' | 'legal' | 'planned'>
  readonly now: string
  readonly onMove?: (status: string) => void
}

/** The lifecycle of an order as a map: where it was, where it is, where its scenario leads, where it may be moved. */
export function LifeGraph({ workflow, life, now, onMove }: Props) {
  const history = life.order.events.map(({ status }) => lowOf(status))
  const stops = layoutOf(workflow, history)
  const width = MARGIN * 2 + Math.max(...stops.map(({ column }) => column)) * COLUMN
  const planned = life.planned.map(({ status }) => inWords(status))
  const label = `Lifecycle: ${history.map(inWords).join(', then ')}. Planned: ${planned.join(', ') || 'nothing'}. Legal by hand: ${life.legal.map(inWords).join(', ') || 'nothing'}.`
  return (
    <svg class="life" viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={label}>
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
  life: Props['life']
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

function pathOf(from: Stop | undefined, to: Stop | undefined): string {
  if (!from || !to || from === to) return ''
  const [x1, y1, x2, y2] = [xOf(from), yOf(from), xOf(to), yOf(to)]
  const columns = to.column - from.column
  const isStraight = y1 === y2 && columns > 0 && columns <= 1.6
  if (isStraight) return `M${x1} ${y1}L${x2} ${y2}`
  if (y1 === y2) return `M${x1} ${y1}C${x1 + 30} ${y1 - 40} ${x2 - 30} ${y2 - 40} ${x2} ${y2}`
  const middle = (y1 + y2) / 2
  return `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`
}

type State = 'here' | 'was' | 'plan' | 'open' | 'idle'

function StopMark({ stop, life, now, onMove }: { stop: Stop } & Omit<Props, 'workflow'>) {
  const visit = visitsOf(life.order.events).find(({ name }) => name === stop.name)
  const plan = life.planned.find(({ status }) => lowOf(status) === stop.name)
  const legal = life.legal.find((status) => lowOf(status) === stop.name)
  const isHere = lowOf(life.order.last_event.status) === stop.name
  const state: State = isHere ? 'here' : visit ? 'was' : plan ? 'plan' : legal ? 'open' : 'idle'
  const when = visit ? stampOf(visit.at) : plan ? (plan.due ? relativeTo(plan.due, now) : 'no date yet') : ''
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
