import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { newestOperations } from '../../scripts/contract-operations.ts'
import { startTestWorld } from '../support/petri.ts'

// What the official clients 2.0 and 3.0 send and read beyond contract 0.4.687. In `newest.json` a field has its types
// or enum values, and `!` where it is required, or always sent. Source: docs/contract/README.md.

type Node = Readonly<Record<string, unknown>>
type Fields = Readonly<Record<string, string>>

interface Operation {
  readonly headers?: readonly string[]
  readonly query?: readonly string[]
  readonly body?: Fields
  readonly reply: Fields | string
}

interface Contract {
  readonly operations: Readonly<Record<string, Operation>>
  /** The name of the type of their data. */
  readonly events: Readonly<Record<string, string>>
  readonly types: Readonly<Record<string, Fields>>
}

interface Field {
  readonly words: Set<string>
  isRequired: boolean
}

let contract: Contract
let document: Node
beforeAll(async () => {
  contract = JSON.parse(await readFile(new URL('newest.json', import.meta.url), 'utf8'))
  const petri = await startTestWorld()
  document = await petri.read('/openapi.json')
  await petri.close()
})

const at = (node: unknown, ...keys: string[]): unknown =>
  keys.reduce((value, key) => (value as Node | undefined)?.[key], node)

/** Every field of a schema by its path, with its types and enum values. */
function fieldsOf(schema: unknown): Map<string, Field> {
  const found = new Map<string, Field>()
  const visit = (given: unknown, path: string, isRequired: boolean): void => {
    const ref = at(given, '$ref') as string | undefined
    const node = (ref ? at(document, ...ref.slice(2).split('/')) : given) as Node | undefined
    if (!node) return
    const field = found.get(path) ?? { words: new Set(), isRequired }
    found.set(path, field)
    field.isRequired &&= isRequired
    for (const word of [node.type ?? [], node.enum ?? [], 'const' in node ? node.const : []].flat())
      field.words.add(String(word))
    for (const branch of [node.anyOf, node.oneOf, node.allOf].flatMap((each) => (each as Node[]) ?? []))
      visit(branch, path, isRequired)
    const required = (node.required ?? []) as string[]
    for (const [name, child] of Object.entries((node.properties ?? {}) as Node))
      visit(child, path === '' ? name : `${path}.${name}`, required.includes(name))
    if (node.items) visit(node.items, `${path}[]`, true)
    if (typeof node.additionalProperties === 'object') visit(node.additionalProperties, `${path}.*`, true)
  }
  visit(schema, '', true)
  return found
}

const namedOrOwn = (fields: Fields | string): Fields =>
  typeof fields === 'string' ? (contract.types[fields] as Fields) : fields

/** The fields that a schema lacks, or has otherwise. */
function differences(schema: unknown, wanted: Fields | string): string[] {
  const found = fieldsOf(schema)
  return Object.entries(namedOrOwn(wanted)).flatMap(([path, told]) => {
    const field = found.get(path)
    if (!field) return [`${path} is missing`]
    const lacks = told
      .replace('!', '')
      .split('|')
      .filter((word) => !field.words.has(word))
      .map((word) => `${path} lacks ${word}`)
    return told.endsWith('!') && !field.isRequired ? [...lacks, `${path} is optional`] : lacks
  })
}

const operationAt = (route: string): Node => {
  const [method = '', path = ''] = route.split(' ')
  return at(document, 'paths', path, method.toLowerCase()) as Node
}
const schemaIn = (content: unknown) => at(content, 'content', 'application/json', 'schema')

describe('the newest clients', () => {
  it('find every operation they call', () => {
    const routes = newestOperations.map(([, route]) => route)
    expect(routes).toHaveLength(13)
    expect(routes.filter((route) => !operationAt(route))).toEqual([])
    expect(routes.filter((route) => !contract.operations[route])).toEqual([])
  })

  it('find what they send and read in each', () => {
    for (const [route, { headers = [], query = [], body = {}, reply }] of Object.entries(
      contract.operations,
    )) {
      const operation = operationAt(route)
      const parameters = (operation.parameters ?? []) as { in: string; name: string }[]
      const names = parameters.map((parameter) => `${parameter.in} ${parameter.name.toLowerCase()}`)
      const wanted = [...headers.map((name) => `header ${name}`), ...query.map((name) => `query ${name}`)]
      expect(names, route).toEqual(expect.arrayContaining(wanted))
      expect(differences(schemaIn(operation.requestBody), body), `body of ${route}`).toEqual([])
      expect(differences(schemaIn(at(operation, 'responses', '200')), reply), route).toEqual([])
    }
  })

  it('know the data of every event', () => {
    for (const [event, type] of Object.entries(contract.events)) {
      const body = schemaIn(at(document, 'webhooks', event, 'post', 'requestBody'))
      const data = at(body, 'properties', 'data')
      expect(differences(data, type), event).toEqual([])
    }
  })
})
