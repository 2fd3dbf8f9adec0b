import type { Parsed } from '../../contract/schema.ts'
import type { World } from '../../world/world.ts'
import { type Provider, providersBySlug } from './catalogue.ts'
import type { ProviderDetailed, Source, SourceType } from './schema.ts'

/** For slugs that Petri itself keeps: a missing provider is a bug. */
export function getProvider(slug: string): Provider {
  const provider = providersBySlug().get(slug)
  if (!provider) throw new Error(`no provider ${slug}`)
  return provider
}

/** The providers of one kind of source, or all of them. */
export function listProviders(world: World, sourceType?: string | null): Parsed<typeof ProviderDetailed>[] {
  return [...providersBySlug().values()]
    .filter(({ source_type }) => !sourceType || source_type === sourceType)
    .map(({ slug, name, description, auth_type, resources }) => ({
      name,
      slug,
      description,
      logo: logoOf(world, slug),
      auth_type,
      supported_resources: [...resources],
    }))
}

/** A provider as connections and their events name it. */
export const providerName = (world: World, slug: string) => ({
  name: getProvider(slug).name,
  slug,
  logo: logoOf(world, slug),
})

/** A provider as data name it. */
export const sourceOf = (world: World, slug: string, type: SourceType): Parsed<typeof Source> => ({
  provider: slug,
  type,
  app_id: null,
  device_id: null,
  sport: null,
  workout_id: null,
  ...providerName(world, slug),
})

const logoOf = (world: World, slug: string) => `${world.baseUrl}/logos/${slug}.svg`
