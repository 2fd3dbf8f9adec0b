import { BASE62, type Random } from '../kernel/random.ts'

/** Headers that may carry a link token, in lower case. Source: contract/errors-and-auth.md §2.1. */
export const linkTokenHeaders = ['x-vital-link-token', 'x-petri-link-token', 'x-service-link-token'] as const

/** Query parameters by which a browser carries a link token from page to page. */
export const linkTokenParameters = ['token', 'state'] as const

/** A link token contains its team, because it is sent without an API key. */
export const newLinkToken = (teamId: string, random: Random, ordinal: number): string =>
  `lt_${teamId.replaceAll('-', '')}${random.letters(`link_token/${ordinal}`, BASE62, 32)}`

/** The team of a link token; undefined for any other text. */
export function teamOfLinkToken(token: string): string | undefined {
  const [, hex] = /^lt_([0-9a-f]{32})[A-Za-z0-9]{32}$/.exec(token) ?? []
  return hex?.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The body of a refused link call. Source: contract/errors-and-auth.md §5.4. */
export const linkError = (
  error_type:
    | 'MISSING_LINK_TOKEN'
    | 'INVALID_REQUEST'
    | 'INVALID_PROVIDER'
    | 'INVALID_USER_ID'
    | 'INVALID_CREDENTIALS',
  error_message: string,
) => ({ error_type, error_message })
