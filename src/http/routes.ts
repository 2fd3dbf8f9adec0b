import { TrieRouter } from 'hono/router/trie-router'
import { tryDecodeURIComponent } from 'hono/utils/url'
import type { AnyOperation } from '../api/operation.ts'

/** Fixed paths before those with parameters, or `/v3/lab_tests/{lab_test_id}` would swallow `/v3/lab_tests/markers`. */
export function inMatchingOrder(operations: readonly AnyOperation[]): AnyOperation[] {
  const key = ({ route }: AnyOperation) => route.slice(route.indexOf(' ') + 1).replace(/\{\w+\}/g, '~')
  return operations
    .map((operation) => ({ operation, key: key(operation) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ operation }) => operation)
}

/** Whether a path could be one of this route, whatever the method. */
export function matchesPath(route: string, path: string): boolean {
  const pattern = route.slice(route.indexOf(' ') + 1).split('/')
  const parts = path.split('/')
  return (
    pattern.length === parts.length && pattern.every((part, at) => part.startsWith('{') || part === parts[at])
  )
}

export type Params = Readonly<Record<string, string>>

/** What is served at a path, and what stands in place of its parameters. */
export interface Found<Served> {
  readonly served: Served
  readonly params: Params
}

/** Finds a path without parameters in one look, and only the others by walking through them. */
export class Routes<Served> {
  readonly #fixed = new Map<string, Found<Served>>()
  readonly #others = new TrieRouter<Served>()

  /** `route` as in `GET /v2/user/{user_id}`; of two that match, the one added first is found. */
  add(route: string, served: Served): void {
    const [method, path] = route.split(' ') as [string, string]
    if (path.includes('{')) this.#others.add(method, path.replace(/\{(\w+)\}/g, ':$1'), served)
    else this.#fixed.set(route, { served, params: {} })
  }

  find(method: string, path: string): Found<Served> | undefined {
    const fixed = this.#fixed.get(`${method} ${path}`)
    if (fixed) return fixed
    const [found] = this.#others.match(method, path)[0]
    return found && { served: found[0], params: decoded(found[1] as Params) }
  }
}

function decoded(params: Params): Params {
  const values: Record<string, string> = {}
  for (const name in params) values[name] = tryDecodeURIComponent(params[name] as string)
  return values
}
