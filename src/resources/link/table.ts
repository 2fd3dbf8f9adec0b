import * as z from 'zod'
import { anyObject, nullableText } from '../../api/schema.ts'
import { instantMs, ofUser, type RowOf, table } from '../../storage/table.ts'
import { providerSlugs } from '../providers/schema.ts'
import { BulkOp, NewLinkToken, Recipe } from './schema.ts'

/** A link token: permission to connect one user once. In order of creation, which is also the order of expiry. */
export const linkTokens = table(
  'link_tokens',
  () =>
    NewLinkToken().extend({
      token: z.string(),
      /** The feed scenario of its connection, if requested. */
      scenario: z.string().optional(),
      /** Whether its pages are shown in the frame of the widget. */
      embedded: z.boolean().optional(),
      expires_at: instantMs(),
      consumed: z.boolean(),
      /** The provider an older client has announced. */
      started: nullableText(),
      /** A sign-in that waits for a code. */
      pending: z
        .object({
          provider: z.string(),
          account: z.string(),
          method: z.enum(['sms', 'email']),
          hint: z.string(),
        })
        .nullable(),
    }),
  ({ token }) => token,
  ofUser,
)
export type LinkTokenRow = RowOf<typeof linkTokens>

/** A code that the service's own app exchanges once for a sign-in token. */
export const linkCodes = table(
  'link_codes',
  () => z.object({ code: z.string(), user_id: z.string(), expires_at: instantMs() }),
  ({ code }) => code,
  ofUser,
)

/** The credentials of an imported connection. */
export const recipes = table(
  'connection_recipes',
  () => Recipe().extend({ provider: z.enum(providerSlugs) as z.ZodType<string> }),
  ({ user_id, provider }) => `${user_id}/${provider}`,
  ofUser,
)

/** A bulk operation. */
export const bulkOps = table(
  'bulk_ops',
  () =>
    BulkOp().extend({
      id: z.string(),
      user_ids: z.array(z.string()),
      /** Users for whom it failed. */
      failed: z.array(z.string()),
      /** The imported connections; empty for other operations. */
      connections: z.array(Recipe()),
    }),
  ({ id }) => id,
  {
    owner: 'user',
    without(row, userId) {
      const isOther = (id: string) => id !== userId
      return {
        ...row,
        user_ids: row.user_ids.filter(isOther),
        failed: row.failed.filter(isOther),
        connections: row.connections.filter(({ user_id }) => isOther(user_id)),
      }
    },
  },
)
export type BulkOpRow = RowOf<typeof bulkOps>

/** The scopes a team requests from users of a provider. Source: docs/contract/management.md. */
export const scopeRequirements = table(
  'scope_requirements',
  () =>
    z.object({
      provider: z.string(),
      user_must_grant: z.array(z.string()),
      user_may_grant: z.array(z.string()),
    }),
  ({ provider }) => provider,
)

/** A team's own app at a provider, or its own account at a laboratory. */
export const providerCredentials = table(
  'provider_credentials',
  () =>
    z.object({
      id: z.string(),
      provider: z.string(),
      client_id: nullableText(),
      /** SHA-256 in hexadecimal; the secret itself is not stored. */
      client_secret_hash: nullableText(),
      details: anyObject().nullable(),
      redirect_url_override: nullableText(),
      created_at: instantMs(),
      updated_at: instantMs(),
    }),
  ({ provider }) => provider,
)
export type ProviderCredentials = RowOf<typeof providerCredentials>
