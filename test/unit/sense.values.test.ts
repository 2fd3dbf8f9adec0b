import { describe, expect, it } from 'vitest'
import { aggregates } from '../../src/resources/sense/aggregate.ts'
import { always, floatingText, plus, truncate, windowUntil } from '../../src/resources/sense/calendar.ts'
import { writeTable, writeTables } from '../../src/resources/sense/formats.ts'
import type { Unit } from '../../src/resources/sense/vocabulary.ts'
import { at } from '../support/sense.ts'

describe('an aggregate', () => {
  it.each([
    ['count', [3, 1, 2], 3],
    ['oldest', [3, 1, 2], 3],
    ['newest', [3, 1, 2], 2],
    ['min', [3, 1, 2], 1],
    ['max', [1, 3, 2], 3],
    ['min', ['b', 'a'], 'a'],
    ['max', ['b', 'c', 'a'], 'c'],
    ['sum', [0.1, 0.2], 0.3],
    ['mean', [1, 2, 4], 2.333333],
    ['median', [10, 9, 1], 9],
    ['median', [10, 2, 9, 1], 5.5],
    ['median', [7], 7],
    ['stddev', [1, 5], 2.828427],
    ['stddev', [2, 4, 4, 4, 5, 5, 7, 9], 2.13809],
    ['stddev', [5], null],
  ] as const)('%s of %o is %s', (func, cells, value) => expect(aggregates[func].of(cells)).toBe(value))

  it('of nothing is empty, and counts zero', () => {
    expect(aggregates.count.of([])).toBe(0)
    for (const func of ['oldest', 'newest', 'min', 'max', 'sum', 'mean', 'median', 'stddev'] as const)
      expect(aggregates[func].of([]), func).toBeNull()
  })

  it('that is no finite number is empty', () => {
    expect(aggregates.sum.of([1e308, 1e308])).toBeNull()
  })
})

describe('a period', () => {
  it.each([
    ['2026-01-05T07:10:30', 15, 'minute', '2026-01-05T07:00:00'],
    ['2026-01-05T07:10:30', 6, 'hour', '2026-01-05T06:00:00'],
    ['2026-01-05T07:10:30', 1, 'day', '2026-01-05T00:00:00'],
    ['2026-01-04T23:59:59', 1, 'week', '2025-12-29T00:00:00'],
    ['2026-01-05T00:00:00', 1, 'week', '2026-01-05T00:00:00'],
    ['2026-05-15T07:10:30', 3, 'month', '2026-04-01T00:00:00'],
    ['2026-05-15T07:10:30', 1, 'year', '2026-01-01T00:00:00'],
    ['2026-05-15T07:10:30', 10, 'year', '2020-01-01T00:00:00'],
    ['1969-12-31T23:00:00', 1, 'day', '1969-12-31T00:00:00'],
    ['2026-05-15T07:10:30', 99_999, 'year', '0000-01-01T00:00:00'],
  ])('that holds %s, of %s %s, begins at %s', (when, value, unit, begin) =>
    expect(floatingText(truncate(at(when), { value, unit: unit as Unit }))).toBe(begin),
  )
})

describe('an instant', () => {
  it.each([
    ['2026-01-05T07:10:30', 90, 'minute', '2026-01-05T08:40:30'],
    ['2026-01-05T07:10:30', 2, 'week', '2026-01-19T07:10:30'],
    ['2026-01-31T07:10:30', 1, 'month', '2026-02-28T07:10:30'],
    ['2024-01-31T00:00:00', 1, 'month', '2024-02-29T00:00:00'],
    ['2024-02-29T00:00:00', 1, 'year', '2025-02-28T00:00:00'],
    ['2025-12-01T00:00:00', 2, 'month', '2026-02-01T00:00:00'],
  ] as const)('%s is, %s %s later, %s', (when, value, unit, then) =>
    expect(floatingText(plus(at(when), { value, unit }))).toBe(then),
  )
})

describe('a window', () => {
  it.each([
    ['2026-01-05', 1, 'day', '2026-01-05T00:00:00', '2026-01-06T00:00:00'],
    ['2026-01-05', 2, 'week', '2025-12-23T00:00:00', '2026-01-06T00:00:00'],
    ['2026-03-30', 1, 'month', '2026-02-28T00:00:00', '2026-03-31T00:00:00'],
    ['2026-03-14', 2, 'month', '2026-01-15T00:00:00', '2026-03-15T00:00:00'],
    ['2026-03-14', 1, 'year', '2025-03-15T00:00:00', '2026-03-15T00:00:00'],
    ['2026-03-14', 9999, 'year', '1900-01-01T00:00:00', '2026-03-15T00:00:00'],
    ['9999-12-30', 1, 'day', '9990-01-01T00:00:00', '9990-01-01T00:00:00'],
  ] as const)('that ends with %s, of %s %s, is from %s to %s', (anchor, value, unit, from, until) => {
    const window = windowUntil(anchor, { value, unit })
    expect([window.from, window.until].map(floatingText)).toEqual([from, until])
  })

  it('of all data is from 1900 to 9990', () => {
    expect([always.from, always.until].map(floatingText)).toEqual([
      '1900-01-01T00:00:00',
      '9990-01-01T00:00:00',
    ])
  })
})

describe('a table in JSON', () => {
  const cells = Array.from({ length: 2001 }, (_, nth) => nth)

  it('is whole, however many cells it has', () => {
    for (const table of [{}, { a: [] }, { a: [1, 'x', null], 'b"': [true] }, { a: cells, b: cells }])
      expect(JSON.parse([...writeTable(table)].join(''))).toEqual({ table })
    expect([...writeTable({ a: cells })].length).toBe(6)
  })

  it('is in a list with the others', () => {
    for (const tables of [[], [{}], [{ a: [1] }, {}, { b: [2] }]])
      expect(JSON.parse([...writeTables(tables)].join(''))).toEqual({
        results: tables.map((table) => ({ table })),
      })
  })
})
