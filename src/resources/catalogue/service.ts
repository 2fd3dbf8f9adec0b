import type { JsonText } from '../../kernel/json.ts'
import { once } from '../../kernel/once.ts'
import { packageFolder } from '../../kernel/package-folder.ts'
import { Memo } from './memo.ts'
import { type Orderables, readOrderables } from './orderables.ts'
import { type Places, readPlaces } from './places.ts'
import * as rows from './schema.ts'
import { assertSeedFolder, BadSeed, readSeeds } from './seed-file.ts'

export {
  type Capability,
  capabilities,
  type PhlebotomyAreaSeed,
  type Point,
  type PscSiteSeed,
  pscSiteKey,
  serviceTypes,
} from './places.ts'

/** A result of a marker: its wire form and its analyte. */
export interface ExpectedResult {
  readonly id: number
  readonly name: string
  readonly slug: string
  readonly lab_id: number
  readonly provider_id: string
  readonly required: boolean
  readonly analyte: rows.AnalyteSeed
}

/** A marker with everything it refers to. */
export interface Marker extends Omit<rows.MarkerSeed, 'lab' | 'name' | 'slug' | 'results'> {
  readonly lab: rows.LabSeed
  readonly name: string
  readonly slug: string
  readonly unit: string | null
  readonly results: readonly ExpectedResult[]
  /** Whether only the laboratory can add it; such markers are not listed and cannot be ordered. */
  readonly isReflex: boolean
}

/** The catalogue of laboratories, markers and results. Immutable; each seed file is read when first needed. */
export interface Catalogue extends Places {
  /** By slug. */
  labs(): ReadonlyMap<string, rows.LabSeed>
  /** By slug. */
  analytes(): ReadonlyMap<string, rows.AnalyteSeed>
  /** By slug. */
  panels(): ReadonlyMap<string, rows.PanelSeed>
  /** By id. */
  markers(): ReadonlyMap<number, Marker>
  /** Reads the markers and what they refer to, a file at a step. */
  readMarkers(): Generator<void, void>
  findMarker(labSlug: string, providerId: string): Marker | undefined
  /** By slug. */
  labTests(): ReadonlyMap<string, rows.LabTestSeed>
  /** By slug. */
  labAccounts(): ReadonlyMap<string, rows.LabAccountSeed>
  /** By code. */
  payors(): ReadonlyMap<string, rows.PayorSeed>
  /** By code. */
  diagnoses(): ReadonlyMap<string, rows.DiagnosisSeed>
  diagnosisExcludes(): readonly rows.DiagnosisExcludeSeed[]
  cancerSignalOrigins(): readonly rows.CancerSignalOriginSeed[]
  /** Caches a value by key, in a cache of limited size. */
  remember<Value>(key: string, make: () => JsonText<Value>): JsonText<Value>
}

/** The bundled seeds and those of further folders, whose rows replace bundled ones by id. Further folders are checked at once. */
export function createCatalogue(folders: readonly string[] = []): Catalogue {
  for (const folder of folders) assertSeedFolder(folder)
  const all = [packageFolder('seeds'), ...folders]
  const memo = new Memo()
  const labs = once(() => readSeeds(all, 'labs.json', rows.LabSeed, ({ slug }) => slug))
  const analytes = once(() => readSeeds(all, 'analytes.json', rows.AnalyteSeed, ({ slug }) => slug))
  const panels = once(() => readSeeds(all, 'panels.json', rows.PanelSeed, ({ slug }) => slug))
  const orderables = once(() => readOrderables(all, labs()))
  const listed = once(() => readSeeds(all, 'markers.json', rows.MarkerSeed, ({ id }) => String(id)))
  const results = once(() => readSeeds(all, 'results.json', rows.ResultSeed, ({ id }) => String(id)))
  const markers = once(() =>
    makeMarkers(
      { labs: labs(), analytes: analytes(), panels: panels() },
      { orderables: orderables(), listed: listed(), results: results() },
    ),
  )
  const byCode = once(
    () =>
      new Map([...markers().values()].map((marker) => [codeOf(marker.lab.slug, marker.provider_id), marker])),
  )
  const catalogue: Catalogue = {
    labs,
    analytes,
    panels,
    markers,
    *readMarkers() {
      for (const read of [labs, analytes, panels, orderables, listed, results, markers]) yield void read()
    },
    findMarker: (labSlug, providerId) => byCode().get(codeOf(labSlug, providerId)),
    labTests: once(() => readLabTests(all, markers())),
    labAccounts: once(() => readSeeds(all, 'lab-accounts.json', rows.LabAccountSeed, ({ slug }) => slug)),
    payors: once(() => readSeeds(all, 'payors.json', rows.PayorSeed, ({ payor_code }) => payor_code)),
    diagnoses: once(() => readSeeds(all, 'diagnoses.json', rows.DiagnosisSeed, ({ code }) => code)),
    diagnosisExcludes: once(() => readExcludes(all)),
    cancerSignalOrigins: once(() => readOrigins(all)),
    ...readPlaces(all),
    remember: (key, make) => memo.remember(key, make),
  }
  if (folders.length > 0) readEverything(catalogue)
  return catalogue
}

