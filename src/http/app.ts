import { Hono } from 'hono'
import type { AnyOperation } from '../contract/operation.ts'
import { hexOf } from '../world/requests.ts'
import { hintAt } from './hints.ts'
import { type Call, newCall, note } from './journal.ts'
import { openApiDocument } from './openapi.ts'
import { type Reply, replyToError } from './problems.ts'
import { headerReader, type NodeBindings, type RequestOf } from './request-of.ts'
import { FixedPathsFirst, inMatchingOrder, toHonoPath } from './routes.ts'
import { type ServeOptions, serve } from './serve.ts'

export interface AppOptions extends ServeOptions {
  readonly operations: readonly AnyOperation[]
  /** Routed, and left out of the OpenAPI document: what is not there yet. */
  readonly planned?: readonly AnyOperation[]
  /** The wall clock, by which is told how long a call took. */
  readonly wall: () => number
}

/** All of Petri's HTTP. Every request goes, top to bottom, through `serve`. */
export function createApp(options: AppOptions): Hono<{ Bindings: NodeBindings }> {
  const app = new Hono<{ Bindings: NodeBindings }>({ router: new FixedPathsFirst() })
  let answered = 0
  const { operations, planned = [], reportBug, wall } = options
  const routed = [...operations, ...planned]

  const guarded =
    (work: (c: RequestOf, call: Call) => Promise<Reply>, operation?: AnyOperation) =>
    async (c: RequestOf) => {
      const call = newCall(operation, wall())
      let reply: Reply
      try {
        reply = await work(c, call)
      } catch (error) {
        reply = replyToError(error, reportBug)
      }
      const ordinal = ++answered
      if (call.world) note(call, c, ordinal, reply, wall())
      return reply.isSent ? NEVER : toResponse(reply, hexOf(ordinal))
    }

  for (const operation of inMatchingOrder(routed)) {
    const [method, path] = operation.route.split(' ') as [string, string]
    app.on(
      method,
      toHonoPath(path),
      guarded((c, call) => serve(operation, c, call, options), operation),
    )
  }
  app.get(
    '/openapi.json',
    guarded(async () => ({ status: 200, body: openApiDocument(operations), headers: {} })),
  )
  app.all(
    '*',
    guarded(async (c, call) => {
      call.world = options.credentials.findWorld(headerReader(c))
      throw hintAt(c.req.method, c.req.path, routed)
    }),
  )
  return app
}

/** For whom nobody waits any more: their connection is gone. */
const NEVER = new Promise<never>(() => undefined)

function toResponse(
  { status, body, contentType = 'application/json', headers }: Reply,
  id: string,
): Response {
  // Not with spreads: Node 20 takes an object that begins with one for long-lived, and the answer with it.
  const sent: Record<string, string> = {
    'x-request-id': `req_${id}`,
    traceresponse: `00-${id}${id}-${id}-00`,
  }
  if (body !== null) sent['content-type'] = contentType
  for (const name in headers) sent[name] = headers[name] as string
  return new Response(body as string | Uint8Array<ArrayBuffer> | ReadableStream | null, {
    status,
    headers: sent,
  })
}
