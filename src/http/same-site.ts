import { Problem } from '../kernel/problem.ts'
import type { ReadHeader } from './credentials.ts'

/** Refuses a call a web page made, or one that came by another name than this machine's: no page may drive a sandbox. */
export function refuseForeignPages(header: ReadHeader, allowedHosts: (host: string) => boolean): void {
  const site = header('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin' && site !== 'none') refuse(`Sec-Fetch-Site: ${site}`)
  const host = header('host')
  if (host !== undefined && !allowedHosts(hostName(host))) refuse(`Host: ${host}`)
  const origin = header('origin')
  if (origin !== undefined && (host === undefined || hostOf(origin) !== host.toLowerCase())) {
    refuse(`Origin: ${origin}`)
  }
}

function refuse(what: string): never {
  throw new Problem('forbidden', `The control API is not for web pages or foreign names (${what}).`)
}

const hostName = (host: string) => host.toLowerCase().replace(/:\d+$/, '')

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}

/** Names of this machine, private addresses, and names without a dot, which is what containers call each other. */
export const isOwnHost = (name: string): boolean =>
  name === 'localhost' ||
  name === '[::1]' ||
  name.endsWith('.localhost') ||
  name === 'host.docker.internal' ||
  /^(127|10)(\.\d{1,3}){3}$|^192\.168(\.\d{1,3}){2}$|^172\.(1[6-9]|2\d|3[01])(\.\d{1,3}){2}$/.test(name) ||
  /^[a-z0-9_-]+$/.test(name)
