import type { ServerOptions } from 'node:http'

/** The timeouts of Petri's servers, in milliseconds. */
export const serverTimeouts: Pick<
  ServerOptions,
  'keepAliveTimeout' | 'headersTimeout' | 'requestTimeout' | 'connectionsCheckingInterval'
> = {
  /** Longer than clients keep idle connections, so that none is closed during a call. */
  keepAliveTimeout: 75_000,
  /** For a client's headers. */
  headersTimeout: 15_000,
  /** For a whole request. */
  requestTimeout: 60_000,
  /** The interval at which the two above are checked. */
  connectionsCheckingInterval: 5000,
}

/** The detail of the response to a request that took longer. */
export const NOT_IN_TIME = 'The request was not received in time.'

/** Whether bytes that a client sent first begin a connection with TLS. */
export const isTlsHandshake = (bytes: Uint8Array | undefined): boolean => bytes?.[0] === 22
