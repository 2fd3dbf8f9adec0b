import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { parseJson, valueAt } from '../kernel/json.ts'
import { startTimer } from '../kernel/pause.ts'
import { isLoopback } from '../kernel/this-machine.ts'
import { describe } from './arguments.ts'
import type { Receiver } from './kit.ts'

/** Gives functions a URL that webhooks can be sent to. */
export interface Receivers {
  open(receive: Receiver): Promise<OpenReceiver>
}

export interface OpenReceiver {
  readonly url: string
  close(): Promise<void>
}

export type WorldReceivers = ReturnType<typeof receiversOfWorld>

/** The receivers of one world, and the first error of their functions. */
export function receiversOfWorld(receivers: Receivers) {
  const opened: OpenReceiver[] = []
  let thrown: unknown
  return {
    async open(receive: Receiver) {
      const receiver = await receivers.open(async (request) =>
        answerOf(receive, request).catch((error: unknown) => {
          thrown ??= error
          throw error
        }),
      )
      opened.push(receiver)
      return receiver
    },
    thrown: () => thrown,
    async close() {
      await Promise.all(opened.map((receiver) => receiver.close()))
    },
  }
}

interface Delivery {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface LocalReceivers extends Receivers {
  /** Passes a delivery to its receiver; undefined if no receiver has this URL. */
  deliver(delivery: Delivery): Promise<Reply> | undefined
}

/** For a Petri in this process: no socket, no port. */
export function createLocalReceivers(): LocalReceivers {
  const byUrl = new Map<string, Receiver>()
  let opened = 0
  return {
    async open(receive) {
      const url = `http://receiver-${++opened}.petri.localhost/`
      byUrl.set(url, receive)
      return { url, close: async () => void byUrl.delete(url) }
    },
    deliver(delivery) {
      const receive = byUrl.get(delivery.url)
      return receive && deliverTo(receive, delivery)
    },
  }
}

const answerOf = async (receive: Receiver, request: Request) => (await receive(request)) ?? undefined

/** When a function that has not answered is named, in milliseconds. */
const SLOW_MS = 3000

async function deliverTo(receive: Receiver, { url, headers, body }: Delivery): Promise<Reply> {
  const stop = startTimer(SLOW_MS, () => {
    const event = valueAt(parseJson(body), ['event_type'])
    console.error(`Petri: the function that receives webhooks has not answered ${event} for 3 s.`)
  })
  const request = new Request(url, { method: 'POST', headers, body })
  const response = await answerOf(receive, request).finally(stop)
  if (response === undefined) return { status: 204, headers: {}, body: '' }
  if (typeof response.text !== 'function')
    throw new TypeError(
      `A function that receives webhooks returns a Response or nothing; it returned ${describe(response)}`,
    )
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  }
}

/** The host of receivers for a Petri that sees calls come from an address: that address, unless both are on this machine. */
export function receiverHostOf(caller: string | null): string {
  if (caller === null || isLoopback(caller)) return '127.0.0.1'
  return caller.includes(':') ? `[${caller}]` : caller
}

/** For a Petri in another process: one server per receiver on a free port, which Petri reaches at `host`. */
export const createSocketReceivers = (host = '127.0.0.1'): Receivers => ({
  async open(receive) {
    const { createServer } = await import('node:http')
    const server = createServer(async (incoming, outgoing) => {
      const reply = await deliverTo(receive, {
        url: new URL(incoming.url ?? '/', `http://${host}`).href,
        headers: incoming.headers as Record<string, string>,
        body: await text(incoming),
      }).catch((error: unknown) => ({ status: 500, headers: {}, body: String(error) }))
      outgoing.writeHead(reply.status, reply.headers).end(reply.body)
    })
    // Listens only on loopback unless Petri runs elsewhere, such as in a container.
    const listensAt = host === '127.0.0.1' ? host : '::'
    await once(server.listen(0, listensAt), 'listening')
    server.unref()
    server.on('connection', (socket) => socket.unref())
    const { port } = server.address() as AddressInfo
    return {
      url: `http://${host}:${port}/`,
      close: () =>
        new Promise((resolve) => {
          server.close(() => resolve())
          server.closeAllConnections()
        }),
    }
  },
})
