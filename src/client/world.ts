import { wallClock } from '../kernel/clock.ts'
import { withQuery } from '../kernel/http-call.ts'
import { isObject, valueAt } from '../kernel/json.ts'
import {
  assertFilter,
  assertId,
  assertObject,
  assertOptions,
  describe,
  type OptionChecks,
} from './arguments.ts'
import { allRows, type Caller, waitFor } from './caller.ts'
import type { AdvanceInput, ExactResults, FaultInput, UserInput } from './inputs.ts'
import { journalOf } from './journal.ts'
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
import type { WorldReceivers } from './receivers.ts'
import type { Call, Clock, Endpoint, Fault, Message, Order, Scenario, Snapshot, World } from './responses.ts'
import { fixtures } from './sample-patient.ts'

/** How to call a world. */
export interface WorldAccess {
  readonly url: () => string
  readonly apiKey: string
  readonly webhookSecret: string
  readonly teamId: string
  readonly caller: Caller
  readonly receivers: WorldReceivers
  /** The noun for messages: the world or Petri, which is closed with it. */
  readonly noun: 'Petri' | 'world'
  close(): Promise<void>
}

export function createWorld(access: WorldAccess): PetriWorld {
  const { url, apiKey, webhookSecret, teamId, caller, receivers } = access
  const placed: string[] = []
  const since = wallClock()
  let isClosed = false
  let closing: Promise<void> | undefined
  const toUrl = async (target: string | Receiver) => {
    if (typeof target === 'string') return target
    if (typeof target !== 'function') {
      const hint = isObject(target) && 'fetch' in target ? ' Give (request) => app.fetch(request).' : ''
      throw new TypeError(`webhooks.deliverTo takes a URL or a function; it got ${describe(target)}.${hint}`)
    }
    return (await receivers.open(target)).url
  }
  const assertOpen = () => {
    if (isClosed) throw new Error(`This ${access.noun} is closed. Await all calls before you close it.`)
  }
  const fetch: Caller['fetch'] = async (input, init) => {
    assertOpen()
    return caller.fetch(input, init)
  }
  const call: Caller['call'] = async <Body>(...given: Parameters<Caller['call']>) => {
    assertOpen()
    try {
      const result = await caller.call<Body>(...given)
      if (given[0] === 'POST' && given[1] === '/_petri/orders') placed.push((result as Order).id)
      return result
    } catch (error) {
      // An error of a receiver explains why a wait failed.
      if (receivers.thrown() !== undefined && valueAt(error, ['status']) === 408)
        throw Object.assign(error as Error, { cause: receivers.thrown() })
      if (closing && given[1] === '/_petri/clock/advance')
        (error as Error).message += ' Await clock.advance(…) before you close the world.'
      throw error
    }
  }
  const describeWorld = () => call<World>('GET', '/_petri/world')
  const names = userNames(describeWorld)
  const requests = requestsKit(call)
  const webhooks = webhooksKit(call, toUrl)
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
    webhooks,
    requests,
    faults: faultsKit(call),
    snapshots: snapshotsKit(call),
    state: stateKit(call),
    trigger: (event) => call('POST', '/_petri/trigger', event),
    coverage: () => call('GET', '/_petri/coverage'),
    agenda: async (subject) => call('GET', filtered('agenda', '/_petri/agenda', { subject })),
    lifecycle: () => call('GET', '/_petri/lifecycle'),
    describe: describeWorld,
    set: (settings) => call('PATCH', '/_petri/world', settings),
    async reset(options = {}) {
      await call('POST', '/_petri/reset', options)
      names.restart()
    },
    journal: () => journalOf({ call, requests, webhooks, placed, since }),
    close() {
      closing ??= access
        .close()
        .finally(async () => {
          isClosed = true
          await receivers.close()
        })
        .then(() => {
          if (receivers.thrown() !== undefined) throw receivers.thrown()
        })
      return closing
    },
  }
}

type CallWorld = Caller['call']

/** A path with an id or a name. */
function at(path: string, id: string, kind: Parameters<typeof assertId>[0]): string {
  assertId(kind, id)
  return `${path}/${encodeURIComponent(id)}`
}

