import * as z from 'zod'
import { type FeatureName, type Features, featureNames, features } from '../../api/features.ts'
import { boolean, oneOf } from '../../api/fields.ts'
import { pageOf } from '../../api/pagination.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { receiverUrl } from '../../webhooks/fields.ts'
import { Clock, pace } from '../clock/schema.ts'
import { instant, seed } from '../fields.ts'

/** An object shape with one field for each feature. */
const forEachFeature = <Field extends z.ZodType>(build: (name: FeatureName) => Field) =>
  Object.fromEntries(featureNames.map((name) => [name, build(name)])) as Record<FeatureName, Field>

const FeatureValues = schema('PetriFeatures', () =>
  z.object(
    forEachFeature((name) => {
      const { kind, summary } = features[name]
      return (kind === 'boolean' ? z.boolean() : z.enum(kind)).describe(summary) as z.ZodType
    }) as { [Name in FeatureName]: z.ZodType<Features[Name]> },
  ),
)

export const World = schema('PetriWorld', () =>
  z.object({
    team_id: z.uuid(),
    org_id: z.uuid(),
    name: z.string(),
    api_key: z.string(),
    webhook_secret: z.string(),
    seed: z.string(),
    scenario: z.string(),
    clock: Clock(),
    features: FeatureValues(),
    counts: z.record(z.string(), z.int()),
    long_work: z
      .array(
        z.object({
          kind: z.enum(['export', 'import', 'snapshot', 'restore']),
          rows: z.int().describe('How many rows are done.'),
          of: z.int().nullable(),
        }),
      )
      .describe('What takes long and is going on.'),
    failed_jobs: z
      .array(z.object({ at: z.string(), job: z.string(), subject: z.string(), detail: z.string() }))
      .describe('Background work that failed because of a bug in Petri, and is not run again.'),
  }),
)

export const Worlds = schema('PetriWorlds', () => pageOf(World()))

export const NewWorld = schema('PetriNewWorld', () =>
  z.strictObject({
    name: z.string().trim().min(1).max(200).optional(),
    seed: seed().optional(),
    frozen: boolean().optional(),
    now: instant().optional(),
    scenario: z.string().optional(),
    webhook_url: receiverUrl().nullish(),
    pace: pace().optional(),
  }),
)

export const WorldPath = unnamed(() => z.object({ team_id: z.string() }))

/** Null restores the default of a feature. */
export const FeaturePatch = schema('PetriFeaturePatch', () =>
  z.strictObject(
    forEachFeature((name) => {
      const { kind, summary } = features[name]
      const field: z.ZodType<boolean | string | null | undefined> = (
        kind === 'boolean' ? boolean() : oneOf(kind)
      ).nullish()
      return field.describe(summary)
    }),
  ),
)

export const WorldPatch = schema('PetriWorldPatch', () =>
  z.strictObject({ scenario: z.string().optional(), features: FeaturePatch().optional() }),
)

export const Reset = schema('PetriReset', () => z.strictObject({ seed: seed().optional() }))
