import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { type LazySchema, type Parsed, unnamed } from '../../api/schema.ts'
import { isObject, type JsonText } from '../../kernel/json.ts'
import { didYouMean } from '../../kernel/nearest.ts'
import { once } from '../../kernel/once.ts'
import { packageFolder } from '../../kernel/package-folder.ts'
import { whyUnreadable } from '../../kernel/reason.ts'
import { readUserFile } from '../../kernel/user-file.ts'
import { part } from '../../world/part.ts'
import { AreaInfo, radii } from '../areas/schema.ts'
import { ProviderSeed } from '../providers/schema.ts'
import {
  AnalyteSeed,
  billingTypes,
  CancerSignalOriginSeed,
  capabilities,
  DiagnosisExcludeSeed,
  DiagnosisSeed,
  LabAccountSeed,
  LabSeed,
  LabTestSeed,
  labSlugs,
  MarkerSeed,
  PanelSeed,
  PayorSeed,
  ResultSeed,
  serviceTypes,
  TurnaroundSeed,
} from './schema.ts'

/** A result of a marker: its wire form and its analyte. */
export interface ExpectedResult {
  readonly id: number
  readonly name: string
  readonly slug: string
  readonly lab_id: number
  readonly provider_id: string
  readonly required: boolean
  readonly analyte: AnalyteSeed
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
export interface Catalogue extends Places {
  /** By slug. */
  labs(): ReadonlyMap<string, LabSeed>
  /** By slug. */
  analytes(): ReadonlyMap<string, AnalyteSeed>
  /** By slug. */
  panels(): ReadonlyMap<string, PanelSeed>
  /** By id. */
  markers(): ReadonlyMap<number, Marker>
  /** Reads the markers and what they refer to, a file at a step. */
  readMarkers(): Generator<void, void>
  findMarker(labSlug: string, providerId: string): Marker | undefined
  /** By slug. */
  labTests(): ReadonlyMap<string, LabTestSeed>
  /** By slug. */
  labAccounts(): ReadonlyMap<string, LabAccountSeed>
  /** By code. */
  payors(): ReadonlyMap<string, PayorSeed>
  /** By code. */
  diagnoses(): ReadonlyMap<string, DiagnosisSeed>
  diagnosisExcludes(): readonly DiagnosisExcludeSeed[]
  cancerSignalOrigins(): readonly CancerSignalOriginSeed[]
  /** By analyte or category. */
  turnarounds(): ReadonlyMap<string, TurnaroundSeed>
  /** By slug. */
  providers(): ReadonlyMap<string, ProviderSeed>
  /** Caches a value by key, in a cache of limited size. */
  remember<Value>(key: string, make: () => JsonText<Value>): JsonText<Value>
}

export const { of: catalogueOf, give: giveCatalogue } = part<Catalogue>('a catalogue')

/** The bundled seeds and those of further folders, whose rows replace bundled ones by id. Further folders are checked at once. */
export function createCatalogue(folders: readonly string[] = []): Catalogue {
  for (const folder of folders) assertSeedFolder(folder)
  const all = [packageFolder('seeds'), ...folders]
  const memo = new Memo()
  const labs = once(() => readSeeds(all, 'labs.json', LabSeed, ({ slug }) => slug))
  const analytes = once(() => readSeeds(all, 'analytes.json', AnalyteSeed, ({ slug }) => slug))
  const panels = once(() => readSeeds(all, 'panels.json', PanelSeed, ({ slug }) => slug))
  const orderables = once(() => readOrderables(all, labs()))
  const listed = once(() => readSeeds(all, 'markers.json', MarkerSeed, ({ id }) => String(id)))
  const results = once(() => readSeeds(all, 'results.json', ResultSeed, ({ id }) => String(id)))
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
      for (const read of [labs, analytes, panels, orderables, listed, results, markers]) {
        read()
        yield
      }
    },
    findMarker: (labSlug, providerId) => byCode().get(codeOf(labSlug, providerId)),
    labTests: once(() => readLabTests(all, markers())),
    labAccounts: once(() => readSeeds(all, 'lab-accounts.json', LabAccountSeed, ({ slug }) => slug)),
    payors: once(() => readSeeds(all, 'payors.json', PayorSeed, ({ payor_code }) => payor_code)),
    diagnoses: once(() => readSeeds(all, 'diagnoses.json', DiagnosisSeed, ({ code }) => code)),
    diagnosisExcludes: once(() => readExcludes(all)),
    cancerSignalOrigins: once(() => readOrigins(all)),
    turnarounds: once(() => readSeeds(all, 'turnarounds.json', TurnaroundSeed, (row) => row.of)),
    providers: once(() => readSeeds(all, 'providers.json', ProviderSeed, ({ slug }) => slug)),
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
  catalogue.turnarounds()
  catalogue.pscSites()
  catalogue.pscDensity()
  catalogue.phlebotomyAreas()
  catalogue.areaInfo()
  catalogue.pscInfo()
  catalogue.zipPlaces()
  catalogue.providers()
  catalogue.homes()
}

