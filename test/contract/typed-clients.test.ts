import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { contractOperations } from '../../scripts/contract-operations.ts'
import type { LazySchema } from '../../src/api/schema.ts'
import { resources } from '../../src/resources/index.ts'
import { startTestWorld } from '../support/petri.ts'
import { problems } from '../support/typed-client.ts'

/** Fields that are published as date-times wherever replies and events have them. */
const dateTimes = new Set(
  (
    'bedtime_start bedtime_stop completed_at created_at created_on deleted_at end end_at end_date ended_at errored_at ' +
    'last_status_created_at low_level_status_created_at newest_data oldest_data range_end range_start reviewed_at ' +
    'scheduled_at session_end session_start start start_at start_date started_at time_end time_start timestamp updated_at'
  ).split(' '),
)

/** What is published as a date-time under a name that is a date, or a number, elsewhere. */
const alsoDateTimes = [
  /(^|order\.|orders\[]\.)patient_details\.dob$/,
  /(^|\.)patient\.dob$/,
  /^(activity|body|sleep)\[]\.date$/,
  /data\[]\.date$/,
  /slots\[]\.expires_at$/,
]

/** Integers of more than 32 bits. */
const LONG = /aoe\.questions\[]\.id$/

type Node = Record<string, unknown>

/** Every text and integer of a schema by its path, with its format. */
function leaves(root: Node, schema: Node): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  const visit = (node: Node | undefined, path: string, trail: readonly string[]): void => {
    if (!node) return
    const ref = node.$ref as string | undefined
    if (ref !== undefined) {
      if (trail.includes(ref)) return
      const target = ref
        .slice(2)
        .split('/')
        .reduce<unknown>((at, key) => (at as Node)[key], root)
      visit(target as Node, path, [...trail, ref])
      return
    }
    const branches = [node.anyOf, node.oneOf, node.allOf].flatMap(
      (each) => (each as Node[] | undefined) ?? [],
    )
    for (const branch of branches) visit(branch, path, trail)
    for (const [name, child] of Object.entries((node.properties ?? {}) as Record<string, Node>))
      visit(child, path === '' ? name : `${path}.${name}`, trail)
    if (node.items) visit(node.items as Node, `${path}[]`, trail)
    if (typeof node.additionalProperties === 'object')
      visit(node.additionalProperties as Node, `${path}.*`, trail)
    if (node.type === 'string' || node.type === 'integer') {
      const formats = found.get(path) ?? new Set<string>()
      found.set(path, formats.add(String(node.format ?? node.type)))
    }
  }
  visit(schema, '', [])
  return found
}

/** Texts that typed clients parse as date-times and that are declared as something else. */
const wrongTexts = (found: ReturnType<typeof leaves>): string[] =>
  [...found]
    .filter(([path, formats]) => {
      const name = path.slice(path.lastIndexOf('.') + 1)
      const isDateTime = dateTimes.has(name) || alsoDateTimes.some((each) => each.test(path))
      return isDateTime && !formats.has('integer') && !formats.has('date-time')
    })
    .map(([path, formats]) => `${path} is ${[...formats].join(' or ')}`)

/** Replies that carry a field of this name as plain text. Source: docs/contract/health-data.md, lab-testing.md §11. */
const plain = (path: string) =>
  /^(results_)?metadata\.|sample_information|\.(device|user)_(start|end)/.test(path)

describe('the shapes that generated clients need', () => {
  it('are those of every reply in /openapi.json', async () => {
    const petri = await startTestWorld()
    const document = await petri.read('/openapi.json')
    await petri.close()
    const mirrored = new Set(contractOperations.map(([id]) => id))
    const wrong: string[] = []
    for (const path of Object.values(document.paths as Record<string, Record<string, Node>>)) {
      for (const operation of Object.values(path)) {
        if (!mirrored.has(String(operation.operationId))) continue
        for (const [status, response] of Object.entries(operation.responses as Record<string, Node>)) {
          const content = response.content as Record<string, { schema: Node }> | undefined
          const schema = content?.['application/json']?.schema
          if (!status.startsWith('2') || !schema) continue
          const found = leaves(document, schema)
          wrong.push(
            ...wrongTexts(found)
              .filter((each) => !plain(each))
              .map((each) => `${operation.operationId}: ${each}`),
          )
          for (const [at, formats] of found)
            if (formats.has('int64') !== LONG.test(at)) {
              if (formats.has('int64') || formats.has('integer'))
                wrong.push(`${operation.operationId}: ${at}`)
            }
        }
      }
    }
    expect(wrong).toEqual([])
  })

  it('are those of every event', { tags: 'slow' }, () => {
    const wrong = resources
      .flatMap(({ events }) => events ?? [])
      .flatMap(({ name, data }) => {
        const schema = z.toJSONSchema(data(), { io: 'output', unrepresentable: 'any' }) as Node
        return wrongTexts(leaves(schema, schema)).map((each) => `${name}: ${each}`)
      })
    expect([...new Set(wrong)]).toEqual([])
  })

  it('refuse a short date, a long integer, an unlisted word and an absent field', () => {
    const schema = (() =>
      z.object({
        at: z.iso.datetime({ offset: true }),
        id: z.int(),
        word: z.enum(['a']),
        name: z.string(),
      })) as LazySchema
    expect(problems(schema, { at: '1985-06-07', id: 1234567890251, word: 'b' })).toEqual([
      '.name: absent',
      '.at: 1985-06-07 is no date-time',
      '.id: 1234567890251 does not fit 32 bits',
      '.word: b is not listed',
    ])
  })
})
