import { defaults } from '../defaults.ts'

interface Keys {
  readonly apiKey: string
  readonly controlToken?: string | undefined
}

/** The URL of the page. Keys are in the fragment, which browsers do not send, and only if the page cannot find them out. */
export function pageAddress(url: string, { apiKey, controlToken }: Keys): string {
  const isFound = controlToken === undefined || apiKey === defaults.apiKey
  return `${url}/_petri/${isFound ? '' : `#key=${encodeURIComponent(apiKey)}`}`
}