const codeOf = (labSlug: string, providerId: string) => `${labSlug}/${providerId}`

interface Vocabulary {
  readonly labs: ReadonlyMap<string, LabSeed>
  readonly analytes: ReadonlyMap<string, AnalyteSeed>
  readonly panels: ReadonlyMap<string, PanelSeed>
}

/** What markers are made from. */
interface MarkerSeeds {
  readonly orderables: Orderables
  /** By id. */
  readonly listed: ReadonlyMap<string, MarkerSeed>
  /** By id. */
  readonly results: ReadonlyMap<string, ResultSeed>
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
  seeds: readonly ResultSeed[],
): Map<string, ExpectedResult> {
  const found = new Map<string, ExpectedResult>()
  for (const seed of seeds) {
    const { id, provider_id, required, lab, analyte } = seed
    const measured = named(analytes, analyte, { file: 'results.json', id, what: 'analyte' })
    const lab_id = named(labs, lab, { file: 'results.json', id, what: 'lab' }).id
    const { name = measured.name, slug = measured.slug } = seed
    found.set(codeOf(lab, analyte), { id, name, slug, lab_id, provider_id, required, analyte: measured })
  }
  return found
}

function toMarker(
  seed: MarkerSeed,
  { labs, analytes, panels }: Vocabulary,
  results: ReadonlyMap<string, ExpectedResult>,
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
  return {
    ...seed,
    lab: named(labs, seed.lab, { file: 'markers.json', id, what: 'lab' }),
    name: seed.name ?? panel?.name ?? analyte?.name ?? seed.provider_id,
    slug: seed.slug ?? panel?.slug ?? analyte?.slug ?? seed.provider_id,
    unit: unitOf(seed, analyte),
    results: measured.map((slug) =>
      named(results, codeOf(seed.lab, slug), { file: 'markers.json', id, what: 'result' }),
    ),
    isReflex,
  }
}

const unitOf = ({ unit, panel }: MarkerSeed, analyte: AnalyteSeed | undefined): string | null => {
  if (unit !== undefined) return unit
  return panel ? null : (analyte?.unit ?? null)
}

function readLabTests(
  folders: readonly string[],
  markers: ReadonlyMap<number, Marker>,
): ReadonlyMap<string, LabTestSeed> {
  const labTests = readSeeds(folders, 'lab-tests.json', LabTestSeed, ({ slug }) => slug)
  for (const { slug, lab, markers: ids, reports = [] } of labTests.values()) {
    const stray = [...ids, ...reports].find((id) => markers.get(id)?.lab.slug !== lab)
    if (stray !== undefined) throw new BadSeed('lab-tests.json', `${slug}: ${lab} has no marker ${stray}`)
  }
  return labTests
}

