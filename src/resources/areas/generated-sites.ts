import { once } from '../../kernel/once.ts'
import { makePhone, makeStreet } from '../../kernel/people.ts'
import { createRandom } from '../../kernel/random.ts'
import type { World } from '../../world/world.ts'
import { spread } from '../catalogue/homes.ts'
import { type Point, type PscDensitySeed, type PscSiteSeed, weekOf } from '../catalogue/places.ts'
import type { Capability } from '../catalogue/schema.ts'

/** First and last ZIP prefix of each state; gaps are unassigned. Common US postal geography. */
const ranges =
  '005 NY 005|006 PR 009|010 MA 027|028 RI 029|030 NH 038|039 ME 049|050 VT 054|055 MA 055|056 VT 059|060 CT 069|070 NJ 089|' +
  '100 NY 149|150 PA 196|197 DE 199|200 DC 200|201 VA 201|202 DC 205|206 MD 219|220 VA 246|247 WV 268|270 NC 289|290 SC 299|' +
  '300 GA 319|320 FL 349|350 AL 369|370 TN 385|386 MS 397|398 GA 399|400 KY 427|430 OH 459|460 IN 479|480 MI 499|500 IA 528|' +
  '530 WI 549|550 MN 567|570 SD 577|580 ND 588|590 MT 599|600 IL 629|630 MO 658|660 KS 679|680 NE 693|700 LA 714|716 AR 729|' +
  '730 OK 749|750 TX 799|800 CO 816|820 WY 831|832 ID 838|840 UT 847|850 AZ 865|870 NM 884|885 TX 885|889 NV 898|900 CA 961|' +
  '967 HI 968|970 OR 979|980 WA 994|995 AK 999'

/** The time zone of most of the state. */
const zones: Readonly<Record<string, string>> = {
  'America/New_York': 'NY MA RI NH ME VT CT NJ PA DE DC VA MD WV NC SC GA FL KY OH MI',
  'America/Chicago': 'AL TN MS IA WI MN SD ND IL MO KS NE LA AR OK TX',
  'America/Denver': 'MT CO WY ID UT NM',
  'America/Los_Angeles': 'NV CA OR WA',
  'America/Phoenix': 'AZ',
  'America/Indiana/Indianapolis': 'IN',
  'America/Anchorage': 'AK',
  'Pacific/Honolulu': 'HI',
  'America/Puerto_Rico': 'PR',
}

/** Magic ZIP codes; they get the location of the sandbox's sample addresses. */
const MAGIC = /^00[1-4]/

/** The state of a ZIP code; undefined for an unassigned one. */
export const stateOfZip = (zip: string): string | undefined =>
  MAGIC.test(zip) ? 'AZ' : regionOf(zip.slice(0, 3))?.state

/** The time zone of a ZIP code; that of New York for an unassigned one. */
export const zoneOfZip = (zip: string): string => regionOf(zip.slice(0, 3))?.zone ?? 'America/New_York'

interface Region {
  readonly state: string
  readonly zone: string
}

/** The state and time zone of a ZIP prefix of three digits; undefined for an unassigned one. */
const regionOf = (prefix: string): Region | undefined =>
  regions().find(({ from, to }) => prefix >= from && prefix <= to)

const regions = once((): readonly (Region & { readonly from: string; readonly to: string })[] =>
  ranges.split('|').flatMap((range) => {
    const [from = '', state = '', to = ''] = range.split(' ')
    const zone = Object.keys(zones).find((each) => zones[each]?.split(' ').includes(state))
    return zone === undefined ? [] : [{ from, to, state, zone }]
  }),
)

const EARTH_MILES = 3958.8
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
  /** Reads the number of a site from its code; any number or NaN for other texts. */
  readonly fromCode: (code: string) => number
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

const inBase36 = {
  toCode: (number: number) => number.toString(36).toUpperCase(),
  fromCode: (code: string) => Number.parseInt(code, 36),
}

/** Every third site closes at noon for a while. */
const questHours = {
  weekdays: ['7:00AM - 3:00PM', '7:30AM - 4:30PM', '9:00AM - 12:30PM;1:00PM - 5:00PM'],
  saturdays: ['7:00AM - 11:00AM', null],
  closed: null,
} as const

