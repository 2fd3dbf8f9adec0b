import * as z from 'zod'
import { type Parsed, unnamed } from '../api/schema.ts'
import { keysOf } from '../kernel/fields.ts'
import { isTimeZone } from '../kernel/local-day.ts'
import { collectionMethods } from '../resources/catalogue/schema.ts'
import { connectionErrors } from '../resources/connections/schema.ts'
import { emailSlugs, oauthSlugs } from '../resources/link/schema.ts'
import { testCases } from '../resources/unmatched-results/cases.ts'
import { checkScenario } from './check.ts'
import { isEarlierFinding, isFinding, readFile, ScenarioError } from './read.ts'
import { duration, FaultSketch, Steps, scenarioName, toStep, WebhookFaultsSketch } from './steps.ts'

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

const MAX_ORDERS = 6
const MAX_ACTIONS = 200
const MAX_FAULTS = 20

/** The number of an order or a user of the finding. */
const ordinal = () => z.int().min(1).max(MAX_ORDERS)

/** Providers that a user can be connected to by a consent. */
const consentSlugs = [...oauthSlugs, ...emailSlugs] as const

const OrderSketch = unnamed(() =>
  z.strictObject({
    /** Since the history began. */
    at: duration(),
    /** Whose order it is. */
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
    z.strictObject({ at: duration(), resend: ordinal(), event: z.int().min(1).max(100).optional() }),
    z.strictObject({ at: duration(), receiver: z.enum(outageNames), for: duration() }),
    /** The user consents: a new connection, or one more consent to one. */
    z.strictObject({ at: duration(), connect: z.enum(consentSlugs), user: ordinal() }),
    z.strictObject({ at: duration(), disconnect: z.enum(consentSlugs), user: ordinal() }),
    /** The team's last day of ingestion, from that of the action. */
    z.strictObject({ at: duration(), ingestion_end: z.int().min(-30).max(30), user: ordinal() }),
    /** The user looks at what the program under test shows. */
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

/** The file of a finding: a history that `petri explore` plays, and no order follows. */
export const FindingFile = unnamed(() =>
  z.strictObject({
    kind: z.literal('finding'),
    name: scenarioName(),
    summary: z.string().min(1),
    /** Of the world, so that ids and names are the same again. */
    seed: z.string().min(1).max(200),
    now: z.iso.datetime('is not an instant in UTC'),
    features: Features().optional(),
    /** That of the users. */
    time_zone: z.string().refine(isTimeZone, { error: 'is not an IANA time zone' }).optional(),
    bodies: z.enum(spellings).optional(),
    orders: z.array(OrderSketch()).min(1).max(MAX_ORDERS),
    actions: z.array(ActionSketch()).max(MAX_ACTIONS).optional(),
    /** Faults of calls that are not about one order. */
    faults: z.array(FaultSketch()).max(MAX_FAULTS).optional(),
  }),
)
export type FindingFile = Parsed<typeof FindingFile>
export type FindingOrder = FindingFile['orders'][number]
export type FindingAction = NonNullable<FindingFile['actions']>[number]

const EARLIER_FORM =
  'has the key "history", the form of earlier findings. A finding now has the keys kind: finding, name, summary, seed, now, orders and actions; let petri explore find it again'

/** Reads the file of a finding. Throws a ScenarioError with all that is wrong, each with file and line. */
export function readFinding(source: string, file: string): FindingFile {
  if (isEarlierFinding(source)) throw new ScenarioError([{ file, message: EARLIER_FORM }])
  if (!isFinding(source))
    throw new ScenarioError([
      {
        file,
        message: 'is not a finding; "petri explore" writes files of kind: finding, and plays no others',
      },
    ])
  const { data, issues, issueAt } = readFile(source, file, FindingFile)
  if (!data || issues.length > 0) throw new ScenarioError(issues)
  const violations = data.orders.flatMap(({ method, steps }, at) =>
    checkScenario({ method, steps: steps.map(toStep) }).map(({ step, ...rest }) =>
      issueAt(['orders', at, ...(step === undefined ? [] : ['steps', step])], rest),
    ),
  )
  if (violations.length > 0) throw new ScenarioError(violations)
  return data
}
