import * as z from 'zod'
import { unnamed } from '../../api/schema.ts'
import { destinationKinds } from '../../resources/etl/table.ts'

/** Schemas of the stored rows about ETL destinations. */

const kind = () => z.enum(destinationKinds)

export const EtlPipelineRow = unnamed(() =>
  z.looseObject({
    id: z.literal('pipeline'),
    push_historical_data: z.boolean(),
    provider_raw_data: z.boolean(),
    preferences: z.looseObject({ preferred: kind(), enabled: z.array(kind()) }),
    destinations: z.partialRecord(kind(), z.looseObject({})),
    event_type_prefixes: z.array(z.string()).nullable(),
  }),
)

export const EtlTargetRow = unnamed(() =>
  z.looseObject({
    id: z.literal('target'),
    url: z.url().nullable(),
    folder: z.string().nullable(),
    failures: z.int().min(0),
    last_error: z.string().nullable(),
    delivered: z.int().min(0),
  }),
)

export const EtlOutboxRow = unnamed(() => z.looseObject({ event_id: z.string() }))

export const EhrPipelineRow = unnamed(() =>
  z.looseObject({
    ehr_type: z.enum(['fhir', 'hint_health']),
    base_url: z.string(),
    authentication: z.discriminatedUnion('type', [
      z.looseObject({
        type: z.literal('client_credentials'),
        client_id: z.string(),
        client_secret: z.string(),
        token_url: z.string(),
      }),
      z.looseObject({
        type: z.literal('google_iam'),
        service_account_email: z.string(),
        audience: z.string(),
      }),
      z.looseObject({ type: z.literal('api_key'), api_key: z.string() }),
    ]),
    allowed_mappers: z.array(z.string()).nullable(),
  }),
)
