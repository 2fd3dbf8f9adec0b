import type { JsonText } from '../../kernel/json.ts'
import { perOwner } from '../../kernel/kept.ts'
import { compact, groupBy, largest } from '../../kernel/list.ts'
import { didYouMean } from '../../kernel/nearest.ts'
import { once } from '../../kernel/once.ts'
import { assertSeedFolder, BadSeed } from '../../kernel/seed-table.ts'
import { sportSlugs } from '../../people/training.ts'
import {
  asReportedBy,
  assertKnownIn,
  type LabProfile,
  type ReportedAnalyte,
  resultsOfProfile,
} from './lab-profiles.ts'
import { type Offer, offersIn, toMarkerSeed, toResultSeed } from './orderables.ts'
import { assertKnownSites, townsByPrefix } from './places.ts'
import {
  type AnalyteSeed,
  type LabSeed,
  type LabTestSeed,
  type MarkerSeed,
  type PanelSeed,
  type ProviderSeed,
  type ProviderTraits,
  type ProviderTraitsSeed,
  type ResultSeed,
  type TurnaroundSeed,
  traitNames,
} from './schema.ts'
import { readTables, seedFileNames } from './tables.ts'

/** A result of a marker: its wire form and its analyte. */
export interface ExpectedResult {
  readonly id: number
  readonly name: string
  readonly slug: string
  readonly lab_id: number
  readonly provider_id: string
  readonly required: boolean
  readonly analyte: ReportedAnalyte
}

/** A marker with everything it refers to. */
export interface Marker extends Omit<MarkerSeed, 'lab' | 'name' | 'slug' | 'results'> {
  readonly lab: LabSeed
  readonly common_tat_days: number | null
  readonly worst_case_tat_days: number | null
  readonly name: string
  readonly slug: string
  readonly unit: string | null
  readonly results: readonly ExpectedResult[]
  /** Whether only the laboratory can add it; such markers are not listed and cannot be ordered. */
  readonly isReflex: boolean
}

/** The catalogue of laboratories, markers and results. Immutable; each seed file is read when first needed. */
export type Catalogue = ReturnType<typeof createCatalogue>

declare module '../../world/services.ts' {
  interface Services {
    readonly catalogue: Catalogue
  }
}

