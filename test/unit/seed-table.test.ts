import { expect, it } from 'vitest'
import * as z from 'zod'
import { bundledTable } from '../../src/kernel/seed-table.ts'

it('a bundled table has a row for each key, and is refused with a wrong cell or too many', () => {
  const tableOf = (rows: Record<'one' | 'two', object>) =>
    bundledTable('people/made-up.json', rows, () => z.strictObject({ days: z.tuple([z.int(), z.int()]) }))
  const two = { days: [1, 2] }
  expect(tableOf({ one: { days: [4, 9] }, two }).get('one').days[1]).toBe(9)
  expect(() => tableOf({ one: { days: [4, 'nine'] }, two })).toThrow(
    'people/made-up.json: one.days.1: Invalid input: expected number, received string',
  )
  expect(() => tableOf({ one: two, two: { ...two, day: 1 } })).toThrow(
    'people/made-up.json: two: Unrecognized key: "day"',
  )
})