const readExcludes = (folders: readonly string[]) => [
  ...readSeeds(
    folders,
    'diagnosis-excludes.json',
    DiagnosisExcludeSeed,
    ({ code, type }) => `${code} ${type}`,
  ).values(),
]

const readOrigins = (folders: readonly string[]) => [
  ...readSeeds(
    folders,
    'cancer-signal-origins.json',
    CancerSignalOriginSeed,
    ({ origin }) => origin,
  ).values(),
]

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

const zipCode = () => z.string().regex(/^\d{5}$/)
const point = () => ({ lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180) })

/** A place where a laboratory draws blood. */
export const PscSiteSeed = unnamed(() =>
  z.strictObject({
    lab: z.enum(labSlugs),
    site_code: z.string().regex(/^\w+$/),
    name: z.string(),
    first_line: z.string(),
    second_line: z.string().nullable(),
    city: z.string(),
    state: z.string(),
    zip_code: z.string().regex(/^\d{5}(-?\d{4})?$/),
    phone_number: z.string().nullable(),
    fax_number: z.string().nullable(),
    /** Opening hours, `Fri`, `Mon`, `Sat`, `Sun`, `Thu`, `Tue`, `Wed`; null or `Closed` when closed. */
    hours: z.record(z.string(), z.string().nullable()).nullable(),
    website: z.string().nullable(),
    ...point(),
    iana_timezone: z.string(),
    capabilities: z.array(z.enum(capabilities)),
    is_active: z.boolean(),
  }),
)
export type PscSiteSeed = Parsed<typeof PscSiteSeed>

/** An area served by phlebotomists. */
export const PhlebotomyAreaSeed = unnamed(() =>
  z.strictObject({
    zip_code: zipCode(),
    provider: z.enum(['getlabs', 'phlebfinders']),
    service_types: z.array(z.enum(serviceTypes)).min(1),
    /** The only street with appointments; null for all streets. */
    street: z.string().nullable(),
    /** The exact location of some streets or addresses. */
    places: z.array(z.strictObject({ street: z.string(), ...point() })).optional(),
    ...point(),
    iana_timezone: z.string(),
  }),
)
export type PhlebotomyAreaSeed = Parsed<typeof PhlebotomyAreaSeed>

/** What is answered about a ZIP code and a radius, in wire format, in place of what Petri makes up. */
export const AreaInfoSeed = unnamed(() =>
  AreaInfo()
    .extend({ zip_code: zipCode(), radius: z.enum(radii) })
    .strict(),
)
export type AreaInfoSeed = Parsed<typeof AreaInfoSeed>

/** The sites of a laboratory that are answered around a ZIP code, nearest first. */
export const PscInfoSeed = unnamed(() =>
  z.strictObject({
    zip_code: zipCode(),
    lab: z.enum(labSlugs),
    /** Miles within which the sites are; greater radii are not answered from them. */
    radius: z.enum(radii),
    sites: z.array(
      z.strictObject({
        site_code: z.string(),
        /** Miles. */
        distance: z.int(),
        supported_bill_types: z.array(z.enum(billingTypes)),
      }),
    ),
  }),
)
export type PscInfoSeed = Parsed<typeof PscInfoSeed>

const zipOrPrefix = () => z.string().regex(/^(\d{3}|\d{5})$/)

/** The approximate location of ZIP prefixes from `from` to `to`, or of single ZIP codes. */
export const ZipPlaceSeed = unnamed(() =>
  z.strictObject({ from: zipOrPrefix(), to: zipOrPrefix(), ...point() }),
)

/** Where generated people live: their number in thousands. Source: states of the Census of 2020, split over their cities. */
export const HomeSeed = unnamed(() =>
  z.strictObject({
    city: z.string(),
    state: z.string().regex(/^[A-Z]{2}$/),
    zips: z.array(z.string().regex(/^\d{5}$/)).min(1),
    area_codes: z.array(z.string().regex(/^\d{3}$/)).min(1),
    people: z.number().positive(),
  }),
)
export type HomeSeed = Parsed<typeof HomeSeed>

