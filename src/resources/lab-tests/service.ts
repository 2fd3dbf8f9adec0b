import type { Parsed } from '../../contract/schema.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import type { Marker } from '../catalogue/service.ts'
import { getLinkedLabAccount } from '../lab-accounts/service.ts'
import { presentLab } from '../labs/service.ts'
import { presentMarker, priceOf } from '../markers/service.ts'
import type { LabTest, LabTestFilter, LabTestPage, LabTestPageQuery } from './schema.ts'
import { type LabTestRow, labTests } from './table.ts'

type WireLabTest = Parsed<typeof LabTest>

export const findLabTest = (world: World, id: string): LabTestRow | undefined => world.db.find(labTests, id)

/** The lab test, or the 404; with an account, only if the account's laboratory offers it. */
export function getLabTest(world: World, id: string, labAccountId?: string | null): LabTestRow {
  const lab = labAccountId ? getLinkedLabAccount(world, labAccountId).lab : undefined
  const row = findLabTest(world, id)
  if (!row || (lab !== undefined && row.lab !== lab)) {
    throw new Problem('not_found', 'Lab test does not exist')
  }
  return row
}

/** Its markers; with `reflex`, also those the laboratory may add. Ids the catalogue lacks are left out. */
export function markersOf({ parts }: World, row: LabTestRow, { reflex = false } = {}): Marker[] {
  const known = parts.catalogue.markers()
  const find = (id: number) => known.get(id) ?? []
  const markers = row.marker_ids.flatMap(find)
  return reflex ? [...markers, ...markers.flatMap((marker) => marker.reflex.flatMap(find))] : markers
}

interface Presented {
  /** The row it was made from. */
  readonly from: string
  readonly labTest: WireLabTest
}

const presented = new WeakMap<World, Map<string, Presented>>()

/** A stored lab test as the wire shows it, laboratory and markers in full; made once per change, and not to be altered. */
export function presentLabTest(world: World, row: LabTestRow): WireLabTest {
  const ofWorld = presented.get(world) ?? new Map<string, Presented>()
  presented.set(world, ofWorld)
  const from = world.db.text(labTests, row.id).text
  const known = ofWorld.get(row.id)
  if (known?.from === from) return known.labTest
  const labTest = toLabTest(world, row)
  ofWorld.set(row.id, { from, labTest })
  return labTest
}

function toLabTest(world: World, row: LabTestRow): WireLabTest {
  const { marker_ids: _, created_at: __, updated_at: ___, lab: slug, ...fields } = row
  const markers = markersOf(world, row)
  const lab = world.parts.catalogue.labs().get(slug)
  return {
    ...fields,
    is_active: row.status === 'active',
    lab: lab ? presentLab(lab) : null,
    markers: markers.map(presentMarker),
    is_delegated: false,
    common_tat_days: longest(markers.map(({ common_tat_days }) => common_tat_days)),
    worst_case_tat_days: longest(markers.map(({ worst_case_tat_days }) => worst_case_tat_days)),
  }
}

/** The longest of several turnarounds in days, or null when one is unknown. */
const longest = (days: readonly (number | null)[]): number | null =>
  days.reduce((most, next) => (most === null || next === null ? null : Math.max(most, next)), 0)

/** Lab tests that match, in the order asked for. Source: contract/lab-testing.md §10. */
export function listLabTests(world: World, filter: Parsed<typeof LabTestFilter>): LabTestRow[] {
  const { order_key: key, order_direction } = filter
  const rows = [...world.db.all(labTests)].filter((row) => isWanted(world, row, filter))
  if (key) rows.sort((a, b) => (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0))
  return order_direction === 'desc' ? rows.reverse() : rows
}

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

/** One page of lab tests; the cursor is the last one's id. */
export function pageLabTests(
  world: World,
  query: Parsed<typeof LabTestPageQuery>,
): Parsed<typeof LabTestPage> {
  const { lab_account_id, lab_test_limit, next_cursor, include_pricing } = query
  const lab = lab_account_id ? getLinkedLabAccount(world, lab_account_id).lab : undefined
  const matches = listLabTests(world, query).filter((row) => lab === undefined || row.lab === lab)
  const start = next_cursor ? readCursor(matches, next_cursor) : 0
  const rows = matches.slice(start, start + lab_test_limit)
  const last = rows.at(-1)
  const isMore = start + rows.length < matches.length
  return {
    data: rows.map((row) => presentLabTest(world, row)),
    next_cursor: isMore && last ? Buffer.from(last.id).toString('base64url') : null,
    pricing: include_pricing ? pricingOf(world, rows) : null,
  }
}

function readCursor(matches: readonly LabTestRow[], cursor: string): number {
  const id = Buffer.from(cursor, 'base64url').toString()
  const at = matches.findIndex((row) => row.id === id)
  if (at === -1) throw new Problem('bad_request', 'Invalid cursor')
  return at + 1
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
