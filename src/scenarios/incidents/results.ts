import { fromIso, MINUTE_MS, toDate } from '../../kernel/instant.ts'
import { isObject, type JsonObject, objectIn } from '../../kernel/json.ts'
import { compact } from '../../kernel/list.ts'
import { hasReport, type LowStatus, readStatus, reportKinds } from '../../resources/orders/lifecycle.ts'
import { interpretations } from '../../resources/orders/schema.ts'
import { spanOf } from '../../resources/results/ranges.ts'
import type { RecordedResults, RecordedStatus } from './appointments.ts'

/** A result file, or what an order showed with a status. */
interface Report {
  /** The status it was seen at; undefined if that is not known. */
  readonly low: LowStatus | undefined
  /** `partial`, `final` or `corrected`, as the file says. */
  readonly kind?: string | undefined
  /** Milliseconds since 1970. */
  readonly at: number | undefined
  readonly results: RecordedResults
}

/** Collects the reports about an order from its snapshots and from result files. */
export class ResultFiles {
  readonly #snapshots: Report[] = []
  readonly #files = new Map<string, Report>()

  /** Adds a result file. */
  add({ results, missing_results, metadata }: JsonObject): void {
    const { date_reported, status, interpretation } = metadata as JsonObject
    const missing = slugsIn(missing_results)
    const report: Report = {
      low: undefined,
      kind: typeof status === 'string' ? status : undefined,
      at: fromIso(date_reported),
      results: {
        ...interpretationOf(interpretation),
        values: Object.fromEntries((results as unknown[]).flatMap(givenValueOf)),
        ...(missing.length > 0 && { missing }),
      },
    }
    this.#files.set(JSON.stringify(report), report)
  }

  /** Adds what an order shows of its results. */
  addSnapshot({
    events,
    last_event,
    status,
    updated_at,
    interpretation,
    has_missing_results,
  }: JsonObject): void {
    const results: RecordedResults = {
      ...interpretationOf(interpretation),
      ...(has_missing_results === true && { missing: true }),
    }
    const last: unknown = (Array.isArray(events) ? events.at(-1) : undefined) ?? last_event
    const [low, at] = isObject(last) ? [last.status, last.created_at] : [status, updated_at]
    const read = typeof low === 'string' ? readStatus(low)?.low : undefined
    if (Object.keys(results).length > 0) this.#snapshots.push({ low: read, at: fromIso(at), results })
  }

  /** The statuses with the reports that came with them, and what is left out, in sentences. */
  assignTo(known: readonly RecordedStatus[]): { statuses: RecordedStatus[]; notes: string[] } {
    const statuses = [...known]
    const notes = [...this.#assignSnapshots(statuses), ...this.#assignFiles(statuses)]
    nameMissing(statuses)
    return { statuses, notes: [...new Set([...notes, ...madeUp(statuses)])] }
  }

  /** Each goes to the status it was seen at, or else to the last with a report. */
  *#assignSnapshots(statuses: RecordedStatus[]): Generator<string> {
    for (const { low, at, results } of this.#snapshots) {
      const withReport = [...statuses.entries()].filter(([, status]) => hasReport(status.low))
      const seen = withReport.find(([, status]) => status.low === low && status.at === at)
      const [place] = seen ?? withReport.at(-1) ?? []
      if (place === undefined)
        yield 'Left out an interpretation, because the order has no status with a report.'
      else give(statuses, place, results)
    }
  }

