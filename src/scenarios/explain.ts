import type { z } from 'zod'
import { valueAt } from '../kernel/json.ts'
import { didYouMean } from '../kernel/nearest.ts'

/** What is wrong with a part of a file. */
interface Explanation {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** The most mistakes that are reported at once. */
export const MAX_LISTED = 50

/** All field names of a file with an order scenario. */
export const scenarioWords: readonly string[] = [
  'name',
  'summary',
  'method',
  'match',
  'zip',
  'steps',
  'after',
  'status',
  'status_detail',
  'only',
  'await',
  'appointment',
  'shipment',
  'results',
  'interpretation',
  'missing',
  'types',
  'outbound_courier',
  'inbound_courier',
  'outbound_tracking_number',
  'inbound_tracking_number',
  'notes',
  'webhooks',
  'duplicate',
  'reorder',
  'delay',
  'drop_first',
  'bad_signature',
  'stale_timestamp',
  'burst',
  'faults',
  'operation',
  'times',
  'rate',
  'respond',
  'latency',
  'drop',
]

/** An issue of zod in words, with the value and the nearest word. */
export function explain(
  issue: z.core.$ZodIssue,
  file: unknown,
  knownWords: readonly string[],
  above: readonly PropertyKey[] = [],
): Explanation[] {
  const path = [...above, ...issue.path]
  const field = String(path.at(-1) ?? 'the file')
  const value = valueAt(file, path)
  const shown = inWords(value)
  const actual = shown === undefined ? '' : `; it is ${shown}`
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.slice(0, MAX_LISTED).map((key) => ({
        path: [...path, key],
        message: `"${key}" is not known here.${didYouMean(key, knownWords)}`,
      }))
    case 'invalid_union':
      return nearestOf(issue.errors, valueAt.bind(undefined, value)).flatMap((inner) =>
        explain(inner, file, knownWords, path),
      )
    case 'invalid_value': {
      const hint = typeof value === 'string' ? didYouMean(value, issue.values.map(String)) : ''
      const message = `${field} must be one of ${issue.values.join(', ')}${actual}`
      return [{ path, message: hint ? `${message}.${hint}` : message }]
    }
    case 'invalid_type':
      return [{ path, message: `${field} must be ${issue.expected}${actual}` }]
    case 'too_big':
    case 'too_small':
      return [{ path, message: `${field} ${issue.message}${actual}` }]
    default:
      return [{ path, message: `${field} ${withValue(issue.message, shown)}` }]
  }
}

/** A message of a schema, with the value where the message does not say it. */
function withValue(message: string, shown: string | undefined): string {
  if (shown === undefined || message.includes(shown)) return message
  if (message.startsWith('must ')) return `${message}; it is ${shown}`
  return message.startsWith('is ') ? `${shown} ${message}` : message
}

/** The issues of the alternative that was meant: the one with the fewest fields too many or missing. */
function nearestOf(
  alternatives: readonly z.core.$ZodIssue[][],
  valueIn: (path: readonly PropertyKey[]) => unknown,
): readonly z.core.$ZodIssue[] {
  const misfit = (issues: readonly z.core.$ZodIssue[]) =>
    issues.reduce((sum, issue) => {
      if (issue.code === 'unrecognized_keys') return sum + issue.keys.length
      return sum + (valueIn(issue.path) === undefined ? 1 : 0)
    }, 0)
  return [...alternatives].sort((a, b) => misfit(a) - misfit(b) || a.length - b.length)[0] ?? []
}

/** The longest value that is repeated, in characters. */
const MAX_SHOWN = 80

/** A text, a number or the like as it is written; undefined for a list or an object. */
function inWords(value: unknown): string | undefined {
  if (value === undefined || (typeof value === 'object' && value !== null)) return undefined
  const text = String(JSON.stringify(value))
  return text.length > MAX_SHOWN ? undefined : text
}
