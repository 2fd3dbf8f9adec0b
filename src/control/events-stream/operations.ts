import * as z from 'zod'
import { maybe, text } from '../../api/fields.ts'
import { CustomResponse, operation } from '../../api/operation.ts'
import { unnamed } from '../../api/schema.ts'
import { openStream } from './service.ts'

const StreamQuery = unnamed(() =>
  z.object({
    kinds: maybe(text()).describe('Kinds to send, such as "order,delivery"; all by default.'),
  }),
)

const StreamHeaders = unnamed(() =>
  z.object({
    'last-event-id': maybe(text()).describe(
      'The id of the last event that was seen; later events are sent first.',
    ),
  }),
)

/** `wall` reads the wall clock. */
export const eventStreamOperations = (wall: () => number) => [
  operation({
    id: 'petri_events',
    route: 'GET /_petri/events',
    summary:
      'Calls, order moves, events, deliveries, changes and progress of this world as they happen (server-sent events)',
    query: StreamQuery,
    headers: StreamHeaders,
    produces: 'text/event-stream',
    run(world, { query, headers: sent }) {
      const kinds = query.kinds?.split(',').map((kind) => kind.trim())
      const headers = { 'cache-control': 'no-store', 'x-accel-buffering': 'no' }
      const stream = openStream(world, { kinds, lastEventId: sent['last-event-id'] ?? undefined, wall })
      return new CustomResponse<undefined>(200, stream, 'text/event-stream', headers)
    },
  }),
]
