import * as z from 'zod'
import { feature } from '../api/features.ts'
import { valueError } from '../api/issue.ts'
import { jsonLimits } from '../api/limits.ts'
import { type AnyOperation, type Input, isMirrored } from '../api/operation.ts'
import { bare, type LazySchema } from '../api/schema.ts'
import { parseJson, valueAt } from '../kernel/json.ts'
import { JsonLimitError, JsonScanner } from '../kernel/json-scanner.ts'
import { didYouMean } from '../kernel/nearest.ts'
import { liveFailure, Problem } from '../kernel/problem.ts'
import { Slices } from '../kernel/slices.ts'
import { type AppContext, queryStringOf, type SentBody } from './context.ts'
import { exceededJson, invalidJsonIssue } from './problems.ts'
import { Validation, type Entry as ValidationEntry } from './validation.ts'

export type AnyInput = Input<LazySchema, LazySchema, LazySchema, LazySchema>

/** Validates all parts of a request; one error lists everything that is invalid. */
export async function validateInput(operation: AnyOperation, c: AppContext): Promise<AnyInput> {
  const validation = new Validation()
  const isOwn = !isMirrored(operation)
  if (isOwn) refuseUnknownParameters(validation, operation, queryStringOf(c))
  const input = {
    params: operation.params && validation.read('path', operation.params(), c.req.param()),
    query: operation.query && readQuery(validation, operation.query(), queryStringOf(c)),
    headers: operation.headers && readHeaders(validation, operation.headers(), c),
    body:
      operation.body && (await readBody(validation, operation, c.get('sent'), c.req.header('content-type'))),
  }
  if (validation.hasErrors && failsLive(operation, c)) throw liveFailure()
  validation.throwIfAny(isOwn ? (entry) => inOwnWords(entry, c.req.header('content-type')) : undefined)
  return input as AnyInput
}

/** Whether the live service fails on such a body, and the world does as it does. */
function failsLive({ failsLiveOn }: AnyOperation, c: AppContext): boolean {
  const world = c.get('world')
  if (!failsLiveOn || !world || feature(world, 'contract_form') !== 'live') return false
  return failsLiveOn(parseJson(c.get('sent').text))
}

/** The control API refuses unknown parameters; the service ignores them. */
function refuseUnknownParameters(validation: Validation, operation: AnyOperation, queryString: string): void {
  if (queryString === '') return
  const known = operation.query ? Object.keys((operation.query() as z.ZodObject).shape) : []
  for (const [name, input] of new URLSearchParams(queryString)) {
    if (known.includes(name)) continue
    const msg = `Extra inputs are not permitted.${didYouMean(name, known)}`
    validation.add({ type: 'extra_forbidden', loc: ['query', name], msg, input })
  }
}

/** Replaces messages of the service that would be riddles to a user of the control API. */
function inOwnWords(entry: ValidationEntry, contentType = ''): ValidationEntry {
  const { type, loc, input } = entry
  if (type === 'uuid_parsing') {
    const noun = String(loc.at(-1)).replace(/_id$/, '').replaceAll('_', ' ')
    const hint = noun === 'order' ? ' List ids with `npx petri-sandbox order list`.' : ''
    const text = `"${input}" is not ${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun} id.${hint}`
    return { ...entry, ...valueError(text) }
  }
  if (loc.length > 1 || loc[0] !== 'body' || typeof input !== 'string' || isJson(contentType)) return entry
  const text = `this call takes JSON, and the content type is ${contentType}. Send the header "content-type: application/json".`
  return { ...entry, ...valueError(text) }
}

/** What the headers of a refused body have to do with it; undefined if they are right. */
export function whyNotRead({ body, takesForm, takesGzip }: AnyOperation, c: AppContext): string | undefined {
  if (!body || takesForm) return undefined
  const encoding = c.req.header('content-encoding')
  if (encoding !== undefined && !takesGzip)
    return 'this call takes no compressed body: send it without content-encoding'
  if (isJson(c.req.header('content-type'))) return undefined
  return 'this call takes JSON: send the header "content-type: application/json"'
}

const isJson = (contentType: string | undefined) =>
  !contentType || /^application\/(.+\+)?json\b/i.test(contentType)

