import type { Parsed } from '../../api/schema.ts'
import { table } from '../../storage/table.ts'
import type { BulkOp, NewLinkToken, Recipe } from './schema.ts'

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
export interface RecipeRow extends Parsed<typeof Recipe> {
  readonly provider: string
}

export const recipes = table<RecipeRow>(
  'connection_recipes',
  ({ user_id, provider }) => `${user_id}/${provider}`,
)

/** A bulk operation. */
export interface BulkOpRow extends Parsed<typeof BulkOp> {
  readonly id: string
  readonly user_ids: readonly string[]
  /** Users for whom it failed. */
  readonly failed: readonly string[]
  /** The imported connections; empty for other operations. */
  readonly connections: readonly Parsed<typeof Recipe>[]
}

export const bulkOps = table<BulkOpRow>('bulk_ops', ({ id }) => id)

/** The scopes a team requests from users of a provider. Source: contract/management.json. */
export interface ScopeRequirement {
  readonly provider: string
  readonly user_must_grant: readonly string[]
  readonly user_may_grant: readonly string[]
}

export const scopeRequirements = table<ScopeRequirement>('scope_requirements', ({ provider }) => provider)

/** A team's own app at a provider, or its own account at a laboratory. */
export interface ProviderCredentials {
  readonly id: string
  readonly provider: string
  readonly client_id: string | null
  /** SHA-256 in hexadecimal; the secret itself is not stored. */
  readonly client_secret_hash: string | null
  readonly details: Readonly<Record<string, unknown>> | null
  readonly redirect_url_override: string | null
  /** Milliseconds since 1970. */
  readonly created_at: number
  readonly updated_at: number
}

export const providerCredentials = table<ProviderCredentials>(
  'provider_credentials',
  ({ provider }) => provider,
)
