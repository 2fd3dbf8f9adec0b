import { describe, expect, it } from 'vitest'
import type { LabSeed } from '../../src/resources/catalogue/schema.ts'
import { type Letter, newLetter, newPaper } from '../../src/resources/documents/paper.ts'
import { type DrawnPage, drawnOn } from '../support/pdf-text.ts'

const about = { title: 'Title – Łódź', subject: 'Subject', at: Date.UTC(2026, 0, 5, 9) }
const INK = '0.1 0.12 0.16'
const GREY = '0.42 0.45 0.5'
const ACCENT = '0.07 0.27 0.43'
const RULE = '0.78 0.8 0.84'

/** A drawn text: its place, size and colour. */
const regular = (text: string, x: number, y: number, size: number, colour: string) => ({
  text,
  x,
  y,
  size,
  colour,
  isBold: false,
})
const bold = (...drawn: Parameters<typeof regular>) => ({ ...regular(...drawn), isBold: true })
/** A drawn rectangle. */
const filled = (x: number, y: number, width: number, height: number, colour: string) => ({
  x,
  y,
  width,
  height,
  colour,
  isFilled: true,
})

describe('a page', () => {
  async function drawn(draw: (page: ReturnType<Awaited<ReturnType<typeof newPaper>>['addPage']>) => void) {
    const paper = await newPaper(about)
    draw(paper.addPage({ width: 200, height: 100 }))
    const file = Buffer.from(await paper.bytes())
    return { page: drawnOn(file)[0] as DrawnPage, file: file.toString('latin1'), paper }
  }

  it('says what it is, who made it, and when', async () => {
    const { file } = await drawn((page) => page.text(1, 1, 'x'))
    const utf16 = (text: string) =>
      `<FEFF${[...text].map((letter) => letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')).join('')}>`
    expect(file).toContain(`/Title ${utf16('Title – Lódz')}`)
    expect(file).toContain(`/Subject ${utf16('Subject')}`)
    expect(file).toContain(`/Producer ${utf16('Petri')}`)
    expect(file).toContain(`/Creator ${utf16('Petri')}`)
    expect(file).toContain('/CreationDate (D:20260105090000Z)')
    expect(file).toContain('/ModDate (D:20260105090000Z)')
    expect(file).toContain('/MediaBox [ 0 0 200 100 ]')
    expect(drawnOn(Buffer.from(file, 'latin1'))).toHaveLength(1)
  })

  it('has texts at their baseline below the top, to the right, left or around a point', async () => {
    const { page, paper } = await drawn((sheet) => {
      expect([sheet.width, sheet.height]).toEqual([200, 100])
      sheet.text(10, 20, 'Plain')
      sheet.text(100, 30, 'Right', { align: 'right', bold: true, size: 12, colour: 'alarm' })
      sheet.text(100, 40, 'Middle', { align: 'centre' })
      sheet.text(10, 50, 'Left', { align: 'left', colour: 'grey' })
    })
    const wide = paper.widthOf('Right', { bold: true, size: 12 })
    expect(wide).toBeGreaterThan(paper.widthOf('Right', { size: 12 }))
    expect(paper.widthOf('Right', { size: 12 })).toBeCloseTo(paper.widthOf('Right') * (12 / 9), 6)
    const near = (value: number) => expect.closeTo(value, 1)
    expect(page.texts).toEqual([
      regular('Plain', 10, 20, 9, INK),
      bold('Right', near(100 - wide), 30, 12, '0.72 0.09 0.11'),
      regular('Middle', near(100 - paper.widthOf('Middle') / 2), 40, 9, INK),
      regular('Left', 10, 50, 9, GREY),
    ])
  })

  it('has lines, boxes and empty squares', async () => {
    const { page } = await drawn((sheet) => {
      sheet.line(10, 30, 50)
      sheet.line(10, 40, 50, 'accent', 2)
      sheet.fill(10, 50, 30, 12, 'shade')
      sheet.square(20, 70, 8)
    })
    expect(page.boxes).toEqual([
      filled(10, 29.65, 40, 0.7, RULE),
      filled(10, 39, 40, 2, ACCENT),
      filled(10, 50, 30, 12, '0.945 0.953 0.965'),
      { x: 20, y: 70, width: 8, height: 8, isFilled: false, colour: INK },
    ])
  })

  it('has the bars of a code, and says how wide they are together', async () => {
    const widths: number[] = []
    const { page } = await drawn((sheet) => {
      widths.push(sheet.barcode(10, 20, '', 24), sheet.barcode(10, 60, '', 24, 2))
    })
    // The start, the check symbol and the stop.
    expect(widths).toEqual([35, 70])
    const bars = page.boxes.filter(({ y }) => y === 20)
    expect(bars.map(({ x, width }) => [x, width])).toEqual([
      [10, 2],
      [13, 1],
      [16, 1],
      [21, 2],
      [25, 2],
      [28, 2],
      [32, 2],
      [37, 3],
      [41, 1],
      [43, 2],
    ])
    for (const bar of bars) expect(bar).toMatchObject({ height: 24, colour: INK, isFilled: true })
    expect(page.boxes.filter(({ y }) => y === 60).map(({ x }) => x)).toEqual(
      bars.map(({ x }) => 10 + (x - 10) * 2),
    )
  })

  it('breaks texts by their width in print', async () => {
    const { paper } = await drawn(() => undefined)
    expect(paper.wrap('one two three', paper.widthOf('one two'))).toEqual(['one two', 'three'])
    const bold = { bold: true, size: 10.5 }
    expect(paper.wrap('one two three', paper.widthOf('one two'), bold)).toEqual(['one', 'two', 'three'])
    expect(paper.pages()).toHaveLength(1)
  })
})

