import { Readable } from 'node:stream'
import type { CommandOrigin } from '../api/call-origin.ts'
import { REDACTED } from '../api/secrets.ts'
import { defaults } from '../defaults.ts'
import { wallClock } from '../kernel/clock.ts'
import { headerNames } from '../kernel/headers.ts'
import { SECOND_MS } from '../kernel/instant.ts'
import { parseJson } from '../kernel/json.ts'
import { startTimer } from '../kernel/pause.ts'
import { readLimited } from '../kernel/read-limited.ts'
import { reasonOf } from '../kernel/reason.ts'
import { currentContext, printError, wait } from '../terminal/context.ts'
import { CliError, httpUrl, UsageProblem } from '../terminal/errors.ts'

/** The API of a team, at the live service or a Petri. Its key is sent to this host alone. */
export interface TeamApi {
  readonly url: string
  /** Sends a request and waits as told when the rate is limited. Throws a CliError if there is no reply of an API. */
  ask(request: TeamRequest): Promise<Reply>
}

export interface TeamRequest {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Whether it is sent without the key. */
  readonly anonymous?: boolean
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  /** Undefined if the body is not JSON. */
  readonly body: unknown
}

interface TeamOptions {
  readonly url: string
  readonly apiKey: string
  /** The flag that named the URL, for messages. */
  readonly flag: string
  /** The command, so that a Petri does not take its calls for those of the program under test. */
  readonly command: CommandOrigin
  /** Headers of every read. */
  readonly readHeaders?: Readonly<Record<string, string>>
}

const TIMEOUT_MS = 60 * SECOND_MS
const MAX_ATTEMPTS = 10
/** Seconds to wait if a 429 names none. */
const DEFAULT_WAIT_S = 5
const MAX_WAIT_S = 600
const TOO_MANY_REQUESTS = 429

export function createTeamApi({ url, apiKey, flag, command, readHeaders = {} }: TeamOptions): TeamApi {
  const base = baseOf(url, flag)
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new UsageProblem('The key should be one word of ASCII characters.')

  async function send(request: TeamRequest): Promise<Reply> {
    const { method, path, body, headers: given = {}, anonymous = false } = request
    const target = new URL(base.href.replace(/\/$/, '') + path)
    if (target.origin !== base.origin) throw new CliError(`${path} is not a path of ${url}.`)
    const headers = new Headers(method === 'GET' ? readHeaders : {})
    headers.set(headerNames.origin, command)
    for (const [name, value] of Object.entries(given)) headers.set(name, value)
    if (!anonymous) for (const name of defaults.authHeaders) headers.set(name, apiKey)
    if (body !== undefined) headers.set('content-type', 'application/json')
    const abort = new AbortController()
    const stop = startTimer(TIMEOUT_MS, () => abort.abort(new Error('no answer within 60 seconds')))
    try {
      const response = await fetch(target, {
        method,
        headers,
        redirect: 'manual',
        signal: abort.signal,
        body: body === undefined ? null : JSON.stringify(body),
      })
      const { status } = response
      const bytes = await readLimited(response.body ?? Readable.from([]), MAX_REPLY_BYTES)
      if (!bytes)
        throw new CliError(`${url} answered ${method} ${path} with more than ${MAX_REPLY_BYTES} bytes.`)
      // A service may echo the key, which is neither printed nor written.
      return {
        status,
        headers: response.headers,
        body: parseJson(bytes.toString('utf8').replaceAll(apiKey, REDACTED)),
      }
    } catch (error) {
      if (error instanceof CliError) throw error
      throw new CliError(`No answer from ${url}: ${reasonOf(error)}.`)
    } finally {
      stop()
    }
  }

  async function sendPatiently(request: TeamRequest): Promise<Reply> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const reply = await send(request)
      if (reply.status !== TOO_MANY_REQUESTS) return reply
      const seconds = secondsToWait(reply.headers)
      if (seconds > MAX_WAIT_S)
        throw new CliError(`${url} limits the rate, and asks to wait ${seconds} seconds.`)
      if (seconds > 0 && currentContext().stderr.isTTY)
        printError(`${url} limits the rate; waiting ${seconds} s`)
      await wait(seconds * SECOND_MS)
    }
    throw new CliError(`${url} still limits the rate after ${MAX_ATTEMPTS} attempts.`)
  }

  return {
    url,
    async ask(request) {
      const reply = await sendPatiently(request)
      const { status, headers } = reply
      const about = `${url} answered ${request.method} ${request.path}`
      if (status >= 300 && status < 400)
        throw new CliError(`${about} with a redirect; the key is sent to no other address.`)
      if (status === 401 && !request.anonymous) throw new CliError(`${url} does not accept the key.`)
      if (/\bhtml\b/.test(headers.get('content-type') ?? ''))
        throw new CliError(`${about} with a web page. Is this the address of the API?`)
      return reply
    },
  }
}

function baseOf(url: string, flag: string): URL {
  const base = httpUrl(flag, url)
  if (base.username || base.password || base.search || base.hash)
    throw new UsageProblem(`${flag} should be a URL without user, query and fragment.`)
  return base
}

/** The maximum length of a reply, in bytes after decompression; the longest real one has some megabytes. */
const MAX_REPLY_BYTES = 32 * 1024 * 1024

/** `Retry-After` in seconds: a number or an HTTP date. */
function secondsToWait(headers: Headers): number {
  const text = headers.get('retry-after') ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  const date = Date.parse(text)
  return Number.isNaN(date) ? DEFAULT_WAIT_S : Math.max(0, Math.ceil((date - wallClock()) / SECOND_MS))
}

/** Throws if the key is one of production, where orders are real. */
export function assertSandboxKey(key: string, action: string): void {
  if (key.startsWith('pk_'))
    throw new UsageProblem(
      `${action} places orders; --key should be the key of a sandbox, not of production.`,
    )
}

/** ZIP codes of five digits, each once. */
export function readZips(texts: readonly string[]): string[] {
  const zips = texts.flatMap((text) => text.split(',')).filter(Boolean)
  const wrong = zips.find((zip) => !/^\d{5}$/.test(zip))
  if (wrong !== undefined)
    throw new UsageProblem(`--zip should be ZIP codes of five digits; it is "${wrong}".`)
  return [...new Set(zips)]
}
