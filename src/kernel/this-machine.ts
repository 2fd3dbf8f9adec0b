import { BlockList, isIP, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { once } from './once.ts'

/** The hosts that programs call without a proxy because they are loopback. */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '::1']

const loopbackNetworks = once(() => {
  const list = new BlockList()
  list.addSubnet('127.0.0.0', 8)
  list.addAddress('::1', 'ipv6')
  return list
})

/**
 * Whether a host name or address is loopback: no other machine can be it. IPv6 addresses may have brackets. Addresses that
 * only a URL parser understands, such as `127.1`, are not.
 */
export function isLoopback(host: string): boolean {
  const name = bareName(host)
  if (isIP(name) === 0) return name === 'localhost' || name.endsWith('.localhost')
  return contains(loopbackNetworks(), name)
}

/** Whether an address is one that a server listens on to be reached under every address. A call to it ends on this machine. */
export const isUnspecified = (host: string): boolean => ['0.0.0.0', '::'].includes(bareName(host))

/** Whether a call to a host name or address ends on this machine, whose addresses can change while Petri runs. */
export function isThisMachine(host: string): boolean {
  if (isLoopback(host) || isUnspecified(host)) return true
  const name = bareName(host)
  if (isIP(name) === 0) return false
  const list = new BlockList()
  for (const { address, family } of Object.values(networkInterfaces()).flatMap((all) => all ?? []))
    list.addAddress(address, family === 'IPv6' ? 'ipv6' : 'ipv4')
  return contains(list, name)
}

/** A host in lower case, without the brackets of IPv6 and the dot that ends a full name. */
const bareName = (host: string) => withoutBrackets(host.toLowerCase()).replace(/\.$/, '')

/** A host as sockets take it: an IPv6 address without its brackets. */
export const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1')

const contains = (list: BlockList, address: string) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
