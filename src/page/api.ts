import { detailOf } from './words.ts'

/** What opens Petri: an API key of a world, the control token, or both. */
export interface Credentials {
  readonly key: string | undefined
  readonly token: string | undefined
}

const current: { credentials: Credentials } = { credentials: { key: undefined, token: undefined } }

export const useCredentials = (changed: Credentials): void => {
  current.credentials = changed
}

/** An answer that is no success, in its own words. */
export class CallError extends Error {
  readonly status: number
  readonly body: unknown

  constructor(status: number, body: unknown) {
    super(status === 0 ? 'Petri does not answer.' : detailOf(body) || `Status ${status}`)
    this.status = status
    this.body = body
  }
}

export interface Answer<Body> {
  readonly status: number
  readonly body: Body
  readonly durationMs: number
}

export interface CallOptions {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

const isControl = (path: string) => path.startsWith('/_petri/')
const isAboutWorlds = (path: string) => /^\/_petri\/worlds\b/.test(path)

/** What the page reads of the service is not recorded; what it does there is, as the page's. */
function headersFor(method: string, path: string): Record<string, string> {
  const { key, token } = current.credentials
  const from = isControl(path) ? {} : method === 'GET' ? { 'x-petri-aside': '1' } : { 'x-petri-from': 'page' }
  if (isAboutWorlds(path)) return token ? { authorization: `Bearer ${token}` } : {}
  return { ...(key && { 'x-service-api-key': key }), ...from }
}

/** The answer whatever its status; throws only when there is none. */
export async function send(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  const { body, headers, signal } = options
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  try {
    return await fetch(path, {
      method,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      headers: {
        ...headersFor(method, path),
        ...(text !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(text !== undefined && { body: text }),
      ...(signal && { signal }),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new CallError(0, undefined)
  }
}

export async function ask<Body>(method: string, path: string, options?: CallOptions): Promise<Answer<Body>> {
  const startedAt = performance.now()
  const response = await send(method, path, options)
  const text = await response.text()
  const body = readJson(text)
  return { status: response.status, body: body as Body, durationMs: performance.now() - startedAt }
}

function readJson(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}

/** The body of a successful answer. */
export async function call<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const answer = await ask<Body>(method, path, body === undefined ? {} : { body })
  if (answer.status >= 400) throw new CallError(answer.status, answer.body)
  return answer.body
}

export const get = <Body>(path: string): Promise<Body> => call<Body>('GET', path)

/** A path with the parameters that have a value. */
export function withQuery(
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  return given.length === 0
    ? path
    : `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

/** A call as a line for a shell; the key stays out of it. */
export function asCurl(
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): string {
  const text = body === undefined || body === null || typeof body === 'string' ? body : JSON.stringify(body)
  const quoted = (value: string) => `'${value.replaceAll("'", `'\\''`)}'`
  return [
    `curl -sS -X ${method} ${quoted(`${location.origin}${path}`)}`,
    `-H "x-service-api-key: $PETRI_API_KEY"`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(text ? [`-H 'content-type: application/json'`, `-d ${quoted(text)}`] : []),
  ].join(' ')
}

export interface StreamEvent {
  readonly id: string | undefined
  readonly kind: string
  readonly data: StreamData
}

export interface StreamData {
  readonly at: string
  readonly kind: string
  readonly [field: string]: unknown
}

/** Server-sent events by fetch, since `EventSource` can send no key. Answers the last id when the stream ends. */
export async function readStream(
  lastId: string | undefined,
  signal: AbortSignal,
  onEvents: (events: readonly StreamEvent[]) => void,
): Promise<void> {
  const headers: Record<string, string> = lastId ? { 'last-event-id': lastId } : {}
  const response = await send('GET', '/_petri/events', { headers, signal })
  if (!response.ok || !response.body) throw new CallError(response.status, await response.text())
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let unread = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = (unread + value).split('\n\n')
    unread = blocks.pop() ?? ''
    const events = blocks.flatMap(readBlock)
    if (events.length > 0) onEvents(events)
  }
}

function readBlock(block: string): StreamEvent[] {
  const [kind, data] = [/^event: (.*)$/m.exec(block)?.[1], /^data: (.*)$/m.exec(block)?.[1]]
  if (kind === undefined || data === undefined) return []
  return [{ id: /^id: (.*)$/m.exec(block)?.[1], kind, data: JSON.parse(data) as StreamData }]
}

/** Does something after so many milliseconds, unless the answered function is called before. */
export function later(waitMs: number, act: () => void): () => void {
  const timer = setTimeout(act, waitMs)
  return () => clearTimeout(timer)
}

/** Does something every so many milliseconds, until the answered function is called. */
export function every(intervalMs: number, act: () => void): () => void {
  const timer = setInterval(act, intervalMs)
  return () => clearInterval(timer)
}

export const pause = (waitMs: number): Promise<void> => new Promise((resolve) => void later(waitMs, resolve))

/** Does something whenever the tab is looked at again. */
export function onShown(act: () => void): void {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') act()
  })
}

/** Milliseconds since the page was opened. */
export const elapsed = (): number => performance.now()

/** The machine's clock, in milliseconds since 1970. */
export const wallNow = (): number => Date.now()