const forms = {
  quest: {
    ...inBase36,
    ...questHours,
    names: ['Quest Diagnostics'],
    noSecondLine: '',
    website: 'https://www.questdiagnostics.com/',
  },
  sonora_quest: {
    ...inBase36,
    ...questHours,
    names: ['Sonora Quest Laboratories'],
    noSecondLine: '',
    fax: '602-555-0150',
    website: 'https://www.sonoraquest.com/',
  },
  labcorp: {
    toCode: String,
    fromCode: Number,
    names: ['Labcorp', 'LABCORP', 'LABCORP AT WALGREENS'],
    weekdays: ['7:00AM - 3:00PM', '7:30AM-3:30PM', '9:00AM - 12:30PM;1:00PM - 5:00PM'],
    saturdays: ['8:00AM-12:00PM', 'Closed'],
    closed: 'Closed',
    noSecondLine: '',
    website: 'https://www.labcorp.com/',
  },
  bioreference: {
    toCode: (number) => `B${inBase36.toCode(number).padStart(4, '0')}`,
    fromCode: (code) => inBase36.fromCode(code.slice(1)),
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

/** Miles from the centre of a prefix within which all its ZIP codes are. */
const PREFIX_MILES = 12

/** A site, generated on demand. */
export interface GeneratedSite {
  /** Miles. */
  readonly distance: number
  readonly capabilities: readonly Capability[]
  readonly make: () => PscSiteSeed
}

/** The generated sites of a laboratory within a radius in miles; their number follows from the population. */
export function generatedSitesAround(
  world: World,
  lab: string,
  here: Point,
  radius: number,
): GeneratedSite[] {
  if (!isWide(lab)) return []
  const catalogue = world.services.catalogue
  const places = catalogue.zipPlaces()
  const sites: GeneratedSite[] = []
  for (const [prefix, row] of catalogue.pscDensity()) {
    const middle = places.get(prefix)
    if (!middle || milesBetween(here, middle) > radius + PREFIX_MILES) continue
    const capabilities = capabilitiesOf(row, lab)
    for (let nth = 1; nth <= countIn(row, lab); nth++) {
      const distance = milesBetween(here, spread(middle, zipOf(prefix, nth)))
      const make = () => makeUp(world, { lab, row, prefix, nth, middle })
      if (distance < radius) sites.push({ distance, capabilities, make })
    }
  }
  return sites
}

/** The made-up site with this code; undefined for other codes. */
export function generatedSite(world: World, lab: string, code: string): PscSiteSeed | undefined {
  if (!isWide(lab)) return undefined
  const { toCode, fromCode }: SiteForm = forms[lab]
  const number = fromCode(code)
  if (Number.isNaN(number) || toCode(number) !== code) return undefined
  const catalogue = world.services.catalogue
  const prefix = String(Math.floor(number / MAX_SITES_OF_PREFIX)).padStart(3, '0')
  const nth = number % MAX_SITES_OF_PREFIX
  const [row, middle] = [catalogue.pscDensity().get(prefix), catalogue.zipPlaces().get(prefix)]
  if (!row || !middle || nth < 1 || nth > countIn(row, lab)) return undefined
  return makeUp(world, { lab, row, prefix, nth, middle })
}

const MAX_SITES_OF_PREFIX = 100

/** In Arizona, Sonora Quest runs the sites of Quest. */
const countIn = (row: PscDensitySeed, lab: Wide): number =>
  lab === 'quest' ? row.quest + row.sonora_quest : row[lab]

/** Spreads the sites over the ZIP codes of a prefix: 37 and 100 have no common factor. */
const zipOf = (prefix: string, nth: number) =>
  `${prefix}${String((44 + 37 * (nth - 1)) % 100).padStart(2, '0')}`

function capabilitiesOf({ capabilities }: PscDensitySeed, lab: Wide): Capability[] {
  const isBookable = lab === 'quest' || lab === 'sonora_quest'
  return isBookable ? [...(capabilities ?? (['appointment_scheduling_via_junction'] as const))] : []
}

/** Sites are the same in every world. */
const random = createRandom('patient service centers')

interface SiteInput {
  readonly lab: Wide
  readonly row: PscDensitySeed
  readonly prefix: string
  /** Its number in the prefix, from 1. */
  readonly nth: number
  /** The centre of the prefix. */
  readonly middle: Point
}

function makeUp(world: World, { lab, row, prefix, nth, middle }: SiteInput): PscSiteSeed {
  const operator = lab === 'quest' && row.sonora_quest > 0 ? 'sonora_quest' : lab
  const form: SiteForm = forms[lab]
  const region = regionOf(prefix)
  const zip_code = zipOf(prefix, nth)
  const { lat, lng } = spread(middle, zip_code)
  const site_code = form.toCode(Number(prefix) * MAX_SITES_OF_PREFIX + nth)
  const key = `${operator}/${site_code}`
  const city = townNear(world, middle, region?.state)
  const { names }: SiteForm = forms[operator]
  const name = names ? random.pick(`name/${key}`, names) : city.toUpperCase()
  return {
    lab,
    site_code,
    name: (lab === 'quest' && row.partner) || name,
    first_line: makeStreet(random, key),
    second_line: form.noSecondLine,
    city,
    state: region?.state ?? '',
    zip_code,
    phone_number: makePhone(random, key, '800'),
    fax_number: form.fax === undefined ? makePhone(random, `${key}/fax`, '800') : form.fax,
    hours: hoursOf(key, form),
    website: form.website,
    lat: Number(lat.toFixed(4)),
    lng: Number(lng.toFixed(4)),
    iana_timezone: region?.zone ?? 'America/New_York',
    capabilities: capabilitiesOf(row, lab),
    is_active: true,
  }
}

/** The listed city of the state that is nearest to a place. */
function townNear(world: World, place: Point, state: string | undefined): string {
  const { homes, zipPlaces } = world.services.catalogue
  const towns = [...homes().values()].flatMap((home) => {
    const there = home.state === state ? zipPlaces().get(home.zips[0]?.slice(0, 3) ?? '') : undefined
    return there ? [{ city: home.city, distance: milesBetween(place, there) }] : []
  })
  return towns.sort((a, b) => a.distance - b.distance)[0]?.city ?? ''
}

function hoursOf(key: string, { weekdays, saturdays, closed }: SiteForm): Record<string, string | null> {
  return weekOf(random.pick(`hours/${key}`, weekdays), random.pick(`saturday/${key}`, saturdays), closed)
}
