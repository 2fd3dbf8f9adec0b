import { toTable } from '../../resources/sense/engine.ts'
import { planQuery } from '../../resources/sense/plan.ts'
import { continuousQueries, resultId, resultTables } from '../../resources/sense/table.ts'
import type { World } from '../../world/world.ts'

/** The results of a user's continuous queries; undefined if there are none. */
export function resultTablesBody(world: World, userId: string): unknown {
  const tables = [...world.db.all(continuousQueries)].flatMap(({ id, slug, query }) => {
    const answered = world.db.find(resultTables, resultId(id, userId))
    return answered
      ? [{ query_id: id, query_slug: slug, data: toTable(planQuery(query), answered.lines) }]
      : []
  })
  return tables.length > 0 ? tables : undefined
}
