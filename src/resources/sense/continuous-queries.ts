import type { EventType, JobKinds } from '../../api/resource.ts'
import type { Parsed } from '../../api/schema.ts'
import { DAY_MS, toWire } from '../../kernel/instant.ts'
import { Problem } from '../../kernel/problem.ts'
import { runInSlices } from '../../kernel/slices.ts'
import { payloadText } from '../../world/append-event.ts'
import type { EventHead } from '../../world/events.ts'
import type { World } from '../../world/world.ts'
import { connections } from '../connections/table.ts'
import { eventSubject } from '../users/service.ts'
import { users } from '../users/table.ts'
import { always, floatingText, truncate, type Window } from './calendar.ts'
import { resourceOf, senseData } from './data.ts'
import { answer, LimitExceeded, toTable } from './engine.ts'
import { type Plan, planQuery } from './plan.ts'
import { type Query, type QueryConfig, ResultTableChanges } from './schema.ts'
import { type ContinuousQuery, continuousQueries, resultId, resultTables, type Task, tasks } from './table.ts'

const TABLE_CHANGED = 'continuous_query.result_table.changed'

export const senseEvents: readonly EventType[] = [{ name: TABLE_CHANGED, data: ResultTableChanges }]

interface NewContinuousQuery {
  readonly slug: string
  readonly title: string
  readonly query: Parsed<typeof Query>
  readonly query_config: Parsed<typeof QueryConfig>
}

/** Adds a continuous query and evaluates it for all connected users. */
export function defineContinuousQuery(world: World, input: NewContinuousQuery): ContinuousQuery {
  const { resource } = checkContinuousQuery(input.query)
  if (findContinuousQuery(world, input.slug))
    throw new Problem('conflict', `The continuous query ${input.slug} already exists.`)
  const query = world.db.put(continuousQueries, {
    id: world.newId('continuous_query'),
    ...input,
    created_at: toWire(world.clock.now()),
    resource,
  })
  const users = new Set([...world.db.all(connections)].map(({ user_id }) => user_id))
  for (const userId of users) schedule(world, query.id, userId, null)
  return query
}

/** The resource and columns of a continuous query. Throws if the query cannot be continuous. */
export function checkContinuousQuery(query: NewContinuousQuery['query']) {
  const plan = planQuery(query, ['body', 'query'], true)
  return { resource: resourceOf(plan), columns: columnsIn(plan) }
}

export const columnsOf = (query: NewContinuousQuery['query']) => columnsIn(planQuery(query))

const columnsIn = ({ outputs }: Plan) => outputs.map(({ name }) => name)

export const listContinuousQueries = (world: World): ContinuousQuery[] => [...world.db.all(continuousQueries)]

export const findContinuousQuery = (world: World, idOrSlug: string): ContinuousQuery | undefined =>
  world.db.find(continuousQueries, idOrSlug) ?? world.db.by(continuousQueries, 'slug', idOrSlug)[0]

/** Deletes a query and its results. */
export function dropContinuousQuery(world: World, queryId: string): void {
  for (const { status, user_id } of world.db.by(tasks, 'query', queryId))
    if (status === 'scheduled') world.agenda.cancel(EVALUATE, resultId(queryId, user_id))
  for (const id of world.db.idsBy(resultTables, 'query', queryId)) world.db.delete(resultTables, id)
  for (const id of world.db.idsBy(tasks, 'query', queryId)) world.db.delete(tasks, id)
  world.db.delete(continuousQueries, queryId)
}

const EVALUATE = 'sense.evaluate'

/** The maximum number of evaluations kept per query and user. */
const MAX_TASKS = 200
/** The maximum number of rows of a stored result table. */
const MAX_LINES = 10_000

/** The input of an evaluation. */
interface Due {
  readonly task: number
  /** The earliest changed data, in milliseconds since 1970; null for all data. */
  readonly since: number | null
}

/** Schedules an evaluation of a query for a user. */
function schedule(world: World, queryId: string, userId: string, since: number | null): void {
  const subject = resultId(queryId, userId)
  const waiting = world.agenda.find(EVALUATE, subject)?.data as Due | undefined
  if (waiting && (waiting.since === null || (since !== null && since >= waiting.since))) return
  const task = waiting?.task ?? addTask(world, queryId, userId)
  const data: Due = { task, since }
  world.agenda.schedule({ due: world.clock.now(), kind: EVALUATE, subject, data })
}

