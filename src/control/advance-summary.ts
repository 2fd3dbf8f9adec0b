import { isSuccess } from '../kernel/http-call.ts'
import { countsOf } from '../kernel/list.ts'
import { plural } from '../kernel/readable.ts'
import { orderScenarios } from '../scenarios/table.ts'
import type { Effect } from '../scheduler/job.ts'
import type { World } from '../world/world.ts'

/** Words for the things that orders wait for. */
const waits = { registration: 'registration', appointment: 'an appointment' } as const

/** The orders that wait after an advance, and the failures in it: `1 order waits for registration`. */
export function summarizeAdvance(world: World, effects: readonly Effect[]): string[] {
  return [...waitingOrders(world), ...failedDeliveries(effects), ...failedJobs(effects)]
}

function* waitingOrders(world: World): Generator<string> {
  for (const [what, words] of Object.entries(waits)) {
    const count = world.db.idsBy(orderScenarios, 'waits', what).length
    if (count > 0) yield `${plural(count, 'order waits', 'orders wait')} for ${words}`
  }
}

/** Deliveries that were not accepted, by reason. */
function* failedDeliveries(effects: readonly Effect[]): Generator<string> {
  const reasons = effects
    .filter(({ kind, status }) => kind === 'delivery' && !isSuccess(status))
    .map(({ detail }) => detail)
  for (const [reason, count] of countsOf(reasons))
    yield `${plural(count, 'delivery', 'deliveries')} failed: ${reason}`
}

/** Jobs that threw, by error. */
function* failedJobs(effects: readonly Effect[]): Generator<string> {
  const failed = effects.filter(({ kind }) => kind === 'bug').map(({ detail }) => detail)
  for (const [detail, count] of countsOf(failed)) yield `${plural(count, 'job')} failed: ${detail}`
}
