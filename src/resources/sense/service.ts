import { valueError } from '../../api/issue.ts'
import { pageAfter } from '../../api/pagination.ts'
import type { Parsed } from '../../api/schema.ts'
import { omit } from '../../kernel/fields.ts'
import { orNotFound, Problem } from '../../kernel/problem.ts'
import { earlierWorkDone } from '../../world/earlier-work.ts'
import type { World } from '../../world/world.ts'
import { getUser } from '../users/service.ts'
import { always, type Period, type Window, windowUntil } from './calendar.ts'
import { findContinuousQuery } from './continuous-queries.ts'
import { senseData } from './data.ts'
import { answer, LimitExceeded, type Table, tableOf } from './engine.ts'
import { planQuery } from './plan.ts'
import type { HistoryQuery, QueryBatch, TaskHistory } from './schema.ts'
import { type ContinuousQuery, resultId, resultTables, tasks } from './table.ts'

export {
  checkContinuousQuery,
  columnsOf,
  defineContinuousQuery,
  dropContinuousQuery,
  listContinuousQueries,
} from './continuous-queries.ts'

/** Evaluates each query of a call. Yields between its steps. */
export function* runQueries(
  world: World,
  userId: string,
  { timeframe, queries, config }: Parsed<typeof QueryBatch>,
): Generator<void, Table[]> {
  getUser(world, userId)
  const window = windowOf(timeframe)
  const plans = queries.map((query, at) => planQuery(query, ['body', 'queries', at]))
  const data = senseData(world, userId, config?.provider_priority_overrides ?? [])
  const tables: Table[] = []
  for (const [at, plan] of plans.entries()) {
    try {
      const lines = yield* answer(plan, data, window)
      tables.push(yield* tableOf(plan, lines))
    } catch (error) {
      if (!(error instanceof LimitExceeded)) throw error
      throw new Problem('invalid', [
        { ...valueError(error.message), loc: ['body', 'queries', at], input: queries[at] },
      ])
    }
  }
  return tables
}

function windowOf(timeframe: Parsed<typeof QueryBatch>['timeframe']): Window {
  const { anchor, past } = timeframe
  // A placeholder stands for the window of a continuous query; here it means no limit.
  return typeof anchor === 'string' ? windowUntil(anchor, past as Period) : always
}

/** Resolves once the due evaluations of a frozen world are done. */
export async function evaluated(world: World, userId: string, idOrSlug: string): Promise<void> {
  const query = getContinuousQuery(world, userId, idOrSlug)
  const all = world.db.by(tasks, 'subject', resultId(query.id, userId))
  if (all.some(({ status }) => status === 'scheduled')) await earlierWorkDone(world)
}

/** The last result of a continuous query for a user; without rows before the first evaluation. Yields between its steps. */
export function* readResultTable(world: World, userId: string, idOrSlug: string): Generator<void, Table> {
  const query = getContinuousQuery(world, userId, idOrSlug)
  const known = world.db.find(resultTables, resultId(query.id, userId))
  const plan = planQuery(query.query)
  return yield* tableOf(plan, known?.lines ?? [])
}

/** The evaluations of a continuous query for a user, latest first. */
export function readTaskHistory(
  world: World,
  userId: string,
  idOrSlug: string,
  { limit, next_cursor }: Parsed<typeof HistoryQuery>,
): Parsed<typeof TaskHistory> {
  const query = getContinuousQuery(world, userId, idOrSlug)
  const subject = resultId(query.id, userId)
  const { items, nextCursor } = pageAfter(
    {
      of: ['query_tasks', subject],
      rows: world.db.by(tasks, 'subject', subject).sort((a, b) => a.ordinal - b.ordinal),
      idOf: ({ ordinal }) => String(ordinal),
      keyOf: ({ ordinal }) => ordinal,
      order: 'desc',
    },
    next_cursor,
    limit,
  )
  return { data: items.map((task) => omit(task, 'ordinal')), next_cursor: nextCursor }
}

function getContinuousQuery(world: World, userId: string, idOrSlug: string): ContinuousQuery {
  getUser(world, userId)
  return orNotFound(findContinuousQuery(world, idOrSlug), 'Not found')
}
