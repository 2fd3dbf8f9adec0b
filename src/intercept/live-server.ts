import { once } from 'node:events'
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  type RequestListener,
  request as requestHttp,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer, request as requestHttps } from 'node:https'
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net'
import { type Duplex, pipeline } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { refuseOwnCalls } from '../kernel/own-calls.ts'
import { isTlsHandshake, serverTimeouts } from '../kernel/server-timeouts.ts'
import { isLoopback, withoutBrackets } from '../kernel/this-machine.ts'
import type { Certified } from './certificates.ts'
import { isLiveHost } from './hosts.ts'

export interface LiveServerOptions {
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
  /** A certificate for the live hosts. */
  readonly certified: Certified
  /** Called with a host that presumably was refused because the program does not trust the certificate. */
  readonly onUntrusted?: (host: string) => void
  /** Those of Petri's other servers by default. */
  readonly timeouts?: typeof serverTimeouts
}

/** A server of the live hosts, with TLS or as a proxy. */
export interface LiveServer {
  readonly port: number
  /** Serves the requests of a connection. */
  accept(socket: Duplex): void
  close(): Promise<void>
}

/** Serves requests for the live hosts over TLS, and no others. */
export async function serveLiveHosts(
  answer: RequestListener,
  { host, port, certified, onUntrusted, timeouts = serverTimeouts }: LiveServerOptions,
): Promise<LiveServer> {
  // Clients show no certificates. Without a list of authorities, Node would read its own, which takes 30 ms.
  const options = { ...timeouts, ...certified, ca: [] }
  const server = createTlsServer(options, (incoming, outgoing) => {
    const { host: name = '' } = incoming.headers
    if (isLiveHost(name)) return answer(incoming, outgoing)
    const detail = `Only the host names of the live service are served here, not "${name}".`
    outgoing.writeHead(421, { 'content-type': 'application/json' }).end(JSON.stringify({ detail }))
  })
  refusePlainHttp(server)
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket: TLSSocket & { servername?: string }) => {
    if (error.code?.includes('ALERT')) onUntrusted?.(socket.servername || 'a live host')
  })
  const close = closerOf(server)
  return {
    port: await listenOn(server, host, port),
    accept: (socket) => void server.emit('connection', socket),
    close,
  }
}

/** Responds in a sentence to a request without TLS, which a TLS server would cut off. */
function refusePlainHttp(server: Server): void {
  const secure = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', (head) => {
      if (!isTlsHandshake(head))
        return reply(socket, '400 Bad Request', 'This port speaks TLS: call it with https://.')
      socket.pause()
      socket.unshift(head)
      for (const listener of secure) listener.call(server, socket)
    })
  })
}

export interface ProxyOptions {
  readonly live: LiveServer
  /** Serves requests for the live hosts that come without TLS. */
  readonly answer: RequestListener
  /** The proxies that the environment already named, by the protocol of the request. */
  readonly upstream: { readonly http?: URL | undefined; readonly https?: URL | undefined }
  /** Returns whether a connection to another host is refused. */
  readonly refuses: (host: string, port: number) => boolean
}

/** A proxy for the programs of this machine: the live hosts lead to Petri, all others to themselves. */
export async function startProxy(options: ProxyOptions): Promise<LiveServer> {
  const { live, answer, upstream, refuses } = options
  const server = createServer((incoming, outgoing) => {
    const url = String(incoming.url)
    const target = /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : undefined
    if (target ? isLiveHost(target.host) : isLiveHost(String(incoming.headers.host))) {
      if (target) incoming.url = `${target.pathname}${target.search}`
      return answer(incoming, outgoing)
    }
    if (!target) return void outgoing.writeHead(400).end('This is the proxy of "petri exec".\n')
    const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80)
    if (refuses(target.hostname, port)) return void outgoing.writeHead(403).end(`${refusal(target.host)}\n`)
    relay(incoming, outgoing, forward(incoming, target, upstream), target.host)
  })
  server.on('connect', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    // The program may close the tunnel at any time.
    socket.on('error', () => socket.destroy())
    const authority = String(incoming.url)
    const target = `tunnel://${authority}`
    if (!URL.canParse(target))
      return reply(socket, '400 Bad Request', `"${authority}" is not a host and port.`)
    const { hostname, port: given } = new URL(target)
    const port = Number(given) || 443
    if (isLiveHost(hostname)) {
      socket.write(ESTABLISHED)
      socket.unshift(head)
      if (port === 80) server.emit('connection', socket)
      else live.accept(socket)
    } else if (refuses(hostname, port)) {
      reply(socket, '403 Forbidden', refusal(hostname))
    } else {
      connectTo({ authority, hostname, port }, upstream.https).then(
        (other) => joinSockets(socket, head, other),
        ({ message }: Error) =>
          reply(socket, '502 Bad Gateway', `${authority} cannot be reached: ${message}`),
      )
    }
  })
  const close = closerOf(server)
  return {
    port: await listenOn(server, '127.0.0.1', 0),
    accept: (socket) => void server.emit('connection', socket),
    close,
  }
}

