import type { Result, Router } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'
import type { AnyOperation } from '../contract/operation.ts'

/** `/v2/user/{user_id}` as the HTTP library writes it. */
export const toHonoPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

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

/** Finds a path without parameters in one look, and only the others by walking through them. */
export class FixedPathsFirst<Handler> implements Router<Handler> {
  readonly name = 'FixedPathsFirst'
  readonly #fixed = new Map<string, Result<Handler>>()
  readonly #all = new TrieRouter<Handler>()

  add(method: string, path: string, handler: Handler): void {
    if (!/[:*{]/.test(path)) this.#fixed.set(`${method} ${path}`, [[[handler, {}]]])
    this.#all.add(method, path, handler)
  }

  match(method: string, path: string): Result<Handler> {
    return this.#fixed.get(`${method} ${path}`) ?? this.#all.match(method, path)
  }
}
