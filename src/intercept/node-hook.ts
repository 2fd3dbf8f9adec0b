import { errorMonitor } from 'node:events'
import { appendFileSync } from 'node:fs'
import { type NetConnectOpts, Socket, type TcpNetConnectOpts } from 'node:net'
import { isListed, isLiveHost, isLoopback } from './hosts.ts'

/** What happened in a program under test, a line in the file of reports. */
export type HookReport = { readonly what: 'refused' | 'untrusted'; readonly host: string }

export interface HookOptions {
  /** The ports of this machine where the live hosts are served, with TLS and without. */
  readonly tlsPort: number
  readonly plainPort: number
  /** Hosts besides loopback that may be called although all others are refused; undefined if none is refused. */
  readonly onlyHosts: readonly string[] | undefined
  /** Where reports are appended. */
  readonly reports: string
}

/**
 * Leads the connections of this process to the live hosts to Petri. It acts on sockets, below `fetch`, undici, `node:http`,
 * `node:http2` and all that is built on them, so it needs no library and mocks of these keep working.
 */
export function install({ tlsPort, plainPort, onlyHosts, reports }: HookOptions): void {
  const report = (entry: HookReport) => appendFileSync(reports, `${JSON.stringify(entry)}\n`)
  const connect = Socket.prototype.connect as (...args: unknown[]) => Socket
  const redirected = function (this: Socket, ...args: unknown[]): Socket {
    // `net.connect` passes its normalized arguments as one array.
    const [target, ...rest] = (Array.isArray(args[0]) ? args[0] : args) as unknown[]
    const to = destinationOf(target, rest[0])
    if (!to) return connect.apply(this, args)
    if (isLiveHost(to.host)) {
      this.on(errorMonitor as unknown as 'error', ({ code = '' }: NodeJS.ErrnoException) => {
        if (/CERT|LEAF_SIGNATURE/.test(code)) report({ what: 'untrusted', host: to.host })
      })
      const options = typeof target === 'object' ? (target as TcpNetConnectOpts) : {}
      const port = to.port === 80 ? plainPort : tlsPort
      return connect.call(this, { ...options, host: '127.0.0.1', port }, rest.find(isFunction))
    }
    if (!onlyHosts || isLoopback(to.host) || isListed(onlyHosts, to.host)) return connect.apply(this, args)
    report({ what: 'refused', host: `${to.host}:${to.port}` })
    process.nextTick(() => {
      this.destroy(new Error(`petri exec --offline: refused a connection to ${to.host}, port ${to.port}`))
    })
    return this
  }
  Socket.prototype.connect = redirected as typeof Socket.prototype.connect
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
