import { feature } from '../../api/features.ts'
import { invalidValue, valueError } from '../../api/issue.ts'
import { pageAfter } from '../../api/pagination.ts'
import type { EventType } from '../../api/resource.ts'
import type { Parsed } from '../../api/schema.ts'
import { isOneOf } from '../../kernel/compare.ts'
import { omit } from '../../kernel/fields.ts'
import { toWire } from '../../kernel/instant.ts'
import { badRequest, orNotFound, Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { getLabTest } from '../lab-tests/service.ts'
import { isOver } from '../orders/lifecycle.ts'
import { moveByHand, recreateOrder } from '../orders/service.ts'
import { currentStatusOf, methodOf, type OrderRow, orders } from '../orders/table.ts'
import { eventSubject } from '../users/service.ts'
import { users } from '../users/table.ts'
import { makePatient, type Patient, placeForPatient } from './patients.ts'
import {
  type Acceptance,
  MatchReview,
  type NewUnmatchedResultUpdate,
  type Resolution,
  reviewStatuses,
  type UnmatchedResult,
  type UnmatchedResultPage,
  type UnmatchedResultQuery,
  type UnmatchedResultUpdatePage,
  type UnmatchedResultUpdateQuery,
  type UpdateStatus,
} from './schema.ts'
import { type UnmatchedResultRow, unmatchedResults, unmatchedResultUpdates } from './table.ts'

export const reviewEvents: readonly EventType[] = [
  { name: 'labtest.match_review.created', data: MatchReview },
  { name: 'labtest.match_review.updated', data: MatchReview },
]

/** Stores a result and announces it. Source: docs/contract/webhooks.md#events. */
export function keepResult(world: World, row: UnmatchedResultRow): UnmatchedResultRow {
  const isKnown = world.db.has(unmatchedResults, row.id)
  world.db.put(unmatchedResults, row)
  world.agenda.record('match_review', { raw_result_id: row.id, status: row.status })
  announceReview(world, row, isKnown ? 'updated' : 'created')
  return row
}

function announceReview(world: World, row: UnmatchedResultRow, what: 'created' | 'updated'): void {
  const { id, status, decision_code, sub_reason_codes } = row
  const { resolution_action, resolved_user_id, resolved_order_id } = row
  const userId = resolved_user_id ?? onlyUser(row)
  const subject = userId ? eventSubject(world, userId) : { userId: null, clientUserId: null }
  world.emit(`labtest.match_review.${what}`, subject, {
    id,
    status,
    decision_code,
    sub_reason_codes,
    resolution_action,
    resolved_user_id,
    resolved_order_id,
  })
}

/** The user of a result, if it is certain. */
function onlyUser({ candidate_groups: groups }: UnmatchedResultRow): string | null {
  return groups.length === 1 ? (groups[0]?.user_id ?? null) : null
}

/** Throws if the feature is off. Source: docs/contract/unmatched-results.md. */
export function assertEnabled(world: World): void {
  if (feature(world, 'unmatched_results')) return
  throw badRequest('Unmatched results are not enabled for your team')
}

/** Newest first; without a status, all open ones. */
export function listResults(
  world: World,
  query: Parsed<typeof UnmatchedResultQuery>,
): Parsed<typeof UnmatchedResultPage> {
  assertEnabled(world)
  const { limit, next_cursor, ...filter } = query
  const rows = [...world.db.all(unmatchedResults)]
  const matches = (row: UnmatchedResultRow) => isWanted(row, query)
  const { items, nextCursor } = pageAfter(
    {
      of: ['unmatched_results', world.identity.teamId, filter],
      rows,
      idOf: ({ id }) => id,
      keyOf: (row) => row.created_at,
      isWanted: matches,
      order: 'desc',
    },
    next_cursor,
    limit,
  )
  return { data: items.map(presentResult), next_cursor: nextCursor, total: rows.filter(matches).length }
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
  return orNotFound(world.db.find(unmatchedResults, id), 'Unmatched result not found')
}

/** Rejects a result, or hands it to the staff of the service. */
export function resolveResult(
  world: World,
  id: string,
  { action, note }: Parsed<typeof Resolution>,
): UnmatchedResultRow {
  const row = getReviewable(world, id)
  const now = toWire(world.clock.now())
  const to = action === 'reject' ? 'resolved:rejected' : 'pending_ops_review'
  return keepResult(world, {
    ...row,
    ...recordUpdate(world, row, { to, note }),
    status: action === 'reject' ? 'resolved' : 'pending_ops_review',
    resolution_action: action,
    allowed_actions: [],
    reviewed_at: now,
  })
}

/** A result that is with the customer. */
type ReviewableRow = UnmatchedResultRow & { readonly status: (typeof reviewStatuses)[number] }

/** The result, which still is with the customer. */
function getReviewable(world: World, id: string): ReviewableRow {
  const row = getResult(world, id)
  if (isWithCustomer(row)) return row
  throw new Problem('not_found', 'Unmatched result is no longer reviewable')
}

const isWithCustomer = (row: UnmatchedResultRow): row is ReviewableRow => isOneOf(reviewStatuses, row.status)

/** Moves a result between the two statuses that are the customer's, or notes something about it. */
export function updateResult(
  world: World,
  id: string,
  { note, status }: Parsed<typeof NewUnmatchedResultUpdate>,
): UnmatchedResultRow {
  if (note === null && status === null) {
    throw inconsistent('status', 'note or status must be set', null)
  }
  const row = getReviewable(world, id)
  const to = status ?? row.status
  const updated = { ...row, ...recordUpdate(world, row, { to, note }), status: status ?? row.status }
  return updated.status === row.status ? world.db.put(unmatchedResults, updated) : keepResult(world, updated)
}

interface Update {
  readonly to: UpdateStatus
  readonly note: string | null
}

/** Stores an update. Returns the fields of the result that follow from it. */
function recordUpdate(world: World, row: ReviewableRow, { to, note }: Update) {
  const now = toWire(world.clock.now())
  const { actor_id, actor_type } = world.db.put(unmatchedResultUpdates, {
    id: world.newId('unmatched_result_update'),
    raw_result_id: row.id,
    from_status: row.status,
    to_status: to,
    note,
    actor_id: null,
    actor_type: 'api',
    created_at: now,
  })
  return {
    note: note ?? row.note,
    updated_at: now,
    latest_activity_actor_id: actor_id,
    latest_activity_actor_type: actor_type,
    latest_activity_at: now,
  }
}

/** The updates of a result, newest first. */
export function listUpdates(
  world: World,
  id: string,
  { limit, next_cursor }: Parsed<typeof UnmatchedResultUpdateQuery>,
): Parsed<typeof UnmatchedResultUpdatePage> {
  const { items, nextCursor } = pageAfter(
    {
      of: ['unmatched_result_updates', id],
      rows: world.db.by(unmatchedResultUpdates, 'unmatched_result', getResult(world, id).id),
      idOf: (update) => update.id,
      keyOf: (update) => update.created_at,
      order: 'desc',
    },
    next_cursor,
    limit,
  )
  return { data: items.map((update) => omit(update, 'id', 'raw_result_id')), next_cursor: nextCursor }
}

/** A result in wire format. */
export const presentResult = (row: UnmatchedResultRow): Parsed<typeof UnmatchedResult> =>
  omit(row, 'lab_test_id')

/** Assigns a result to an order. Returns the order that has it: this one, its replacement or a new one. */
export function acceptResult(world: World, id: string, body: Parsed<typeof Acceptance>): OrderRow {
  const row = getReviewable(world, id)
  const target = chooseTarget(world, row, body)
  const order = receive(world, row, orderFor(world, row, target))
  const now = toWire(world.clock.now())
  keepResult(world, {
    ...row,
    ...recordUpdate(world, row, { to: 'resolved:accepted', note: body.note }),
    status: 'resolved',
    resolution_action: 'accept',
    resolved_user_id: order.user_id,
    resolved_order_id: order.id,
    allowed_actions: [],
    reviewed_at: now,
  })
  return order
}

type AcceptTarget = { readonly order: OrderRow } | { readonly newFor: string }

function chooseTarget(
  world: World,
  row: UnmatchedResultRow,
  { order_id, user_id }: Parsed<typeof Acceptance>,
): AcceptTarget {
  if (user_id && !world.db.has(users, user_id)) throw inconsistent('user_id', 'User does not exist', user_id)
  if (order_id) {
    const order = world.db.find(orders, order_id)
    if (!order) throw inconsistent('order_id', 'Order does not exist', order_id)
    if (user_id && order.user_id !== user_id) {
      throw inconsistent('order_id', 'Order does not belong to the user', order_id)
    }
    return { order }
  }
  const candidates = row.candidate_groups
    .filter((group) => !user_id || group.user_id === user_id)
    .flatMap((group) => group.candidates.flatMap(({ order_id: id }) => id ?? []))
  const [only, another] = candidates
  const order = only ? world.db.find(orders, only) : undefined
  if (order && !another) return { order }
  if (user_id && !only) return { newFor: user_id }
  throw inconsistent('order_id', 'The target is ambiguous; order_id or user_id must be set', null)
}

const inconsistent = (field: string, text: string, input: unknown): Problem =>
  invalidValue(valueError(text), ['body', field], input)

/** The order for the result; an order that cannot take it, or is at another laboratory, is recreated. */
function orderFor(world: World, row: UnmatchedResultRow, target: AcceptTarget): OrderRow {
  const labTest = getLabTest(world, row.lab_test_id)
  if ('newFor' in target) {
    return placeForPatient(world, target.newFor, row.lab_test_id, patientOf(world, row))
  }
  const { order } = target
  const isElsewhere = order.lab_test.lab?.slug !== row.lab.slug
  return isElsewhere || isOver(currentStatusOf(order)) ? recreateOrder(world, order, labTest) : order
}

/** The patient of a result; missing fields are made up. */
function patientOf(world: World, { id, patient }: UnmatchedResultRow): Patient {
  const madeUp = makePatient(world, world.drawKey('raw_result', id))
  return {
    ...madeUp,
    first_name: patient?.first_name ?? madeUp.first_name,
    last_name: patient?.last_name ?? madeUp.last_name,
    dob: patient?.dob?.slice(0, 10) ?? madeUp.dob,
    gender: patient?.gender === 'male' ? 'male' : 'female',
  }
}

/** Completes the order with the results, from any status. */
function receive(world: World, row: UnmatchedResultRow, order: OrderRow): OrderRow {
  const method = methodOf(order)
  const results = row.interpretation ? { interpretation: row.interpretation } : {}
  const to = row.result_status === 'partial' && method !== 'testkit' ? 'partial_results' : 'completed'
  const isDrawn = method === 'at_home_phlebotomy' || method === 'on_site_collection'
  if (
    isDrawn &&
    currentStatusOf(order) !== 'draw_completed' &&
    currentStatusOf(order) !== 'partial_results'
  ) {
    moveByHand(world, order.id, { to: 'draw_completed' }, true)
  }
  return moveByHand(world, order.id, { to, results }, true)
}
