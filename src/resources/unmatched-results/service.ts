import { feature } from '../../api/features.ts'
import { pageAfter } from '../../api/pagination.ts'
import type { Parsed } from '../../api/schema.ts'
import { toWire } from '../../kernel/instant.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { keepResult } from './events.ts'
import type { Resolution, UnmatchedResult, UnmatchedResultPage, UnmatchedResultQuery } from './schema.ts'
import { type UnmatchedResultRow, unmatchedResults } from './table.ts'

/** Throws if the feature is off. Source: contract/lab-testing.md §18. */
export function assertEnabled(world: World): void {
  if (feature(world, 'unmatched_results')) return
  throw new Problem('bad_request', 'Unmatched results are not enabled for your team')
}

/** Newest first; without a status, all open ones. */
export function listResults(
  world: World,
  query: Parsed<typeof UnmatchedResultQuery>,
): Parsed<typeof UnmatchedResultPage> {
  assertEnabled(world)
  const matches = [...world.db.all(unmatchedResults)].reverse().filter((row) => isWanted(row, query))
  const { items, nextCursor } = pageAfter(matches, ({ id }) => id, query.next_cursor, query.limit)
  return { data: items.map(presentResult), next_cursor: nextCursor, total: matches.length }
}

function isWanted(row: UnmatchedResultRow, query: Parsed<typeof UnmatchedResultQuery>): boolean {
  const { status, decision_code, lab_slug, created_at_start: start, created_at_end: end } = query
  const day = row.created_at.slice(0, 10)
  return (
    (status ? row.status === status : row.status.startsWith('pending_')) &&
    (!decision_code || row.decision_code === decision_code) &&
    (!lab_slug || row.lab.slug === lab_slug) &&
    (!start || day >= start) &&
    (!end || day <= end) &&
    isAbout(row, query.search_input?.trim().toLowerCase() ?? '')
  )
}

/** Whether a text occurs in the id, the patient, the markers or the candidate orders. */
function isAbout({ id, patient, markers, candidate_groups }: UnmatchedResultRow, part: string): boolean {
  const name = `${patient?.first_name ?? ''} ${patient?.last_name ?? ''}`
  const orderIds = candidate_groups.flatMap(({ candidates }) => candidates.map(({ order_id }) => order_id))
  const markerWords = markers.flatMap((marker) => [marker.name, marker.provider_id])
  return [id, name, ...orderIds, ...markerWords].some((text) => text?.toLowerCase().includes(part))
}

/** The result, or the 404. */
export function getResult(world: World, id: string): UnmatchedResultRow {
  assertEnabled(world)
  const row = world.db.find(unmatchedResults, id)
  if (!row) throw new Problem('not_found', 'Unmatched result not found')
  return row
}

/** Rejects a result, or hands it to the staff of the service. */
export function resolveResult(
  world: World,
  id: string,
  { action, note }: Parsed<typeof Resolution>,
): UnmatchedResultRow {
  const row = getResult(world, id)
  if (!row.allowed_actions.includes(action)) {
    throw new Problem('not_found', 'Unmatched result is no longer reviewable')
  }
  const now = toWire(world.clock.now())
  return keepResult(world, {
    ...row,
    status: action === 'reject' ? 'resolved' : 'pending_ops_review',
    resolution_action: action,
    note: note ?? row.note,
    allowed_actions: [],
    updated_at: now,
    reviewed_at: now,
  })
}

/** A result in wire format. */
export const presentResult = ({
  lab_test_id: _,
  ...result
}: UnmatchedResultRow): Parsed<typeof UnmatchedResult> => result
