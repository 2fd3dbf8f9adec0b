import type { Route } from '../../src/api/operation.ts'
import { filterFields } from '../../src/kernel/fields.ts'
import { fillPath, methodAndPath } from '../../src/kernel/http-call.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import { wait } from '../../src/terminal/context.ts'
import type { Difference } from '../../src/tools/drift/report.ts'
import type { Reply, TeamApi, TeamRequest } from '../../src/tools/team-api.ts'
import { creatorOf, type OrderFilter, removerOf, type WalkCall } from './calls.ts'
import { compareStep } from './compare-step.ts'
import type { LabTestPair } from './lab-tests.ts'
import { createObjects, isOf, MAX_PICK, type ObjectPair, type OnBothSides, type Side } from './objects.ts'
import { createPairs } from './pairs.ts'
import { createTimes, type TimePair } from './times.ts'

/** The fields of a call, with placeholders for ids. */
export interface Inputs {
  readonly params: JsonObject
  readonly query: JsonObject
  readonly body: JsonObject | undefined
}

/** A call of a sequence before it is known what it is about. */
export interface PlannedCall {
  readonly call: WalkCall
  readonly inputs: Inputs
  /** Which object it is about, from the latest. */
  readonly pick: number
  /** The calls that follow to show the change. */
  readonly followUp: readonly Route[]
  /** Identifies the call and what may follow it. */
  readonly way: object
}

/** A call that both services have answered. */
export interface MadeCall {
  readonly method: string
  /** Path and query at Petri. */
  readonly path: string
  readonly body: unknown
  readonly own: number
  readonly other: number
}

export interface SequenceOptions {
  readonly own: TeamApi
  readonly other: TeamApi
  readonly labTests: readonly LabTestPair[]
  /** A planned call with only the fields that it must have; of a route, the first of its calls. */
  readonly minimal: (call: WalkCall | Route) => PlannedCall
  /** The next unused id of a user in the program's own words. */
  readonly nextClientUserId: () => string
  /** Whether a difference ends the sequence. */
  readonly isNew: (difference: Difference) => boolean
  /** Whether a difference is known to stay, so that it is not asked for again. */
  readonly isConfirmed: (difference: Difference) => boolean
  /** Called before each call to both services. Throws if it may not be made; `reserved` more will follow. */
  readonly spend: (reserved: number) => void
}

export type Sequence = ReturnType<typeof createSequence>

/** Milliseconds after which a read that differs is repeated, in case it shows what is not done yet. */
const REPEAT_MS = [500, 2000]

