import { linkTokenHeaders } from '../../api/credentials.ts'
import type { PlayOptions } from '../../client/explore.ts'
import type { AdvanceInput } from '../../client/inputs.ts'
import type { PetriWorld } from '../../client/kit.ts'
import type { Advanced, Call, Order } from '../../client/responses.ts'
import { sampleAddress, samplePatient } from '../../client/sample-patient.ts'
import { parseDuration } from '../../kernel/duration.ts'
import { omit } from '../../kernel/fields.ts'
import { headerNames } from '../../kernel/headers.ts'
import { DAY_MS, HOUR_MS, toDate, toIso } from '../../kernel/instant.ts'
import { type JsonObject, valueAt } from '../../kernel/json.ts'
import { append, groupBy } from '../../kernel/list.ts'
import { isEmailSlug } from '../../resources/link/schema.ts'
import type { FindingAction, FindingFile } from '../../scenarios/finding.ts'
import type { HistoryReceiver, ReceivedDelivery } from './receiver.ts'

export type PlayedEffect = Advanced['effects'][number]

/** A history that was played, and its outcome. */
export interface Played {
  readonly history: FindingFile
  /** By their numbers in the history, at the end; undefined for one that was never placed. */
  readonly orders: readonly (Order | undefined)[]
  /** Those that the laboratory ordered, at the end. */
  readonly redraws: readonly Order[]
  /** What a look threw, which ended it. */
  readonly thrown?: unknown
  readonly userIds: readonly string[]
  /** Effects of the clock and of the actions of the history. */
  readonly effects: readonly PlayedEffect[]
  readonly deliveries: readonly PlayedDelivery[]
  /** The calls of the program under test. */
  readonly calls: readonly Call[]
  /** Milliseconds since 1970, by the world's clock. */
  readonly startedAt: number
  readonly endedAt: number
}

export interface PlayedDelivery extends ReceivedDelivery {
  /** Milliseconds since 1970, by the world's clock. */
  readonly at: number
}

/** The world in which a history is played, and the receiver of its webhooks. */
export interface Stage {
  readonly world: PetriWorld
  readonly receiver: HistoryReceiver
}

/** The state of a history that is being played. */
interface Run extends Stage {
  readonly startedAt: number
  readonly effects: PlayedEffect[]
  readonly orderIds: (string | undefined)[]
  readonly userIds: string[]
  readonly look: PlayOptions['look']
  /** The time of the world, in milliseconds since 1970. */
  now: number
  thrown?: unknown
  readonly timeZone: string | undefined
  /** Calls made for the customer, which are not of the program under test. */
  readonly own: Set<string>
}

/** Plays a history in a world that was reset to its seed, until all is quiet or a look throws. */
export async function playHistory(
  history: FindingFile,
  stage: Stage,
  { place, look }: PlayOptions = {},
): Promise<Played> {
  const { world, receiver } = stage
  const { now, time_zone: timeZone } = history
  const startedAt = Date.parse(now)
  const run: Run = {
    ...stage,
    look,
    timeZone,
    startedAt,
    now: startedAt,
    effects: [],
    orderIds: [],
    userIds: [],
    own: new Set(),
  }
  await prepareWorld(world, history)
  for (const [number, scenario] of scenariosOf(history).entries())
    await world.scenarios.add(nameOf(history.name, number), scenario)
  const events = [
    ...history.orders.map(({ at }, number) => ({
      at: parseDuration(at) ?? 0,
      act: () => placeOrder(run, history, number, place),
    })),
    ...(history.actions ?? []).flatMap((action) => timedActions(run, action)),
  ].sort((a, b) => a.at - b.at)
  for (const { at, act } of events) {
    await advance(run, { to: toIso(startedAt + at) })
    await act()
    if (run.thrown !== undefined) return finish(history, run)
  }
  receiver.setOutage(undefined)
  await advance(run, { until: 'idle' })
  return finish(history, run)
}

/** What a history changes in all deliveries and calls of its world. */
async function prepareWorld(world: PetriWorld, { bodies, features, faults }: FindingFile): Promise<void> {
  if (bodies === 'spaced') await world.call('PUT', '/_petri/webhooks/faults', { respell: true })
  if (features) await world.set({ features })
  if (faults?.length) await world.call('PUT', '/_petri/faults', { faults })
}

/** The orders that the history does not place. */
const redrawIds = ({ effects, orderIds }: Pick<Run, 'effects' | 'orderIds'>): readonly string[] => {
  const ids = effects.map(({ order_id }) => order_id).filter((id) => id !== undefined)
  return [...new Set(ids)].filter((id) => !orderIds.includes(id))
}

