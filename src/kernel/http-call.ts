import { asText } from './json.ts'

/** Whether a status is that of a success; a redirect is none. */
export const isSuccess = (status: unknown): boolean =>
  typeof status === 'number' && status >= 200 && status < 300

/** The parts of a route such as `GET /v2/user`. */
export const methodAndPath = (route: string) => route.split(' ') as [method: string, path: string]

/** The URL under which a client on this machine can call an address. */
export function urlOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** A path of Petri as browsers ask for it: a proxy may serve Petri below a path (PETRI_PUBLIC_URL). */
export const publicPath = (publicUrl: URL | string | undefined, path: string): string =>
  `${publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')}${path}`

/** The address of a path of Petri: the public one, otherwise at the host that was called. */
export const addressOf = (publicUrl: URL | undefined, called: string, path: string): string =>
  `${(publicUrl ?? new URL(called)).origin}${publicPath(publicUrl, path)}`

/** A path with a query string; what is undefined or null is left out. */
export function withQuery(path: string, query: object): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value))
  }
  return search.size > 0 ? `${path}?${search}` : path
}

/** Headers with their names in lower case. */
export const inLowerCase = <Value>(headers: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** A path such as `/v3/order/{order_id}` with a value in place of each name. */
export const fillPath = (pattern: string, fill: (name: string) => unknown): string =>
  pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(fill(name))))

/**
 * The request of an operation such as `GET /_petri/orders/{order_id}`: fields of the input fill the path, and the others are the
 * query of a GET or DELETE, or the body.
 */
export function requestOf(route: string, input: object = {}) {
  const [method, pattern] = methodAndPath(route)
  const fields = new Map(Object.entries(input))
  const path = fillPath(pattern, (name) => {
    const value = fields.get(name)
    fields.delete(name)
    return value
  })
  const others = Object.fromEntries(fields)
  return method === 'GET' || method === 'DELETE'
    ? { method, path: withQuery(path, others) }
    : { method, path, body: others }
}

/** The body of a request: a text as it is, anything else as JSON; null for none. */
export function requestBody(body: unknown): string | null {
  if (body === undefined) return null
  return asText(body)
}

/** The body of a response: parsed JSON, or any other text as it is; undefined if empty. */
export function readResponseText(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}
