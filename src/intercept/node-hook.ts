import { errorMonitor } from 'node:events'
import { appendFileSync } from 'node:fs'
import { isIP, type LookupFunction, type NetConnectOpts, Socket, type TcpNetConnectOpts } from 'node:net'
import { isProcessAlive } from '../kernel/process-alive.ts'
import { isThisMachine } from '../kernel/this-machine.ts'
import type { ChildOptions } from './child-environment.ts'
import { isListed, isLiveHost, runVariable } from './hosts.ts'

/** An event in a program under test, a line in the file of reports; `unreadable` is a line that has been damaged. */
export type HookReport = { readonly what: 'refused' | 'untrusted' | 'unreadable'; readonly host: string }

export interface HookOptions extends ChildOptions {
  /** The ports of this machine where the live hosts are served, with TLS and without. */
  readonly tlsPort: number
  readonly plainPort: number
  /** Hosts other than this machine that may be called although all others are refused; undefined if none is refused. */
  readonly onlyHosts: readonly string[] | undefined
  /** Where reports are appended. */
  readonly reports: string
}

/**
 * Redirects the connections of this process to the live hosts to Petri while the run lasts. It acts on sockets, below `fetch`,
 * undici, `node:http`, `node:http2` and all that is built on them, so it needs no library and mocks of these keep working.
 * Without options, which a program may have removed from the environment, it refuses the live hosts.
 */
export function install(options: HookOptions | undefined): void {
  const connect = Socket.prototype.connect as (...args: unknown[]) => Socket
  const refuse = (socket: Socket, reason: Error) => {
    process.nextTick(() => socket.destroy(reason))
    return socket
  }
  const redirected = function (this: Socket, ...args: unknown[]): Socket {
    // `net.connect` passes its normalized arguments as one array.
    const [target, ...rest] = (Array.isArray(args[0]) ? args[0] : args) as unknown[]
    const to = destinationOf(target, rest[0])
    // A program that outlives the run keeps its variables.
    if (!to || (options && !isProcessAlive(options.pid))) return connect.apply(this, args)
    const given = typeof target === 'object' ? (target as TcpNetConnectOpts) : undefined
    if (isLiveHost(to.host)) {
      if (!options)
        return refuse(this, new Error(`petri exec: ${runVariable} is not set, so ${to.host} is refused`))
      this.on(errorMonitor as unknown as 'error', ({ code = '' }: NodeJS.ErrnoException) => {
        if (/CERT|LEAF_SIGNATURE/.test(code)) report(options, { what: 'untrusted', host: to.host })
      })
      const port = to.port === 80 ? options.plainPort : options.tlsPort
      return connect.call(this, { ...given, host: '127.0.0.1', port }, rest.find(isFunction))
    }
    const onlyHosts = options?.onlyHosts
    if (!options || !onlyHosts || isThisMachine(to.host) || isListed(onlyHosts, to.host))
      return connect.apply(this, args)
    const refusal = () => {
      report(options, { what: 'refused', host: `${to.host}:${to.port}` })
      return new Error(`petri exec --offline: refused a connection to ${to.host}, port ${to.port}`)
    }
    // A library that mocks sockets looks hosts up itself.
    if (given?.lookup && isIP(to.host) === 0) {
      const lookup = lookupOnThisMachine(given.lookup, refusal)
      return connect.call(this, { ...given, lookup }, rest.find(isFunction))
    }
    return refuse(this, refusal())
  }
  Socket.prototype.connect = redirected as typeof Socket.prototype.connect
}

/** Looks a host up as the program does, and refuses addresses that are not this machine's. */
const lookupOnThisMachine =
  (lookup: LookupFunction, refusal: () => Error): LookupFunction =>
  (host, options, callback) =>
    lookup(host, options, (error, found, family) => {
      const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address)
      callback(error ?? (addresses.every(isThisMachine) ? null : refusal()), found, family)
    })

function report({ reports }: HookOptions, entry: HookReport): void {
  try {
    appendFileSync(reports, `${JSON.stringify(entry)}\n`)
  } catch {
    // The program has removed the temporary folder.
  }
}

/** The host and port of a connection, in any form that `net.connect` takes; undefined for a path of this machine. */
function destinationOf(target: unknown, second: unknown): { host: string; port: number } | undefined {
  if (typeof target === 'object' && target !== null) {
    const options = target as NetConnectOpts
    if ('path' in options && options.path) return undefined
    const { host, port } = options as TcpNetConnectOpts
    return { host: host ?? 'localhost', port: Number(port) }
  }
  const port = Number(target)
  if (Number.isNaN(port)) return undefined
  return { host: typeof second === 'string' ? second : 'localhost', port }
}

const isFunction = (value: unknown) => typeof value === 'function'
