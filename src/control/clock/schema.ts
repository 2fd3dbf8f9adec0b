import * as z from 'zod'
import { boolean, number } from '../../api/fields.ts'
import { schema } from '../../api/schema.ts'
import { duration, instant } from '../fields.ts'

/** Instants in ISO 8601. `next_due` is null when no job is pending. */
export const Clock = schema('PetriClock', () =>
  z.object({
    now: z.string(),
    frozen: z.boolean(),
    pace: z.number(),
    pending: z.int(),
    next_due: z.string().nullable(),
    advancing: z.boolean().describe('Whether a call is advancing the clock now.'),
  }),
)

/** The highest allowed pace of a live world. */
export const pace = () => number({ ge: 0.01, le: 1_000_000 })

export const ClockPatch = schema('PetriClockPatch', () =>
  z.strictObject({
    frozen: boolean().optional(),
    pace: pace().optional(),
    now: instant().optional(),
  }),
)

/** Exactly one of the three fields. */
export const Advance = schema('PetriAdvance', () =>
  z.strictObject({
    by: duration().optional(),
    to: instant().optional(),
    until: z.literal('idle').optional(),
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
  }),
)

export const Advanced = schema('PetriAdvanced', () =>
  z.object({
    now: z.string(),
    effects: z.array(Effect()),
    pending: z.int(),
    next_due: z.string().nullable(),
    effects_dropped: z.int().optional(),
    stopped: z.literal(true).optional().describe('The advance was stopped; `now` is how far it came.'),
  }),
)

/** Whether an advance was running. */
export const StoppedAdvance = schema('PetriStoppedAdvance', () =>
  z.object({ stopped: z.boolean(), now: z.string() }),
)
