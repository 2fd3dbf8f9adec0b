import type { IncomingMessage } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { parseJson } from '../kernel/json.ts'
import { reasonOf } from '../kernel/reason.ts'

const TIMEOUT_MS = 5000

/** The result of a probe. */
export type Found =
  | { readonly kind: 'petri'; readonly version: string; readonly text: string }
  | { readonly kind: 'other'; readonly status: number }
  | { readonly kind: 'silent'; readonly reason: string }

/** Checks whether a Petri answers at a URL. */
export async function probe(url: string): Promise<Found> {
  try {
    const response = await get(new URL('/_petri/health', url))
    const text = await textOf(response)
    const { statusCode: status = 0 } = response
    const version = status === 200 ? versionIn(text) : undefined
    return version === undefined ? { kind: 'other', status } : { kind: 'petri', version, text }
  } catch (error) {
    return { kind: 'silent', reason: reasonOf(error) }
  }
}

/** Without `fetch`: Node 20 loads it on first use, and misses a connection that is closed meanwhile. */
export async function get(url: URL, interrupted?: AbortSignal): Promise<IncomingMessage> {
  const { get } = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const signal = interrupted ? AbortSignal.any([timeout, interrupted]) : timeout
  return new Promise((resolve, reject) => {
    get(url, { signal, agent: false }, resolve).on('error', reject)
  })
}

function versionIn(text: string): string | undefined {
  const answer = parseJson(text) as { contract_version?: string; version?: string } | null | undefined
  return answer?.contract_version === undefined ? undefined : answer.version
}
