import * as z from 'zod'
import { number, oneOf, uuid } from '../../api/fields.ts'
import { instant, nullableText, schema, unnamed } from '../../api/schema.ts'
import { sourceTypes } from '../catalogue/schema.ts'
import { demoSlugs, providerSlugs } from '../providers/schema.ts'
import { ProviderName } from '../users/schema.ts'

const Scopes = schema('Scopes', () => ({ required: z.array(z.string()), optional: z.array(z.string()) }))

const ScopeGrants = schema('ScopeGrants', () => ({ user_granted: Scopes(), user_denied: Scopes() }))

const ResourceAvailability = schema('ResourceAvailability', () => ({
  status: z.enum(['available', 'unavailable']),
  scope_requirements: ScopeGrants().nullable(),
}))

/** By resource. */
const Availability = unnamed(() => z.record(z.string(), ResourceAvailability()))

/** Error types of a connection. Source: docs/contract/connections.md#connections. */
export const connectionErrors = [
  'token_refresh_failed',
  'webhook_registration_failed',
  'user_not_found',
  'deregistered_per_provider',
  'required_scopes_not_granted',
  'provider_credential_error',
  'provider_password_expired',
  'unknown',
] as const

export const ConnectionError = schema('ConnectionError', () => ({
  error_type: z.enum(connectionErrors),
  error_message: z.string(),
  errored_at: instant(),
}))

const ConnectedProvider = schema('ConnectedProvider', () => ({
  name: z.string(),
  slug: z.string(),
  logo: z.string(),
  created_on: instant(),
  status: z.string(),
  external_user_id: nullableText(),
  error_details: ConnectionError().nullable(),
  resource_availability: Availability(),
}))

export const ConnectedProviders = unnamed(() => z.record(z.string(), z.array(ConnectedProvider())))

export const DemoConnection = schema('DemoConnection', () => ({
  user_id: uuid(),
  provider: oneOf(demoSlugs),
}))

export const DemoConnectionStatus = schema('DemoConnectionStatus', () => ({
  success: z.boolean(),
  detail: z.string(),
}))

export const ConnectionPath = unnamed(() => ({ user_id: uuid(), provider: oneOf(providerSlugs) }))

/** The data of `provider.connection.created`. Source: docs/contract/webhooks.md#events. */
export const ConnectionCreated = schema('ConnectionCreated', () => ({
  user_id: z.guid(),
  provider: ProviderName(),
  source: ProviderName(),
  external_user_id: nullableText(),
  resource_availability: Availability(),
}))

/** The data of `provider.connection.error`. Source: docs/contract/webhooks.md#events. */
export const ConnectionFailed = schema('ConnectionFailed', () => ({
  user_id: z.guid(),
  provider: z.string(),
  error_type: z.enum(connectionErrors),
  error_details: z.string(),
  message: z.string(),
}))

/** The data of `historical.data.*.created`. Source: docs/contract/webhooks.md#events. */
export const HistoricalPull = schema('HistoricalPull', () => ({
  user_id: z.guid(),
  start_date: instant(),
  end_date: instant(),
  is_final: z.literal(true),
  provider: z.string(),
}))

/** A source of data. Source: docs/contract/connections.md#connections. */
export const Device = schema('Device', () => ({
  id: z.uuid(),
  user_id: z.guid(),
  provider: z.string(),
  source_type: z.enum(sourceTypes),
  app_id: nullableText(),
  device_manufacturer: nullableText(),
  device_model: nullableText(),
  device_version: nullableText(),
  device_id: nullableText(),
}))

/** The result of a refresh. Source: docs/contract/users.md. */
export const Refreshed = schema('Refreshed', () => ({
  success: z.literal(true),
  user_id: z.guid(),
  refreshed_sources: z.array(z.string()),
  in_progress_sources: z.array(z.string()),
  failed_sources: z.array(z.string()),
}))
export const NotRefreshed = schema('NotRefreshed', () => ({
  success: z.literal(false),
  user_id: z.guid(),
  error: z.string(),
  failed_sources: z.array(z.string()),
}))
export const RefreshQuery = unnamed(() => ({ timeout: number({ ge: 5, le: 60 }).default(10) }))
