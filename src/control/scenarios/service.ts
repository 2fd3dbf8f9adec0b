import { toIso } from '../../kernel/instant.ts'
import { Problem } from '../../kernel/problem.ts'
import { dotted, legalMoves, readStatus, roadsOf } from '../../resources/orders/lifecycle.ts'
import { getOrder, methodOf, roadOf, trailOf } from '../../resources/orders/service.ts'
import type { OrderRow } from '../../resources/orders/table.ts'
import { trailOfStory } from '../../scenarios/check.ts'
import type { ScenarioTeller } from '../../scenarios/engine.ts'
import type { Story } from '../../scenarios/file.ts'
import { beginStory, placeInStory, STEP } from '../../scenarios/run.ts'
import { orderStories } from '../../scenarios/table.ts'
import type { World } from '../../world/world.ts'

export const summarise = (world: World, teller: ScenarioTeller, { name, summary, method, zip }: Story) => ({
  name,
  summary,
  method,
  zip: zip ?? null,
  uploaded: teller.isUploaded(world, name),
})

export const view = (world: World, teller: ScenarioTeller, story: Story) => ({
  ...summarise(world, teller, story),
  trails: Object.fromEntries(
    roadsOf(story.method).map((road) => [
      road,
      trailOfStory(story, road).map(({ low, afterMs, detail }) => ({
        status: dotted(story.method, low),
        status_detail: detail,
        after_ms: afterMs,
      })),
    ]),
  ),
  source: story.source,
})

export function describeOrderScenario(world: World, teller: ScenarioTeller, orderId: string) {
  const order = getOrder(world, orderId)
  const row = world.db.find(orderStories, orderId)
  const step = row && !row.left ? teller.find(world, row.story)?.steps[row.next] : undefined
  const due = world.agenda.find(STEP, orderId)?.due
  return {
    order_id: orderId,
    scenario: row?.story ?? null,
    next: step?.kind === 'move' ? dotted(methodOf(order), step.step.to) : null,
    next_due: due === undefined ? null : toIso(due),
    waits_for: row?.waits ?? null,
    left_because: row?.left?.because ?? null,
    dropped: [...(row?.left?.dropped ?? [])],
  }
}

interface Wish {
  readonly scenario: string
  readonly from?: string | undefined
}

export function putIntoStory(
  world: World,
  teller: ScenarioTeller,
  orderId: string,
  { scenario, from }: Wish,
): void {
  const order = getOrder(world, orderId)
  const story = teller.get(world, scenario)
  const read = from === undefined ? undefined : readStatus(from)
  if (from !== undefined && !read) throw new Problem('bad_request', `"${from}" is no status of an order.`)
  if (read?.method && read.method !== methodOf(order)) {
    throw new Problem('bad_request', `"${from}" is no status of ${methodOf(order)}.`)
  }
  const at = placeInStory(order, story, read?.low)
  if (at === undefined) throw unreachable(order, story)
  world.parts.stories.leave(world, orderId, `the order was put into ${story.name}`)
  world.agenda.remove(STEP, orderId)
  beginStory(world, orderId, story, at)
}

function unreachable(order: OrderRow, story: Story): Problem {
  const legal = legalMoves(roadOf(order), trailOf(order)).map((low) => dotted(methodOf(order), low))
  const detail = `The order is ${order.last_event.status}, from where ${story.name} cannot be taken up.`
  return new Problem('conflict', detail, { also: { legal } })
}
