import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { compact, largest, sumOf } from '../kernel/list.ts'
import type { Workflow } from './responses.ts'

/** Statuses as stops of a map: where they are, and how they and the lines between them are drawn. */

/** The least distance of two columns in pixels: the width of a label. */
const MIN_COLUMN = 104
const MARGIN = 62
const laneHeights = { above: 62, middle: 158, below: 290 }
const HEIGHT = 346
const LINE_HEIGHT = 13
/** Below the labels of the middle lane. */
const LABELS_END = 220

/** The size of a map in pixels. */
export const sizeOf = (stops: readonly Stop[]): { readonly width: number; readonly height: number } => ({
  width: MARGIN + largest(stops.map(({ x }) => x)),
  height: HEIGHT,
})

interface StopMapProps {
  readonly workflow: Workflow
  /** The low-level statuses of an order so far. */
  readonly history?: readonly string[]
  /** A description of the map. */
  readonly label: string
  readonly children: (stops: readonly Stop[]) => ComponentChildren
}

/** The map itself: as wide as its box, or as its labels need. */
export function StopMap({ workflow, history, label, children }: StopMapProps) {
  const map = useRef<SVGSVGElement>(null)
  const room = useSignal(0)
  useLayoutEffect(() => followWidth(map.current?.parentElement, room), [])
  const stops = layoutOf(workflow, history, room.value)
  const { width, height } = sizeOf(stops)
  return (
    <svg
      ref={map}
      class="life"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      {children(stops)}
    </svg>
  )
}

/** Keeps the width of a box in pixels. Returns a function that ends it. */
function followWidth(box: Element | null | undefined, width: Signal<number>): () => void {
  const observer = new ResizeObserver(([entry]) => {
    width.value = Math.floor(entry?.contentRect.width ?? 0)
  })
  if (box) observer.observe(box)
  return () => observer.disconnect()
}

/** Where an order is, was, will be or may be moved to. */
export type StopState = 'here' | 'was' | 'plan' | 'open' | 'idle'

interface StopMarkProps {
  readonly stop: Stop
  readonly state: StopState
  readonly name: string
  /** When it was or will be. */
  readonly when?: string | undefined
  readonly onClick?: (() => void) | undefined
}

/** A stop with its name, which takes two lines if it is long. */
export function StopMark({ stop, state, name, when, onClick }: StopMarkProps) {
  const names = wrap(name)
  const lineCount = names.length + (when ? 1 : 0)
  const top = stop.lane === 'above' ? -17 - (lineCount - 1) * LINE_HEIGHT : 28
  return (
    <g
      class={`stop ${state}${onClick ? ' movable' : ''}`}
      data-stop={stop.name}
      data-state={state}
      transform={`translate(${stop.x} ${laneHeights[stop.lane]})`}
      {...(onClick && { onClick })}
    >
      {state === 'here' && <circle r="15" class="halo" />}
      <circle r={state === 'here' ? 9 : 7.5} class="dot" />
      {state === 'was' && <path class="tick" d="M-3.2 0.2L-1 2.6L3.4-2.4" />}
      <text y={top}>
        {names.map((line, at) => (
          <tspan key={line} x="0" dy={at === 0 ? 0 : LINE_HEIGHT} class="name">
            {line}
          </tspan>
        ))}
        {when && (
          <tspan x="0" dy={LINE_HEIGHT} class="when">
            {when}
          </tspan>
        )}
      </text>
    </g>
  )
}

/** The line from one stop to another, around the labels; empty if one of them is not on the map. */
export function pathOf(from: Stop | undefined, to: Stop | undefined): string {
  if (!from || !to || from === to) return ''
  const [{ x: x1 }, { x: x2 }] = [from, to]
  const [y1, y2] = [endOf(from, to), endOf(to, from)]
  const columns = to.column - from.column
  if (y1 === y2 && columns > 0 && columns <= 1.6) return `M${x1} ${y1}H${x2}`
  const bend = from.lane === 'above' ? 40 : -40
  if (y1 === y2) return `M${x1} ${y1}C${x1 + 30} ${y1 + bend} ${x2 - 30} ${y1 + bend} ${x2} ${y2}`
  if (from.lane !== 'above' || to.lane !== 'below') return `M${x1} ${y1}${curve(x1, y1, x2, y2)}`
  const { aisle } = from
  return `M${x1} ${y1}${curve(x1, y1, aisle, laneHeights.middle)}V${LABELS_END}${curve(aisle, LABELS_END, x2, y2)}`
}

