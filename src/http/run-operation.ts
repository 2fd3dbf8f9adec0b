import { changeOf } from '../api/forward-compatibility.ts'
import {
  type AnyOperation,
  CustomResponse,
  isMirrored,
  type RequestContext,
  successStatus,
} from '../api/operation.ts'
import type { Reply } from '../api/reply.ts'
import { applyFault, delayCall } from '../faults/apply.ts'
import { type FaultOutcome, matchFault } from '../faults/model.ts'
import { headerNames } from '../kernel/headers.ts'
import { writeJson } from '../kernel/json.ts'
import { badRequest, Problem } from '../kernel/problem.ts'
import { runInContext } from '../scheduler/context.ts'
import type { World } from '../world/world.ts'
import type { Worlds } from '../world/worlds.ts'
import {
  type AppContext,
  isRead,
  nodeOf,
  peerOf,
  queryStringOf,
  type Replying,
  type Step,
} from './context.ts'
import { type AnyInput, validateInput, withInputAsSent } from './read-input.ts'
import { sunsetOf, withSunset } from './sunset.ts'

/** Delays, replaces or cuts off the reply to a call that a fault applies to. */
export const injectFault =
  ({ id }: AnyOperation): Step =>
  (c, next) => {
    const world = c.get('world')
    const fault = world && !c.get('isAside') && matchFault(world, id, c.req.param('order_id'))
    return fault ? inject(world, fault, c, next) : next()
  }

async function inject(
  world: World,
  fault: FaultOutcome,
  c: AppContext,
  next: () => Replying,
): Promise<Reply> {
  c.set('faultId', fault.id)
  if (fault.latencyMs > 0) await delayCall(world, fault.latencyMs)
  return applyFault(fault, nodeOf(c), async () => next())
}

/** Replies once all changes of the request are stored. */
export const storeBeforeReply =
  (operation: AnyOperation): Step =>
  async (c, next) => {
    for (;;) {
      const reply = await next()
      const world = c.get('world')
      try {
        world?.agenda.saveStandingClock()
        await world?.db.settled()
        return reply
      } catch (error) {
        // A read may have seen what could not be stored, and is run again; other calls fail.
        if (!world?.reopened || !isRead(operation)) throw error
        if (reply.body instanceof ReadableStream) await reply.body.cancel()
        c.set('world', await world.reopened)
      }
    }
  }

/** Has reads of several worlds wait until what could not be stored has left their memory. */
export const awaitReopened =
  (worlds: Pick<Worlds, 'reopened'>): Step =>
  async (_, next) => {
    await worlds.reopened
    return next()
  }

/** Validates the input and runs the operation, and records the emitted events as caused by the request. */
export const runOperation =
  (operation: AnyOperation, toReply: (c: AppContext, error: unknown) => Reply): Step =>
  async (c) => {
    try {
      return await run(operation, c)
    } catch (error) {
      return toReply(c, error)
    }
  }

async function run(operation: AnyOperation, c: AppContext): Promise<Reply> {
  // Operations without a world do not use it.
  const world = c.get('world') as World
  if (world && !isRead(operation)) world.db.assertWritable()
  const sunset = world && isMirrored(operation) ? sunsetOf(world, operation, queryStringOf(c)) : undefined
  if (sunset?.refusal) return sunset.refusal
  if (!isMirrored(operation) && !operation.takesScenario && c.req.header(headerNames.scenario) !== undefined)
    throw badRequest(SCENARIO_IGNORED)
  const input = await validateInput(operation, c)
  assertOwnData(c.get('userId'), input)
  if (operation.needs) await world.services[operation.needs].ready()
  if (operation.indexed) await operation.indexed(world, input)
  // Jobs that earlier calls made due run first, so that equal calls find equal worlds.
  if (world?.clock.frozen && world.agenda.isDue) world.agenda.runDue()
  const result = await resultOf(operation, c, input)
  const reply = replyWith(operation, result)
  if (!isMirrored(operation)) return reply
  const published = withPublishedStatuses(c, reply)
  if (!sunset) return published
  const altered = sunset.mode === 'ignore' ? published : await withSunset(sunset, operation, published)
  return c.get('isAside') ? altered : asFeaturesSay(world, operation, altered)
}

const SCENARIO_IGNORED =
  'The header x-petri-scenario is for calls that place an order; of those of /_petri, POST /_petri/orders takes it.'

async function resultOf(operation: AnyOperation, c: AppContext, input: AnyInput): Promise<unknown> {
  const caused = isMirrored(operation) ? c.get('caused') : undefined
  const world = c.get('world') as World
  try {
    return await runInContext(caused, () => operation.run(world, input, requestContext(c)))
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
  scenario: c.req.header(headerNames.scenario),
  persona: c.req.header(headerNames.persona),
  manager: c.get('manager'),
  userId: c.get('userId'),
  isForAllWorlds: c.get('isForAllWorlds'),
  // With a getter, each object would get a hidden class of its own, which keeps the request in memory (V8 11.3).
  clientSignal: () => clientSignal(c),
  caller: () => peerOf(c),
})

/** Aborted when the client disconnects before the response. */
function clientSignal(c: AppContext): AbortSignal {
  const { outgoing } = nodeOf(c)
  if (!outgoing) return c.req.raw.signal
  const controller = new AbortController()
  const abortUnlessReplied = () => {
    if (!outgoing.writableFinished) controller.abort()
  }
  if (outgoing.closed) abortUnlessReplied()
  else outgoing.once('close', abortUnlessReplied)
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

/** The language of generated clients that fail on values they do not know, as they name it in `X-Fern-Language`. */
const CLOSED_ENUMS = 'JAVA'

/** Statuses of the specification that the published contract lacks, and what it has instead. Source: docs/contract/errors.md. */
const publishedStatuses: readonly (readonly [specified: string, published: string])[] = [
  ['received.testkit.testkit_registered', 'received.testkit.registered'],
  ['pending_review', 'started'],
]

/** The reply with published statuses only, for a client that would fail on others. */
function withPublishedStatuses(c: AppContext, reply: Reply): Reply {
  if (typeof reply.body !== 'string' || c.req.header(headerNames.clientLanguage) !== CLOSED_ENUMS)
    return reply
  // Quotes are escaped inside of texts, so only fields match.
  const body = publishedStatuses.reduce(
    (text, [specified, published]) => text.replaceAll(`"status":"${specified}"`, `"status":"${published}"`),
    reply.body,
  )
  return { ...reply, body }
}

/** Adds unknown fields and values to a reply, or nulls, in worlds with the features `unknown_futures` and `sparse`. */
function asFeaturesSay(world: World, operation: AnyOperation, reply: Reply): Reply {
  const { status, body, contentType } = reply
  const schema = status === successStatus(operation) ? operation.returns : operation.alsoReturns?.[status]
  if (status >= 300 || !schema || typeof body !== 'string') return reply
  if (contentType !== undefined && contentType !== 'application/json') return reply
  const change = changeOf(world)
  return change ? { ...reply, body: JSON.stringify(change(schema(), JSON.parse(body))) } : reply
}
