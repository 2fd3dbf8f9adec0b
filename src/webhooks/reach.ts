import { lookup } from 'node:dns'
import { connect } from 'node:net'
import { bareHost, createAddressCheck } from './addresses.ts'
import { BlockedAddressError, describeFailure } from './failures.ts'
import { guardedLookup } from './transport.ts'

/** Milliseconds a receiver has to accept a connection. */
const CONNECT_MS = 5000

/** Connects to a receiver and sends nothing; why that did not succeed, in words, or undefined. */
export async function whyUnreachable(url: string, inContainer: boolean): Promise<string | undefined> {
  try {
    await connectTo(url)
    return undefined
  } catch (error) {
    return describeFailure(error, { url, timeoutMs: CONNECT_MS, inContainer })
  }
}

function connectTo(url: string): Promise<void> {
  const { protocol, port } = new URL(url)
  const host = bareHost(url)
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
  const refusal = createAddressCheck()
  return new Promise((done, fail) => {
    const blocked = refusal(host)
    if (blocked) throw new BlockedAddressError(`Not called: ${blocked}`)
    const options = { host, port: number, timeout: CONNECT_MS, lookup: guardedLookup(lookup, refusal) }
    const socket = connect(options, () => {
      socket.destroy()
      done()
    })
    socket.once('timeout', () => socket.destroy(new DOMException('No connection', 'TimeoutError')))
    socket.once('error', fail)
  })
}