/** The bundled seeds and those of further folders, whose rows change bundled ones. Further folders are checked at once. */
export function createCatalogue(folders: readonly string[] = []) {
  for (const folder of folders) assertSeedFolder(folder, seedFileNames)
  const memo = new Memo()
  const tables = readTables(folders)
  const { labs, analytes, panels, units, providers, providerTraits, listedMarkers: listed, results } = tables
  const profiles = tables.labProfiles
  const offers = once(() => offersIn(tables.orderables().values(), labs(), profiles()))
  const reportedBy = perOwner(
    (profile: LabProfile): ReadonlyMap<string, ReportedAnalyte> =>
      new Map([...analytes()].map(([slug, each]) => [slug, asReportedBy(profile, each)])),
  )
  const analytesOf = (lab: string): ReadonlyMap<string, ReportedAnalyte> => {
    const profile = profiles().get(lab)
    return profile ? reportedBy(profile) : analytes()
  }
  const resultSeeds = once(() => {
    const ofProfiles = [...profiles().values()].flatMap((profile) => resultsOfProfile(profile, analytes()))
    const seeds = [...offers().map(toResultSeed), ...ofProfiles, ...results().values()]
    return new Map(seeds.map((seed) => [codeOf(seed.lab, seed.analyte), seed]))
  })
  const expectedOf = perOwner((seed: ResultSeed) => toResult(seed, labs(), analytesOf(seed.lab)))
  const words = (): Vocabulary => ({
    labs: labs(),
    analytes: analytes(),
    panels: panels(),
    results: resultSeeds(),
    turnarounds: tables.turnarounds(),
    expectedOf,
  })
  const markers = once(() => makeMarkers(words(), offers(), listed()))
  const byCode = once(
    () =>
      new Map([...markers().values()].map((marker) => [codeOf(marker.lab.slug, marker.provider_id), marker])),
  )
  const traits = new Map<string, ProviderTraits>()
  const catalogue = {
    ...tables,
    /** The analytes as a laboratory reports them, by slug. */
    analytesOf,
    /** By id. */
    markers,
    /** Reads the markers and what they refer to, a file at a step. */
    *readMarkers(): Generator<void, void> {
      for (const read of [labs, analytes, panels, profiles, offers, listed, resultSeeds, markers]) {
        read()
        yield
      }
    },
    /** What a laboratory reports for an analyte. */
    resultOf(labSlug: string, analyte: string) {
      const seed = resultSeeds().get(codeOf(labSlug, analyte))
      return seed && expectedOf(seed)
    },
    findMarker: (labSlug: string, providerId: string) => byCode().get(codeOf(labSlug, providerId)),
    /** By slug. */
    labTests: once(() => withKnownMarkers(tables.labTests(), markers())),
    /** How a provider lives; `demo` for its demo connections. */
    traitsOf(slug: string, demo = false) {
      const key = demo ? `${slug}/demo` : slug
      const known = traits.get(key) ?? joinedTraits(providerTraits(), demo ? [slug, 'demo'] : [slug])
      traits.set(key, known)
      return known
    },
    /** By the first three digits of ZIP codes. */
    towns: once(() => townsByPrefix(tables.listedTowns().values())),
    /** Caches a value by key, in a cache of limited size. */
    remember: <Value>(key: string, make: () => JsonText<Value>) => memo.remember(key, make),
  }
  if (folders.length > 0) {
    for (const read of Object.values(tables)) read()
    for (const seed of resultSeeds().values()) expectedOf(seed)
    for (const _ of markers().values());
    catalogue.labTests()
    // Bundled rows may name what a complete list of a user does not have.
    const bundled = readTables([])
    const slugs = new Set([...bundled.analytes().keys(), ...analytes().keys()])
    const printed = new Set([...bundled.units().keys(), ...units().keys()])
    for (const profile of profiles().values()) assertKnownIn(profile, slugs, printed)
    assertKnownSites(tables.pscInfo().values(), tables.pscSites())
    const all = [...bundled.providers().values(), ...providers().values()]
    assertTraits(
      providerTraits(),
      groupBy(all, ({ slug }) => slug),
    )
  }
  return catalogue
}

/** Throws for traits of an unknown provider, and for a default row without all cells. */
function assertTraits(
  traits: ReadonlyMap<string, ProviderTraitsSeed>,
  providers: ReadonlyMap<string, readonly ProviderSeed[]>,
): void {
  const known = ['default', 'demo', ...providers.keys()]
  const stray = [...traits.keys()].find((slug) => !known.includes(slug))
  if (stray !== undefined)
    throw new BadSeed('provider-traits.json', `no provider is called ${stray}.${didYouMean(stray, known)}`)
  for (const row of traits.values())
    assertNames(
      row,
      providers.get(row.slug)?.flatMap(({ resources }) => resources),
    )
  const missing = traitNames().find((name) => traits.get('default')?.[name] === undefined)
  if (missing !== undefined) throw new BadSeed('provider-traits.json', `the row default has no ${missing}`)
}

/** Throws for a resource that a provider does not have, and for an unknown sport, in its traits. */
function assertNames(row: ProviderTraitsSeed, resources: readonly string[] | undefined): void {
  const check = (cell: keyof ProviderTraits, names: readonly string[], known: readonly string[]) => {
    const stray = names.find((name) => !known.includes(name))
    if (stray !== undefined)
      throw new BadSeed(
        'provider-traits.json',
        `${row.slug}.${cell} names ${stray}, which ${row.slug} does not have.${didYouMean(stray, known)}`,
      )
  }
  check('sports', row.sports?.is ?? [], sportSlugs)
  check('titles', Object.keys(row.titles?.is ?? {}), sportSlugs)
  if (!resources) return
  check('nulls', Object.keys(row.nulls?.is ?? {}), resources)
  check('history_days_by_resource', Object.keys(row.history_days_by_resource?.is ?? {}), resources)
  for (const cell of ['device_id_always', 'device_id_if_one', 'full_hours'] as const)
    check(cell, row[cell]?.is ?? [], resources)
}

