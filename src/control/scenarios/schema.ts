import * as z from 'zod'
import { field, text } from '../../api/fields.ts'
import { valueError } from '../../api/issue.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { parseJson } from '../../kernel/json.ts'

const TrailStep = schema('TrailStep', () =>
  z.object({
    status: z.string(),
    status_detail: z.string().nullable(),
    /** Milliseconds since the previous step; null if the customer decides. */
    after_ms: z.number().nullable(),
  }),
)

export const ScenarioSummary = schema('ScenarioSummary', () =>
  z.object({
    name: z.string(),
    summary: z.string(),
    method: z.string(),
    zip: z.string().nullable(),
    /** Whether it was uploaded to this world. */
    uploaded: z.boolean(),
  }),
)

export const ScenarioList = schema('ScenarioList', () => z.object({ data: z.array(ScenarioSummary()) }))

export const ScenarioView = schema('ScenarioView', () =>
  ScenarioSummary().extend({
    /** The statuses an order gets from the scenario, by workflow. */
    trails: z.record(z.string(), z.array(TrailStep())),
    source: z.string(),
  }),
)

/** Parsed to the text of the scenario: what was sent, or the value of `source` in it. */
export const ScenarioUpload = schema('ScenarioUpload', () =>
  field({ type: ['object', 'string'], examples: [{ source: 'name: mine\nsummary: …' }] }, (input) =>
    typeof input === 'string'
      ? (wrappedSource(input) ?? input)
      : valueError('a scenario is YAML, a JSON object, or {"source": "…"}'),
  ),
)

/** The text in `{"source": "…"}`. */
function wrappedSource(text: string): string | undefined {
  if (!/^\s*\{\s*"source"/.test(text)) return undefined
  const { source, ...rest } = (parseJson(text) ?? {}) as { readonly source?: unknown }
  return typeof source === 'string' && Object.keys(rest).length === 0 ? source : undefined
}

export const ScenarioRefusal = schema('ScenarioRefusal', () =>
  z.object({
    /** Counts from 1. */
    line: z.int(),
    /** Counts from 1; null for an error of the whole file. */
    step: z.int().nullable(),
    message: z.string(),
    /** The statuses that are allowed at this step. */
    legal: z.array(z.string()).nullable(),
  }),
)

export const ScenarioCheck = schema('ScenarioCheck', () =>
  z.object({
    valid: z.boolean(),
    name: z.string().nullable(),
    summary: z.string().nullable(),
    method: z.string().nullable(),
    /** By workflow; empty if the scenario is refused. */
    trails: z.record(z.string(), z.array(TrailStep())),
    refusals: z.array(ScenarioRefusal()),
  }),
)

/** The JSON schema of scenario files. */
export const ScenarioJsonSchema = unnamed(() => z.looseObject({}))

export const ScenarioPath = unnamed(() => z.object({ name: text() }))

export const OrderScenarioInput = schema('OrderScenarioInput', () =>
  z.strictObject({ scenario: text(), from: text().optional() }),
)

export const OrderScenario = schema('OrderScenario', () =>
  z.object({
    order_id: z.uuid(),
    scenario: z.string().nullable(),
    /** The next status; null if there is none. */
    next: z.string().nullable(),
    next_due: z.string().nullable(),
    waits_for: z.string().nullable(),
    /** Why the order left its scenario, and the statuses that were dropped. */
    left_because: z.string().nullable(),
    dropped: z.array(z.string()),
  }),
)

export const UserScenarioInput = schema('UserScenarioInput', () =>
  z.strictObject({ scenario: text().nullable() }),
)
export const UserScenario = schema('UserScenario', () =>
  z.object({ user_id: z.uuid(), scenario: z.string().nullable() }),
)
