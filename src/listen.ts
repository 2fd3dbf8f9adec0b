import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that answers at `url` until it is closed. */
export interface Listening {
  readonly url: string
  /** Takes no more calls, finishes those under way within the time allowed, and is gone. */
  close(): Promise<void>
}

export interface ListenOptions {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
}

/** Milliseconds that calls under way have left when the server closes. */
const GRACE_MS = 600
const LOOK_EVERY_MS = 10
/** Milliseconds an idle connection is kept: longer than clients keep theirs, so that none is closed under a call. */
const KEEP_ALIVE_MS = 75_000
/** Milliseconds a client may take to say its headers, and how often those that take longer are looked for. */
const HEADERS_MS = 15_000
const LOOK_FOR_SLOW_MS = 5000

/** Listens for calls, which `serve` answers. */
export function listen(serve: RequestListener, { host, port }: ListenOptions): Promise<Listening> {
  const timeouts = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: HEADERS_MS,
    connectionsCheckingInterval: LOOK_FOR_SLOW_MS,
  }
  const server = createServer(timeouts, serve)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const { port: found } = server.address() as AddressInfo
      resolve({ url: urlOf(host, found), close: () => close(server) })
    })
  })
}

/** An address a client on this machine can call. */
export function urlOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    let looks = 0
    const look = setInterval(() => {
      if (++looks * LOOK_EVERY_MS < GRACE_MS) server.closeIdleConnections()
      else server.closeAllConnections()
    }, LOOK_EVERY_MS)
    server.close(() => {
      clearInterval(look)
      resolve()
    })
  })
}