/** The values of the default row, replaced by those of other rows. */
function joinedTraits(
  rows: ReadonlyMap<string, ProviderTraitsSeed>,
  slugs: readonly string[],
): ProviderTraits {
  const cells = ['default', ...slugs].flatMap((slug) => Object.entries(rows.get(slug) ?? {}))
  return Object.fromEntries(
    cells.flatMap(([name, cell]) =>
      cell === undefined || typeof cell === 'string' ? [] : [[name, cell.is]],
    ),
  ) as ProviderTraits
}

const codeOf = (labSlug: string, providerId: string) => `${labSlug}/${providerId}`

interface Vocabulary {
  readonly labs: ReadonlyMap<string, LabSeed>
  readonly analytes: ReadonlyMap<string, AnalyteSeed>
  readonly panels: ReadonlyMap<string, PanelSeed>
  /** By laboratory and analyte. */
  readonly results: ReadonlyMap<string, ResultSeed>
  readonly turnarounds: Turnarounds
  expectedOf(seed: ResultSeed): ExpectedResult
}

type Markers = ReturnType<typeof makeMarkers>

/** Each is made when it is first read. `listed` by id; a listed marker replaces the offer of its id. */
function makeMarkers(words: Vocabulary, offers: readonly Offer[], listed: ReadonlyMap<string, MarkerSeed>) {
  const reflex = new Set([...listed.values()].flatMap((seed) => seed.reflex))
  const makers = new Map<number, () => Marker>()
  const add = (id: number, seedOf: () => MarkerSeed) => {
    if (!makers.has(id))
      makers.set(
        id,
        once(() => toMarker(seedOf(), words, reflex.has(id))),
      )
  }
  for (const seed of listed.values()) add(seed.id, () => seed)
  for (const offer of offers) add(offer.id, () => toMarkerSeed(offer))
  for (const id of reflex) {
    if (!makers.has(id))
      throw new BadSeed('markers.json', `a marker names ${id} as reflex, which is not there`)
  }
  return {
    size: makers.size,
    get: (id: number) => makers.get(id)?.(),
    *values() {
      for (const make of makers.values()) yield make()
    },
  }
}

function toResult(
  { id, provider_id, required, lab, analyte, ...own }: ResultSeed,
  labs: ReadonlyMap<string, LabSeed>,
  analytes: ReadonlyMap<string, ReportedAnalyte>,
): ExpectedResult {
  const measured = named(analytes, analyte, { file: 'results.json', id, what: 'analyte' })
  const lab_id = named(labs, lab, { file: 'results.json', id, what: 'lab' }).id
  const { name = measured.name, slug = measured.reported_slug ?? measured.slug } = own
  return { id, name, slug, lab_id, provider_id, required, analyte: measured }
}

/** The names of a result: the laboratory's slug and code, the catalogue's slug, and the LOINC code. */
export const namesOf = ({ slug, provider_id, analyte }: ExpectedResult): string[] =>
  compact([slug, provider_id, analyte.slug, analyte.loinc?.code])

type Turnarounds = ReadonlyMap<string, TurnaroundSeed>
const USUAL_HOURS = 24

/** Hours from the receipt of a sample to the result of an analyte. */
export const turnaroundHours = (
  turnarounds: Turnarounds,
  { slug, category }: Pick<AnalyteSeed, 'slug' | 'category'>,
): number => (turnarounds.get(slug) ?? turnarounds.get(category))?.hours ?? USUAL_HOURS

