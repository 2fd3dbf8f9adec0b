import type { Color, PDFFont, PDFPage } from '@cantoo/pdf-lib'
import { largest } from '../../kernel/list.ts'
import type { LabSeed } from '../catalogue/schema.ts'

/** Points, 72 to the inch. */
const LETTER = { width: 612, height: 792 } as const

const colours = {
  ink: [0.1, 0.12, 0.16],
  grey: [0.42, 0.45, 0.5],
  rule: [0.78, 0.8, 0.84],
  shade: [0.945, 0.953, 0.965],
  accent: [0.07, 0.27, 0.43],
  alarm: [0.72, 0.09, 0.11],
  white: [1, 1, 1],
} as const satisfies Record<string, readonly [number, number, number]>
type Colour = keyof typeof colours

interface TextStyle {
  readonly size?: number
  readonly bold?: boolean
  readonly colour?: Colour
  /** Which end of the text is at `x`. */
  readonly align?: 'left' | 'right' | 'centre'
}

/** One page; `y` is counted downwards from the top edge, for texts to the baseline. */
export interface PdfPage {
  readonly width: number
  readonly height: number
  text(x: number, y: number, text: string, textStyle?: TextStyle): void
  line(x: number, y: number, toX: number, colour?: Colour, thickness?: number): void
  fill(x: number, y: number, width: number, height: number, colour: Colour): void
  /** An empty checkbox. */
  square(x: number, y: number, side: number): void
  /** A Code 128 bar code; returns its width. */
  barcode(x: number, y: number, text: string, height: number, moduleWidth?: number): number
}

interface Paper {
  addPage(size?: { readonly width: number; readonly height: number }): PdfPage
  pages(): readonly PdfPage[]
  /** The width of a text. */
  widthOf(text: string, textStyle?: TextStyle): number
  wrap(text: string, width: number, textStyle?: TextStyle): string[]
  /** A text as it is printed. */
  printable(text: string): string
  bytes(): Promise<Uint8Array>
}

interface About {
  readonly title: string
  readonly subject: string
  /** When the document was made, milliseconds since 1970; in the world's time, so that the same document has the same bytes. */
  readonly at: number
}

/** A new document in Helvetica, which every viewer has. */
export async function newPaper({ title, subject, at }: About): Promise<Paper> {
  const { PDFDocument, printable, rgb, StandardFonts } = await import('./pdf.ts')
  const document = await PDFDocument.create({ updateMetadata: false })
  document.setTitle(printable(title))
  document.setSubject(printable(subject))
  document.setProducer('Petri')
  document.setCreator('Petri')
  document.setCreationDate(new Date(at))
  document.setModificationDate(new Date(at))
  const regular = await document.embedFont(StandardFonts.Helvetica)
  const strong = await document.embedFont(StandardFonts.HelveticaBold)
  const pages: PdfPage[] = []
  const tools: PageTools = {
    printable,
    fontOf: ({ bold = false }) => (bold ? strong : regular),
    widthOf: (text, textStyle = {}) =>
      tools.fontOf(textStyle).widthOfTextAtSize(printable(text), textStyle.size ?? 9),
    colorOf(colour) {
      const [red, green, blue] = colours[colour]
      return rgb(red, green, blue)
    },
  }
  return {
    pages: () => pages,
    printable,
    widthOf: tools.widthOf,
    wrap: (text, width, textStyle = {}) =>
      wrap(printable(text), width, (part) => tools.widthOf(part, textStyle)),
    bytes: () =>
      document.save({ useObjectStreams: false, addDefaultPage: false, updateFieldAppearances: false }),
    addPage({ width, height } = LETTER) {
      const page = toPage(document.addPage([width, height]), tools)
      pages.push(page)
      return page
    },
  }
}

interface PageTools {
  readonly printable: (text: string) => string
  readonly fontOf: (textStyle: TextStyle) => PDFFont
  readonly widthOf: Paper['widthOf']
  readonly colorOf: (colour: Colour) => Color
}

/** The share of a text's width by which it is moved to the left. */
const shiftedShare = { left: 0, centre: 0.5, right: 1 } as const

