import * as z from 'zod'
import scopes from '../../../seeds/providers/scopes.json' with { type: 'json' }
import { bundledTable } from '../../kernel/seed-table.ts'

/** The OAuth scopes of each provider, and the resources each allows. Source: docs/contract/management.md; the resources are inferred. */
export const scopeTable = bundledTable('providers/scopes.json', scopes, () =>
  z.record(z.string(), z.string()),
)

export type ScopedProvider = keyof typeof scopes

const rowsOf = (provider: string): Readonly<Record<string, string>> =>
  new Map<string, Readonly<Record<string, string>>>(scopeTable).get(provider) ?? {}

/** All permissions a provider requests by default; none if not published. */
export const scopesOf = (provider: string): string[] => Object.keys(rowsOf(provider))

/** The permission a resource needs at a provider; a made-up name if not published. */
export const scopeFor = (provider: string, resource: string): string =>
  Object.entries(rowsOf(provider)).find(([, opens]) => opens.split(' ').includes(resource))?.[0] ??
  `read:${resource}`