/** From the draw to the laboratory, and from the usual turnaround to the longest, in days; assumed. */
const [ARRIVAL_DAYS, WORST_DAYS] = [1, 3]

/** Its results are made when they are first read: most processes need those of a few markers. */
function toMarker(
  seed: MarkerSeed,
  { labs, analytes, panels, results, turnarounds, expectedOf }: Vocabulary,
  isReflex: boolean,
): Marker {
  const { id } = seed
  const panel =
    seed.panel === undefined
      ? undefined
      : named(panels, seed.panel, { file: 'markers.json', id, what: 'panel' })
  const analyte =
    seed.analyte === undefined
      ? undefined
      : named(analytes, seed.analyte, { file: 'markers.json', id, what: 'analyte' })
  const measured = seed.results ?? panel?.analytes ?? (analyte ? [analyte.slug] : [])
  const reported = measured.map((slug) =>
    named(results, codeOf(seed.lab, slug), { file: 'markers.json', id, what: 'result' }),
  )
  const expected = once(() => reported.map(expectedOf))
  const hours = compact(measured.map((slug) => analytes.get(slug))).map((each) =>
    turnaroundHours(turnarounds, each),
  )
  const usual = ARRIVAL_DAYS + Math.ceil(largest([...hours, 0]) / 24)
  return {
    ...seed,
    common_tat_days: seed.common_tat_days === undefined ? usual : seed.common_tat_days,
    worst_case_tat_days:
      seed.worst_case_tat_days === undefined ? usual + WORST_DAYS : seed.worst_case_tat_days,
    lab: named(labs, seed.lab, { file: 'markers.json', id, what: 'lab' }),
    name: seed.name ?? panel?.name ?? analyte?.name ?? seed.provider_id,
    slug: seed.slug ?? panel?.slug ?? analyte?.slug ?? seed.provider_id,
    unit: unitOf(seed, analyte),
    get results() {
      return expected()
    },
    isReflex,
  }
}

const unitOf = ({ unit, panel }: MarkerSeed, analyte: AnalyteSeed | undefined): string | null => {
  if (unit !== undefined) return unit
  return panel ? null : (analyte?.unit ?? null)
}

function withKnownMarkers(
  labTests: ReadonlyMap<string, LabTestSeed>,
  markers: Markers,
): ReadonlyMap<string, LabTestSeed> {
  for (const { slug, lab, markers: ids, reports = [] } of labTests.values()) {
    const stray = [...ids, ...reports].find((id) => markers.get(id)?.lab.slug !== lab)
    if (stray !== undefined) throw new BadSeed('lab-tests.json', `${slug}: ${lab} has no marker ${stray}`)
  }
  return labTests
}

function named<Value>(
  known: ReadonlyMap<string, Value>,
  name: string,
  { file, id, what }: { readonly file: string; readonly id: number; readonly what: string },
): Value {
  const value = known.get(name)
  if (value === undefined) throw new BadSeed(file, `${id}: no ${what} is called ${name}`)
  return value
}

/** Most pages kept. */
const PAGES = 256
/** Most characters kept over all pages. */
const CHARACTERS = 8_000_000

/** A cache of serialised pages; the least recently used one is dropped first. */
class Memo {
  readonly #pages = new Map<string, JsonText>()
  #characters = 0

  remember<Value>(key: string, make: () => JsonText<Value>): JsonText<Value> {
    const known = this.#pages.get(key) as JsonText<Value> | undefined
    if (known) {
      this.#pages.delete(key)
      this.#pages.set(key, known)
      return known
    }
    const page = make()
    this.#pages.set(key, page)
    this.#characters += page.text.length
    this.#forgetOldest()
    return page
  }

  #forgetOldest(): void {
    for (const [key, { text }] of this.#pages) {
      if (this.#pages.size <= PAGES && this.#characters <= CHARACTERS) return
      this.#pages.delete(key)
      this.#characters -= text.length
    }
  }
}