function toPage(sheet: PDFPage, { printable, fontOf, widthOf, colorOf }: PageTools): PdfPage {
  const { width, height } = sheet.getSize()
  const fill = (x: number, y: number, w: number, h: number, colour: Colour) =>
    sheet.drawRectangle({ x, y: height - y - h, width: w, height: h, color: colorOf(colour) })
  return {
    width,
    height,
    text(x, y, text, textStyle = {}) {
      const { size = 9, colour = 'ink', align = 'left' } = textStyle
      const share = shiftedShare[align]
      const shift = share === 0 ? 0 : widthOf(text, textStyle) * share
      const style = { size, font: fontOf(textStyle), color: colorOf(colour) }
      sheet.drawText(printable(text), { x: x - shift, y: height - y, ...style })
    },
    line: (x, y, toX, colour = 'rule', thickness = 0.7) =>
      fill(x, y - thickness / 2, toX - x, thickness, colour),
    fill,
    square: (x, y, side) =>
      sheet.drawRectangle({
        x,
        y: height - y - side,
        width: side,
        height: side,
        borderColor: colorOf('ink'),
        borderWidth: 0.7,
      }),
    barcode(x, y, text, barHeight, moduleWidth = 1) {
      let at = x
      for (const [index, modules] of code128(text).entries()) {
        const barWidth = modules * moduleWidth
        if (index % 2 === 0) fill(at, y, barWidth, barHeight, 'ink')
        at += barWidth
      }
      return at - x
    },
  }
}

/** Widths of bars and gaps, alternating, of every symbol. Source: ISO/IEC 15417, table 1. */
const SYMBOLS = `
212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231
113222 123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211
212123 212321 232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131
113123 113321 133121 313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111
314111 221411 431111 111224 111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211
241211 221114 413111 241112 134111 111242 121142 121241 114212 124112 124211 411212 421112 421211 212141
214121 412121 111143 111341 131141 114113 114311 411113 411311 113141 114131 311141 411131 211412 211214
211232 2331112`
  .trim()
  .split(/\s+/)

const START_B = 104
const CHECK = 103
const STOP = 106
const FIRST_CHARACTER = 32

/** A text as a Code 128 bar code (code set B): widths in modules, starting with a bar. Unsupported characters are left out. */
export function code128(text: string): number[] {
  const values = [...text]
    .map((letter) => letter.charCodeAt(0) - FIRST_CHARACTER)
    .filter((value) => value >= 0 && value < 96)
  const check = values.reduce((sum, value, at) => sum + value * (at + 1), START_B) % CHECK
  return [START_B, ...values, check, STOP].flatMap((value) => [...(SYMBOLS[value] ?? '')].map(Number))
}

/** Lines no wider than `width`; a word that is wider is broken. Takes time in proportion to the text. */
export function wrap(text: string, width: number, widthOf: (text: string) => number): string[] {
  const fitting = (part: string) => fittingLength(part, width, widthOf)
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const together = `${line} ${word}`
    if (line !== '' && fitting(together) === together.length) {
      line = together
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    for (let fits = fitting(line); fits < line.length; fits = fitting(line)) {
      lines.push(line.slice(0, fits))
      line = line.slice(fits)
    }
  }
  return line === '' ? lines : [...lines, line]
}

/** How many characters of a text fit, at least one. Measures at most twice as many, because a text may be long. */
function fittingLength(text: string, width: number, widthOf: (text: string) => number): number {
  const fits = (length: number) => widthOf(text.slice(0, length)) <= width
  let least = 1
  let tooMany = 2
  while (tooMany <= text.length && fits(tooMany)) {
    least = tooMany
    tooMany *= 2
  }
  if (least === text.length) return least
  tooMany = Math.min(tooMany, text.length + 1)
  while (tooMany - least > 1) {
    const middle = Math.floor((least + tooMany) / 2)
    if (fits(middle)) least = middle
    else tooMany = middle
  }
  return Math.min(least, text.length)
}

export const LEFT = 42
export const RIGHT = LETTER.width - LEFT
export const WIDTH = RIGHT - LEFT
const TOP = 40
const BOTTOM = LETTER.height - 54

/** The page header: sender and title. */
interface Letterhead extends About {
  /** The sender. */
  readonly lab: LabSeed | undefined
  /** What kind of document it is, in capitals. */
  readonly kind: string
  /** The status next to it, such as FINAL. */
  readonly mark?: string
  readonly barcode?: string | null
  /** The text of the footer, if it is not the subject. */
  readonly foot?: string
}

/** Letter-size pages, filled from top to bottom with page breaks. */
export interface Letter {
  readonly paper: Paper
  /** The current page and position, after starting a new page if fewer points are free. */
  room(height: number): { readonly page: PdfPage; readonly y: number }
  /** Adds vertical space, in points. */
  skip(height: number): void
  heading(text: string): void
  paragraph(text: string, textStyle?: TextStyle & { readonly indent?: number }): void
  /** Labels with their values, in columns. */
  facts(columns: number, facts: readonly Fact[]): void
  finish(): Promise<Uint8Array>
}

type Fact = readonly [label: string, value: string | null | undefined]

const NOTE = 'Simulated by Petri. Not a medical record.'