function readEverything(catalogue: Catalogue): void {
  catalogue.labTests()
  catalogue.labAccounts()
  catalogue.payors()
  catalogue.diagnoses()
  catalogue.diagnosisExcludes()
  catalogue.cancerSignalOrigins()
  catalogue.pscSites()
  catalogue.phlebotomyAreas()
  catalogue.zipPlaces()
}

const codeOf = (labSlug: string, providerId: string) => `${labSlug}/${providerId}`

interface Vocabulary {
  readonly labs: ReadonlyMap<string, rows.LabSeed>
  readonly analytes: ReadonlyMap<string, rows.AnalyteSeed>
  readonly panels: ReadonlyMap<string, rows.PanelSeed>
}

/** What markers are made from. */
interface MarkerSeeds {
  readonly orderables: Orderables
  /** By id. */
  readonly listed: ReadonlyMap<string, rows.MarkerSeed>
  /** By id. */
  readonly results: ReadonlyMap<string, rows.ResultSeed>
}

function makeMarkers(words: Vocabulary, made: MarkerSeeds): ReadonlyMap<number, Marker> {
  const { orderables, listed } = made
  const more = orderables.markers.filter(({ id }) => !listed.has(String(id)))
  const seeds = new Map([...listed, ...more.map((seed) => [String(seed.id), seed] as const)])
  const results = makeResults(words, [...orderables.results, ...made.results.values()])
  const reflex = new Set([...seeds.values()].flatMap((seed) => seed.reflex))
  const markers = new Map<number, Marker>()
  for (const seed of seeds.values()) markers.set(seed.id, toMarker(seed, words, results, reflex.has(seed.id)))
  for (const id of reflex) {
    if (!markers.has(id))
      throw new BadSeed('markers.json', `a marker names ${id} as reflex, which is not there`)
  }
  return markers
}

/** By laboratory and analyte. */
function makeResults(
  { labs, analytes }: Vocabulary,
  seeds: readonly rows.ResultSeed[],
): Map<string, ExpectedResult> {
  const found = new Map<string, ExpectedResult>()
  for (const seed of seeds) {
    const { id, provider_id, required, lab, analyte } = seed
    const measured = named(analytes, analyte, 'results.json', id, 'analyte')
    const lab_id = named(labs, lab, 'results.json', id, 'lab').id
    const { name = measured.name, slug = measured.slug } = seed
    found.set(codeOf(lab, analyte), { id, name, slug, lab_id, provider_id, required, analyte: measured })
  }
  return found
}

function toMarker(
  seed: rows.MarkerSeed,
  { labs, analytes, panels }: Vocabulary,
  results: ReadonlyMap<string, ExpectedResult>,
  isReflex: boolean,
): Marker {
  const { id } = seed
  const panel = seed.panel === undefined ? undefined : named(panels, seed.panel, 'markers.json', id, 'panel')
  const analyte =
    seed.analyte === undefined ? undefined : named(analytes, seed.analyte, 'markers.json', id, 'analyte')
  const measured = seed.results ?? panel?.analytes ?? (analyte ? [analyte.slug] : [])
  const description = seed.description ?? panel?.description
  return {
    ...seed,
    lab: named(labs, seed.lab, 'markers.json', id, 'lab'),
    name: seed.name ?? panel?.name ?? analyte?.name ?? seed.provider_id,
    slug: seed.slug ?? panel?.slug ?? analyte?.slug ?? seed.provider_id,
    unit: panel ? null : (analyte?.unit ?? null),
    ...(description !== undefined && { description }),
    results: measured.map((slug) => named(results, codeOf(seed.lab, slug), 'markers.json', id, 'result')),
    isReflex,
  }
}

function readLabTests(
  folders: readonly string[],
  markers: ReadonlyMap<number, Marker>,
): ReadonlyMap<string, rows.LabTestSeed> {
  const labTests = readSeeds(folders, 'lab-tests.json', rows.LabTestSeed, ({ slug }) => slug)
  for (const { slug, lab, markers: ids } of labTests.values()) {
    const stray = ids.find((id) => markers.get(id)?.lab.slug !== lab)
    if (stray !== undefined) throw new BadSeed('lab-tests.json', `${slug}: ${lab} has no marker ${stray}`)
  }
  return labTests
}

const readExcludes = (folders: readonly string[]) => [
  ...readSeeds(
    folders,
    'diagnosis-excludes.json',
    rows.DiagnosisExcludeSeed,
    ({ code, type }) => `${code} ${type}`,
  ).values(),
]

const readOrigins = (folders: readonly string[]) => [
  ...readSeeds(
    folders,
    'cancer-signal-origins.json',
    rows.CancerSignalOriginSeed,
    ({ origin }) => origin,
  ).values(),
]

function named<Value>(
  known: ReadonlyMap<string, Value>,
  name: string,
  file: string,
  id: number,
  what: string,
): Value {
  const value = known.get(name)
  if (value === undefined) throw new BadSeed(file, `${id}: no ${what} is called ${name}`)
  return value
}
