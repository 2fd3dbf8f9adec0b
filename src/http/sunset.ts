import * as z from 'zod'
import { feature } from '../api/features.ts'
import type { AnyOperation } from '../api/operation.ts'
import type { Reply } from '../api/reply.ts'
import { memberOf } from '../api/schema.ts'
import { SECOND_MS } from '../kernel/instant.ts'
import { writeJson } from '../kernel/json.ts'
import type { World } from '../world/world.ts'

/** The announced removal of parameters and fields that the contract marks as deprecated. Source: docs/contract/errors.md. */
const DEPRECATED_FIELDS_END = '2026-09-14'

/** The effect of the feature `sunset` on a call: none, headers, or a rejection. */
export interface Sunset {
  readonly mode: 'ignore' | 'warn' | 'enforce'
  /** Headers of a call that uses something with an announced end. Source: RFC 9745, RFC 8594. */
  readonly headers?: Readonly<Record<string, string>>
  /** The reply to a call that uses something that has ended. */
  readonly refusal?: Reply
}

/** Determines whether a call uses a deprecated operation or parameter with an announced end. */
export function sunsetOf(world: World, operation: AnyOperation, queryString: string): Sunset {
  const mode = feature(world, 'sunset')
  if (mode === 'ignore') return IGNORED
  const parameter = deprecatedParameter(operation, queryString)
  const endsOn = operation.endsOn ?? (parameter && DEPRECATED_FIELDS_END)
  if (endsOn === undefined) return { mode }
  const end = new Date(endsOn)
  const headers = { deprecation: `@${end.getTime() / SECOND_MS}`, sunset: end.toUTCString() }
  if (mode === 'warn') return { mode, headers }
  const detail = `This ${operation.endsOn ? 'operation' : `parameter, ${parameter},`} ended on ${endsOn}.`
  return { mode, refusal: { status: 410, body: writeJson({ detail }), headers } }
}

const IGNORED: Sunset = { mode: 'ignore' }

/** Adds the sunset headers, and removes deprecated fields if the end is enforced. */
export async function withSunset(sunset: Sunset, operation: AnyOperation, reply: Reply): Promise<Reply> {
  if (sunset.headers) return { ...reply, headers: { ...reply.headers, ...sunset.headers } }
  return sunset.mode === 'enforce' ? withoutDeprecatedFields(operation, reply) : reply
}

function deprecatedParameter({ query }: AnyOperation, queryString: string): string | undefined {
  if (!query || queryString === '') return undefined
  const { shape } = query() as z.ZodObject
  return [...new URLSearchParams(queryString).keys()].find((name) => isDeprecated(shape[name]))
}

const isDeprecated = (field: unknown): boolean =>
  field instanceof z.ZodType && field.meta()?.deprecated === true

/** Removes the deprecated fields that the contract does not require. */
async function withoutDeprecatedFields(operation: AnyOperation, reply: Reply): Promise<Reply> {
  const { status, body, contentType = 'application/json' } = reply
  if (status >= 300 || body === null || !operation.returns || contentType !== 'application/json') return reply
  const value: unknown = JSON.parse(
    await new Response(body as ConstructorParameters<typeof Response>[0]).text(),
  )
  return { ...reply, body: JSON.stringify(without(operation.returns(), value)) }
}

function without(schema: unknown, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => without(memberOf(schema, ''), item))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, inner]) => ({ name, inner, of: memberOf(schema, name) }))
  const kept = fields.filter(({ of }) => !isLeftOut(of))
  return Object.fromEntries(kept.map(({ name, inner, of }) => [name, without(of, inner)]))
}

const isLeftOut = (field: unknown): boolean => isDeprecated(field) && (field as z.ZodType).isOptional()