export async function newLetter(head: Letterhead): Promise<Letter> {
  const paper = await newPaper(head)
  let page = paper.addPage()
  let y = drawHead(page, head)
  const room: Letter['room'] = (height) => {
    if (y + height > BOTTOM) {
      page = paper.addPage()
      y = drawRunningHead(page, head)
    }
    const here = { page, y }
    y += height
    return here
  }
  const paragraph: Letter['paragraph'] = (text, { indent = 0, ...textStyle } = {}) => {
    const size = textStyle.size ?? 9
    for (const part of text.split('\n')) {
      for (const line of paper.wrap(part, WIDTH - indent, textStyle)) {
        const here = room(size * 1.4)
        here.page.text(LEFT + indent, here.y + size, line, textStyle)
      }
    }
  }
  return {
    paper,
    room,
    skip: (height) => {
      y += height
    },
    heading(text) {
      y += 8
      const here = room(60)
      y -= 42
      here.page.text(LEFT, here.y + 11, text, { size: 10.5, bold: true, colour: 'accent' })
      here.page.line(LEFT, here.y + 15.5, RIGHT)
    },
    paragraph,
    facts: (columns, facts) => drawFacts({ paper, room }, columns, facts),
    finish() {
      const pages = paper.pages()
      const { subject, foot = subject } = head
      for (const [at, each] of pages.entries()) drawFoot(each, foot, `Page ${at + 1} of ${pages.length}`)
      return paper.bytes()
    },
  }
}

const senderOf = ({ lab }: Letterhead): string => lab?.name ?? 'Laboratory'

/** The address and registration of a laboratory. */
const detailsOf = ({ lab }: Letterhead): string[] =>
  lab
    ? [`${lab.first_line_address}, ${lab.city}, ${lab.state} ${lab.zipcode}`, `CLIA ${lab.clia_number}`]
    : []

function drawHead(page: PdfPage, head: Letterhead): number {
  const { kind, mark, barcode } = head
  const under = detailsOf(head)
  page.fill(0, 0, page.width, 6, 'accent')
  page.text(LEFT, TOP + 10, senderOf(head), { size: 16, bold: true, colour: 'accent' })
  for (const [at, line] of under.entries())
    page.text(LEFT, TOP + 24 + at * 10.5, line, { size: 8, colour: 'grey' })
  page.text(RIGHT, TOP + 8, kind, { size: 11, bold: true, align: 'right' })
  if (mark) page.text(RIGHT, TOP + 21, mark, { size: 9, bold: true, colour: 'accent', align: 'right' })
  if (barcode) {
    const modules = (barcode.length + 3) * 11 + 2
    const width = modules * 0.85
    page.barcode(RIGHT - width, TOP + 27, barcode, 24, 0.85)
    page.text(RIGHT - width / 2, TOP + 60, barcode, { size: 8, align: 'centre' })
  }
  const y = TOP + Math.max(barcode ? 68 : 34, 22 + under.length * 10.5)
  page.line(LEFT, y, RIGHT, 'accent', 1.2)
  return y + 6
}

function drawRunningHead(page: PdfPage, head: Letterhead): number {
  page.fill(0, 0, page.width, 6, 'accent')
  page.text(LEFT, TOP, senderOf(head), { size: 9, bold: true, colour: 'accent' })
  page.text(RIGHT, TOP, `${head.kind}, continued`, { size: 8, colour: 'grey', align: 'right' })
  page.line(LEFT, TOP + 6, RIGHT)
  return TOP + 14
}

function drawFoot(page: PdfPage, foot: string, number: string): void {
  const y = page.height - 40
  page.line(LEFT, y, RIGHT)
  page.text(LEFT, y + 12, foot, { size: 7.5, colour: 'grey' })
  page.text(RIGHT, y + 12, number, { size: 7.5, colour: 'grey', align: 'right' })
  page.text(LEFT, y + 22, NOTE, { size: 7.5, colour: 'grey' })
}

function drawFacts(
  { paper, room }: Pick<Letter, 'paper' | 'room'>,
  columns: number,
  facts: readonly Fact[],
): void {
  const width = WIDTH / columns
  for (let row = 0; row < facts.length; row += columns) {
    const cells = facts.slice(row, row + columns).map(([label, value]) => ({
      label,
      lines: value ? paper.wrap(value, width - 10) : [],
    }))
    const most = Math.max(1, largest(cells.map(({ lines }) => lines.length)))
    const { page, y } = room(13 + most * 11)
    for (const [at, { label, lines }] of cells.entries()) {
      const x = LEFT + at * width
      page.text(x, y + 8, label, { size: 7, colour: 'grey' })
      for (const [line, text] of lines.entries()) page.text(x, y + 18.5 + line * 11, text)
    }
  }
}
