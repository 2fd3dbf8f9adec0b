import * as z from 'zod'
import { streetFields } from '../../api/address.ts'
import { nullableText, type Parsed, unnamed } from '../../api/schema.ts'
import { groupBy } from '../../kernel/list.ts'
import { BadSeed } from '../../kernel/seed-table.ts'
import { AreaInfo, billingTypes, capabilities, labSlugs, radii, serviceTypes } from './schema.ts'

const zipCode = () => z.string().regex(/^\d{5}$/)
const point = () => ({ lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180) })

/** Opening hours in the order of the service. */
export const weekOf = (day: string | null, Sat: string | null, Sun: string | null) => ({
  Fri: day,
  Mon: day,
  Sat,
  Sun,
  Thu: day,
  Tue: day,
  Wed: day,
})

/** A place where a laboratory draws blood. */
export const PscSiteSeed = unnamed(() =>
  z.strictObject({
    lab: z.enum(labSlugs),
    site_code: z.string().regex(/^\w+$/),
    name: z.string(),
    ...streetFields(),
    zip_code: z.string().regex(/^\d{5}(-?\d{4})?$/),
    phone_number: nullableText(),
    fax_number: nullableText(),
    /** Opening hours by day, `Mon`; `weekdays` for Monday to Friday. Null or `Closed` when closed. */
    hours: z
      .record(z.string(), nullableText())
      .transform(({ weekdays, ...days }) =>
        weekdays === undefined ? days : weekOf(weekdays, days.Sat ?? null, days.Sun ?? null),
      )
      .nullable(),
    website: nullableText(),
    ...point(),
    iana_timezone: z.string(),
    capabilities: z.array(z.enum(capabilities)).default([]),
    is_active: z.boolean().default(true),
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
    street: nullableText(),
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

/** A town: its ZIP code and name, and its latitude and longitude in degrees, `59715 Bozeman 45.69 -110.91`. */
const TOWN = /^(?<zip>\d{5}) (?<city>\D+) (?<lat>-?\d+\.?\d*) (?<lng>-?\d+\.?\d*)$/

/**
 * Towns, and the number of generated sites in each ZIP prefix of three digits that they have. Sources: GeoNames postal codes
 * and US Census gazetteer of 2021, where both agree with a third list.
 */
export const TownsSeed = unnamed(() =>
  z.strictObject({
    labcorp: z.int().min(0).default(0),
    quest: z.int().min(0).default(0),
    bioreference: z.int().min(0).default(0),
    /** Sites that Quest offers as well. */
    sonora_quest: z.int().min(0).default(0),
    /** The laboratory that runs the sites of Quest there. */
    partner: z.string().optional(),
    /** What the sites of Quest and Sonora Quest offer; by default they can be booked. */
    capabilities: z.array(z.enum(capabilities)).optional(),
    towns: z
      .array(
        z
          .string()
          .regex(TOWN)
          .transform((text) => {
            const { zip = '', city = '', lat, lng } = TOWN.exec(text)?.groups ?? {}
            return { zip, city, lat: Number(lat), lng: Number(lng) }
          })
          .pipe(z.object({ zip: zipCode(), city: z.string(), ...point() })),
      )
      .min(1),
  }),
)
/** The towns of a ZIP prefix, at least one. */
export type PrefixTowns = Parsed<typeof TownsSeed>
export type Town = PrefixTowns['towns'][number]

/** Degrees. */
export interface Point {
  readonly lat: number
  readonly lng: number
}

export const pscSiteKey = ({ lab, site_code }: Pick<PscSiteSeed, 'lab' | 'site_code'>): string =>
  `${lab}/${site_code}`

/** Throws for sites that nobody knows. */
export function assertKnownSites(
  rows: Iterable<PscInfoSeed>,
  pscSites: ReadonlyMap<string, PscSiteSeed>,
): void {
  for (const { lab, zip_code, sites } of rows) {
    const stray = sites.find(({ site_code }) => !pscSites.has(pscSiteKey({ lab, site_code })))
    if (stray) throw new BadSeed('psc-info.json', `${zip_code}: ${lab} has no site ${stray.site_code}`)
  }
}

/** Rows of towns by the first three digits of their ZIP codes. */
export function townsByPrefix(rows: Iterable<PrefixTowns>): ReadonlyMap<string, PrefixTowns> {
  const byPrefix = new Map<string, PrefixTowns>()
  for (const row of rows)
    for (const [prefix, towns] of groupBy(row.towns, ({ zip }) => zip.slice(0, 3)))
      byPrefix.set(prefix, { ...row, towns })
  return byPrefix
}
