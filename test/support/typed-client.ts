import { expect } from 'vitest'
import * as z from 'zod'
import type { LazySchema } from '../../src/api/schema.ts'

interface Node {
  readonly $ref?: string
  readonly $defs?: Record<string, Node>
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Node[]
  readonly oneOf?: readonly Node[]
  readonly properties?: Record<string, Node>
  readonly required?: readonly string[]
  readonly additionalProperties?: Node | boolean
  readonly items?: Node
}

const documents = new WeakMap<z.ZodType, Node>()

function documentOf(schema: z.ZodType): Node {
  const known = documents.get(schema)
  if (known) return known
  const document = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Node
  documents.set(schema, document)
  return document
}

/** What the generated clients of typed languages parse: full date-times, 32-bit integers unless said, the listed words, every required field. */
const forms: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/,
  date: /^\d{4}-\d\d-\d\d$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
}

const INT32 = 2 ** 31

/** Fails when a client with generated models could not read `value`. */
export function checkTyped(schema: LazySchema, value: unknown, of: string): void {
  const found = problems(schema, value)
  if (found.length > 0) expect(found, of).toEqual([])
}

/** What a client with generated models would stumble on. */
export function problems(schema: LazySchema, value: unknown): string[] {
  const root = documentOf(schema())
  return problemsIn(root, root, value).map(({ path, what }) => `${path.toReversed().join('')}: ${what}`)
}

interface TypeProblem {
  /** Field names and indices, the innermost first. */
  readonly path: string[]
  readonly what: string
}

const NONE: readonly TypeProblem[] = []
const problem = (what: string): readonly TypeProblem[] => [{ path: [], what }]

/** Adds a step to the paths of problems; there are none in most values. */
const under = (step: () => string, found: readonly TypeProblem[]): readonly TypeProblem[] =>
  found.length === 0 ? NONE : found.map(({ path, what }) => ({ path: [...path, step()], what }))

function problemsIn(root: Node, node: Node, value: unknown): readonly TypeProblem[] {
  if (node.$ref !== undefined) {
    const name = node.$ref.replace('#/$defs/', '')
    const target = node.$ref === '#' ? root : root.$defs?.[name]
    return target ? problemsIn(root, target, value) : problem(`no schema ${name}`)
  }
  const branches = node.anyOf ?? node.oneOf
  if (branches) return problemsInAny(root, branches, value)
  if (node.const !== undefined && node.const !== value) return problem(`${value} instead of ${node.const}`)
  if (node.enum && !node.enum.includes(value)) return problem(`${value} is not listed`)
  switch (node.type) {
    case 'null':
      return value === null ? NONE : problem('not null')
    case 'boolean':
    case 'number':
      return typeof value === node.type ? NONE : problem(`no ${node.type}`)
    case 'integer':
      return problemsInInteger(node, value)
    case 'string': {
      if (typeof value !== 'string') return problem('no string')
      const form = forms[node.format ?? '']
      return form && !form.test(value) ? problem(`${value} is no ${node.format}`) : NONE
    }
    case 'array':
      return Array.isArray(value) ? problemsInList(root, node.items ?? {}, value) : problem('no list')
    case 'object':
      return problemsInObject(root, node, value)
    default:
      return NONE
  }
}

function problemsInAny(root: Node, branches: readonly Node[], value: unknown): readonly TypeProblem[] {
  let nearest: readonly TypeProblem[] | undefined
  for (const branch of branches) {
    const found = problemsIn(root, branch, value)
    if (found.length === 0) return NONE
    if (branch.type !== 'null' && (!nearest || found.length < nearest.length)) nearest = found
  }
  return nearest ?? problem('not null')
}

function problemsInList(root: Node, items: Node, list: readonly unknown[]): readonly TypeProblem[] {
  const all: TypeProblem[] = []
  for (const [index, item] of list.entries())
    all.push(...under(() => `[${index}]`, problemsIn(root, items, item)))
  return all
}

function problemsInInteger({ format }: Node, value: unknown): readonly TypeProblem[] {
  if (!Number.isSafeInteger(value)) return problem(`${value} is no integer`)
  const isShort = (value as number) >= -INT32 && (value as number) < INT32
  return isShort || format === 'int64' ? NONE : problem(`${value} does not fit 32 bits`)
}

function problemsInObject(root: Node, node: Node, value: unknown): readonly TypeProblem[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return problem('no object')
  const fields = value as Record<string, unknown>
  const rest = typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined
  const all: TypeProblem[] = []
  for (const name of node.required ?? [])
    if (!(name in fields)) all.push(...under(() => `.${name}`, problem('absent')))
  for (const name of Object.keys(fields)) {
    const child = node.properties?.[name] ?? rest
    if (child) all.push(...under(() => `.${name}`, problemsIn(root, child, fields[name])))
  }
  return all
}
