import { useSignal } from '@preact/signals'
import { DAY_MS, HOUR_MS } from '../../kernel/instant.ts'
import { smallest, sumOf } from '../../kernel/list.ts'
import { readableDuration } from '../../kernel/readable.ts'
import { Button, bound, Choice, optionsOf, Panel, Scroll } from '../components.tsx'
import { inWords, phaseOf, toneOf } from '../format.ts'
import type { FeedStep, ScenarioInFull, ScenarioStatus } from '../responses.ts'

interface StatusesProps {
  readonly statuses: ScenarioInFull['statuses']
  /** Without it, no order can be placed. */
  readonly onPlace: false | undefined | ((workflow: string) => unknown)
}

/** The statuses that a scenario brings, by the workflow of the order. */
export function PlannedStatuses({ statuses, onPlace }: StatusesProps) {
  const workflows = Object.keys(statuses)
  const chosen = useSignal('')
  const workflow = statuses[chosen.value] ? chosen.value : (workflows[0] ?? '')
  return (
    <Panel
      title="What will happen"
      aside={
        <>
          {workflows.length > 1 && (
            <Choice
              label="Workflow"
              options={optionsOf(workflows, inWords)}
              {...bound(chosen)}
              value={workflow}
            />
          )}
          {onPlace && (
            <Button class="small" onClick={() => onPlace(workflow)}>
              Place an order
            </Button>
          )}
        </>
      }
    >
      <StatusList statuses={statuses[workflow] ?? []} />
    </Panel>
  )
}

export const StatusList = ({ statuses }: { statuses: readonly ScenarioStatus[] }) => (
  <div>
    <Scroll label="Timeline">
      <Timeline statuses={statuses} />
    </Scroll>
    <ol class="statuses">
      {statuses.map(({ status, status_detail, ...when }, at) => (
        <li key={at} data-status={status} data-after={when.after_ms}>
          <span class="after">{whenOf(when)}</span> <b>{inWords(status)}</b>
          {status_detail && <small>{inWords(status_detail)}</small>}
        </li>
      ))}
    </ol>
  </div>
)

/** How long a step waits; null for one that waits for the customer. */
export function afterOf(ms: number | null): string {
  if (ms === null) return 'when the customer acts'
  return ms === 0 ? 'at once' : `after ${readableDuration(ms)}`
}

/** When a step is due: at the appointment, or after the step before it. */
export function whenOf({
  after_ms,
  before_visit_ms: before,
}: Pick<ScenarioStatus, 'after_ms' | 'before_visit_ms'>): string {
  if (before === null) return afterOf(after_ms)
  if (before === 0) return 'at the appointment'
  const how = readableDuration(Math.abs(before))
  return before > 0 ? `${how} before the appointment` : `${how} after the appointment begins`
}

/** The steps of a feed scenario. */
export const FeedSteps = ({ steps }: { steps: readonly FeedStep[] }) => (
  <Panel title="What will happen">
    {steps.length === 0 && <p class="dim">Nothing goes wrong: the data arrive as they are measured.</p>}
    <ol class="statuses">
      {steps.map(({ at_ms, does }, at) => (
        <li key={at} data-at={at_ms}>
          <span class="after">{afterOf(at_ms)}</span> <span class="grow">{does}</span>
        </li>
      ))}
    </ol>
  </Panel>
)

/** The space between two marks of a strip: wider for longer waits, but not in proportion. */
const gapOf = (ms: number | null) => 10 + Math.min(20, 4 * Math.log2(1 + (ms ?? DAY_MS) / HOUR_MS))

