import { shortInstant } from '../kernel/readable.ts'
import { inWords, lowOf, relativeTo } from './format.ts'
import type { OrderLife, Workflow } from './responses.ts'
import { pathOf, type Stop, StopMap, StopMark, type StopState } from './stop-map.tsx'

interface MapProps {
  readonly workflow: Workflow
  readonly life: MapLife
  readonly now: string
  readonly onMove?: (status: string) => void
}

/** The part of an order that the map shows; empty for a map of the workflow alone. */
interface MapLife extends Pick<OrderLife, 'legal' | 'planned'> {
  readonly order: {
    readonly events: readonly { readonly status: string; readonly created_at: string }[]
    readonly last_event: { readonly status: string } | null
  }
}

/** The lifecycle of an order as a map: its past, current, planned and legal statuses. */
export function LifecycleMap({ workflow, life, now, onMove }: MapProps) {
  const history = life.order.events.map(({ status }) => lowOf(status))
  const planned = life.planned.map(({ status }) => inWords(status))
  const label = `Lifecycle: ${history.map(inWords).join(', then ')}. Planned: ${planned.join(', ') || 'nothing'}. Manual moves: ${life.legal.map(inWords).join(', ') || 'nothing'}.`
  return (
    <StopMap workflow={workflow} history={history} label={label}>
      {(stops) => (
        <>
          <Edges workflow={workflow} life={life} history={history} stops={stops} />
          {stops.map((stop) => (
            <OrderStop key={stop.name} stop={stop} life={life} now={now} {...(onMove && { onMove })} />
          ))}
        </>
      )}
    </StopMap>
  )
}

interface EdgesProps extends Pick<MapProps, 'workflow' | 'life'> {
  /** The low-level statuses so far. */
  readonly history: readonly string[]
  readonly stops: readonly Stop[]
}

function Edges({ workflow, life, history, stops }: EdgesProps) {
  const byName = new Map(stops.map((stop) => [stop.name, stop]))
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

function OrderStop({ stop, life, now, onMove }: { stop: Stop } & Omit<MapProps, 'workflow'>) {
  const visits = life.order.events.filter(({ status }) => lowOf(status) === stop.name)
  const visit = visits.at(-1)
  const plan = life.planned.find(({ status }) => lowOf(status) === stop.name)
  const legal = life.legal.find((status) => lowOf(status) === stop.name)
  const isHere = lowOf(life.order.last_event?.status ?? '') === stop.name
  const states: readonly (readonly [StopState, unknown])[] = [
    ['here', isHere],
    ['was', visit],
    ['plan', plan],
    ['open', legal],
  ]
  const [state = 'idle'] = states.find(([, applies]) => applies) ?? []
  return (
    <StopMark
      stop={stop}
      state={state}
      name={inWords(stop.name) + (visits.length > 1 ? ` ×${visits.length}` : '')}
      when={
        visit
          ? shortInstant(visit.created_at)
          : plan && (plan.due ? relativeTo(plan.due, now) : 'no date yet')
      }
      onClick={legal && onMove ? () => onMove(legal) : undefined}
    />
  )
}
