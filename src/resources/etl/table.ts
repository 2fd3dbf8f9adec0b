import { table } from '../../storage/table.ts'

/** The kinds of destinations a team's events can go to. Source: contract/management.json. */
export const destinationKinds = ['cloud_pubsub', 'rabbitmq', 'svix', 'azure_amqp'] as const
export type DestinationKind = (typeof destinationKinds)[number]

/** The destinations of a team's events besides webhooks; one row. */
export interface EtlPipeline {
  readonly id: 'pipeline'
  readonly push_historical_data: boolean
  readonly provider_raw_data: boolean
  readonly preferences: {
    readonly preferred: DestinationKind
    readonly enabled: readonly DestinationKind[]
  }
  /** The configuration of each kind of destination, without secrets. */
  readonly destinations: Readonly<Partial<Record<DestinationKind, object>>>
  /** Null for all events. */
  readonly event_type_prefixes: readonly string[] | null
}

export const etlPipelines = table<EtlPipeline>('etl_pipeline', ({ id }) => id)

/** The URL or folder that receives the events in place of the destinations; one row. */
export interface EtlTarget {
  readonly id: 'target'
  readonly url: string | null
  /** A folder below the one that Petri was started with. */
  readonly folder: string | null
  /** The number of failures since the last success, and the latest error. */
  readonly failures: number
  readonly last_error: string | null
  readonly delivered: number
}

export const etlTargets = table<EtlTarget>('etl_target', ({ id }) => id)

/** Events that are not delivered yet, oldest first. */
export const etlOutbox = table<{ readonly event_id: string }>('etl_outbox', ({ event_id }) => event_id)

/** The authentication at an EHR, without the secret. */
export type EhrAuthentication =
  | {
      readonly type: 'client_credentials'
      readonly client_id: string
      readonly client_secret: string
      readonly token_url: string
    }
  | { readonly type: 'google_iam'; readonly service_account_email: string; readonly audience: string }
  | { readonly type: 'api_key'; readonly api_key: string }

/** An EHR that a team's results go to. */
export interface EhrPipeline {
  readonly ehr_type: 'fhir' | 'hint_health'
  readonly base_url: string
  readonly authentication: EhrAuthentication
  readonly allowed_mappers: readonly string[] | null
}

export const ehrPipelines = table<EhrPipeline>('ehr_pipelines', ({ ehr_type }) => ehr_type)