/** Passes the connections to another address on to a server; returns the function that ends it. */
export async function listenFor(host: string, port: number, accept: (socket: Duplex) => void) {
  const server = createTcpServer(accept)
  const close = closerOf(server)
  await listenOn(server, host, port)
  return close
}

const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n'

const refusal = (host: string) => `petri exec --offline: refused a connection to ${host}.`

/** Sends a request on, and the response of the other host, or why there is none, back. */
export function relay(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  forwarded: ClientRequest,
  host: string,
): void {
  forwarded.on('response', (response) => passOn(response, outgoing, host))
  forwarded.on('error', (error) => {
    if (outgoing.headersSent) outgoing.destroy()
    else outgoing.writeHead(502).end(`${host} cannot be reached: ${error.message}\n`)
  })
  // Without an error, after a protocol switch that nobody has asked for.
  forwarded.on('close', () => {
    if (!outgoing.headersSent) outgoing.writeHead(502).end(`${host} sent no response.\n`)
  })
  outgoing.on('close', () => forwarded.destroy())
  incoming.pipe(forwarded)
}

/** Sends the response of another host to the program. Node parses some heads that it does not write, such as the status 099. */
function passOn(response: IncomingMessage, outgoing: ServerResponse, host: string): void {
  const { statusCode = 0, statusMessage, rawHeaders } = response
  try {
    outgoing.writeHead(statusCode, statusMessage, rawHeaders)
  } catch (error) {
    response.destroy()
    outgoing
      .writeHead(502, 'Bad Gateway')
      .end(`${host} sent no valid response: ${(error as Error).message}\n`)
    return
  }
  // A response that ends too early ends too early for the program, too.
  pipeline(response, outgoing, () => undefined)
}

/** Sends a request on, through the proxy that the environment named if there is one. */
function forward(incoming: IncomingMessage, target: URL, upstream: ProxyOptions['upstream']) {
  const { method, rawHeaders } = incoming
  const isSecure = target.protocol === 'https:'
  const proxy = isLoopback(target.hostname) ? undefined : upstream[isSecure ? 'https' : 'http']
  const headers = withoutProxyHeaders(rawHeaders)
  if (!proxy) return (isSecure ? requestHttps : requestHttp)(target, { method, headers })
  const path = target.href
  return requestVia(proxy, { method, path, headers: [...headers, ...credentialsOf(proxy)] })
}

/** Names are at even places, and their values after them. */
const withoutProxyHeaders = (rawHeaders: readonly string[]): string[] =>
  rawHeaders.filter((_, at) => !/^proxy-/i.test(String(rawHeaders[at - (at % 2)])))

const credentialsOf = ({ username, password }: URL) =>
  username
    ? [
        'proxy-authorization',
        `Basic ${btoa(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)}`,
      ]
    : []

const requestVia = (
  { protocol, hostname, port }: URL,
  options: { method?: string | undefined; path: string; headers: string[] },
) =>
  (protocol === 'https:' ? requestHttps : requestHttp)({
    host: withoutBrackets(hostname),
    port,
    agent: false,
    ...options,
  })

interface Destination {
  /** As the program has written it. */
  readonly authority: string
  readonly hostname: string
  readonly port: number
}

/** Connects to another host, through the proxy that the environment named if there is one. */
function connectTo({ authority, hostname, port }: Destination, proxy: URL | undefined): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (!proxy || isLoopback(hostname)) {
      const other = connect(port, withoutBrackets(hostname), () => resolve(other)).on('error', reject)
      return
    }
    const headers = ['host', authority, ...credentialsOf(proxy)]
    requestVia(proxy, { method: 'CONNECT', path: authority, headers })
      .on('connect', ({ statusCode }, other: Socket, head: Buffer) => {
        other.unshift(head)
        if (statusCode === 200) return resolve(other)
        other.destroy()
        reject(new Error(`the proxy answered ${statusCode}`))
      })
      .on('error', reject)
      .end()
  })
}

/** Passes the bytes of a program and of another host on without reading them. */
function joinSockets(socket: Socket, head: Buffer, other: Socket): void {
  socket.write(ESTABLISHED)
  other.write(head)
  // Each destroys both when one of them breaks.
  pipeline(other, socket, () => undefined)
  pipeline(socket, other, () => undefined)
}

function reply(socket: Socket, status: string, text: string): void {
  socket.end(`HTTP/1.1 ${status}\r\ncontent-length: ${Buffer.byteLength(text) + 1}\r\n\r\n${text}\n`)
}

async function listenOn(server: Server, host: string, port: number): Promise<number> {
  refuseOwnCalls(server)
  await once(server.listen(port, host), 'listening')
  return (server.address() as AddressInfo).port
}

/** Follows the connections of a server, because tunnels are not closed with it. */
function closerOf(server: Server): () => Promise<void> {
  const sockets = new Set<Duplex>()
  server.on('connection', (socket: Duplex) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
}
