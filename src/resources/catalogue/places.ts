import * as z from 'zod'
import { type Parsed, unnamed } from '../../api/schema.ts'
import { once } from '../../kernel/once.ts'
import { labSlugs } from './schema.ts'
import { readSeeds } from './seed-file.ts'

export const capabilities = [
  'stat',
  'appointment_scheduling_via_junction',
  'appointment_scheduling_with_lab',
] as const
export type Capability = (typeof capabilities)[number]
export const serviceTypes = ['appointment-ready', 'appointment-request'] as const

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
    zip_code: zipCode(),
    phone_number: z.string().nullable(),
    fax_number: z.string().nullable(),
    /** Opening hours, `Mon` to `Sun`; null when closed. */
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
    ...point(),
    iana_timezone: z.string(),
  }),
)
export type PhlebotomyAreaSeed = Parsed<typeof PhlebotomyAreaSeed>

const zipOrPrefix = () => z.string().regex(/^(\d{3}|\d{5})$/)

/** The approximate location of ZIP prefixes from `from` to `to`, or of single ZIP codes. */
export const ZipPlaceSeed = unnamed(() =>
  z.strictObject({ from: zipOrPrefix(), to: zipOrPrefix(), ...point() }),
)

/** The number of generated sites of each laboratory in the ZIP codes of one prefix. */
export const PscDensitySeed = unnamed(() =>
  z.strictObject({
    prefix: z.string().regex(/^\d{3}$/),
    labcorp: z.int().min(0).default(0),
    quest: z.int().min(0).default(0),
    bioreference: z.int().min(0).default(0),
  }),
)
export type PscDensitySeed = Parsed<typeof PscDensitySeed>

/** Degrees. */
export interface Point {
  readonly lat: number
  readonly lng: number
}

export interface Places {
  /** By laboratory and site code, `quest/23070`. */
  pscSites(): ReadonlyMap<string, PscSiteSeed>
  /** By ZIP code. */
  phlebotomyAreas(): ReadonlyMap<string, PhlebotomyAreaSeed>
  /** By the first three digits of ZIP codes. */
  pscDensity(): ReadonlyMap<string, PscDensitySeed>
  /** By ZIP code, or the first three digits of one. */
  zipPlaces(): ReadonlyMap<string, Point>
}

export const pscSiteKey = ({ lab, site_code }: Pick<PscSiteSeed, 'lab' | 'site_code'>): string =>
  `${lab}/${site_code}`

/** Geographic seed data; each file is read when first needed. */
export const readPlaces = (folders: readonly string[]): Places => ({
  pscSites: once(() => readSeeds(folders, 'psc-sites.json', PscSiteSeed, pscSiteKey)),
  phlebotomyAreas: once(() =>
    readSeeds(folders, 'phlebotomy-areas.json', PhlebotomyAreaSeed, (area) => area.zip_code),
  ),
  pscDensity: once(() => readSeeds(folders, 'psc-density.json', PscDensitySeed, ({ prefix }) => prefix)),
  zipPlaces: once(() => {
    const places = new Map<string, Point>()
    const rows = readSeeds(folders, 'zip-places.json', ZipPlaceSeed, (row) => `${row.from}-${row.to}`)
    for (const { from, to, lat, lng } of rows.values()) {
      for (let prefix = Number(from); prefix <= Number(to); prefix++) {
        places.set(String(prefix).padStart(from.length, '0'), { lat, lng })
      }
    }
    return places
  }),
})
