import { createServer, type RequestListener, type Server } from 'node:http'
import * as net from 'node:net'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { byName } from './kernel/fields.ts'
import { urlOf } from './kernel/http-call.ts'
import { refuseOwnCalls } from './kernel/own-calls.ts'
import { nextTurn, ownTimers, startInterval } from './kernel/pause.ts'
import { codeOf, messageOf } from './kernel/reason.ts'
import { isTlsHandshake, NOT_IN_TIME, serverTimeouts } from './kernel/server-timeouts.ts'

/** A running server. */
export interface Listening {
  readonly url: string
  /**
   * Accepts no more calls, lets running ones finish within the grace period, and closes all connections. Clients in this
   * process have noticed by then, so the next call opens a connection of its own.
   */
  close(): Promise<void>
}

export interface ListenOptions {
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
  /** Replaces `Request` and `Response` of the whole process by those of the adapter, which are faster. */
  readonly overrideGlobalObjects?: boolean
  /** Called with what a client cannot show: those of TLS cannot read a reply without it. */
  readonly warn?: (text: string) => void
}

/** The grace period for running calls when the server closes, in milliseconds. */
const GRACE_MS = 600
const CLOSE_POLL_MS = 10

/** For a whole request, in milliseconds: an import of gigabytes is read as fast as it is checked. How long it waits for a client, `http/read-body.ts` limits. */
const MAX_REQUEST_MS = 3_600_000

/** HTTP/1.0 has requests without a `Host`, such as those of simple health checks. */
const UNNAMED_HOST = 'localhost'

/** Serves an app at a host and port. */
export function listen(
  app: Pick<Hono, 'fetch'>,
  { host, port, overrideGlobalObjects = false, warn }: ListenOptions,
): Promise<Listening> {
  const server = serverOf(app, overrideGlobalObjects)
  server.on('clientError', (error: ClientError) => {
    if (isTlsHandshake(error.rawPacket)) warn?.(`A client called with TLS. ${tls.detail}`)
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve(listeningOf(server, host))
    })
  })
}

/** Why an address cannot be listened on, and what to change; `setting` names what has chosen the port. */
export function whyNotListening(
  error: unknown,
  { host, port, setting }: ListenOptions & { readonly setting: string },
): string {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is taken. Choose another with ${setting}; 0 picks a free one.`
    case 'EACCES':
      return `This user may not listen on port ${port}. Choose one above 1023 with ${setting}. In a container, the sysctl net.ipv4.ip_unprivileged_port_start=0 permits it.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no address ${host}. Choose another with --host or PETRI_HOST.`
    default:
      return `Petri cannot listen on ${host}, port ${port}: ${messageOf(error)}`
  }
}

/** Serves an app at any free port before it returns. Neither the server nor its connections keep the process running. */
export function listenNow(app: Pick<Hono, 'fetch'>, host: string): Listening {
  const server = serverOf(app, false)
  const family = net.isIP(host)
  // In Node, the documented `listen` looks the host up first, which cannot be done within a getter. Bun does not have this function.
  const { _createServerHandle: bind } = net as Readonly<Record<string, unknown>>
  if (typeof bind !== 'function') server.listen(0, host)
  else if (family !== 0) {
    // A number is the code of an error.
    const handle: unknown = bind(host, 0, family)
    if (typeof handle === 'object') server.listen(handle)
  }
  if (server.address() === null)
    throw new Error(`Petri cannot listen on ${host} at once; start it with a port: startPetri({ port: 0 }).`)
  server.unref()
  server.on('connection', (socket) => socket.unref())
  return listeningOf(server, host)
}

function serverOf({ fetch }: Pick<Hono, 'fetch'>, overrideGlobalObjects: boolean): Server {
  const listener = getRequestListener(fetch, { overrideGlobalObjects, hostname: UNNAMED_HOST })
  const server = createServer(
    { ...serverTimeouts, requestTimeout: MAX_REQUEST_MS },
    answerServerOptions(listener),
  )
  refuseOwnCalls(server)
  return server.on('clientError', answerClientError)
}

const listeningOf = (server: Server, host: string): Listening => {
  const { port } = server.address() as net.AddressInfo
  return { url: urlOf(host, port), close: () => close(server) }
}

/** The responses to what is not a request, by the code of Node's error, which would be sent without a body. */
const clientErrors = byName<{ readonly status: string; readonly detail: string }>({
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    detail: 'The path and the headers are longer than 16 KiB.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    detail: NOT_IN_TIME,
  },
})
const notHttp = { status: '400 Bad Request', detail: 'This is not an HTTP request.' }
const tls = { ...notHttp, detail: 'This port speaks HTTP without TLS: call it with http://.' }

/** How long the rest of such a request is read, so that the client sees the response, in milliseconds. */
const LINGER_MS = 500

type ClientError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer }

function answerClientError(error: ClientError, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const { status, detail } = isTlsHandshake(error.rawPacket)
    ? tls
    : (clientErrors[error.code ?? ''] ?? notHttp)
  const body = JSON.stringify({ detail })
  const head = `content-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close`
  socket.end(`HTTP/1.1 ${status}\r\n${head}\r\n\r\n${body}`)
  socket.on('error', () => undefined)
  socket.resume()
  ownTimers.setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

/** Handles requests that a server of the live hosts has accepted, whose `Host` is therefore not this machine's. */
export const listenerForLiveHosts = ({ fetch }: Pick<Hono, 'fetch'>): RequestListener =>
  answerServerOptions(
    getRequestListener((request, bindings) => fetch(request, { ...bindings, isHostChecked: true }), {
      overrideGlobalObjects: false,
    }),
  )

/** `OPTIONS *` concerns the server itself, and has no URL that an app could route. */
const answerServerOptions =
  (listener: RequestListener): RequestListener =>
  (incoming, outgoing) => {
    if (incoming.method !== 'OPTIONS' || incoming.url !== '*') return listener(incoming, outgoing)
    outgoing.writeHead(200, { 'content-length': 0 }).end()
  }

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    let polls = 0
    const stopPolling = startInterval(CLOSE_POLL_MS, () => {
      if (++polls * CLOSE_POLL_MS < GRACE_MS) server.closeIdleConnections()
      else server.closeAllConnections()
    })
    server.close(() => {
      stopPolling()
      resolve()
    })
  })
  // The end of a connection is read in the next turn of the event loop, and its client gives it up in the one after.
  await nextTurn()
  await nextTurn()
}
