import { feature } from '../../api/features.ts'
import type { Parsed } from '../../api/schema.ts'
import { isOneOf } from '../../kernel/compare.ts'
import { compact } from '../../kernel/list.ts'
import { once } from '../../kernel/once.ts'
import { badRequest, Problem } from '../../kernel/problem.ts'
import { isHoliday } from '../../kernel/workdays.ts'
import type { World } from '../../world/world.ts'
import { pointOfZip, stateOfZip, zoneOfZip } from '../catalogue/homes.ts'
import type { AreaInfoSeed, PhlebotomyAreaSeed, Point, PscSiteSeed } from '../catalogue/places.ts'
import { type AreaInfo, type Capability, type LabSeed, radii } from '../catalogue/schema.ts'
import {
  type BillingType,
  billingIn,
  defaultLabAccount,
  getLinkedLabAccount,
} from '../lab-accounts/service.ts'
import type { LabAccountRow } from '../lab-accounts/table.ts'
import {
  type GeneratedSite,
  generatedSite,
  generatedSitesAround,
  milesBetween,
  offeredByQuest,
} from './generated-sites.ts'
import { type AreaQuery, type LabLocation, labsWithSites, type PscInfo } from './schema.ts'

type LabWithSites = (typeof labsWithSites)[number]

/** The places of the laboratories in replies. */
const placeInReply: Record<LabWithSites, number> = { sonora_quest: 0, labcorp: 1, bioreference: 2, quest: 3 }
const replyOrder = labsWithSites.toSorted((a, b) => placeInReply[a] - placeInReply[b])

/** Source: docs/contract/areas.md. */
const MAX_SITES = 30

const ZIP_DIGITS = 5

/** Laboratories whose appointments the service books. */
export const bookableLabs = ['quest', 'sonora_quest'] as const
const isBookable = (slug: string) => isOneOf(bookableLabs, slug)
const hasSites = (slug: string): slug is LabWithSites => isOneOf(labsWithSites, slug)

export interface SiteNearby {
  readonly site: PscSiteSeed
  /** Miles. */
  readonly distance: number
  /** The billing types there, where they are in the seeds. */
  readonly billing?: readonly BillingType[] | undefined
}

interface SiteSearch {
  readonly lab: string
  readonly zip: string
  /** Miles; unlimited by default. */
  readonly radius?: number
  /** Capabilities a site must have. */
  readonly capabilities?: readonly Capability[] | null
}

type NearbySpot = GeneratedSite & Pick<SiteNearby, 'billing'>

/** The open sites of a laboratory around a ZIP code, nearest first; each is generated on demand. */
function openSitesNear(world: World, search: SiteSearch): NearbySpot[] {
  const { lab, zip, radius = Number.POSITIVE_INFINITY, capabilities } = search
  const listed = listedSites(world, search)
  if (listed) return listed
  const here = placeOfZip(world, zip)
  if (!here) return []
  const seeded = compact([...world.services.catalogue.pscSites().values()].map((site) => siteOf(lab, site)))
    .filter((site) => site.is_active)
    .map((site) => ({
      distance: milesBetween(here, site),
      capabilities: site.capabilities,
      make: () => site,
    }))
    .filter(({ distance }) => distance < radius)
  return [...seeded, ...generatedSitesAround(world, lab, here, radius)]
    .filter((spot) => (capabilities ?? []).every((one) => spot.capabilities.includes(one)))
    .sort((a, b) => a.distance - b.distance)
}

/** The sites that the seeds list around a ZIP code; undefined if they list none within this radius. */
function listedSites(world: World, search: SiteSearch): NearbySpot[] | undefined {
  const { lab, zip, radius = Number.POSITIVE_INFINITY, capabilities } = search
  const catalogue = world.services.catalogue
  const row = catalogue.pscInfo().get(`${lab}/${zip.slice(0, ZIP_DIGITS)}`)
  if (!row || (radius > Number(row.radius) && radius !== Number.POSITIVE_INFINITY)) return undefined
  return row.sites.flatMap(({ site_code, distance, supported_bill_types: billing }) => {
    const site = catalogue.pscSites().get(`${lab}/${site_code}`)
    const isWanted =
      site && distance < radius && (capabilities ?? []).every((one) => site.capabilities.includes(one))
    return isWanted ? [{ distance, capabilities: site.capabilities, make: () => site, billing }] : []
  })
}

/** The nearest open sites of a laboratory around a ZIP code. */
export const sitesNear = (world: World, search: SiteSearch, most = MAX_SITES): SiteNearby[] =>
  openSitesNear(world, search)
    .slice(0, most)
    .map(({ distance, make, billing }) => ({ distance, site: make(), billing }))