function addTask(world: World, query_id: string, user_id: string): number {
  const ordinal = world.next('query_task')
  const now = toWire(world.clock.now())
  const entry = { query_id, user_id, status: 'scheduled' as const, scheduled_at: now }
  world.db.put(tasks, { ...entry, ordinal, started_at: null, ended_at: null, error_details: null })
  const ids = world.db.idsBy(tasks, 'subject', resultId(query_id, user_id))
  for (const id of ids.slice(0, -MAX_TASKS)) world.db.delete(tasks, id)
  return ordinal
}

export const senseJobs: JobKinds = {
  [EVALUATE]: {
    does: 'a continuous query is evaluated',
    async run(world, { subject, data }) {
      const [queryId = '', userId = ''] = subject.split('/')
      const { task: ordinal, since } = data as Due
      const query = world.db.find(continuousQueries, queryId)
      const task = world.db.find(tasks, String(ordinal))
      if (!query || !task) return
      const now = toWire(world.clock.now())
      const outcome = await runInSlices(outcomeOf(world, query, userId, since))
      if (!world.db.has(tasks, String(ordinal))) return
      world.db.put(tasks, { ...task, started_at: now, ended_at: now, ...outcome })
    },
  },
}

function* outcomeOf(
  world: World,
  query: ContinuousQuery,
  userId: string,
  since: number | null,
): Generator<void, Pick<Task, 'status' | 'error_details'>> {
  if (!world.db.has(users, userId)) return { status: 'skipped', error_details: null }
  try {
    yield* evaluate(world, query, userId, since)
    return { status: 'completed', error_details: null }
  } catch (error) {
    if (!(error instanceof LimitExceeded)) throw error
    return { status: 'error', error_details: error.message }
  }
}

/** Evaluates a query for changed data, and announces new and changed rows. */
function* evaluate(
  world: World,
  query: ContinuousQuery,
  userId: string,
  since: number | null,
): Generator<void, void> {
  const plan = planQuery(query.query)
  const window = changedWindow(world, plan, since)
  const data = senseData(world, userId, query.query_config.provider_priority_overrides ?? [])
  const newRows = yield* answer(plan, data, window)
  if (!world.db.has(continuousQueries, query.id)) return
  const before = world.db.find(resultTables, resultId(query.id, userId))?.lines ?? []
  const start = floatingText(window.from)
  const isBefore = ({ keys }: (typeof before)[number]) => String(keys[plan.bucket?.key ?? 0]) < start
  const lines = [...before.filter(isBefore), ...newRows]
  if (lines.length > MAX_LINES) throw new LimitExceeded(`its table has more than ${MAX_LINES} rows`)
  const known = new Set(before.map((line) => JSON.stringify(line)))
  const changed = newRows.filter((line) => !known.has(JSON.stringify(line)))
  if (changed.length === 0 && lines.length === before.length) return
  world.db.put(resultTables, { query_id: query.id, user_id: userId, lines })
  if (changed.length === 0) return
  const table = toTable(plan, changed)
  const changes = [{ query_id: query.id, query_slug: query.slug, data: table }]
  world.emit(TABLE_CHANGED, eventSubject(world, userId), changes)
}

/** Starts at the group with the first change, minus a day for time zones behind UTC; at the first of all where values are carried into later groups. */
function changedWindow(world: World, { bucket }: Plan, since: number | null): Window {
  const until = Math.min(world.clock.now() + 2 * DAY_MS, always.until)
  if (since === null || !bucket || bucket.maxAge !== false) return { from: always.from, until }
  return { from: truncate(Math.max(since - DAY_MS, always.from), bucket.period), until }
}

const DATA_EVENT = /^(?:daily|historical)\.data\.(\w+)\.(?:created|updated)$/
/** The instant or date of the first data in the JSON of an event. */
const FIRST = /"(?:timestamp|calendar_date|period_start|start_date)":"([^"]+)"/

/** Schedules the queries that read the new data. */
export function scheduleQueries(world: World, { id, event_type, user_id }: EventHead): void {
  const [, resource] = DATA_EVENT.exec(event_type) ?? []
  if (!resource || user_id === null || world.db.count(continuousQueries) === 0) return
  const queries = world.db.idsBy(continuousQueries, 'resource', resource)
  if (queries.length === 0) return
  const first = Date.parse(FIRST.exec(payloadText(world, id))?.[1] ?? '')
  for (const query of queries) schedule(world, query, user_id, Number.isNaN(first) ? null : first)
}
