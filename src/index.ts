import type { Hono } from 'hono'
import type { RunningPetri, WorldOptions } from './client/kit.ts'
import { openPetri } from './client/petri.ts'
import { createLocalReceivers, createSocketReceivers, type LocalReceivers } from './client/receivers.ts'
import { defaults } from './defaults.ts'
import { fromIso } from './kernel/instant.ts'
import { reasonOf } from './kernel/reason.ts'
import { type Listening, listen } from './listen.ts'
import { createPetri, type Petri } from './petri.ts'
import { createTransport, type Transport } from './webhooks/transport.ts'

export type * from './client/inputs.ts'
export type * from './client/kit.ts'
export { matchers, type PetriMatchers } from './client/matchers.ts'
export type * from './client/responses.ts'

export interface StartOptions extends WorldOptions {
  /** A port to listen on, 0 for any; without one there is no socket, only `fetch`. */
  readonly port?: number
  readonly host?: string
  /** What links in answers begin with, where that is not the URL listened on: the URL under which `app` is mounted. */
  readonly baseUrl?: string
  readonly apiKey?: string
  readonly webhookSecret?: string
  /** Folders of scenario files, added to the bundled ones. */
  readonly scenarios?: readonly string[]
  /** Folders of seed files, added to the bundled ones. */
  readonly seeds?: readonly string[]
}

const credentialHeaders = [...defaults.authHeaders, 'authorization']

/** A Petri inside this process. */
export interface LocalPetri extends RunningPetri {
  /** All of its HTTP, to be mounted in another Hono app: `new Hono().route('/sandbox', petri.app)`. */
  readonly app: Hono
}

/** A Petri inside this process, frozen unless said otherwise; it keeps nothing. */
export function startPetri(
  options: StartOptions & { readonly port: number },
): Promise<LocalPetri & { readonly url: string }>
export function startPetri(options?: StartOptions): Promise<LocalPetri>
export async function startPetri(options: StartOptions = {}): Promise<LocalPetri> {
  const { apiKey = defaults.apiKey, port, host = defaults.host } = options
  const receivers = createLocalReceivers()
  let server: Listening | undefined
  const base = () => server?.url ?? 'http://petri.localhost'
  const { baseUrl } = options
  const petri = await createPetri({
    firstWorld: await firstWorldOf(options, apiKey, receivers),
    baseUrl: () => baseUrl ?? base(),
    transport: throughProcess(receivers),
    ...(options.scenarios && { scenarios: options.scenarios }),
    ...(options.seeds && { seeds: options.seeds }),
  })
  let isClosed = false
  const close = async () => {
    isClosed = true
    await server?.close()
    await petri.close()
  }
  try {
    if (port !== undefined) server = await listen(petri.app, { host, port })
    const place = { ...here(petri, () => isClosed, receivers, options), base, url: () => server?.url, close }
    return Object.assign(await openPetri(place, apiKey), { app: petri.app })
  } catch (error) {
    await close()
    throw error
  }
}

const here = (
  petri: Petri,
  isClosed: () => boolean,
  receivers: LocalReceivers,
  { now, frozen }: StartOptions,
) => ({
  async send(request: Request) {
    if (isClosed()) throw new Error('This Petri is closed.')
    return unlessAborted(request.signal, async () => petri.app.fetch(request))
  },
  credentialHeaders,
  receivers,
  controlToken: undefined,
  worldDefaults: { ...(now !== undefined && { now }), ...(frozen !== undefined && { frozen }) },
})

/** Rejects as soon as the signal is aborted, as the platform's `fetch` does. */
async function unlessAborted<Result>(signal: AbortSignal, act: () => Promise<Result>): Promise<Result> {
  signal.throwIfAborted()
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return Promise.race([act(), aborted])
}

async function firstWorldOf(options: StartOptions, apiKey: string, receivers: LocalReceivers) {
  const { webhookUrl = null } = options
  return {
    name: options.name ?? defaults.worldName,
    apiKey,
    webhookSecret: options.webhookSecret ?? defaults.webhookSecret,
    webhookUrl: typeof webhookUrl === 'function' ? (await receivers.open(webhookUrl)).url : webhookUrl,
    seed: options.seed ?? defaults.seed,
    frozen: options.frozen ?? true,
    now: options.now === undefined ? null : instantOf(options.now),
    pace: options.pace ?? defaults.pace,
    scenario: options.scenario ?? defaults.scenario,
  }
}

/** Deliveries to functions of this process go to them, all others over the network. */
function throughProcess(receivers: LocalReceivers): Transport {
  const network = createTransport()
  return Object.assign(
    (request: Parameters<Transport>[0]) => receivers.deliver(request) ?? network(request),
    {
      close: () => network.close?.() ?? Promise.resolve(),
    },
  )
}

function instantOf(text: string): number {
  const instant = fromIso(text)
  if (instant === undefined)
    throw new TypeError(`now should be an ISO 8601 date or instant; it is "${text}".`)
  return instant
}

export interface ConnectOptions {
  /** Where the Petri answers; `http://127.0.0.1:4080` unless said. */
  readonly url?: string
  /** The key of a world of it. */
  readonly apiKey?: string
  /** As the Petri's `PETRI_CONTROL_TOKEN`; making worlds takes it unless the Petri runs on this machine. */
  readonly controlToken?: string
  /** The name under which the Petri reaches this process, such as `host.docker.internal`; 127.0.0.1 unless said. */
  readonly receiverHost?: string
}

/** A Petri that runs elsewhere, such as in a container, driven as one of this process is. */
export function connectToPetri(
  options: ConnectOptions = {},
): Promise<RunningPetri & { readonly url: string }> {
  const { url = `http://${defaults.host}:${defaults.port}`, apiKey = defaults.apiKey } = options
  const place = {
    send: (request: Request) => reach(url, request),
    base: () => url,
    url: () => url,
    credentialHeaders,
    receivers: createSocketReceivers(options.receiverHost),
    controlToken: options.controlToken,
    worldDefaults: {},
    close: async () => undefined,
  }
  return openPetri(place, apiKey) as Promise<RunningPetri & { readonly url: string }>
}

async function reach(url: string, request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    request.signal.throwIfAborted()
    throw new Error(`No answer from ${url}: ${reasonOf(error)}. Is Petri running there?`, { cause: error })
  }
}
