import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { parseJson } from '../kernel/json.ts'
import { startTimer } from '../kernel/pause.ts'
import { readLimited } from '../kernel/read-limited.ts'
import { reasonOf } from '../kernel/reason.ts'

const TIMEOUT_MS = 5000
/** Bytes of a body; none of a longer one is returned. */
const MAX_LENGTH = 65_536

/** The result of a probe. */
export type Found =
  | { readonly kind: 'petri'; readonly version: string; readonly text: string }
  | { readonly kind: 'other'; readonly status: number }
  | { readonly kind: 'silent'; readonly reason: string }

/** Checks whether a Petri answers at a URL. */
export async function probe(url: string): Promise<Found> {
  try {
    const { status, text } = await callWithLimit(new URL('/_petri/health', url))
    const version = status === 200 ? versionIn(text) : undefined
    return version === undefined ? { kind: 'other', status } : { kind: 'petri', version, text }
  } catch (error) {
    return { kind: 'silent', reason: reasonOf(error) }
  }
}

/** The HTTP client for a URL. */
export const httpFor = (url: URL) => (url.protocol === 'https:' ? import('node:https') : import('node:http'))

/**
 * Calls a URL, and ends the connection after 5 seconds, 64 KiB or an interruption. Without `fetch`: Node 20 loads it on first
 * use, and misses a connection that is closed meanwhile.
 */
export async function callWithLimit(
  url: URL,
  {
    interrupted,
    headOnly = false,
  }: { readonly interrupted?: AbortSignal | undefined; readonly headOnly?: boolean } = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const { get } = await httpFor(url)
  const request = get(url, { agent: false, signal: interrupted })
  // A timer, because Node 20 collects the signals of AbortSignal.any before they abort.
  const cancel = startTimer(TIMEOUT_MS, () =>
    request.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} seconds`)),
  )
  try {
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    const { statusCode: status = 0 } = response
    const body = headOnly ? undefined : await readLimited(response, MAX_LENGTH)
    return { status, text: body?.toString() ?? '' }
  } finally {
    cancel()
    request.on('error', () => undefined).destroy()
  }
}

function versionIn(text: string): string | undefined {
  const answer = parseJson(text) as { contract_version?: string; version?: string } | null | undefined
  return answer?.contract_version === undefined ? undefined : answer.version
}
