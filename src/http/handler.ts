import { type AnyOperation, CustomResponse, successStatus } from '../api/operation.ts'
import type { Reply } from '../api/reply.ts'
import { applyFault, delayCall } from '../faults/apply.ts'
import { matchFault } from '../faults/match.ts'
import { writeJson } from '../kernel/json.ts'
import { runInContext } from '../scheduler/context.ts'
import type { World } from '../world/world.ts'
import { authenticate, type Credentials } from './authentication.ts'
import { addUnknownFieldsToReply } from './forward-compatibility.ts'
import { answerOnce } from './idempotency.ts'
import { withInputAsSent } from './input-as-sent.ts'
import { replyToError } from './problems.ts'
import { type RawInput, readRawInput } from './read-body.ts'
import { validateInput } from './read-input.ts'
import { clientSignal, type RoutedRequest } from './request.ts'
import { isMirrored } from './request-journal.ts'
import { assertSameSite } from './same-site.ts'
import { applySunset } from './sunset.ts'

export interface HandlerOptions {
  readonly credentials: Credentials
  /** Called with errors that are bugs of Petri. */
  readonly reportBug: (error: unknown) => void
  /** Where a proxy publishes this Petri; the control API answers under its name too. */
  readonly publicUrl?: URL | undefined
}

/** The steps of every request, in order. One function, because as Hono middlewares they made reads 10 % slower (Node 20). */
export async function handleOperation(
  operation: AnyOperation,
  request: RoutedRequest,
  options: HandlerOptions,
): Promise<Reply> {
  if (isSensitive(operation) || request.isAside) assertSameSite(request.header, options.publicUrl)
  const found = authenticate(operation, options.credentials, request)
  Object.assign(request, found instanceof Promise ? await found : found)
  const input = await readRawInput(operation, request)
  const { world } = request
  if (!world) return runOperation(operation, request, input)
  const answer = () => answerStored(world, operation, request, input, options)
  const isCounted = isMirrored(operation) && !request.isAside
  const fault = isCounted ? matchFault(world, operation.id, request.params.order_id) : undefined
  if (!fault) return answer()
  request.faultId = fault.id
  if (fault.latencyMs > 0) await delayCall(world, fault.latencyMs)
  return applyFault(fault, request.node, answer)
}

/** Whether web pages of other sites must not call it: it controls Petri or its worlds. */
const isSensitive = ({ route, access }: AnyOperation) =>
  access !== 'open' && (route.includes(' /_petri/') || access === 'management')

/** Runs the operation, unless the same call was answered before, and waits until what it changed is stored. */
async function answerStored(
  world: World,
  operation: AnyOperation,
  request: RoutedRequest,
  input: RawInput,
  { reportBug }: HandlerOptions,
): Promise<Reply> {
  const run = async () => {
    try {
      if (!operation.route.startsWith('GET ')) world.db.assertWritable()
      const serve = () => runOperation(operation, request, input)
      return await (isMirrored(operation) ? applySunset(world, operation, input.queryString, serve) : serve())
    } catch (error) {
      return replyToError(error, reportBug)
    }
  }
  const { id, repeatableFor: keptMs } = operation
  const reply = await (keptMs ? answerOnce(world, { id, keptMs }, input, run) : run())
  const storing = world.db.settled()
  if (storing) await storing
  const isAltered = isMirrored(operation) && !request.isAside
  return isAltered ? addUnknownFieldsToReply(world, operation, reply) : reply
}

/** Validates the input and runs the operation; the events it brings about are counted as the request's. */
async function runOperation(operation: AnyOperation, request: RoutedRequest, raw: RawInput): Promise<Reply> {
  const { manager, context } = request
  // Operations that belong to no world do not use it.
  const world = request.world as World
  const validated = validateInput(operation, raw)
  const input = validated instanceof Promise ? await validated : validated
  const reading = operation.needs && world.parts[operation.needs].ready()
  if (reading) await reading
  const indexing = operation.indexed?.(world, input)
  if (indexing) await indexing
  // Jobs that earlier calls made due run first, so that equal calls find equal worlds.
  if (world?.clock.frozen && world.agenda.isDue) world.agenda.runDue()
  const run = () =>
    operation.run(world, input, {
      scenario: raw.header('x-petri-scenario'),
      manager,
      // A getter here would give each object a hidden class of its own, which keeps the request in memory (V8 11.3).
      clientSignal: () => clientSignal(request),
    })
  try {
    const result = runInContext(isMirrored(operation) ? context : undefined, run)
    return replyWith(operation, result instanceof Promise ? await result : result)
  } catch (error) {
    throw withInputAsSent(error, raw)
  }
}

function replyWith(operation: AnyOperation, result: unknown): Reply {
  if (result instanceof CustomResponse) return customReply(result)
  const body = operation.returns ? writeJson(result) : null
  return { status: successStatus(operation), body, headers: {} }
}

function customReply({ status, body, contentType, headers }: CustomResponse): Reply {
  if (body === undefined) return { status, body: null, headers }
  const isJson = contentType === 'application/json' && !(body instanceof ReadableStream)
  return { status, body: isJson ? writeJson(body) : (body as Reply['body']), contentType, headers }
}
