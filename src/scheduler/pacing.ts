import * as z from 'zod'
import type { Database } from '../storage/database.ts'
import { instantMs, type RowOf, table } from '../storage/table.ts'

/** Simulated time as a line: at an instant it stood there, and since then it passes at this rate. One row. */
export const pacingRow = table(
  'pacing',
  () =>
    z.object({
      /** By the world's clock. */
      at: instantMs(),
      /** Simulated milliseconds at that instant. */
      simulated: instantMs(),
      /** Simulated milliseconds that pass in each millisecond of the world's clock; 1 until the pace is first changed. */
      rate: z.number().positive().max(1e9),
    }),
  () => 'pacing',
)
type PacingRow = RowOf<typeof pacingRow>

/** Converts between the world's clock and simulated time. Paced jobs are stored in simulated time, so that a change of pace rewrites none of them. */
export class Pacing {
  readonly #db: Database
  #row: PacingRow

  constructor(db: Database) {
    this.#db = db
    this.#row = db.find(pacingRow, 'pacing') ?? { at: 0, simulated: 0, rate: 1 }
  }

  toSimulated(instant: number): number {
    const { at, simulated, rate } = this.#row
    return simulated + (instant - at) * rate
  }

  /** What was due before the last change of pace is due at that change. */
  toInstant(simulatedMs: number): number {
    const { at, simulated, rate } = this.#row
    return simulatedMs < simulated ? at : Math.round(at + (simulatedMs - simulated) / rate)
  }

  /** Makes what is left of every simulated wait longer by a factor, from an instant on. */
  rescale(now: number, factor: number): void {
    if (factor === 1) return
    this.#row = { at: now, simulated: this.toSimulated(now), rate: this.#row.rate / factor }
    this.#db.put(pacingRow, this.#row)
  }
}
