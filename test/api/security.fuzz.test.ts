import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AnyOperation } from '../../src/api/operation.ts'
import {
  countedFolder,
  inheritedNames,
  jsonSchemaOf,
  type Known,
  methodOf,
  mutations,
  pathOf,
  type Shot,
  sample,
  shoot,
  someRows,
} from '../support/attack.ts'
import { anyCharacter } from '../support/characters.ts'
import { forAllTests, NOBODY, startTestPetri } from '../support/petri.ts'
import { rounds, sampler } from '../support/rounds.ts'

const bugs: unknown[] = []
const { folder, rowCounts } = countedFolder()
const petri = forAllTests(() => startTestPetri({ folder, reportBug: (error) => bugs.push(error) }))
let known: Known
let operations: readonly AnyOperation[]
beforeAll(async () => {
  known = await someRows(petri)
  operations = petri.petri.operations.filter(({ id }) => !destructive.has(id))
})

/** What puts another world in place of the one under attack, or lets its clock go. */
const destructive = new Set(['petri_reset', 'petri_clock_patch', 'petri_state_put', 'petri_worlds_delete'])

const fill = (name: string) => known[name] ?? NOBODY

/** What was not as it should be: a failure, a page, or rows that a refused call left behind. */
const harms: string[] = []

/** How many rows there were after the last call, until a call is answered that may have written some. */
let counted: Record<string, number> | undefined

async function fire(what: string, attack: () => Promise<Shot>): Promise<void> {
  const before = counted ?? (await rowCounts(petri))
  counted = undefined
  const { status, type, text } = await attack()
  for (const error of bugs.splice(0)) harms.push(`${what}: ${(error as Error).stack ?? String(error)}`)
  if (status >= 500) harms.push(`${what} answered ${status}: ${text.slice(0, 200)}`)
  if (status < 400) return
  if (type !== 'application/json' || typeof JSON.parse(text) !== 'object')
    harms.push(`${what} answered ${text}`)
  // A table that was not there yet was filled with what it is born with, when it was looked into.
  counted = await rowCounts(petri)
  for (const [name, count] of Object.entries(counted)) {
    if (before[name] !== undefined && count !== before[name])
      harms.push(`${what}: ${status}, and rows in ${name}`)
  }
}

/** Headers that any operation takes. */
const commonHeaders = ['x-petri-scenario', 'idempotency-key', 'content-type']

const takeHarms = () => harms.splice(0).slice(0, 20)

