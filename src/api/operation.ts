import * as z from 'zod'
import type { JsonText } from '../kernel/json.ts'
import type { Problem } from '../kernel/problem.ts'
import type { LoadedService } from '../world/services.ts'
import type { World } from '../world/world.ts'
import type { Manager } from './credentials.ts'
import { uuid } from './fields.ts'
import { type LazySchema, type Parsed, unnamed } from './schema.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Route = `${Method} /${string}`

/** Passed to an operation with its input. */
export interface RequestContext {
  /** The value of the header `x-petri-scenario`. */
  readonly scenario: string | undefined
  /** The value of the header `x-petri-persona`. */
  readonly persona: string | undefined
  /** The caller, for operations that take a management key. */
  readonly manager?: Manager | undefined
  /** Whether an operation with `takesAllWorlds` is called for all worlds, and so without a world. */
  readonly isForAllWorlds?: boolean
  /** The user to whose data the caller is limited, for a call with the access token of a mobile app. */
  readonly userId?: string | undefined
  /** The caller's address; undefined for a call made in this process. */
  readonly caller: () => string | undefined
  /** A signal that is aborted when the client disconnects before the response. */
  readonly clientSignal: () => AbortSignal
}

export interface Input<Params, Query, Headers, Body> {
  readonly params: Parsed<Params>
  readonly query: Parsed<Query>
  readonly headers: Parsed<Headers>
  readonly body: Parsed<Body>
}

/** An operation as a tool of the MCP server; the arguments are its parameters and the fields of its body. */
export interface ToolDeclaration {
  readonly name: string
  /** Information for the agent in addition to the summary. */
  readonly description?: string
  /** The argument that is the whole body, if the body is not an object with known fields. */
  readonly bodyArgument?: string
  /** Defaults of the tool that differ from those of the operation, such as shorter pages. */
  readonly defaults?: Readonly<Record<string, string | number>>
}

