import type { RequestListener } from 'node:http'
import type { AnyOperation } from '../api/operation.ts'
import type { Reply } from '../api/reply.ts'
import { hexOf } from '../world/requests.ts'
import { fromFetch, toResponse } from './by-fetch.ts'
import { listenerOf } from './by-socket.ts'
import { hintAt } from './not-found.ts'
import { openApiDocument } from './openapi.ts'
import { type Finished, replyToError } from './problems.ts'
import { newCall, note } from './request-journal.ts'
import type { RequestOf } from './request-of.ts'
import { inMatchingOrder, Routes } from './routes.ts'
import { type ServeOptions, serve } from './serve.ts'

export interface AppOptions extends ServeOptions {
  readonly operations: readonly AnyOperation[]
  /** Routed, and left out of the OpenAPI document: what is not there yet. */
  readonly planned?: readonly AnyOperation[]
  /** The wall clock, by which is told how long a call took. */
  readonly wall: () => number
}

/** All of Petri's HTTP. */
export interface App {
  /** Serves what comes to a server of Node. */
  readonly listener: RequestListener
  /** Serves a request made in this process, as if it came from an address. */
  fetch(request: Request, peer?: string): Promise<Response>
  /** The same for a path or URL. */
  request(path: string, init?: RequestInit, peer?: string): Promise<Response>
}

/** Every request goes, top to bottom, through `serve`, whichever way it came. */
export function createApp(options: AppOptions): App {
  const { operations, planned = [], reportBug, wall } = options
  const routed = [...operations, ...planned]
  const routes = new Routes<AnyOperation | typeof OPEN_API>()
  routes.add('GET /openapi.json', OPEN_API)
  for (const operation of inMatchingOrder(routed)) routes.add(operation.route, operation)
  let answered = 0

  const answer = async (request: RequestOf): Promise<Finished | undefined> => {
    const { method, path } = request
    const found = routes.find(method === 'HEAD' ? 'GET' : method, path)
    const operation = found?.served === OPEN_API ? undefined : found?.served
    const call = newCall(operation, wall())
    let reply: Reply
    try {
      if (found && operation) reply = await serve(operation, { request, params: found.params }, call, options)
      else if (found) reply = { status: 200, body: openApiDocument(operations), headers: {} }
      else {
        call.world = options.credentials.findWorld((name) => request.header(name))
        throw hintAt(method, path, routed)
      }
    } catch (error) {
      reply = replyToError(error, reportBug)
    }
    const ordinal = ++answered
    if (call.world) note(call, request, ordinal, reply, wall())
    return reply.isSent ? undefined : finished(reply, hexOf(ordinal))
  }

  const fetch = async (request: Request, peer?: string) => {
    const reply = await answer(fromFetch(request, peer))
    return reply ? toResponse(reply) : NEVER
  }
  return {
    listener: listenerOf(answer, reportBug),
    fetch,
    request: (path, init, peer) => fetch(new Request(new URL(path, 'http://localhost'), init), peer),
  }
}

/** The one path that is no operation. */
const OPEN_API = Symbol('/openapi.json')

/** For whom nobody waits any more: their connection is gone. */
const NEVER = new Promise<never>(() => undefined)

function finished({ status, body, contentType = 'application/json', headers }: Reply, id: string): Finished {
  // Not with spreads: Node 20 takes an object that begins with one for long-lived, and the answer with it.
  const sent: Record<string, string> = {
    'x-request-id': `req_${id}`,
    traceresponse: `00-${id}${id}-${id}-00`,
  }
  if (body !== null) sent['content-type'] = contentType
  for (const name in headers) sent[name] = headers[name] as string
  return { status, body, headers: sent }
}
