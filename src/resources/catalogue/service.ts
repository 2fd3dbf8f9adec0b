import type { JsonText } from '../../kernel/json.ts'
import { perOwner } from '../../kernel/kept.ts'
import { LazyMap } from '../../kernel/lazy-map.ts'
import { once } from '../../kernel/once.ts'
import {
  asReportedBy,
  assertKnownIn,
  type LabProfile,
  LabProfileSeed,
  type ReportedAnalyte,
  resultsOfProfile,
} from './lab-profiles.ts'
import { type Offer, readOffers, toMarkerSeed, toResultSeed } from './orderables.ts'
import { readPlaces } from './places.ts'
import { assertSeedFolder, BadSeed, bundledSeeds, readSeeds, seedReader } from './read-seeds.ts'
import {
  AnalyteSeed,
  CancerSignalOriginSeed,
  DiagnosisExcludeSeed,
  DiagnosisSeed,
  LabAccountSeed,
  LabSeed,
  LabTestSeed,
  MarkerSeed,
  PanelSeed,
  PayorSeed,
  ProviderSeed,
  type ProviderTraits,
  ProviderTraitsSeed,
  ResultSeed,
  TurnaroundSeed,
  UnitSeed,
} from './schema.ts'

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

/** The bundled seeds and those of further folders, whose rows replace bundled ones by id. Further folders are checked at once. */
export function createCatalogue(folders: readonly string[] = []) {
  for (const folder of folders) assertSeedFolder(folder)
  const all = [bundledSeeds(), ...folders]
  const seedsOf = seedReader(all)
  const memo = new Memo()
  const lists = readLists(all)
  const { labs, analytes, panels, units, providerTraits } = lists
  const readProfiles = (from: readonly string[]) =>
    readSeeds(from, 'lab-profiles.json', LabProfileSeed, ({ lab }) => lab)
  const profiles = once(() => {
    // A bundled profile may name what a complete list of analytes has not.
    for (const profile of readProfiles(folders).values())
      assertKnownIn(profile, analytes(), (unit) => units().has(unit))
    return readProfiles(all)
  })
  const offers = once(() => readOffers(all, labs(), profiles()))
  const reportedBy = perOwner(
    (profile: LabProfile): ReadonlyMap<string, ReportedAnalyte> =>
      new Map([...analytes()].map(([slug, each]) => [slug, asReportedBy(profile, each)])),
  )
  const analytesOf = (lab: string): ReadonlyMap<string, ReportedAnalyte> => {
    const profile = profiles().get(lab)
    return profile ? reportedBy(profile) : analytes()
  }
  const listed = seedsOf('markers.json', MarkerSeed, ({ id }) => String(id))
  const results = seedsOf('results.json', ResultSeed, ({ id }) => String(id))
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
    expectedOf,
  })
  const markers = once(() => makeMarkers(words(), offers(), listed()))
  const byCode = once(
    () =>
      new Map([...markers().values()].map((marker) => [codeOf(marker.lab.slug, marker.provider_id), marker])),
  )
  const traits = new Map<string, ProviderTraits>()
  const catalogue = {
    ...lists,
    /** By laboratory. */
    labProfiles: profiles,
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
    labTests: once(() => readLabTests(all, markers())),
    /** How a provider lives; `demo` for its demo connections. */
    traitsOf(slug: string, demo = false) {
      const key = demo ? `${slug}/demo` : slug
      const known = traits.get(key) ?? joinedTraits(providerTraits(), demo ? [slug, 'demo'] : [slug])
      traits.set(key, known)
      return known
    },
    ...readPlaces(all),
    /** Caches a value by key, in a cache of limited size. */
    remember: <Value>(key: string, make: () => JsonText<Value>) => memo.remember(key, make),
  }
  if (folders.length > 0) {
    for (const seed of resultSeeds().values()) expectedOf(seed)
    for (const _ of markers().values());
    readEverything(catalogue)
  }
  return catalogue
}

