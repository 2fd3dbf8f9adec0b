import { createParser } from 'eventsource-parser'
import { asideHeaders, headerNames } from '../kernel/headers.ts'
import { withQuery as queried, readResponseText, requestBody } from '../kernel/http-call.ts'
import { asText } from '../kernel/json.ts'
import { compact } from '../kernel/list.ts'
import { quoted } from '../kernel/shell.ts'
import { detailOf } from './format.ts'
import type { ScenarioCheck } from './responses.ts'

/** An API key of a world, the control token, or both. */
export interface Credentials {
  readonly key: string | undefined
  readonly token: string | undefined
}

const current: { credentials: Credentials } = { credentials: { key: undefined, token: undefined } }

export const useCredentials = (changed: Credentials): void => {
  current.credentials = changed
}

/** A failed response, with its message. */
export class CallError extends Error {
  readonly status: number
  readonly body: unknown

  constructor(status: number, body: unknown) {
    super(status === 0 ? 'Petri does not answer.' : detailOf(body ?? '') || `Status ${status}`)
    this.status = status
    this.body = body
  }
}

export interface TimedResponse<Body> {
  readonly status: number
  readonly body: Body
  readonly durationMs: number
}

export interface CallOptions {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** The address of Petri, with the path of a proxy: the page is at `_petri/` below it. */
export const petriUrl = (): string => new URL('..', location.href).href.slice(0, -1)

const isControl = (path: string) => path.startsWith('/_petri/')
const isAboutWorlds = (path: string) => /^\/_petri\/worlds\b|\?all_worlds=true$/.test(path)

/** The page's reads are neither recorded nor logged; its other calls of the service are, as calls of the page. */
function headersFor(method: string, path: string): Record<string, string> {
  const { key, token } = current.credentials
  const credentials: Record<string, string> = {}
  if (key && !isAboutWorlds(path)) credentials[headerNames.apiKey] = key
  if (token && isAboutWorlds(path)) credentials.authorization = `Bearer ${token}`
  if (method === 'GET') return { ...credentials, ...asideHeaders }
  return isControl(path) ? credentials : { ...credentials, [headerNames.origin]: 'page' }
}

/** Returns the response whatever its status; throws only without one. */
export async function send(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  const { body, headers, signal } = options
  const text = requestBody(body)
  try {
    return await fetch(`${petriUrl()}${path}`, {
      method,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      headers: {
        ...headersFor(method, path),
        ...(text === null ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: text,
      signal: signal ?? null,
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new CallError(0, undefined)
  }
}

export async function ask<Body>(
  method: string,
  path: string,
  options?: CallOptions,
): Promise<TimedResponse<Body>> {
  const startedAt = performance.now()
  const response = await send(method, path, options)
  const text = await response.text()
  const body = readResponseText(text)
  return { status: response.status, body: body as Body, durationMs: performance.now() - startedAt }
}

/** Returns the body of a successful response. */
export async function call<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const response = await ask<Body>(method, path, { body })
  if (response.status >= 400) throw new CallError(response.status, response.body)
  return response.body
}

export const get = <Body>(path: string): Promise<Body> => call<Body>('GET', path)

/** What is wrong with the source of a scenario, and what will happen; nothing if Petri is not there. */
export async function checkSource(source: string): Promise<ScenarioCheck | undefined> {
  const options = { body: { source }, headers: asideHeaders }
  const { status, body } = await ask<ScenarioCheck>('POST', '/_petri/scenarios/check', options)
  return status === 200 ? body : undefined
}

/** A path with the query parameters that have a value. */
export function withQuery(
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
): string {
  const given = Object.entries(query).filter(([, value]) => value !== '')
  return queried(path, Object.fromEntries(given))
}

/** A call as a command for a shell, without the key. */
export function asCurl(
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): string {
  const type = body ? { 'content-type': 'application/json' } : {}
  const call = `${method} ${quoted(`${petriUrl()}${path}`)} -H "x-vital-api-key: $PETRI_API_KEY"`
  return curlLine(call, { ...headers, ...type }, body)
}

/** `call` is the method and the quoted URL, with what else is not quoted. */
export const curlLine = (call: string, headers: Readonly<Record<string, string>>, body: unknown): string =>
  compact([
    `curl -sS -X ${call}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    body ? `-d ${quoted(asText(body))}` : undefined,
  ]).join(' ')

/** A command line of Petri's for this server. */
export const petriLine = (command: string): string =>
  `npx petri-sandbox ${command}${petriUrl() === 'http://127.0.0.1:4080' ? '' : ` --url ${petriUrl()}`}`

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

/** Reads server-sent events with `fetch`, since `EventSource` sends no key. */
export async function readStream(
  lastId: string | undefined,
  signal: AbortSignal,
  onEvents: (events: readonly StreamEvent[]) => void,
): Promise<void> {
  const headers: Record<string, string> = lastId ? { 'last-event-id': lastId } : {}
  const response = await send('GET', '/_petri/events', { headers, signal })
  if (!response.ok || !response.body) throw new CallError(response.status, await response.text())
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let events: StreamEvent[] = []
  const parser = createParser({
    onEvent({ id, event = '', data }) {
      events.push({ id, kind: event, data: JSON.parse(data) as StreamData })
    },
  })
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    events = []
    parser.feed(value)
    if (events.length > 0) onEvents(events)
  }
}

/** Runs a function after so many milliseconds, unless the returned function is called before. */
export function later(waitMs: number, act: () => void): () => void {
  const timer = setTimeout(act, waitMs)
  return () => clearTimeout(timer)
}

/** Runs a function every so many milliseconds. */
export const every = (intervalMs: number, act: () => void): unknown => setInterval(act, intervalMs)

export const pause = (waitMs: number): Promise<void> => new Promise((resolve) => void later(waitMs, resolve))

/** Runs a function whenever the tab becomes visible. */
export function onShown(act: () => void): void {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') act()
  })
}

/** Milliseconds since the page was opened. */
export const elapsed = (): number => performance.now()

/** The machine's clock, in milliseconds since 1970. */
export const wallNow = (): number => Date.now()