/** A sequence of calls, each made to both services. */
export function createSequence(options: SequenceOptions) {
  const { own, other, labTests, isNew, isConfirmed, spend, minimal } = options
  const pairs = createPairs()
  for (const labTest of labTests) pairs.add(labTest.own, labTest.other)
  const objects = createObjects((call, id) => requestOf(call, minimal(call).inputs, idFiller(id)))
  const times = createTimes()
  const sent = new Set<string>()
  const calls: MadeCall[] = []
  const tried = new Set<string>()

  /** Makes a call, after those that create what it is about; a created order is one of `orders`. Returns the differences that end the sequence. */
  async function make(planned: PlannedCall, orders?: OrderFilter): Promise<Difference[]> {
    const { call, inputs, pick, followUp } = planned
    const find = () => (call.about ? objects.find(call.about, pick, call.orders) : nothing)
    const kind = `${call.about} ${call.orders?.method}`
    if (call.about && !find() && !tried.has(kind)) {
      const differences = await make(minimal(creatorOf(call.about, call.orders)), call.orders)
      if (differences.length > 0) return differences
      // What is refused once would be refused again.
      if (!find()) tried.add(kind)
    }
    const about = find()
    if (!about) return []
    const sentFirst = await send(planned, about, orders)
    let { differences } = sentFirst
    for (const route of followUp) {
      if (differences.length > 0) break
      const next = minimal(route)
      // A list of orders that follows a new one is about its user.
      const isAboutNew = next.call.about === call.creates?.kind
      const params = { ...next.inputs.params, ...sameFields(next.inputs.params, inputs.body) }
      const following = { ...next, inputs: { ...next.inputs, params } }
      differences = (await send(following, isAboutNew ? sentFirst.shown : about)).differences
    }
    return differences
  }

  async function send(
    { call, inputs, pick }: PlannedCall,
    given: ObjectPair,
    orders = call.orders,
  ): Promise<{ readonly differences: Difference[]; readonly shown: ObjectPair }> {
    let time = call.takesTimeOf && times.take(call.takesTimeOf, given)
    if (call.takesTimeOf && !time) {
      const search = await send(minimal(call.takesTimeOf), given)
      time = times.take(call.takesTimeOf, given)
      if (search.differences.length > 0 || !time) return search
    }
    const fitting = orders ? labTests.filter((each) => isOf(each, orders)) : labTests
    const labTest = fitting[pick % Math.max(1, fitting.length)]
    const about = {
      ...given,
      labTest: call.creates?.kind === 'order' ? labTest : given.labTest,
      clientUserId: call.creates?.kind === 'user' ? options.nextClientUserId() : given.clientUserId,
    }
    const requests = requestsOf(call, inputs, about, { labTest, time })
    collectTexts(inputs, sent)
    let replies = await ask(call, requests)
    let differences = compareStep(call, replies, pairs, sent).filter(isNew)
    for (const waitMs of REPEAT_MS) {
      if (requests.own.method !== 'GET' || differences.length === 0 || differences.some(isConfirmed)) break
      await wait(waitMs)
      replies = await ask(call, requests)
      differences = compareStep(call, replies, pairs, sent).filter(isNew)
    }
    const { method, path, body } = requests.own
    calls.push({ method, path, body, own: replies.own.status, other: replies.other.status })
    if (call.offersTimes) times.learn(call.route, replies, about)
    return { differences, shown: objects.learn(call, replies, about) }
  }

  async function ask(call: WalkCall, requests: OnBothSides<TeamRequest>): Promise<OnBothSides<Reply>> {
    const isToRemove = call.creates && removerOf(call.creates.kind, call.orders)
    spend(objects.left + (isToRemove ? 1 : 0))
    const [ownReply, otherReply] = await Promise.all([own.ask(requests.own), other.ask(requests.other)])
    return { own: ownReply, other: otherReply }
  }

  return {
    calls,
    make,
    get hasCreatedUser() {
      return objects.find('user', MAX_PICK) !== undefined
    },
    /** Cancels the appointments and deletes the users that the sequence has created. */
    async cleanUp(): Promise<void> {
      for (let left = objects.left; left > 0; left--) spend(0)
      await objects.remove({ own, other })
    },
  }
}

/** The values of a body for fields that a path has too, such as the provider of a new connection. */
const sameFields = (params: JsonObject, body: JsonObject = {}): JsonObject =>
  filterFields(body, (name) => name in params)

/** The subject of a call without an object. */
const nothing: ObjectPair = { own: '', other: '', clientUserId: '', labTest: undefined, isGone: false }

interface Chosen {
  readonly labTest: LabTestPair | undefined
  readonly time: TimePair | undefined
}

/** The request of a call to each service. */
function requestsOf(
  call: WalkCall,
  inputs: Inputs,
  about: ObjectPair,
  chosen: Chosen,
): OnBothSides<TeamRequest> {
  return {
    own: requestOf(call, inputs, fillerOf(about, 'own', chosen)),
    other: requestOf(call, inputs, fillerOf(about, 'other', chosen)),
  }
}

/** Replaces the placeholders of a call that is about one object alone. */
const idFiller = (id: string) => (name: string, value: unknown) =>
  value === '' && name.endsWith('_id') ? id : value

/** Replaces the placeholders of a call. */
function fillerOf(about: ObjectPair, side: Side, { labTest, time }: Chosen) {
  const references: JsonObject = {
    user_id: about[side],
    order_id: about[side],
    lab_test_id: labTest?.[side],
    client_user_id: about.clientUserId,
    booking_key: time?.[side],
  }
  return (name: string, value: unknown): unknown => {
    if (value === '' && name in references) return references[name]
    return typeof value === 'string' ? value.replace('{method}', about.labTest?.method ?? '') : value
  }
}

/** The request of a call, with ids in place of the placeholders. */
function requestOf(
  { route, fixed = {}, headers = {} }: WalkCall,
  { params, query, body }: Inputs,
  fill: (name: string, value: unknown) => unknown,
): TeamRequest {
  const [method, pattern] = methodAndPath(route)
  const path = fillPath(pattern, (name) => fill(name, params[name]))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, ...fixed }))
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined) search.append(name, String(fill(name, each)))
  const fields = body && Object.entries(body).flatMap(([name, value]) => [[name, fill(name, value)] as const])
  return {
    method,
    path: search.size > 0 ? `${path}?${search}` : path,
    headers,
    body: fields && Object.fromEntries(fields),
  }
}

function collectTexts(value: unknown, texts: Set<string>): void {
  if (typeof value === 'string') texts.add(value)
  else if (typeof value === 'object' && value !== null)
    for (const each of Object.values(value)) collectTexts(each, texts)
}
