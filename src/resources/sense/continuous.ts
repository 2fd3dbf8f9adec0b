import { valueError } from '../../api/issue.ts'
import type { Parsed } from '../../api/schema.ts'
import { toWire } from '../../kernel/instant.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { connections } from '../connections/table.ts'
import { resourceOf } from './data.ts'
import { addPruning, schedule, stopEvaluating } from './evaluate.ts'
import { planQuery } from './plan.ts'
import type { Query, QueryConfig } from './schema.ts'
import { type ContinuousQuery, continuousQueries, resultTables, tasks } from './table.ts'

export interface NewContinuousQuery {
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
  addPruning(world, query.id)
  return query
}

/** The resource and columns of a continuous query. Throws if the query cannot be continuous. */
export function checkContinuousQuery(query: NewContinuousQuery['query']) {
  const plan = planQuery(query, ['body', 'query'])
  const truncations = plan.keys.filter(({ by }) => by === 'trunc').length
  if (truncations !== 1) {
    const reason = `a continuous query groups by exactly one date_trunc, not ${truncations}`
    const loc = ['body', 'query', 'group_by']
    throw new Problem('invalid', [{ ...valueError(reason), loc, input: query.group_by }])
  }
  return { resource: resourceOf(plan), columns: plan.outputs.map(({ name }) => name) }
}

/** Changes the title of a query. */
export function renameContinuousQuery(world: World, id: string, title: string): ContinuousQuery {
  const query = findContinuousQuery(world, id)
  if (!query) throw new Problem('not_found', `There is no continuous query ${id}.`)
  return world.db.put(continuousQueries, { ...query, title })
}

export const listContinuousQueries = (world: World): ContinuousQuery[] => [...world.db.all(continuousQueries)]

export const findContinuousQuery = (world: World, idOrSlug: string): ContinuousQuery | undefined =>
  world.db.find(continuousQueries, idOrSlug) ?? world.db.by(continuousQueries, 'slug', idOrSlug)[0]

/** Deletes a query and its results. */
export function dropContinuousQuery(world: World, idOrSlug: string): void {
  const query = findContinuousQuery(world, idOrSlug)
  if (!query) throw new Problem('not_found', `There is no continuous query ${idOrSlug}.`)
  stopEvaluating(world, query.id)
  for (const id of world.db.idsBy(resultTables, 'query', query.id)) world.db.delete(resultTables, id)
  for (const id of world.db.idsBy(tasks, 'query', query.id)) world.db.delete(tasks, id)
  world.db.delete(continuousQueries, query.id)
}
