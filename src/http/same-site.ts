import { Problem } from '../kernel/problem.ts'
import { isLoopback } from '../kernel/this-machine.ts'
import { headersToGuard, type Step } from './context.ts'

/** Protects operations that control Petri or its worlds from web pages of other sites. */
export const guardSameSite =
  (publicUrl: URL | undefined): Step =>
  (c, next) => {
    assertSameSite(headersToGuard(c), publicUrl)
    return next()
  }

/** Rejects calls from web pages of other sites, and calls under a foreign host name. */
export function assertSameSite(header: (name: string) => string | undefined, publicUrl?: URL): void {
  const site = header('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin' && site !== 'none') refuse(`Sec-Fetch-Site: ${site}`)
  const host = header('host')
  if (host !== undefined && !isOwnHost(host, publicUrl)) refuse(`Host: ${host}`)
  const origin = header('origin')
  if (origin === undefined || origin === publicUrl?.origin) return
  if (host === undefined || hostOf(origin) !== host.toLowerCase()) {
    refuse(`Origin: ${origin}`)
  }
}

function refuse(what: string): never {
  throw new Problem(
    'forbidden',
    `The control and management APIs refuse web pages and foreign host names (${what}).`,
  )
}

const hostName = (host: string) => host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}

/** IPv4: unspecified, link-local and private addresses, including those of carriers and overlay networks. */
const PRIVATE_V4 =
  /^10(\.\d{1,3}){3}$|^0\.0\.0\.0$|^(192\.168|169\.254)(\.\d{1,3}){2}$|^172\.(1[6-9]|2\d|3[01])(\.\d{1,3}){2}$|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])(\.\d{1,3}){2}$/
/** IPv6: link-local and unique local addresses. */
const PRIVATE_V6 = /^\[(f[cd][0-9a-f:]*|fe[89ab][0-9a-f:]*)\]$/
/** Top-level names that cannot be registered on the internet, so no foreign page can have one. */
const PRIVATE_NAME = /^[a-z0-9._-]+\.(local|internal|test|home\.arpa)$/
/** Host names without a dot, such as those of containers, and `localhost`. */
const NAME_WITHOUT_DOT = /^[a-z0-9_-]+$/

/** Whether a `Host` is the published one, or a name or address of this machine, its containers or its private network. */
export function isOwnHost(host: string, publicUrl?: URL): boolean {
  const name = hostName(host)
  return (
    name === publicUrl?.hostname ||
    isLoopback(name) ||
    [NAME_WITHOUT_DOT, PRIVATE_V4, PRIVATE_V6, PRIVATE_NAME].some((pattern) => pattern.test(name))
  )
}
