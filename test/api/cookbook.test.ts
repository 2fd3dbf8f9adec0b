import { readFileSync } from 'node:fs'
import { VitalClient } from '@tryvital/vital-node'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type LocalPetri, startPetri } from '../../src/index.ts'

// Each sample of the cookbook is run as printed, in the world as it was at first. A comment after console.log is what it prints.

const page = readFileSync(new URL('../../docs/cookbook.md', import.meta.url), 'utf8')
const recipes = [...page.matchAll(/^## (.*)\n\n```js\n([\s\S]*?)^```$/gm)].map(
  ([, title = '', code = '']) => ({ title, code }),
)

let petri: LocalPetri
beforeAll(async () => {
  petri = await startPetri({ now: '2026-01-05T09:00:00Z' })
})
beforeEach(async () => {
  // The official client calls Petri at its port.
  vi.unstubAllGlobals()
  await petri.reset()
})
afterAll(() => petri.close())

type Recipe = (
  petri: LocalPetri,
  console: { log(...values: unknown[]): void },
  client: typeof VitalClient,
) => Promise<void>

const runnable = (code: string) =>
  new Function('petri', 'console', 'VitalClient', `return (async () => {${code}})()`) as Recipe

it('has twenty recipes, and no heading without one', () => {
  expect(recipes.length).toBeGreaterThanOrEqual(20)
  expect(recipes.length).toBe(page.match(/^## /gm)?.length)
})

describe.each(recipes)('the recipe "$title"', ({ code }) => {
  it('prints what it says', { tags: 'slow' }, async () => {
    const printed: string[] = []
    await runnable(code)(petri, { log: (...values) => void printed.push(values.join(' ')) }, VitalClient)
    expect(printed).toEqual([...code.matchAll(/console\.log\(.*\) \/\/ (.*)$/gm)].map(([, text]) => text))
  })
})
