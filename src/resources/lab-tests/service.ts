import { type FeatureName, feature } from '../../api/features.ts'
import { pageAfter } from '../../api/pagination.ts'
import type { Parsed } from '../../api/schema.ts'
import { compare } from '../../kernel/compare.ts'
import { omit } from '../../kernel/fields.ts'
import { toWire } from '../../kernel/instant.ts'
import { perOwner } from '../../kernel/kept.ts'
import { compact, largest } from '../../kernel/list.ts'
import { badRequest, Problem } from '../../kernel/problem.ts'
import { UPPER_ALPHANUMERIC } from '../../kernel/random.ts'
import type { World } from '../../world/world.ts'
import type { Marker } from '../catalogue/service.ts'
import { getLinkedLabAccount } from '../lab-accounts/service.ts'
import { presentLab } from '../labs/schema.ts'
import { presentMarker, priceOf } from '../markers/service.ts'
import type {
  CollectionInstructions,
  LabTest,
  LabTestFilter,
  LabTestPage,
  LabTestPageQuery,
  OrderedLabTest,
  Promotion,
  PromotionQuery,
  PromotionSource,
} from './schema.ts'
import { isOfTeam, type LabTestRow, labTests, teamSlug } from './table.ts'

type WireLabTest = Parsed<typeof LabTest>

export const findLabTest = (world: World, id: string): LabTestRow | undefined => world.db.find(labTests, id)

/** Throws if one of the lab tests cannot be ordered. */
export function assertActive(ordered: readonly LabTestRow[]): void {
  if (ordered.some(({ status }) => status !== 'active')) throw badRequest('test is not active')
}

/** The lab test. Throws a 404 if there is none, or if the account is of another laboratory. */
export function getLabTest(world: World, id: string, labAccountId?: string | null): LabTestRow {
  const lab = labAccountId ? getLinkedLabAccount(world, labAccountId).lab : undefined
  const row = findLabTest(world, id)
  if (!row || (lab !== undefined && row.lab !== lab)) {
    throw new Problem('not_found', 'Lab test does not exist')
  }
  return row
}

/** Its markers; with `reflex`, also reflex markers. Unknown ids are left out. */
export function markersOf(world: World, row: LabTestRow, { reflex = false } = {}): Marker[] {
  const known = world.services.catalogue.markers()
  const find = (id: number) => known.get(id) ?? []
  const markers = row.marker_ids.flatMap(find)
  return reflex ? [...markers, ...markers.flatMap((marker) => marker.reflex.flatMap(find))] : markers
}

/** A lab test as the wire shows it, with laboratory and markers. Cached per change; do not modify it. */
export const presentLabTest = (world: World, row: LabTestRow): WireLabTest => presenterOf(world)(row)

const presenterOf = perOwner((world: World) => perOwner((row: LabTestRow) => toLabTest(world, row)))

function toLabTest(world: World, row: LabTestRow): WireLabTest {
  const { id, slug, name, sample_type, method, price, status, fasting } = row
  const { auto_generated, has_collection_instructions } = row
  const markers = markersOf(world, row)
  const lab = world.services.catalogue.labs().get(row.lab)
  return {
    id,
    slug,
    name,
    sample_type,
    method,
    price,
    is_active: status === 'active',
    status,
    fasting,
    lab: lab ? presentLab(lab) : null,
    markers: markers.length > 0 ? markers.map(presentMarker) : null,
    is_delegated: false,
    auto_generated,
    source_sandbox_lab_test_id: row.source_sandbox_lab_test_id ?? null,
    has_collection_instructions,
    common_tat_days: longest(markers.map(({ common_tat_days }) => common_tat_days)),
    worst_case_tat_days: longest(markers.map(({ worst_case_tat_days }) => worst_case_tat_days)),
  }
}

/** A lab test as an order shows it. The description is of test kits only. Source: docs/contract/placing.md#orders-for-a-patient. */
export function presentOrderedLabTest(world: World, row: LabTestRow): Parsed<typeof OrderedLabTest> {
  const { id, slug, name, ...labTest } = omit(presentLabTest(world, row), 'source_sandbox_lab_test_id')
  return { id, slug, name, description: row.method === 'testkit' ? row.description : undefined, ...labTest }
}

/** The longest turnaround in days, or null if one is unknown or there is none. */
const longest = (days: readonly (number | null)[]): number | null =>
  days.length === 0 || days.includes(null) ? null : largest(days.map(Number))

/** Lab tests that match the filters, in the requested order. Source: docs/contract/lab-tests.md. */
export function listLabTests(world: World, filter: Parsed<typeof LabTestFilter>): LabTestRow[] {
  const { order_key: key, order_direction } = filter
  const rows = [...world.db.all(labTests)].filter((row) => isWanted(world, row, filter))
  const sorted = sortLabTests(rows, key)
  return order_direction === 'desc' ? sorted.reverse() : sorted
}