// Every operation is called with some names in each place; with all of them where TEST_ROUNDS is set, as in CI.
describe('every operation, given names of Object.prototype,', { timeout: rounds(60_000) }, () => {
  it('takes them for the strange ids they are in its path', { tags: 'slow' }, async () => {
    const isTried = sampler(5)
    for (const operation of operations.filter(({ params }) => params)) {
      for (const evil of inheritedNames.filter(isTried)) {
        const path = pathOf(operation, () => evil)
        await fire(`${operation.id} ${path}`, () => shoot(petri, methodOf(operation), path))
      }
    }
    expect(takeHarms()).toEqual([])
  })

  it('takes them for strange values in its query', { tags: 'slow' }, async () => {
    const isTried = sampler(5)
    for (const operation of operations.filter(({ query }) => query)) {
      const { properties = {} } = jsonSchemaOf((operation.query as NonNullable<typeof operation.query>)())
      for (const evil of inheritedNames) {
        const names = [...Object.keys(properties as object), evil]
        for (const name of names.filter(isTried)) {
          const path = `${pathOf(operation, fill)}?${queryOf(operation, { [name]: evil })}`
          await fire(`${operation.id} ${path}`, () => shoot(petri, methodOf(operation), path))
        }
      }
    }
    expect(takeHarms()).toEqual([])
  })

  it('takes them for strange values in its headers', { tags: 'slow' }, async () => {
    const isTried = sampler(5)
    for (const operation of operations) {
      const { properties = {} } = operation.headers ? jsonSchemaOf(operation.headers()) : {}
      const path = pathOf(operation, fill)
      for (const name of [...Object.keys(properties as object), ...commonHeaders])
        for (const evil of inheritedNames.filter(isTried))
          await fire(`${operation.id} ${path} ${name}: ${evil}`, () =>
            shoot(petri, methodOf(operation), path, operation.body ? '{}' : undefined, { [name]: evil }),
          )
    }
    expect(takeHarms()).toEqual([])
  })

  it('takes them for strange values and fields in its body', { tags: 'slow' }, async () => {
    const isTried = sampler(5)
    for (const operation of operations.filter(({ body, takesForm }) => body && !takesForm)) {
      const schema = jsonSchemaOf((operation.body as NonNullable<typeof operation.body>)())
      const sent = new Set<string>()
      for (const all of [true, false]) {
        for (const evil of all ? inheritedNames : inheritedNames.slice(0, 2)) {
          for (const mutation of mutations(sample(schema, known, all), evil)) {
            const body = JSON.stringify(mutation)
            if (sent.size === sent.add(body).size || !isTried()) continue
            const path = pathOf(operation, fill)
            await fire(`${operation.id} ${path} ${body}`, () => shoot(petri, methodOf(operation), path, body))
          }
        }
      }
    }
    expect(takeHarms()).toEqual([])
  })

  it('changes no prototype', () => {
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})

// Every operation is called many times.
describe('any JSON and any query', { timeout: rounds(60_000) }, () => {
  it('is answered by every operation without a 500 or an HTML page', { tags: 'slow' }, async () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom(...Object.values(known), ...oddTexts),
    )
    const value = fc.jsonValue({ maxDepth: 3, stringUnit: anyCharacter })
    for (const operation of operations.filter(({ takesForm }) => !takesForm)) {
      const fields = operation.body
        ? Object.keys((jsonSchemaOf(operation.body()).properties ?? {}) as object)
        : []
      const params = operation.query
        ? Object.keys((jsonSchemaOf(operation.query()).properties ?? {}) as object)
        : []
      const body =
        fields.length === 0
          ? value
          : fc.dictionary(fc.constantFrom(...fields), fc.oneof(value, text), { noNullPrototype: true })
      const query = fc.dictionary(params.length > 0 ? fc.constantFrom(...params) : text, text, {
        noNullPrototype: true,
      })
      await fc.assert(
        fc.asyncProperty(body, query, async (json, given) => {
          const path = `${pathOf(operation, fill)}?${queryOf(operation, given)}`
          const written = operation.body ? JSON.stringify(json) : undefined
          await fire(`${operation.id} ${path} ${written}`, () =>
            shoot(petri, methodOf(operation), path, written),
          )
        }),
        { numRuns: rounds(3) },
      )
    }
    expect(takeHarms()).toEqual([])
  })
})

// Every operation that takes a scenario file is called with YAML that JSON could not say.
describe('odd YAML', () => {
  it('is answered by every operation that takes scenarios without a 500 or an HTML page', {
    tags: 'slow',
  }, async () => {
    const headers = { 'content-type': 'application/yaml' }
    const taking = operations.filter(({ route }) => /^P\w+ \/_petri\/scenarios\//.test(route))
    expect(taking.map(({ id }) => id)).toEqual(['petri_scenarios_put', 'petri_scenarios_check'])
    for (const operation of taking) {
      for (const yaml of oddYaml) {
        const path = pathOf(operation, () => 'x')
        await fire(`${operation.id} ${yaml}`, () => shoot(petri, methodOf(operation), path, yaml, headers))
      }
    }
    expect(takeHarms()).toEqual([])
  })
})

const oddYaml = [
  'a: &a [*a]',
  'kind: feed\na: &a [*a]',
  '&a [*a]',
  '&a { steps: [*a] }',
  'name: x\nsummary: x\nmethod: testkit\nsteps: &a [{ after: 1h, status: lost, results: { missing: *a } }]',
  'name: x\nsummary: x\nkind: feed\nsteps: &a [{ after: 1h, sample: *a }]',
  '? { a: 1 }\n: 2',
  '<<: *a',
  '--- 1\n--- 2',
  '!!binary aGVsbG8=',
  '!!set { a, b }',
  'name: !!js/undefined x',
  '.nan',
  '__proto__: { name: x }',
  '\u0000',
]

const oddTexts = [
  '',
  '\u0000',
  'a\r\nb: c',
  '../../etc/passwd',
  '9'.repeat(400),
  '-1',
  '1e999',
  'NaN',
  '2026-02-30',
  '0000-00-00',
  '+275760-09-13',
  '9999-12-31T23:59:59Z',
  '<script>',
  '%00',
  '\ud800',
]

/** A query with what the operation needs beside what is tried. */
function queryOf({ query }: AnyOperation, given: Readonly<Record<string, string>>): URLSearchParams {
  const base = query ? sample(jsonSchemaOf(query()), known, false) : {}
  const needed = Object.entries(base as Record<string, unknown>).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  return new URLSearchParams([...needed.filter(([name]) => !(name in given)), ...Object.entries(given)])
}
