import { Clock } from '../../src/kernel/clock.ts'
import { runAtOnce } from '../../src/kernel/slices.ts'
import { Agenda } from '../../src/scheduler/agenda.ts'
import { clockRow } from '../../src/scheduler/clock-row.ts'
import type { Job, JobKind, RunJob } from '../../src/scheduler/job.ts'
import { Database } from '../../src/storage/database.ts'
import type { Tables } from '../../src/storage/rows.ts'

interface Setup {
  readonly frozen?: boolean
  readonly pace?: number
  readonly wall?: number
  readonly tables?: Tables
  readonly handlers?: Readonly<
    Record<string, (bench: Bench, job: Job, others: readonly Job[]) => void | Promise<void>>
  >
  /** By kind. */
  readonly options?: Readonly<Record<string, Pick<JobKind, 'groupOf' | 'queueOf' | 'nextDue'>>>
}

export interface Bench {
  readonly agenda: Agenda
  readonly clock: Clock
  readonly tables: Tables
  readonly wall: { now: number }
  readonly speed: { pace: number }
  readonly bugs: unknown[]
  /** What ran, as `instant kind/subject`. */
  readonly ran: string[]
  /** How often the agenda said that it has changed. */
  readonly changes: { count: number }
}

/** An agenda over bare tables; jobs of kind `note` only leave a trace. */
export function bench({
  frozen = true,
  pace = 1,
  wall: wallNow = 0,
  tables = new Map(),
  handlers = {},
  options = {},
}: Setup = {}): Bench {
  const wall = { now: wallNow }
  const db = new Database({ tables, append: () => undefined, blocked: () => undefined })
  const clock = new Clock(
    db.find(clockRow, 'clock') ?? { offsetMs: 0, frozenAt: frozen ? wallNow : null },
    () => wall.now,
  )
  const bugs: unknown[] = []
  const ran: string[] = []
  const changes = { count: 0 }
  const kinds = new Map<string, JobKind & { readonly run: RunJob }>()
  const speed = { pace }
  const agenda = new Agenda({
    db,
    clock,
    pace: () => speed.pace,
    kinds,
    run: (job, others) => kinds.get(job.kind)?.run(job, others),
    onChange: () => void changes.count++,
    reportBug: (bug) => bugs.push(bug),
  })
  runAtOnce(agenda.load())
  const made: Bench = {
    agenda,
    clock,
    get tables() {
      db.flush()
      return tables
    },
    wall,
    bugs,
    ran,
    changes,
    speed,
  }
  const all: NonNullable<Setup['handlers']> = { note: () => undefined, ...handlers }
  for (const [kind, run] of Object.entries(all)) {
    kinds.set(kind, {
      does: kind,
      run(job, others) {
        for (const each of [job, ...others]) ran.push(`${clock.now()} ${each.kind}/${each.subject}`)
        return run(made, job, others)
      },
      ...options[kind],
    })
  }
  return made
}

export const note = (due: number, subject: string) => ({ due, kind: 'note', subject })
