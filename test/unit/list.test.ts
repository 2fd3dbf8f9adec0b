import { describe, expect, it } from 'vitest'
import { append, largest, smallest } from '../../src/kernel/list.ts'

describe('of any count of numbers', () => {
  const many = Array.from({ length: 300_000 }, (_, at) => at - 100)

  it('the largest and the smallest are found', () => {
    expect([largest(many), smallest(many)]).toEqual([299_899, -100])
    expect([largest([]), smallest([])]).toEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY])
    expect([largest(new Set([3, 1])), smallest([2, Number.NaN])]).toEqual([3, Number.NaN])
  })

  it('all are appended, in order', () => {
    const list = [-101]
    append(list, many)
    expect([list.length, list.at(1), list.at(-1)]).toEqual([300_001, -100, 299_899])
  })
})
