import type { EventType } from '../../api/resource.ts'
import type { World } from '../../world/world.ts'
import { eventSubject } from '../users/service.ts'
import { MatchReview } from './schema.ts'
import { type UnmatchedResultRow, unmatchedResults } from './table.ts'

export const reviewEvents: readonly EventType[] = [
  { name: 'labtest.match_review.created', data: MatchReview },
  { name: 'labtest.match_review.updated', data: MatchReview },
]

/** Stores a result and announces it if the customer has to act. Source: contract/webhooks.md §4.11. */
export function keepResult(world: World, row: UnmatchedResultRow): UnmatchedResultRow {
  const before = world.db.find(unmatchedResults, row.id)
  world.db.put(unmatchedResults, row)
  world.agenda.record('match_review', { raw_result_id: row.id, status: row.status })
  const isForCustomer = before !== undefined || row.status === 'pending_customer_review'
  if (isForCustomer) announceReview(world, row, before ? 'updated' : 'created')
  return row
}

function announceReview(world: World, row: UnmatchedResultRow, what: 'created' | 'updated'): void {
  const { id, status, decision_code, sub_reason_codes } = row
  const { resolution_action, resolved_user_id, resolved_order_id } = row
  const userId = resolved_user_id ?? onlyUser(row)
  const subject = userId ? eventSubject(world, userId) : { userId: null, clientUserId: null }
  world.emit(`labtest.match_review.${what}`, subject, {
    ...{ id, status, decision_code, sub_reason_codes },
    ...{ resolution_action, resolved_user_id, resolved_order_id },
  })
}

/** The user of a result, if it is certain. */
function onlyUser({ candidate_groups: groups }: UnmatchedResultRow): string | null {
  return groups.length === 1 ? (groups[0]?.user_id ?? null) : null
}
