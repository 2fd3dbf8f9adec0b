import { VitalClient } from '@tryvital/vital-node'
import type { Started } from './cli.ts'

/** The methods of a group of the official client, as `group.method`. */
export const methodsOf = (group: keyof VitalClient): string[] =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(new VitalClient({ apiKey: 'x' })[group]))
    .filter((name) => name !== 'constructor' && !name.startsWith('_'))
    .map((name) => `${group}.${name}`)

/** The official client of a running Petri, the methods that were called, and plain calls, which must succeed. */
export function officialClient({ ready }: Started) {
  const called = new Set<string>()
  const client = new Proxy(new VitalClient({ apiKey: ready.api_key, environment: ready.url }), {
    get: (groups, group) =>
      new Proxy(Reflect.get(groups, group), {
        get(methods, name) {
          called.add(`${String(group)}.${String(name)}`)
          return Reflect.get(methods, name)
        },
      }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  async function call(method: string, path: string, body?: object, headers = {}): Promise<any> {
    const response = await fetch(`${ready.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-vital-api-key': ready.api_key, ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text)
  }
  return { client, called, call, advance: (by: string) => call('POST', '/_petri/clock/advance', { by }) }
}

export type OfficialClient = ReturnType<typeof officialClient>
