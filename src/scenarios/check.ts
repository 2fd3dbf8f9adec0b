import {
  canMove,
  detailsOf,
  type LowStatus,
  legalMoves,
  type Road,
  roadsOf,
  topOf,
  wayTo,
} from '../resources/orders/lifecycle.ts'
import type { Story, StoryStep } from './file.ts'

/** Why a story cannot happen. `step` counts from 0; absent when it concerns the whole. */
export interface Complaint {
  readonly step?: number
  readonly message: string
  /** The statuses the order could become instead. */
  readonly legal?: readonly LowStatus[]
}

/** The statuses an order has had when a story begins. */
export const beginningOf = (road: Road): LowStatus[] =>
  road === 'registrable_kit' ? ['ordered', 'awaiting_registration'] : ['ordered']

/** Whether a step is for orders on this road. */
export const concerns = (step: StoryStep, road: Road): boolean =>
  step.only === undefined || step.only === road

/** What is wrong with a story: any trail it can take must keep to the lifecycle tables. */
export function checkStory(story: Story): Complaint[] {
  const complaints = story.steps.flatMap((step, at) =>
    checkStep(story, step).map((message) => ({ step: at, message })),
  )
  if (complaints.length > 0) return complaints
  return roadsOf(story.method).flatMap((road) => checkTrail(story, road))
}

function checkStep({ method }: Story, step: StoryStep): string[] {
  if (step.only !== undefined && !roadsOf(method).includes(step.only)) {
    return [`only: ${step.only} does not occur with method ${method}`]
  }
  if (step.kind === 'await') {
    return method === 'testkit' ? [] : [`await: registration only happens to test kits, not to ${method}`]
  }
  const { to, detail } = step.step
  if (!topOf(method, to)) return [`${to} is no status of ${method}`]
  const details: readonly string[] = detailsOf[to] ?? []
  if (detail && !details.includes(detail)) {
    return [
      `status_detail ${detail} does not go with ${to}${details.length ? `; ${details.join(', ')} do` : ''}`,
    ]
  }
  return []
}

function checkTrail(story: Story, road: Road): Complaint[] {
  const trail = beginningOf(road)
  for (const [at, step] of story.steps.entries()) {
    if (!concerns(step, road)) continue
    const to = step.kind === 'await' ? 'registered' : step.step.to
    if (!canMove(road, trail, to)) return [{ step: at, ...illegal(road, trail, to) }]
    const early = registeredEarly(story, road, trail, at)
    if (early) return [early]
    trail.push(to)
  }
  return []
}

/** A patient may register before the story waits for it; the rest of the story must still be reachable. */
function registeredEarly(
  story: Story,
  road: Road,
  trail: readonly LowStatus[],
  at: number,
): Complaint | undefined {
  const next = story.steps[at]
  if (road !== 'registrable_kit' || next?.kind !== 'move' || !canMove(road, trail, 'registered'))
    return undefined
  const early: LowStatus[] = [...trail, 'registered']
  if (early.includes(next.step.to) || wayTo(road, early, next.step.to, isBridge)) return undefined
  const { message, legal } = illegal(road, early, next.step.to)
  return { step: at, message: `${message} (if the kit is registered before)`, legal }
}

/** Statuses the engine passes through by itself when a kit was registered earlier than the story tells. */
export const isBridge = (status: LowStatus): boolean =>
  status === 'requisition_created' || status === 'transit_customer' || status === 'out_for_delivery'

function illegal(road: Road, trail: readonly LowStatus[], to: LowStatus) {
  const legal = legalMoves(road, trail)
  const where = `${trail.at(-1)} (${road.replace('_', ' ')})`
  const message = `an order that is ${where} cannot become ${to}; legal: ${legal.join(', ') || 'nothing, it is final'}`
  return { message, legal }
}

/** The statuses a story takes an order through, each with the time since the one before; for people to read. */
export function trailOfStory(
  story: Story,
  road: Road,
): { low: LowStatus; afterMs: number | null; detail: string | null }[] {
  return [
    ...beginningOf(road).map((low) => ({ low, afterMs: 0, detail: null })),
    ...story.steps
      .filter((step) => concerns(step, road))
      .map((step) =>
        step.kind === 'await'
          ? { low: 'registered' as const, afterMs: null, detail: null }
          : { low: step.step.to, afterMs: step.afterMs, detail: step.step.detail ?? null },
      ),
  ]
}
