import { withQuery } from '../kernel/http-call.ts'
import { isObject, valueAt } from '../kernel/json.ts'
import { allRows, type Caller, waitFor } from './caller.ts'
import type { AdvanceInput, OrderInput, UserInput } from './inputs.ts'
import type {
  ClockKit,
  FaultsKit,
  OrdersKit,
  PetriWorld,
  Receiver,
  RequestsKit,
  ScenariosKit,
  SnapshotsKit,
  StateKit,
  UsersKit,
  WebhooksKit,
} from './kit.ts'
import { assertId, assertKnownOptions, type OptionNames } from './known-options.ts'
import type { OpenReceiver, Receivers } from './receivers.ts'
import type { Call, Clock, Endpoint, Fault, Message, Order, Scenario, Snapshot, World } from './responses.ts'
import { fixtures } from './sample-patient.ts'

/** How to call a world. */
export interface WorldAccess {
  readonly url: () => string
  readonly apiKey: string
  readonly webhookSecret: string
  readonly teamId: string
  readonly caller: Caller
  readonly receivers: Receivers
  /** The noun for messages: the world or Petri, which is closed with it. */
  readonly noun: 'Petri' | 'world'
  close(): Promise<void>
}

export function createWorld(access: WorldAccess): PetriWorld {
  const { url, apiKey, webhookSecret, teamId, caller } = access
  const opened: OpenReceiver[] = []
  let isClosed = false
  /** The last error of a receiver, which explains why a wait failed. */
  let thrown: unknown
  const toUrl = async (target: string | Receiver) => {
    if (typeof target === 'string') return target
    const receiver = await access.receivers.open(async (request) => {
      try {
        return (await target(request)) ?? undefined
      } catch (error) {
        thrown = error
        throw error
      }
    })
    opened.push(receiver)
    return receiver.url
  }
  const assertOpen = () => {
    if (isClosed) throw new Error(`This ${access.noun} is closed. Await all calls before you close it.`)
  }
  const fetch: Caller['fetch'] = async (input, init) => {
    assertOpen()
    return caller.fetch(input, init)
  }
  const call: Caller['call'] = async (...given) => {
    assertOpen()
    try {
      return await caller.call(...given)
    } catch (error) {
      if (thrown !== undefined && valueAt(error, ['status']) === 408)
        throw Object.assign(error as Error, { cause: thrown })
      throw error
    }
  }
  const describe = () => call<World>('GET', '/_petri/world')
  const names = userNames(describe)
  return {
    get url() {
      return url()
    },
    apiKey,
    webhookSecret,
    teamId,
    client: () => ({ apiKey, environment: url() }),
    fetch,
    call,
    clock: clockKit(call),
    fixtures,
    users: usersKit(call, names.next),
    labTests: { create: (labTest) => call('POST', '/_petri/lab_tests', labTest) },
    orders: ordersKit(call),
    scenarios: scenariosKit(call),
    webhooks: webhooksKit(call, toUrl),
    requests: requestsKit(call),
    faults: faultsKit(call),
    snapshots: snapshotsKit(call),
    state: stateKit(call),
    trigger: (event) => call('POST', '/_petri/trigger', event),
    coverage: () => call('GET', '/_petri/coverage'),
    agenda: (subject) => call('GET', withQuery('/_petri/agenda', { subject })),
    lifecycle: () => call('GET', '/_petri/lifecycle'),
    describe,
    set: (settings) => call('PATCH', '/_petri/world', settings),
    async reset(options = {}) {
      await call('POST', '/_petri/reset', options)
      names.restart()
    },
    async close() {
      await access.close()
      isClosed = true
      await Promise.all(opened.splice(0).map((receiver) => receiver.close()))
    },
  }
}

type CallWorld = Caller['call']

/** A path with an id. */
const at = (path: string, id: string) => `${path}/${encodeURIComponent(id)}`

function pathOf(noun: 'order' | 'user', path: string, id: string): string {
  assertId(noun, id)
  return at(path, id)
}

function clockKit(call: CallWorld): ClockKit {
  const path = '/_petri/clock'
  const get = () => call<Clock>('GET', path)
  return {
    get,
    now: async () => new Date((await get()).now),
    advance: async (by) => call('POST', `${path}/advance`, advanceInput(by)),
    settle: () => call('POST', `${path}/advance`, { by: '0s' }),
    freeze: () => call('PATCH', path, { frozen: true }),
    run: () => call('PATCH', path, { frozen: false }),
    setPace: (pace) => call('PATCH', path, { pace }),
  }
}

function advanceInput(by: AdvanceInput): object {
  if (typeof by === 'string') return { by }
  if (!isObject(by))
    throw new TypeError(
      `clock.advance takes a duration such as '3d' or '90s', { to } or { until }; it got ${JSON.stringify(by)}.`,
    )
  return 'until' in by && typeof by.until === 'object' ? by.until : by
}

/** Unused names of users; the same calls give the same names in each world. */
function userNames(describe: () => Promise<World>) {
  let last: Promise<number> | undefined
  return {
    async next() {
      last = (last ?? describe().then(({ counts }) => counts.users ?? 0)).then((count) => count + 1)
      return `user-${await last}`
    },
    restart() {
      last = undefined
    },
  }
}

const userOptions: OptionNames<UserInput> = { user_id: true, client_user_id: true }

