import { inWords } from '../format.ts'
import { HEIGHT, layoutOf, pathOf, type Stop, widthOf, wrap, xOf, yOf } from '../lifecycle-map.tsx'
import type { Workflow } from '../responses.ts'

interface Edge {
  readonly from: string
  readonly to: string
  readonly isCovered: boolean
}

type Met = Readonly<Record<string, number>>

/** The edges of a workflow; `met` counts those along which orders came, such as `walk_in_test: ordered > cancelled`. */
export function edgesOf({ name, statuses }: Workflow, met: Met): readonly Edge[] {
  return statuses.flatMap((status) =>
    status.leads_to.map((to) => ({
      from: status.name,
      to,
      isCovered: Object.hasOwn(met, `${name}: ${status.name} > ${to}`),
    })),
  )
}

/** The lifecycle as a map, with the edges that histories have come along. */
export function ExploreMap({ workflow, met }: { workflow: Workflow; met: Met }) {
  const edges = edgesOf(workflow, met)
  const stops = layoutOf(workflow)
  const byName = new Map(stops.map((stop) => [stop.name, stop]))
  const width = widthOf(stops)
  const covered = edges.filter(({ isCovered }) => isCovered)
  return (
    <svg
      class="life"
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label={`${covered.length} of ${edges.length} edges covered`}
    >
      {[false, true].map((isCovered) => (
        <g key={String(isCovered)} class={isCovered ? 'been' : 'faint'}>
          {edges
            .filter((edge) => edge.isCovered === isCovered)
            .map(({ from, to }) => (
              <path
                key={`${from} ${to}`}
                class="edge"
                data-edge={`${from} > ${to}`}
                d={pathOf(byName.get(from), byName.get(to))}
              />
            ))}
        </g>
      ))}
      {stops.map((stop) => (
        <StopMark key={stop.name} stop={stop} isCovered={covered.some(({ to }) => to === stop.name)} />
      ))}
    </svg>
  )
}

function StopMark({ stop, isCovered }: { stop: Stop; isCovered: boolean }) {
  const lines = wrap(inWords(stop.name))
  const top = stop.lane === 'above' ? -17 - (lines.length - 1) * 13 : 28
  return (
    <g class={`stop ${isCovered ? 'was' : 'idle'}`} transform={`translate(${xOf(stop)} ${yOf(stop)})`}>
      <circle r="7.5" class="dot" />
      <text y={top}>
        {lines.map((line, at) => (
          <tspan key={line} x="0" dy={at === 0 ? 0 : 13} class="name">
            {line}
          </tspan>
        ))}
      </text>
    </g>
  )
}
