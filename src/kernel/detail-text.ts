import { asText, isObject, type JsonObject } from './json.ts'

/** The `detail` of an error as text: one line for each problem, with its location. */
export const detailText = (detail: unknown): string => detailLines(detail).join('\n')

export function detailLines(detail: unknown): readonly string[] {
  if (Array.isArray(detail)) return detail.map(entryText)
  const { error_message: message } = (detail ?? {}) as { readonly error_message?: unknown }
  return [typeof message === 'string' ? message : asText(detail)]
}

/** An entry of a 422. Another service may send anything in its place. */
function entryText(entry: unknown): string {
  const { loc, msg, ctx }: JsonObject = isObject(entry) ? entry : { msg: entry }
  const path = Array.isArray(loc) ? loc.slice(1).join('.') : ''
  const where = isObject(ctx) && ctx.line !== undefined ? `${ctx.file}:${ctx.line}` : path
  const text = messageOfEntry(asText(msg ?? entry))
  return where ? `${where}: ${text}` : text
}

/** The message of an entry without the prefix of those that a validator wrote. */
export const messageOfEntry = (msg: string): string => msg.replace(/^Value error, /, '')
