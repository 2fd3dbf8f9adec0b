import { kept } from '../../kernel/kept.ts'
import { makePhone, makeStreet } from '../../kernel/people.ts'
import { createRandom } from '../../kernel/random.ts'
import type { World } from '../../world/world.ts'
import { stateOfZip, zoneOfZip } from '../catalogue/homes.ts'
import { type Point, type PrefixTowns, type PscSiteSeed, type Town, weekOf } from '../catalogue/places.ts'
import type { Capability } from '../catalogue/schema.ts'
import type { Catalogue } from '../catalogue/service.ts'

const EARTH_MILES = 3958.8
/** From one degree of latitude to the next, rounded down. */
const DEGREE_MILES = 69
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Distance in whole miles. */
export function milesBetween(a: Point, b: Point): number {
  const north = radians(b.lat - a.lat)
  const east = radians(b.lng - a.lng)
  const chord =
    Math.sin(north / 2) ** 2 + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(east / 2) ** 2
  return Math.round(2 * EARTH_MILES * Math.asin(Math.sqrt(chord)))
}

/** How the sites of a laboratory look. Source: docs/contract/areas.md. */
interface SiteForm {
  /** Writes the number of a site as its code. */
  readonly toCode: (number: number) => string
  /** Names of sites; the town in capitals if undefined. */
  readonly names?: readonly [string, ...string[]]
  readonly weekdays: readonly [string, ...string[]]
  readonly saturdays: readonly [string | null, ...(string | null)[]]
  /** The hours of a closed day. */
  readonly closed: string | null
  /** The second line of an address that has none. */
  readonly noSecondLine: string | null
  /** One fax number for all sites, null for none, or undefined if each has its own. */
  readonly fax?: string | null
  readonly website: string
}

const inBase36 = (number: number) => number.toString(36).toUpperCase()

/** Every third site closes at noon for a while. */
const questHours = {
  weekdays: ['7:00AM - 3:00PM', '7:30AM - 4:30PM', '9:00AM - 12:30PM;1:00PM - 5:00PM'],
  saturdays: ['7:00AM - 11:00AM', null],
  closed: null,
} as const

const forms = {
  quest: {
    toCode: inBase36,
    ...questHours,
    names: ['Quest Diagnostics'],
    noSecondLine: '',
    website: 'https://www.questdiagnostics.com/',
  },
  sonora_quest: {
    toCode: inBase36,
    ...questHours,
    names: ['Sonora Quest Laboratories'],
    noSecondLine: '',
    fax: '602-555-0150',
    website: 'https://www.sonoraquest.com/',
  },
  labcorp: {
    toCode: String,
    names: ['Labcorp', 'LABCORP', 'LABCORP AT WALGREENS'],
    weekdays: ['7:00AM - 3:00PM', '7:30AM-3:30PM', '9:00AM - 12:30PM;1:00PM - 5:00PM'],
    saturdays: ['8:00AM-12:00PM', 'Closed'],
    closed: 'Closed',
    noSecondLine: '',
    website: 'https://www.labcorp.com/',
  },
  bioreference: {
    toCode: (number) => `B${inBase36(number).padStart(4, '0')}`,
    weekdays: ['8:00AM - 5:00PM', '7:00AM - 3:00PM'],
    saturdays: ['8:00AM - 12:00PM', null],
    closed: null,
    noSecondLine: null,
    fax: null,
    website: 'https://www.bioreference.com/',
  },
} as const satisfies Readonly<Record<string, SiteForm>>
type Wide = keyof typeof forms

const isWide = (lab: string): lab is Wide => lab in forms

/** A site of Sonora Quest as Quest shows it. */
export const offeredByQuest = (site: PscSiteSeed): PscSiteSeed => ({
  ...site,
  lab: 'quest',
  website: forms.quest.website,
})

/** A site, generated on demand. */
export interface GeneratedSite {
  /** Miles. */
  readonly distance: number
  readonly capabilities: readonly Capability[]
  readonly make: () => PscSiteSeed
}

