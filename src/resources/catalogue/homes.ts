import { byName } from '../../kernel/fields.ts'
import { once } from '../../kernel/once.ts'
import type { World } from '../../world/world.ts'
import type { HomeSeed, Point, Town } from './places.ts'

/** Where a person lives. */
export interface Home {
  readonly city: string
  readonly state: string
  readonly zip: string
  readonly areaCode: string
}

/** A place in which everything is served. */
const PHOENIX: Home = { city: 'Phoenix', state: 'AZ', zip: '85004', areaCode: '602' }

/**
 * Where a user lives if nobody says it: spread as the population is. If that place is not served, the user lives in
 * another one that is.
 */
export function homeOf(world: World, userId: string, isServed: (home: Home) => boolean): Home {
  const places = placesOf(world)
  const own = drawnHome(world, userId, places)
  return isServed(own) ? own : drawnHome(world, userId, places.filter(isServed))
}

/** The place of a given ZIP code; a magic or unknown one, or one that cannot be billed, counts as Phoenix. */
export function homeAt(world: World, userId: string, zip: string, isBilled: (home: Home) => boolean): Home {
  const places = placesOf(world)
  const exact = places.find((place) => place.zip === zip)
  const city = exact?.city ?? townOfZip(world, zip)?.city
  const state = stateOfZip(zip)
  const known =
    exact ??
    places.find((place) => place.city === city && place.state === state) ??
    places.find((place) => place.state === state)
  const home = known && city && { ...homeIn(world, userId, known), city, zip }
  return home && isBilled(home) ? home : { ...PHOENIX, zip }
}

function drawnHome(world: World, userId: string, places: readonly Place[]): Home {
  const everyone = places.reduce((sum, { people }) => sum + people, 0)
  let left = world.random.noise(`person/${world.drawKey('user', userId)}/home`) * everyone
  const place = places.find(({ people }) => {
    left -= people
    return left < 0
  })
  return place ? homeIn(world, userId, place) : PHOENIX
}

/** The home of a user in a place. */
const homeIn = (
  { random, drawKey }: World,
  userId: string,
  { city, state, zip, areaCode, areaCodes }: Place,
): Home => ({
  city,
  state,
  zip,
  areaCode: random.pick(`person/${drawKey('user', userId)}/area code`, areaCodes) ?? areaCode,
})

/** A ZIP code with the people who live there. */
interface Place extends Home {
  readonly areaCodes: HomeSeed['area_codes']
  /** In thousands. */
  readonly people: number
}

const placesOf = (world: World): Place[] =>
  [...world.services.catalogue.homes().values()].flatMap(({ city, state, zips, area_codes, people }) =>
    zips.map((zip) => ({
      city,
      state,
      zip,
      areaCode: area_codes[0] ?? PHOENIX.areaCode,
      areaCodes: area_codes,
      people: people / zips.length,
    })),
  )

/** Degrees between neighbouring ZIP codes that are not listed. */
const SPREAD = 0.012

/** Offset of a ZIP code from a listed one, from its last two digits: less than five miles. */
const spread = ({ lat, lng }: Point, zip: string): Point => ({
  lat: lat + (Number(zip[3]) - 4.5) * SPREAD,
  lng: lng + (Number(zip[4]) - 4.5) * SPREAD,
})

/** The approximate location of a ZIP code, around the listed town; undefined for an unassigned one. */
export function pointOfZip(world: World, zip: string): Point | undefined {
  const town = townOfZip(world, zip)
  return town && town.zip !== zip ? spread(town, zip) : town
}

/** The listed town whose ZIP code is nearest in number, of those with the same first three digits. */
function townOfZip(world: World, zip: string): Town | undefined {
  const prefix = isMagicZip(zip) ? PHOENIX.zip.slice(0, 3) : zip.slice(0, 3)
  const towns = world.services.catalogue.towns().get(prefix)?.towns ?? []
  const off = (town: Town) => Math.abs(Number(town.zip) - Number(zip))
  return towns.toSorted((a, b) => off(a) - off(b))[0]
}

/** First and last ZIP prefix of each state; gaps are unassigned. Common US postal geography. */
const ranges =
  '005 NY 005|006 PR 007|008 VI 008|009 PR 009|010 MA 027|028 RI 029|030 NH 038|039 ME 049|050 VT 054|055 MA 055|056 VT 059|060 CT 069|070 NJ 089|' +
  '100 NY 149|150 PA 196|197 DE 199|200 DC 200|201 VA 201|202 DC 205|206 MD 219|220 VA 246|247 WV 268|270 NC 289|290 SC 299|' +
  '300 GA 319|320 FL 349|350 AL 369|370 TN 385|386 MS 397|398 GA 399|400 KY 427|430 OH 459|460 IN 479|480 MI 499|500 IA 528|' +
  '530 WI 549|550 MN 567|570 SD 577|580 ND 588|590 MT 599|600 IL 629|630 MO 658|660 KS 679|680 NE 693|700 LA 714|716 AR 729|' +
  '730 OK 732|733 TX 733|734 OK 749|750 TX 799|800 CO 816|820 WY 831|832 ID 838|840 UT 847|850 AZ 865|870 NM 884|885 TX 885|889 NV 898|900 CA 961|' +
  '967 HI 968|970 OR 979|980 WA 994|995 AK 999'

/** The states of a time zone, and the ZIP prefixes of other states that are in it, at least for the most part. */
const zones = byName<string>({
  'America/New_York':
    'NY MA RI NH ME VT CT NJ PA DE DC VA MD WV NC SC GA FL KY OH MI 373 374 376 377 378 379',
  'America/Chicago':
    'AL TN MS IA WI MN SD ND IL MO KS NE LA AR OK TX 324 325 420 421 422 423 424 463 464 476 477',
  'America/Denver': 'MT CO WY ID UT NM 577 586 693 798 799 885',
  'America/Los_Angeles': 'NV CA OR WA 835 838',
  'America/Phoenix': 'AZ',
  'America/Boise': '979',
  'America/Indiana/Indianapolis': 'IN',
  'America/Anchorage': 'AK',
  'Pacific/Honolulu': 'HI',
  'America/Puerto_Rico': 'PR VI',
})

/** Unassigned ZIP codes with an effect; they get the location of the sandbox's sample addresses. */
const isMagicZip = (zip: string): boolean => /^00[1-4]/.test(zip)

/** The state of a ZIP code; undefined for an unassigned one. */
export const stateOfZip = (zip: string): string | undefined => (isMagicZip(zip) ? 'AZ' : assignedState(zip))

/** The time zone of a ZIP code; that of New York for an unassigned one. */
export function zoneOfZip(zip: string): string {
  const state = assignedState(zip)
  const has = (name: string | undefined) => (zone: string) =>
    name !== undefined && zones[zone]?.split(' ').includes(name)
  const all = Object.keys(zones)
  return all.find(has(zip.slice(0, 3))) ?? all.find(has(state)) ?? 'America/New_York'
}

const assignedState = (zip: string): string | undefined => {
  const prefix = zip.slice(0, 3)
  return states().find(({ from, to }) => prefix >= from && prefix <= to)?.state
}

const states = once(() =>
  ranges.split('|').map((range) => {
    const [from = '', state = '', to = ''] = range.split(' ')
    return { from, to, state }
  }),
)
