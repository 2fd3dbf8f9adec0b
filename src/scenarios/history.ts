import * as z from 'zod'
import { type Parsed, unnamed } from '../api/schema.ts'
import { keysOf } from '../kernel/fields.ts'
import { isTimeZone } from '../kernel/local-day.ts'
import { collectionMethods } from '../resources/catalogue/schema.ts'
import { connectionErrors } from '../resources/connections/schema.ts'
import { emailSlugs, oauthSlugs } from '../resources/link/schema.ts'
import type { Method } from '../resources/orders/lifecycle.ts'
import { testCases } from '../resources/unmatched-results/cases.ts'
import { duration, FaultSketch, type ScenarioStep, Steps, toStep, WebhookFaultsSketch } from './steps.ts'

/** How a receiver fails for a while. */
export const outages = {
  down: 'nothing listens',
  busy: 'it answers 503',
  lost_reply: 'it accepts, but its answers are lost',
} as const
export type Outage = keyof typeof outages
const outageNames = keysOf(outages)

/** How the bytes of a body are spelled: as Petri writes JSON, or with spaces and escapes as other encoders do. */
export const spellings = ['compact', 'spaced'] as const

const MAX_ORDERS = 5
const MAX_ACTIONS = 50
const MAX_FAULTS = 20

/** The number of an order or a user of the history; order 1 is that of the scenario itself. */
const ordinal = () =>
  z
    .int()
    .min(1)
    .max(MAX_ORDERS + 1)

/** Providers that a user can be connected to by a consent. */
const consentSlugs = [...oauthSlugs, ...emailSlugs] as const

/** Another order of the history. */
export const OrderSketch = unnamed(() =>
  z.strictObject({
    /** Since the history began. */
    at: duration(),
    /** Whose order it is; the first order is of user 1. */
    user: ordinal(),
    method: z.enum(collectionMethods),
    registrable: z.literal(true).optional(),
    steps: Steps(),
    webhook_faults: WebhookFaultsSketch().optional(),
    faults: z.array(FaultSketch()).max(MAX_FAULTS).optional(),
  }),
)

/** Features of the world, such as unknown_futures. */
const Features = unnamed(() => z.record(z.string(), z.union([z.boolean(), z.string()])))

/** What somebody does at a time since the history began. */
const ActionSketch = unnamed(() =>
  z.union([
    z.strictObject({ at: duration(), register: ordinal() }),
    z.strictObject({ at: duration(), cancel: ordinal() }),
    z.strictObject({ at: duration(), redeliver: ordinal(), event: z.int().min(1).max(100).optional() }),
    z.strictObject({ at: duration(), receiver: z.enum(outageNames), for: duration() }),
    /** The user consents: a new connection, or one more consent to one. */
    z.strictObject({ at: duration(), connect: z.enum(consentSlugs), user: ordinal() }),
    z.strictObject({ at: duration(), disconnect: z.enum(consentSlugs), user: ordinal() }),
    /** The team's last day of ingestion, from that of the action. */
    z.strictObject({ at: duration(), ingestion_end: z.int().min(-30).max(30), user: ordinal() }),
    /** The user looks at the program under test. */
    z.strictObject({ at: duration(), look: z.literal(true), user: ordinal() }),
    z.strictObject({
      at: duration(),
      break: z.enum(consentSlugs),
      user: ordinal(),
      error: z.enum(connectionErrors),
    }),
    z.strictObject({
      at: duration(),
      data: z.string().min(1),
      provider: z.enum(consentSlugs),
      user: ordinal(),
      /** The day of the sample, from that of the action: -3 is three days before. */
      day: z.int().min(-30).max(0),
      value: z.number(),
    }),
    z.strictObject({ at: duration(), features: Features() }),
    z.strictObject({ at: duration(), unmatched: z.enum(testCases) }),
  ]),
)

/** What `petri explore` plays in addition to the order of a scenario. */
export const HistorySketch = unnamed(() =>
  z.strictObject({
    /** Of the world, so that ids and names are the same again. */
    seed: z.string().min(1).max(200),
    now: z.iso.datetime(),
    registrable: z.literal(true).optional(),
    features: Features().optional(),
    /** That of the users. */
    time_zone: z.string().refine(isTimeZone, { error: 'is not an IANA time zone' }).optional(),
    bodies: z.enum(spellings).optional(),
    orders: z.array(OrderSketch()).max(MAX_ORDERS).optional(),
    actions: z.array(ActionSketch()).max(MAX_ACTIONS).optional(),
    /** Faults of calls that are not about one order. */
    faults: z.array(FaultSketch()).max(MAX_FAULTS).optional(),
  }),
)

/** A history, its further orders as they are written and with parsed steps. */
export interface History extends Omit<Parsed<typeof HistorySketch>, 'orders'> {
  readonly orders: readonly HistoryOrder[]
}

interface HistoryOrder {
  readonly method: Method
  readonly steps: readonly ScenarioStep[]
}

export const toHistory = ({ orders = [], ...rest }: Parsed<typeof HistorySketch>): History => ({
  ...rest,
  orders: orders.map(({ method, steps }) => ({ method, steps: steps.map(toStep) })),
})
