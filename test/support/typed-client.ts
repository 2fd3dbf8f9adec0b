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

const documents = new WeakMap<LazySchema, Node>()

function documentOf(schema: LazySchema): Node {
  const known = documents.get(schema)
  if (known) return known
  const document = z.toJSONSchema(schema(), { io: 'output', unrepresentable: 'any' }) as Node
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
  expect(problems(schema, value), of).toEqual([])
}

/** What a client with generated models would stumble on. */
export function problems(schema: LazySchema, value: unknown): string[] {
  const root = documentOf(schema)
  return problemsAt(root, root, value, '')
}

function problemsAt(root: Node, node: Node, value: unknown, at: string): string[] {
  if (node.$ref !== undefined) {
    const name = node.$ref.replace('#/$defs/', '')
    const target = node.$ref === '#' ? root : root.$defs?.[name]
    return target ? problemsAt(root, target, value, at) : [`${at}: no schema ${name}`]
  }
  const branches = node.anyOf ?? node.oneOf
  if (branches) {
    const found = branches.map((branch) => problemsAt(root, branch, value, at))
    if (found.some((each) => each.length === 0)) return []
    const nearest = found.filter((_, index) => branches[index]?.type !== 'null')
    return nearest.toSorted((one, other) => one.length - other.length)[0] ?? [`${at}: not null`]
  }
  if (node.const !== undefined && node.const !== value) return [`${at}: ${value} instead of ${node.const}`]
  if (node.enum && !node.enum.includes(value)) return [`${at}: ${value} is not listed`]
  switch (node.type) {
    case 'null':
      return value === null ? [] : [`${at}: not null`]
    case 'boolean':
    case 'number':
      return typeof value === node.type ? [] : [`${at}: no ${node.type}`]
    case 'integer':
      return integerProblems(node, value, at)
    case 'string': {
      if (typeof value !== 'string') return [`${at}: no string`]
      const form = forms[node.format ?? '']
      return form && !form.test(value) ? [`${at}: ${value} is no ${node.format}`] : []
    }
    case 'array':
      if (!Array.isArray(value)) return [`${at}: no list`]
      return value.flatMap((item, index) => problemsAt(root, node.items ?? {}, item, `${at}[${index}]`))
    case 'object':
      return objectProblems(root, node, value, at)
    default:
      return []
  }
}

function integerProblems({ format }: Node, value: unknown, at: string): string[] {
  if (!Number.isSafeInteger(value)) return [`${at}: ${value} is no integer`]
  const isShort = (value as number) >= -INT32 && (value as number) < INT32
  return isShort || format === 'int64' ? [] : [`${at}: ${value} does not fit 32 bits`]
}

function objectProblems(root: Node, node: Node, value: unknown, at: string): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at}: no object`]
  const fields = value as Record<string, unknown>
  const absent = (node.required ?? []).filter((name) => !(name in fields))
  const rest = typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined
  return [
    ...absent.map((name) => `${at}.${name}: absent`),
    ...Object.entries(fields).flatMap(([name, field]) => {
      const child = node.properties?.[name] ?? rest
      return child ? problemsAt(root, child, field, `${at}.${name}`) : []
    }),
  ]
}
