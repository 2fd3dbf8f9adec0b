import scopes from '../../../seeds/providers/scopes.json' with { type: 'json' }

/** The OAuth scopes of each provider, and the resources each allows. Source: docs/contract/management.md; the resources are inferred. */
export const scopeTable = scopes

export type ScopedProvider = keyof typeof scopeTable

const rowsOf = (provider: string): Readonly<Record<string, string>> =>
  Object.hasOwn(scopeTable, provider) ? scopeTable[provider as ScopedProvider] : {}

/** All permissions a provider requests by default; none if not published. */
export const scopesOf = (provider: string): string[] => Object.keys(rowsOf(provider))

/** The permission a resource needs at a provider; a made-up name if not published. */
export const scopeFor = (provider: string, resource: string): string =>
  Object.entries(rowsOf(provider)).find(([, opens]) => opens.split(' ').includes(resource))?.[0] ??
  `read:${resource}`