/** A response with another status or media type: a PDF, a page, a redirect. */
export class CustomResponse<Value = unknown> {
  declare readonly answers: Value
  readonly status: number
  /** Serialised according to `contentType`; undefined for no body. */
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

/** A file as the response. */
export const asFile = (bytes: Uint8Array, contentType: string): CustomResponse<never> =>
  new CustomResponse<never>(200, bytes, contentType)

/** The usual body with another status. */
export const withStatus = <Value>(status: number, value: Value): CustomResponse<Value> =>
  new CustomResponse<Value>(status, value)

type Answer<Returns> =
  | CustomResponse<Parsed<Returns>>
  // biome-ignore lint/suspicious/noConfusingVoidType: what an operation without a body returns is not looked at.
  | (Returns extends undefined ? void : Parsed<Returns> | JsonText<Parsed<Returns>>)

/** An operation of the API: its schemas and its handler. Independent of HTTP libraries. */
export interface Operation<
  Params = unknown,
  Query = unknown,
  Headers = unknown,
  Body = unknown,
  Returns = unknown,
> {
  /** Unique; for mirrored operations the name in the contract, by which coverage is counted. */
  readonly id: string
  readonly route: Route
  /** Its section of the documentation, if neither the contract nor `/_petri` determines it. */
  readonly tag?: string
  readonly summary: string
  /** What Petri assumes where the contract is silent, in sentences; `SUPPORTED.md` lists it. */
  readonly assumes?: readonly string[]
  /** By default, the ids in its path. */
  readonly params?: Params
  readonly query?: Query
  /** Header names in lower case. */
  readonly headers?: Headers
  readonly body?: Body
  /** Whether it only reads although it is a POST, as a check does. */
  readonly onlyReads?: boolean
  /** Whether the body may be omitted. */
  readonly bodyOptional?: boolean
  /** Whether a JSON body is passed as the received text, for messages that name its lines. */
  readonly keepsBodyText?: boolean
  /** Reads a body that is too long to be held in memory; its result is validated like a body. */
  readonly readBody?: (chunks: AsyncIterable<Uint8Array>, world: World) => Promise<unknown>
  /** Whether the live service fails with a plain 500 on an invalid body; so does Petri where `contract_form` is `live`. */
  readonly failsLiveOn?: (body: unknown) => boolean
  /** Converts an error about the body, for a protocol whose errors have their own form. */
  readonly bodyError?: (problem: Problem) => Problem
  /** Absent for a response without a body. */
  readonly returns?: Returns
  /** See `successStatus`. */
  readonly status?: 201 | 202
  /** The media type of a response that is not JSON, such as `application/pdf`; `run` then returns `asFile(…)`. */
  readonly produces?: string
  /** Whether the body is `multipart/form-data`; `run` gets files as `File`, and a repeated field as a list. */
  readonly takesForm?: boolean
  /** The maximum size of the body in bytes, if it is not the default. */
  readonly maxBodyBytes?: number
  /** Whether the body may be compressed with gzip. */
  readonly takesGzip?: boolean
  /** Other documented success bodies or errors, by status. */
  readonly alsoReturns?: Readonly<Record<number, LazySchema>>
  /** Milliseconds for which a call with the same `x-idempotency-key` gets the first response again. */
  readonly repeatableFor?: number
  /**
   * The credentials it requires: a world's key (the default), a link token or that key, a management key, the control
   * token, a sign-in token, refresh token or link code in its form or query (`grant`), or none. With a management key,
   * the world is that of the team in the path, if any.
   */
  readonly access?: 'world' | 'link_token' | 'management' | 'control' | 'grant' | 'open'
  /** Whether its query may have `all_worlds`, with which it needs the control token in place of the key of a world. */
  readonly takesAllWorlds?: boolean
  /** Whether it follows the header `x-petri-scenario`, which other operations of `/_petri` refuse. */
  readonly takesScenario?: boolean
  /** Whether the access token of a mobile app opens it too, for the data of its own user. */
  readonly takesUserToken?: boolean
  /** What is loaded first: the scenarios of orders, those of connections, or personas. */
  readonly needs?: LoadedService
  /** Resolves once the rows it searches are indexed; undefined when they are. */
  readonly indexed?: (world: World, input: Input<Params, Query, Headers, Body>) => Promise<void> | undefined
  /** Declares it as a tool for coding agents. */
  readonly tool?: ToolDeclaration
  /** Whether the service has deprecated it. */
  readonly deprecated?: boolean
  /** The announced day of its removal, `YYYY-MM-DD`. Source: docs/contract/errors.md. */
  readonly endsOn?: string
  run(
    world: World,
    input: Input<Params, Query, Headers, Body>,
    context: RequestContext,
  ): Answer<Returns> | Promise<Answer<Returns>>
}

// biome-ignore lint/suspicious/noExplicitAny: a list of operations forgets their particular types.
export type AnyOperation = Operation<any, any, any, any, any>

/** The HTTP status of success; by default 200 with a body and 204 without. */
export const successStatus = ({ status, returns, produces }: AnyOperation): number =>
  status ?? (returns || produces ? 200 : 204)

/** Whether an operation is part of the mirrored service, not of the control API. */
export const isMirrored = (operation: AnyOperation): boolean => !operation.route.includes(' /_petri/')

/** The parameters of paths that are UUIDs in every route. A route with others declares its `params`. */
const idsInPaths = [
  'order_id',
  'user_id',
  'device_id',
  'lab_test_id',
  'transaction_id',
  'job_id',
  'team_id',
  'quote_id',
  'checkout_session_id',
  'raw_result_id',
  'run_id',
  'workout_id',
  'sleep_id',
] as const

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

/** The schema of a path whose parameters are all of `idsInPaths`; undefined for other paths. */
type IdsIn<Path extends Route> = [NamesIn<Path>] extends [never]
  ? undefined
  : NamesIn<Path> extends (typeof idsInPaths)[number]
    ? LazySchema<z.ZodType<{ [Name in NamesIn<Path>]: string }>>
    : undefined

function idsIn(route: Route): LazySchema | undefined {
  const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const known: readonly string[] = idsInPaths
  if (names.length === 0 || !names.every((name) => known.includes(name))) return undefined
  return unnamed(() => z.object(Object.fromEntries(names.map((name) => [name, uuid()]))))
}

/** Declares an operation; the type of `run` follows from its route and its schemas. */
export const operation = <
  const Path extends Route,
  Params extends LazySchema | undefined = IdsIn<Path>,
  Query extends LazySchema | undefined = undefined,
  Headers extends LazySchema | undefined = undefined,
  Body extends LazySchema | undefined = undefined,
  Returns extends LazySchema | undefined = undefined,
>(
  declaration: Operation<Params, Query, Headers, Body, Returns> & { readonly route: Path },
): Operation<Params, Query, Headers, Body, Returns> => {
  const params = declaration.params ?? idsIn(declaration.route)
  return params ? { ...declaration, params: params as Params & LazySchema } : declaration
}