/** A path with a filter. */
function filtered(method: string, path: string, filter: object): string {
  assertFilter(method, filter)
  return withQuery(path, filter)
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
  if (by instanceof Date) return { to: by }
  if (!isObject(by) || by instanceof Promise)
    throw new TypeError(
      `clock.advance takes a duration such as '3d' or '90s', a Date, { to } or { until }; it got ${describe(by)}.`,
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

const userOptions: OptionChecks<UserInput> = { user_id: true, client_user_id: true }

const usersKit = (call: CallWorld, nextName: () => Promise<string>): UsersKit => ({
  async create(user = {}) {
    const given: UserInput = typeof user === 'string' ? { client_user_id: user } : user
    assertOptions('users.create', given, userOptions)
    const { user_id, client_user_id = await nextName() } = given
    return user_id === undefined
      ? call('POST', '/v2/user', { client_user_id })
      : call('POST', '/_petri/users', { user_id, client_user_id })
  },
  get: async (userId) => call('GET', at('/v2/user', userId, 'user id')),
  async setScenario(userId, scenario) {
    await call('PUT', `${at('/_petri/users', userId, 'user id')}/scenario`, { scenario })
  },
  async setFeed(userId, provider, scenario) {
    const connections = `${at('/_petri/users', userId, 'user id')}/connections`
    await call('PUT', `${at(connections, provider, 'provider')}/feed`, { scenario })
  },
  addData: async (userId, data) => call('POST', `${at('/_petri/users', userId, 'user id')}/data`, data),
})

function ordersKit(call: CallWorld): OrdersKit {
  const path = '/_petri/orders'
  const pathTo = (orderId: string) => at(path, orderId, 'order id')
  const get = async (orderId: string) => call<Order>('GET', at('/v3/order', orderId, 'order id'))
  const reach = async (orderId: string, status: string) => {
    assertId('order id', orderId)
    await call('POST', '/_petri/clock/advance', { order_id: orderId, status })
    return get(orderId)
  }
  return {
    place: async (input = {}) => call('POST', path, input),
    get,
    list: async (filter = {}) => call('GET', filtered('orders.list', path, filter)),
    life: async (orderId) => call('GET', pathTo(orderId)),
    async move(orderId, step, ...more: readonly unknown[]) {
      if (more.length > 0)
        throw new TypeError('orders.move takes an order id and a step, such as { status, force: true }.')
      const move = typeof step === 'string' ? { status: step } : step
      const to = `${pathTo(orderId)}/move`
      assertObject('orders.move', move)
      return call('POST', to, move)
    },
    async setResults(orderId, results) {
      const to = `${pathTo(orderId)}/results`
      assertOptions('orders.setResults', results, resultOptions)
      return call('PUT', to, results)
    },
    scenario: async (orderId) => call('GET', `${pathTo(orderId)}/scenario`),
    setScenario: async (orderId, scenario, options) =>
      call('PUT', `${pathTo(orderId)}/scenario`, { scenario, ...options }),
    reach,
    async wait(orderId, status, { advance = false, ...options } = {}) {
      if (advance) return reach(orderId, status)
      assertId('order id', orderId)
      return (await waitFor<{ order: Order }>(call, { order_id: orderId, status }, options)).order
    },
  }
}

const resultOptions: OptionChecks<ExactResults> = { values: true, comment: true, pdf: true }

function scenariosKit(call: CallWorld): ScenariosKit {
  const path = '/_petri/scenarios'
  return {
    list: async (filter = {}) =>
      (await call<{ data: Scenario[] }>('GET', filtered('scenarios.list', path, filter))).data,
    get: async (name) => call('GET', at(path, name, 'scenario name')),
    async add(name, scenario) {
      const to = at(path, name, 'scenario name')
      if (typeof scenario === 'string') return call('PUT', to, { source: scenario })
      assertObject('scenarios.add, after the name,', scenario)
      return call('PUT', to, scenario)
    },
    remove: async (name) => call('DELETE', at(path, name, 'scenario name')),
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
      change: async (endpointId, change) => call('PATCH', at(endpoints, endpointId, 'endpoint id'), change),
      remove: async (endpointId) => call('DELETE', at(endpoints, endpointId, 'endpoint id')),
      rotateSecret: async (endpointId, secret) =>
        call('POST', `${at(endpoints, endpointId, 'endpoint id')}/rotate-secret`, { secret }),
    },
    async messages(filter = {}) {
      assertFilter('webhooks.messages', filter)
      return allRows<Message>(call, messages, filter)
    },
    message: async (messageId) => call('GET', at(messages, messageId, 'message id')),
    async wait(filter = {}, options) {
      assertFilter('webhooks.wait', filter)
      return (await waitFor<{ messages: Message[] }>(call, { message: filter }, options)).messages
    },
    async resend(which = {}) {
      assertFilter('webhooks.resend', which)
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
    async list(filter = {}) {
      assertFilter('requests.list', filter)
      return allRows<Call>(call, path, filter)
    },
    get: async (requestId) => call('GET', at(path, requestId, 'request id')),
    async wait(filter, options) {
      assertFilter('requests.wait', filter)
      return (await waitFor<{ requests: Call[] }>(call, { request: filter }, options)).requests
    },
    clear: () => call('DELETE', path),
  }
}

const faultOptions: OptionChecks<FaultInput> = {
  operation: true,
  times: true,
  rate: true,
  after: true,
  respond: true,
  latency: true,
  drop: true,
}

function faultsKit(call: CallWorld): FaultsKit {
  const path = '/_petri/faults'
  return {
    list: async () => (await call<{ faults: Fault[] }>('GET', path)).faults,
    async set(...faults) {
      for (const fault of faults) assertOptions('faults.set', fault, faultOptions)
      return (await call<{ faults: Fault[] }>('PUT', path, { faults })).faults
    },
    clear: () => call('DELETE', path),
  }
}

function snapshotsKit(call: CallWorld): SnapshotsKit {
  const path = '/_petri/snapshots'
  return {
    list: async () => (await call<{ data: Snapshot[] }>('GET', path)).data,
    async save(name) {
      await call('PUT', at(path, name, 'snapshot name'))
    },
    async restore(name) {
      await call('POST', `${at(path, name, 'snapshot name')}/restore`)
    },
    remove: async (name) => call('DELETE', at(path, name, 'snapshot name')),
  }
}

const stateKit = (call: CallWorld): StateKit => ({
  export: () => call('GET', '/_petri/state'),
  async import(state) {
    await call('PUT', '/_petri/state', state)
  },
})
