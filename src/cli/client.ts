import { detailText } from '../kernel/detail-text.ts'
import { parseJson } from '../kernel/json.ts'
import { reasonOf } from '../kernel/reason.ts'
import { CliError, type ClientConfig } from './config.ts'
import { showProgress } from './progress.ts'

type Query = Readonly<Record<string, string | number | undefined>>

interface StreamOptions {
  readonly query?: Query
  /** The id of the last event received. */
  readonly lastEventId?: string | undefined
}

/** Calls a running Petri. An error answer is thrown as a CliError with its text. */
export interface Client {
  readonly config: ClientConfig
  get<Body>(path: string, query?: Query): Promise<Body>
  post<Body>(path: string, body?: unknown): Promise<Body>
  put<Body>(path: string, body: unknown, contentType?: string): Promise<Body>
  patch<Body>(path: string, body: unknown): Promise<Body>
  delete(path: string, query?: Query): Promise<void>
  /** A streaming response that ends when it is cancelled, or when Petri ends it. */
  stream(path: string, options: StreamOptions): Promise<ReadableStream<Uint8Array>>
}

export function createClient(config: ClientConfig): Client {
  const call = callerOf(config)
  return {
    config,
    get: (path, query) => call('GET', withQuery(path, query)),
    post: (path, body) => call('POST', path, body),
    put: (path, body, contentType) => call('PUT', path, body, contentType),
    patch: (path, body) => call('PATCH', path, body),
    async delete(path, query) {
      await call('DELETE', withQuery(path, query))
    },
    async stream(path, { query, lastEventId }) {
      const call = { method: 'GET', path: withQuery(path, query), lastEventId }
      const response = await send(config, call)
      return response.ok && response.body !== null ? response.body : readAnswer(response, config.url)
    },
  }
}

function withQuery(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  if (given.length === 0) return path
  return `${path}?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`
}

/** Calls about worlds and the organisation take the control token, all others the world's key. */
const isAboutWorlds = (path: string) => /^\/_petri\/(worlds|organisation)\b/.test(path)

interface Call {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly contentType?: string
  readonly lastEventId?: string | undefined
}

/** Sends a call with the matching credentials. Throws if there is no answer. */
export function send({ url, apiKey, controlToken }: ClientConfig, call: Call): Promise<Response> {
  const { method, path, body, contentType = 'application/json', lastEventId } = call
  const credentials: Record<string, string> = isAboutWorlds(path)
    ? controlToken === undefined
      ? {}
      : { authorization: `Bearer ${controlToken}` }
    : { 'x-service-api-key': apiKey }
  // Keeps reads by the command line apart from the calls of the program under test.
  const aside = method === 'GET' && !path.startsWith('/_petri/') ? { 'x-petri-aside': '1' } : {}
  return fetch(new URL(path, url), {
    method,
    redirect: 'error',
    headers: {
      ...credentials,
      ...aside,
      ...(body !== undefined && { 'content-type': contentType }),
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
    ...(body instanceof ReadableStream
      ? { body, duplex: 'half' }
      : body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw new CliError(
      `No answer from ${url}: ${reasonOf(error)}. Is Petri running there? "petri start" starts it.`,
    )
  })
}

async function readAnswer<Body>(response: Response, url: string): Promise<Body> {
  const text = await response.text()
  const answer = parseJson(text)
  if (response.ok && (answer !== undefined || text === '')) return answer as Body
  if (answer === undefined) throw new CliError(`${url} answered ${response.status}, but not like Petri.`)
  throw refusalOf(response.status, answer as Answer, url)
}

const callerOf =
  (config: ClientConfig) =>
  async <Body>(method: string, path: string, body?: unknown, contentType?: string): Promise<Body> =>
    readAnswer(
      await showProgress(
        send(config, { method, path, body, ...(contentType !== undefined && { contentType }) }),
      ),
      config.url,
    )

interface Answer {
  readonly detail?: unknown
  readonly legal?: readonly string[]
}

function refusalOf(status: number, answer: Answer, url: string): CliError {
  const words = detailText(answer.detail ?? answer)
  const hint =
    status === 401 ? `\n${url} does not know this key; --api-key or PETRI_API_KEY says another.` : ''
  const legal = answer.legal ? `\nLegal from here: ${answer.legal.join(', ') || 'nothing, it is final'}` : ''
  return new CliError(`${words}${legal}${hint}`, { status, ...answer })
}
