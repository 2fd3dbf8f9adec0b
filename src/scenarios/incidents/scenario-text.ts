import type { Node } from 'yaml'
import { writeDuration } from '../../kernel/duration.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { append, compact } from '../../kernel/list.ts'
import { plural } from '../../kernel/readable.ts'
import { yaml } from '../../kernel/yaml.ts'
import { canMove, detailsOf, type LowStatus, pathTo, workflowsOf } from '../../resources/orders/lifecycle.ts'
import { appointmentVerbs, canHappen, type VisitState, visitAfter } from '../appointment-steps.ts'
import { initialStatuses } from '../planned-steps.ts'
import { readScenario, ScenarioError } from '../read.ts'
import type { RecordedAppointment, RecordedStatus } from './appointments.ts'
import type { OrderRecord } from './record.ts'

/** A step of the scenario, as it is written. */
interface WrittenStep {
  readonly fields: JsonObject
  readonly comment?: string
  /** Is in a line above. */
  readonly commentBefore?: string
}

/** A scenario that repeats a record, and what a reader should know about it. */
interface WrittenScenario {
  readonly source: string
  readonly notes: readonly string[]
  /** Statuses and details of the record that it does not have, in sentences. */
  readonly leftOut: readonly string[]
}

const FILLED = 'filled in: not in the record'
const FORCED = 'the lifecycle does not have this move'

/** Writes a scenario that repeats what happened to an order. */
export function writeScenario(record: OrderRecord, name: string, summary?: string): WrittenScenario {
  const { webhookFaults, notes } = record
  const last = record.statuses.at(-1)?.low ?? 'ordered'
  const head = {
    name,
    summary: summary ?? `Repeats an order that became ${last.replaceAll('_', ' ')}.`,
    method: record.method,
  }
  const rest = Object.keys(webhookFaults).length > 0 ? { webhook_faults: webhookFaults } : {}
  const write = (all: readonly WrittenStep[]) => writeSteps(head, all, rest, record.unread)
  const steps = withForce(stepsOf(record), write)
  return {
    source: withOtherKit(record, steps, write) ?? write(steps),
    notes: [...record.unread, ...notesOn(record, steps), ...notes],
    leftOut: [...record.unknown, ...detailsLeftOut(record)],
  }
}

/**
 * The scenario with steps for the other kind of kits too, so that it moves every kit. Undefined if orders have only one kind,
 * or if the other kind cannot go this way.
 */
function withOtherKit(
  record: OrderRecord,
  steps: readonly WrittenStep[],
  write: (all: readonly WrittenStep[]) => string,
): string | undefined {
  const workflow = workflowsOf(record.method).find((each) => each !== record.workflow)
  if (workflow === undefined) return undefined
  // The customer registers, and the requisition follows, at another time of each kind.
  const statuses = record.statuses.filter(({ low }, at) => at === 0 || !ofRegistration.includes(low))
  const [first, ...others] = stepsOf({ ...record, workflow, statuses, mayHaveGaps: true })
  if (!first) return undefined
  const kind = workflow === 'registrable_kit' ? 'registered later' : 'registered when they are ordered'
  const source = write([
    ...steps,
    { ...first, commentBefore: `The same for kits that are ${kind}.` },
    ...others,
  ])
  return refusedSteps(source).length === 0 ? source : undefined
}

/** Forces the statuses that would be refused, because the customer may act before them. */
function withForce(
  steps: readonly WrittenStep[],
  write: (all: readonly WrittenStep[]) => string,
): WrittenStep[] {
  const refused = refusedSteps(write(steps))
  return steps.map((step, at) =>
    refused.includes(at + 1) && 'status' in step.fields
      ? { ...step, fields: { ...step.fields, force: true }, comment: FORCED }
      : step,
  )
}

/** The numbers of the steps that a scenario is refused for, from 1; 0 for the whole file. */
function refusedSteps(source: string): number[] {
  try {
    readScenario(source, 'incident')
    return []
  } catch (error) {
    if (error instanceof ScenarioError) return error.issues.map(({ step = 0 }) => step)
    throw error
  }
}

const ofRegistration: readonly LowStatus[] = ['awaiting_registration', 'registered', 'requisition_created']

/** A file with a step a line. */
function writeSteps(
  head: Readonly<Record<string, string>>,
  steps: readonly WrittenStep[],
  rest: Readonly<Record<string, object>>,
  comments: readonly string[],
): string {
  const document = new (yaml().Document)(head)
  const schema = 'yaml-language-server: $schema=./scenario.schema.json'
  document.commentBefore = [schema, ...comments].map((line) => ` ${line}`).join('\n')
  const fields = steps.map((step) => step.fields)
  document.set('steps', document.createNode(fields, { aliasDuplicateObjects: false }))
  for (const [at, { comment, commentBefore }] of steps.entries()) {
    const node = document.getIn(['steps', at], true) as Node & { flow?: boolean }
    node.flow = true
    if (commentBefore) node.commentBefore = ` ${commentBefore}`
    if (comment) node.comment = ` ${comment}`
  }
  for (const [field, value] of Object.entries(rest))
    document.set(field, document.createNode(value, { flow: true }))
  return document.toString({ lineWidth: 0 })
}

