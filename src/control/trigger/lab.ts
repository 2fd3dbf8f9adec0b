import { Problem } from '../../kernel/problem.ts'
import { appointments } from '../../resources/appointments/table.ts'
import { announceCritical } from '../../resources/orders/events.ts'
import { getOrder } from '../../resources/orders/service.ts'
import { presentJob } from '../../resources/report-parser/events.ts'
import { getJob } from '../../resources/report-parser/service.ts'
import { unmatchedResults } from '../../resources/unmatched-results/table.ts'
import type { World } from '../../world/world.ts'
import { bodiesOf } from './captured-events.ts'

/** The object of an event, its user, and its body. */
export interface About {
  readonly userId: string | null
  readonly orderId?: string
  readonly body: unknown
}

export function orderBody(world: World, eventType: string, orderId: string): About {
  const order = getOrder(world, orderId)
  const about = { userId: order.user_id, orderId }
  if (eventType !== 'labtest.result.critical') return { ...about, body: order }
  const status = order.last_event.status.endsWith('.partial_results') ? 'partial' : 'final'
  const [body] = bodiesOf(world, (listening) => announceCritical(listening, order, status))
  return { ...about, body }
}

export function appointmentBody(
  world: World,
  {
    appointmentId,
    orderId,
  }: { readonly appointmentId: string | undefined; readonly orderId: string | undefined },
): About {
  const row =
    appointmentId === undefined
      ? world.db.by(appointments, 'orderId', getOrder(world, orderId ?? '').id).at(-1)
      : world.db.find(appointments, appointmentId)
  if (!row) {
    const whose =
      appointmentId === undefined ? `The order ${orderId} has no appointment` : 'No such appointment'
    throw new Problem('not_found', `${whose}; book one first.`)
  }
  return { userId: row.user_id, orderId: row.order_id, body: row }
}

export function jobBody(world: World, jobId: string): About {
  const job = getJob(world, jobId)
  return { userId: job.user_id, body: presentJob(job) }
}

export function reviewBody(world: World, rawResultId: string): About {
  const row = world.db.find(unmatchedResults, rawResultId)
  if (!row) throw new Problem('not_found', `There is no unmatched result ${rawResultId}.`)
  const { id, status, decision_code, sub_reason_codes } = row
  const { resolution_action, resolved_user_id, resolved_order_id, candidate_groups: groups } = row
  const onlyUser = groups.length === 1 ? (groups[0]?.user_id ?? null) : null
  const body = {
    ...{ id, status, decision_code, sub_reason_codes },
    ...{ resolution_action, resolved_user_id, resolved_order_id },
  }
  return { userId: resolved_user_id ?? onlyUser, body }
}
