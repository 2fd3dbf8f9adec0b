import type { Hono } from 'hono'
import type { WebhookEvent } from '../clients/typescript/events.ts'
import { teamProfiles } from './api/features.ts'
import { version } from './api/version.ts'
import {
  asFunction,
  asListOf,
  asSetting,
  assertObject,
  assertOptions,
  describe,
  type OptionChecks,
} from './client/arguments.ts'
import type { ExploringPetri } from './client/explore.ts'
import type { PetriWorld, WorldOptions } from './client/kit.ts'
import { createMatchers, type Matchers } from './client/matchers.ts'
import { olderThanClient } from './client/older.ts'
import { openPetri, type PetriAccess, worldOptions } from './client/petri.ts'
import {
  createLocalReceivers,
  createSocketReceivers,
  type LocalReceivers,
  receiverHostOf,
} from './client/receivers.ts'
import { defaults } from './defaults.ts'
import { wallClock } from './kernel/clock.ts'
import { asideHeaders, headerNames } from './kernel/headers.ts'
import { fromIso } from './kernel/instant.ts'
import { whyTooOld } from './kernel/node-version.ts'
import { reasonOf } from './kernel/reason.ts'
import { type Listening, listen, listenNow, whyNotListening } from './listen.ts'
import { createPetri } from './petri.ts'
import { dottedStatuses } from './resources/orders/lifecycle.ts'
import { type Delivered, verificationError } from './webhooks/signature.ts'
import { throughProcess } from './webhooks/transport.ts'

export type { WebhookEvent, WebhookEventType } from '../clients/typescript/events.ts'
export type * from '../clients/typescript/names.ts'
export type * from './client/explore.ts'
export type * from './client/inputs.ts'
export type * from './client/kit.ts'
export type { Matchers, PetriMatchers, ShownOrder } from './client/matchers.ts'
export type * from './client/responses.ts'

const reason = whyTooOld()
if (reason !== undefined) throw new Error(reason)

export interface StartOptions extends WorldOptions {
  /** A port to listen on, 0 for any free one. Without a port, Petri listens on a free one when `url` or `client()` is first read. */
  readonly port?: number
  readonly host?: string
  /** The base URL of links in responses, if it is not the URL listened on, such as the URL where `app` is mounted. */
  readonly baseUrl?: string
  readonly apiKey?: string
  readonly webhookSecret?: string
  /** Folders of scenario files, added to the bundled ones. */
  readonly scenarios?: readonly string[]
  /** Folders of seed files, added to the bundled ones. */
  readonly seeds?: readonly string[]
  /** Origins such as `http://localhost:5173` whose web pages may use link tokens and the widget. */
  readonly linkOrigins?: readonly string[]
  /**
   * Called with the time of a frozen world: when it is created, and before everything that happens during an advance. With
   * `(now) => vi.setSystemTime(now)` the `Date` of the program is the time of the world.
   */
  readonly onClock?: (now: Date) => void
  /** Calls `intercept()`: the calls of this process to the live service lead to this Petri until it is closed. */
  readonly intercept?: boolean
}

const startOptions: OptionChecks<StartOptions> = {
  ...worldOptions,
  port: asSetting('port', 'number'),
  host: asSetting('host'),
  baseUrl: asSetting('publicUrl'),
  apiKey: asSetting('apiKey'),
  webhookSecret: asSetting('webhookSecret'),
  scenarios: asListOf('folders', asSetting('scenarios')),
  seeds: asListOf('folders', asSetting('seeds')),
  linkOrigins: asListOf('origins', asSetting('linkOrigins')),
  onClock: asFunction,
  intercept: asSetting('frozen', 'boolean'),
}

const connectOptions: OptionChecks<ConnectOptions> = {
  url: asSetting('webhookUrl'),
  apiKey: asSetting('apiKey'),
  controlToken: asSetting('controlToken'),
  receiverHost: asSetting('host'),
}

const credentialHeaders = [...defaults.authHeaders, 'authorization']

/** A Petri in this process. */
export interface LocalPetri extends ExploringPetri {
  /** The Hono app, which can be mounted in another one: `new Hono().route('/sandbox', petri.app)`. */
  readonly app: Hono
  /**
   * Leads the calls of this process to the hosts of the live service to this Petri, until it is closed. It covers `fetch`,
   * `node:http`, `XMLHttpRequest` and what is built on them. A key that no world has opens the first world.
   */
  intercept(): Promise<Interception>
}

/** A redirection of the calls of this process, until it is closed or disposed. */
export interface Interception extends Disposable {
  close(): void
}

