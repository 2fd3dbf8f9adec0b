import { defaults } from '../defaults.ts'

interface Keys {
  readonly apiKey: string
  readonly controlToken?: string | undefined
}

/** Where the page is. The key stands behind the `#`, which no server is sent, and only where the page cannot find it by itself. */
export function pageAddress(url: string, { apiKey, controlToken }: Keys): string {
  const isFound = controlToken === undefined || apiKey === defaults.apiKey
  return `${url}/_petri/${isFound ? '' : `#key=${encodeURIComponent(apiKey)}`}`
}
