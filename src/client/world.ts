import { type Caller, withQuery } from './caller.ts'
import { clockKit } from './clock.ts'
import type { PetriWorld, Receiver } from './kit.ts'
import { ordersKit, scenariosKit, usersKit } from './orders.ts'
import type { OpenReceiver, Receivers } from './receivers.ts'
import type { Agenda, Coverage, Lifecycle, Triggered, World } from './responses.ts'
import { faultsKit, requestsKit, snapshotsKit, stateKit } from './settings.ts'
import { webhooksKit } from './webhooks.ts'

/** How a world is called. */
export interface WorldAccess {
  readonly url: () => string | undefined
  readonly apiKey: string
  readonly webhookSecret: string
  readonly teamId: string
  readonly caller: Caller
  readonly receivers: Receivers
  close(): Promise<void>
}

export function createWorld(access: WorldAccess): PetriWorld {
  const { url, apiKey, webhookSecret, teamId, caller } = access
  const { fetch, call } = caller
  const receivers = remembering(access.receivers)
  const describe = () => call<World>('GET', '/_petri/world')
  const users = usersKit(call, describe)
  return {
    get url() {
      return url()
    },
    apiKey,
    webhookSecret,
    teamId,
    fetch,
    call,
    clock: clockKit(call),
    users: users.kit,
    orders: ordersKit(call, users.kit),
    scenarios: scenariosKit(call),
    webhooks: webhooksKit(call, (target) => toUrl(receivers, target)),
    requests: requestsKit(call),
    faults: faultsKit(call),
    snapshots: snapshotsKit(call),
    state: stateKit(call),
    trigger: (event) => call<Triggered>('POST', '/_petri/trigger', event),
    coverage: () => call<Coverage>('GET', '/_petri/coverage'),
    agenda: (subject) => call<Agenda>('GET', withQuery('/_petri/agenda', { subject })),
    lifecycle: () => call<Lifecycle>('GET', '/_petri/lifecycle'),
    describe,
    set: (settings) => call<World>('PATCH', '/_petri/world', settings),
    async reset(options = {}) {
      await call('POST', '/_petri/reset', options)
      users.forget()
    },
    async close() {
      await access.close()
      await receivers.close()
    },
  }
}

/** The URL of a receiver. */
const toUrl = async (receivers: Receivers, target: string | Receiver): Promise<string> =>
  typeof target === 'string' ? target : (await receivers.open(target)).url

/** Receivers that are closed together. */
function remembering(receivers: Receivers): Receivers & { close(): Promise<void> } {
  const opened: OpenReceiver[] = []
  return {
    async open(receive) {
      const open = await receivers.open(receive)
      opened.push(open)
      return open
    },
    async close() {
      await Promise.all(opened.splice(0).map((open) => open.close()))
    },
  }
}