/** Starts a Petri in this process, in memory; its clock is frozen by default. */
export async function startPetri(options: StartOptions = {}): Promise<LocalPetri> {
  assertOptions('startPetri', options, startOptions)
  const { apiKey = defaults.apiKey, port, host = defaults.host } = options
  const receivers = createLocalReceivers()
  let server: Listening | undefined
  const base = () => server?.url ?? 'http://petri.localhost'
  const { baseUrl, onClock } = options
  const petri = await createPetri({
    firstWorld: await firstWorldOf(options, apiKey, receivers),
    baseUrl: () => baseUrl ?? base(),
    transport: throughProcess(receivers.deliver),
    // What fills the heap is the program under test.
    heapUse: () => 0,
    scenarios: options.scenarios,
    seeds: options.seeds,
    linkOrigins: options.linkOrigins,
    onClock: onClock && ((now) => onClock(new Date(now))),
  })
  let isClosed = false
  const interceptions = new Set<Interception>()
  const intercept = async () => {
    if (isClosed) throw new Error('This Petri is closed.')
    const { interceptLiveHosts } = await import('./intercept/in-process.ts')
    const knows = (headers: Headers) => petri.worlds.byKey(keyIn(headers) ?? '') !== undefined
    const stop = interceptLiveHosts({
      knows,
      async answer(request) {
        const known = knows(request.headers) ? request : withKey(request, apiKey)
        return petri.app.fetch(known, { isHostChecked: true })
      },
    })
    const close = () => {
      stop()
      interceptions.delete(interception)
    }
    const interception: Interception = { close, [Symbol.dispose]: close }
    interceptions.add(interception)
    return interception
  }
  const close = async () => {
    isClosed = true
    for (const interception of interceptions) interception.close()
    await server?.close()
    await petri.close()
  }
  try {
    if (port !== undefined)
      server = await listen(petri.app, { host, port }).catch((error: unknown) => {
        const why = whyNotListening(error, { host, port, setting: 'port' })
        throw new Error(`startPetri: ${why}`, { cause: error })
      })
    const access: PetriAccess = {
      async send(request) {
        if (isClosed) throw new Error('This Petri is closed.')
        return unlessAborted(request.signal, async () => petri.app.fetch(request))
      },
      base,
      url() {
        if (isClosed) throw new Error('This Petri is closed.')
        server ??= listenNow(petri.app, host)
        return server.url
      },
      credentialHeaders,
      receivers,
      controlToken: undefined,
      worldDefaults: { now: options.now, frozen: options.frozen },
      close,
    }
    const running = Object.assign(await exploring(access, apiKey), { app: petri.app, intercept })
    if (options.intercept) await intercept()
    return running
  } catch (error) {
    await close()
    throw error
  }
}

type Hook = (act: (...context: readonly unknown[]) => Promise<void>) => unknown

/** The hooks of a test runner: the globals of jest, or what `node:test` exports. */
export interface TestHooks {
  readonly beforeEach: Hook
  readonly afterEach: Hook
  /** `after` of node:test. */
  readonly afterAll: Hook
}

/**
 * Gives each test a world of one Petri: `const current = useWorld({ beforeEach, afterEach, afterAll })`, then
 * `current.world` in a test. Where the runner says that a test has failed, what was asked and delivered is printed.
 */
export function useWorld(hooks: TestHooks, options: WorldOptions = {}): { readonly world: PetriWorld } {
  let petri: LocalPetri | undefined
  let current: PetriWorld | undefined
  hooks.beforeEach(async () => {
    petri ??= await startPetri()
    current = await petri.world(options)
  })
  // A rest parameter, because jest waits for the callback of a hook that declares a parameter.
  hooks.afterEach(async (...[context]) => {
    const hasFailed = (context as { passed?: unknown } | undefined)?.passed === false
    if (hasFailed && current) console.error(await current.journal())
    await current?.close()
  })
  hooks.afterAll(async () => petri?.close())
  return {
    get world() {
      if (current) return current
      throw new Error('Read the world of useWorld within a test.')
    },
  }
}

/** A kit with the exploration, which is loaded when it is first used. */
async function exploring(access: PetriAccess, apiKey: string): Promise<ExploringPetri> {
  // The questions of a property are not those of the program.
  const openStage = () => openPetri({ ...access, readHeaders: asideHeaders }, apiKey)
  return Object.assign(await openPetri(access, apiKey), {
    explore: async (...given: Parameters<ExploringPetri['explore']>) =>
      (await import('./tools/explore/kit.ts')).explorePetri(await openStage(), ...given),
    replay: async (...given: Parameters<ExploringPetri['replay']>) =>
      (await import('./tools/explore/kit.ts')).replayIn(await openStage(), ...given),
  })
}

/** The API key of a request; undefined without one. */
function keyIn(headers: Headers): string | undefined {
  for (const name of defaults.authHeaders) if (headers.get(name)) return headers.get(name) ?? undefined
  return /^Bearer ([sp]k_\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]
}

