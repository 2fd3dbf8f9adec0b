import * as z from 'zod'
import { boolean, number, text, uuid } from '../api/fields.ts'
import { operation } from '../api/operation.ts'
import { nullableText, type Parsed, schema, texts } from '../api/schema.ts'
import { DAY_MS, isoOrNull, LATEST, toIso } from '../kernel/instant.ts'
import { badRequest } from '../kernel/problem.ts'
import { readableDuration } from '../kernel/readable.ts'
import { assertConnected } from '../kernel/slices.ts'
import { whyStanding } from '../world/set-back.ts'
import type { World, WorldOutline } from '../world/world.ts'
import { summarizeAdvance } from './advance-summary.ts'
import { duration, instant } from './fields.ts'
import { publish } from './publish.ts'
import { Missed, missed, orderCondition } from './wait.ts'

/** Instants in ISO 8601. `next_due` is null when no job is pending. */
export const Clock = schema('PetriClock', () => ({
  now: z.string(),
  frozen: z.boolean(),
  pace: z.number(),
  pending: z.int(),
  next_due: nullableText(),
  advancing: z.boolean().describe('Whether an advance is running.'),
  scenario_day: z
    .string()
    .describe('How long a day of a scenario takes now: 10s at the default pace, 1d in a frozen world.'),
  standing: z
    .string()
    .nullable()
    .describe("Why a live clock stands still: the machine's clock was set back. Null while it does not."),
}))

/** The highest allowed pace of a live world. */
export const pace = () => number({ ge: 0.01, le: 1_000_000 })

const ClockPatch = schema('PetriClockPatch', () =>
  z.strictObject({
    frozen: boolean().optional(),
    pace: pace().optional(),
    now: instant().optional(),
  }),
)

/** Exactly one of `by`, `to`, `until`, and `order_id` with `status`. */
const Advance = schema('PetriAdvance', () =>
  z.strictObject({
    by: duration().optional(),
    to: instant().optional(),
    until: z
      .enum(['idle', 'next'])
      .optional()
      .describe('"idle": until no job is pending; "next": until the next job is done.'),
    order_id: uuid().optional(),
    status: text().optional().describe('Until the order has reached this low-level or dotted status.'),
  }),
)

const Effect = schema('PetriEffect', () =>
  z.looseObject({
    at: z.string(),
    kind: z.string(),
    order_id: z.string().optional(),
    user_id: z.string().optional(),
    event_type: z.string().optional(),
    message_id: z.string().optional(),
    status: z.union([z.string(), z.number()]).optional(),
    detail: z.string().nullish(),
    advice: z.string().optional(),
  }),
)

export const Advanced = schema('PetriAdvanced', () => ({
  now: z.string(),
  effects: z.array(Effect()),
  pending: z.int(),
  next_due: nullableText(),
  effects_dropped: z.int().optional(),
  summary: texts().describe('What waits for the customer, and what failed, in words.'),
  stopped: z
    .literal(true)
    .optional()
    .describe('Set if the advance was stopped; `now` is then the time it reached.'),
}))

/** Whether an advance was running. */
const StoppedAdvance = schema('PetriStoppedAdvance', () => ({ stopped: z.boolean(), now: z.string() }))

export const clockOperations = [
  operation({
    id: 'petri_clock_get',
    route: 'GET /_petri/clock',
    summary: 'Show the clock of this world, and when the next job is due',
    returns: Clock,
    run: describeClock,
  }),
  operation({
    id: 'petri_clock_patch',
    route: 'PATCH /_petri/clock',
    summary: 'Freeze or unfreeze the clock, set its pace, or set a later time',
    tool: { name: 'set_clock' },
    body: ClockPatch,
    returns: Clock,
    async run(world, { body }, { clientSignal }) {
      await patchClock(world, body, clientSignal())
      return publishClock(world)
    },
  }),
  operation({
    id: 'petri_clock_rebase',
    route: 'POST /_petri/clock/rebase',
    summary: "Let a live clock continue after the machine's clock was set back",
    returns: Clock,
    run(world) {
      world.agenda.assertNotAdvancing()
      world.agenda.rebaseClock()
      return publishClock(world)
    },
  }),
  operation({
    id: 'petri_clock_advance',
    route: 'POST /_petri/clock/advance',
    summary: 'Advance the clock, run everything that becomes due, and list the effects',
    tool: {
      name: 'advance_clock',
      description:
        'Give one of: by (such as 3d or 12h); to (an instant); until; order_id with status. With until "idle", the clock advances until nothing is left to do, with "next" until the next job is done. Webhooks that fall due are delivered before it answers',
    },
    body: Advance,
    returns: Advanced,
    alsoReturns: { 408: Missed },
    async run(world, { body }, { clientSignal }) {
      const advancing = advance(world, body, clientSignal())
      // The stream shows a running advance at once.
      if (world.agenda.advancing) publishClock(world)
      const advanced = await advancing
      publishClock(world)
      return advanced
    },
  }),
  operation({
    id: 'petri_clock_advance_stop',
    route: 'DELETE /_petri/clock/advance',
    summary: 'Stop a running advance; the call that started it returns the effects so far',
    returns: StoppedAdvance,
    run: ({ agenda, clock }) => ({ stopped: agenda.stopAdvance(), now: toIso(clock.now()) }),
  }),
]