/** Local hours of a day, with fraction. */
export type OpenHours = readonly [from: number, to: number]

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const

/** When a site is open on a date: as its hours say, and not on holidays. */
export function openHours({ hours }: PscSiteSeed, date: string): readonly OpenHours[] {
  const weekday = WEEKDAYS[new Date(date).getUTCDay()] ?? 'Sun'
  const text = isHoliday(date) ? '' : (hours?.[weekday] ?? '')
  const times = [...text.matchAll(/(\d+):(\d+) ?([AP])M/g)].map(
    ([, hour, minute, half]) => (Number(hour) % 12) + Number(minute) / 60 + (half === 'P' ? 12 : 0),
  )
  return times.flatMap((from, at) => (at % 2 === 0 ? [[from, times[at + 1] ?? from] as const] : []))
}

/** When the nearest of a laboratory's sites that is open on a date is open; undefined if the nearest ones are closed. */
export function hoursNear(
  world: World,
  search: SiteSearch,
  most: number,
): (date: string) => readonly OpenHours[] | undefined {
  const nearest = once(() => openSitesNear(world, search).slice(0, most))
  return (date) => {
    for (const { make } of nearest()) {
      const hours = openHours(make(), date)
      if (hours.length > 0) return hours
    }
    return undefined
  }
}

/** The site of a laboratory with this code, open or closed. */
export function findSite(world: World, lab: string, code: string): PscSiteSeed | undefined {
  const sites = world.services.catalogue.pscSites()
  const seeded = sites.get(`${lab}/${code}`) ?? sites.get(`sonora_quest/${code}`)
  return (seeded && siteOf(lab, seeded)) ?? generatedSite(world, lab, code)
}

/** The site if it is of this laboratory. In Arizona, Quest offers the sites of Sonora Quest under the same codes. */
function siteOf(lab: string, site: PscSiteSeed): PscSiteSeed | undefined {
  if (site.lab === lab) return site
  return lab === 'quest' && site.lab === 'sonora_quest' ? offeredByQuest(site) : undefined
}

/** The approximate location of a ZIP code; undefined for an unassigned one. */
export function placeOfZip(world: World, zipCode: string): Point | undefined {
  const catalogue = world.services.catalogue
  const zip = zipCode.slice(0, 5)
  const known = catalogue.phlebotomyAreas().get(zip)
  if (known) return known
  for (const site of catalogue.pscSites().values()) if (site.zip_code === zip) return site
  return pointOfZip(world, zip)
}

/** Providers of home visits around a ZIP code. */
function phlebotomyArea(world: World, zip: string): PhlebotomyAreaSeed | undefined {
  const catalogue = world.services.catalogue
  const zip_code = zip.slice(0, ZIP_DIGITS)
  const known = catalogue.phlebotomyAreas().get(zip_code)
  const info = radii.map((radius) => catalogue.areaInfo().get(`${zip_code}/${radius}`)).find(Boolean)
  if (!info) return known
  const place = known ?? placeOfZip(world, zip_code)
  const [provider] = compact(
    info.phlebotomy.providers.map(
      ({ name, service_types }) =>
        (name === 'getlabs' || name === 'phlebfinders') &&
        service_types.length > 0 && { name, service_types },
    ),
  )
  if (!provider || !place) return undefined
  return {
    zip_code,
    provider: provider.name,
    service_types: provider.service_types,
    street: known?.street ?? null,
    lat: place.lat,
    lng: place.lng,
    iana_timezone: known?.iana_timezone ?? zoneOfZip(zip_code),
  }
}

/** The ZIP codes in which the live sandbox has visits at home. Source: docs/contract/README.md. */
const SANDBOX_VISITS = new Set(['85004', '54650'])

/** The provider whose visits at home can be booked at a ZIP code. */
export const visitArea = (world: World, zip: string): PhlebotomyAreaSeed | undefined =>
  feature(world, 'home_visits') === 'everywhere' || SANDBOX_VISITS.has(zip.slice(0, ZIP_DIGITS))
    ? phlebotomyArea(world, zip)
    : undefined

