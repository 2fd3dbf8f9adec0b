import { DAY_MS, SECOND_MS, toWire } from '../../kernel/instant.ts'
import { runInSlices } from '../../kernel/slices.ts'
import type { Job } from '../../scheduler/job.ts'
import type { World } from '../../world/world.ts'
import { eventSubject } from '../users/service.ts'
import { deletedUsers, users } from '../users/table.ts'
import { always, floatingText, truncate, type Window } from './calendar.ts'
import { senseData } from './data.ts'
import { answer, LimitExceeded, type ResultRow, sorted, toTable } from './engine.ts'
import { TABLE_CHANGED } from './events.ts'
import { type Plan, planQuery } from './plan.ts'
import { type ContinuousQuery, continuousQueries, resultId, resultTables, type Task, tasks } from './table.ts'

const EVALUATE = 'sense.evaluate'
const PRUNE = 'sense.prune'
const PRUNE_EVERY_MS = 7 * DAY_MS

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
export function schedule(world: World, queryId: string, userId: string, since: number | null): void {
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

/** Runs every week while the query exists, and deletes results of deleted users. */
export function addPruning(world: World, queryId: string): void {
  const due = world.clock.now() + PRUNE_EVERY_MS
  world.agenda.schedule({ due, kind: PRUNE, subject: queryId, recurring: true })
}

/** Cancels the pending evaluations of a query. */
export function stopEvaluating(world: World, queryId: string): void {
  world.agenda.cancel(PRUNE, queryId)
  for (const { status, user_id } of world.db.by(tasks, 'query', queryId))
    if (status === 'scheduled') world.agenda.cancel(EVALUATE, resultId(queryId, user_id))
}

export const senseJobs = {
  async [EVALUATE](world: World, { subject, data }: Job) {
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
  [PRUNE](world: World, { subject }: Job) {
    const isGone = (id: string) => !world.db.has(users, id) && !world.db.has(deletedUsers, id)
    for (const { user_id } of world.db.by(resultTables, 'query', subject))
      if (isGone(user_id)) world.db.delete(resultTables, resultId(subject, user_id))
    for (const { user_id, ordinal } of world.db.by(tasks, 'query', subject))
      if (isGone(user_id)) world.db.delete(tasks, String(ordinal))
    addPruning(world, subject)
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
  const lines = yield* sorted([...before.filter((line) => isBefore(plan, line, window)), ...newRows])
  if (lines.length > MAX_LINES) throw new LimitExceeded(`its table has more than ${MAX_LINES} rows`)
  const known = new Map(before.map((line) => [JSON.stringify(line.keys), JSON.stringify(line.cells)]))
  const changed = newRows.filter(
    ({ keys, cells }) => known.get(JSON.stringify(keys)) !== JSON.stringify(cells),
  )
  if (changed.length === 0 && lines.length === before.length) return
  world.db.put(resultTables, { query_id: query.id, user_id: userId, lines })
  if (changed.length === 0) return
  const table = toTable(plan, changed)
  const changes = [{ query_id: query.id, query_slug: query.slug, data: table }]
  world.emit(TABLE_CHANGED, eventSubject(world, userId), changes)
}

/** Starts at the group with the first change, minus a day for time zones behind UTC. */
function changedWindow(world: World, plan: Plan, since: number | null): Window {
  const period = periodOf(plan)
  const until = world.clock.now() + 2 * DAY_MS
  if (since === null || !period) return { from: always.from, until: Math.min(until, always.until) }
  const from = truncate(Math.max(since - DAY_MS, always.from), period)
  return { from, until: Math.min(until, always.until) }
}

function periodOf({ keys }: Plan) {
  const key = keys.find(({ by }) => by === 'trunc')
  return key?.by === 'trunc' ? key.period : undefined
}

function isBefore({ keys }: Plan, line: ResultRow, { from }: Window): boolean {
  const at = keys.findIndex(({ by }) => by === 'trunc')
  return String(line.keys[at] ?? '') < floatingText(Math.floor(from / SECOND_MS) * SECOND_MS)
}
