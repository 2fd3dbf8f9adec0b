import { payloadText } from '../../world/append-event.ts'
import type { EventHead } from '../../world/events.ts'
import type { World } from '../../world/world.ts'
import { schedule } from './evaluate.ts'
import { continuousQueries } from './table.ts'

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
