import { append } from '../../kernel/list.ts'
import { labsWithSites } from '../../resources/areas/schema.ts'
import { zoneOfZip } from '../../resources/catalogue/homes.ts'
import { AreaInfoSeed, PscInfoSeed, PscSiteSeed, pscSiteKey } from '../../resources/catalogue/places.ts'
import { radii } from '../../resources/catalogue/schema.ts'
import type { Catalogue } from '../../resources/catalogue/service.ts'
import type { Replies } from './replies.ts'
import { type LeftOut, listOf, pick, type SeedFile, validRow, type Wire } from './seed-rows.ts'

/** The greatest radius: within it are the nearest sites of all others. */
const RADIUS = '100'

/** Records what is answered about one ZIP code: laboratories, phlebotomists and sites. */
export async function recordPlace(
  replies: Replies,
  zip_code: string,
  bundled: Catalogue,
  leftOut: LeftOut,
): Promise<SeedFile[]> {
  const areas: AreaInfoSeed[] = []
  for (const radius of radii) {
    const reply: Wire = await replies.get(`/v3/order/area/info?zip_code=${zip_code}&radius=${radius}`, {
      mayBeRefused: true,
    })
    if (reply === undefined) {
      leftOut.push(`ZIP code ${zip_code}: the service refuses it`)
      return []
    }
    const row = { zip_code, radius, ...pick(reply, 'phlebotomy', 'central_labs') }
    append(areas, validRow(leftOut, `ZIP code ${zip_code}`, AreaInfoSeed, row))
  }
  const labs = listOf(await replies.get('/v3/lab_tests/labs', { list: '' }))
  const around: PscInfoSeed[] = []
  const sites = new Map<string, PscSiteSeed>()
  for (const lab of labsWithSites) {
    const id = labs.find(({ slug }) => slug === lab)?.id
    if (id === undefined) continue
    const path = `/v3/order/psc/info?zip_code=${zip_code}&lab_id=${id}&radius=${RADIUS}`
    const reply: Wire = await replies.get(path, { list: 'patient_service_centers', mayBeRefused: true })
    if (reply === undefined) continue
    const found = listOf(reply.patient_service_centers).flatMap((center) => {
      const [site] = validRow(leftOut, `site ${center?.site_code}`, PscSiteSeed, toSite(lab, center, bundled))
      if (!site) return []
      sites.set(pscSiteKey(site), site)
      return [pick(center, 'site_code', 'distance', 'supported_bill_types')]
    })
    const row = { zip_code, lab, radius: RADIUS, sites: found }
    append(around, validRow(leftOut, `sites of ${lab} around ${zip_code}`, PscInfoSeed, row))
  }
  return [
    { name: 'area-info', rows: areas, complete: false },
    { name: 'psc-sites', rows: [...sites.values()], complete: false },
    { name: 'psc-info', rows: around, complete: false },
  ]
}

function toSite(lab: string, center: Wire, bundled: Catalogue) {
  const { site_code, metadata, location, capabilities } = center ?? {}
  const own = bundled.pscSites().get(`${lab}/${site_code}`)
  return {
    ...pick(metadata, 'name', 'first_line', 'second_line', 'city', 'state', 'zip_code'),
    ...pick(metadata, 'phone_number', 'fax_number', 'hours', 'website'),
    ...pick(location, 'lat', 'lng'),
    lab,
    site_code,
    iana_timezone: own?.iana_timezone ?? zoneOfZip(String(metadata?.zip_code)),
    capabilities,
    is_active: true,
  }
}