/** The generated sites of each laboratory in the ZIP codes of one prefix. */
export const PscDensitySeed = unnamed(() =>
  z.strictObject({
    prefix: z.string().regex(/^\d{3}$/),
    labcorp: z.int().min(0).default(0),
    quest: z.int().min(0).default(0),
    bioreference: z.int().min(0).default(0),
    /** Sites that Quest offers as well. */
    sonora_quest: z.int().min(0).default(0),
    /** The laboratory that runs the sites of Quest there. */
    partner: z.string().optional(),
    /** What the sites of Quest and Sonora Quest offer; by default they can be booked. */
    capabilities: z.array(z.enum(capabilities)).optional(),
  }),
)
export type PscDensitySeed = Parsed<typeof PscDensitySeed>

/** Degrees. */
export interface Point {
  readonly lat: number
  readonly lng: number
}

export interface Places {
  /** By laboratory and site code, `quest/QNY1`. */
  pscSites(): ReadonlyMap<string, PscSiteSeed>
  /** By ZIP code. */
  phlebotomyAreas(): ReadonlyMap<string, PhlebotomyAreaSeed>
  /** By ZIP code and radius, `85004/25`. */
  areaInfo(): ReadonlyMap<string, AreaInfoSeed>
  /** By laboratory and ZIP code, `quest/85004`. */
  pscInfo(): ReadonlyMap<string, PscInfoSeed>
  /** By the first three digits of ZIP codes. */
  pscDensity(): ReadonlyMap<string, PscDensitySeed>
  /** By ZIP code, or the first three digits of one. */
  zipPlaces(): ReadonlyMap<string, Point>
  /** By city and state, `Phoenix, AZ`. */
  homes(): ReadonlyMap<string, HomeSeed>
}

export const pscSiteKey = ({ lab, site_code }: Pick<PscSiteSeed, 'lab' | 'site_code'>): string =>
  `${lab}/${site_code}`

/** Geographic seed data; each file is read when first needed. */
function readPlaces(folders: readonly string[]): Places {
  const pscSites = once(() => readSeeds(folders, 'psc-sites.json', PscSiteSeed, pscSiteKey))
  return {
    pscSites,
    phlebotomyAreas: once(() =>
      readSeeds(folders, 'phlebotomy-areas.json', PhlebotomyAreaSeed, (area) => area.zip_code),
    ),
    areaInfo: once(() =>
      readSeeds(folders, 'area-info.json', AreaInfoSeed, ({ zip_code, radius }) => `${zip_code}/${radius}`),
    ),
    pscInfo: once(() => readPscInfo(folders, pscSites())),
    pscDensity: once(() => readSeeds(folders, 'psc-density.json', PscDensitySeed, ({ prefix }) => prefix)),
    zipPlaces: once(() => readZipPlaces(folders)),
    homes: once(() => readSeeds(folders, 'homes.json', HomeSeed, ({ city, state }) => `${city}, ${state}`)),
  }
}

function readPscInfo(
  folders: readonly string[],
  pscSites: ReadonlyMap<string, PscSiteSeed>,
): ReadonlyMap<string, PscInfoSeed> {
  const rows = readSeeds(folders, 'psc-info.json', PscInfoSeed, ({ lab, zip_code }) => `${lab}/${zip_code}`)
  for (const { lab, zip_code, sites } of rows.values()) {
    const stray = sites.find(({ site_code }) => !pscSites.has(pscSiteKey({ lab, site_code })))
    if (stray) throw new BadSeed('psc-info.json', `${zip_code}: ${lab} has no site ${stray.site_code}`)
  }
  return rows
}