/** The files that stand alone. */
function readLists(folders: readonly string[]) {
  const seedsOf = seedReader(folders)
  const excludes = seedsOf(
    'diagnosis-excludes.json',
    DiagnosisExcludeSeed,
    ({ code, type }) => `${code} ${type}`,
  )
  const origins = seedsOf('cancer-signal-origins.json', CancerSignalOriginSeed, ({ origin }) => origin)
  return {
    /** By slug. */
    labs: seedsOf('labs.json', LabSeed, bySlug),
    /** By the unit as printed. */
    units: seedsOf('units.json', UnitSeed, ({ unit }) => unit),
    /** By slug. */
    analytes: seedsOf('analytes.json', AnalyteSeed, bySlug),
    /** By slug. */
    panels: seedsOf('panels.json', PanelSeed, bySlug),
    /** By slug. */
    labAccounts: seedsOf('lab-accounts.json', LabAccountSeed, bySlug),
    /** By code. */
    payors: seedsOf('payors.json', PayorSeed, ({ payor_code }) => payor_code),
    /** By code. */
    diagnoses: seedsOf('diagnoses.json', DiagnosisSeed, ({ code }) => code),
    diagnosisExcludes: once(() => [...excludes().values()]),
    cancerSignalOrigins: once(() => [...origins().values()]),
    /** By analyte or category. */
    turnarounds: seedsOf('turnarounds.json', TurnaroundSeed, (row) => row.of),
    /** By slug. */
    providers: seedsOf('providers.json', ProviderSeed, bySlug),
    /** The cells of a provider's life that differ from the default, by slug. */
    providerTraits: seedsOf('provider-traits.json', ProviderTraitsSeed, bySlug),
  }
}

const bySlug = ({ slug }: { readonly slug: string }): string => slug

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

function readEverything(catalogue: Catalogue): void {
  catalogue.units()
  catalogue.labProfiles()
  catalogue.labTests()
  catalogue.labAccounts()
  catalogue.payors()
  catalogue.diagnoses()
  catalogue.diagnosisExcludes()
  catalogue.cancerSignalOrigins()
  catalogue.turnarounds()
  catalogue.pscSites()
  catalogue.phlebotomyAreas()
  catalogue.areaInfo()
  catalogue.pscInfo()
  catalogue.towns()
  catalogue.providers()
  catalogue.providerTraits()
  catalogue.homes()
}

const codeOf = (labSlug: string, providerId: string) => `${labSlug}/${providerId}`

interface Vocabulary {
  readonly labs: ReadonlyMap<string, LabSeed>
  readonly analytes: ReadonlyMap<string, AnalyteSeed>
  readonly panels: ReadonlyMap<string, PanelSeed>
  /** By laboratory and analyte. */
  readonly results: ReadonlyMap<string, ResultSeed>
  expectedOf(seed: ResultSeed): ExpectedResult
}

/** `listed` by id; a listed marker replaces the offer of its id. */
function makeMarkers(
  words: Vocabulary,
  offers: readonly Offer[],
  listed: ReadonlyMap<string, MarkerSeed>,
): LazyMap<number, Marker> {
  const reflex = new Set([...listed.values()].flatMap((seed) => seed.reflex))
  const makers = new Map<number, () => Marker>()
  for (const seed of listed.values()) makers.set(seed.id, () => toMarker(seed, words, reflex.has(seed.id)))
  for (const offer of offers) {
    if (!makers.has(offer.id))
      makers.set(offer.id, () => toMarker(toMarkerSeed(offer), words, reflex.has(offer.id)))
  }
  for (const id of reflex) {
    if (!makers.has(id))
      throw new BadSeed('markers.json', `a marker names ${id} as reflex, which is not there`)
  }
  return new LazyMap(makers)
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

/** Its results are made when they are first read: most processes need those of a few markers. */
function toMarker(
  seed: MarkerSeed,
  { labs, analytes, panels, results, expectedOf }: Vocabulary,
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
  return {
    ...seed,
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

function readLabTests(
  folders: readonly string[],
  markers: LazyMap<number, Marker>,
): ReadonlyMap<string, LabTestSeed> {
  const labTests = readSeeds(folders, 'lab-tests.json', LabTestSeed, bySlug)
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
