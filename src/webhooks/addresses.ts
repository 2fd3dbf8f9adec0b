import { BlockList, isIP } from 'node:net'
import { once } from '../kernel/once.ts'
import { isOwnServer } from '../kernel/own-calls.ts'
import { withoutBrackets } from '../kernel/this-machine.ts'

/** Link-local, cloud metadata and unspecified addresses, which are always blocked. */
const blockedNetworks = [
  '169.254.0.0/16',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  '0.0.0.0/8',
  'fe80::/10',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
  '::/128',
  'fec0::/10',
  // The IPv6 forms of these IPv4 addresses: compatible, translated, NAT64 and 6to4.
  '::a9fe:0/112',
  '::6464:64c8/128',
  '::a83f:8110/128',
  '::c000:c0/128',
  '::ffff:0:0:0/96',
  '64:ff9b::a9fe:0/112',
  '64:ff9b::6464:64c8/128',
  '64:ff9b::a83f:8110/128',
  '64:ff9b::c000:c0/128',
  '64:ff9b:1::/48',
  '2002:a9fe::/32',
  '2002:6464:64c8::/48',
  '2002:a83f:8110::/48',
  '2002:c000:c0::/48',
]

/** Host names of instance metadata, which are blocked regardless of their addresses. */
const blockedNames = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.internal',
  'metadata.azure.com',
  'metadata.tencentyun.com',
  'instance-data',
  'instance-data.ec2.internal',
])

const blockList = once(() => {
  const list = new BlockList()
  for (const network of blockedNetworks) {
    const [address = '', prefix] = network.split('/')
    list.addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  return list
})

/** Why Petri calls neither this host name or address nor this port of it for a user; undefined if it does. */
export function whyBlocked(host: string, port = 0): string | undefined {
  const version = isIP(host)
  if (version !== 0 && isOwnServer(host, port))
    return `${host}, port ${port}, is Petri itself, which it never calls for a user`
  const isBlocked =
    version === 0
      ? blockedNames.has(host.toLowerCase().replace(/\.$/, ''))
      : blockList().check(host, version === 6 ? 'ipv6' : 'ipv4')
  if (!isBlocked) return undefined
  return `${host} is a link-local, cloud metadata or unspecified address; Petri never calls those`
}

/** A URL's host without the brackets of IPv6, as `isIP` expects it. */
export const bareHost = (url: string | URL): string => withoutBrackets(new URL(url).hostname)

/** The port of a URL, also the default of its protocol. */
export const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === 'https:' ? 443 : 80)