function readQuery(validation: Validation, schema: z.ZodType, queryString: string): unknown {
  const given = new URLSearchParams(queryString)
  const values: Record<string, string | string[]> = {}
  for (const [name, field] of Object.entries((schema as z.ZodObject).shape)) {
    const all = given.getAll(name).filter((value) => value !== '' || takesEmpty(field as z.ZodType))
    const last = all.at(-1)
    if (last !== undefined) values[name] = bare(field) instanceof z.ZodArray ? all : last
  }
  return validation.read('query', schema, values)
}

/** An optional parameter without a value counts as absent, unless OpenAPI's `allowEmptyValue` is set for it. */
function takesEmpty(field: z.ZodType): boolean {
  const { allowEmptyValue } = (field.meta()?.param ?? {}) as { readonly allowEmptyValue?: boolean }
  return allowEmptyValue === true || !field.safeParse(undefined).success
}

function readHeaders(validation: Validation, schema: z.ZodType, c: AppContext): unknown {
  const values: Record<string, string> = {}
  for (const name of Object.keys((schema as z.ZodObject).shape)) {
    const value = c.req.header(name)
    if (value !== undefined) values[name] = value
  }
  return validation.read('header', schema, values)
}

/** The length from which other requests get a turn between the steps of a body's validation, in characters. */
const LONG_BODY = 128 * 1024

async function readBody(
  validation: Validation,
  { body, bodyOptional, keepsBodyText }: AnyOperation,
  { text: bodyText, form, read }: SentBody,
  contentType: string | undefined,
): Promise<unknown> {
  if (read?.value !== undefined) return validation.parse('body', body(), read.value)
  if (form) return validation.read('body', body(), form)
  if (bodyText === '') {
    if (bodyOptional) return undefined
    validation.add({ type: 'missing', loc: ['body'], msg: 'Field required', input: null })
    return undefined
  }
  const isLong = bodyText.length > LONG_BODY
  if (isJson(contentType)) assertWithinJsonLimits(bodyText)
  if (isLong) await nextTurn()
  const parsed = isJson(contentType) ? readJson(validation, bodyText) : { value: bodyText }
  if (parsed === undefined) return undefined
  if (parsed.value === null && bodyOptional) return undefined
  const value = keepsBodyText && typeof parsed.value === 'object' ? bodyText : parsed.value
  if (isLong) await nextTurn()
  if (!keepsBodyText && !validation.isWithinLimits('body', value)) return undefined
  if (isLong) await nextTurn()
  return validation.parse('body', body(), value)
}

const nextTurn = () => new Slices().next()

function readJson(validation: Validation, text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    const position = /position (\d+)/.exec(String(error))?.[1]
    const at =
      position === undefined && /end of JSON/.test(String(error)) ? text.length : Number(position ?? 0)
    validation.add(invalidJsonIssue(at))
    return undefined
  }
}

function assertWithinJsonLimits(text: string): void {
  // Shorter texts exceed none.
  if (text.length <= jsonLimits.depth) return
  const start = text.search(/\S/)
  try {
    new JsonScanner(jsonLimits).lengthIn(text, start)
  } catch (error) {
    throw error instanceof JsonLimitError ? exceededJson(error, start + error.at) : error
  }
}

/** Longer values are not replaced. */
const MAX_LENGTH = 200

/** Replaces parsed values in an operation's 422 by the received ones: a date may have been sent as a date-time. */
export function withInputAsSent(error: unknown, sent: SentBody | undefined): unknown {
  if (!(error instanceof Problem) || error.kind !== 'invalid' || !Array.isArray(error.detail)) return error
  if (error.extras.showsRead) return error
  const body = sent && !sent.form ? parseJson(sent.text) : undefined
  if (body === undefined) return error
  const detail = error.detail.map((entry: Entry) => {
    const [part, ...path] = entry.loc
    const input = part === 'body' ? valueAt(body, path) : undefined
    const isShort = typeof input === 'number' || (typeof input === 'string' && input.length <= MAX_LENGTH)
    return isShort ? { ...entry, input } : entry
  })
  return new Problem('invalid', detail, error.extras)
}

interface Entry {
  readonly loc: readonly (string | number)[]
}
