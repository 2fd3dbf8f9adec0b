import { makeCity, makePhone, makeStreet } from '../../kernel/people.ts'
import type { World } from '../../world/world.ts'
import type { Capability, Point, PscSiteSeed } from '../catalogue/service.ts'
import { milesBetween, spread } from './distances.ts'
import { regionOf } from './zip-regions.ts'

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