  /** Each goes to a status of its own; one from after the last status is a correction. */
  *#assignFiles(statuses: RecordedStatus[]): Generator<string> {
    const taken = new Set<number>()
    const files = [...this.#files.values()].sort((a, b) => (a.at ?? 0) - (b.at ?? 0))
    for (const [nth, file] of files.entries()) {
      const { at, results } = file
      const place = placeOf(file, statuses, taken, files.length - 1 - nth)
      const last = statuses.at(-1)
      if (place !== undefined) {
        taken.add(place)
        give(statuses, place, results)
      } else if (last && at !== undefined && at > last.at && endsWithReport(last.low)) {
        taken.add(statuses.length)
        statuses.push({ low: 'corrected', detail: undefined, at, results })
        yield 'Added corrected, because results were reported after the last status.'
      } else {
        const when = at === undefined ? '' : ` of ${toDate(at)}`
        yield `Left out the results${when}, because the order has no other status with a report.`
      }
    }
  }
}

/** Adds what a report says to a status. */
function give(statuses: RecordedStatus[], place: number, results: RecordedResults): void {
  const status = statuses[place]
  if (status) statuses[place] = { ...status, results: { ...status.results, ...results } }
}

/** What a later report names as missing was missing before. */
function nameMissing(statuses: RecordedStatus[]): void {
  for (const [place, { results }] of statuses.entries()) {
    if (results?.missing !== true) continue
    const later = statuses.slice(place).map((status) => status.results?.missing)
    const named = later.find((missing) => Array.isArray(missing))
    if (named) give(statuses, place, { missing: named })
  }
}

/** Notes on the statuses whose results no report has, if there are reports. */
function madeUp(statuses: readonly RecordedStatus[]): string[] {
  if (!statuses.some(({ results }) => results)) return []
  return statuses
    .filter(({ low, results }) => hasReport(low) && !results)
    .map(({ low }) => `The record has no results of ${low}; the scenario makes them up.`)
}

const endsWithReport = (low: LowStatus) => low === 'completed' || low === 'corrected'

/**
 * The free status that a file belongs to: one of its kind, then the nearest in time, then the last. Of statuses of one
 * instant it is the last that leaves enough for the files after it.
 */
function placeOf(
  { kind, at }: Report,
  statuses: readonly RecordedStatus[],
  taken: ReadonlySet<number>,
  filesAfter: number,
) {
  const free = [...statuses.entries()].filter(([place, { low }]) => hasReport(low) && !taken.has(place))
  const ofKind = free.filter(([, { low }]) => reportKinds[low] === kind)
  const candidates = ofKind.length > 0 ? ofKind : free
  if (at === undefined) return candidates.at(-1)?.[0]
  // A report is written before its status is set.
  const before = candidates.filter(([, status]) => status.at >= at - TOLERANCE_MS)
  const sorted = (before.length > 0 ? before : candidates).sort(
    ([, a], [, b]) => Math.abs(a.at - at) - Math.abs(b.at - at),
  )
  const atOnce = sorted.filter(([, status]) => status.at === sorted[0]?.[1].at)
  const nearest = atOnce[Math.max(0, atOnce.length - 1 - filesAfter)]
  const isLast = nearest?.[0] === statuses.length - 1
  // Results after the last status that has results already are new ones.
  return nearest && before.length === 0 && isLast && taken.size > 0 ? undefined : nearest?.[0]
}

const TOLERANCE_MS = 10 * MINUTE_MS

function interpretationOf(value: unknown): RecordedResults {
  const interpretation = interpretations.find((each) => each === value)
  return interpretation ? { interpretation } : {}
}

const slugOf = (entry: unknown) =>
  isObject(entry) && typeof entry.slug === 'string' ? entry.slug : undefined

const slugsIn = (list: unknown): string[] => (Array.isArray(list) ? compact(list.map(slugOf)) : [])

/** The slug of a result with its number, or with a bound such as `>2000`. */
function givenValueOf(entry: unknown): [slug: string, value: number | string][] {
  const slug = slugOf(entry)
  if (slug === undefined) return []
  const { type, value, result } = objectIn(entry)
  if (type === 'range' && typeof result === 'string' && spanOf(result)) return [[slug, result]]
  const number = typeof value === 'number' ? value : Number(result)
  return type === 'numeric' && Number.isFinite(number) ? [[slug, number]] : []
}
