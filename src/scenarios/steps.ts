import * as z from 'zod'
import { type Parsed, texts, unnamed } from '../api/schema.ts'
import { MAX_DROPPED, MAX_REPEATED, type WebhookFaultRule } from '../api/webhook-faults.ts'
import type { FaultInput } from '../faults/model.ts'
import {
  FaultFields,
  findOperation,
  nearestOperation,
  toFaultInput,
  whyInvalidFault,
} from '../faults/schema.ts'
import { parseDuration } from '../kernel/duration.ts'
import { didYouMean } from '../kernel/nearest.ts'
import { once } from '../kernel/once.ts'
import { appointmentEvents } from '../resources/appointments/schema.ts'
import { eventTypeNames } from '../resources/event-types.ts'
import { resources } from '../resources/index.ts'
import {
  readStatus,
  statusDetails,
  statusSpellings,
  type Workflow,
  workflows,
} from '../resources/orders/lifecycle.ts'
import { genders, interpretations } from '../resources/orders/schema.ts'
import type { Step as OrderStep } from '../resources/orders/transition.ts'
import { planOf } from '../resources/results/service.ts'
import { type AppointmentWord, appointmentWords } from './appointment-steps.ts'

export const NO_DURATION = 'is not a duration; write 30m, 4h, 2d or 1d12h'

/** A duration: `90m`, `2d`, `1d12h`. */
export const duration = () =>
  z
    .string({ error: ({ input }) => (input === undefined ? undefined : NO_DURATION) })
    .refine((text) => parseDuration(text) !== undefined)
    .meta({ pattern: '^(\\d+(\\.\\d+)?(ms|[smhdw])\\s*)+$', examples: ['4h', '2d', '1d12h'] })

export const scenarioName = () =>
  z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'is not a scenario name; use lower-case letters, digits and hyphens')

const status = () =>
  z.string().refine((text) => readStatus(text) !== undefined, {
    error: ({ input }) => `is not a status of an order.${didYouMean(String(input), statusSpellings())}`,
  })

const only = () => z.enum(workflows).optional()

const ShipmentSketch = unnamed(() =>
  z.strictObject({
    outbound_courier: z.string().optional(),
    inbound_courier: z.string().optional(),
    outbound_tracking_number: z.string().optional(),
    inbound_tracking_number: z.string().optional(),
    notes: z.string().optional(),
  }),
)

/** The patient who registers a kit; what is omitted is that of the user. */
const PatientSketch = unnamed(() =>
  z.strictObject({
    first_name: z.string().min(1).optional(),
    last_name: z.string().min(1).optional(),
    dob: z.iso.date('is not a date').optional(),
    gender: z.enum(genders).optional(),
    phone_number: z.string().optional(),
    email: z.email('is not an email address').optional(),
  }),
)

const ResultSketch = unnamed(() =>
  z.strictObject({
    interpretation: z.enum(interpretations).optional(),
    missing: z.union([texts(), z.boolean()]).optional(),
    types: z.array(z.enum(['numeric', 'range', 'comment', 'coded_value'])).optional(),
    /** Exact values by slug, LOINC or provider code. */
    values: z.record(z.string(), z.union([z.number(), z.string()])).optional(),
    comment: z.string().max(2000).optional(),
    /** The path of a PDF, relative to this file. */
    pdf: z.string().min(1).optional(),
  }),
)

/** When a step happens: some time after the one before, at the start of the appointment, or some time before it. */
const when = () => ({
  after: duration().optional(),
  at: z.literal('appointment').optional(),
  before: z.literal('appointment').optional(),
  by: duration().optional(),
})

type When = { readonly [Field in keyof ReturnType<typeof when>]?: string | undefined }

/** Throws out steps without a time, or with two. */
function checkWhen({ after, at, before, by }: When, ctx: z.RefinementCtx): void {
  const refuse = (field: string, message: string) => ctx.addIssue({ code: 'custom', path: [field], message })
  const given = Object.entries({ after, at, before }).filter(([, value]) => value !== undefined)
  if (given.length === 0) refuse('after', 'is missing; a step has one of after, at and before')
  const [, second] = given
  if (second) refuse(second[0], 'is not allowed here; a step takes only one of after, at and before')
  if (before !== undefined && by === undefined)
    refuse('by', 'is missing; it says how long before the appointment')
  if (before === undefined && by !== undefined) refuse('by', 'goes with before: appointment only')
}

