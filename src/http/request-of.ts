import { getPath } from 'hono/utils/url'
import type { Connection } from '../faults/apply.ts'
import type { RequestHeaders } from '../world/requests.ts'

/** A request as it came, by a connection or without one. */
export interface RequestOf extends Target {
  readonly method: string
  /** Names in lower case. */
  readonly headers: RequestHeaders
  header(name: string): string | undefined
  /** The address it came from; undefined when it came by no connection. */
  readonly peer: string | undefined
  readonly line: Connection
  /** All of its body; rejects as soon as that is longer than so many bytes. */
  body(most: number): Promise<Uint8Array<ArrayBuffer>>
}

/** What a request asks for. */
export interface Target {
  /** The path with its query. */
  readonly target: string
  /** The path alone, its escapes resolved but for those of a slash and its like. */
  readonly path: string
  /** What is behind the question mark. */
  readonly queryString: string
}

/** Throws when it is no URL. */
export function targetOf(address: string): Target {
  const { pathname, search, href } = new URL(address)
  const path = getPath({ url: href } as Request)
  return { target: `${pathname}${search}`, path, queryString: search.slice(1) }
}
