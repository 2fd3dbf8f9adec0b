import * as z from 'zod'
import { oneOf, uuid } from '../../contract/fields.ts'
import { schema, unnamed } from '../../contract/schema.ts'
import { demoSlugs, providerSlugs } from '../providers/schema.ts'
import { ProviderName } from '../users/schema.ts'

const Scopes = schema('Scopes', () =>
  z.object({ required: z.array(z.string()), optional: z.array(z.string()) }),
)

const ScopeGrants = schema('ScopeGrants', () => z.object({ user_granted: Scopes(), user_denied: Scopes() }))

const ResourceAvailability = schema('ResourceAvailability', () =>
  z.object({
    status: z.enum(['available', 'unavailable']),
    scope_requirements: ScopeGrants().nullable(),
  }),
)

/** By resource. */
const Availability = unnamed(() => z.record(z.string(), ResourceAvailability()))

const ConnectionError = schema('ConnectionError', () =>
  z.object({
    error_type: z.enum([
      'token_refresh_failed',
      'webhook_registration_failed',
      'user_not_found',
      'deregistered_per_provider',
      'required_scopes_not_granted',
      'provider_credential_error',
      'provider_password_expired',
      'unknown',
    ]),
    error_message: z.string(),
    errored_at: z.iso.datetime({ offset: true }),
  }),
)

const ConnectedProvider = schema('ConnectedProvider', () =>
  z.object({
    name: z.string(),
    slug: z.string(),
    logo: z.string(),
    created_on: z.iso.datetime({ offset: true }),
    status: z.string(),
    external_user_id: z.string().nullable(),
    error_details: ConnectionError().nullable(),
    resource_availability: Availability(),
  }),
)

export const ConnectedProviders = unnamed(() => z.record(z.string(), z.array(ConnectedProvider())))

export const DemoConnection = schema('DemoConnection', () =>
  z.object({ user_id: uuid(), provider: oneOf(demoSlugs) }),
)

export const DemoConnectionStatus = schema('DemoConnectionStatus', () =>
  z.object({ success: z.boolean(), detail: z.string() }),
)

export const ConnectionPath = unnamed(() => z.object({ user_id: uuid(), provider: oneOf(providerSlugs) }))

/** The data of `provider.connection.created`. Source: contract/webhooks.md §4.5. */
export const ConnectionCreated = schema('ConnectionCreated', () =>
  z.object({
    user_id: z.uuid(),
    provider: ProviderName(),
    source: ProviderName(),
    external_user_id: z.string().nullable(),
    resource_availability: Availability(),
  }),
)

/** The data of `historical.data.*.created`. Source: contract/webhooks.md §4.4. */
export const HistoricalPull = schema('HistoricalPull', () =>
  z.object({
    user_id: z.uuid(),
    start_date: z.iso.datetime({ offset: true }),
    end_date: z.iso.datetime({ offset: true }),
    is_final: z.literal(true),
    provider: z.string(),
  }),
)