describe('a letter', () => {
  const head = {
    ...about,
    lab: {
      name: 'A laboratory',
      first_line_address: '1 Main Street',
      city: 'Phoenix',
      state: 'AZ',
      zipcode: '85004',
      clia_number: '1',
    } as LabSeed,
    kind: 'REPORT',
    mark: 'FINAL',
    barcode: 'S-1',
    foot: 'Order 1',
  }
  async function written(
    write: (letter: Letter) => void,
    more: Partial<Parameters<typeof newLetter>[0]> = {},
  ) {
    const letter = await newLetter({ ...head, ...more })
    write(letter)
    const pages = drawnOn(Buffer.from(await letter.finish()))
    const right = (text: string, textStyle: object) =>
      expect.closeTo(570 - letter.paper.widthOf(text, textStyle), 1)
    return { pages, page: pages[0] as DrawnPage, right, paper: letter.paper }
  }
  const textOf = (page: DrawnPage, text: string) => page.texts.find((each) => each.text === text)

  it('begins with its sender, what it is, and the code of its sample', async () => {
    const { page, right, paper } = await written((letter) => {
      expect(letter.room(10).y).toBe(114)
    })
    expect(page.texts.slice(0, 6)).toEqual([
      bold('A laboratory', 42, 50, 16, ACCENT),
      regular('1 Main Street, Phoenix, AZ 85004', 42, 64, 8, GREY),
      regular('CLIA 1', 42, 74.5, 8, GREY),
      bold('REPORT', right('REPORT', { size: 11, bold: true }), 48, 11, INK),
      bold('FINAL', right('FINAL', { bold: true }), 61, 9, ACCENT),
      {
        text: 'S-1',
        y: 100,
        size: 8,
        isBold: false,
        colour: INK,
        x: expect.closeTo(570 - (68 * 0.85) / 2 - paper.widthOf('S-1', { size: 8 }) / 2, 1),
      },
    ])
    expect(page.boxes[0]).toMatchObject({ x: 0, y: 0, width: 612, height: 6, colour: ACCENT })
    const bars = page.boxes.filter(({ y, height }) => y === 67 && height === 24)
    expect(bars[0]?.x).toBeCloseTo(570 - 68 * 0.85, 1)
    const last = bars.at(-1)
    expect((last?.x ?? 0) + (last?.width ?? 0)).toBeCloseTo(570, 1)
    expect(page.boxes).toContainEqual(filled(42, 107.4, 528, 1.2, ACCENT))
  })

  it('begins higher without a code, and without a laboratory', async () => {
    const tops: number[] = []
    const top = (letter: Letter) => void tops.push(letter.room(1).y)
    const { page } = await written(top, { barcode: null })
    await written(top, { barcode: null, lab: undefined })
    expect(tops).toEqual([40 + 43 + 6, 40 + 34 + 6])
    expect(page.boxes.filter(({ height }) => height === 24)).toEqual([])
  })

  it('ends each page with what it belongs to, its number, and that it is no record', async () => {
    const { pages, right } = await written((letter) => {
      letter.room(700)
    })
    expect(pages).toHaveLength(1 + 1)
    for (const [at, page] of pages.entries()) {
      const number = `Page ${at + 1} of 2`
      expect(page.texts.slice(-3)).toEqual([
        regular('Order 1', 42, 764, 7.5, GREY),
        regular(number, right(number, { size: 7.5 }), 764, 7.5, GREY),
        regular('Simulated by Petri. Not a medical record.', 42, 774, 7.5, GREY),
      ])
      expect(page.boxes).toContainEqual(filled(42, 751.65, 528, 0.7, RULE))
    }
  })

  it('goes on with a page of its own where there is no more room', async () => {
    const places: number[] = []
    const { pages, right } = await written((letter) => {
      places.push(letter.room(738 - 114).y, letter.room(10).y, letter.room(5).y)
      letter.skip(3)
      places.push(letter.room(1).y)
    })
    expect(places).toEqual([114, 54, 64, 72])
    expect(pages).toHaveLength(2)
    const more = 'REPORT, continued'
    expect(pages[1]?.texts.slice(0, 2)).toEqual([
      bold('A laboratory', 42, 40, 9, ACCENT),
      regular(more, right(more, { size: 8 }), 40, 8, GREY),
    ])
    expect(pages[1]?.boxes.slice(0, 2)).toMatchObject([
      { x: 0, y: 0, width: 612, height: 6 },
      { x: 42, y: 45.65, width: 528 },
    ])
  })

  it('has headings with a line below, which never stand alone at the end of a page', async () => {
    const places: number[] = []
    const { page, pages } = await written((letter) => {
      letter.heading('Results')
      places.push(letter.room(738 - 140 - 50).y, letter.room(1).y)
      letter.heading('Comments')
      places.push(letter.room(1).y)
    })
    expect(textOf(page, 'Results')).toEqual(bold('Results', 42, 133, 10.5, ACCENT))
    expect(page.boxes).toContainEqual(filled(42, 137.15, 528, 0.7, RULE))
    expect(places).toEqual([140, 688, 54 + 18])
    expect(textOf(pages[1] as DrawnPage, 'Comments')?.y).toBe(54 + 11)
  })

  it('has paragraphs, in lines as wide as the page', async () => {
    const words = Array(40).fill('wonderful').join(' ')
    const { page, paper } = await written((letter) => {
      letter.paragraph(`First.\n${words}`)
      letter.paragraph('Large and indented', { size: 20, indent: 30, bold: true })
      letter.paragraph(words, { indent: 300 })
    })
    const [first, second, third] = page.texts.slice(6)
    expect(first).toMatchObject({ text: 'First.', x: 42, y: 123, size: 9, isBold: false })
    expect([second?.y, third?.y]).toEqual([135.6, 148.2])
    expect(textOf(page, 'Large and indented')).toMatchObject({ x: 72, size: 20, isBold: true })
    for (const { x, text, size, isBold } of page.texts.slice(6, -3))
      expect(x + paper.widthOf(text, { size, bold: isBold })).toBeLessThanOrEqual(570.01)
    const widest = Math.max(...page.texts.slice(7, 9).map(({ text }) => paper.widthOf(text)))
    expect(widest).toBeGreaterThan(480)
  })

  it('has facts in columns, each row as high as its longest value', async () => {
    const long = Array(14).fill('wonderful').join(' ')
    const places: number[] = []
    const { page } = await written((letter) => {
      letter.facts(3, [
        ...([
          ['One', 'first'],
          ['Two', long],
          ['Three', null],
        ] as const),
        ['Four', 'fourth'],
      ])
      places.push(letter.room(1).y)
    })
    const at = (text: string) => {
      const { x, y, size, isBold, colour } = textOf(page, text) ?? {}
      return { x, y, size, isBold, colour }
    }
    const label = { size: 7, isBold: false, colour: GREY }
    const value = { size: 9, isBold: false, colour: INK }
    expect(at('One')).toEqual({ x: 42, y: 122, ...label })
    expect(at('Two')).toEqual({ x: 218, y: 122, ...label })
    expect(at('Three')).toEqual({ x: 394, y: 122, ...label })
    expect(at('first')).toEqual({ x: 42, y: 132.5, ...value })
    const lines = page.texts.filter(({ x, size }) => x === 218 && size === 9)
    expect(lines.map(({ y }) => y)).toEqual(lines.map((_, nth) => 132.5 + nth * 11))
    expect(lines.length).toBeGreaterThan(2)
    const second = 114 + 13 + lines.length * 11
    expect(at('Four').y).toBe(second + 8)
    expect(places).toEqual([second + 24])
    expect(page.texts.filter(({ x, size }) => x === 394 && size === 9)).toEqual([])
  })
})