/** Lets all orders of the world follow the first one of the history. Returns a function that describes the outcome. */
export async function prepareHistory(history: FindingFile, stage: Stage): Promise<() => Promise<Played>> {
  const { world } = stage
  await prepareWorld(world, history)
  const [first] = scenariosOf(history)
  if (first) await world.scenarios.add(history.name, first)
  await world.set({ scenario: history.name })
  return async () => {
    const { data } = await world.orders.list({ limit: 100 })
    const orderIds = data.map(({ id }) => id).reverse()
    const run = {
      startedAt: Date.parse(history.now),
      effects: [],
      orderIds,
      userIds: [],
      own: new Set<string>(),
    }
    return finish(history, { ...stage, ...run, now: (await world.clock.now()).getTime() })
  }
}

async function finish(
  history: FindingFile,
  { world, receiver, ...run }: Omit<Run, 'look' | 'timeZone'>,
): Promise<Played> {
  const [orders, redraws, calls] = await Promise.all([
    Promise.all(run.orderIds.map((id) => (id === undefined ? undefined : world.orders.get(id)))),
    Promise.all(redrawIds(run).map(world.orders.get)),
    world.requests.list(),
  ])
  return {
    history,
    orders,
    redraws,
    thrown: run.thrown,
    userIds: run.userIds,
    effects: run.effects,
    deliveries: withInstants(receiver.deliveries, run),
    calls: calls.filter(({ id }) => !run.own.has(id)),
    startedAt: run.startedAt,
    endedAt: run.now,
  }
}

function withInstants(
  deliveries: readonly ReceivedDelivery[],
  { effects, now }: Pick<Run, 'effects' | 'now'>,
): readonly PlayedDelivery[] {
  const attempts = groupBy(
    effects.filter(({ kind }) => kind === 'delivery'),
    ({ message_id }) => message_id,
  )
  return deliveries.map((delivery) => {
    const at = attempts.get(delivery.id)?.shift()?.at
    return { ...delivery, at: at === undefined ? now : Date.parse(at) }
  })
}

/** The scenario of each order. */
const scenariosOf = ({ name, summary, orders }: FindingFile): readonly JsonObject[] =>
  orders.map((order, number) => ({
    name: nameOf(name, number),
    summary,
    ...omit(order, 'at', 'user', 'registrable'),
  }))

const nameOf = (name: string, number: number) => (number === 0 ? name : `${name}-${number + 1}`)

async function advance(run: Run, by: AdvanceInput): Promise<void> {
  const { now, effects } = await run.world.clock.advance(by)
  run.now = Date.parse(now)
  append(run.effects, effects)
}

async function placeOrder(
  run: Run,
  { name, orders }: FindingFile,
  number: number,
  place: PlayOptions['place'],
): Promise<void> {
  const order = orders[number]
  if (!order) return
  const { world } = run
  const { user, method, registrable = false } = order
  const user_id = await userOf(run, user)
  const scenario = nameOf(name, number)
  if (!place) {
    const { id } = await world.orders.place({ scenario, user_id, registrable })
    run.orderIds[number] = id
    return
  }
  const lab_test_id = await labTestOf(world, method)
  const id = await place({ user_id, lab_test_id, registrable, ordinal: number + 1 })
  run.orderIds[number] = id
  if (id !== undefined) await world.orders.setScenario(id, scenario)
}

async function userOf({ world, userIds, timeZone }: Run, user: number): Promise<string> {
  const known = userIds[user - 1]
  if (known !== undefined) return known
  const { user_id } = await world.call<{ user_id: string }>('POST', '/_petri/users', {
    client_user_id: `user-${user}`,
    ...(timeZone !== undefined && { fallback_time_zone: timeZone }),
  })
  userIds[user - 1] = user_id
  return user_id
}

async function labTestOf(world: PetriWorld, method: string): Promise<string> {
  const tests = await world.call<readonly { id: string }[]>(
    'GET',
    `/v3/lab_tests?collection_method=${method}`,
  )
  const [first] = tests
  if (!first) throw new Error(`The catalogue has no lab test that is collected by ${method}.`)
  return first.id
}

interface Timed {
  readonly at: number
  readonly act: () => Promise<void>
}

function timedActions(run: Run, action: FindingAction): Timed[] {
  const at = parseDuration(action.at) ?? 0
  if (!('receiver' in action)) return [{ at, act: () => takeAction(run, action) }]
  return [
    { at, act: async () => run.receiver.setOutage(action.receiver) },
    { at: at + (parseDuration(action.for) ?? 0), act: async () => run.receiver.setOutage(undefined) },
  ]
}