const sortLabTests = (rows: LabTestRow[], key: Parsed<typeof LabTestFilter>['order_key']): LabTestRow[] =>
  key ? rows.sort((a, b) => compare(a[key], b[key])) : rows

function isWanted(world: World, row: LabTestRow, filter: Parsed<typeof LabTestFilter>): boolean {
  const { generation_method, lab_slug, collection_method, status, marker_ids, provider_ids, name } = filter
  const providerIds = () => markersOf(world, row).map(({ provider_id }) => provider_id)
  return (
    (generation_method === 'all' || row.auto_generated === (generation_method === 'auto')) &&
    (!lab_slug || row.lab === lab_slug) &&
    (!collection_method || row.method === collection_method) &&
    (!status || row.status === status) &&
    (marker_ids ?? []).every((id) => row.marker_ids.includes(id)) &&
    (provider_ids ?? []).every((id) => providerIds().includes(id)) &&
    row.name.toLowerCase().includes(name?.trim().toLowerCase() ?? '')
  )
}

/** Lab tests in the order of the list that is not paged: the standard ones first, by id. Source: docs/contract/lab-tests.md. */
export function listLabTestsById(world: World, filter: Parsed<typeof LabTestFilter>): LabTestRow[] {
  const rows = listLabTests(world, filter)
  if (filter.order_key) return rows
  const standard = rows.filter((row) => !isOfTeam(row)).sort((a, b) => compare(a.id, b.id))
  return [...standard, ...rows.filter((row) => isOfTeam(row))]
}

/** A lab test for an order that names none: one of the team, whose markers are listed, or a standard one. */
export function anyLabTest(world: World, method: LabTestRow['method']): LabTestRow | undefined {
  const rows = [...world.db.all(labTests)].filter(
    (row) => row.method === method && row.status === 'active' && !row.auto_generated,
  )
  return rows.find((row) => isOfTeam(row)) ?? rows[0]
}

/** One page of lab tests. */
export function pageLabTests(
  world: World,
  query: Parsed<typeof LabTestPageQuery>,
): Parsed<typeof LabTestPage> {
  const { lab_test_limit, next_cursor, include_pricing, ...filter } = query
  const { lab_account_id, order_key: key, order_direction: order } = filter
  const lab = lab_account_id ? getLinkedLabAccount(world, lab_account_id).lab : undefined
  const { items, nextCursor } = pageAfter(
    {
      of: ['lab_tests', world.identity.teamId, filter],
      rows: sortLabTests([...world.db.all(labTests)], key),
      idOf: ({ id }) => id,
      keyOf: (row) => (key ? row[key] : 0),
      isWanted: (row) => (lab === undefined || row.lab === lab) && isWanted(world, row, filter),
      order,
    },
    next_cursor,
    lab_test_limit,
  )
  return {
    data: items.map((row) => presentLabTest(world, row)),
    next_cursor: nextCursor,
    pricing: include_pricing ? pricingOf(world, items) : undefined,
  }
}

const pricingOf = (world: World, rows: readonly LabTestRow[]) => ({
  currency: 'USD' as const,
  data: Object.fromEntries(
    rows.map((row) => {
      const marker_breakdown = Object.fromEntries(
        markersOf(world, row).map((marker) => [marker.id, priceOf(marker)]),
      )
      return [row.id, { pricing: toPricing(row.price), marker_breakdown }]
    }),
  ),
})

const toPricing = (price: number) => ({ base_amount_minor: Math.round(price * 100), modifiers: null })

interface AutoGeneratedInput {
  /** Of one laboratory; at least one. */
  readonly markers: readonly [Marker, ...Marker[]]
  readonly method: LabTestRow['method']
  readonly fasting: boolean
}

/** The generated lab test of a set of markers and a method, created with the first order. Source: docs/contract/placing.md#orders-for-a-patient. */
export function autoGeneratedLabTest(
  world: World,
  { markers, method, fasting }: AutoGeneratedInput,
): LabTestRow {
  const marker_ids = markers.map(({ id }) => id).sort((a, b) => a - b)
  const { lab } = markers[0]
  const key = `lab_test/auto/${lab.slug}/${method}/${marker_ids.join(',')}`
  const id = world.random.uuid(key)
  const known = world.db.find(labTests, id)
  if (known) return known
  const code = world.random.letters(key, UPPER_ALPHANUMERIC, 8)
  const now = toWire(world.clock.now())
  const prices = markers.map(({ price }) => Number(price)).filter((price) => Number.isFinite(price))
  return world.db.put(labTests, {
    id,
    slug: teamSlug(world, code.toLowerCase()),
    name: code,
    description: null,
    method,
    sample_type: lab.sample_types[0] ?? 'serum',
    lab: lab.slug,
    marker_ids,
    price: Math.round(prices.reduce((sum, price) => sum + price, 0) * 100) / 100,
    status: 'active',
    fasting,
    auto_generated: true,
    has_collection_instructions: false,
    created_at: now,
    updated_at: now,
  })
}

