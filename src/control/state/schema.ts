import * as z from 'zod'
import { boolean, field } from '../../api/fields.ts'
import type { ValidationIssue } from '../../api/issue.ts'
import { anyObject, nullableText, schema } from '../../api/schema.ts'
import { isObject } from '../../kernel/json.ts'
import { instant, seed } from '../fields.ts'
import { FeaturePatch } from '../worlds.ts'

/** The version of the export format. Only this version can be imported. */
export const STATE_FORMAT = 2

const rows = () =>
  z.record(z.string().regex(/^[a-z][a-z0-9_]{0,63}$/), z.record(z.string(), z.looseObject({})))

/** A whole world as one document, without secrets. */
export const State = schema('PetriState', () =>
  z.strictObject({
    format: z.literal(STATE_FORMAT),
    petri_version: z.string(),
    team_id: z.string(),
    org_id: z.string(),
    base_url: z.string(),
    seed: z.string(),
    behaviour_seed: z.string().optional().describe('The seed of behaviour, if `seed` is that of ids only.'),
    clock: z.strictObject({ now: z.string(), frozen: z.boolean() }),
    birth: z.strictObject({
      frozen: z.boolean(),
      now: nullableText(),
      pace: z.number(),
      scenario: z.string(),
      webhook_url: nullableText(),
    }),
    settings: z.strictObject({
      pace: z.number(),
      scenario: z.string(),
      features: anyObject(),
    }),
    tables: rows(),
    /** The rows of the organisation that concern this team. An import ignores them. */
    organisation: rows(),
  }),
)

/** Rows by table and id; `readDocument` checks each while it is read. */
const uncheckedRows = () => {
  const row = { type: 'object', additionalProperties: {} } as const
  const table = { type: 'object', additionalProperties: row } as const
  return field({ type: 'object', additionalProperties: table }, (input): object | ValidationIssue =>
    isObject(input) ? input : { type: 'dict_type', msg: 'Input should be a valid dictionary' },
  )
}

const name = () => z.string().max(200)
const address = () => z.url({ protocol: /^https?$/ }).max(2000)

/** The document as it is imported. */
export const StateInput = schema('PetriStateInput', () =>
  z.strictObject({
    format: z.literal(STATE_FORMAT),
    petri_version: name().optional(),
    team_id: z.uuid(),
    org_id: z.uuid(),
    base_url: z.union([z.literal(''), address()]),
    seed: seed(),
    behaviour_seed: seed().optional(),
    clock: z.strictObject({ now: instant(), frozen: boolean() }),
    birth: z.strictObject({
      frozen: boolean(),
      now: instant().nullable(),
      pace: z.number().min(0.01).max(1_000_000),
      scenario: name(),
      webhook_url: address().nullable(),
    }),
    settings: z.strictObject({
      pace: z.number().min(0.01).max(1_000_000),
      scenario: name(),
      features: FeaturePatch(),
    }),
    tables: uncheckedRows(),
    organisation: uncheckedRows().optional(),
  }),
)