/** The longest time an advance until idle covers, in milliseconds. */
const IDLE_HORIZON_MS = 3653 * DAY_MS

export function describeClock(world: WorldOutline) {
  const { clock } = world
  return {
    now: toIso(clock.now()),
    frozen: clock.frozen,
    pace: world.settings().pace,
    ...describeAgenda(world),
    advancing: world.agenda.advancing,
    scenario_day: scenarioDay(world),
    standing: whyStanding(clock) ?? null,
  }
}

/** Publishes the clock to the stream, and returns it. */
function publishClock(world: World) {
  const clock = describeClock(world)
  publish(world, 'clock', clock)
  return clock
}

/** A day of scenario time, as a duration of the clock. */
const scenarioDay = ({ agenda }: WorldOutline): string =>
  readableDuration(Math.round(DAY_MS / agenda.scenarioTime.rate))

const describeAgenda = ({ agenda }: WorldOutline) => ({
  pending: agenda.pending,
  next_due: isoOrNull(agenda.nextDue()),
})

/** Advances the clock, and returns the effects once all deliveries have ended. */
async function advance(world: World, input: Parsed<typeof Advance>, signal?: AbortSignal) {
  const { effects, dropped, stopped } = await startAdvance(world, input, signal)
  return {
    now: toIso(world.clock.now()),
    effects: effects.map((effect) => ({ ...effect, at: toIso(effect.at) })),
    ...describeAgenda(world),
    effects_dropped: dropped || undefined,
    summary: summarizeAdvance(world, effects),
    stopped: stopped || undefined,
  }
}

function startAdvance(
  world: World,
  { by, to, until, order_id, status }: Parsed<typeof Advance>,
  signal: AbortSignal | undefined,
) {
  const given = [by, to, until, order_id].filter((input) => input !== undefined)
  if (given.length !== 1 || (order_id === undefined) !== (status === undefined)) {
    throw badRequest(
      'Give exactly one of "by" (a duration), "to" (an instant), "until" ("idle" or "next"), and "order_id" with "status".',
    )
  }
  const { agenda, clock } = world
  const now = clock.now()
  const horizon = Math.min(now + IDLE_HORIZON_MS, LATEST)
  if (order_id !== undefined) return advanceUntilStatus(world, order_id, status ?? '', { horizon, signal })
  if (until === 'idle') return agenda.advanceUntilIdle(horizon, { signal })
  const next = until === 'next' ? Math.max(now, agenda.nextDue() ?? now) : undefined
  const target = to ?? next ?? now + (by ?? 0)
  assertReachable(now, target)
  return agenda.advanceTo(target, signal)
}

/** Advances until an order has reached a status; throws a 408 if nothing that is pending leads to it. */
async function advanceUntilStatus(
  world: World,
  orderId: string,
  status: string,
  { horizon, signal }: { readonly horizon: number; readonly signal: AbortSignal | undefined },
) {
  const condition = orderCondition(world, orderId, status)
  const isOver = () => condition.find() !== undefined || condition.impossible() !== undefined
  const advanced = await world.agenda.advanceUntilIdle(horizon, { isOver, signal })
  if (advanced.stopped || condition.find()) return advanced
  const [waits] = summarizeAdvance(world, advanced.effects)
  const why = condition.impossible() ?? `Nothing pending leads to this status${waits ? `; ${waits}` : ''}`
  const reached = `The clock was advanced to ${toIso(world.clock.now())}.`
  throw missed(world, condition, `Advanced for ${condition.words}. ${why}. ${reached}`)
}

function assertReachable(now: number, target: number): void {
  if (target < now) {
    throw badRequest(
      `The clock is at ${toIso(now)} and cannot be set back; reset the world or restore a snapshot.`,
    )
  }
  if (target > LATEST) {
    throw badRequest(`The clock is at ${toIso(now)} and cannot pass ${toIso(LATEST)}.`)
  }
}

/**
 * Freezes the clock before it is moved and unfreezes it after, so that a frozen clock shows exactly the given time. If
 * `signal` is aborted meanwhile, the clock stays where it is.
 */
export async function patchClock(
  world: World,
  { frozen, pace, now }: Parsed<typeof ClockPatch>,
  signal?: AbortSignal,
): Promise<void> {
  const { agenda, clock } = world
  agenda.assertNotAdvancing()
  if (now !== undefined) assertReachable(clock.now(), now)
  if (frozen === true) changeSpeed(world, true, pace)
  if (now !== undefined) await agenda.advanceTo(now, signal)
  assertConnected(signal)
  changeSpeed(world, frozen ?? clock.frozen, pace)
}

function changeSpeed(world: World, frozen: boolean, pace = world.settings().pace): void {
  const { agenda, clock } = world
  if (frozen) clock.freeze()
  else clock.thaw()
  if (pace !== world.settings().pace) world.setSettings({ pace })
  agenda.updateScenarioRate()
}
