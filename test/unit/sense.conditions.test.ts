import { describe, expect, it } from 'vitest'
import type { Value } from '../../src/resources/sense/columns.ts'
import { type Named, readWhere } from '../../src/resources/sense/where.ts'

const kinds: Readonly<Record<string, Named>> = {
  score: { column: 'score', kind: 'number' },
  'sleep.score': { column: 'score', kind: 'number' },
  best: { column: 'best', kind: 'number' },
  type: { column: 'type', kind: 'text' },
  is_nap: { column: 'is_nap', kind: 'boolean' },
  tags: { column: 'tags', kind: 'list' },
}
const read = (text: string) => readWhere(text, (name) => kinds[name])
const holds = (text: string, values: Readonly<Record<string, Value>> = {}) => read(text).condition(values)

describe('a comparison', () => {
  it.each([
    ['=', [false, true, false]],
    ['!=', [true, false, true]],
    ['<', [true, false, false]],
    ['<=', [true, true, false]],
    ['>', [false, false, true]],
    ['>=', [false, true, true]],
  ])('by %s is of a smaller, the same and a greater number', (operator, expected) => {
    expect([4, 5, 6].map((score) => holds(`score ${operator} 5`, { score }))).toEqual(expected)
    expect([6, 5, 4].map((score) => holds(`5 ${operator} score`, { score }))).toEqual(expected)
    expect(['a', 'b', 'c'].map((type) => holds(`type ${operator} 'b'`, { type }))).toEqual(expected)
  })

  it.each([
    ['score = -1.5', { score: -1.5 }],
    ['score=5', { score: 5 }],
    ['  score\t=\n5  ', { score: 5 }],
    ['"score" = 5', { score: 5 }],
    ['"sleep.score" = sleep.score', { score: 5 }],
    ['score < best', { score: 5, best: 6 }],
    ["type = ''", { type: '' }],
    ["type = 'it''s'", { type: "it's" }],
    ["type = ' a AND (b '", { type: ' a AND (b ' }],
    ["type = '5'", { type: '5' }],
    ['is_nap = true', { is_nap: true }],
    ['is_nap = FALSE', { is_nap: false }],
    ['True = is_nap', { is_nap: true }],
    ['5 = 5', {}],
  ])('%s holds of %j', (text, values) => expect(holds(text, values)).toBe(true))

  it('with a cell that is empty or not there is unknown', () => {
    for (const operator of ['=', '!=', '<', '<=', '>', '>=']) {
      expect(holds(`score ${operator} 5`, { score: null })).toBeNull()
      expect(holds(`5 ${operator} score`)).toBeNull()
    }
    expect(holds('score = best', { score: null, best: null })).toBeNull()
  })

  it('names the columns that it reads, each once', () => {
    expect(read('score > 1 OR sleep.score < best AND NOT (score = 2)').columns).toEqual(['score', 'best'])
    expect(read("1 = 1 AND 'score' = 'type' AND true = false").columns).toEqual([])
  })
})

describe('a condition', () => {
  const T = '1 = 1'
  const F = '1 = 2'
  const N = 'score = 1'

  it.each([
    [T, true],
    [F, false],
    [N, null],
    [`NOT ${T}`, false],
    [`NOT ${F}`, true],
    [`NOT ${N}`, null],
    [`NOT NOT ${T}`, true],
    [`not Not nOT ${T}`, false],
    [`${T} AND ${T}`, true],
    [`${T} AND ${F}`, false],
    [`${F} AND ${T}`, false],
    [`${F} and ${N}`, false],
    [`${N} AND ${F}`, false],
    [`${T} AND ${N}`, null],
    [`${N} AND ${T}`, null],
    [`${N} AND ${N}`, null],
    [`${T} OR ${F}`, true],
    [`${F} OR ${T}`, true],
    [`${F} or ${F}`, false],
    [`${N} OR ${T}`, true],
    [`${T} OR ${N}`, true],
    [`${N} OR ${F}`, null],
    [`${F} OR ${N}`, null],
    // AND binds stronger than OR, and NOT stronger than both.
    [`${T} OR ${F} AND ${F}`, true],
    [`(${T} OR ${F}) AND ${F}`, false],
    [`${F} AND ${F} OR ${T}`, true],
    [`NOT ${T} OR ${T}`, true],
    [`NOT (${T} OR ${T})`, false],
    [`${F} OR ${F} OR ${T}`, true],
    [`${T} AND ${T} AND ${F}`, false],
    [`((${T})) AND (NOT (${F}))`, true],
  ])('%s is %s', (text, expected) => expect(holds(text)).toBe(expected))

  it('has at most 4000 characters, in at most 50 parentheses', () => {
    const padded = (length: number) => `score = 1${' '.repeat(length - 9)}`
    expect(read(padded(4000)).columns).toEqual(['score'])
    expect(() => read(padded(4001))).toThrow('a condition has at most 4000 characters')
    const nested = (depth: number) => `${'('.repeat(depth)}score = 1${')'.repeat(depth)}`
    expect(read(nested(50)).columns).toEqual(['score'])
    expect(() => read(nested(51))).toThrow('it nests deeper than 50')
    // One after another they do not nest.
    expect(read(Array(60).fill('(score = 1)').join(' OR ')).columns).toEqual(['score'])
    expect(read(Array(60).fill('(score = 1)').join(' AND ')).columns).toEqual(['score'])
  })

  it.each([
    ['', 'a column or a value is missing'],
    ['= 5', 'a column or a value is missing'],
    ['score = )', 'a column or a value is missing'],
    ['score = 5 AND', 'a column or a value is missing'],
    ['NOT', 'a column or a value is missing'],
    ['()', 'a column or a value is missing'],
    ['score (5)', 'score is compared with nothing; there are >= <= != > < ='],
    ["'a' OR 1 = 1", "'a' is compared with nothing; there are >= <= != > < ="],
    ["score '=' 5", 'score is compared with nothing; there are >= <= != > < ='],
    ['mood = 5', 'there is no column mood'],
    ['"my.mood" = 5', 'there is no column my.mood'],
    ['score = true', 'score is a number and true a truth value'],
    ['is_nap = type', 'is_nap is a truth value and type a text'],
    ['type = tags', 'type is a text and tags a list'],
    ['tags = tags', 'tags is a list, which cannot be compared'],
    ['(score = 5', 'a parenthesis is not closed'],
    ['(score = 5 OR (score = 6)', 'a parenthesis is not closed'],
    ['score = 5)', '")" does not belong there'],
    ['score = 5 type', '"type" does not belong there'],
    ["score = 5 'and' 1 = 1", '"and" does not belong there'],
    ['score = 5a', 'it cannot be read from "5a"'],
    ['score = 5.', 'it cannot be read from "5."'],
    ['score =   # of a comment that is long', 'it cannot be read from "# of a comment that "'],
    ["type = 'open", 'it cannot be read from "\'open"'],
  ])('%s is refused: %s', (text, message) => expect(() => read(text)).toThrow(new Error(message)))
})
