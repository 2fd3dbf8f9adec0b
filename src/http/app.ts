import { type Context, Hono } from 'hono'
import type { AnsweredCall } from '../api/answered-call.ts'
import type { AnyOperation } from '../api/operation.ts'
import type { Reply } from '../api/reply.ts'
import { hexOf } from '../world/requests.ts'
import { type HandlerOptions, handleOperation } from './handler.ts'
import { notFound } from './not-found.ts'
import { readOpenApi } from './openapi.ts'
import { addPage } from './page.ts'
import { replyToError } from './problems.ts'
import { type RoutedRequest, routedRequest } from './request.ts'
import { answeredCall, recordRequest } from './request-journal.ts'
import { toResponse } from './response.ts'
import { FixedPathsRouter } from './router.ts'
import { inMatchingOrder, toHonoPath } from './routes.ts'

export interface AppOptions extends HandlerOptions {
  readonly operations: readonly AnyOperation[]
  /** Operations that answer 501; not part of the OpenAPI document. */
  readonly planned?: readonly AnyOperation[]
  /** The wall clock, for the duration of calls. */
  readonly wall: () => number
  /** Told of each call when it is answered. */
  readonly onAnswered?: ((call: AnsweredCall) => void) | undefined
}

type Answer = (request: RoutedRequest) => Reply | Promise<Reply>

/** All of Petri's HTTP: a Hono app with a route for each operation. */
export function createApp(options: AppOptions): Hono {
  const { operations, planned = [], credentials, reportBug, wall, onAnswered } = options
  const routed = [...operations, ...planned]
  // RegExpRouter cannot express these routes, and trying it first, as Hono does, made a start 15 ms longer (Node 20).
  const app = new Hono<{ Variables: { request: RoutedRequest } }>({
    router: new FixedPathsRouter(),
    strict: false,
  })
  let answered = 0

  const finish = (request: RoutedRequest, reply: Reply): Response => {
    const ordinal = ++answered
    const now = wall()
    recordRequest(request, reply, ordinal, now)
    if (onAnswered && !request.isAside) onAnswered(answeredCall(request, reply, now))
    return toResponse(reply, hexOf(ordinal), request.method)
  }
  const handler = (answer: Answer, operation?: AnyOperation) => async (c: Context) => {
    const request = routedRequest(c, operation, wall())
    c.set('request', request)
    return finish(request, await answer(request))
  }

  addPage(app as unknown as Hono)
  app.get(
    '/openapi.json',
    handler(async () => ({ status: 200, body: await readOpenApi(), headers: {} })),
  )
  for (const operation of inMatchingOrder(routed)) {
    const [method, path] = operation.route.split(' ') as [string, string]
    app.on(
      method,
      toHonoPath(path),
      handler((request) => handleOperation(operation, request, options), operation),
    )
  }
  app.notFound(
    handler((request) => {
      request.world = credentials.findWorld(request.header)
      throw notFound(request.method, request.path, routed)
    }),
  )
  app.onError((error, c) => finish(c.get('request'), replyToError(error, reportBug)))
  return app as unknown as Hono
}