/** The steps that repeat a record, from the first status that an order does not have at once. */
function stepsOf(record: OrderRecord): WrittenStep[] {
  const { workflow, statuses, appointments } = record
  const initial = initialStatuses(workflow)
  const known = statuses.findIndex(({ low }, at) => low !== initial[at])
  const begun = known === -1 ? statuses.length : known
  const history = [...initial]
  let lastAt = statuses[begun - 1]?.at ?? statuses[0]?.at ?? 0
  let visit: VisitState = 'not booked'
  // A visit may start in the second in which it is booked or complete.
  const placeOf = ({ word, at }: RecordedAppointment) =>
    word === 'start'
      ? statuses.findLastIndex((status) => status.at <= at && visitAfter[status.low] === 'booked') + 0.5
      : statuses.length
  const entries = [
    ...statuses.slice(begun).map((status, nth) => ({ entry: status, place: begun + nth })),
    ...appointments.map((appointment) => ({ entry: appointment, place: placeOf(appointment) })),
  ].sort((a, b) => a.entry.at - b.entry.at || a.place - b.place)
  return entries.flatMap(({ entry }): WrittenStep[] => {
    if ('word' in entry && !canHappen(entry.word, visit)) return []
    const waited = Math.max(0, entry.at - lastAt)
    lastAt = entry.at
    if ('word' in entry) {
      visit = appointmentVerbs[entry.word].to
      return [{ fields: { after: writeDuration(waited), appointment: entry.word } }]
    }
    const steps = stepsTo(record, entry, { history, waited, visit })
    append(history, [...steps.filled, entry.low])
    visit = visitAfter[entry.low] ?? visit
    return steps.written
  })
}

interface Before {
  readonly history: readonly LowStatus[]
  /** Milliseconds since the step before. */
  readonly waited: number
  /** The state of the appointment. */
  readonly visit: VisitState
}

/** The step to a status, after those that are missing in a record with gaps. */
function stepsTo(record: OrderRecord, status: RecordedStatus, { history, waited, visit }: Before) {
  const { workflow, mayHaveGaps, method } = record
  const { low, appointment } = status
  const isLegal = canMove(workflow, history, low)
  const path = mayHaveGaps ? pathTo(workflow, history, low) : undefined
  const filled = path?.slice(0, -1) ?? []
  const after = writeDuration(Math.floor(waited / (filled.length + 1)))
  const isForced = !isLegal && path === undefined
  // The two kinds of kits have different lifecycles.
  const only = method === 'testkit' ? { only: workflow } : {}
  const move = {
    status: low,
    ...detailOf(status),
    ...(isForced && { force: true }),
    ...only,
    ...shipmentOf(record, status),
    ...resultsOf(status),
  }
  const isOfAppointment = isLegal && appointment !== undefined && canHappen(appointment, visit)
  const written: WrittenStep[] = [
    ...filled.map((one) => ({ fields: { after, status: one, ...only }, comment: FILLED })),
    {
      fields: { after, ...(isOfAppointment ? { appointment } : move) },
      ...(isForced && { comment: FORCED }),
    },
  ]
  return { filled, written }
}

const detailOf = ({ low, detail }: RecordedStatus) =>
  detail && detailsOf.get(low)?.includes(detail) ? { status_detail: detail } : {}

const directions: Partial<Record<LowStatus, keyof OrderRecord['couriers']>> = {
  transit_customer: 'outbound',
  transit_lab: 'inbound',
}

/** The courier, at the first status on its way. */
function shipmentOf({ couriers, statuses }: OrderRecord, status: RecordedStatus) {
  const direction = directions[status.low]
  const courier = direction && couriers[direction]
  const isFirst = statuses.find(({ low }) => low === status.low) === status
  return courier !== undefined && isFirst ? { shipment: { [`${direction}_courier`]: courier } } : {}
}

/** The results that were reported with a status. */
function resultsOf({ results: { interpretation, missing, values = {} } = {} }: RecordedStatus) {
  const results = {
    ...(interpretation && { interpretation }),
    ...(missing && { missing }),
    ...(Object.keys(values).length > 0 && { values }),
  }
  return Object.keys(results).length > 0 ? { results } : {}
}

function notesOn(record: OrderRecord, steps: readonly WrittenStep[]): string[] {
  const countOf = (comment: string) => steps.filter((step) => step.comment === comment).length
  const filled = countOf(FILLED)
  const forced = countOf(FORCED)
  return compact([
    'Left out: names, addresses, ids, dates, tracking numbers and documents.',
    record.isRedraw &&
      'This order is a redraw: place it with redraw: true in a world with the feature redraws.',
    filled > 0 &&
      `Filled in ${plural(filled, 'status', 'statuses')} that the record does not have, with equal waits.`,
    forced > 0 && `Forced ${plural(forced, 'status', 'statuses')} that the lifecycle does not have.`,
    record.statuses.some(({ results }) => Object.keys(results?.values ?? {}).length > 0) &&
      'Values apply to orders whose lab test has these results; others keep generated ones.',
  ])
}

const detailsLeftOut = (record: OrderRecord): string[] =>
  record.statuses
    .filter(({ low, detail }) => detail && !detailsOf.get(low)?.includes(detail))
    .map(({ low, detail }) => `Left out the detail ${detail} of ${low}, which does not go with it.`)
