import { errorMonitor } from 'node:events'
import { appendFileSync } from 'node:fs'
import { type NetConnectOpts, Socket, type TcpNetConnectOpts } from 'node:net'
import { isProcessAlive } from '../kernel/process-alive.ts'
import { isListed, isLiveHost, isLoopback, runVariable } from './hosts.ts'

/** An event in a program under test, a line in the file of reports. */
export type HookReport = { readonly what: 'refused' | 'untrusted'; readonly host: string }

export interface HookOptions {
  /** The process of `petri exec`. */
  readonly pid: number
  /** The ports of this machine where the live hosts are served, with TLS and without. */
  readonly tlsPort: number
  readonly plainPort: number
  /** Hosts besides loopback that may be called although all others are refused; undefined if none is refused. */
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
  const refuse = (socket: Socket, reason: string) => {
    process.nextTick(() => socket.destroy(new Error(reason)))
    return socket
  }
  const redirected = function (this: Socket, ...args: unknown[]): Socket {
    // `net.connect` passes its normalized arguments as one array.
    const [target, ...rest] = (Array.isArray(args[0]) ? args[0] : args) as unknown[]
    const to = destinationOf(target, rest[0])
    // A program that outlives the run keeps its variables.
    if (!to || (options && !isProcessAlive(options.pid))) return connect.apply(this, args)
    if (isLiveHost(to.host)) {
      if (!options) return refuse(this, `petri exec: ${runVariable} is not set, so ${to.host} is refused`)
      this.on(errorMonitor as unknown as 'error', ({ code = '' }: NodeJS.ErrnoException) => {
        if (/CERT|LEAF_SIGNATURE/.test(code)) report(options, { what: 'untrusted', host: to.host })
      })
      const given = typeof target === 'object' ? (target as TcpNetConnectOpts) : {}
      const port = to.port === 80 ? options.plainPort : options.tlsPort
      return connect.call(this, { ...given, host: '127.0.0.1', port }, rest.find(isFunction))
    }
    const onlyHosts = options?.onlyHosts
    if (!options || !onlyHosts || isLoopback(to.host) || isListed(onlyHosts, to.host))
      return connect.apply(this, args)
    report(options, { what: 'refused', host: `${to.host}:${to.port}` })
    return refuse(this, `petri exec --offline: refused a connection to ${to.host}, port ${to.port}`)
  }
  Socket.prototype.connect = redirected as typeof Socket.prototype.connect
}

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
