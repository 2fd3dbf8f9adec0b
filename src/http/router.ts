import type { ParamIndexMap, Params, Result, Router } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'

/** Finds a path without parameters in a map, and only the others in a trie. Of two routes that match, the first added is taken. */
export class FixedPathsRouter<Handler> implements Router<Handler> {
  readonly name = 'FixedPathsRouter'
  readonly #fixed = new Map<string, Result<Handler>>()
  readonly #trie = new TrieRouter<Handler>()

  add(method: string, path: string, handler: Handler): void {
    const key = `${method} ${path}`
    if (/[:*]/.test(path)) this.#trie.add(method, path, handler)
    else if (!this.#fixed.has(key)) this.#fixed.set(key, [[[handler, NO_PARAMS]]])
  }

  match(method: string, path: string): Result<Handler> {
    return this.#fixed.get(`${method} ${path}`) ?? this.#trie.match(method, path)
  }
}

const NO_PARAMS: Params & ParamIndexMap = {}