function readZipPlaces(folders: readonly string[]): ReadonlyMap<string, Point> {
  const places = new Map<string, Point>()
  const rows = readSeeds(folders, 'zip-places.json', ZipPlaceSeed, (row) => `${row.from}-${row.to}`)
  for (const { from, to, lat, lng } of rows.values()) {
    for (let prefix = Number(from); prefix <= Number(to); prefix++) {
      places.set(String(prefix).padStart(from.length, '0'), { lat, lng })
    }
  }
  return places
}

const asks = ['fasting', 'collection_time', 'source', 'pregnancy'] as const
type Question = NonNullable<MarkerSeed['aoe']>['questions'][number]

/** An analyte that can be ordered alone, with the order code of each laboratory. */
export const OrderableSeed = unnamed(() =>
  z.strictObject({
    id: z.int().min(1).max(99_999),
    analyte: z.string(),
    /** Order codes by laboratory. */
    codes: z.partialRecord(z.enum(labSlugs), z.string()),
    /** The questions asked with an order. */
    asks: z.array(z.enum(asks)).optional(),
  }),
)

/** Ids of markers: the laboratory's id in units of 100,000 plus the id of the row. Results have a range of their own. */
const LAB_IDS = 100_000
const RESULT_IDS = 50_000_000

interface Orderables {
  readonly markers: readonly MarkerSeed[]
  readonly results: readonly ResultSeed[]
}

/** The markers and results of `orderables.json`, expanded to rows of the other seed files. */
function readOrderables(folders: readonly string[], labs: ReadonlyMap<string, LabSeed>): Orderables {
  const rows = readSeeds(folders, 'orderables.json', OrderableSeed, ({ id }) => String(id))
  const all = [...rows.values()].flatMap((row) => offersOf(row, labs))
  return {
    markers: all.map((offer) => toMarkerSeed(offer)),
    results: all.map(({ id, lab, code, analyte }) => ({
      id: RESULT_IDS + id,
      lab,
      analyte,
      provider_id: code,
      required: true,
    })),
  }
}

type OrderableRow = Parsed<typeof OrderableSeed>

interface Offer extends Pick<OrderableRow, 'analyte' | 'asks'> {
  readonly id: number
  readonly lab: LabSeed['slug']
  readonly code: string
}

const offersOf = ({ id, codes, ...row }: OrderableRow, labs: ReadonlyMap<string, LabSeed>): Offer[] =>
  Object.entries(codes).flatMap(([slug, code]) => {
    const lab = labs.get(slug)
    return lab ? [{ ...row, id: lab.id * LAB_IDS + id, lab: lab.slug, code }] : []
  })

/** Days, by the id, so that they differ. */
const MIN_DAYS = 2
const SPREAD = 4
const LATER = 3

function toMarkerSeed({ id, lab, code, analyte, asks: asked }: Offer): MarkerSeed {
  const common_tat_days = MIN_DAYS + (id % SPREAD)
  return {
    id,
    lab,
    provider_id: code,
    analyte,
    type: 'biomarker',
    price: 'N/A',
    a_la_carte_enabled: true,
    common_tat_days,
    worst_case_tat_days: common_tat_days + LATER,
    is_orderable: true,
    is_insurable: true,
    reflex: [],
    aoe: asked && { questions: asked.map((about) => questions[about]) },
  }
}

const open = { required: false, sequence: 1, answers: [], constraint: null, default: null }
const yesOrNo = [
  { id: 1, code: 'N', value: 'No' },
  { id: 2, code: 'Y', value: 'Yes' },
]

/** Questions by name. None is required: an order without answers is accepted. */
const questions: Readonly<Record<(typeof asks)[number], Question>> = {
  fasting: { ...open, id: 1, code: 'FSTING', value: 'FASTING', type: 'choice', answers: yesOrNo },
  collection_time: {
    ...open,
    id: 2,
    code: 'COLTIM',
    value: 'COLLECTION TIME',
    type: 'text',
    constraint: 'HHMM',
  },
  source: { ...open, id: 3, code: 'SOURCE', value: 'SPECIMEN SOURCE', type: 'text' },
  pregnancy: { ...open, id: 4, code: 'PREG', value: 'PREGNANT', type: 'choice', answers: yesOrNo },
}

