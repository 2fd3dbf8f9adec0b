import { type About, LETTER, newPaper, type Paper, type PdfPage, type TextStyle } from './paper.ts'

export const LEFT = 42
export const RIGHT = LETTER.width - LEFT
export const WIDTH = RIGHT - LEFT
const TOP = 40
const BOTTOM = LETTER.height - 54

/** The page header: sender and title. */
export interface Letterhead extends About {
  readonly sender: string
  /** Address and registration, one per line. */
  readonly under: readonly string[]
  /** What kind of document it is, in capitals. */
  readonly kind: string
  /** The status next to it, such as FINAL. */
  readonly mark?: string
  readonly barcode?: string | null
  /** The text of the footer. */
  readonly foot: string
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

export type Fact = readonly [label: string, value: string | null | undefined]

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
      for (const [at, each] of pages.entries()) drawFoot(each, head.foot, `Page ${at + 1} of ${pages.length}`)
      return paper.bytes()
    },
  }
}

function drawHead(page: PdfPage, { sender, under, kind, mark, barcode }: Letterhead): number {
  page.fill(0, 0, page.width, 6, 'accent')
  page.text(LEFT, TOP + 10, sender, { size: 16, bold: true, colour: 'accent' })
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

function drawRunningHead(page: PdfPage, { sender, kind }: Letterhead): number {
  page.fill(0, 0, page.width, 6, 'accent')
  page.text(LEFT, TOP, sender, { size: 9, bold: true, colour: 'accent' })
  page.text(RIGHT, TOP, `${kind}, continued`, { size: 8, colour: 'grey', align: 'right' })
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
    const most = Math.max(1, ...cells.map(({ lines }) => lines.length))
    const { page, y } = room(13 + most * 11)
    for (const [at, { label, lines }] of cells.entries()) {
      const x = LEFT + at * width
      page.text(x, y + 8, label, { size: 7, colour: 'grey' })
      for (const [line, text] of lines.entries()) page.text(x, y + 18.5 + line * 11, text)
    }
  }
}
