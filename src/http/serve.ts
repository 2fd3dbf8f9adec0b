import { Answered, type AnyOperation } from '../contract/operation.ts'
import { JsonText, writeJson } from '../kernel/json.ts'
import { strike } from '../world/faults.ts'
import type { World } from '../world/world.ts'
import { admit, type Credentials, type ReadHeader } from './credentials.ts'
import { suffer } from './faults.ts'
import { inFuture } from './futures.ts'
import { answerOnce } from './idempotency.ts'
import { type Call, formAsText, isMirrored } from './journal.ts'
import { type Reply, replyToError } from './problems.ts'
import { readBody, tooLarge } from './read-body.ts'
import { readForm } from './read-form.ts'
import { type RawInput, readInput } from './read-input.ts'
import { headerReader, type RequestOf } from './request-of.ts'
import { isOwnHost, refuseForeignPages } from './same-site.ts'

export interface ServeOptions {
  readonly credentials: Credentials
  /** Told of what is a bug in Petri. */
  readonly reportBug: (error: unknown) => void
  /** The longest body taken, in bytes. */
  readonly maxBodyBytes?: number
  /** Host names under which the control API answers, beside this machine's own. */
  readonly extraHosts?: readonly string[]
}

const MEGABYTE = 1024 * 1024

/** The way of every request: who calls, what it brings, what is done, and that it is stored before it is answered. */
export async function serve(
  operation: AnyOperation,
  c: RequestOf,
  call: Call,
  options: ServeOptions,
): Promise<Reply> {
  const header = headerReader(c)
  letIn(operation, c, call, { header, options })
  const raw = await readRequest(operation, c, call, { header, options })
  const { world } = call
  if (!world) return runOperation(operation, raw, call)
  const hit = isMirrored(operation) ? strike(world, operation.id, raw.params.order_id) : undefined
  const answer = () => answered(world, operation, raw, call, options)
  return hit ? suffer(hit, { outgoing: c.env?.outgoing, socket: c.env?.incoming?.socket }, answer) : answer()
}

interface Reading {
  readonly header: ReadHeader
  readonly options: ServeOptions
}

/** Finds the world whose key it brings; refuses who may not call. */
function letIn(operation: AnyOperation, c: RequestOf, call: Call, { header, options }: Reading): void {
  const { credentials, extraHosts = [] } = options
  if (operation.access !== 'open' && isSensitive(operation)) {
    refuseForeignPages(header, (host) => isOwnHost(host) || extraHosts.includes(host))
  }
  const incoming = c.env?.incoming
  const { world, manager } = admit(operation, credentials, {
    header,
    peer: incoming && (incoming.socket?.remoteAddress ?? 'unknown'),
    query: (name) => c.req.query(name),
    param: (name) => c.req.param(name),
  })
  call.world = world
  call.manager = manager
}

/** Whether it does what no web page may: drive Petri, or make, drop and open worlds. */
const isSensitive = ({ route, access }: AnyOperation) =>
  route.includes(' /_petri/') || access === 'management'

/** All that a request brings; its body only where the operation takes one, and never more than that may be. */
async function readRequest(
  operation: AnyOperation,
  c: RequestOf,
  call: Call,
  { header, options }: Reading,
): Promise<RawInput> {
  const { url } = c.req
  const mark = url.indexOf('?')
  const raw: { -readonly [Part in keyof RawInput]: RawInput[Part] } = {
    params: c.req.param() as Record<string, string>,
    queryString: mark === -1 ? '' : url.slice(mark + 1),
    header,
    contentType: header('content-type'),
    bodyText: '',
    form: undefined,
  }
  if (!operation.body) return raw
  const most = operation.maxBodyBytes ?? options.maxBodyBytes ?? 2 * MEGABYTE
  const told = header('content-length')
  if (Number(told ?? 0) > most) throw tooLarge(most)
  const unmeasured = () => readBody(c.req.raw.body, most)
  if (operation.takesForm) {
    const bytes = told === undefined ? await unmeasured() : await c.req.arrayBuffer()
    raw.form = await readForm(bytes, header)
    call.bodyText = formAsText(raw.form)
    return raw
  }
  raw.bodyText = told === undefined ? new TextDecoder().decode(await unmeasured()) : await c.req.text()
  if (raw.bodyText.length > most) throw tooLarge(most)
  call.bodyText = raw.bodyText
  return raw
}

/** Does it unless the same call was answered before, and waits until what it changed is stored. */
async function answered(
  world: World,
  operation: AnyOperation,
  raw: RawInput,
  call: Call,
  { reportBug }: ServeOptions,
): Promise<Reply> {
  const make = async () => {
    try {
      return await runOperation(operation, raw, call)
    } catch (error) {
      return replyToError(error, reportBug)
    }
  }
  const reply = await (operation.repeatableFor ? answerOnce(world, operation, raw, make) : make())
  const storing = world.db.settled()
  if (storing) await storing
  return isMirrored(operation) ? inFuture(world, operation, reply) : reply
}

async function runOperation(operation: AnyOperation, raw: RawInput, call: Call): Promise<Reply> {
  const { manager } = call
  // An operation that is nobody's world's asks for none.
  const world = call.world as World
  const input = readInput(operation, raw)
  const reading = operation.needsStories ? world.parts.stories.ready() : undefined
  if (reading) await reading
  const run = () => operation.run(world, input, { scenario: raw.header('x-petri-scenario'), manager })
  const feed = call.world && isMirrored(operation) ? world.agenda.feed : undefined
  const outcome = feed ? feed.onAccountOf(call.cause, run) : run()
  if (!(outcome instanceof Promise)) return replyWith(operation, outcome)
  feed?.follow(call.cause, outcome)
  return replyWith(operation, await outcome)
}

function replyWith(operation: AnyOperation, result: unknown): Reply {
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
