import { parseJson, valueAt } from '../kernel/json.ts'
import { Problem } from '../kernel/problem.ts'
import type { SentBody } from './context.ts'

/** Longer values are not replaced. */
const MAX_LENGTH = 200

/** Replaces the parsed values in a verb's 422 by those that were sent: a date may have been sent as a date-time. */
export function withInputAsSent(error: unknown, sent: SentBody | undefined): unknown {
  if (!(error instanceof Problem) || error.kind !== 'invalid' || !Array.isArray(error.detail)) return error
  const body = sent && !sent.form ? parseJson(sent.text) : undefined
  if (body === undefined) return error
  const detail = error.detail.map((entry: Entry) => {
    const [part, ...path] = entry.loc
    const sent = part === 'body' ? valueAt(body, path) : undefined
    const isShort = typeof sent === 'number' || (typeof sent === 'string' && sent.length <= MAX_LENGTH)
    return isShort ? { ...entry, input: sent } : entry
  })
  return new Problem('invalid', detail, error.extras)
}

interface Entry {
  readonly loc: readonly (string | number)[]
}
