import type { Parsed } from '../../api/schema.ts'
import { table } from '../../storage/table.ts'
import type { BulkOp, NewLinkToken, Recipe } from './schema.ts'

type Input = Parsed<typeof NewLinkToken>

/** Leave to connect one user, once. */
export interface LinkTokenRow extends Input {
  /** The scenario its connection will follow, where one was asked for. `story` is the field's name in stored data. */
  readonly story?: string | undefined
  readonly token: string
  /** Milliseconds since 1970. */
  readonly expires_at: number
  readonly consumed: boolean
  /** What an older client announced it would connect. */
  readonly started: string | null
  /** A sign-in that waits for a code. */
  readonly pending: {
    readonly provider: string
    readonly account: string
    readonly method: 'sms' | 'email'
    readonly hint: string
  } | null
}

/** In the order they were made, which is the order they expire in. */
export const linkTokens = table<LinkTokenRow>('link_tokens', ({ token }) => token)

/** What ties a connection to its account at the provider. */
export interface RecipeRow extends Parsed<typeof Recipe> {
  readonly provider: string
}

export const recipes = table<RecipeRow>(
  'connection_recipes',
  ({ user_id, provider }) => `${user_id}/${provider}`,
)

/** Work on many connections at once. */
export interface BulkOpRow extends Parsed<typeof BulkOp> {
  readonly id: string
  readonly user_ids: readonly string[]
  /** Users it could do nothing for. */
  readonly failed: readonly string[]
  /** What is imported; empty for other work. */
  readonly connections: readonly Parsed<typeof Recipe>[]
}

export const bulkOps = table<BulkOpRow>('bulk_ops', ({ id }) => id)
