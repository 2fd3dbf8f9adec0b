import * as z from 'zod'
import type { AnyOperation } from '../api/operation.ts'
import { type Parsed, unnamed } from '../api/schema.ts'
import { parseDuration } from '../kernel/duration.ts'
import { inLowerCase } from '../kernel/http-call.ts'
import { didYouMean } from '../kernel/nearest.ts'
import type { FaultInput } from './model.ts'

/** The maximum delay of a response, in milliseconds. */
export const MAX_LATENCY_MS = 300_000
/** The maximum number of faults in a request. */
export const MAX_FAULTS = 100

const latencyText = () =>
  z
    .string()
    .refine((text) => (parseDuration(text) ?? Number.POSITIVE_INFINITY) <= MAX_LATENCY_MS, {
      error: 'is not a duration of up to 5m; write 200ms or 3s',
    })
    .meta({ examples: ['200ms', '3s'] })

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/
const HEADER_VALUE = /^[\t\x20-\x7e]{0,1000}$/

/** A fault in a scenario file or request. */
export const FaultFields = unnamed(() =>
  z.strictObject({
    operation: z
      .string()
      .min(1)
      .max(500)
      .describe('The operation it applies to: an id, or a route such as GET /v3/order/{order_id}.'),
    times: z
      .int()
      .min(1)
      .nullish()
      .describe('The number of calls it applies to; without a limit if null or left out.'),
    rate: z
      .number()
      .min(0)
      .max(1)
      .nullish()
      .describe('The share of calls it applies to, from 0 to 1; all by default. The seed decides which.'),
    after: z.int().min(0).nullish().describe('The number of calls that pass before it applies.'),
    respond: z
      .strictObject({
        status: z.int().min(200).max(599),
        detail: z
          .unknown()
          .optional()
          .describe("The `detail` of the body; the service's usual message if left out."),
        body: z
          .unknown()
          .optional()
          .describe(
            'The whole body instead of detail: any JSON, or a text, which is sent as it is. An empty text sends no body. Sent as application/json or text/plain, unless headers say otherwise.',
          ),
        headers: z
          .record(z.string().regex(HEADER_NAME), z.string().regex(HEADER_VALUE))
          .nullish()
          .describe('Response headers, such as retry-after.'),
      })
      .nullish()
      .describe(
        'The response to send instead: a status, and optionally detail or body, and headers. The operation does not run.',
      ),
    latency: z
      .union([latencyText(), z.strictObject({ min: latencyText(), max: latencyText() })])
      .nullish()
      .describe('A delay of the response in real time, such as 2s, or between min and max.'),
    drop: z
      .enum(['reset', 'truncate'])
      .nullish()
      .describe(
        'How the connection breaks. reset: no response, and the operation does not run. truncate: the operation runs, and the response breaks off.',
      ),
  }),
)

export type FaultFieldsInput = Parsed<typeof FaultFields>

/** Headers that determine the end of a response. */
const FRAMING = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** An error of a fault beyond its single fields; undefined if there is none. */
export function whyInvalidFault({ respond, latency, drop }: FaultFieldsInput): string | undefined {
  if (!respond && !latency && !drop) return 'has no effect; give respond, latency or drop'
  if (respond && drop === 'reset') return 'cannot both respond and reset the connection'
  if (respond && respond.body !== undefined && respond.detail !== undefined)
    return 'gives both detail and body; detail is a part of the usual body'
  const framing = Object.keys(respond?.headers ?? {}).find((name) => FRAMING.has(name.toLowerCase()))
  if (framing) return `cannot set the header ${framing}, which belongs to the connection`
  if (latency && typeof latency === 'object' && toMs(latency.min) > toMs(latency.max)) {
    return 'has a latency whose min is more than its max'
  }
  return undefined
}

const toMs = (text: string) => parseDuration(text) ?? 0

export function toFaultInput(written: FaultFieldsInput, operationId: string): FaultInput {
  const { operation, times = null, rate, after, respond, latency, drop } = written
  return {
    operation,
    operation_id: operationId,
    order_id: null,
    times,
    rate: rate ?? 1,
    after: after ?? 0,
    respond: respond ? replyOf(respond) : null,
    latency: latency ? rangeOf(latency) : null,
    drop: drop ?? null,
  }
}

const replyOf = ({ headers, ...respond }: NonNullable<FaultFieldsInput['respond']>) => ({
  ...respond,
  headers: headers ? inLowerCase(headers) : undefined,
})

function rangeOf(latency: NonNullable<FaultFieldsInput['latency']>) {
  const { min, max } = typeof latency === 'string' ? { min: latency, max: latency } : latency
  return { min: Math.round(toMs(min)), max: Math.round(toMs(max)) }
}

type Identified = Pick<AnyOperation, 'id' | 'route'>

/** The operation with this id or route; the names of path parameters do not matter. */
export function findOperation(name: string, operations: readonly Identified[]): Identified | undefined {
  const byId = operations.find(({ id }) => id === name)
  if (byId) return byId
  const wanted = shapeOf(name)
  return operations.find(({ route }) => shapeOf(route) === wanted)
}

/** ` Did you mean "x"?` with the nearest id or route. */
export function nearestOperation(name: string, operations: readonly Identified[]): string {
  const names = operations.flatMap(({ id, route }) => (name.includes('/') ? [route] : [id]))
  return didYouMean(name, names)
}

function shapeOf(route: string): string {
  const [method = '', path = ''] = route.trim().split(/\s+/)
  return `${method.toUpperCase()} ${path.replace(/\{[^}]*\}/g, '{}').replace(/(.)\/$/, '$1')}`
}
