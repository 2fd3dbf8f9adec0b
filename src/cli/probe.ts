import { reasonOf } from './client.ts'

const TIMEOUT_MS = 5000

/** What was found at an address. */
export type Found =
  | { readonly kind: 'petri'; readonly version: string; readonly text: string }
  | { readonly kind: 'other'; readonly status: number }
  | { readonly kind: 'silent'; readonly reason: string }

/** Asks whether a Petri answers at a URL. */
export async function probe(url: string): Promise<Found> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(new URL('/_petri/health', url), { signal, redirect: 'manual' })
    const text = await response.text()
    const version = response.ok ? versionIn(text) : undefined
    return version === undefined
      ? { kind: 'other', status: response.status }
      : { kind: 'petri', version, text }
  } catch (error) {
    return { kind: 'silent', reason: reasonOf(error) }
  }
}

function versionIn(text: string): string | undefined {
  try {
    const { contract_version, version } = JSON.parse(text) as { contract_version?: string; version?: string }
    return contract_version === undefined ? undefined : version
  } catch {
    return undefined
  }
}
