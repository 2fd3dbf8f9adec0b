import { addUnknownFields, nextUnknown } from '../api/forward-compatibility.ts'
import {
  type AnyOperation,
  CustomResponse,
  isMirrored,
  type RequestContext,
  successStatus,
} from '../api/operation.ts'
import type { Reply } from '../api/reply.ts'
import { writeJson } from '../kernel/json.ts'
import { Problem } from '../kernel/problem.ts'
import { runInContext } from '../scheduler/context.ts'
import type { World } from '../world/world.ts'
import type { Worlds } from '../world/worlds.ts'
import { type AppContext, isRead, type Middleware, nodeOf, queryStringOf } from './context.ts'
import { withPublishedStatuses } from './published-values.ts'
import { type AnyInput, validateInput, withInputAsSent } from './read-input.ts'
import { respond } from './respond.ts'
import { sunsetOf, withSunset } from './sunset.ts'

/** Validates the input and runs the operation, and records the emitted events as caused by the request. */
export const runOperation =
  (operation: AnyOperation) =>
  async (c: AppContext): Promise<Response> => {
    // Operations without a world do not use it.
    const world = c.get('world') as World
    if (world && !isRead(operation)) world.db.assertWritable()
    const sunset = world && isMirrored(operation) ? sunsetOf(world, operation, queryStringOf(c)) : undefined
    if (sunset?.refusal) return respond(c, sunset.refusal)
    const input = await validateInput(operation, c)
    assertOwnData(c.get('userId'), input)
    if (operation.needs) await world.parts[operation.needs].ready()
    await operation.indexed?.(world, input)
    // Jobs that earlier calls made due run first, so that equal calls find equal worlds.
    if (world?.clock.frozen && world.agenda.isDue) world.agenda.runDue()
    const run = () => operation.run(world, input, requestContext(c))
    try {
      const caused = isMirrored(operation) ? c.get('caused') : undefined
      const made = replyWith(operation, await runInContext(caused, run))
      const reply = isMirrored(operation) ? withPublishedStatuses(c, made) : made
      if (!sunset) return respond(c, reply)
      const altered = sunset.mode === 'ignore' ? reply : await withSunset(sunset, operation, reply)
      return respond(c, c.get('isAside') ? altered : withUnknownFields(world, operation, altered))
    } catch (error) {
      throw withInputAsSent(error, c.get('sent'))
    }
  }

/** A user's token does not open the data of another user, named in the path, the body or the query. */
function assertOwnData(userId: string | undefined, { params, body, query }: AnyInput): void {
  if (userId === undefined) return
  for (const part of [params, body, query]) {
    const named = (part as { readonly user_id?: unknown } | undefined)?.user_id
    if (named !== undefined && named !== null && named !== userId)
      throw new Problem('forbidden', 'This token does not open the data of another user.')
  }
}

const requestContext = (c: AppContext): RequestContext => ({
  scenario: c.req.header('x-petri-scenario'),
  persona: c.req.header('x-petri-persona'),
  manager: c.get('manager'),
  userId: c.get('userId'),
  // With a getter, each object would get a hidden class of its own, which keeps the request in memory (V8 11.3).
  clientSignal: () => clientSignal(c),
})

/** Aborted when the client disconnects before the response. */
function clientSignal(c: AppContext): AbortSignal {
  const { outgoing } = nodeOf(c)
  if (!outgoing) return c.req.raw.signal
  const controller = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) controller.abort()
  })
  return controller.signal
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

/** Adds unknown fields and values to a reply, in worlds with the feature `unknown_futures`. */
function withUnknownFields(world: World, operation: AnyOperation, reply: Reply): Reply {
  const { status, body, contentType } = reply
  const schema = status === successStatus(operation) ? operation.returns : operation.alsoReturns?.[status]
  if (status >= 300 || !schema || typeof body !== 'string') return reply
  if (contentType !== undefined && contentType !== 'application/json') return reply
  const ordinal = nextUnknown(world)
  if (ordinal === undefined) return reply
  return { ...reply, body: JSON.stringify(addUnknownFields(schema(), JSON.parse(body), ordinal)) }
}

/** Sends the response once all changes of the request are stored. */
export const storeBeforeResponse =
  (operation: AnyOperation): Middleware =>
  async (c, next) => {
    await next()
    const storing = c.get('world')?.db.settled()
    if (storing) await storing.catch((error) => readAgain(operation, c, error))
  }

/** Runs a read again, because it may have seen what could not be stored; other calls fail. */
async function readAgain(operation: AnyOperation, c: AppContext, error: unknown): Promise<void> {
  const reopened = c.get('world')?.reopened
  if (!reopened || !isRead(operation)) throw error
  const { body } = c.get('reply')
  if (body instanceof ReadableStream) await body.cancel()
  c.set('world', await reopened)
  c.error = undefined
  c.res = undefined
  c.res = await runOperation(operation)(c)
  await storeBeforeResponse(operation)(c, async () => undefined)
}

/** Has reads of several worlds wait until what could not be stored has left their memory. */
export const awaitReopened =
  (worlds: Pick<Worlds, 'reopened'>): Middleware =>
  async (_, next) => {
    await worlds.reopened
    await next()
  }
