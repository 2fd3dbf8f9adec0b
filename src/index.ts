import { defaults } from './defaults.ts'
import { fromIso } from './kernel/instant.ts'
import { type Listening, listen } from './listen.ts'
import { createPetri } from './petri.ts'

export interface StartOptions {
  /** A port to listen on, 0 for any; without one there is no socket, only `fetch`. */
  readonly port?: number
  readonly host?: string
  readonly apiKey?: string
  readonly webhookUrl?: string
  readonly webhookSecret?: string
  readonly seed?: string
  /** The clock stands until it is advanced; true unless said otherwise. */
  readonly frozen?: boolean
  /** Where the clock starts, as ISO 8601. */
  readonly now?: string
  readonly pace?: number
  readonly scenario?: string
}

export interface RunningPetri {
  /** Absent without a port. */
  readonly url: string | undefined
  readonly apiKey: string
  readonly webhookSecret: string
  /** Asks this Petri without a socket, its API key added where there is none; a path is enough of a URL. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  close(): Promise<void>
}

const credentialHeaders = [...defaults.authHeaders, 'authorization']

/** A Petri inside this process; it keeps nothing. */
export async function startPetri(options: StartOptions = {}): Promise<RunningPetri> {
  const { apiKey = defaults.apiKey, webhookSecret = defaults.webhookSecret } = options
  let server: Listening | undefined
  const base = () => server?.url ?? 'http://petri.localhost'
  const petri = await createPetri({
    firstWorld: {
      name: defaults.worldName,
      apiKey,
      webhookSecret,
      webhookUrl: options.webhookUrl ?? null,
      seed: options.seed ?? defaults.seed,
      frozen: options.frozen ?? true,
      now: options.now === undefined ? null : instantOf(options.now),
      pace: options.pace ?? defaults.pace,
      scenario: options.scenario ?? defaults.scenario,
    },
    baseUrl: base,
  })
  const { port, host = defaults.host } = options
  if (port !== undefined) {
    server = await listen(petri.app.fetch, { host, port, ownProcess: false }).catch(
      async (error: unknown) => {
        await petri.close()
        throw error
      },
    )
  }
  return {
    url: server?.url,
    apiKey,
    webhookSecret,
    async fetch(input, init) {
      const request = new Request(input instanceof Request ? input : new URL(input, base()), init)
      if (!credentialHeaders.some((name) => request.headers.has(name))) {
        request.headers.set('x-service-api-key', apiKey)
      }
      return petri.app.fetch(request)
    },
    async close() {
      await server?.close()
      await petri.close()
    },
  }
}

function instantOf(text: string): number {
  const instant = fromIso(text)
  if (instant === undefined)
    throw new TypeError(`now should be an ISO 8601 date or instant; it is "${text}".`)
  return instant
}
