import type { Clock } from '../kernel/clock.ts'
import { currentJobTurn } from './context.ts'
import { EventBus } from './event-bus.ts'
import type { Advanced, Effect, Job, JobFailure } from './job.ts'

/** The most effects that an advance reports. */
const MAX_EFFECTS = 10_000
/** The most failures that are listed. */
const MAX_FAILURES = 20

/** What happens in a world: published as it happens, counted, and collected for the answer of an advance. */
export class Activity {
  readonly bus = new EventBus()
  readonly counters = new Counters()
  /** The latest jobs that threw. */
  readonly failures: JobFailure[] = []
  readonly #clock: Clock
  readonly #reportBug: (error: unknown) => void
  #effects: Effect[] = []
  /** Effects beyond the most that are reported. */
  #dropped = 0

  constructor(clock: Clock, reportBug: (error: unknown) => void) {
    this.#clock = clock
    this.#reportBug = reportBug
  }

  /** In a frozen world the effects of jobs are kept for the next advance. */
  record(kind: string, fields: Readonly<Record<string, unknown>>, isAdvancing: boolean): void {
    this.counters.countEffect(kind, fields)
    const isCollected = isAdvancing || (this.#clock.frozen && currentJobTurn() !== undefined)
    if (!isCollected && this.bus.subscribers === 0) return
    const effect = { at: this.#clock.now(), kind, ...fields }
    if (isCollected && this.#effects.length >= MAX_EFFECTS) this.#dropped++
    else if (isCollected) this.#effects.push(effect)
    try {
      this.bus.publish(effect)
    } catch (error) {
      this.#reportBug(error)
    }
  }

  /** A job that throws is a bug in Petri. */
  recordFailure({ kind, subject }: Job, error: unknown, isAdvancing: boolean): void {
    const detail = String(error)
    this.failures.push({ at: this.#clock.now(), kind, subject, detail })
    if (this.failures.length > MAX_FAILURES) this.failures.shift()
    this.record('bug', { detail, job: kind, subject }, isAdvancing)
    this.#reportBug(error)
  }

  /** The effects since this was called last. */
  takeEffects(stopped = false): Advanced {
    const taken = { effects: this.#effects, dropped: this.#dropped, stopped }
    this.#effects = []
    this.#dropped = 0
    return taken
  }
}

/** The most different names in a group; some come from what clients send. */
const MAX_NAMES = 2000

/** How often something happened in a world since it was opened, by group and name. */
export class Counters {
  readonly #groups = new Map<string, Map<string, number>>()

  count(group: string, name: string): void {
    const counts = this.#groups.get(group)
    if (!counts) this.#groups.set(group, new Map([[name, 1]]))
    else if (counts.size < MAX_NAMES || counts.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }

  /** Counts what the event bus publishes and the world reports. */
  countEffect(kind: string, { event_type, status }: Readonly<Record<string, unknown>>): void {
    if (kind === 'event') this.count(kind, String(event_type))
    else if (kind === 'order') this.count(kind, String(status))
    else if (kind === 'delivery' && isDelivered(status)) this.count('delivered', String(event_type))
  }

  get(group: string): ReadonlyMap<string, number> {
    return this.#groups.get(group) ?? new Map()
  }
}

const isDelivered = (status: unknown) => typeof status === 'number' && status >= 200 && status < 300