/** The generated sites of a laboratory within a radius in miles. */
export const generatedSitesAround = (
  world: World,
  lab: string,
  here: Point,
  radius: number,
): GeneratedSite[] =>
  sitesOf(world.services.catalogue, lab).flatMap((site) => {
    if (Math.abs(site.lat - here.lat) * DEGREE_MILES > radius) return []
    const distance = milesBetween(here, site)
    return distance < radius ? [{ distance, capabilities: site.capabilities, make: () => makeUp(site) }] : []
  })

/** The made-up site with this code; undefined for other codes. */
export function generatedSite(world: World, lab: string, code: string): PscSiteSeed | undefined {
  const site = sitesOf(world.services.catalogue, lab).find(({ site_code }) => site_code === code)
  return site && makeUp(site)
}

/** What decides on a generated site. */
interface SitePlan extends Point {
  readonly lab: Wide
  /** The laboratory that runs the site: in Arizona, Sonora Quest runs those of Quest. */
  readonly operator: Wide
  readonly site_code: string
  readonly town: Town
  readonly capabilities: readonly Capability[]
  readonly partner: string | undefined
}

const MAX_SITES_OF_PREFIX = 100

/** Degrees that a site is from the middle of its town at most: less than half a mile. */
const FROM_MIDDLE = 0.006

/** Sites are the same in every world. */
const random = createRandom('patient service centers')

/** All generated sites of a laboratory: in each ZIP prefix, one town after the other gets one. */
const sitesOf = kept(Object.keys(forms).length, (catalogue: Catalogue, lab: string): SitePlan[] => {
  if (!isWide(lab)) return []
  const { toCode }: SiteForm = forms[lab]
  return [...catalogue.towns()].flatMap(([prefix, row]) => {
    const { towns, partner } = row
    const isRunBySonora = lab === 'quest' && row.sonora_quest > 0
    const operator = isRunBySonora ? 'sonora_quest' : lab
    const count = isRunBySonora ? row.quest + row.sonora_quest : row[lab]
    return Array.from({ length: count }, (_, at): SitePlan => {
      const town = towns[at % towns.length] as Town
      const site_code = toCode(Number(prefix) * MAX_SITES_OF_PREFIX + at + 1)
      const off = (what: string) => (2 * random.noise(`${what}/${operator}/${site_code}`) - 1) * FROM_MIDDLE
      const lat = Number((town.lat + off('lat')).toFixed(4))
      const lng = Number((town.lng + off('lng')).toFixed(4))
      return { lab, operator, site_code, town, partner, lat, lng, capabilities: capabilitiesOf(row, lab) }
    })
  })
})

function capabilitiesOf({ capabilities }: PrefixTowns, lab: Wide): Capability[] {
  const isBookable = lab === 'quest' || lab === 'sonora_quest'
  return isBookable ? [...(capabilities ?? (['appointment_scheduling_via_junction'] as const))] : []
}

function makeUp({ lab, operator, site_code, town, capabilities, partner, lat, lng }: SitePlan): PscSiteSeed {
  const form: SiteForm = forms[lab]
  const key = `${operator}/${site_code}`
  const { names }: SiteForm = forms[operator]
  const name = names ? random.pick(`name/${key}`, names) : town.city.toUpperCase()
  return {
    lab,
    site_code,
    name: (lab === 'quest' && partner) || name,
    first_line: makeStreet(random, key),
    second_line: form.noSecondLine,
    city: town.city,
    state: stateOfZip(town.zip) ?? '',
    zip_code: town.zip,
    phone_number: makePhone(random, key, '800'),
    fax_number: form.fax === undefined ? makePhone(random, `${key}/fax`, '800') : form.fax,
    hours: hoursOf(key, form),
    website: form.website,
    lat,
    lng,
    iana_timezone: zoneOfZip(town.zip),
    capabilities: [...capabilities],
    is_active: true,
  }
}

function hoursOf(key: string, { weekdays, saturdays, closed }: SiteForm): Record<string, string | null> {
  return weekOf(random.pick(`hours/${key}`, weekdays), random.pick(`saturday/${key}`, saturdays), closed)
}
