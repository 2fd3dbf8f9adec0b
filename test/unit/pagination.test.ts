import { describe, expect, it } from 'vitest'
import { pageAfter } from '../../src/api/pagination.ts'

interface Row {
  readonly id: string
  readonly at: number
}

const rowsAt = (...instants: number[]): Row[] => instants.map((at, n) => ({ id: 'abcdefgh'.charAt(n), at }))

const listOf = (rows: readonly Row[], order: 'asc' | 'desc' = 'asc') => ({
  of: ['letters', { order }],
  rows,
  idOf: ({ id }: Row) => id,
  keyOf: ({ at }: Row) => at,
  order,
})

const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id).join('')

describe('a list in pages', () => {
  it.each(['asc', 'desc'] as const)(
    'has each row once, in the %s order, whatever the size of a page',
    (order) => {
      const list = listOf(rowsAt(1, 1, 2, 2, 2, 3, 4), order)
      for (let limit = 1; limit <= 8; limit++) {
        let read = ''
        let cursor: string | undefined
        do {
          const page: ReturnType<typeof pageAfter<Row>> = pageAfter(list, cursor, limit)
          expect(page.items.length).toBeLessThanOrEqual(limit)
          read += idsOf(page.items)
          cursor = page.nextCursor ?? undefined
        } while (cursor !== undefined)
        expect(read).toBe(order === 'asc' ? 'abcdefg' : 'gfedcba')
      }
    },
  )

  it.each([
    ['asc', 'the last row of the page', 'b', 'cde'],
    ['asc', 'the page', 'ab', 'cde'],
    ['asc', 'the rows on both sides of the cursor', 'bc', 'de'],
    ['asc', 'all rows', 'abcde', ''],
    ['desc', 'the last row of the page', 'd', 'cba'],
    ['desc', 'the page', 'ed', 'cba'],
    ['desc', 'the rows on both sides of the cursor', 'dc', 'ba'],
    ['desc', 'all rows', 'abcde', ''],
  ] as const)('continues (%s) when %s were deleted', (order, _, deleted, expected) => {
    const rows = rowsAt(1, 2, 3, 4, 5)
    const { nextCursor } = pageAfter(listOf(rows, order), null, 2)
    const left = rows.filter(({ id }) => !deleted.includes(id))
    expect(idsOf(pageAfter(listOf(left, order), nextCursor, 9).items)).toBe(expected)
  })

  it('continues exactly among rows of one instant while a row next to the cursor is left', () => {
    const rows = rowsAt(1, 1, 1, 1, 1)
    const { nextCursor } = pageAfter(listOf(rows), null, 2)
    const without = (deleted: string) => listOf(rows.filter(({ id }) => !deleted.includes(id)))
    expect(idsOf(pageAfter(without('b'), nextCursor, 9).items)).toBe('cde')
    expect(idsOf(pageAfter(without('c'), nextCursor, 9).items)).toBe('de')
  })

  it('repeats rows of the same instant rather than leave one out when both rows next to the cursor were deleted', () => {
    const rows = rowsAt(0, 1, 1, 1, 1)
    const { nextCursor } = pageAfter(listOf(rows), null, 3)
    const left = rows.filter(({ id }) => !'cd'.includes(id))
    expect(idsOf(pageAfter(listOf(left), nextCursor, 9).items)).toBe('be')
  })

  it('continues at the old place of a row that has got another sort key', () => {
    const rows = rowsAt(1, 2, 3, 4)
    const { nextCursor } = pageAfter(listOf(rows), null, 2)
    const [a, b, c, d] = rows as [Row, Row, Row, Row]
    expect(idsOf(pageAfter(listOf([a, c, d, { ...b, at: 9 }]), nextCursor, 9).items)).toBe('cdb')
  })

  it('refuses garbage, and a cursor of another list or filter', () => {
    const list = listOf(rowsAt(1, 2, 3))
    const { nextCursor } = pageAfter(list, null, 1)
    expect(() => pageAfter({ ...list, of: ['numbers', { order: 'asc' }] }, nextCursor, 1)).toThrow(
      'Invalid cursor',
    )
    expect(() => pageAfter({ ...list, of: ['letters', { order: 'desc' }] }, nextCursor, 1)).toThrow(
      'Invalid cursor',
    )
    for (const garbage of ['nonsense', 'bnVsbA', 'e30', 'W10', '%', `${nextCursor}x`])
      expect(() => pageAfter(list, garbage, 1), garbage).toThrow('Invalid cursor')
  })
})