const StatusStep = unnamed(() =>
  z
    .strictObject({
      ...when(),
      status: status(),
      status_detail: z.enum(statusDetails).optional(),
      /** Sets the status although the lifecycle does not have the move. */
      force: z.literal(true).optional(),
      /** Results of slow tests come later; until then the order has partial results. */
      in_parts: z.literal(true).optional(),
      only: only(),
      patient: PatientSketch().optional(),
      shipment: ShipmentSketch().optional(),
      results: ResultSketch().optional(),
    })
    .superRefine(checkWhen),
)

const AwaitStep = unnamed(() =>
  z.strictObject({ await: z.enum(['registration', 'appointment']), only: only() }),
)

const AppointmentStep = unnamed(() =>
  z.strictObject({ ...when(), appointment: z.enum(appointmentWords) }).superRefine(checkWhen),
)

const count = (most: number) => z.int().min(0).max(most).exactOptional()

/** The types of the events that may be about an order. */
const orderEvents = once(() => [...eventTypeNames()].filter((name) => name.startsWith('labtest.')))

/** The status of an order or an appointment as rules store it. */
function readEventStatus(text: string): string | undefined {
  const isOfAppointment = appointmentEvents.some((each) => each === text)
  return readStatus(text)?.low ?? (isOfAppointment ? text : undefined)
}

const eventStatus = () =>
  z.string().refine((text) => readEventStatus(text) !== undefined, {
    error: ({ input }) =>
      `is not a status of an order or an appointment.${didYouMean(String(input), [...statusSpellings(), ...appointmentEvents])}`,
  })

/** Webhook faults of the order's events, or of those with this type, status and number. */
const WebhookFaultRuleSketch = unnamed(() =>
  z
    .strictObject({
      event: z
        .string()
        .refine((text) => orderEvents().includes(text) || readEventStatus(text) !== undefined, {
          error: ({ input }) =>
            `is neither an event about an order nor a status.${didYouMean(String(input), [...orderEvents(), ...statusSpellings()])}`,
        })
        .exactOptional(),
      status: eventStatus().exactOptional(),
      occurrence: z.int().min(1).max(MAX_REPEATED).exactOptional(),
      duplicate: count(MAX_REPEATED),
      reorder: z.union([z.boolean(), z.int().min(0).max(MAX_REPEATED)]).exactOptional(),
      delay: duration().exactOptional(),
      drop_first: count(MAX_DROPPED),
      bad_signature: z.boolean().exactOptional(),
      stale_timestamp: z.boolean().exactOptional(),
      burst: count(MAX_REPEATED),
      respell: z.boolean().exactOptional(),
    })
    .superRefine(({ event, status, occurrence, ...faults }, ctx) => {
      const refuse = (message: string) => ctx.addIssue({ code: 'custom', message })
      const isOfSome = event !== undefined || status !== undefined || occurrence !== undefined
      if (isOfSome && Object.keys(faults).length === 0)
        refuse('names events and has no effect on them; add a fault, such as delay: 30h')
      if (status !== undefined && event !== undefined && !orderEvents().includes(event))
        refuse('has two statuses; give one of them')
      if ((status ?? occurrence) !== undefined && (faults.reorder || faults.burst))
        refuse('reorders several messages, so it cannot name one of them; give that one a delay')
    }),
)

/** The webhook faults of an order's events: the same for all, or a list of rules. */
export const WebhookFaultsSketch = unnamed(() =>
  z.union([WebhookFaultRuleSketch(), z.array(WebhookFaultRuleSketch()).max(50)]),
)

const operations = resources.flatMap((resource) => resource.operations)

/** A fault of a scenario file. */
export const FaultSketch = unnamed(() =>
  FaultFields().superRefine((fault, ctx) => {
    const why = whyInvalidFault(fault)
    if (why) ctx.addIssue({ code: 'custom', message: why })
    const { operation } = fault
    if (findOperation(operation, operations)) return
    const message = `"${operation}" is not an operation of the service.${nearestOperation(operation, operations)}`
    ctx.addIssue({ code: 'custom', path: ['operation'], message })
  }),
)

