import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { managementKeyHeaders } from '../api/credentials.ts'
import type { Route } from '../api/operation.ts'
import { version } from '../api/version.ts'
import { olderThanClient } from '../client/older.ts'
import { detailText } from '../kernel/detail-text.ts'
import { headerNames } from '../kernel/headers.ts'
import { isSuccess, methodAndPath, requestBody, requestOf } from '../kernel/http-call.ts'
import { parseJson } from '../kernel/json.ts'
import { startInterval } from '../kernel/pause.ts'
import { readableInstant } from '../kernel/readable.ts'
import { reasonOf } from '../kernel/reason.ts'
import { CliError } from './errors.ts'
import { showProgress } from './output.ts'
import { callWithLimit, httpFor, probe } from './probe.ts'

/** How to reach a running Petri, and its credentials. */
export interface ClientConfig {
  readonly url: string
  readonly apiKey: string
  readonly controlToken: string | undefined
  readonly managementKey: string
  readonly webhookSecret: string
  /** Whether nothing names a Petri: no setting, and none is running with the data folder. */
  readonly isDefaultUrl?: boolean
  /** The process of that Petri, if it is that of this folder. */
  readonly pid?: number | undefined
}

/** Calls a running Petri. A failed response is thrown as a CliError with its message. */
export interface Client {
  readonly config: ClientConfig
  /** Sends the fields of the input in the path, and the others in the query or the body. A stream is the whole body. */
  call<Body>(route: Route, input?: object): Promise<Body>
  /** Returns a streaming response. With the id of an event, it starts after that event. */
  stream(route: Route, input?: object, lastEventId?: string): Promise<Readable>
}

export const createClient = (config: ClientConfig): Client => ({
  config,
  call: async (route, input) => readBody(await showProgress(send(config, requestFor(route, input))), config),
  async stream(route, input, lastEventId) {
    const response = await send(config, { ...requestOf(route, input), lastEventId })
    return response.ok ? response.body : readBody(response, config)
  },
})

interface Request {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly lastEventId?: string | undefined
}

function requestFor(route: Route, input?: object): Request {
  if (!(input instanceof Readable)) return requestOf(route, input)
  const [method, path] = methodAndPath(route)
  return { method, path, body: input }
}

const apiKey = 'this API key. Set another with --api-key or PETRI_API_KEY.'
const managementKey = 'this management key. Set another with PETRI_MANAGEMENT_KEY.'
const controlToken = 'this control token. Set PETRI_CONTROL_TOKEN to that of Petri.'

/** The credential that a call needs, in words that say how to set it. */
function credentialOf(path: string): string {
  if (path.startsWith('/v1/org/')) return managementKey
  const isOfControl = /^\/_petri\/(worlds|organisation|stop)\b|\?all_worlds=true$/.test(path)
  return isOfControl ? controlToken : apiKey
}

function whyUnknown(path: string, { url, controlToken: given }: ClientConfig): string {
  const needed = credentialOf(path)
  if (needed === controlToken && given === undefined)
    return `${url} has a control token, and none was sent. Set PETRI_CONTROL_TOKEN to it.`
  return `${url} does not know ${needed}`
}

/** Milliseconds between two checks whether a Petri that has not responded yet is still there. */
const CHECK_MS = 5000

/** A response, whose body is read once, and the path of its request. */
type PetriResponse = Awaited<ReturnType<typeof send>>

/**
 * Sends a request with the credentials for its path. Throws if there is no response. A call may take as long as Petri's health
 * can be read. Without `fetch`, which takes a multiple of the rest of a command to load.
 */
export async function send(config: ClientConfig, request: Request) {
  const { method, path, body, lastEventId } = request
  const headers: Record<string, string> = {}
  const isControl = credentialOf(path) === controlToken
  if (credentialOf(path) === managementKey) headers[managementKeyHeaders[0]] = config.managementKey
  else if (!isControl) headers[headerNames.apiKey] = config.apiKey
  if (isControl && config.controlToken !== undefined) headers.authorization = `Bearer ${config.controlToken}`
  // Keeps reads by the command line apart from the calls of the program under test.
  if (method === 'GET' && !path.startsWith('/_petri/')) headers[headerNames.aside] = '1'
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (lastEventId !== undefined) headers['last-event-id'] = lastEventId
  let stopChecks = () => {}
  try {
    const url = new URL(path, config.url)
    const outgoing = (await httpFor(url))
      .request(url, { method, headers, agent: false })
      .on('error', () => undefined)
    stopChecks = startInterval(CHECK_MS, async () => {
      const found = await probe(config.url)
      if (found.kind === 'silent') outgoing.destroy(new Error(found.reason))
    })
    if (body instanceof Readable) pipeline(body, outgoing, () => undefined)
    else outgoing.end(requestBody(body))
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
    const { statusCode: status = 0 } = response
    const ok = isSuccess(status)
    return { path, ok, status, headers: response.headers, body: response, text: () => text(response) }
  } catch (error) {
    throw new CliError(
      `No answer from ${config.url}: ${reasonOf(error)}. Is Petri running there? "npx petri-sandbox start" starts it; PETRI_URL or --url names another.`,
    )
  } finally {
    stopChecks()
  }
}

/** The fields of a failed response. */
interface Failure {
  readonly detail?: unknown
  /** The possible moves of an order that cannot make this one. */
  readonly legal?: readonly string[]
  /** The closest match, and when the next job is due, after the timeout of a wait. */
  readonly nearest?: string | null
  readonly next_due?: string | null
}

async function assertNotOlder(url: string): Promise<void> {
  const answer = await callWithLimit(new URL('/_petri/health', url))
  const health = parseJson(answer.text) as { readonly version: string }
  const reason = olderThanClient({ petri: health.version, client: version.petri }, url)
  if (reason !== undefined) throw new CliError(reason)
}

async function readBody<Body>(response: PetriResponse, config: ClientConfig): Promise<Body> {
  const { ok, status } = response
  const { url } = config
  const written = await response.text()
  const body = parseJson(written)
  if (ok && (body !== undefined || written === '')) return body as Body
  if (body === undefined) throw new CliError(`${url} answered ${status}, but it is not Petri.`)
  // A path that an older Petri does not have is answered so, among other mistakes.
  if (response.headers[headerNames.hint] !== undefined) await assertNotOlder(url)
  const failure = body as Failure
  const lines = [detailText(failure.detail ?? failure)]
  if (failure.legal) lines.push(`Legal from here: ${failure.legal.join(', ') || 'none, the status is final'}`)
  if (status === 408) {
    lines.push(`Nearest: ${failure.nearest ?? 'nothing similar'}`)
    lines.push(`Next due: ${failure.next_due ? readableInstant(failure.next_due) : 'nothing'}`)
  }
  if (status === 401) lines.push(whyUnknown(response.path, config))
  throw new CliError(lines.join('\n'), { status, ...failure })
}

/** The response of a call; undefined if Petri refuses it with this status. */
export async function unlessRefused<Body>(calling: Promise<Body>, status: number): Promise<Body | undefined> {
  try {
    return await calling
  } catch (error) {
    if (error instanceof CliError && 'status' in error.answer && error.answer.status === status)
      return undefined
    throw error
  }
}
