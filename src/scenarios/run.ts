import { orderDelivery } from '../api/delivery.ts'
import { armFaultsOfOrder } from '../faults/model.ts'
import { canMove, type LowStatus, wayTo } from '../resources/orders/lifecycle.ts'
import { methodOf, moveOrder, roadOf, type Step, trailOf } from '../resources/orders/service.ts'
import { type OrderRow, orders } from '../resources/orders/table.ts'
import type { Job } from '../scheduler/agenda.ts'
import type { World } from '../world/world.ts'
import { appointmentVerbs } from './appointment-steps.ts'
import { concerns, isBridge, lowsOf } from './check.ts'
import type { Awaited, Story, StoryStep } from './file.ts'
import { type OrderStory, orderStories } from './table.ts'

/** The stories there are. */
interface Stories {
  ready(): Promise<void> | undefined
  find(world: World, name: string): Story | undefined
  begin(world: World, orderId: string, story: string): void
}

export const STEP = 'scenarios.step'
/** A story begins as soon as the stories are there to be read. */
export const BEGIN = 'scenarios.begin'

type FindStory = (name: string) => Story | undefined

export function beginStory(world: World, orderId: string, story: Story, from = 0): void {
  const order = world.db.get(orders, orderId)
  if (story.webhooks) world.db.put(orderDelivery, { order_id: orderId, rules: story.webhooks })
  else world.db.delete(orderDelivery, orderId)
  armFaultsOfOrder(world, orderId, story.faults)
  schedule(world, order, story, { order_id: orderId, story: story.name, next: from })
}

/** Something has happened that the story may be waiting for. */
export function goOn(world: World, orderId: string, what: Awaited, findStory: FindStory): void {
  const row = world.db.find(orderStories, orderId)
  const story = row?.waits === what && !row.left ? findStory(row.story) : undefined
  if (!row || !story) return
  const { waits: _, ...rest } = row
  schedule(world, world.db.get(orders, orderId), story, { ...rest, next: row.next + 1 })
}

/** The order goes its own way; what is left of the story is written down as dropped. */
export function leaveStory(world: World, orderId: string, because: string, findStory: FindStory): void {
  const row = world.db.find(orderStories, orderId)
  const story = row && !row.left ? findStory(row.story) : undefined
  if (!row || !story) return
  const order = world.db.get(orders, orderId)
  const dropped = remaining(order, story, row.next).flatMap((step) => lowsOf(step, story.method) ?? [])
  world.agenda.remove(STEP, orderId)
  world.db.put(orderStories, { ...row, left: { because, dropped } })
  if (dropped.length > 0) world.agenda.record('story_left', { order_id: orderId, detail: because, dropped })
}

const remaining = (order: OrderRow, story: Story, from: number): StoryStep[] =>
  story.steps.slice(from).filter((step) => concerns(step, roadOf(order)))

/** The jobs that an order's story begins, and that its next step is due. They wait for the gallery, should they be the first to need it. */
export const storyJobs = (stories: Stories) => ({
  [STEP](world: World, { subject }: Job): void | Promise<void> {
    const take = () => takeStep(world, subject, (name) => stories.find(world, name))
    return stories.ready()?.then(take) ?? take()
  },
  [BEGIN](world: World, { subject, data }: Job): void | Promise<void> {
    const begin = () => stories.begin(world, subject, (data as { story: string }).story)
    return stories.ready()?.then(begin) ?? begin()
  },
})

function takeStep(world: World, orderId: string, findStory: FindStory): void {
  const row = world.db.find(orderStories, orderId)
  const story = row && !row.left ? findStory(row.story) : undefined
  const step = story?.steps[row?.next ?? -1]
  if (!row || !story || !step || step.kind === 'await') return
  const { next } = row
  world.db.put(orderStories, { ...row, next: next + 1 })
  if (step.kind === 'appointment') appointmentVerbs[step.word].run(world, orderId)
  else move(world, orderId, step.step)
  const now = world.db.find(orderStories, orderId)
  if (now && !now.left && now.next === next + 1) schedule(world, world.db.get(orders, orderId), story, now)
}

function move(world: World, orderId: string, step: Step): void {
  let order = world.db.get(orders, orderId)
  for (const to of wayOf(order, step.to)) order = moveOrder(world, order, to === step.to ? step : { to })
}

/** One step, or several when the customer did something the story does not tell; none when it is already there. */
function wayOf(order: OrderRow, to: LowStatus): LowStatus[] {
  const road = roadOf(order)
  const trail = trailOf(order)
  if (to === 'requisition_created' && trail.includes(to)) return []
  if (to.startsWith('appointment_') && trail.at(-1) === to) return []
  return canMove(road, trail, to) ? [to] : (wayTo(road, trail, to, isBridge) ?? [])
}

const hasHappened: Record<Awaited, (trail: readonly LowStatus[]) => boolean> = {
  registration: (trail) => trail.includes('registered'),
  appointment: (trail) => trail.at(-1) === 'appointment_scheduled',
}

/** Writes down how far the order has come and when it goes on. */
function schedule(world: World, order: OrderRow, story: Story, row: OrderStory): void {
  const road = roadOf(order)
  let next = row.next
  for (let step = story.steps[next]; step; step = story.steps[++next]) {
    if (!concerns(step, road) || (step.kind === 'await' && hasHappened[step.what](trailOf(order)))) continue
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
    const [to] = lowsOf(step, story.method) ?? []
    return to !== undefined && canMove(road, trail, to)
  }
  if (story.steps.length === 0) return 0
  const wanted = story.steps.findIndex(
    (step) => reaches(step) && (from === undefined || (step.kind === 'move' && step.step.to === from)),
  )
  return wanted === -1 ? undefined : wanted
}