export interface MarkerChoice {
  readonly marker_ids?: readonly number[] | null | undefined
  readonly provider_ids?: readonly string[] | null | undefined
}

type Some<Item> = [Item, ...Item[]]

/** The markers with these ids or order codes, each once, at least one. */
export function chooseMarkers(world: World, choice: MarkerChoice, labSlug?: string | null): Some<Marker> {
  const { marker_ids, provider_ids } = choice
  if (marker_ids && provider_ids) {
    throw badRequest('cannot set both marker_ids and provider_ids')
  }
  const markers = marker_ids
    ? [...new Set(marker_ids)].map((id) => markerOfId(world, id, labSlug))
    : markersOfCodes(world, [...new Set(provider_ids ?? [])], labSlug)
  if (!isSome(markers)) throw badRequest('marker_ids or provider_ids must be set')
  return markers
}

const isSome = <Item>(items: Item[]): items is Some<Item> => items.length > 0

function markerOfId(world: World, id: number, labSlug: string | null | undefined): Marker {
  const marker = world.services.catalogue.markers().get(id)
  if (!marker || !canBeOrdered(marker) || (labSlug && marker.lab.slug !== labSlug)) {
    throw badRequest(`Marker ${id} does not exist${labSlug ? ` at lab ${labSlug}` : ''}`)
  }
  return marker
}

/** The laboratory of the order codes: the given one, or the only one that has all of them. */
function markersOfCodes(world: World, codes: string[], labSlug: string | null | undefined): Marker[] {
  const catalogue = world.services.catalogue
  const slugs = labSlug ? [labSlug] : [...catalogue.labs().keys()]
  const found = slugs
    .map((slug) => codes.map((code) => catalogue.findMarker(slug, code)))
    .filter((markers): markers is Marker[] =>
      markers.every((marker) => marker !== undefined && canBeOrdered(marker)),
    )
  if (codes.length === 0) return []
  const [only, another] = found
  if (another) throw badRequest('lab_slug must be set: several labs have these provider_ids')
  if (!only) throw badRequest(`No lab has markers with provider_ids ${codes.join(', ')}`)
  return only
}

const canBeOrdered = ({ is_orderable, isReflex }: Marker) => is_orderable && !isReflex

/** How many markers are measured from one tube. No source has it. */
const MARKERS_PER_TUBE = 5

/** What a phlebotomist needs for a lab test. Source: docs/contract/lab-tests.md. */
export function collectionInstructionsOf(world: World, id: string): Parsed<typeof CollectionInstructions> {
  const row = getLabTest(world, id)
  if (row.method !== 'at_home_phlebotomy')
    throw badRequest('Only lab tests for at-home phlebotomy have collection instructions')
  const name: FeatureName = row.lab === 'labcorp' ? 'approxdraw_labcorp' : 'approxdraw'
  const lab = world.services.catalogue.labs().get(row.lab)
  if (!lab || !feature(world, name))
    throw badRequest(`Collection instructions at ${row.lab} are not enabled for your team`)
  const total_tubes = Math.max(1, Math.ceil(markersOf(world, row).length / MARKERS_PER_TUBE))
  return { total_tubes, lab: presentLab(lab) }
}

/** The lab tests that were made from others. Source: docs/contract/lab-tests.md. */
export function listPromotions(
  world: World,
  { source_sandbox_lab_test_ids: wanted }: Parsed<typeof PromotionQuery>,
): Parsed<typeof Promotion>[] {
  return compact(
    [...world.db.all(labTests)].map(({ id, status, source_sandbox_lab_test_id: source }) =>
      source && (!wanted || wanted.includes(source))
        ? { source_sandbox_lab_test_id: source, production_lab_test_id: id, status }
        : undefined,
    ),
  )
}

/** The body of the call that makes a lab test like this one. */
export function promotionSourceOf(world: World, id: string): Parsed<typeof PromotionSource> {
  const row = getLabTest(world, id)
  return {
    name: row.name,
    description: row.description ?? '',
    method: row.method,
    fasting: row.fasting,
    lab_slug: row.lab,
    provider_ids: markersOf(world, row).map(({ provider_id }) => provider_id),
    source_sandbox_lab_test_id: id,
  }
}
