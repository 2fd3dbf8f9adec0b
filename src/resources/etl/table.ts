import * as z from 'zod'
import { nullableText, type Parsed, unnamed } from '../../api/schema.ts'
import { count, type RowOf, table } from '../../storage/table.ts'

/** The kinds of destinations a team's events can go to. Source: docs/contract/management.md. */
export const destinationKinds = ['cloud_pubsub', 'rabbitmq', 'svix', 'azure_amqp'] as const
export type DestinationKind = (typeof destinationKinds)[number]

/** The destinations of a team's events other than webhooks; one row. */
export const EtlPipeline = unnamed(() => {
  const kind = () => z.enum(destinationKinds)
  return z.object({
    id: z.literal('pipeline'),
    push_historical_data: z.boolean(),
    provider_raw_data: z.boolean(),
    preferences: z.object({ preferred: kind(), enabled: z.array(kind()) }),
    /** The configuration of each kind of destination, without secrets. */
    destinations: z.partialRecord(kind(), z.looseObject({})),
    /** Null for all events. */
    event_type_prefixes: z.array(z.string()).nullable(),
  })
})
export type EtlPipeline = Parsed<typeof EtlPipeline>

export const etlPipelines = table('etl_pipeline', EtlPipeline, ({ id }) => id)

/** The URL that receives the events in place of the destinations; one row. */
export const etlTargets = table(
  'etl_target',
  () =>
    z.object({
      id: z.literal('target'),
      url: z.url(),
      /** The number of failures since the last success, and the latest error. */
      failures: count(),
      last_error: nullableText(),
      delivered: count(),
    }),
  ({ id }) => id,
)
export type EtlTarget = RowOf<typeof etlTargets>

/** Events that are not delivered yet, oldest first. */
export const etlOutbox = table(
  'etl_outbox',
  () => z.object({ event_id: z.string() }),
  ({ event_id }) => event_id,
  { owner: 'event' },
)

/** The authentication at an EHR, without the secret. */
const EhrAuthentication = unnamed(() =>
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('client_credentials'),
      client_id: z.string(),
      client_secret: z.string(),
      token_url: z.string(),
    }),
    z.object({ type: z.literal('google_iam'), service_account_email: z.string(), audience: z.string() }),
    z.object({ type: z.literal('api_key'), api_key: z.string() }),
  ]),
)
export type EhrAuthentication = Parsed<typeof EhrAuthentication>

/** An EHR that a team's results go to. */
export const EhrPipeline = unnamed(() => ({
  ehr_type: z.enum(['fhir', 'hint_health']),
  base_url: z.string(),
  authentication: EhrAuthentication(),
  allowed_mappers: z.array(z.string()).nullable(),
}))
export type EhrPipeline = Parsed<typeof EhrPipeline>

export const ehrPipelines = table('ehr_pipelines', EhrPipeline, ({ ehr_type }) => ehr_type)