/** Where the line to another stop ends: below the label, if that is in its way. */
const endOf = ({ lane }: Stop, other: Stop): number =>
  lane === 'middle' && other.lane === 'below' ? LABELS_END : laneHeights[lane]

function curve(x1: number, y1: number, x2: number, y2: number): string {
  const middle = (y1 + y2) / 2
  return `C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`
}

/** A status with its place in a lane. */
interface Placed {
  readonly name: string
  /** In widths of a label. */
  readonly column: number
  readonly lane: Lane
}

/** The position of a status: the happy path in the middle, detours above it, final statuses below. */
export interface Stop extends Placed {
  /** In pixels. */
  readonly x: number
  /** Where a line can pass between the labels of the middle lane. */
  readonly aisle: number
}

type Lane = 'above' | 'middle' | 'below'

/** The distance between the stops of a lane; final statuses have long names. */
const laneGaps: Record<Lane, number> = { above: 1.15, middle: 1, below: 1.3 }

/**
 * The positions of all statuses of a workflow. `history` are the low-level statuses of an order so far, `room` is the
 * width to fill.
 */
export function layoutOf(workflow: Workflow, history: readonly string[] = [], room = 0): Stop[] {
  const line = lineOf(workflow, history)
  const middle = line.map((name, column): Placed => ({ name, column, lane: 'middle' }))
  const placed = [...middle, ...laneOf(workflow, line, 'above'), ...laneOf(workflow, line, 'below')]
  const last = largest(placed.map(({ column }) => column))
  const width = Math.max(MIN_COLUMN, (room - MARGIN * 2) / last)
  return placed.map((each) => ({
    ...each,
    x: MARGIN + each.column * width,
    aisle: MARGIN + (Math.floor(each.column) + 0.5) * width,
  }))
}

/** The happy path, and corrections after it; a kit registered before it was sent has its columns in that order. */
function lineOf({ happy_path, statuses }: Workflow, history: readonly string[]): string[] {
  const hasCorrection = statuses.some(({ name }) => name === 'corrected')
  const line = compact([...happy_path, hasCorrection && 'corrected'])
  const registered = history.indexOf('registered')
  const sent = history.indexOf('transit_customer')
  if (!line.includes('registered') || registered === -1 || (sent !== -1 && sent < registered)) return line
  const moved = ['registered', 'requisition_created']
  const rest = line.filter((name) => !moved.includes(name))
  return [...rest.slice(0, 2), ...moved, ...rest.slice(2)]
}

/** The stops of a lane, each near the stops of the middle lane that it is connected to. */
function laneOf(workflow: Workflow, line: readonly string[], lane: 'above' | 'below'): Placed[] {
  const { statuses } = workflow
  const sorted = statuses
    .filter(({ name, phase }) => !line.includes(name) && isEnd(phase) === (lane === 'below'))
    .map(({ name }) => ({ name, column: meanColumn(workflow, line, name), lane }))
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
  return columns.length === 0 ? line.length / 2 : sumOf(columns) / columns.length
}

/** Moves stops apart, and back if that pushed them beyond the end of the middle lane. */
function spread(stops: readonly Placed[], gap: number, last: number): Placed[] {
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
export function wrap(text: string): string[] {
  if (text.length <= 14) return [text]
  const words = text.split(' ')
  const splits = words
    .slice(1)
    .map((_, at) => [words.slice(0, at + 1).join(' '), words.slice(at + 1).join(' ')])
  const longest = (lines: readonly string[]) => largest(lines.map(({ length }) => length))
  return splits.sort((a, b) => longest(a) - longest(b))[0] ?? [text]
}
