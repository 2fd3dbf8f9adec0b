import type { StreamData } from './api.ts'

/** A line of the activity: one happening, or several that belong together. */
export interface Line {
  readonly key: string
  readonly at: string
  readonly kind: string
  readonly first: StreamData
  readonly count: number
  readonly failed: number
}

const HEALTH = /^(daily|historical)\./
const isFailure = ({ kind, status }: StreamData) =>
  kind === 'delivery' && !(typeof status === 'number' && status >= 200 && status < 300)

/** An event is one line with its deliveries, and health data of one day are one line. `told` has the newest first. */
export function linesOf(told: readonly StreamData[]): Line[] {
  const delivered = new Set(
    told.filter(({ kind }) => kind === 'delivery').map(({ message_id }) => eventOf(message_id)),
  )
  const lines: Line[] = []
  for (const [at, what] of told.entries()) {
    if (what.kind === 'event' && delivered.has(eventOf(what.message_id))) continue
    const line = lineOf(what, String(told.length - at))
    const last = lines.at(-1)
    const joined = last && join(last, line)
    if (joined) lines[lines.length - 1] = joined
    else lines.push(line)
  }
  return lines
}

/** The messages of an event are called by its id and a number. */
const eventOf = (messageId: unknown) => String(messageId).split('~')[0]

const lineOf = (what: StreamData, key: string): Line => ({
  key,
  at: what.at,
  kind: HEALTH.test(String(what.event_type ?? '')) ? 'data' : what.kind,
  first: what,
  count: 1,
  failed: Number(isFailure(what)),
})

function join(last: Line, line: Line): Line | undefined {
  const sameDay = last.at.slice(0, 10) === line.at.slice(0, 10)
  const isData = last.kind === 'data' && line.kind === 'data' && sameDay
  const isMessage =
    last.kind === 'delivery' &&
    line.kind === 'delivery' &&
    eventOf(last.first.message_id) === eventOf(line.first.message_id) &&
    last.first.status === line.first.status
  if (!isData && !isMessage) return undefined
  return { ...last, key: line.key, count: last.count + line.count, failed: last.failed + line.failed }
}
