import * as z from 'zod'
import type { Database } from '../storage/database.ts'
import { instantMs, type RowOf, table } from '../storage/table.ts'

/** Scenario time as a line: at an instant of the clock it stood there, and since then it passes at this rate. One row. */
export const scenarioTimeRow = table(
  'scenario_time',
  () =>
    z.object({
      /** By the world's clock. */
      at: instantMs(),
      /** Milliseconds of scenario time at that instant. */
      scenarioMs: z.number(),
      /** Milliseconds of scenario time that pass in each millisecond of the world's clock. */
      rate: z.number().positive().max(1e9),
    }),
  () => 'scenario_time',
)

/** The time in which scenarios and simulated waits pass: with the clock, or faster in a live world that is not being advanced. */
export class ScenarioTime {
  readonly #db: Database
  #line: RowOf<typeof scenarioTimeRow>

  constructor(db: Database) {
    this.#db = db
    this.#line = db.find(scenarioTimeRow, 'scenario_time') ?? { at: 0, scenarioMs: 0, rate: 1 }
  }

  get rate(): number {
    return this.#line.rate
  }

  /** The scenario time at an instant of the clock. */
  atInstant(instant: number): number {
    const { at, scenarioMs, rate } = this.#line
    return scenarioMs + (instant - at) * rate
  }

  /** The instant of the clock at which it is a scenario time. What was due before the last change of rate is due at that change. */
  toInstant(scenarioMs: number): number {
    const { at, scenarioMs: then, rate } = this.#line
    return scenarioMs < then ? at : Math.round(at + (scenarioMs - then) / rate)
  }

  /** Lets it pass at another rate from an instant on. */
  setRate(instant: number, rate: number): void {
    this.#line = { at: instant, scenarioMs: this.atInstant(instant), rate }
    this.#db.put(scenarioTimeRow, this.#line)
  }
}
