import type { Color, PDFFont, PDFPage } from '@cantoo/pdf-lib'
import { code128 } from './code128.ts'
import { printable, wrap } from './text.ts'

/** Points, 72 to the inch. */
export const LETTER = { width: 612, height: 792 } as const

export const colours = {
  ink: [0.1, 0.12, 0.16],
  grey: [0.42, 0.45, 0.5],
  rule: [0.78, 0.8, 0.84],
  shade: [0.945, 0.953, 0.965],
  accent: [0.07, 0.27, 0.43],
  alarm: [0.72, 0.09, 0.11],
  white: [1, 1, 1],
} as const satisfies Record<string, readonly [number, number, number]>
export type Colour = keyof typeof colours

export interface TextStyle {
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

export interface Paper {
  addPage(size?: { readonly width: number; readonly height: number }): PdfPage
  pages(): readonly PdfPage[]
  /** The width of a text. */
  widthOf(text: string, textStyle?: TextStyle): number
  wrap(text: string, width: number, textStyle?: TextStyle): string[]
  bytes(): Promise<Uint8Array>
}

export interface About {
  readonly title: string
  readonly subject: string
  /** When the document was made, milliseconds since 1970; in the world's time, so that the same document has the same bytes. */
  readonly at: number
}

/** A new document in Helvetica, which every viewer has. */
export async function newPaper({ title, subject, at }: About): Promise<Paper> {
  const { PDFDocument, rgb, StandardFonts } = await import('./pdf.ts')
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
  readonly fontOf: (textStyle: TextStyle) => PDFFont
  readonly widthOf: Paper['widthOf']
  readonly colorOf: (colour: Colour) => Color
}

function toPage(sheet: PDFPage, { fontOf, widthOf, colorOf }: PageTools): PdfPage {
  const { width, height } = sheet.getSize()
  const fill = (x: number, y: number, w: number, h: number, colour: Colour) =>
    sheet.drawRectangle({ x, y: height - y - h, width: w, height: h, color: colorOf(colour) })
  return {
    width,
    height,
    text(x, y, text, textStyle = {}) {
      const { size = 9, colour = 'ink', align = 'left' } = textStyle
      const shift = align === 'left' ? 0 : widthOf(text, textStyle) / (align === 'right' ? 1 : 2)
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