const usersKit = (call: CallWorld, nextName: () => Promise<string>): UsersKit => ({
  async create(user = {}) {
    const given: UserInput = typeof user === 'string' ? { client_user_id: user } : user
    assertKnownOptions('users.create', given, userOptions)
    const { user_id, client_user_id = await nextName() } = given
    return user_id === undefined
      ? call('POST', '/v2/user', { client_user_id })
      : call('POST', '/_petri/users', { user_id, client_user_id })
  },
  get: async (userId) => call('GET', pathOf('user', '/v2/user', userId)),
  async setScenario(userId, scenario) {
    await call('PUT', `${pathOf('user', '/_petri/users', userId)}/scenario`, { scenario })
  },
  async setFeed(userId, provider, scenario) {
    const connections = `${pathOf('user', '/_petri/users', userId)}/connections`
    await call('PUT', `${at(connections, provider)}/feed`, { scenario })
  },
  addData: async (userId, data) => call('POST', `${pathOf('user', '/_petri/users', userId)}/data`, data),
})

const orderOptions: OptionNames<OrderInput> = {
  id: true,
  scenario: true,
  zip: true,
  user_id: true,
  lab_test_id: true,
  registrable: true,
  redraw: true,
}

function ordersKit(call: CallWorld): OrdersKit {
  const path = '/_petri/orders'
  const pathTo = (orderId: string) => pathOf('order', path, orderId)
  const get = async (orderId: string) => call<Order>('GET', pathOf('order', '/v3/order', orderId))
  const reach = async (orderId: string, status: string) => {
    assertId('order', orderId)
    await call('POST', '/_petri/clock/advance', { order_id: orderId, status })
    return get(orderId)
  }
  return {
    async place(input = {}) {
      assertKnownOptions('orders.place', input, orderOptions)
      return call('POST', path, input)
    },
    get,
    list: (filter = {}) => call('GET', withQuery(path, filter)),
    life: async (orderId) => call('GET', pathTo(orderId)),
    move: async (orderId, step) =>
      call('POST', `${pathTo(orderId)}/move`, typeof step === 'string' ? { status: step } : step),
    setResults: async (orderId, results) => call('PUT', `${pathTo(orderId)}/results`, results),
    scenario: async (orderId) => call('GET', `${pathTo(orderId)}/scenario`),
    setScenario: async (orderId, scenario, options) =>
      call('PUT', `${pathTo(orderId)}/scenario`, { scenario, ...options }),
    reach,
    async wait(orderId, status, { advance = false, ...options } = {}) {
      if (advance) return reach(orderId, status)
      assertId('order', orderId)
      return (await waitFor<{ order: Order }>(call, { order_id: orderId, status }, options)).order
    },
  }
}

function scenariosKit(call: CallWorld): ScenariosKit {
  const path = '/_petri/scenarios'
  return {
    list: async (filter = {}) => (await call<{ data: Scenario[] }>('GET', withQuery(path, filter))).data,
    get: (name) => call('GET', at(path, name)),
    add: (name, scenario) =>
      call('PUT', at(path, name), typeof scenario === 'string' ? { source: scenario } : scenario),
    remove: (name) => call('DELETE', at(path, name)),
  }
}

function webhooksKit(call: CallWorld, toUrl: (target: string | Receiver) => Promise<string>): WebhooksKit {
  const endpoints = '/_petri/webhooks/endpoints'
  const messages = '/_petri/webhooks/messages'
  const faults = '/_petri/webhooks/faults'
  return {
    deliverTo: async (target, options) => call('POST', endpoints, { ...options, url: await toUrl(target) }),
    endpoints: {
      list: async () => (await call<{ data: Endpoint[] }>('GET', endpoints)).data,
      change: (endpointId, change) => call('PATCH', at(endpoints, endpointId), change),
      remove: (endpointId) => call('DELETE', at(endpoints, endpointId)),
      rotateSecret: (endpointId, secret) =>
        call('POST', `${at(endpoints, endpointId)}/rotate-secret`, { secret }),
    },
    messages: (filter) => allRows<Message>(call, messages, filter),
    message: (messageId) => call('GET', at(messages, messageId)),
    wait: async (filter = {}, options) =>
      (await waitFor<{ messages: Message[] }>(call, { message: filter }, options)).messages,
    async resend(which = {}) {
      assertKnownOptions('webhooks.resend', which, {
        message_id: true,
        endpoint_id: true,
        order_id: true,
        since: true,
      })
      return (await call<{ resent: number }>('POST', '/_petri/webhooks/resend', which)).resent
    },
    faults: {
      get: () => call('GET', faults),
      set: (rules) => call('PUT', faults, rules),
      clear: () => call('DELETE', faults),
    },
  }
}

function requestsKit(call: CallWorld): RequestsKit {
  const path = '/_petri/requests'
  return {
    list: (filter = {}) => allRows<Call>(call, path, filter),
    get: (requestId) => call('GET', at(path, requestId)),
    wait: async (filter, options) =>
      (await waitFor<{ requests: Call[] }>(call, { request: filter }, options)).requests,
    clear: () => call('DELETE', path),
  }
}

function faultsKit(call: CallWorld): FaultsKit {
  const path = '/_petri/faults'
  return {
    list: async () => (await call<{ faults: Fault[] }>('GET', path)).faults,
    set: async (...faults) => (await call<{ faults: Fault[] }>('PUT', path, { faults })).faults,
    clear: () => call('DELETE', path),
  }
}

function snapshotsKit(call: CallWorld): SnapshotsKit {
  const path = '/_petri/snapshots'
  return {
    list: async () => (await call<{ data: Snapshot[] }>('GET', path)).data,
    async save(name) {
      await call('PUT', at(path, name))
    },
    async restore(name) {
      await call('POST', `${at(path, name)}/restore`)
    },
    remove: (name) => call('DELETE', at(path, name)),
  }
}

const stateKit = (call: CallWorld): StateKit => ({
  export: () => call('GET', '/_petri/state'),
  async import(state) {
    await call('PUT', '/_petri/state', state)
  },
})
