import * as z from 'zod'
import type { Clock, ClockState } from '../kernel/clock.ts'
import type { Database } from '../storage/database.ts'
import { instantMs, table } from '../storage/table.ts'

/** The state of the clock when it was last stored; one row. */
export const clockRow = table(
  'clock',
  () =>
    z.object({ offsetMs: z.number(), frozenAt: instantMs().nullable(), latestAt: instantMs().optional() }),
  () => 'clock',
)

/** Stores the state of a world's clock, for the next start. */
export class ClockStore {
  readonly #db: Database
  readonly #clock: Clock
  #saved: ClockState | undefined

  constructor(db: Database, clock: Clock) {
    this.#db = db
    this.#clock = clock
    this.#saved = db.find(clockRow, 'clock')
  }

  save(): void {
    const { offsetMs, frozenAt } = this.#clock.state()
    const saved = this.#saved
    if (frozenAt === saved?.frozenAt && (frozenAt !== null || offsetMs === saved.offsetMs)) return
    this.#saved = this.#db.put(clockRow, { offsetMs, frozenAt })
  }
}
