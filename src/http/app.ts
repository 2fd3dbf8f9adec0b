import { type Context, Hono } from 'hono'
import { Answered, type AnyOperation } from '../contract/operation.ts'
import { JsonText, writeJson } from '../kernel/json.ts'
import { strike } from '../world/faults.ts'
import type { World } from '../world/world.ts'
import { admit, type Credentials, type ReadHeader } from './credentials.ts'
import { type Line, suffer } from './faults.ts'
import { inFuture } from './futures.ts'
import { hintAt } from './hints.ts'
import { answerOnce } from './idempotency.ts'
import { type Call, formAsText, isMirrored, newCall, note } from './journal.ts'
import { openApiDocument } from './openapi.ts'
import { type Reply, replyToError } from './problems.ts'
import { readBody, tooLarge } from './read-body.ts'
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
  /** The wall clock, by which is told how long a call took. */
  readonly wall: () => number
  /** The longest body taken, in bytes. */
  readonly maxBodyBytes?: number
  /** Host names under which the control API answers, beside this machine's own. */
  readonly extraHosts?: readonly string[]
}

interface NodeBindings {
  readonly incoming?: {
    readonly headers: Readonly<Record<string, string | string[] | undefined>>
    readonly socket?: Line['socket'] & { readonly remoteAddress?: string }
  }
  readonly outgoing?: Line['outgoing']
}

type RequestOf = Context<{ Bindings: NodeBindings }>

const MEGABYTE = 1024 * 1024

/** All of Petri's HTTP. Every request goes, top to bottom, through `serve`. */
export function createApp(options: AppOptions): Hono<{ Bindings: NodeBindings }> {
  const app = new Hono<{ Bindings: NodeBindings }>()
  let sequence = 0
  const { operations, planned = [], reportBug, wall } = options
  const routed = [...operations, ...planned]

  const guarded =
    (serve: (c: RequestOf, call: Call) => Promise<Reply>, operation?: AnyOperation) =>
    async (c: RequestOf) => {
      const call = newCall(operation, wall())
      let reply: Reply
      try {
        reply = await serve(c, call)
      } catch (error) {
        reply = replyToError(error, reportBug)
      }
      const id = (++sequence).toString(16).padStart(16, '0')
      if (call.world) {
        const came = { method: c.req.method, url: c.req.url, headers: () => headersOf(c) }
        note(call, came, `req_${id}`, reply, wall())
      }
      return reply.isSent ? NEVER : toResponse(reply, id)
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

function headerReader(c: RequestOf): ReadHeader {
  const incoming = c.env?.incoming
  return incoming
    ? (name) => incoming.headers[name] as string | undefined
    : (name) => c.req.raw.headers.get(name) ?? undefined
}

const headersOf = (c: RequestOf) => c.env?.incoming?.headers ?? Object.fromEntries(c.req.raw.headers)

async function serve(operation: AnyOperation, c: RequestOf, call: Call, options: AppOptions): Promise<Reply> {
  const { credentials, extraHosts = [], maxBodyBytes = 2 * MEGABYTE } = options
  const incoming = c.env?.incoming
  const header = headerReader(c)
  if (operation.access !== 'open' && isSensitive(operation)) {
    refuseForeignPages(header, (host) => isOwnHost(host) || extraHosts.includes(host))
  }
  const peer = incoming && (incoming.socket?.remoteAddress ?? 'unknown')
  const { world, manager } = admit(operation, credentials, {
    header,
    peer,
    query: (name) => c.req.query(name),
    param: (name) => c.req.param(name),
  })
  call.world = world
  call.manager = manager
  const most = operation.maxBodyBytes ?? maxBodyBytes
  const told = header('content-length')
  if (operation.body && Number(told ?? 0) > most) throw tooLarge(most)
  const unmeasured = () => readBody(c.req.raw.body, most)
  const form = operation.takesForm
    ? await readForm(told === undefined ? await unmeasured() : await c.req.arrayBuffer(), header)
    : undefined
  const readText = async () =>
    told === undefined ? new TextDecoder().decode(await unmeasured()) : c.req.text()
  const bodyText = operation.body && !form ? await readText() : ''
  if (bodyText.length > most) throw tooLarge(most)
  call.bodyText = form ? formAsText(form) : bodyText
  const raw: RawInput = { ...toRawInput(c, header), bodyText, form }
  const run = () => runOperation(operation, world as World, raw, header, call)
  if (!world) return run()
  const keyed = {
    key: header('x-idempotency-key'),
    subjects: Object.values(raw.params),
    errors: header('x-idempotency-error'),
    bodyText,
  }
  const hit = isMirrored(operation) ? strike(world, operation.id, raw.params.order_id) : undefined
  const answer = async () => {
    const make = () => run().catch((error: unknown) => replyToError(error, options.reportBug))
    const reply = await answerOnce(world, operation, keyed, make)
    await world.db.settled()
    return isMirrored(operation) ? inFuture(world, operation, reply) : reply
  }
  return hit ? suffer(hit, { outgoing: c.env?.outgoing, socket: incoming?.socket }, answer) : answer()
}

/** Whether it does what no web page may: drive Petri, or make, drop and open worlds. */
const isSensitive = ({ route, access }: AnyOperation) =>
  route.includes(' /_petri/') || access === 'management'

async function runOperation(
  operation: AnyOperation,
  world: World,
  raw: RawInput,
  header: ReadHeader,
  call: Call,
): Promise<Reply> {
  const input = readInput(operation, raw)
  const run = () =>
    operation.run(world, input, { scenario: header('x-petri-scenario'), manager: call.manager })
  const feed = call.world && isMirrored(operation) ? world.agenda.feed : undefined
  const outcome = feed ? feed.onAccountOf(call.cause, run) : run()
  if (feed && outcome instanceof Promise) feed.follow(call.cause, outcome)
  const result: unknown = outcome instanceof Promise ? await outcome : outcome
  if (result instanceof Answered) return replyOf(result)
  const body = operation.returns ? writeJson(result) : null
  const lasts = result instanceof JsonText && result.lasts
  return { status: operation.status ?? 200, body, headers: {}, lasts }
}

function replyOf({ status, body, contentType, headers }: Answered): Reply {
  if (body === undefined) return { status, body: null, headers }
  const isJson = contentType === 'application/json'
  return { status, body: isJson ? writeJson(body) : (body as Reply['body']), contentType, headers }
}

function toRawInput(c: RequestOf, header: ReadHeader): Omit<RawInput, 'bodyText'> {
  const { url } = c.req
  const mark = url.indexOf('?')
  const queryString = mark === -1 ? '' : url.slice(mark + 1)
  return { params: c.req.param(), queryString, header, contentType: header('content-type') }
}

function toResponse(
  { status, body, contentType = 'application/json', headers }: Reply,
  id: string,
): Response {
  return new Response(body as string | Uint8Array<ArrayBuffer> | ReadableStream | null, {
    status,
    headers: {
      ...(body !== null && { 'content-type': contentType }),
      'x-request-id': `req_${id}`,
      traceresponse: `00-${id}${id}-${id}-00`,
      ...headers,
    },
  })
}
