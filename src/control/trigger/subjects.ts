import type { Parsed } from '../../api/schema.ts'
import { DAY_MS, toDate } from '../../kernel/instant.ts'
import { JsonText } from '../../kernel/json.ts'
import { badRequest, notFound, orNotFound } from '../../kernel/problem.ts'
import { runInSlices } from '../../kernel/slices.ts'
import { appointments } from '../../resources/appointments/table.ts'
import { getQuote, getSession, publicOf } from '../../resources/checkout/service.ts'
import { availabilityOf, getConnected, listDevices, pullOf } from '../../resources/connecting/service.ts'
import { type Connection, historyOf } from '../../resources/connections/table.ts'
import { getTracking } from '../../resources/order-tracking/service.ts'
import { criticalResult } from '../../resources/orders/events.ts'
import { getOrder } from '../../resources/orders/service.ts'
import { getProvider, providerName } from '../../resources/providers/service.ts'
import { getJob, presentJob } from '../../resources/report-parser/service.ts'
import { toTable } from '../../resources/sense/engine.ts'
import { planQuery } from '../../resources/sense/plan.ts'
import { continuousQueries, resultId, resultTables } from '../../resources/sense/table.ts'
import { findSummary, listInSteps, type Summary } from '../../resources/summaries/service.ts'
import { connectionSamples, feedOf } from '../../resources/timeseries/feeds.ts'
import { eventsOfBatch, findSeries } from '../../resources/timeseries/service.ts'
import { unmatchedResults } from '../../resources/unmatched-results/table.ts'
import { getUser } from '../../resources/users/service.ts'
import type { World } from '../../world/world.ts'
import type { Trigger } from './schema.ts'

/** The subject of an event, and its body; undefined if there is no data for one. */
export interface Subject {
  readonly userId: string | null
  readonly orderId?: string
  /** Whether the body of the event names no user. */
  readonly isOfTeam?: boolean
  readonly body: unknown
}

const ofTeam = { userId: null, isOfTeam: true }

type TriggerInput = Parsed<typeof Trigger>
type IdField = Exclude<keyof TriggerInput, 'event_type' | 'data'>

interface SubjectKind {
  readonly eventTypes: RegExp
  readonly noun: string
  /** The sets of fields that identify it. */
  readonly ways: readonly (readonly IdField[])[]
  find(world: World, input: TriggerInput, signal: AbortSignal | undefined): Subject | Promise<Subject>
}

const subjectKinds: readonly SubjectKind[] = [
  {
    eventTypes: /^labtest\.(order|order_tracking|result)\./,
    noun: 'an order',
    ways: [['order_id']],
    find: findOrder,
  },
  {
    eventTypes: /^labtest\.appointment\./,
    noun: 'an appointment',
    ways: [['appointment_id'], ['order_id']],
    find: findAppointment,
  },
  {
    eventTypes: /^labtest\.match_review\./,
    noun: 'an unmatched result',
    ways: [['raw_result_id']],
    find: findUnmatchedResult,
  },
  {
    eventTypes: /^checkout\.quote\./,
    noun: 'a quote',
    ways: [['quote_id']],
    find: (world, { quote_id = '' }) => ({ ...ofTeam, body: getQuote(world, quote_id) }),
  },
  {
    eventTypes: /^checkout\.session\./,
    noun: 'a checkout session',
    ways: [['checkout_session_id']],
    find: (world, { checkout_session_id: id = '' }) => ({ ...ofTeam, body: publicOf(getSession(world, id)) }),
  },
  {
    eventTypes: /^lab_report\./,
    noun: 'a parsing job',
    ways: [['job_id']],
    find: findParsingJob,
  },
  {
    eventTypes: /^continuous_query\./,
    noun: 'a user',
    ways: [['user_id']],
    find: findResultTables,
  },
  {
    eventTypes: /^(provider|historical|daily)\./,
    noun: "a user's connection",
    ways: [['user_id', 'provider']],
    find: findConnection,
  },
]

const idFields = new Set(subjectKinds.flatMap(({ ways }) => ways.flat()))

/** Finds what an event is about; throws if the wrong ids are given, or none. `signal` ends a long search. */
export async function findSubject(
  world: World,
  input: TriggerInput,
  signal: AbortSignal | undefined,
): Promise<Subject> {
  const { event_type: type } = input
  const kind = subjectKinds.find(({ eventTypes }) => eventTypes.test(type))
  if (!kind) throw new Error(`no object is known for ${type}`)
  const { noun, ways } = kind
  const given = [...idFields].filter((field) => input[field] !== undefined)
  const fits = ways.some((way) => way.length === given.length && way.every((field) => given.includes(field)))
  if (fits) return kind.find(world, input, signal)
  const wanted = ways.map((way) => way.join(' and ')).join(', or ')
  const instead = given.length > 0 ? `, not by ${given.join(' and ')}` : ''
  throw badRequest(`${type} is about ${noun}, named by ${wanted}${instead}.`)
}

function findOrder(world: World, { event_type, order_id = '' }: TriggerInput): Subject {
  const order = getOrder(world, order_id)
  const subject = { userId: order.user_id, orderId: order_id }
  if (event_type === 'labtest.order_tracking.updated')
    return { ...subject, body: getTracking(world, order_id) }
  if (event_type !== 'labtest.result.critical') return { ...subject, body: order }
  const status = order.last_event.status.endsWith('.partial_results') ? 'partial' : 'final'
  return { ...subject, body: criticalResult(world, order, status) }
}

