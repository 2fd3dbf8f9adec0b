import { describe, expect, it } from 'vitest'
import { wrap } from '../../src/resources/documents/paper.ts'

/** A font in which every letter is one wide. */
const widthOf = (text: string) => text.length

describe('a text that is too wide', () => {
  it('is broken between words, and inside a word that is wider than a line', () => {
    expect(wrap('one two three', 7, widthOf)).toEqual(['one two', 'three'])
    expect(wrap('abcdefghij kl', 4, widthOf)).toEqual(['abcd', 'efgh', 'ij', 'kl'])
    expect(wrap('ab', 0, widthOf)).toEqual(['a', 'b'])
    expect(wrap('', 7, widthOf)).toEqual([])
  })

  it('costs in proportion to its length, however few blanks it has', () => {
    const measured = (length: number) => {
      let letters = 0
      wrap('x'.repeat(length), 40, (part) => {
        letters += part.length
        return part.length
      })
      return letters
    }
    expect(measured(100_000)).toBeLessThan(12 * measured(10_000))
  })
})