async function takeAction(run: Run, action: Exclude<FindingAction, { receiver: unknown }>): Promise<void> {
  const { world } = run
  if ('features' in action) {
    await world.set({ features: action.features })
  } else if ('register' in action) {
    const order = await orderAt(run, action.register)
    if (order)
      await callFor(run, 'POST', '/v3/order/testkit/register', {
        sample_id: order.sample_id,
        patient_details: samplePatient,
        patient_address: sampleAddress,
      })
  } else if ('cancel' in action) {
    const id = run.orderIds[action.cancel - 1]
    if (id !== undefined) await callFor(run, 'POST', `/v3/order/${id}/cancel`)
  } else if ('resend' in action) {
    await resend(run, action.resend, action.event)
  } else if ('unmatched' in action) {
    await callFor(run, 'POST', '/v3/unmatched_result_test', {
      case: action.unmatched,
      order_source: 'managed',
    })
  } else {
    await takeFeedAction(run, action)
  }
}

const orderAt = async ({ world, orderIds }: Run, number: number) => {
  const id = orderIds[number - 1]
  return id === undefined ? undefined : world.orders.get(id)
}

/** Calls the service for the customer, and returns the body. Whether it refuses does not matter. */
async function callFor(
  { world, own }: Run,
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const response = await world.fetch(path, {
    method,
    headers: {
      'content-type': 'application/json',
      [headerNames.idempotencyKey]: `history-${own.size}`,
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const id = response.headers.get(headerNames.requestId)
  if (id !== null) own.add(id)
  return response.json().catch(() => undefined)
}

/** Whether the endpoint was disabled meanwhile does not matter. */
async function resend(run: Run, number: number, event: number | undefined): Promise<void> {
  const order_id = run.orderIds[number - 1]
  if (order_id === undefined) return
  const messages = await run.world.webhooks.messages({ order_id })
  const chosen = event === undefined ? messages : messages.slice(event - 1, event)
  for (const { id, status } of chosen)
    if (status !== 'pending') await callFor(run, 'POST', '/_petri/webhooks/resend', { message_id: id })
}

type FeedAction = Extract<FindingAction, { user: number }>

async function takeFeedAction(run: Run, action: FeedAction): Promise<void> {
  const { world } = run
  const user_id = await userOf(run, action.user)
  if ('connect' in action) {
    await connect(run, user_id, action.connect)
  } else if ('disconnect' in action) {
    await callFor(run, 'DELETE', `/v2/user/${user_id}/${action.disconnect}`)
  } else if ('ingestion_end' in action) {
    const now = (await world.clock.now()).getTime()
    const [ingestion_start, ingestion_end] = [-365, action.ingestion_end].map((days) =>
      toDate(now + days * DAY_MS),
    )
    await callFor(run, 'PATCH', `/v2/user/${user_id}`, { ingestion_start, ingestion_end })
  } else if ('look' in action) {
    await lookAs(run, user_id)
  } else if ('break' in action) {
    const name = 'explore-break'
    const steps = [{ after: '0s', error: action.error }]
    await world.call('PUT', `/_petri/scenarios/${name}`, {
      name,
      kind: 'feed',
      summary: 'The connection breaks.',
      steps,
    })
    await callFor(run, 'PUT', `/_petri/users/${user_id}/connections/${action.break}/feed`, { scenario: name })
  } else {
    const day = Math.floor((await world.clock.now()).getTime() / DAY_MS) + action.day - 1
    const [timestamp, end] = [day * DAY_MS, day * DAY_MS + HOUR_MS].map((at) => toIso(at))
    await world.users.addData(user_id, {
      resource: action.data,
      provider: action.provider,
      samples: [{ timestamp, end, value: action.value }],
    })
  }
}

/** The user looks at the program, which has heard all about the orders if no webhook is pending. */
async function lookAs(run: Run, user_id: string): Promise<void> {
  const { world, look } = run
  if (!look) return
  const isQuiet = (await world.webhooks.messages({ status: 'pending' })).length === 0
  const path = `/v3/orders?size=100&user_id=${user_id}`
  const { orders } = isQuiet ? await world.call<{ orders: Order[] }>('GET', path) : { orders: [] }
  try {
    await look({ user_id, orders })
  } catch (error) {
    run.thrown = error
  }
}

/** The user consents: a new connection, or one more consent to one. */
async function connect(run: Run, user_id: string, provider: string): Promise<void> {
  const account = `${provider}-account`
  if (isEmailSlug(provider)) {
    const token = await callFor(run, 'POST', '/v2/link/token', { user_id })
    const headers = { [linkTokenHeaders[0]]: String(valueAt(token, ['link_token'])) }
    await callFor(
      run,
      'POST',
      `/v2/link/provider/email/${provider}`,
      { email: `${account}@example.com` },
      headers,
    )
    return
  }
  const tokens = { access_token: 'access', refresh_token: 'refresh', expires_at: EXPIRES_AT }
  const connections = [{ user_id, provider_id: account, ...tokens }]
  await callFor(run, 'POST', '/v2/link/bulk_import', { provider, connections, wait_for_completion: true })
}

/** In the year 2100, in seconds since 1970. */
const EXPIRES_AT = 4_102_444_800
