import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { once } from '../../kernel/once.ts'
import { packageFolder } from '../../kernel/package-folder.ts'
import type { AuthType, LinkSourceType, SourceType } from './schema.ts'

/** A row of `seeds/providers.json`. */
export interface Provider {
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly auth_type: AuthType
  readonly source_type: LinkSourceType
  /** Days of history at the first connection; null if not published. Source: contract/wearables.md §4.2. */
  readonly backfill_days: number | null
  /** The same by resource, where it differs. Source: contract/recorded.md §7. */
  readonly backfill_days_by_resource?: Readonly<Record<string, number>>
  /** The types of devices its data come from, most common first. Source: contract/wearables.md §4.4. */
  readonly source_types: readonly [SourceType, ...SourceType[]]
  /** Its resources, as named in events. */
  readonly resources: readonly string[]
  /** Its number in older payloads. */
  readonly source_id: number
}

/** All providers by slug; the file is read on first use. */
export const providersBySlug: () => ReadonlyMap<string, Provider> = once(
  () => new Map(readSeed().map((provider) => [provider.slug, provider])),
)

const readSeed = () =>
  JSON.parse(readFileSync(join(packageFolder('seeds'), 'providers.json'), 'utf8')) as Provider[]
