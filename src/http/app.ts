import { type Context, Hono } from 'hono'
import { Answered, type AnyOperation } from '../contract/operation.ts'
import { writeJson } from '../kernel/json.ts'
import { Problem } from '../kernel/problem.ts'
import type { World } from '../world/world.ts'
import { type Credentials, type ReadHeader, worldFor } from './credentials.ts'
import { hintAt } from './hints.ts'
import { answerOnce } from './idempotency.ts'
import { openApiDocument } from './openapi.ts'
import { type Reply, replyToError } from './problems.ts'
import { readForm } from './read-form.ts'
import { type RawInput, readInput } from './read-input.ts'
import { inMatchingOrder, toHonoPath } from './routes.ts'
import { isOwnHost, refuseForeignPages } from './same-site.ts'

export interface AppOptions {
  readonly operations: readonly AnyOperation[]
  /** Routed, and left out of the OpenAPI document: what is not there yet. */
  readonly planned?: readonly AnyOperation[]
  readonly credentials: Credentials
  /** Told of what is a bug in Petri. */
  readonly reportBug: (error: unknown) => void
  /** The longest body taken, in bytes. */
  readonly maxBodyBytes?: number
  /** Host names under which the control API answers, beside this machine's own. */
  readonly extraHosts?: readonly string[]
}

interface NodeBindings {
  readonly incoming?: {
    readonly headers: Readonly<Record<string, string | string[] | undefined>>
    readonly socket?: { readonly remoteAddress?: string }
  }
}

type RequestOf = Context<{ Bindings: NodeBindings }>

const MEGABYTE = 1024 * 1024

/** All of Petri's HTTP. Every request goes, top to bottom, through `serve`. */
export function createApp(options: AppOptions): Hono<{ Bindings: NodeBindings }> {
  const app = new Hono<{ Bindings: NodeBindings }>()
  let sequence = 0
  const { operations, planned = [], reportBug } = options
  const routed = [...operations, ...planned]

  const guarded = (serve: (c: RequestOf) => Promise<Reply>) => async (c: RequestOf) => {
    let reply: Reply
    try {
      reply = await serve(c)
    } catch (error) {
      reply = replyToError(error, reportBug)
    }
    return toResponse(reply, ++sequence)
  }

  for (const operation of inMatchingOrder(routed)) {
    const [method, path] = operation.route.split(' ') as [string, string]
    app.on(
      method,
      toHonoPath(path),
      guarded((c) => serve(operation, c, options)),
    )
  }
  app.get(
    '/openapi.json',
    guarded(async () => ({ status: 200, body: openApiDocument(operations), headers: {} })),
  )
  app.all(
    '*',
    guarded(async (c) => {
      throw hintAt(c.req.method, c.req.path, routed)
    }),
  )
  return app
}

async function serve(operation: AnyOperation, c: RequestOf, options: AppOptions): Promise<Reply> {
  const { credentials, extraHosts = [], maxBodyBytes = 2 * MEGABYTE } = options
  const incoming = c.env?.incoming
  const header: ReadHeader = incoming
    ? (name) => incoming.headers[name] as string | undefined
    : (name) => c.req.raw.headers.get(name) ?? undefined
  if (operation.access !== 'open' && operation.route.includes(' /_petri/')) {
    refuseForeignPages(header, (host) => isOwnHost(host) || extraHosts.includes(host))
  }
  const peer = incoming && (incoming.socket?.remoteAddress ?? 'unknown')
  const world = worldFor(operation, credentials, header, peer, (name) => c.req.query(name))
  const most = operation.maxBodyBytes ?? maxBodyBytes
  if (operation.body && Number(header('content-length') ?? 0) > most) throw tooLarge(most)
  const form = operation.takesForm ? await readForm(await c.req.arrayBuffer(), header) : undefined
  const bodyText = operation.body && !form ? await c.req.text() : ''
  if (bodyText.length > most) throw tooLarge(most)
  const raw: RawInput = { ...toRawInput(c, header), bodyText, form }
  const run = () => runOperation(operation, world as World, raw, header)
  if (!world) return run()
  const call = { key: header('x-idempotency-key'), errors: header('x-idempotency-error'), bodyText }
  const answer = () => run().catch((error: unknown) => replyToError(error, options.reportBug))
  const reply = await answerOnce(world, operation, call, answer)
  await world.db.settled()
  return reply
}

async function runOperation(
  operation: AnyOperation,
  world: World,
  raw: RawInput,
  header: ReadHeader,
): Promise<Reply> {
  const input = readInput(operation, raw)
  const outcome = operation.run(world, input, { scenario: header('x-petri-scenario') })
  const result: unknown = outcome instanceof Promise ? await outcome : outcome
  if (result instanceof Answered) return replyOf(result)
  const body = operation.returns ? writeJson(result) : null
  return { status: operation.status ?? 200, body, headers: {} }
}

function replyOf({ status, body, contentType, headers }: Answered): Reply {
  if (body === undefined) return { status, body: null, headers }
  const isJson = contentType === 'application/json'
  return { status, body: isJson ? writeJson(body) : (body as string | Uint8Array), contentType, headers }
}

const tooLarge = (most: number) => new Problem('too_large', `The body is larger than ${most / MEGABYTE} MiB.`)

function toRawInput(c: RequestOf, header: ReadHeader): Omit<RawInput, 'bodyText'> {
  const { url } = c.req
  const mark = url.indexOf('?')
  const queryString = mark === -1 ? '' : url.slice(mark + 1)
  return { params: c.req.param(), queryString, header, contentType: header('content-type') }
}

function toResponse(
  { status, body, contentType = 'application/json', headers }: Reply,
  sequence: number,
): Response {
  const id = sequence.toString(16).padStart(16, '0')
  return new Response(body as string | Uint8Array<ArrayBuffer> | null, {
    status,
    headers: {
      ...(body !== null && { 'content-type': contentType }),
      'x-request-id': `req_${id}`,
      traceresponse: `00-${id}${id}-${id}-00`,
      ...headers,
    },
  })
}
