import type { JsonText } from '../kernel/json.ts'
import type { World } from '../world/world.ts'
import type { Manager } from './credentials.ts'
import type { LazySchema, Parsed } from './schema.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Route = `${Method} /${string}`

/** Passed to an operation with its input. */
export interface RequestContext {
  /** The value of the header `x-petri-scenario`. */
  readonly scenario: string | undefined
  /** The caller, for operations that take a management key. */
  readonly manager?: Manager | undefined
  /** A signal that is aborted when the client disconnects before the response. */
  readonly clientSignal?: () => AbortSignal
}

export interface Input<Params, Query, Headers, Body> {
  readonly params: Parsed<Params>
  readonly query: Parsed<Query>
  readonly headers: Parsed<Headers>
  readonly body: Parsed<Body>
}

/** How coding agents see an operation: as a tool of the MCP server, whose arguments are its parameters and the fields of its body. */
export interface ToolDeclaration {
  readonly name: string
  /** What an agent has to know in addition to the summary. */
  readonly description?: string
  /** The argument that is the whole body, where that is not an object with known fields. */
  readonly bodyArgument?: string
}

/** An answer that is not the usual status, or no JSON: a PDF, a page, a redirect. */
export class CustomResponse<Value = unknown> {
  declare readonly answers: Value
  readonly status: number
  /** JSON to be written, text or bytes, as `contentType` says; undefined for none. */
  readonly body: unknown
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    body: unknown,
    contentType = 'application/json',
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.status = status
    this.body = body
    this.contentType = contentType
    this.headers = headers
  }
}

/** A whole file as the answer. */
export const asFile = (bytes: Uint8Array, contentType: string): CustomResponse<never> =>
  new CustomResponse<never>(200, bytes, contentType)

/** The usual body under another status. */
export const withStatus = <Value>(status: number, value: Value): CustomResponse<Value> =>
  new CustomResponse<Value>(status, value)

type Answer<Returns> =
  | CustomResponse<Parsed<Returns>>
  // biome-ignore lint/suspicious/noConfusingVoidType: what an operation without a body returns is not looked at.
  | (Returns extends undefined ? void : Parsed<Returns> | JsonText<Parsed<Returns>>)

/** One operation of the API: schemas of its input and output, and what it does. Independent of HTTP libraries. */
export interface Operation<
  Params = unknown,
  Query = unknown,
  Headers = unknown,
  Body = unknown,
  Returns = unknown,
> {
  /** Unique; for mirrored operations the name the contract gives it, by which coverage is counted. */
  readonly id: string
  readonly route: Route
  /** Its section of the documentation, where neither the contract has it nor it is Petri's own. */
  readonly tag?: string
  readonly summary: string
  readonly params?: Params
  readonly query?: Query
  /** Header names in lower case. */
  readonly headers?: Headers
  readonly body?: Body
  /** The body may be left out. */
  readonly bodyOptional?: boolean
  /** A JSON body is read as the text that was sent, for messages that name its lines. */
  readonly keepsBodyText?: boolean
  /** Reads a body that is too long to be read whole; what it answers is validated like a body. */
  readonly readBody?: (chunks: AsyncIterable<Uint8Array>, world: World) => Promise<unknown>
  /** Absent: the answer has no body. */
  readonly returns?: Returns
  /** See `successStatus`. */
  readonly status?: 201 | 202
  /** Media type of the answer when it is no JSON, such as `application/pdf`; `run` then answers `asFile(…)`. */
  readonly produces?: string
  /** The body is `multipart/form-data`; files reach `run` as `File`, a repeated field as a list. */
  readonly takesForm?: boolean
  /** The longest body taken, in bytes, where it is not the usual one. */
  readonly maxBodyBytes?: number
  /** Other documented success bodies or errors, by status. */
  readonly alsoReturns?: Readonly<Record<number, LazySchema>>
  /** Repeats the first answer when called again with the same `x-idempotency-key`, for so many milliseconds. */
  readonly repeatableFor?: number
  /**
   * Whose credentials it takes: a world's key (the default), a link token or that key, a management key (and then the
   * world is that of the team in its path, if any), the control token, or nobody's.
   */
  readonly access?: 'world' | 'link_token' | 'management' | 'control' | 'open'
  /** What must be loaded first: the scenarios, because it may move orders, or those of feeds. */
  readonly needs?: 'scenarios' | 'feedScenarios'
  /** Resolves once what it looks up is indexed; undefined when it is. */
  readonly indexed?: (world: World, input: Input<Params, Query, Headers, Body>) => Promise<void> | undefined
  /** It is a tool for coding agents too. */
  readonly tool?: ToolDeclaration
  /** Deprecated by the service, and still served. */
  readonly deprecated?: boolean
  /** The day on which the service has announced to stop serving it, `YYYY-MM-DD`. Source: contract/recorded.md §7. */
  readonly endsOn?: string
  run(
    world: World,
    input: Input<Params, Query, Headers, Body>,
    context: RequestContext,
  ): Answer<Returns> | Promise<Answer<Returns>>
}

// biome-ignore lint/suspicious/noExplicitAny: a list of operations forgets their particular types.
export type AnyOperation = Operation<any, any, any, any, any>

/** HTTP status of success: unless said, 200 for an answer with a body and 204 for one without. */
export const successStatus = ({ status, returns, produces }: AnyOperation): number =>
  status ?? (returns || produces ? 200 : 204)

/** Declares an operation, so that `run` is typed by its schemas. */
export const operation = <
  Params extends LazySchema | undefined = undefined,
  Query extends LazySchema | undefined = undefined,
  Headers extends LazySchema | undefined = undefined,
  Body extends LazySchema | undefined = undefined,
  Returns extends LazySchema | undefined = undefined,
>(
  declaration: Operation<Params, Query, Headers, Body, Returns>,
): Operation<Params, Query, Headers, Body, Returns> => declaration
