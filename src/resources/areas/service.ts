import type { Parsed } from '../../api/schema.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import type { billingTypes, LabSeed } from '../catalogue/schema.ts'
import type { Capability, PhlebotomyAreaSeed, Point, PscSiteSeed } from '../catalogue/service.ts'
import { getLinkedLabAccount } from '../lab-accounts/service.ts'
import { milesBetween, spread } from './distances.ts'
import { madeUpSite, madeUpSites } from './made-up-sites.ts'
import { type AreaInfo, type AreaQuery, centralLabs, type LabLocation, type PscInfo } from './schema.ts'

type CentralLab = (typeof centralLabs)[number]
type BillType = (typeof billingTypes)[number]

/** Source: contract/lab-testing.md §12. */
const MOST_SITES = 30

/** What each laboratory's sites bill. Source: contract/lab-testing.md §12. */
const billTypes: Readonly<Record<CentralLab, readonly BillType[]>> = {
  quest: ['client_bill', 'commercial_insurance', 'patient_bill'],
  labcorp: ['client_bill', 'commercial_insurance', 'patient_bill'],
  bioreference: ['patient_bill_passthrough'],
  sonora_quest: ['client_bill'],
}

/** Laboratories whose appointments the service books. */
export const bookableLabs = ['quest', 'sonora_quest'] as const
const isBookable = (slug: string) => (bookableLabs as readonly string[]).includes(slug)
const isCentral = (slug: string): slug is CentralLab => (centralLabs as readonly string[]).includes(slug)

export interface SiteNearby {
  readonly site: PscSiteSeed
  /** Miles. */
  readonly distance: number
}

export interface SiteSearch {
  readonly lab: string
  readonly zip: string
  /** Miles; everywhere unless said. */
  readonly radius?: number
  /** All of which a site must have. */
  readonly capabilities?: readonly Capability[] | null
}

/** Open sites of a laboratory around a ZIP code, the nearest first. */
export function sitesNear(world: World, search: SiteSearch): SiteNearby[] {
  const { lab, zip, radius = Number.POSITIVE_INFINITY, capabilities } = search
  const here = placeOfZip(world, zip)
  if (!here) return []
  const { catalogue } = world.parts
  const measured = (site: PscSiteSeed) => ({ site, distance: milesBetween(here, site) })
  const seeded = [...catalogue.pscSites().values()]
    .filter((site) => site.lab === lab && site.is_active)
    .map(measured)
  const isFar = seeded.every(({ distance }) => distance > FAR_MILES)
  return [...seeded, ...(isFar ? madeUpSites(world, lab, zip).map(measured) : [])]
    .filter(({ site }) => (capabilities ?? []).every((one) => site.capabilities.includes(one)))
    .filter(({ distance }) => distance <= radius)
    .sort((a, b) => a.distance - b.distance)
}

/** Where the seeds have no site nearer than this, some are made up. */
const FAR_MILES = 50

/** The site of a laboratory with this code, open or closed. */
export const findSite = (world: World, lab: string, code: string): PscSiteSeed | undefined =>
  world.parts.catalogue.pscSites().get(`${lab}/${code}`) ?? madeUpSite(world, lab, code)

/** About where a ZIP code is; undefined for one that nobody has. */
export function placeOfZip({ parts: { catalogue } }: World, zipCode: string): Point | undefined {
  const zip = zipCode.slice(0, 5)
  const known = catalogue.phlebotomyAreas().get(zip) ?? catalogue.zipPlaces().get(zip)
  if (known) return known
  for (const site of catalogue.pscSites().values()) if (site.zip_code === zip) return site
  const around = catalogue.zipPlaces().get(zip.slice(0, 3))
  return around && spread(around, zip)
}

/** Who draws blood at home around a ZIP code. */
export const phlebotomyArea = (world: World, zip: string): PhlebotomyAreaSeed | undefined =>
  world.parts.catalogue.phlebotomyAreas().get(zip.slice(0, 5))

/** What is offered around a ZIP code. Source: contract/lab-testing.md §12. */
export function describeArea(world: World, query: Parsed<typeof AreaQuery>): Parsed<typeof AreaInfo> {
  const { zip_code, radius, lab_account_id } = query
  const account = lab_account_id ? getLinkedLabAccount(world, lab_account_id) : undefined
  const area = phlebotomyArea(world, zip_code)
  const providers = area
    ? [{ name: area.provider, service_types: area.service_types, tier: area.service_types }]
    : []
  const labs = centralLabs.map((slug) => {
    const sites = sitesNear(world, { lab: slug, zip: zip_code, radius: Number(radius) })
    const offered = new Set(sites.flatMap(({ site }) => site.capabilities))
    const described = {
      lab_id: world.parts.catalogue.labs().get(slug)?.id ?? 0,
      patient_service_centers: {
        appointment_with_vital: isBookable(slug),
        within_radius: sites.length,
        radius,
        capabilities: [...offered],
      },
      supported_bill_types: account?.lab === slug ? accountBilling(account) : [...billTypes[slug]],
    }
    return [slug, described] as const
  })
  return {
    zip_code,
    phlebotomy: { is_served: area !== undefined, providers },
    central_labs: Object.fromEntries(labs),
  }
}

export interface PscSearch {
  readonly lab: LabSeed | undefined
  readonly zip: string
  readonly radius: string
  readonly capabilities: readonly Capability[] | null
  readonly labAccountId?: string | null | undefined
}

/** A laboratory's sites around a ZIP code. Source: contract/lab-testing.md §12. */
export function describeSites(world: World, search: PscSearch): Parsed<typeof PscInfo> {
  const { lab, zip, radius, capabilities, labAccountId } = search
  if (!lab) throw new Problem('not_found', 'Lab not found.')
  const { slug } = lab
  if (!isCentral(slug)) throw new Problem('not_found', 'Lab not supported for PSC info.')
  const account = labAccountId ? getLinkedLabAccount(world, labAccountId) : undefined
  if (account && account.lab !== slug) {
    throw new Problem('bad_request', `Lab account is not associated with lab ${slug}`)
  }
  const billing = account ? accountBilling(account) : [...billTypes[slug]]
  const sites = sitesNear(world, { lab: slug, zip, radius: Number(radius), capabilities })
  return {
    lab_id: lab.id,
    slug,
    patient_service_centers: sites.slice(0, MOST_SITES).map((nearby) => presentSite(nearby, billing)),
  }
}

export const findLab = (world: World, id: number): LabSeed | undefined =>
  [...world.parts.catalogue.labs().values()].find((lab) => lab.id === id)

const accountBilling = ({ allowed_billing }: { allowed_billing: Partial<Record<BillType, unknown>> }) =>
  Object.keys(allowed_billing) as BillType[]

function presentSite(
  { site, distance }: SiteNearby,
  supported_bill_types: BillType[],
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