function findAppointment(world: World, { appointment_id, order_id = '' }: TriggerInput): Subject {
  const row =
    appointment_id === undefined
      ? world.db.by(appointments, 'order', getOrder(world, order_id).id).at(-1)
      : world.db.find(appointments, appointment_id)
  if (row) return { userId: row.user_id, orderId: row.order_id, body: row }
  const whose =
    appointment_id === undefined ? `The order ${order_id} has no appointment` : 'No such appointment'
  throw notFound(`${whose}; book one first.`)
}

function findUnmatchedResult(world: World, { raw_result_id = '' }: TriggerInput): Subject {
  const missing = `There is no unmatched result ${raw_result_id}.`
  const row = orNotFound(world.db.find(unmatchedResults, raw_result_id), missing)
  const [group, ...others] = row.candidate_groups
  const onlyUser = others.length === 0 ? (group?.user_id ?? null) : null
  const body = {
    id: row.id,
    status: row.status,
    decision_code: row.decision_code,
    sub_reason_codes: row.sub_reason_codes,
    resolution_action: row.resolution_action,
    resolved_user_id: row.resolved_user_id,
    resolved_order_id: row.resolved_order_id,
  }
  return { userId: row.resolved_user_id ?? onlyUser, body }
}

function findParsingJob(world: World, { job_id = '' }: TriggerInput): Subject {
  const job = getJob(world, job_id)
  return { userId: job.user_id, body: presentJob(job) }
}

/** The results of a user's continuous queries. */
function findResultTables(world: World, { user_id = '' }: TriggerInput): Subject {
  const userId = getUser(world, user_id).user_id
  const tables = [...world.db.all(continuousQueries)].flatMap(({ id, slug, query }) => {
    const result = world.db.find(resultTables, resultId(id, userId))
    return result ? [{ query_id: id, query_slug: slug, data: toTable(planQuery(query), result.lines) }] : []
  })
  return { userId, body: tables.length > 0 ? tables : undefined }
}

/** How many days back data for an event is searched, and how many samples the event contains. */
const MAX_DAYS = 30
const MAX_SAMPLES = 50

async function findConnection(
  world: World,
  { event_type, user_id = '', provider = '' }: TriggerInput,
  signal: AbortSignal | undefined,
): Promise<Subject> {
  const userId = getUser(world, user_id).user_id
  const connection = getConnected(world, userId, provider)
  const [family, , resource = ''] = event_type.split('.')
  if (family === 'provider') return { userId, body: providerBody(world, event_type, connection) }
  const { resources } = getProvider(provider)
  if (!resources.includes(resource)) {
    throw badRequest(`${provider} has no ${resource}; it has ${resources.join(', ')}.`)
  }
  const body =
    family === 'historical'
      ? historyBody(world, connection, resource)
      : await runInSlices(collectedBody(world, event_type, resource, connection), signal)
  return { userId, body }
}

function providerBody(world: World, eventType: string, connection: Connection): unknown {
  const { user_id, provider, external_user_id, error } = connection
  if (eventType === 'provider.connection.created') {
    const name = providerName(world, provider)
    const resource_availability = availabilityOf(connection)
    return { user_id, provider: name, source: name, external_user_id, resource_availability }
  }
  if (eventType === 'provider.connection.error') {
    const message = error?.error_message ?? 'The token could not be refreshed'
    const error_type = error?.error_type ?? 'token_refresh_failed'
    return { user_id, provider, error_type, error_details: message, message }
  }
  return listDevices(world, user_id).find((device) => device.provider === provider)
}

function historyBody(world: World, connection: Connection, resource: string) {
  const now = world.clock.now()
  return historyOf(connection, pullOf(world, connection, resource) ?? { from: now, until: now })
}

/** The latest data of a resource, found in steps. */
function* collectedBody(
  world: World,
  eventType: string,
  resource: string,
  connection: Connection,
): Generator<void, unknown> {
  const what = eventType.endsWith('.updated') ? 'updated' : 'created'
  const now = world.clock.now()
  const summary = findSummary(resource)
  if (summary) return yield* latestSummary(world, summary, connection)
  const series = findSeries(resource)
  if (!series) return undefined
  for (let days = 1; days <= MAX_DAYS; days++) {
    const range = { from: now - days * DAY_MS, until: now - (days - 1) * DAY_MS, asOf: now }
    const samples = [...connectionSamples(world, series, connection, range)]
    yield
    if (samples.length === 0) continue
    const batch = samples.slice(-MAX_SAMPLES)
    const data = [...eventsOfBatch(world, feedOf(series, connection), what, batch)].at(-1)?.data
    return data instanceof JsonText ? JSON.parse(data.text) : data
  }
  return undefined
}

/** Searches recent days first, because a whole month is slow. */
function* latestSummary(
  world: World,
  summary: Summary,
  { user_id, provider }: Connection,
): Generator<void, unknown> {
  const now = world.clock.now()
  for (const days of [1, MAX_DAYS]) {
    const wanted = { first: toDate(now - days * DAY_MS), last: toDate(now + DAY_MS), provider }
    const found = yield* listInSteps(world, summary, user_id, wanted)
    const latest = found.at(-1)
    if (latest) return latest.item
  }
  return undefined
}
