import { readFileSync } from 'node:fs'
import { statusDetails } from '../../src/resources/orders/lifecycle.ts'

/** What a generated client makes of a value: the name of a model, or its shape. Absent where anything will do. */
type Node =
  | string
  | { readonly enum: readonly unknown[] }
  | { readonly list: Node }
  | { readonly map: Node }
  | { readonly any: readonly Node[] }
  | { readonly required?: readonly string[]; readonly fields?: Readonly<Record<string, Node>> }

interface Published {
  /** The body of a success, by operation. */
  readonly operations: Readonly<Record<string, Node>>
  /** The whole message, by event type. */
  readonly events: Readonly<Record<string, Node>>
  readonly models: Readonly<Record<string, Node>>
}

/**
 * The values of enums and the required keys in the published models, from which the official clients for Java, Go and
 * Python are generated. The Java client closes every enum.
 */
const published = JSON.parse(
  readFileSync(new URL('../contract/published-models.json', import.meta.url), 'utf8'),
) as Published

export const publishedEvents = Object.keys(published.events)

/** What a client with closed enums would stumble on in the reply of an operation. */
export const problemsInReply = (operationId: string, body: unknown): string[] =>
  problemsIn(published.operations[operationId], body, '')

/** What it would stumble on in a message of this event type. */
export const problemsInEvent = (type: string, message: unknown): string[] =>
  problemsIn(published.events[type], message, '')

/** Values that the published models lack: of the specification, which clients with closed enums do not get, and of the clients 2.0 and 3.0. */
const unpublished: readonly string[] = [
  'received.testkit.testkit_registered',
  'pending_review',
  'pending_customer_review:in_progress',
  'upfront_payment',
  ...statusDetails,
]

/** Whether a problem is one of a value that only clients with open enums get. */
export const isExpected = (problem: string): boolean =>
  unpublished.some((value) => problem.endsWith(`: ${value} is not published`))

function problemsIn(node: Node | undefined, value: unknown, path: string): string[] {
  if (node === undefined || value === null) return []
  if (typeof node === 'string') return problemsIn(published.models[node], value, path)
  if ('enum' in node) return node.enum.includes(value) ? [] : [`${path}: ${value} is not published`]
  if ('any' in node) {
    const found = node.any.map((each) => problemsIn(each, value, path))
    return found.find(({ length }) => length === 0) ?? found[0] ?? []
  }
  if ('list' in node) {
    return Array.isArray(value)
      ? value.flatMap((item, at) => problemsIn(node.list, item, `${path}[${at}]`))
      : []
  }
  if (typeof value !== 'object') return []
  const fields = value as Record<string, unknown>
  if ('map' in node)
    return Object.keys(fields).flatMap((key) => problemsIn(node.map, fields[key], `${path}.${key}`))
  return [
    ...(node.required ?? []).filter((key) => !(key in fields)).map((key) => `${path}.${key} is absent`),
    ...Object.keys(node.fields ?? {}).flatMap((key) =>
      problemsIn(node.fields?.[key], fields[key] ?? null, `${path}.${key}`),
    ),
  ]
}
