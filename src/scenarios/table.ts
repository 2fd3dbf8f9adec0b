import { table } from '../storage/table.ts'

/** The progress of an order in its scenario. */
export interface OrderScenarioRow {
  readonly order_id: string
  readonly scenario: string
  /** Index of the next step. */
  readonly next: number
  /** What the customer has to do before the next step. */
  readonly waits?: 'registration' | 'appointment'
  /** Set when the order left its scenario: why, and the statuses that were dropped. */
  readonly left?: { readonly because: string; readonly dropped: readonly string[] }
}

export const orderScenarios = table<OrderScenarioRow>('order_scenarios', (row) => row.order_id)

/** A scenario that was uploaded to this world. */
export interface UploadedScenario {
  readonly name: string
  readonly source: string
  /** The magic ZIP code that selects it. */
  readonly zip: string | null
}

export const uploadedScenarios = table<UploadedScenario>('scenarios', ({ name }) => name)

/** The default scenario of a user's orders. */
export interface UserScenarioRow {
  readonly user_id: string
  readonly scenario: string
}

export const userScenarios = table<UserScenarioRow>('user_scenarios', (row) => row.user_id)
