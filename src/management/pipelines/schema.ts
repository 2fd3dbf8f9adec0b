import * as z from 'zod'
import { boolean, maybe, oneOf, text, uuid } from '../../api/fields.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { destinationKinds } from '../../resources/etl/table.ts'
import { webUrl } from '../../webhooks/fields.ts'
import { environment, orgId, region } from '../parts.ts'

const some = () => text().min(1)

/** The configuration of each kind of destination. Source: contract/management.json. */
const destinations = () => ({
  cloud_pubsub: maybe(z.object({ project: some(), topic: some(), message_ordering: boolean() })),
  rabbitmq: maybe(z.object({ uri: text().regex(/^amqps?:\/\/\S+$/), exchange: text() })),
  svix: maybe(z.object({ regional: z.literal(true).default(true) })),
  azure_amqp: maybe(
    z.object({
      connection_string: some(),
      default_event_hub: some(),
      event_hub_matchers: z
        .array(
          z.object({
            event_type_prefix: maybe(text()),
            event_type_regex: maybe(text()),
            event_hub: maybe(text()),
            blob_storage: maybe(z.object({ connection_string: some(), container_name: some() })),
          }),
        )
        .default([]),
      compression: oneOf(['always', 'auto']).default('auto'),
    }),
  ),
})

const preferences = () =>
  z.object({ preferred: oneOf(destinationKinds), enabled: z.array(oneOf(destinationKinds)) })

export const EtlPipeline = schema('EtlPipeline', () =>
  z.object({
    team_id: z.uuid(),
    push_historical_data: z.boolean(),
    provider_raw_data: z.boolean(),
    preferences: preferences(),
    ...destinations(),
    event_type_prefixes: z.array(z.string()).nullable(),
  }),
)

export const EtlPipelines = unnamed(() => z.array(EtlPipeline()))
export const EtlPipelinePage = schema('EtlPipelinePage', () =>
  z.object({ pipelines: z.array(EtlPipeline()), next_cursor: z.string().nullable() }),
)

export const EtlPipelinesInput = schema('EtlPipelinesInput', () =>
  z.object({
    team_ids: z.array(uuid()).default([]),
    push_historical_data: maybe(boolean()),
    provider_raw_data: maybe(boolean()),
    preferences: maybe(preferences()),
    ...destinations(),
    event_type_prefixes: z.array(some()).optional(),
  }),
)

export const PipelineQuery = unnamed(() => z.object({ next_cursor: maybe(text()), team_id: maybe(uuid()) }))
export const PipelineChoice = unnamed(() => z.object({ team_id: z.array(uuid()).default([]) }))

const ehrTypes = ['fhir', 'hint_health'] as const

const authentication = () =>
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('client_credentials'),
      client_id: text(),
      client_secret: text().meta({ format: 'password' }),
      token_url: webUrl(),
    }),
    z.object({
      type: z.literal('google_iam'),
      service_account_email: text(),
      audience: z.literal('https://healthcare.googleapis.com/'),
    }),
    z.object({ type: z.literal('api_key'), api_key: text() }),
  ])

/** Secrets are shown as asterisks. */
export const EhrPipeline = schema('EhrPipeline', () =>
  z.object({
    team_id: z.uuid(),
    type: z.enum(['native', 'ehr_linked']),
    ehr_type: z.enum(ehrTypes),
    base_url: z.string().meta({ format: 'uri' }),
    authentication: z.discriminatedUnion('type', [
      z.object({
        type: z.literal('client_credentials'),
        client_id: z.string(),
        client_secret: z.string().meta({ format: 'password' }),
        token_url: z.string().meta({ format: 'uri' }),
      }),
      z.object({
        type: z.literal('google_iam'),
        service_account_email: z.string(),
        audience: z.literal('https://healthcare.googleapis.com/'),
      }),
      z.object({ type: z.literal('api_key'), api_key: z.string() }),
    ]),
    allowed_mappers: z.array(z.string()).nullable(),
  }),
)

export const EhrPipelines = unnamed(() => z.array(EhrPipeline()))
export const EhrPipelinePage = schema('EhrPipelinePage', () =>
  z.object({ data: z.array(EhrPipeline()), next_token: z.string().nullable() }),
)

export const EhrPipelinesInput = schema('EhrPipelinesInput', () =>
  z.object({
    team_ids: maybe(z.array(uuid())),
    ehr_type: oneOf(ehrTypes),
    base_url: webUrl(),
    authentication: authentication(),
    allowed_mappers: maybe(z.array(text())),
  }),
)

export const EhrPipelineChoice = unnamed(() =>
  z.object({ ehr_type: oneOf(ehrTypes), team_id: z.array(uuid()).default([]) }),
)

export const EnvironmentPlacePath = unnamed(() =>
  z.object({ environment: environment(), org_id: orgId(), region: region() }),
)
