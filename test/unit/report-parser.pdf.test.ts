import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { linesOf, readPdf } from '../../src/resources/report-parser/pdf.ts'
import { type Cell, pageOf, pdfOf, twoBytePdf } from '../support/reports.ts'

const piece = (text: string, x: number, y: number, width = 10, height = 10) => ({ text, x, y, width, height })

describe('the lines of a page', () => {
  it('go from top to bottom, and from left to right', () => {
    expect(
      linesOf([piece('c', 40, 100), piece('b', 52, 700), piece('d', 40, 20), piece('a', 40, 700)]),
    ).toEqual(['a b', 'c', 'd'])
  })

  it('hold pieces that differ little in height, whichever is higher', () => {
    expect(linesOf([piece('a', 40, 700), piece('b', 52, 701)])).toEqual(['a b'])
    expect(linesOf([piece('a', 40, 700), piece('b', 52, 702)])).toEqual(['a b'])
    expect(linesOf([piece('a', 40, 700), piece('b', 52, 698)])).toEqual(['a b'])
    expect(linesOf([piece('a', 40, 700), piece('b', 52, 705)])).toEqual(['b', 'a'])
    expect(linesOf([piece('a', 40, 700), piece('b', 52, 695)])).toEqual(['a', 'b'])
  })

  it('have a space between words and two between cells, by the size of the font', () => {
    const gap = (x: number, height?: number) => linesOf([piece('a', 0, 0), piece('b', x, 0, 10, height)])
    expect(gap(11.5)).toEqual(['ab'])
    expect(gap(11.6)).toEqual(['a b'])
    expect(gap(19)).toEqual(['a b'])
    expect(gap(19.1)).toEqual(['a  b'])
    expect(gap(19.1, 20)).toEqual(['a b'])
    expect(gap(19.1, 0)).toEqual(['a  b'])
  })

  it('leave out empty pieces, and the spaces around others', () => {
    expect(linesOf([piece('  ', 0, 0), piece(' a ', 20, 0), piece('', 40, 0)])).toEqual(['a'])
    expect(linesOf([])).toEqual([])
  })
})

describe('a PDF that is read', () => {
  const cells: Cell[] = [['Glucose', 40, 700]]

  it('has its pages one after the other', { tags: 'slow' }, async () => {
    const pdf = pdfOf([pageOf(cells), pageOf([['Iron', 40, 700]])])
    expect(await readPdf(pdf, 2)).toEqual({ pages: 2, lines: ['Glucose', 'Iron'] })
  })

  it('is only counted if it has too many pages', async () => {
    expect(await readPdf(pdfOf([pageOf(cells), pageOf(cells)]), 1)).toEqual({ pages: 2, lines: [] })
  })

  it('has lines of 300 characters at most', async () => {
    const content = `BT /F1 1 Tf 1 0 0 1 40 700 Tm (${'a'.repeat(301)}) Tj ET`
    expect(await readPdf(pdfOf([content]), 1)).toEqual({ pages: 1, lines: ['a'.repeat(300)] })
  })

  it('needs no password', { tags: 'slow' }, async () => {
    expect(await readPdf(await twoBytePdf(cells, 'secret'), 1)).toEqual({ failure: 'encrypted' })
    expect(await readPdf(Buffer.from('%PDF-1.7 and nothing'), 1)).toEqual({ failure: 'corrupt' })
  })
})

describe('the streams of a PDF', () => {
  const MEBIBYTE = 1024 * 1024
  const stream = (dictionary: string, body: Buffer | string, end = '\nendstream\n') =>
    Buffer.concat([Buffer.from(`1 0 obj <<${dictionary}>>stream\n`), Buffer.from(body), Buffer.from(end)])
  /** Why a file of these streams alone is refused; it is no valid PDF in any case. */
  const failureOf = async (...streams: Buffer[]) => {
    const content = await readPdf(Buffer.concat([Buffer.from('%PDF-1.7\n'), ...streams]), 1)
    return 'failure' in content ? content.failure : 'none'
  }
  const times = (count: number, each: Buffer) => Array.from({ length: count }, () => each)
  const packed = (bytes: number) => deflateSync(Buffer.alloc(bytes, ' '))
  /** ASCII85, as PDFs write it. */
  const ascii85 = (bytes: Buffer) => {
    const whole = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])
    let text = ''
    for (let at = 0; at < whole.length; at += 4) {
      let word = whole.readUInt32BE(at)
      const digits: string[] = []
      for (let digit = 0; digit < 5; digit++) {
        digits.unshift(String.fromCharCode((word % 85) + 33))
        word = Math.floor(word / 85)
      }
      text += digits.join('')
    }
    return `${text}~>`
  }

  it('may have four mebibytes together, each with some of its own', { tags: 'slow' }, async () => {
    expect(await failureOf(...times(16_000, stream('', '')))).toBe('corrupt')
    expect(await failureOf(...times(16_500, stream('', '')))).toBe('too_large')
    expect(await failureOf(stream('', Buffer.alloc(3.9 * MEBIBYTE)))).toBe('corrupt')
    expect(await failureOf(stream('', Buffer.alloc(4.1 * MEBIBYTE)))).toBe('too_large')
    expect(await failureOf(...times(3, stream('', Buffer.alloc(1.5 * MEBIBYTE))))).toBe('too_large')
  })

  it.each([
    ['once', packed(5 * MEBIBYTE)],
    ['twice', deflateSync(packed(5 * MEBIBYTE))],
  ])('are measured when they are compressed %s', async (_, body) => {
    expect(body.length).toBeLessThan(10_000)
    expect(await failureOf(stream('/Filter /FlateDecode', body))).toBe('too_large')
  })

  it('are measured in ASCII85 too, under either name', async () => {
    for (const name of ['ASCII85Decode', 'A85', 'A#385']) {
      const large = stream(`/Filter [/${name} /FlateDecode]`, ascii85(packed(5 * MEBIBYTE)))
      expect(await failureOf(large), name).toBe('too_large')
    }
    const small = stream('/Filter [/A85 /FlateDecode]', ascii85(packed(1000)))
    expect(await failureOf(...times(100, small))).toBe('corrupt')
  })

  it('are not measured where they are images', { tags: 'slow' }, async () => {
    const image = stream('/Subtype /Image', Buffer.alloc(5 * MEBIBYTE))
    expect(await failureOf(image)).toBe('corrupt')
    expect(await failureOf(stream('/Subtype /Images', Buffer.alloc(5 * MEBIBYTE)))).toBe('too_large')
  })

  it.each(['LZWDecode', 'LZW', 'RunLengthDecode', 'RL', 'L#5aW'])(
    'are refused when they are compressed by %s',
    async (name) => {
      expect(await failureOf(stream(`/Filter /${name}`, 'a'))).toBe('too_large')
      expect(await failureOf(stream(`/Filter /${name}x`, 'a'))).toBe('corrupt')
    },
  )

  it('count a mebibyte each when they are damaged', async () => {
    const damaged = stream('', Buffer.concat([packed(1000).subarray(0, 2), Buffer.alloc(20, 255)]))
    expect(await failureOf(...times(3, damaged))).toBe('corrupt')
    expect(await failureOf(...times(4, damaged))).toBe('too_large')
  })

  it('end with the file where they have no end', async () => {
    expect(await failureOf(stream('', Buffer.alloc(5 * MEBIBYTE), ''))).toBe('too_large')
    expect(await failureOf(stream('', 'a', ''))).toBe('corrupt')
  })
})
