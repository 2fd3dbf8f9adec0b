import { expect, it } from 'vitest'
import { sections } from '../../scripts/realism/main.ts'

const size = { people: 2, days: 3 }
const titled = (title: string) => sections.find((one) => one.title === title) ?? expect.fail(title)

it('gives every row a name of its own', () => {
  const names = sections.flatMap((one) => one.names)
  expect(names.length).toBeGreaterThan(50)
  expect(new Set(names).size).toBe(names.length)
})

it.each(['Results without a chosen interpretation', 'Devices', 'Personas'])(
  'measures each row: %s',
  { tags: 'slow' },
  async (title) => {
    const { names, run } = titled(title)
    const results = await run(size, new Set(names))
    expect(results.map(({ name }) => name)).toEqual(names)
    expect(results.some(({ value }) => Number.isFinite(value))).toBe(true)
    for (const { name, low, high } of results) {
      expect(low, name).toBeLessThanOrEqual(high)
      expect(Number.isFinite(low) || Number.isFinite(high), name).toBe(true)
    }
  },
)

it('measures the same again, and only the rows asked for', { tags: 'slow' }, async () => {
  const { names, run } = titled('Results without a chosen interpretation')
  const first = await run(size, new Set(names))
  expect(await run(size, new Set(names))).toEqual(first)
  const [name = ''] = names
  expect((await run(size, new Set([name]))).map((result) => result.name)).toEqual([name])
  expect(await run(size, new Set(['another']))).toEqual([])
})
