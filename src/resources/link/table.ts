import * as z from 'zod'
import { instantMs, type Parsed, type Row, unnamed } from '../../api/schema.ts'
import { table } from '../../storage/table.ts'
import { providerSlugs } from '../providers/schema.ts'
import { BulkOp, type NewLinkToken, Recipe } from './schema.ts'

type Input = Parsed<typeof NewLinkToken>

/** A link token: permission to connect one user once. */
export interface LinkTokenRow extends Input {
  /** The feed scenario of its connection, if requested. */
  readonly scenario?: string | undefined
  readonly token: string
  /** Milliseconds since 1970. */
  readonly expires_at: number
  readonly consumed: boolean
  /** The provider an older client has announced. */
  readonly started: string | null
  /** A sign-in that waits for a code. */
  readonly pending: {
    readonly provider: string
    readonly account: string
    readonly method: 'sms' | 'email'
    readonly hint: string
  } | null
}

/** In order of creation, which is also the order of expiry. */
export const linkTokens = table<LinkTokenRow>('link_tokens', ({ token }) => token)

/** The credentials of an imported connection. */
export const RecipeRow = unnamed(() =>
  Recipe().extend({ provider: z.enum(providerSlugs) as z.ZodType<string> }),
)
export type RecipeRow = Parsed<typeof RecipeRow>

export const recipes = table<RecipeRow>(
  'connection_recipes',
  ({ user_id, provider }) => `${user_id}/${provider}`,
)

/** A bulk operation. */
export const BulkOpRow = unnamed(() =>
  BulkOp().extend({
    id: z.string(),
    user_ids: z.array(z.string()),
    /** Users for whom it failed. */
    failed: z.array(z.string()),
    /** The imported connections; empty for other operations. */
    connections: z.array(Recipe()),
  }),
)
export type BulkOpRow = Parsed<typeof BulkOpRow>

export const bulkOps = table<BulkOpRow>('bulk_ops', ({ id }) => id)

/** The scopes a team requests from users of a provider. Source: contract/management.json. */
export const ScopeRequirement = unnamed(() =>
  z.object({
    provider: z.string(),
    user_must_grant: z.array(z.string()),
    user_may_grant: z.array(z.string()),
  }),
)
export type ScopeRequirement = Row<typeof ScopeRequirement>

export const scopeRequirements = table<ScopeRequirement>('scope_requirements', ({ provider }) => provider)

/** A team's own app at a provider, or its own account at a laboratory. */
export const ProviderCredentials = unnamed(() =>
  z.object({
    id: z.string(),
    provider: z.string(),
    client_id: z.string().nullable(),
    /** SHA-256 in hexadecimal; the secret itself is not stored. */
    client_secret_hash: z.string().nullable(),
    details: z.record(z.string(), z.unknown()).nullable(),
    redirect_url_override: z.string().nullable(),
    created_at: instantMs(),
    updated_at: instantMs(),
  }),
)
export type ProviderCredentials = Row<typeof ProviderCredentials>

export const providerCredentials = table<ProviderCredentials>(
  'provider_credentials',
  ({ provider }) => provider,
)
