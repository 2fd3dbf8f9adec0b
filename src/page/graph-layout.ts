import type { Workflow } from './responses.ts'
import { lowOf } from './words.ts'

/** Where a status stands: the happy path in the middle, detours above it, ends below. */
export interface Stop {
  readonly name: string
  readonly phase: string
  /** In widths of a label. */
  readonly column: number
  readonly lane: Lane
}

type Lane = 'above' | 'middle' | 'below'

/** How far apart the stops of a lane are; ends have long names. */
const gaps: Record<Lane, number> = { above: 1.15, middle: 1, below: 1.3 }

/** Every status an order of this workflow can have, placed. `history` are the statuses an order has had, low-level. */
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
  const [registered, sent] = [history.indexOf('registered'), history.indexOf('transit_customer')]
  if (!line.includes('registered') || registered === -1 || (sent !== -1 && sent < registered)) return line
  const moved = ['registered', 'requisition_created']
  const rest = line.filter((name) => !moved.includes(name))
  return [...rest.slice(0, 2), ...moved, ...rest.slice(2)]
}

/** The stops of a lane, each near those of the line it hangs on. */
function laneOf(workflow: Workflow, line: readonly string[], lane: 'above' | 'below'): Stop[] {
  const { statuses } = workflow
  const sorted = statuses
    .filter(({ name, phase }) => !line.includes(name) && isEnd(phase) === (lane === 'below'))
    .map(({ name, phase }) => ({ name, phase, column: meanColumn(workflow, line, name), lane }))
    .sort((a, b) => a.column - b.column)
  return spread(sorted, gaps[lane], line.length - 1)
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

/** Moves stops apart, and back where that pushed them beyond the line. */
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

/** A name in one line, or two of about the same length. */
export function wrap(text: string, most = 14): string[] {
  if (text.length <= most) return [text]
  const words = text.split(' ')
  const splits = words
    .slice(1)
    .map((_, at) => [words.slice(0, at + 1).join(' '), words.slice(at + 1).join(' ')])
  const longest = (lines: readonly string[]) => Math.max(...lines.map(({ length }) => length))
  return splits.sort((a, b) => longest(a) - longest(b))[0] ?? [text]
}

export interface Visit {
  readonly name: string
  readonly at: string
  readonly count: number
}

/** The statuses an order has had, each with its latest instant and how often. */
export function visitsOf(
  events: readonly { readonly status: string; readonly created_at: string }[],
): Visit[] {
  const visits = new Map<string, Visit>()
  for (const { status, created_at } of events) {
    const name = lowOf(status)
    visits.set(name, { name, at: created_at, count: (visits.get(name)?.count ?? 0) + 1 })
  }
  return [...visits.values()]
}
