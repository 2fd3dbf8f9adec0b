import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context } from 'hono'
import type { Manager } from '../api/credentials.ts'
import type { AnyOperation } from '../api/operation.ts'
import type { RequestContext } from '../scheduler/context.ts'
import type { RequestHeaders } from '../world/requests.ts'
import type { World } from '../world/world.ts'

/** Passed by `@hono/node-server` with a request; both are undefined for a request made in this process. */
export interface NodeBindings {
  readonly incoming?: IncomingMessage
  readonly outgoing?: ServerResponse
}

/** A request with what the steps of the handler add to it. */
export interface RoutedRequest {
  readonly c: Context
  readonly node: NodeBindings
  /** Undefined for a path that no operation has. */
  readonly operation: AnyOperation | undefined
  readonly method: string
  /** Percent-decoded, except for reserved characters such as a slash. */
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly header: (name: string) => string | undefined
  /** A read by Petri's own page: not recorded, not counted, without faults and unknown fields. */
  readonly isAside: boolean
  /** Collects the events it causes. */
  readonly context: RequestContext
  /** Wall clock, in milliseconds since 1970. */
  readonly startedAt: number
  /** Set by authentication. */
  world: World | undefined
  manager: Manager | undefined
  /** The body as it came; of a form, its fields. */
  bodyText: string
  /** The fault that was injected. */
  faultId: string | null
}

export const routedRequest = (
  c: Context,
  operation: AnyOperation | undefined,
  startedAt: number,
): RoutedRequest => ({
  c,
  node: (c.env ?? {}) as NodeBindings,
  operation,
  method: c.req.method,
  path: c.req.path,
  params: c.req.param(),
  header: (name) => c.req.header(name),
  isAside: c.req.method === 'GET' && c.req.header('x-petri-aside') === '1',
  context: { events: [] },
  startedAt,
  world: undefined,
  manager: undefined,
  bodyText: '',
  faultId: null,
})

/** The address a request came from; undefined when it was made in this process. */
export const peerOf = ({ node: { incoming } }: RoutedRequest): string | undefined =>
  incoming && (incoming.socket.remoteAddress ?? 'unknown')

export const headersOf = ({ node: { incoming }, c }: RoutedRequest): RequestHeaders =>
  incoming?.headers ?? c.req.header()

/** The path and query as they were sent, without the prefix under which the app is mounted in another. */
export function targetOf({ c, path, operation }: RoutedRequest): string {
  const { url } = c.req
  const target = url.slice(url.indexOf('/', url.indexOf('//') + 2)).replace(/#.*/, '')
  const prefixLength = operation ? path.split('/').length - operation.route.split('/').length : 0
  return prefixLength > 0
    ? `/${target
        .split('/')
        .slice(prefixLength + 1)
        .join('/')}`
    : target
}

/** The query string, without the question mark and the fragment. */
export function queryStringOf({ c }: RoutedRequest): string {
  const { url } = c.req
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark + 1).replace(/#.*/, '')
}

/** Aborted when the client disconnects before the response. */
export function clientSignal({ c, node: { outgoing } }: RoutedRequest): AbortSignal {
  if (!outgoing) return c.req.raw.signal
  const controller = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) controller.abort()
  })
  return controller.signal
}
