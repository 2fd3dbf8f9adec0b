import * as z from 'zod'
import { maybe, text } from '../../api/fields.ts'
import { CustomResponse, operation } from '../../api/operation.ts'
import { unnamed } from '../../api/schema.ts'
import { openStream } from './service.ts'

const StreamQuery = unnamed(() =>
  z.object({
    kinds: maybe(text()).describe('Only these, such as "order,delivery"; all if left out.'),
  }),
)

export const eventStreamOperations = [
  operation({
    id: 'petri_events',
    route: 'GET /_petri/events',
    tag: 'petri',
    summary: 'Calls, order moves, events and deliveries of this world as they happen (server-sent events)',
    query: StreamQuery,
    produces: 'text/event-stream',
    run(world, { query }) {
      const kinds = query.kinds?.split(',').map((kind) => kind.trim())
      const headers = { 'cache-control': 'no-store', 'x-accel-buffering': 'no' }
      return new CustomResponse<undefined>(200, openStream(world, kinds), 'text/event-stream', headers)
    },
  }),
]
