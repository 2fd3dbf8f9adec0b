import { table } from '../storage/table.ts'

/** How far an order has come in its scenario. */
export interface OrderScenarioRow {
  readonly order_id: string
  /** The scenario's name. `story` is the field's name in stored data. */
  readonly story: string
  /** Index of the step that comes next. */
  readonly next: number
  /** What it is waiting for, if not for time. */
  readonly waits?: 'registration' | 'appointment'
  /** Set when the order left its scenario: why, and the statuses that were dropped. */
  readonly left?: { readonly because: string; readonly dropped: readonly string[] }
}

export const orderScenarios = table<OrderScenarioRow>('order_stories', (row) => row.order_id)

/** A scenario that was given to this world alone. */
export interface UploadedScenario {
  readonly name: string
  readonly source: string
  /** The magic ZIP code that picks it. */
  readonly zip: string | null
}

export const uploadedScenarios = table<UploadedScenario>('stories', ({ name }) => name)

/** The scenario a user's orders follow unless something nearer chooses. */
export interface UserScenarioRow {
  readonly user_id: string
  /** The scenario's name. `story` is the field's name in stored data. */
  readonly story: string
}

export const userScenarios = table<UserScenarioRow>('user_stories', (row) => row.user_id)
