import { describe, expect, it } from 'vitest'
import { code128 } from '../../src/resources/documents/paper.ts'
import { printable } from '../../src/resources/documents/printable.ts'

/** A symbol's modules; the stop has a bar more. */
const symbolsOf = (widths: readonly number[]) => {
  const symbols = Array.from({ length: (widths.length - 7) / 6 }, (_, at) => widths.slice(at * 6, at * 6 + 6))
  return { symbols, stop: widths.slice(-7) }
}

describe('a bar code', () => {
  it('is of eleven modules a symbol, all symbols different, and ends with the stop', () => {
    const all = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join('')
    const { symbols, stop } = symbolsOf(code128(all))
    const letters = symbols.slice(1, -1)
    expect(symbols.every((widths) => widths.reduce((sum, width) => sum + width, 0) === 11)).toBe(true)
    expect(new Set(letters.map((widths) => widths.join(''))).size).toBe(95)
    expect(stop).toEqual([2, 3, 3, 1, 1, 1, 2])
  })

  it('has its check symbol', () => {
    // 104 + 1·48 + 2·42 + 3·42 + 4·17 + 5·18 + 6·19 + 7·35 = 879, and 879 mod 103 = 55.
    const { symbols } = symbolsOf(code128('PJJ123C'))
    expect(symbols[0]?.join('')).toBe('211214')
    expect(symbols.at(-1)?.join('')).toBe('311321')
  })
})

describe('text for the standard fonts', () => {
  it('keeps what they have, and puts the nearest for the rest', () => {
    expect(printable('Kaʻū, Oʼahu')).toBe('Ka‘u, O’ahu')
    expect(printable('Łódź – “naïve”\nend')).toBe('Lódz – “naïve” end')
  })

  it.each([
    ['日本 太郎', 'RiBen TaiLang'],
    ['さくら', 'sakura'],
    ['김민준', 'GimMinJun'],
    ['Владимир', 'Vladimir'],
    ['Αθηνά', 'Athina'],
    ['محمد', 'mhmd'],
    ['שלום', 'slvm'],
    ['हिन्दी', 'hindi'],
    ['กรุงเทพ', 'krungethph'],
    ['Nguyễn Văn Ánh', 'Nguyen Van Ánh'],
    ['𠮷野', 'KichiYe'],
    ['n\u0303o\u0323\u200b\u202e', 'ño'],
  ])('writes %s in Latin letters', (text, latin) => expect(printable(text)).toBe(latin))

  it('puts a question mark only for what has no transliteration', () => {
    expect(printable('a\u0007b\ue000c\ufffd')).toBe('a?b?c?')
  })
})
