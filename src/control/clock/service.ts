import type { Parsed } from '../../api/schema.ts'
import { DAY_MS, toIso } from '../../kernel/instant.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { LATEST } from '../fields.ts'
import type { Advance, ClockPatch } from './schema.ts'

/** The longest time an advance until idle covers, in milliseconds. */
const IDLE_HORIZON_MS = 3653 * DAY_MS

export function describeClock(world: World) {
  const { clock } = world
  return {
    now: toIso(clock.now()),
    frozen: clock.frozen,
    pace: world.settings().pace,
    ...describeAgenda(world),
    advancing: world.agenda.advancing,
  }
}

function describeAgenda({ agenda }: World) {
  const due = agenda.nextDue()
  return { pending: agenda.pending, next_due: due === undefined ? null : toIso(due) }
}

/** Advances the clock, and answers with the effects once all deliveries have ended. */
export async function advance(world: World, input: Parsed<typeof Advance>, signal?: AbortSignal) {
  const stop = () => world.agenda.stopAdvance()
  const advancing = startAdvance(world, input)
  signal?.addEventListener('abort', stop)
  const { effects, dropped, stopped } = await advancing.finally(() =>
    signal?.removeEventListener('abort', stop),
  )
  return {
    now: toIso(world.clock.now()),
    effects: effects.map((effect) => ({ ...effect, at: toIso(effect.at) })),
    ...describeAgenda(world),
    ...(dropped > 0 && { effects_dropped: dropped }),
    ...(stopped && { stopped: true as const }),
  }
}

/** Ends a running advance; the call that started it answers with what was done. */
export const stopAdvance = ({ agenda, clock }: World) => ({
  stopped: agenda.stopAdvance(),
  now: toIso(clock.now()),
})

function startAdvance(world: World, { by, to, until }: Parsed<typeof Advance>) {
  const given = [by, to, until].filter((input) => input !== undefined)
  if (given.length !== 1) {
    throw new Problem(
      'bad_request',
      'Give exactly one of "by" (a duration), "to" (an instant) and "until": "idle".',
    )
  }
  const now = world.clock.now()
  if (until !== undefined) {
    return world.agenda.advanceUntilIdle(Math.min(now + IDLE_HORIZON_MS, LATEST))
  }
  const target = to ?? now + (by ?? 0)
  assertReachable(now, target)
  return world.agenda.advanceTo(target)
}

function assertReachable(now: number, target: number): void {
  if (target < now) {
    throw new Problem('bad_request', `The clock is at ${toIso(now)} and cannot go back.`)
  }
  if (target > LATEST) {
    throw new Problem('bad_request', `The clock is at ${toIso(now)} and cannot pass ${toIso(LATEST)}.`)
  }
}

/** Freezes the clock before it is moved and unfreezes it after, so that a frozen clock shows exactly the given time. */
export async function patchClock(
  world: World,
  { frozen, pace, now }: Parsed<typeof ClockPatch>,
): Promise<void> {
  const { agenda, clock } = world
  if (agenda.advancing) {
    throw new Problem('conflict', 'This world is being advanced; wait for that call to return.')
  }
  if (now !== undefined) assertReachable(clock.now(), now)
  if (frozen === true) changeSpeed(world, true, pace)
  if (now !== undefined) await agenda.advanceTo(now)
  changeSpeed(world, frozen ?? clock.frozen, pace)
}

/** Running simulated waits are rescaled: the rest of each passes at the new pace. */
function changeSpeed(world: World, frozen: boolean, pace = world.settings().pace): void {
  const { agenda, clock } = world
  const before = speed(world)
  if (frozen) clock.freeze()
  else clock.thaw()
  if (pace !== world.settings().pace) world.setSettings({ pace })
  agenda.rescale(before / speed(world))
}

/** Factor by which simulated waits are shortened in a live world; 1 in a frozen world. */
const speed = ({ clock, settings }: World) => (clock.frozen ? 1 : settings().pace)
