import { readResponseText, withQuery } from '../kernel/http-call.ts'
import { append } from '../kernel/list.ts'
import type { WaitOptions } from './inputs.ts'
import type { PetriRefusal } from './kit.ts'

/** Sends requests to a Petri, through a socket or in the same process. */
export type Send = (request: Request) => Promise<Response>

/** Calls one world of a Petri. */
export interface Caller {
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  readonly call: <Body>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Body>
}

export interface Address {
  readonly send: Send
  /** The base URL. */
  readonly base: () => string
  /** Credentials for calls without their own; none if undefined. */
  readonly credentials: Readonly<Record<string, string>>
  /** Headers that carry credentials. */
  readonly credentialHeaders: readonly string[]
  /** Headers of the reads of the kit. */
  readonly readHeaders?: Readonly<Record<string, string>>
}

export function createCaller({
  send,
  base,
  credentials,
  credentialHeaders,
  readHeaders = {},
}: Address): Caller {
  const fetch: Caller['fetch'] = async (input, init) => {
    const request = new Request(input instanceof Request ? input : new URL(input, base()), init)
    if (!credentialHeaders.some((name) => request.headers.has(name))) {
      for (const [name, value] of Object.entries(credentials)) request.headers.set(name, value)
    }
    return send(request)
  }
  return {
    fetch,
    async call<Body>(method: string, path: string, body?: unknown, given = {}) {
      const headers = method === 'GET' ? { ...readHeaders, ...given } : given
      const sent = typeof body === 'string' ? body : JSON.stringify(body, refusePromise)
      const response = await fetch(path, {
        method,
        headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
        body: sent ?? null,
      })
      const result = readResponseText(await response.text())
      if (!response.ok) throw refusalOf(`${method} ${path}`, response.status, result)
      return result as Body
    },
  }
}

/** A promise would be sent as an empty object. */
function refusePromise(name: string, value: unknown): unknown {
  if (value instanceof Promise) throw new TypeError(`${name || 'The body'} is a promise. Await it.`)
  return value
}

/** All rows of a paginated list. */
export async function allRows<Item>(
  call: Caller['call'],
  path: string,
  filter: object = {},
): Promise<Item[]> {
  const rows: Item[] = []
  let cursor: string | null | undefined
  do {
    const page = await call<{ data: Item[]; next_cursor: string | null }>(
      'GET',
      withQuery(path, { ...filter, limit: 500, cursor: cursor ?? undefined }),
    )
    append(rows, page.data)
    cursor = page.next_cursor
  } while (cursor !== null)
  return rows
}

/** Waits until the condition is met. After the timeout it throws an error with the nearest match. */
export async function waitFor<Found>(
  call: Caller['call'],
  condition: object,
  options: WaitOptions = {},
): Promise<Found> {
  return call<Found>('POST', '/_petri/wait', { ...condition, ...options })
}

function refusalOf(call: string, status: number, body: unknown): PetriRefusal {
  const error = new Error(`${call} answered ${status}: ${textOf(body)}`)
  return Object.assign(error, { name: 'PetriRefusal', status, body } as const)
}

/** The detail, then the other fields of the error, one line each. */
function textOf(body: unknown): string {
  if (typeof body !== 'object' || body === null) return String(body ?? 'nothing')
  const { detail, ...also } = body as Readonly<Record<string, unknown>>
  const lines = Object.entries(also).map(
    ([name, value]) => `  ${name}:${timelineOf(value) ?? ` ${plain(value)}`}`,
  )
  return [Array.isArray(detail) ? detail.map(issueText).join('\n') : plain(detail), ...lines].join('\n')
}

function plain(value: unknown): string {
  if (typeof value === 'string') return value
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'string')
  return isList ? value.join(', ') || 'nothing' : JSON.stringify(value)
}

/** The timeline, one line each. */
function timelineOf(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  const lines = value.map(
    ({ at, what }: { at?: unknown; what?: unknown }) => at && what && `\n    ${at}  ${what}`,
  )
  return lines.every(Boolean) ? lines.join('') : undefined
}

function issueText(entry: unknown): string {
  const { loc, msg } = entry as { loc?: readonly unknown[]; msg?: string }
  return loc && msg ? `${loc.join('.')}: ${msg}` : plain(entry)
}
