import { makeCity, makePhone, makeStreet } from '../../kernel/people.ts'
import type { World } from '../../world/world.ts'
import type { PscSiteSeed } from '../catalogue/service.ts'
import { spread } from './distances.ts'
import { regionOf } from './zip-regions.ts'

/** Laboratories that draw blood everywhere, and how the codes of their made-up sites begin. */
const everywhere = { quest: 'QX', labcorp: 'LX' } as const
type Everywhere = keyof typeof everywhere

const CODE = /^(QX|LX)(\d{3})([12])$/
const SITES = ['1', '2'] as const
const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const

/** Sites of a laboratory among the ZIP codes that begin like this one, for where the seeds have none. */
export function madeUpSites(world: World, lab: string, zip: string): PscSiteSeed[] {
  if (!isEverywhere(lab)) return []
  return SITES.flatMap((nth) => makeUp(world, lab, zip.slice(0, 3), nth) ?? [])
}

/** The made-up site of this code; undefined for codes that are none of such a site. */
export function madeUpSite(world: World, lab: string, code: string): PscSiteSeed | undefined {
  const [, start, prefix = '', nth] = CODE.exec(code) ?? []
  if (!isEverywhere(lab) || everywhere[lab] !== start) return undefined
  return makeUp(world, lab, prefix, nth === '1' ? '1' : '2')
}

const isEverywhere = (lab: string): lab is Everywhere => lab in everywhere

function makeUp(
  { random, parts }: World,
  lab: Everywhere,
  prefix: string,
  nth: (typeof SITES)[number],
): PscSiteSeed | undefined {
  const middle = parts.catalogue.zipPlaces().get(prefix)
  const region = regionOf(prefix)
  if (!middle || !region) return undefined
  const zip_code = `${prefix}${nth === '1' ? '44' : '78'}`
  const { lat, lng } = spread(middle, zip_code)
  const site_code = `${everywhere[lab]}${prefix}${nth}`
  return {
    lab,
    site_code,
    name: lab.toUpperCase(),
    first_line: makeStreet(random, site_code),
    second_line: null,
    city: makeCity(random, prefix),
    state: region.state,
    zip_code,
    phone_number: makePhone(random, site_code, '800'),
    fax_number: null,
    hours: Object.fromEntries(WEEKDAYS.map((day) => [day, '07:00-15:00'])),
    website: null,
    lat: Number(lat.toFixed(4)),
    lng: Number(lng.toFixed(4)),
    iana_timezone: region.zone,
    capabilities: [
      lab === 'quest' ? 'appointment_scheduling_via_junction' : 'appointment_scheduling_with_lab',
      ...(nth === '2' ? (['stat'] as const) : []),
    ],
    is_active: true,
  }
}
