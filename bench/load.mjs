// Keep-alive connections that ask again as soon as they are answered. Plain sockets and the least of HTTP,
// so that the server is what is measured and not its client.
import { once } from 'node:events'
import { connect } from 'node:net'
import { quantile } from './statistics.mjs'

export const CONNECTIONS = 10

/** A request as bytes. */
export function requestBytes(method, path, { headers = {}, body } = {}) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const given = {
    host: '127.0.0.1',
    ...headers,
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    }),
  }
  const lines = Object.entries(given).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`)
}

/** Sends `count` of `requests` in turn over some connections; rate a second, latencies in milliseconds, bytes received. */
export async function load(port, requests, count, connections = CONNECTIONS) {
  const latencies = new Float64Array(count)
  const shared = { requests, latencies, next: 0, received: 0 }
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const start = performance.now()
  await Promise.all(sockets.map((socket) => askAgainAndAgain(socket, shared)))
  const seconds = (performance.now() - start) / 1000
  for (const socket of sockets) socket.destroy()
  latencies.sort()
  return {
    rate: count / seconds,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    longest: latencies[count - 1],
    received: shared.received,
  }
}

async function open(port) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  return socket
}

function askAgainAndAgain(socket, shared) {
  const { requests, latencies } = shared
  return new Promise((resolve, reject) => {
    let at = 0
    let askedAt = 0
    /** The remaining bytes of the response; undefined before its head. */
    let missing
    const ask = () => {
      at = shared.next++
      if (at >= latencies.length) return resolve()
      askedAt = performance.now()
      socket.write(requests[at % requests.length])
    }
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server closed the connection')))
    socket.on('data', (chunk) => {
      shared.received += chunk.length
      try {
        missing = missing === undefined ? lengthOf(chunk) - chunk.length : missing - chunk.length
      } catch (error) {
        return reject(error)
      }
      if (missing > 0) return
      missing = undefined
      latencies[at] = performance.now() - askedAt
      ask()
    })
    ask()
  })
}

/** The length of a response with its head. */
function lengthOf(chunk) {
  const head = chunk.latin1Slice(0, Math.min(chunk.length, 2048))
  const end = head.indexOf('\r\n\r\n')
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (!head.startsWith('HTTP/1.1 2') || end === -1 || length === undefined) {
    throw new Error(`not an answer that can be measured: ${chunk.toString('utf8', 0, 600)}`)
  }
  return end + 4 + Number(length)
}
