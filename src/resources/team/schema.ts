import * as z from 'zod'
import { integer, maybe, oneOf, text } from '../../api/fields.ts'
import { anyObject, instant, nullableText, schema, unnamed } from '../../api/schema.ts'
import { destinationKinds } from '../etl/table.ts'
import { providerSlugs } from '../providers/schema.ts'
import { User } from '../users/schema.ts'

const ApiKey = schema('ApiKey', () => ({
  label: z.string(),
  value: z.string(),
  team_id: z.uuid().nullable(),
  id: z.uuid(),
  created_at: instant(),
  deleted_at: instant().nullable(),
}))

const TeamConfig = schema('TeamConfig', () => ({
  libreview: z.object({ practice_id: anyObject(), strip_tz: z.boolean() }),
  texts_enabled: z.boolean(),
  push_historical_data: z.boolean(),
  provider_raw_data: z.boolean(),
  reject_duplicate_connection: z.boolean(),
  sdk_per_device_activity_timeseries: z.boolean(),
  partial_webhooks_enabled: z.boolean(),
  minor_ordering_enabled: z.boolean(),
  eds_preferences: z.object({
    preferred: z.enum(destinationKinds),
    enabled: z.array(z.enum(destinationKinds)),
  }),
  event_type_prefixes: z.array(z.string()).nullable(),
}))

/** A team. Source: docs/contract/users.md. */
export const Team = schema('Team', () => ({
  id: z.uuid(),
  org_id: z.uuid(),
  name: z.string(),
  svix_app_id: nullableText(),
  client_id: nullableText(),
  client_secret: nullableText(),
  airtable_api_key: nullableText(),
  airtable_base_id: nullableText(),
  webhook_secret: nullableText(),
  api_key: nullableText(),
  api_keys: z.array(ApiKey()).nullable(),
  configuration: TeamConfig().nullable(),
  testkits_texts_enabled: z.boolean().meta({ deprecated: true }),
  lab_tests_patient_communication_enabled: z.boolean(),
  lab_tests_patient_sms_communication_enabled: z.boolean(),
  lab_tests_patient_email_communication_enabled: z.boolean(),
  logo_url: nullableText(),
  delegated_flow: z.enum([
    'order_and_results_with_customer_physician_network',
    'order_with_vital_physician_network',
    'order_and_results_with_vital_physician_network',
  ]),
  critical_result_notification_email: nullableText(),
}))

export const Physicians = unnamed(() =>
  z.array(z.object({ first_name: z.string(), last_name: z.string(), npi: z.string() })),
)

export const UserSearch = unnamed(() => ({ query_id: text().min(2).optional() }))
export const FoundUsers = unnamed(() => z.array(User()))
export const SvixUrl = unnamed(anyObject)

/** The types of data with provider priorities. */
export const dataTypes = ['workouts', 'activity', 'sleep', 'body', 'timeseries'] as const

export const PriorityQuery = unnamed(() => ({ data_type: maybe(oneOf(dataTypes)) }))

/** A new priority; the provider by number or slug. */
const PriorityChange = schema('PriorityChange', () => ({
  data_type: oneOf(dataTypes),
  source_id: maybe(integer()),
  slug: maybe(oneOf(providerSlugs)),
  priority: integer(),
}))

export const PriorityChanges = unnamed(() => z.array(PriorityChange()))
export const Priorities = unnamed(() => z.array(anyObject()))

export const Metrics = schema('Metrics', () => ({
  team_id: z.uuid(),
  number_of_connected_sources: z.int(),
  number_of_users: z.int(),
  number_of_errored_connected_sources: z.int(),
  number_of_connected_sources_by_week: z.array(
    z.object({ date: instant(), value: z.number(), all: z.number() }),
  ),
  number_of_ordered_tests: z.int(),
}))