/** What happens to an order, one after the other. */
export const Steps = unnamed(() => z.array(z.union([AwaitStep(), AppointmentStep(), StatusStep()])))

/** The actions of the customer that a scenario waits for. */
export const customerActions = {
  registration: 'the customer registers the kit',
  appointment: 'the customer books an appointment',
}

export type Awaited = keyof typeof customerActions

/** When a step happens. */
interface Timing {
  /** Milliseconds after the step before; 0 for a step at or before the appointment. */
  readonly afterMs: number
  /** Milliseconds before the start of the appointment; undefined for a step that does not depend on it. */
  readonly beforeVisitMs: number | undefined
}

/** A step that sets a status. */
export interface MoveStep extends Timing {
  readonly kind: 'move'
  readonly only: Workflow | undefined
  readonly isForced: boolean
  /** Whether results of slow tests come after the others. */
  readonly isInParts: boolean
  readonly step: OrderStep
  readonly pdf: StepPdf | undefined
}

interface ActStep extends Timing {
  readonly kind: 'appointment'
  readonly only: undefined
  readonly word: AppointmentWord
}

/** A step that does not wait for the customer. */
export type TimedStep = MoveStep | ActStep

/** A parsed step of a scenario. */
export type ScenarioStep =
  | TimedStep
  | { readonly kind: 'await'; readonly what: Awaited; readonly only: Workflow | undefined }

/** The PDF of the results in a step. */
interface StepPdf {
  /** Its path, relative to the scenario's file. */
  readonly path: string
  /** In Base64, once it has been read. */
  readonly content?: string
}

export const toWebhookFaultRules = (
  written: Parsed<typeof WebhookFaultsSketch>,
): WebhookFaultRule | WebhookFaultRule[] =>
  'map' in written ? written.map(toWebhookFaultRule) : toWebhookFaultRule(written)

const ofOrders = ['labtest.order.created', 'labtest.order.updated']
const ofAppointments = ['labtest.appointment.created', 'labtest.appointment.updated']

function toWebhookFaultRule({
  event,
  status: given,
  delay,
  reorder,
  ...rest
}: Parsed<typeof WebhookFaultRuleSketch>): WebhookFaultRule {
  const isType = event !== undefined && orderEvents().includes(event)
  const written = isType ? given : (event ?? given)
  const status = written === undefined ? undefined : readEventStatus(written)
  const ofStatus = written !== undefined && readStatus(written) ? ofOrders : ofAppointments
  return {
    ...(isType ? { event_types: [event] } : status !== undefined && { event_types: ofStatus }),
    ...(status !== undefined && { status }),
    ...rest,
    ...(delay !== undefined && { delay_ms: parseDuration(delay) ?? 0 }),
    ...(reorder !== undefined && { reorder: typeof reorder === 'number' ? reorder : Number(reorder) * 2 }),
  }
}

type WrittenStep = Parsed<typeof Steps>[number]

const timingOf = ({ after = '', at, by = '' }: When): Timing => ({
  afterMs: parseDuration(after) ?? 0,
  beforeVisitMs: at === undefined ? parseDuration(by) : 0,
})

export function toStep(step: WrittenStep): ScenarioStep {
  if ('await' in step) return { kind: 'await', what: step.await, only: step.only }
  if ('appointment' in step) {
    return { kind: 'appointment', ...timingOf(step), only: undefined, word: step.appointment }
  }
  const { status, status_detail: detail, patient, shipment, results } = step
  return {
    kind: 'move',
    ...timingOf(step),
    only: step.only,
    isForced: step.force ?? false,
    isInParts: step.in_parts ?? false,
    step: {
      to: readStatus(status)?.low ?? 'ordered',
      detail,
      patient,
      shipment: shipment as OrderStep['shipment'],
      results: results && planResults(results),
    },
    pdf: results?.pdf === undefined ? undefined : { path: results.pdf },
  }
}

/** The results of a step without their PDF, which is read from its file later. */
function planResults({ values, comment, pdf, ...rest }: Parsed<typeof ResultSketch>): OrderStep['results'] {
  return { ...rest, ...planOf({ values, comment }) } as OrderStep['results']
}

export const toFault = (fault: Parsed<typeof FaultSketch>): FaultInput =>
  toFaultInput(fault, findOperation(fault.operation, operations)?.id ?? '')