/** The request with another API key, if it has one at all. */
function withKey(request: Request, apiKey: string): Request {
  if (keyIn(request.headers) === undefined) return request
  const headers = new Headers(request.headers)
  for (const name of credentialHeaders) headers.delete(name)
  headers.set(headerNames.apiKey, apiKey)
  return new Request(request, { headers })
}

/** Rejects as soon as the signal is aborted, like the platform's `fetch`. */
async function unlessAborted<Result>(signal: AbortSignal, act: () => Promise<Result>): Promise<Result> {
  signal.throwIfAborted()
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return Promise.race([act(), aborted])
}

async function firstWorldOf(options: StartOptions, apiKey: string, receivers: LocalReceivers) {
  const { webhookUrl = null, like = null } = options
  const profile = like === null ? undefined : profileOf(like)
  return {
    name: options.name ?? defaults.worldName,
    apiKey,
    webhookSecret: options.webhookSecret ?? defaults.webhookSecret,
    webhookUrl: typeof webhookUrl === 'function' ? (await receivers.open(webhookUrl)).url : webhookUrl,
    seed: options.seed ?? defaults.seed,
    ...(options.history && { history: options.history }),
    frozen: options.frozen ?? true,
    now: options.now === undefined ? null : instantOf(options.now),
    pace: options.pace ?? profile?.pace ?? defaults.pace,
    scenario: options.scenario ?? profile?.scenario ?? defaults.scenario,
    like,
  }
}

function profileOf(like: keyof typeof teamProfiles) {
  if (Object.hasOwn(teamProfiles, like)) return teamProfiles[like]
  throw new TypeError(
    `like should be ${Object.keys(teamProfiles).join(' or ')}; it is ${JSON.stringify(like)}.`,
  )
}

const instantOf = (now: string | Date) => (now instanceof Date ? now.getTime() : (fromIso(now) ?? null))

export interface ConnectOptions {
  /** Its URL; `http://127.0.0.1:4080` by default. */
  readonly url?: string
  /** The key of one of its worlds. */
  readonly apiKey?: string
  /** Its `PETRI_CONTROL_TOKEN`; required to create worlds unless Petri runs on this machine. */
  readonly controlToken?: string
  /** The host name by which Petri reaches this process, such as `host.docker.internal`; by default the address it sees calls come from. */
  readonly receiverHost?: string
}

/** For `expect.extend` of vitest and jest. */
export const matchers: Matchers = createMatchers(dottedStatuses)

/**
 * The event of a webhook, as the program under test gets it: a `Request`, or its headers with the text of its body. Throws if
 * its signature is not of this secret, or is older than five minutes.
 */
export async function parseWebhook(webhook: Request | Delivered, secret: string): Promise<WebhookEvent> {
  assertObject('parseWebhook', webhook)
  if (typeof secret !== 'string')
    throw new TypeError(`parseWebhook takes a webhook and its secret; the secret is ${describe(secret)}.`)
  const delivered =
    webhook instanceof Request
      ? { headers: Object.fromEntries(webhook.headers), body: await webhook.text() }
      : webhook
  const error = verificationError([secret], delivered, Math.floor(wallClock() / 1000))
  if (error !== undefined) throw new Error(`The webhook is not genuine: ${error}.`)
  return JSON.parse(delivered.body) as WebhookEvent
}

/** Connects to a Petri in another process, such as in a container. */
export async function connectToPetri(options: ConnectOptions = {}): Promise<ExploringPetri> {
  assertOptions('connectToPetri', options, connectOptions)
  const { url = `http://${defaults.host}:${defaults.port}`, apiKey = defaults.apiKey } = options
  const caller = await assertNotOlder(url)
  const access: PetriAccess = {
    send: (request) => reach(url, request),
    base: () => url,
    url: () => url,
    credentialHeaders,
    receivers: createSocketReceivers(options.receiverHost ?? receiverHostOf(caller)),
    controlToken: options.controlToken,
    worldDefaults: {},
    close: async () => undefined,
  }
  return exploring(access, apiKey)
}

/** Returns the address from which Petri sees this process. */
async function assertNotOlder(url: string): Promise<string | null> {
  const response = await reach(url, new Request(new URL('/_petri/health', url)))
  const health = (await response.json().catch(() => ({}))) as {
    readonly version?: string
    readonly caller?: string | null
  }
  if (health.version === undefined) throw new Error(`${url} is not Petri.`)
  const reason = olderThanClient({ petri: health.version, client: version.petri }, url)
  if (reason !== undefined) throw new Error(reason)
  return health.caller ?? null
}

async function reach(url: string, request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    request.signal.throwIfAborted()
    throw new Error(`No answer from ${url}: ${reasonOf(error)}. Is Petri running there?`, { cause: error })
  }
}