/** The services around a ZIP code, and the laboratories that accept orders from there. Source: docs/contract/areas.md. */
export function describeArea(world: World, query: Parsed<typeof AreaQuery>): Parsed<typeof AreaInfo> {
  const { radius, lab_account_id } = query
  const zip_code = query.zip_code.slice(0, ZIP_DIGITS)
  const account = lab_account_id ? getLinkedLabAccount(world, lab_account_id) : undefined
  const wanted = compact([...(query.labs ?? []), query.lab])
  const listed = world.services.catalogue.areaInfo().get(`${zip_code}/${radius}`)
  if (listed) return listedArea(listed, wanted, account)
  const area = phlebotomyArea(world, zip_code)
  const providers = area ? [{ name: area.provider, service_types: area.service_types }] : []
  const labs = replyOrder
    .filter((slug) => wanted.length === 0 || wanted.includes(slug))
    .flatMap((slug) => {
      const supported_bill_types = billingAround(world, slug, zip_code, account)
      if (supported_bill_types.length === 0) return []
      const sites = openSitesNear(world, { lab: slug, zip: zip_code, radius: Number(radius) })
      const described = {
        patient_service_centers: {
          appointment_with_vital: isBookable(slug),
          within_radius: sites.length,
          radius,
          capabilities: [...new Set(sites.flatMap(({ capabilities }) => capabilities))],
        },
        supported_bill_types,
        lab_id: world.services.catalogue.labs().get(slug)?.id ?? 0,
      }
      return [[slug, described] as const]
    })
  return {
    zip_code,
    phlebotomy: { is_served: area !== undefined, providers },
    central_labs: Object.fromEntries(labs),
  }
}

/** What the seeds say about a ZIP code, for some laboratories or all. A given account decides on its billing types. */
function listedArea(
  { zip_code, phlebotomy, central_labs }: AreaInfoSeed,
  wanted: readonly string[],
  account?: LabAccountRow,
): Parsed<typeof AreaInfo> {
  const state = stateOfZip(zip_code)
  const labs = Object.entries(central_labs)
    .filter(([slug]) => wanted.length === 0 || wanted.includes(slug))
    .map(([slug, lab]) => {
      const isOfAccount = account?.lab === slug && state !== undefined
      return [slug, isOfAccount ? { ...lab, supported_bill_types: billingIn(account, state) } : lab] as const
    })
  return { zip_code, phlebotomy, central_labs: Object.fromEntries(labs) }
}

/** The billing types of an order from a ZIP code, with the given or the default account. */
function billingAround(world: World, lab: LabWithSites, zip: string, named?: LabAccountRow): BillingType[] {
  const account = named?.lab === lab ? named : defaultLabAccount(world, lab)
  const state = stateOfZip(zip)
  return account && state !== undefined ? billingIn(account, state) : []
}

export interface PscSearch {
  readonly lab: LabSeed | undefined
  readonly zip: string
  readonly radius: string
  readonly capabilities: readonly Capability[] | null
  readonly labAccountId?: string | null | undefined
}

/** A laboratory's nearest sites around a ZIP code, without those in whose state nothing can be billed. Source: docs/contract/areas.md. */
export function describeSites(world: World, search: PscSearch): Parsed<typeof PscInfo> {
  const { lab, zip, radius, capabilities, labAccountId } = search
  if (!lab) throw new Problem('not_found', 'Lab not found.')
  const { slug } = lab
  if (!hasSites(slug)) throw new Problem('not_found', 'Lab not supported for PSC info.')
  const account = labAccountId ? getLinkedLabAccount(world, labAccountId) : undefined
  if (account && account.lab !== slug) {
    throw badRequest(`Lab account is not associated with lab ${slug}`)
  }
  const payer = account ?? defaultLabAccount(world, slug)
  const sites = sitesNear(world, { lab: slug, zip, radius: Number(radius), capabilities })
  return {
    lab_id: lab.id,
    slug,
    patient_service_centers: sites.flatMap((nearby) => {
      const listed = account ? undefined : nearby.billing
      const billing = listed ?? (payer ? billingIn(payer, nearby.site.state) : [])
      return billing.length > 0 ? [presentSite(nearby, billing)] : []
    }),
  }
}

export const findLab = (world: World, id: number): LabSeed | undefined =>
  [...world.services.catalogue.labs().values()].find((lab) => lab.id === id)

function presentSite(
  { site, distance }: SiteNearby,
  supported_bill_types: readonly BillingType[],
): Parsed<typeof LabLocation> {
  const { name, state, city, zip_code, first_line, second_line } = site
  const { phone_number, fax_number, hours, website, site_code, lng, lat, capabilities } = site
  return {
    metadata: {
      name,
      state,
      city,
      zip_code,
      first_line,
      second_line,
      phone_number,
      fax_number,
      hours,
      website,
    },
    distance,
    site_code,
    supported_bill_types,
    location: { lng, lat },
    capabilities,
  }
}
