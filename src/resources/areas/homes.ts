import type { World } from '../../world/world.ts'
import { catalogueOf, type HomeSeed } from '../catalogue/service.ts'

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
  const homes = homesOf(world)
  const own = pickHome(world, userId, homes)
  return isServed(own) ? own : pickHome(world, userId, homes.filter(isServed))
}

function pickHome({ random }: World, userId: string, homes: readonly Homes[]): Home {
  let left = random.noise(`person/${userId}/home`) * homes.reduce((sum, { people }) => sum + people, 0)
  const home = homes.find(({ people }) => {
    left -= people
    return left < 0
  })
  if (!home) return PHOENIX
  const { city, state, zip, areaCode, areaCodes } = home
  return { city, state, zip, areaCode: random.pick(`person/${userId}/area code`, areaCodes) ?? areaCode }
}

/** The place of a given ZIP code; a magic or unknown one, or one that is not served, counts as Phoenix. */
export function homeAt(world: World, userId: string, zip: string, isServed: (home: Home) => boolean): Home {
  const homes = homesOf(world)
  const known =
    homes.find((home) => home.zip === zip) ?? homes.find((home) => home.zip.startsWith(zip.slice(0, 3)))
  if (!known || !isServed(known)) return { ...PHOENIX, zip }
  const { city, state, areaCode, areaCodes } = known
  return {
    city,
    state,
    zip,
    areaCode: world.random.pick(`person/${userId}/area code`, areaCodes) ?? areaCode,
  }
}

interface Homes extends Home {
  readonly areaCodes: HomeSeed['area_codes']
  /** In thousands. */
  readonly people: number
}

const homesOf = (world: World): Homes[] =>
  [...catalogueOf(world).homes().values()].flatMap(({ city, state, zips, area_codes, people }) =>
    zips.map((zip) => ({
      city,
      state,
      zip,
      areaCode: area_codes[0] ?? PHOENIX.areaCode,
      areaCodes: area_codes,
      people: people / zips.length,
    })),
  )
