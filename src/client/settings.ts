import type { Caller } from './caller.ts'
import type { FaultsKit, RequestsKit, SnapshotsKit, StateKit } from './kit.ts'
import { allPages } from './pages.ts'
import type { Call as ClientCall, Fault, Snapshot } from './responses.ts'
import { waiting } from './wait.ts'

type Call = Caller['call']

export const requestsKit = (call: Call): RequestsKit => ({
  list: (filter) => allPages<ClientCall>(call, '/_petri/requests', filter),
  get: (requestId) => call('GET', `/_petri/requests/${encodeURIComponent(requestId)}`),
  wait: async (filter, options) =>
    (await waiting<{ requests: ClientCall[] }>(call, { request: filter }, options)).requests,
  clear: () => call('DELETE', '/_petri/requests'),
})

export const faultsKit = (call: Call): FaultsKit => ({
  list: async () => (await call<{ faults: Fault[] }>('GET', '/_petri/faults')).faults,
  set: async (...faults) => (await call<{ faults: Fault[] }>('PUT', '/_petri/faults', { faults })).faults,
  clear: () => call('DELETE', '/_petri/faults'),
})

export function snapshotsKit(call: Call): SnapshotsKit {
  const path = (name: string) => `/_petri/snapshots/${encodeURIComponent(name)}`
  return {
    list: async () => (await call<{ data: Snapshot[] }>('GET', '/_petri/snapshots')).data,
    async save(name) {
      await call('PUT', path(name))
    },
    async restore(name) {
      await call('POST', `${path(name)}/restore`)
    },
    remove: (name) => call('DELETE', path(name)),
  }
}

export const stateKit = (call: Call): StateKit => ({
  export: () => call('GET', '/_petri/state'),
  async import(state) {
    await call('PUT', '/_petri/state', state)
  },
})
