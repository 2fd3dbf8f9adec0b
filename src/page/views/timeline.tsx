import type { TrailStep } from '../responses.ts'
import { inWords, phaseOf, toneOf } from '../words.ts'

const WIDTH = 640
const DAY_MS = 86_400_000
const EDGE = 40
/** The rows labels stand in, above and below the axis by turns. */
const ROWS = [58, 104, 36, 126, 14, 148]
const AXIS = 80
const LETTER = 6.4

interface Mark {
  readonly x: number
  readonly y: number
  readonly text: string
  readonly status: string
}

/** When the statuses of a scenario come; what waits for the customer is drawn a day later. */
export function Timeline({ trail }: { trail: readonly TrailStep[] }) {
  const marks = marksOf(trail)
  const total = totalOf(trail)
  const days = Math.ceil(total / DAY_MS)
  const step = Math.max(1, Math.ceil(days / 12))
  const label = `Timeline: ${trail.map(({ status, after_ms }) => `${inWords(status)}${after_ms === null ? ' when the customer acts' : ''}`).join(', ')}`
  return (
    <svg class="timeline" viewBox={`0 0 ${WIDTH} 180`} role="img" aria-label={label}>
      <path class="axis" d={`M${EDGE} ${AXIS}H${WIDTH - EDGE}`} />
      {Array.from({ length: Math.floor(days / step) + 1 }, (_, at) => at * step)
        .filter((day) => day * DAY_MS <= total)
        .map((day) => (
          <g key={day}>
            <path class="axis" d={`M${xOf(day * DAY_MS, total)} ${AXIS - 4}v8`} />
            <text class="tick" x={xOf(day * DAY_MS, total)} y="174" text-anchor="middle">
              day {day}
            </text>
          </g>
        ))}
      {marks.map(({ x, y, text, status }, at) => (
        <g key={at} class={`mark ${toneOf(status)}`} data-phase={phaseOf(status)}>
          <path class="stem" d={`M${x} ${AXIS}V${y < AXIS ? y + 4 : y - 11}`} />
          <circle cx={x} cy={AXIS} r="6" />
          <text x={Math.max(half(text), Math.min(WIDTH - half(text), x))} y={y} text-anchor="middle">
            {text}
          </text>
        </g>
      ))}
    </svg>
  )
}

const half = (text: string) => (text.length * LETTER) / 2
const xOf = (ms: number, total: number) => EDGE + (ms / Math.max(1, total)) * (WIDTH - 2 * EDGE)
const totalOf = (trail: readonly TrailStep[]) =>
  trail.reduce((sum, { after_ms }) => sum + (after_ms ?? DAY_MS), 0)

/** Each label goes into the first row where it touches no other. */
function marksOf(trail: readonly TrailStep[]): Mark[] {
  const total = totalOf(trail)
  const ends = ROWS.map(() => Number.NEGATIVE_INFINITY)
  let at = 0
  return trail.map(({ status, after_ms }) => {
    at += after_ms ?? DAY_MS
    const text = inWords(status)
    const x = xOf(at, total)
    const middle = Math.max(half(text), Math.min(WIDTH - half(text), x))
    const free = ends.findIndex((end) => end + 6 < middle - half(text))
    const row = free === -1 ? ends.indexOf(Math.min(...ends)) : free
    ends[row] = middle + half(text)
    return { x, y: ROWS[row] ?? AXIS, text, status }
  })
}
