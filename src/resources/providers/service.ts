import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Parsed } from '../../api/schema.ts'
import { once } from '../../kernel/once.ts'
import { packageFolder } from '../../kernel/package-folder.ts'
import { hasHabit } from '../../people/habits.ts'
import type { Person } from '../../people/person.ts'
import type { World } from '../../world/world.ts'
import type { LinkSourceType, ProviderSeed, ProviderTraits, SourceType } from '../catalogue/schema.ts'
import type { ProviderDetailed, Source } from './schema.ts'

export { scopeFor, scopesOf } from './scopes.ts'

/** A bundled provider, to which users can be connected. */
interface Provider extends ProviderSeed {
  readonly source_type: LinkSourceType
  readonly source_types: readonly [SourceType, ...SourceType[]]
  readonly source_id: number
}

/** All providers by slug; the file is read on first use. */
const providersBySlug: () => ReadonlyMap<string, Provider> = once(
  () => new Map(readSeed().map((provider) => [provider.slug, provider])),
)

const readSeed = () =>
  JSON.parse(readFileSync(join(packageFolder('seeds'), 'providers.json'), 'utf8')) as Provider[]

/** For stored slugs: a missing provider is a bug. */
export function getProvider(slug: string): Provider {
  const provider = providersBySlug().get(slug)
  if (!provider) throw new Error(`no provider ${slug}`)
  return provider
}

export const findProvider = (slug: string): Provider | undefined => providersBySlug().get(slug)

/** How a provider lives, or its demo connections. */
export const traitsOf = (
  world: World,
  { provider, demo = false }: { readonly provider: string; readonly demo?: boolean },
): ProviderTraits => world.services.catalogue.traitsOf(provider, demo)

/** A listed provider: its seed, with what the bundled row adds. A seed that Petri does not bundle may have less. */
export function describeProvider(world: World, slug: string): ProviderSeed {
  const unknown = { slug, name: slug, description: '', auth_type: null, resources: [] }
  return { ...unknown, ...findProvider(slug), ...world.services.catalogue.providers().get(slug) }
}

/** The number of a provider in older payloads; 0 if none is known. */
export const sourceIdOf = (world: World, slug: string): number => describeProvider(world, slug).source_id ?? 0

/** The providers of one kind of source, or all of them. */
export function listProviders(world: World, sourceType?: string | null): Parsed<typeof ProviderDetailed>[] {
  return [...world.services.catalogue.providers().values()]
    .filter(
      ({ slug, source_type = findProvider(slug)?.source_type }) => !sourceType || source_type === sourceType,
    )
    .map(({ slug, name, description, logo = logoOf(world, slug), auth_type, resources }) => ({
      name,
      slug,
      description,
      logo,
      auth_type,
      supported_resources: [...resources],
    }))
}

/** A provider in connections and their events. Laboratories that send data have their slug as name. */
export const providerName = (world: World, slug: string) => ({
  name: world.services.catalogue.providers().get(slug)?.name ?? slug,
  slug,
  logo: logoOf(world, slug),
})

/** The source of health data. */
export const sourceOf = (world: World, slug: string, type: string): Parsed<typeof Source> => ({
  provider: slug,
  type,
  app_id: null,
  device_id: null,
  sport: null,
  workout_id: null,
  ...providerName(world, slug),
})

const logoOf = (world: World, slug: string) => `${world.baseUrl}/logos/${slug}.svg`

/** The type of a provider's device: the first of the wanted ones that it has, or else its main one. */
export function deviceTypeFor(slug: string, wanted: readonly SourceType[] = []): SourceType {
  const types = findProvider(slug)?.source_types ?? ['unknown']
  return wanted.find((type) => types.includes(type)) ?? types[0]
}

/** Whether a person has data of a resource on a day: by habit, or since all users of the provider have its first device of these types. */
export function isMeasured(
  { person, date }: { readonly person: Person; readonly date: string },
  { provider, traits }: { readonly provider: string; readonly traits: ProviderTraits },
  resource: string,
  from: readonly SourceType[] = [],
): boolean {
  const types: readonly SourceType[] = findProvider(provider)?.source_types ?? []
  const type = from.find((one) => types.includes(one))
  const isTheirs = type !== undefined && (type === types[0] || traits.devices.includes(type))
  return hasHabit(person, date, resource, isTheirs)
}

/** The identity of a user's device. */
export const deviceId = (world: World, userId: string, provider: string, type: string): string =>
  world.ids.uuid(`device/${userId}/${provider}/${type}`)
