import type { Parsed } from '../../api/schema.ts'
import { JsonText } from '../../kernel/json.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import type * as catalogue from '../catalogue/service.ts'
import { getLinkedLabAccount } from '../lab-accounts/service.ts'
import type { ExpectedResult, Marker, MarkerComplete, MarkerPage, MarkerQuery, Pricing } from './schema.ts'

type MarkerList = Parsed<typeof MarkerPage>
type Loinc = NonNullable<catalogue.ExpectedResult['analyte']['loinc']>

/** A marker of a lab test, in wire format. */
export const presentMarker = (marker: catalogue.Marker): Parsed<typeof Marker> => ({
  id: marker.id,
  name: marker.name,
  slug: marker.slug,
  description: marker.description === undefined ? marker.name : marker.description,
  lab_id: marker.lab.id,
  provider_id: marker.provider_id,
  type: marker.type,
  unit: marker.unit,
  price: marker.price,
  aoe: marker.aoe ?? null,
  a_la_carte_enabled: marker.a_la_carte_enabled,
  common_tat_days: marker.common_tat_days,
  worst_case_tat_days: marker.worst_case_tat_days,
  is_orderable: marker.is_orderable,
})

/** A marker with its expected results, in wire format. */
const presentMarkerComplete = (marker: catalogue.Marker): Parsed<typeof MarkerComplete> => ({
  ...presentMarker(marker),
  expected_results: marker.results.map(presentResult),
})

function presentResult({ analyte, ...result }: catalogue.ExpectedResult): Parsed<typeof ExpectedResult> {
  const { loinc } = analyte
  return { ...result, loinc: loinc && presentLoinc(loinc, analyte.unit) }
}

const presentLoinc = ({ id, name, slug, code, unit }: Loinc, ofAnalyte: string | null) => ({
  id,
  name,
  slug,
  code,
  unit: unit === undefined ? ofAnalyte : unit,
})

const pricingOf = (shown: readonly catalogue.Marker[]) => ({
  currency: 'USD' as const,
  data: Object.fromEntries(shown.map((marker) => [marker.id, priceOf(marker)])),
})

/** A marker's price in US cents. */
export const priceOf = ({ price }: catalogue.Marker): Parsed<typeof Pricing> =>
  price === 'N/A'
    ? { unspecified: 'refer_to_contract' }
    : { base_amount_minor: Math.round(Number(price) * 100), modifiers: null }

/** The marker with a laboratory's order code. Throws a 404 if there is none, or if the account is of another laboratory. */
export function getMarker(
  world: World,
  labId: number,
  providerId: string,
  labAccountId?: string | null,
): catalogue.Marker {
  const catalogue = world.services.catalogue
  const accountLab = labAccountId ? getLinkedLabAccount(world, labAccountId).lab : undefined
  const lab = [...catalogue.labs().values()].find(({ id }) => id === labId)
  const marker = lab && catalogue.findMarker(lab.slug, providerId)
  if (!marker || (accountLab !== undefined && lab.slug !== accountLab)) {
    throw new Problem('not_found', 'Marker not found')
  }
  return marker
}

/** A page of orderable markers, serialised once per query. Source: docs/contract/lab-tests.md. */
export function listMarkers(
  world: World,
  { lab_account_id, lab_id, lab_slug, ...query }: Parsed<typeof MarkerQuery>,
): JsonText<MarkerList> {
  const accountLab = lab_account_id ? getLinkedLabAccount(world, lab_account_id).lab : null
  const wanted = {
    accountLab,
    labIds: lab_slug ? null : (lab_id ?? null),
    labSlug: lab_slug ?? null,
    ...query,
  }
  const catalogue = world.services.catalogue
  return catalogue.remember(`markers ${JSON.stringify(wanted)}`, () => {
    const matches = [...catalogue.markers().values()].filter((marker) => isWanted(marker, wanted))
    return new JsonText(JSON.stringify(toPage(matches, query)))
  })
}

interface Wanted {
  readonly accountLab: string | null
  readonly labIds: readonly number[] | null
  readonly labSlug: string | null
  readonly name: string
  readonly a_la_carte_enabled?: boolean | null | undefined
}

function isWanted(marker: catalogue.Marker, wanted: Wanted): boolean {
  const { lab, is_orderable, isReflex, a_la_carte_enabled } = marker
  const { accountLab, labIds, labSlug, a_la_carte_enabled: aLaCarte } = wanted
  return (
    is_orderable &&
    !isReflex &&
    (accountLab === null || lab.slug === accountLab) &&
    (labSlug === null || lab.slug === labSlug) &&
    (labIds === null || labIds.includes(lab.id)) &&
    (typeof aLaCarte !== 'boolean' || a_la_carte_enabled === aLaCarte) &&
    isCalled(marker, wanted.name.trim().toLowerCase())
  )
}

const isCalled = ({ name, provider_id }: catalogue.Marker, part: string) =>
  name.toLowerCase().includes(part) || provider_id.toLowerCase().includes(part)

interface PageInput {
  readonly page: number
  readonly size: number
  readonly include_pricing?: boolean
}

/** One page of markers, with prices on request. */
export function toPage(
  matches: readonly catalogue.Marker[],
  { page, size, include_pricing = false }: PageInput,
): MarkerList {
  const shown = matches.slice((page - 1) * size, page * size)
  return {
    markers: shown.map(presentMarkerComplete),
    total: matches.length,
    page,
    size,
    pages: Math.ceil(matches.length / size),
    pricing: include_pricing ? pricingOf(shown) : undefined,
  }
}