/** The lifecycle of a scenario, drawn small. What it shows is in words on the page of the scenario. */
export function LifecycleStrip({ statuses }: Pick<StatusesProps, 'statuses'>) {
  const [longest = []] = Object.values(statuses).sort((a, b) => b.length - a.length)
  let x = STRIP_RADIUS - gapOf(longest[0]?.after_ms ?? 0)
  const marks = longest.map(({ status, ...when }) => {
    x += gapOf(when.after_ms)
    return { x, status, after: whenOf(when) }
  })
  const end = x + STRIP_RADIUS
  return (
    <svg class="strip" viewBox={`0 0 ${end} ${2 * STRIP_RADIUS}`} width={end} aria-hidden="true">
      <path class="axis" d={`M${STRIP_RADIUS} ${STRIP_RADIUS}H${x}`} />
      {marks.map((mark, at) => (
        <g key={at} class={`mark ${toneOf(mark.status)}`}>
          <circle cx={mark.x} cy={STRIP_RADIUS} r={STRIP_RADIUS}>
            <title>{`${mark.after}: ${inWords(mark.status)}`}</title>
          </circle>
        </g>
      ))}
    </svg>
  )
}

const STRIP_RADIUS = 4
/** The size of a timeline. */
export const TIMELINE = { width: 640, height: 180 } as const
const WIDTH = TIMELINE.width
const EDGE = 40
/** The heights of the rows of labels, alternately above and below the axis. */
const ROWS = [58, 104, 36, 126, 14, 148]
const AXIS = 80
const LETTER = 6.4

/** The statuses of a scenario over time; those that wait for the customer are drawn a day later. */
export function Timeline({ statuses }: { statuses: readonly ScenarioStatus[] }) {
  const total = sumOf(statuses.map(({ after_ms }) => after_ms ?? DAY_MS))
  const xOf = (ms: number) => EDGE + (ms / Math.max(1, total)) * (WIDTH - 2 * EDGE)
  const step = Math.max(1, Math.ceil(Math.ceil(total / DAY_MS) / 12))
  const days = Array.from({ length: Math.floor(total / DAY_MS / step) + 1 }, (_, at) => at * step)
  const names = statuses.map(
    ({ status, after_ms }) => inWords(status) + (after_ms === null ? ' when the customer acts' : ''),
  )
  return (
    <svg
      class="timeline"
      viewBox={`0 0 ${WIDTH} ${TIMELINE.height}`}
      role="img"
      aria-label={`Timeline: ${names.join(', ')}`}
    >
      <path class="axis" d={`M${EDGE} ${AXIS}H${WIDTH - EDGE}`} />
      {days.map((day) => (
        <g key={day}>
          <path class="axis" d={`M${xOf(day * DAY_MS)} ${AXIS - 4}v8`} />
          <text class="tick" x={xOf(day * DAY_MS)} y="174" text-anchor="middle">
            day {day}
          </text>
        </g>
      ))}
      {labelsOf(statuses, xOf).map(({ x, y, middle, status }, at) => (
        <g key={at} class={`mark ${toneOf(status)}`} data-phase={phaseOf(status)}>
          <path class="stem" d={`M${x} ${AXIS}V${y < AXIS ? y + 4 : y - 11}`} />
          <circle cx={x} cy={AXIS} r="6" />
          <text x={middle} y={y} text-anchor="middle">
            {inWords(status)}
          </text>
        </g>
      ))}
    </svg>
  )
}

/** Puts each label into the first row where it overlaps no other. */
function labelsOf(statuses: readonly ScenarioStatus[], xOf: (ms: number) => number) {
  const ends = ROWS.map(() => Number.NEGATIVE_INFINITY)
  let at = 0
  return statuses.map(({ status, after_ms }) => {
    at += after_ms ?? DAY_MS
    const x = xOf(at)
    const half = (inWords(status).length * LETTER) / 2
    const middle = Math.max(half, Math.min(WIDTH - half, x))
    const free = ends.findIndex((end) => end + 6 < middle - half)
    const row = free === -1 ? ends.indexOf(smallest(ends)) : free
    ends[row] = middle + half
    return { x, y: ROWS[row] ?? AXIS, middle, status }
  })
}
