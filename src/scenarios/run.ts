import { orderDelivery } from '../contract/delivery.ts'
import { canMove, type LowStatus, wayTo } from '../resources/orders/lifecycle.ts'
import { methodOf, moveOrder, roadOf, trailOf } from '../resources/orders/service.ts'
import { type OrderRow, orders } from '../resources/orders/table.ts'
import type { Job } from '../world/agenda.ts'
import type { World } from '../world/world.ts'
import { concerns, isBridge } from './check.ts'
import type { Story, StoryStep } from './file.ts'
import { type OrderStory, orderStories } from './table.ts'

/** The stories there are. */
interface Stories {
  ready(): Promise<void> | undefined
  find(world: World, name: string): Story | undefined
}

export const STEP = 'scenarios.step'

type FindStory = (name: string) => Story | undefined

export function beginStory(world: World, orderId: string, story: Story, from = 0): void {
  const order = world.db.get(orders, orderId)
  if (story.webhooks) world.db.put(orderDelivery, { order_id: orderId, rules: story.webhooks })
  else world.db.delete(orderDelivery, orderId)
  schedule(world, order, story, { order_id: orderId, story: story.name, next: from })
}

/** Something the story was waiting for has happened. */
export function goOn(world: World, orderId: string, findStory: FindStory): void {
  const row = world.db.find(orderStories, orderId)
  const story = row?.waits && !row.left ? findStory(row.story) : undefined
  if (!row || !story) return
  const { waits: _, ...rest } = row
  schedule(world, world.db.get(orders, orderId), story, { ...rest, next: row.next + 1 })
}

/** The order goes its own way; what is left of the story is written down as dropped. */
export function leaveStory(world: World, orderId: string, because: string, findStory: FindStory): void {
  const row = world.db.find(orderStories, orderId)
  const story = row && !row.left ? findStory(row.story) : undefined
  if (!row || !story) return
  const dropped = remaining(world.db.get(orders, orderId), story, row.next).map((step) =>
    step.kind === 'await' ? 'registered' : step.step.to,
  )
  world.agenda.remove(STEP, orderId)
  world.db.put(orderStories, { ...row, left: { because, dropped } })
  if (dropped.length > 0) world.agenda.record('story_left', { order_id: orderId, detail: because, dropped })
}

const remaining = (order: OrderRow, story: Story, from: number): StoryStep[] =>
  story.steps.slice(from).filter((step) => concerns(step, roadOf(order)))

/** The job that an order's next step is due. Waits for the gallery, should it be the first to need it. */
export const storyJobs = (stories: Stories) => ({
  [STEP](world: World, { subject }: Job): void | Promise<void> {
    const take = () => takeStep(world, subject, (name) => stories.find(world, name))
    return stories.ready()?.then(take) ?? take()
  },
})

function takeStep(world: World, orderId: string, findStory: FindStory): void {
  const row = world.db.find(orderStories, orderId)
  const story = row && !row.left ? findStory(row.story) : undefined
  const step = story?.steps[row?.next ?? -1]
  if (!row || !story || step?.kind !== 'move') return
  let order = world.db.get(orders, orderId)
  for (const to of wayOf(order, step.step.to)) {
    order = moveOrder(world, order, to === step.step.to ? step.step : { to })
  }
  schedule(world, order, story, { ...row, next: row.next + 1 })
}

/** One step, or several when the kit was registered earlier than the story tells; none when it is already there. */
function wayOf(order: OrderRow, to: LowStatus): LowStatus[] {
  const road = roadOf(order)
  const trail = trailOf(order)
  if (canMove(road, trail, to)) return [to]
  if (to === 'requisition_created' && trail.includes(to)) return []
  return wayTo(road, trail, to, isBridge) ?? []
}

/** Writes down how far the order has come and when it goes on. */
function schedule(world: World, order: OrderRow, story: Story, row: OrderStory): void {
  const road = roadOf(order)
  const registered = trailOf(order).includes('registered')
  let next = row.next
  for (let step = story.steps[next]; step; step = story.steps[++next]) {
    if (!concerns(step, road) || (step.kind === 'await' && registered)) continue
    if (step.kind === 'await') {
      world.db.put(orderStories, { ...row, next, waits: step.what })
      return
    }
    world.db.put(orderStories, { ...row, next })
    const due = world.clock.now() + world.paced(step.afterMs)
    world.agenda.add({ due, kind: STEP, subject: order.id, paced: true })
    return
  }
  world.db.put(orderStories, { ...row, next })
}

/** The step from which an order can take up a story where it stands; undefined when there is none. */
export function placeInStory(order: OrderRow, story: Story, from?: string): number | undefined {
  if (story.method !== methodOf(order) && story.steps.length > 0) return undefined
  const road = roadOf(order)
  const trail = trailOf(order)
  const reaches = (step: StoryStep) => {
    if (!concerns(step, road)) return false
    const to = step.kind === 'await' ? 'registered' : step.step.to
    return canMove(road, trail, to)
  }
  if (story.steps.length === 0) return 0
  const wanted = story.steps.findIndex(
    (step) => reaches(step) && (from === undefined || (step.kind === 'move' && step.step.to === from)),
  )
  return wanted === -1 ? undefined : wanted
}
