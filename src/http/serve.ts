import { type AnyOperation, CustomResponse } from '../api/operation.ts'
import type { Reply } from '../api/reply.ts'
import { applyFault } from '../faults/apply.ts'
import { matchFault } from '../faults/match.ts'
import { JsonText, writeJson } from '../kernel/json.ts'
import { runInContext } from '../scheduler/context.ts'
import type { World } from '../world/world.ts'
import { admit, type Credentials } from './authentication.ts'
import { addUnknownFieldsToReply } from './forward-compatibility.ts'
import { answerOnce } from './idempotency.ts'
import { replyToError, tooLarge } from './problems.ts'
import { readForm } from './read-form.ts'
import { type RawInput, readInput } from './read-input.ts'
import { type Call, formAsText, isMirrored } from './request-journal.ts'
import type { RequestOf } from './request-of.ts'
import type { Params } from './routes.ts'
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
const decoder = new TextDecoder()

/** A request, and what stands in place of its route's parameters. */
export interface Asked {
  readonly request: RequestOf
  readonly params: Params
}

/** The way of every request: who calls, what it brings, what is done, and that it is stored before it is answered. */
export async function serve(
  operation: AnyOperation,
  asked: Asked,
  call: Call,
  options: ServeOptions,
): Promise<Reply> {
  letIn(operation, asked, call, options)
  const raw = await readRequest(operation, asked, call, options)
  const { world } = call
  if (!world) return runOperation(operation, raw, call)
  const outcome = isMirrored(operation) ? matchFault(world, operation.id, raw.params.order_id) : undefined
  const answer = () => answered(world, operation, raw, call, options)
  return outcome ? applyFault(outcome, asked.request.line, answer) : answer()
}

/** Finds the world whose key it brings; refuses who may not call. */
function letIn(
  operation: AnyOperation,
  { request, params }: Asked,
  call: Call,
  { credentials, extraHosts = [] }: ServeOptions,
): void {
  const header = (name: string) => request.header(name)
  if (operation.access !== 'open' && isSensitive(operation)) {
    refuseForeignPages(header, (host) => isOwnHost(host) || extraHosts.includes(host))
  }
  const { world, manager } = admit(operation, credentials, {
    header,
    peer: request.peer,
    query: (name) => new URLSearchParams(request.queryString).get(name) ?? undefined,
    param: (name) => params[name],
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
  { request, params }: Asked,
  call: Call,
  options: ServeOptions,
): Promise<RawInput> {
  const raw: { -readonly [Part in keyof RawInput]: RawInput[Part] } = {
    params,
    queryString: request.queryString,
    header: (name) => request.header(name),
    contentType: request.header('content-type'),
    bodyText: '',
    form: undefined,
  }
  if (!operation.body) return raw
  const most = operation.maxBodyBytes ?? options.maxBodyBytes ?? 2 * MEGABYTE
  if (Number(request.header('content-length') ?? 0) > most) throw tooLarge(most)
  const bytes = await request.body(most)
  if (operation.takesForm) {
    raw.form = await readForm(bytes, raw.contentType)
    call.bodyText = formAsText(raw.form)
    return raw
  }
  call.bodyText = raw.bodyText = decoder.decode(bytes)
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
  const { id, repeatableFor: keptMs } = operation
  const reply = await (keptMs ? answerOnce(world, { id, keptMs }, raw, make) : make())
  const storing = world.db.settled()
  if (storing) await storing
  return isMirrored(operation) ? addUnknownFieldsToReply(world, operation, reply) : reply
}

async function runOperation(operation: AnyOperation, raw: RawInput, call: Call): Promise<Reply> {
  const { manager } = call
  // An operation that is nobody's world's asks for none.
  const world = call.world as World
  const input = readInput(operation, raw)
  const reading = operation.needsScenarios ? world.parts.scenarios.ready() : undefined
  if (reading) await reading
  const run = () => operation.run(world, input, { scenario: raw.header('x-petri-scenario'), manager })
  const outcome = isMirrored(operation) ? runInContext(call.context, run) : run()
  return replyWith(operation, outcome instanceof Promise ? await outcome : outcome)
}

function replyWith(operation: AnyOperation, result: unknown): Reply {
  if (result instanceof CustomResponse) return replyOf(result)
  const body = operation.returns ? writeJson(result) : null
  const lasts = result instanceof JsonText && result.lasts
  return { status: operation.status ?? 200, body, headers: {}, lasts }
}

function replyOf({ status, body, contentType, headers }: CustomResponse): Reply {
  if (body === undefined) return { status, body: null, headers }
  const isJson = contentType === 'application/json' && !(body instanceof ReadableStream)
  return { status, body: isJson ? writeJson(body) : (body as Reply['body']), contentType, headers }
}
