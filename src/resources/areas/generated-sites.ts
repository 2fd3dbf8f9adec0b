import { makeCity, makePhone, makeStreet } from '../../kernel/people.ts'
import type { World } from '../../world/world.ts'
import type { Capability } from '../catalogue/schema.ts'
import type { Point, PscSiteSeed } from '../catalogue/service.ts'

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
function regionOf(prefix: string): Region | undefined {
  const found = ranges
    .split('|')
    .map((range) => range.split(' ') as [string, string, string])
    .find(([from, , to]) => prefix >= from && prefix <= to)
  if (!found) return undefined
  const [, state] = found
  const zone = Object.keys(zones).find((each) => zones[each]?.split(' ').includes(state))
  return zone === undefined ? undefined : { state, zone }
}

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

/** Degrees between neighbouring ZIP codes of one prefix; all hundred are within about ten miles. */
const SPREAD = 0.012

/** Offset of a ZIP code from the centre of its prefix, from its last two digits. */
export const spread = ({ lat, lng }: Point, zip: string): Point => ({
  lat: lat + (Number(zip[3]) - 4.5) * SPREAD,
  lng: lng + (Number(zip[4]) - 4.5) * SPREAD,
})

/** Laboratories with more sites than in the seeds, and the prefix of the generated codes. */
const starts = { quest: 'QX', labcorp: 'LX', bioreference: 'BX' } as const
type Wide = keyof typeof starts

const CODE = /^(QX|LX|BX)(\d{3})(\d{1,2})$/
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
  const { catalogue } = world.parts
  const sites: GeneratedSite[] = []
  for (const { prefix, [lab]: count } of catalogue.pscDensity().values()) {
    const middle = catalogue.zipPlaces().get(prefix)
    if (!middle || milesBetween(here, middle) > radius + PREFIX_MILES) continue
    for (let nth = 1; nth <= count; nth++) {
      const distance = milesBetween(here, spread(middle, zipOf(prefix, nth)))
      const make = () => makeUp(world, lab, prefix, nth, middle)
      if (distance <= radius) sites.push({ distance, capabilities: capabilitiesOf(lab), make })
    }
  }
  return sites
}

/** The made-up site with this code; undefined for other codes. */
export function generatedSite(world: World, lab: string, code: string): PscSiteSeed | undefined {
  const [, start, prefix = '', digits] = CODE.exec(code) ?? []
  if (!isWide(lab) || starts[lab] !== start) return undefined
  const middle = world.parts.catalogue.zipPlaces().get(prefix)
  const nth = Number(digits)
  const count = world.parts.catalogue.pscDensity().get(prefix)?.[lab] ?? 0
  return middle && nth >= 1 && nth <= count ? makeUp(world, lab, prefix, nth, middle) : undefined
}

const isWide = (lab: string): lab is Wide => lab in starts

/** Spreads the sites over the ZIP codes of a prefix: 37 and 100 have no common factor. */
const zipOf = (prefix: string, nth: number) =>
  `${prefix}${String((44 + 37 * (nth - 1)) % 100).padStart(2, '0')}`

const capabilitiesOf = (lab: Wide): Capability[] =>
  lab === 'quest' ? ['appointment_scheduling_via_junction'] : []

function makeUp({ random }: World, lab: Wide, prefix: string, nth: number, middle: Point): PscSiteSeed {
  const region = regionOf(prefix)
  const zip_code = zipOf(prefix, nth)
  const { lat, lng } = spread(middle, zip_code)
  const site_code = `${starts[lab]}${prefix}${nth}`
  return {
    lab,
    site_code,
    name: lab.toUpperCase(),
    first_line: makeStreet(random, site_code),
    second_line: null,
    city: makeCity(random, prefix),
    state: region?.state ?? '',
    zip_code,
    phone_number: makePhone(random, site_code, '800'),
    fax_number: makePhone(random, `${site_code}/fax`, '800'),
    hours: hoursOf(random, site_code),
    website: `https://locations.example.com/${lab}/${site_code}`,
    lat: Number(lat.toFixed(4)),
    lng: Number(lng.toFixed(4)),
    iana_timezone: region?.zone ?? 'America/New_York',
    capabilities: capabilitiesOf(lab),
    is_active: true,
  }
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'] as const
/** Every third site closes at noon for a while. */
const days = ['7:00AM - 3:00PM', '7:00AM - 4:30PM', '9:00AM - 12:30PM;1:00PM - 5:00PM'] as const
const saturdays = ['7:00AM - 11:00AM', null] as const

function hoursOf(random: World['random'], code: string): Record<string, string | null> {
  const day = random.pick(`hours/${code}`, days)
  const saturday = random.pick(`saturday/${code}`, saturdays)
  return { ...Object.fromEntries(weekdays.map((name) => [name, day])), Sat: saturday, Sun: null }
}
