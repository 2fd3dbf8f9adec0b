import type { World } from '../../world/world.ts'
import type { HomeSeed, Point } from './places.ts'

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

/** The place of a given ZIP code; a magic or unknown one, or one that is not served, counts as Phoenix. */
export function homeAt(world: World, userId: string, zip: string, isServed: (home: Home) => boolean): Home {
  const places = placesOf(world)
  const known =
    places.find((place) => place.zip === zip) ?? places.find((place) => place.zip.startsWith(zip.slice(0, 3)))
  return known && isServed(known) ? { ...homeIn(world, userId, known), zip } : { ...PHOENIX, zip }
}

function drawnHome(world: World, userId: string, places: readonly Place[]): Home {
  const everyone = places.reduce((sum, { people }) => sum + people, 0)
  let left = world.random.noise(`person/${userId}/home`) * everyone
  const place = places.find(({ people }) => {
    left -= people
    return left < 0
  })
  return place ? homeIn(world, userId, place) : PHOENIX
}

/** The home of a user in a place. */
const homeIn = (
  { random }: World,
  userId: string,
  { city, state, zip, areaCode, areaCodes }: Place,
): Home => ({
  city,
  state,
  zip,
  areaCode: random.pick(`person/${userId}/area code`, areaCodes) ?? areaCode,
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

/** Degrees between neighbouring ZIP codes of one prefix; all hundred are within about ten miles. */
const SPREAD = 0.012

/** Offset of a ZIP code from the centre of its prefix, from its last two digits. */
export const spread = ({ lat, lng }: Point, zip: string): Point => ({
  lat: lat + (Number(zip[3]) - 4.5) * SPREAD,
  lng: lng + (Number(zip[4]) - 4.5) * SPREAD,
})

/** The approximate location of a ZIP code; undefined for an unassigned one. */
export function pointOfZip(world: World, zip: string): Point | undefined {
  const places = world.services.catalogue.zipPlaces()
  const around = places.get(zip.slice(0, 3))
  return places.get(zip) ?? (around && spread(around, zip))
}
