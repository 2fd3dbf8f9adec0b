import * as z from 'zod'
import { field, maybe, text } from '../../api/fields.ts'
import { valueError } from '../../api/issue.ts'
import { CustomResponse, operation } from '../../api/operation.ts'
import { unnamed } from '../../api/schema.ts'
import { didYouMean } from '../../kernel/nearest.ts'
import { eventKinds } from './publish.ts'
import { openStream } from './service.ts'

/** Kinds with commas between them. */
const kinds = () =>
  field({ type: 'string', examples: ['order,delivery'] }, (input) => {
    const given = String(input)
      .split(',')
      .map((kind) => kind.trim())
    const unknown = given.find((kind) => !eventKinds.some((known) => known === kind))
    if (unknown === undefined) return given
    const hint = didYouMean(unknown, eventKinds) || ` The kinds are ${eventKinds.join(', ')}.`
    return valueError(`"${unknown}" is not a kind of event.${hint}`)
  })

const StreamQuery = unnamed(() =>
  z.object({
    kinds: maybe(kinds()).describe('Kinds to send, such as "order,delivery"; all by default.'),
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
      const headers = { 'cache-control': 'no-store', 'x-accel-buffering': 'no' }
      const stream = openStream(world, {
        kinds: query.kinds ?? undefined,
        lastEventId: sent['last-event-id'] ?? undefined,
        wall,
      })
      return new CustomResponse<undefined>(200, stream, 'text/event-stream', headers)
    },
  }),
]
