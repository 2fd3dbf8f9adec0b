import { type Caller, withQuery } from './caller.ts'
import type { OrdersKit, ScenariosKit, UsersKit } from './kit.ts'
import { placeOrder } from './place.ts'
import type {
  Board,
  Order,
  OrderLife,
  OrderScenario,
  Scenario,
  ScenarioInFull,
  User,
  UserDataKept,
  World,
} from './responses.ts'
import { waiting } from './wait.ts'

type Call = Caller['call']

export function usersKit(call: Call, describe: () => Promise<World>) {
  let last: Promise<number> | undefined
  /** An unused name; the same calls give the same name in each world. */
  const freeName = async () => {
    last = (last ?? describe().then(({ counts }) => counts.users ?? 0)).then((count) => count + 1)
    return `user-${await last}`
  }
  const kit: UsersKit = {
    create: async (clientUserId) =>
      call<User>('POST', '/v2/user', { client_user_id: clientUserId ?? (await freeName()) }),
    get: (userId) => call<User>('GET', `/v2/user/${encodeURIComponent(userId)}`),
    async follow(userId, scenario) {
      await call('PUT', `/_petri/users/${encodeURIComponent(userId)}/scenario`, { scenario })
    },
    addData: (userId, data) =>
      call<UserDataKept>('POST', `/_petri/users/${encodeURIComponent(userId)}/data`, data),
  }
  return {
    kit,
    forget() {
      last = undefined
    },
  }
}

export function ordersKit(call: Call, users: UsersKit): OrdersKit {
  const control = (orderId: string, what: string) => `/_petri/orders/${encodeURIComponent(orderId)}/${what}`
  const get = (orderId: string) => call<Order>('GET', `/v3/order/${encodeURIComponent(orderId)}`)
  const scenario = (orderId: string) => call<OrderScenario>('GET', control(orderId, 'scenario'))
  return {
    place: async (input) => (await placeOrder(call, users, input)).order,
    get,
    list: (filter) => call<Board>('GET', withQuery('/_petri/orders', filter)),
    life: (orderId) => call<OrderLife>('GET', `/_petri/orders/${encodeURIComponent(orderId)}`),
    move: (orderId, step) =>
      call<Order>('POST', control(orderId, 'move'), typeof step === 'string' ? { status: step } : step),
    scenario,
    follow: (orderId, name, options = {}) =>
      call<OrderScenario>('PUT', control(orderId, 'scenario'), { scenario: name, ...options }),
    async wait(orderId, status, options) {
      return (await waiting<{ order: Order }>(call, { order_id: orderId, status }, options)).order
    },
  }
}

export function scenariosKit(call: Call): ScenariosKit {
  const path = (name: string) => `/_petri/scenarios/${encodeURIComponent(name)}`
  return {
    list: async () => (await call<{ data: Scenario[] }>('GET', '/_petri/scenarios')).data,
    get: (name) => call<ScenarioInFull>('GET', path(name)),
    add: (name, scenario) =>
      call<ScenarioInFull>('PUT', path(name), typeof scenario === 'string' ? { source: scenario } : scenario),
    remove: (name) => call('DELETE', path(name)),
  }
}
