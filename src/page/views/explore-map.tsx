import { inWords } from '../format.ts'
import type { Workflow } from '../responses.ts'
import { pathOf, StopMap, StopMark } from '../stop-map.tsx'

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
  const covered = edges.filter(({ isCovered }) => isCovered)
  return (
    <StopMap workflow={workflow} label={`${covered.length} of ${edges.length} edges covered`}>
      {(stops) => (
        <>
          {[false, true].map((isCovered) => (
            <g key={String(isCovered)} class={isCovered ? 'been' : 'faint'}>
              {edges
                .filter((edge) => edge.isCovered === isCovered)
                .map(({ from, to }) => (
                  <path
                    key={`${from} ${to}`}
                    class="edge"
                    data-edge={`${from} > ${to}`}
                    d={pathOf(
                      stops.find(({ name }) => name === from),
                      stops.find(({ name }) => name === to),
                    )}
                  />
                ))}
            </g>
          ))}
          {stops.map((stop) => (
            <StopMark
              key={stop.name}
              stop={stop}
              state={covered.some(({ to }) => to === stop.name) ? 'was' : 'idle'}
              name={inWords(stop.name)}
            />
          ))}
        </>
      )}
    </StopMap>
  )
}
