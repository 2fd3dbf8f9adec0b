import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { verbs, verbsOfKits } from '../../scripts/clients/verbs.ts'
import { startPetri, type WorldOptions } from '../../src/index.ts'
import { isObject, valueAt } from '../../src/kernel/json.ts'

/** A script of `clients/conformance`, which the clients of all languages play. */
interface Script {
  readonly name: string
  readonly world?: WorldOptions
  readonly steps: readonly Step[]
}

interface Step {
  readonly do: string
  readonly with?: readonly unknown[]
  readonly options?: Readonly<Record<string, unknown>>
  readonly as?: string
  readonly expect?: unknown
  readonly refused?: number
}

const folder = new URL('../../clients/conformance/', import.meta.url)
const scripts = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .map((name): Script => parse(readFileSync(new URL(name, folder), 'utf8')))

it.each(scripts)(
  'the kit in TypeScript plays: $name',
  { tags: 'slow' },
  async ({ world: options = {}, steps }) => {
    const petri = await startPetri()
    const world = await petri.world(options)
    const known = new Map<string, unknown>()
    for (const step of steps) {
      const named = fill(step.options, known)
      const args = [...(step.with ?? []).map((each) => fill(each, known))]
      if (isObject(named)) args.push(named)
      const outcome = await Promise.allSettled([callVerb(world, step.do, args)])
      const [result] = outcome
      if (result.status === 'rejected') {
        expect(result.reason, JSON.stringify(step)).toMatchObject({ status: step.refused ?? 'none' })
        continue
      }
      expect(step.refused, JSON.stringify(step)).toBeUndefined()
      if (step.as !== undefined) known.set(step.as, result.value)
      const expected = fill(step.expect, known)
      if (Array.isArray(expected) || isObject(expected)) expect(result.value, step.do).toMatchObject(expected)
    }
    await petri.close()
  },
)

const path = (verb: { readonly group: string; readonly name: string }) =>
  [verb.group, verb.name].filter(Boolean).join('.')

it('plays every verb of the kits, and no other', () => {
  const played = new Set(scripts.flatMap(({ steps }) => steps.map((step) => step.do)))
  // The other kits have a verb for each of the options of an advance.
  const own = verbs.map(path).filter((verb) => !/^clock\.advance(To|Until)$/.test(verb))
  const known = [...own, 'journal', 'close']
  expect([...played].sort()).toEqual(known.sort())
})

it('lists the methods of the kit in TypeScript, and no other', async () => {
  const petri = await startPetri()
  const listed = verbsOfKits().flatMap(({ name, cells }) => (cells[0] === 'yes' ? [name] : []))
  const methods = (owner: object, before = ''): string[] =>
    Object.entries(owner).flatMap(([name, value]) => {
      if (typeof value === 'function') return [before + name]
      return isObject(value) ? methods(value, `${before}${name}.`) : []
    })
  const { app: _, ...kit } = petri
  const found = methods(kit).filter((name) => !name.startsWith('fixtures.camelCase'))
  expect([...found, 'assertAgrees'].sort()).toEqual(listed.sort())
  await petri.close()
})

async function callVerb(world: object, verb: string, args: readonly unknown[]): Promise<unknown> {
  let owner: unknown = world
  const names = verb.split('.')
  for (const name of names.slice(0, -1)) owner = isObject(owner) ? owner[name] : undefined
  const call = isObject(owner) ? owner[names.at(-1) ?? ''] : undefined
  if (typeof call !== 'function') throw new Error(`The kit has no ${verb}.`)
  return call(...args)
}

/** Replaces `$order.id` by what an earlier step has returned. */
function fill(value: unknown, known: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((each) => fill(each, known))
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each, known)]))
  if (typeof value !== 'string' || !value.startsWith('$')) return value
  const [name = '', ...path] = value.slice(1).split('.')
  return valueAt(known.get(name), path)
}
