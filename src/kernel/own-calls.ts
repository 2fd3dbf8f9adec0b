import type { Server } from 'node:net'
import { headerNames } from './headers.ts'
import { isThisMachine } from './this-machine.ts'

/** The servers of this process that serve Petri, and their ports. */
const ownServers = new Map<Server, number>()

/** Keeps calls that Petri makes for its users away from one of its servers. */
export function refuseOwnCalls(server: Server): void {
  server.on('listening', () => {
    const at = server.address()
    if (typeof at === 'object' && at) ownServers.set(server, at.port)
  })
  server.on('close', () => ownServers.delete(server))
}

/** Whether an address and port lead to a server of Petri in this process. */
export function isOwnServer(address: string, port: number): boolean {
  const isOwnPort = [...ownServers.values()].includes(port)
  return isOwnPort && isThisMachine(address)
}

/** Marks calls that Petri makes for its users other than webhooks, which have the headers of the live service. */
export const ownCallHeaders = { [headerNames.ownCall]: '1' }

/** Whether a Petri made a call for one of its users, in this process or another. Such calls are never those of the user who runs Petri. */
export const isOwnCall = (header: (name: string) => string | undefined): boolean =>
  ['svix-id', headerNames.ownCall].some((name) => header(name) !== undefined)