/** An invalid seed file. */
class BadSeed extends Error {
  override readonly name = 'BadSeed'
  constructor(file: string, reason: string) {
    super(`${file}: ${reason}`)
  }
}

/** The files a folder of seeds may have. */
export const seedFileNames = [
  'labs',
  'analytes',
  'panels',
  'results',
  'markers',
  'orderables',
  'lab-tests',
  'lab-accounts',
  'payors',
  'diagnoses',
  'diagnosis-excludes',
  'cancer-signal-origins',
  'turnarounds',
  'psc-sites',
  'psc-density',
  'phlebotomy-areas',
  'area-info',
  'psc-info',
  'zip-places',
  'homes',
  'providers',
] as const

/** Throws for a file with an unknown name, which would never be read. */
function assertSeedFolder(folder: string): void {
  if (!existsSync(folder)) throw new BadSeed(folder, 'there is no such folder')
  if (!statSync(folder).isDirectory()) throw new BadSeed(folder, 'this is a file, not a folder of seeds')
  const known = seedFileNames.map((name) => `${name}.json`)
  const stray = readdirSync(folder).find((name) => name.endsWith('.json') && !known.includes(name))
  if (stray !== undefined)
    throw new BadSeed(
      join(folder, stray),
      `no seeds are read from a file of this name.${didYouMean(stray, known)}`,
    )
}

/** Reads one seed file of every folder; a row of a later folder replaces the one of the same id, a complete list all rows. */
function readSeeds<Schema extends z.ZodType>(
  folders: readonly string[],
  name: string,
  schema: LazySchema<Schema>,
  idOf: (row: z.output<Schema>) => string,
): ReadonlyMap<string, z.output<Schema>> {
  const rows = new Map<string, z.output<Schema>>()
  for (const file of folders.map((folder) => join(folder, name)).filter((path) => existsSync(path))) {
    const ids = new Set<string>()
    const list = readList(file)
    if (list.complete) rows.clear()
    for (const [at, input] of list.rows.entries()) {
      const row = readRow(file, at, schema(), input)
      const id = idOf(row)
      if (ids.has(id)) throw new BadSeed(file, `row ${at + 1}: ${id} is there twice`)
      ids.add(id)
      rows.set(id, row)
    }
  }
  return rows
}

/** The content of a seed file. */
interface SeedList {
  readonly rows: readonly unknown[]
  /** Whether no other rows are used. */
  readonly complete: boolean
}

/** The longest file of seeds, in bytes: a hundred times the longest bundled one. */
const MAX_SEED_BYTES = 256 * 1024 * 1024

function readList(file: string): SeedList {
  let content: unknown
  try {
    content = JSON.parse(readUserFile(file, MAX_SEED_BYTES).toString('utf8'))
  } catch (error) {
    throw new BadSeed(file, whyUnreadable(file, error).replace(`${file} `, ''))
  }
  if (Array.isArray(content)) return { rows: content, complete: false }
  if (!isObject(content) || !Array.isArray(content.rows)) throw new BadSeed(file, 'should be a list of rows')
  const { rows, complete, ...others } = content
  const [stray] = Object.keys(others)
  if (stray !== undefined) throw new BadSeed(file, `${stray} is unknown beside rows and complete`)
  if (typeof complete !== 'boolean') throw new BadSeed(file, 'complete should be true or false')
  return { rows, complete }
}

function readRow<Schema extends z.ZodType>(
  file: string,
  at: number,
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  const { success, data, error } = schema.safeParse(input)
  if (success) return data
  const [issue] = error.issues
  const where = [`row ${at + 1}`, ...(issue?.path ?? []).map(String)].join('.')
  throw new BadSeed(file, `${where}: ${issue?.message ?? 'malformed'}`)
}
