import * as z from 'zod'
import { unnamed } from '../api/schema.ts'
import type { WebhookFaultRule } from '../api/webhook-faults.ts'
import type { FaultInput } from '../faults/model.ts'
import { collectionMethods } from '../resources/catalogue/schema.ts'
import type { Method } from '../resources/orders/lifecycle.ts'
import {
  FaultSketch,
  type ScenarioStep,
  Steps,
  scenarioName,
  toFault,
  toStep,
  toWebhookFaultRules,
  WebhookFaultsSketch,
} from './steps.ts'
import { MAGIC_ZIP } from './table.ts'

/** A scenario file, version 1. */
export const ScenarioFile = unnamed(() =>
  z.strictObject({
    name: scenarioName(),
    summary: z.string().min(1),
    method: z.enum(collectionMethods),
    match: z
      .strictObject({ zip: z.string().regex(MAGIC_ZIP, 'is not a magic ZIP, which are 00100 to 00499') })
      .optional(),
    /** Couriers, laboratories and phlebotomists act during their hours: `after: 2d` is two days later at such an hour. */
    workdays: z.literal(true).optional(),
    steps: Steps(),
    webhook_faults: WebhookFaultsSketch().optional(),
    faults: z.array(FaultSketch()).max(20).optional(),
  }),
)

/** Why a file is invalid. */
export interface ScenarioIssue {
  readonly file: string
  /** Counts from 1; absent if the file cannot be read at all. */
  readonly line?: number
  /** Counts from 1. */
  readonly step?: number | undefined
  /** Where in the file, and what is written there. */
  readonly path?: readonly PropertyKey[]
  readonly value?: unknown
  readonly message: string
  /** The statuses that are allowed at this step. */
  readonly legal?: readonly string[]
}

/** The stored text of a scenario, and what is wrong with it. */
export interface RefusedScenario {
  readonly source: string
  readonly issues: readonly ScenarioIssue[]
}

/** A parsed scenario. */
export interface Scenario {
  readonly name: string
  readonly summary: string
  readonly method: Method
  readonly zip: string | undefined
  readonly steps: readonly ScenarioStep[]
  /** Whether couriers, laboratories and phlebotomists act during their hours only. */
  readonly workdays: boolean
  readonly webhookFaults: WebhookFaultRule | WebhookFaultRule[] | undefined
  /** Faults for calls about the order, armed when the scenario begins. */
  readonly faults: readonly FaultInput[]
  /** Rules that are valid but have no effect. */
  readonly warnings: readonly ScenarioIssue[]
  /** The source text. */
  readonly source: string
  /** The subfolder of the user's folder it lies in, such as `incidents`. */
  readonly group?: string
}

export function toScenario(file: z.output<ReturnType<typeof ScenarioFile>>, source: string): Scenario {
  const { name, summary, method, match, workdays = false, steps, webhook_faults, faults = [] } = file
  return {
    name,
    summary,
    method,
    zip: match?.zip,
    source,
    workdays,
    steps: steps.map(toStep),
    webhookFaults: webhook_faults && toWebhookFaultRules(webhook_faults),
    faults: faults.map(toFault),
    warnings: [],
  }
}
