import * as z from 'zod'
import type { Clock } from '../kernel/clock.ts'
import type { Database } from '../storage/database.ts'
import { instantMs, type RowOf, table } from '../storage/table.ts'

/** Scenario time as a linear function of the world's clock; one row. */
export const scenarioTimeRow = table(
  'scenario_time',
  () =>
    z.object({
      /** The instant since which the rate applies, by the world's clock. */
      at: instantMs(),
      /** Scenario time at that instant, in milliseconds. */
      scenarioMs: z.number(),
      /** Milliseconds of scenario time per millisecond of the world's clock. */
      rate: z.number().positive().max(1e9),
    }),
  () => 'scenario_time',
)

/** The time of scenarios and simulated waits. It passes with the clock, but faster in a live world without an advance. */
export class ScenarioTime {
  readonly #db: Database
  readonly #clock: Clock
  #line: RowOf<typeof scenarioTimeRow>

  constructor(db: Database, clock: Clock) {
    this.#db = db
    this.#clock = clock
    this.#line = db.find(scenarioTimeRow, 'scenario_time') ?? { at: 0, scenarioMs: 0, rate: 1 }
  }

  /** Milliseconds of scenario time per millisecond of the clock: 1 in a frozen world and during an advance. */
  get rate(): number {
    return this.#line.rate
  }

  /** The scenario time at an instant of the clock. Before the last change of rate it is taken to have passed with the clock. */
  atInstant(instant: number): number {
    const { at, scenarioMs, rate } = this.#line
    return scenarioMs + (instant - at) * (instant < at ? 1 : rate)
  }

  /**
   * The instant of the clock for a scenario time. A job that was due before the last change of rate is due at that
   * change.
   */
  toInstant(scenarioMs: number): number {
    const { at, scenarioMs: then, rate } = this.#line
    return scenarioMs < then ? at : Math.round(at + (scenarioMs - then) / rate)
  }

  /** Changes the rate from now on. */
  setRate(rate: number): void {
    if (rate === this.rate) return
    const at = this.#clock.now()
    this.#line = { at, scenarioMs: this.atInstant(at), rate }
    this.#db.put(scenarioTimeRow, this.#line)
  }
}
