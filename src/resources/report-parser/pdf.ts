import { inflateSync } from 'node:zlib'
import { Slices } from '../../kernel/slices.ts'
import { linesOf, type Piece } from './lines.ts'

/** What a PDF shows as text, line by line; or why that cannot be read. */
export type PdfContent =
  | { readonly pages: number; readonly lines: readonly string[] }
  | { readonly failure: 'corrupt' | 'encrypted' | 'too_large' }

/** Texts of a file after which no further page is read. */
const MAX_PIECES = 20_000

/** Reads a PDF with pdf.js, which is loaded with the first one. The pages of a file with more than `maxPages` are only counted. */
export async function readPdf(bytes: Buffer, maxPages: number): Promise<PdfContent> {
  if (inflatesTooFar(bytes)) return { failure: 'too_large' }
  const { getDocument } = (await import('unpdf/pdfjs')) as unknown as PdfJs
  const loading = getDocument({
    data: new Uint8Array(bytes),
    isEvalSupported: false,
    useSystemFonts: false,
    disableFontFace: true,
    verbosity: 0,
  })
  try {
    const document = await loading.promise
    const pages = document.numPages
    return { pages, lines: pages > maxPages ? [] : await linesOfPages(document, pages) }
  } catch (error) {
    return { failure: (error as Error).name === 'PasswordException' ? 'encrypted' : 'corrupt' }
  } finally {
    await loading.destroy()
  }
}

/** What is used of pdf.js, whose own types need those of a browser. */
interface PdfJs {
  getDocument(options: Readonly<Record<string, unknown>>): {
    readonly promise: Promise<PdfDocument>
    destroy(): Promise<void>
  }
}
interface PdfDocument {
  readonly numPages: number
  getPage(number: number): Promise<{ getTextContent(): Promise<{ items: readonly TextItem[] }> }>
}
/** `transform` is a matrix whose last two numbers are the place. */
interface TextItem {
  readonly str: string
  readonly transform: readonly number[]
  readonly width: number
  readonly height: number
}

async function linesOfPages(document: PdfDocument, pages: number): Promise<string[]> {
  const slices = new Slices()
  const lines: string[] = []
  let left = MAX_PIECES
  for (let number = 1; number <= pages && left > 0; number++) {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    const pieces = items.slice(0, left).map(toPiece)
    left -= pieces.length
    lines.push(...linesOf(pieces))
    if (slices.isOver) await slices.next()
  }
  return lines
}

const toPiece = ({ str, transform, width, height }: TextItem): Piece => ({
  text: str,
  x: transform[4] ?? 0,
  y: transform[5] ?? 0,
  width,
  height,
})

/** The most decompressed bytes of a file, pictures aside. */
const MAX_INFLATED_BYTES = 16 * 1024 * 1024
/** The longest dictionary before a stream, in bytes. */
const MAX_DICTIONARY_BYTES = 4096

/** Whether the streams of a file, which pdf.js decompresses without a limit, are larger than what is read. */
function inflatesTooFar(bytes: Buffer): boolean {
  let left = MAX_INFLATED_BYTES
  for (let at = bytes.indexOf('stream'); at !== -1; ) {
    const start = at + 'stream'.length + (bytes[at + 6] === 13 ? 2 : 1)
    const end = bytes.indexOf('endstream', start)
    if (end === -1) return false
    const before = bytes.toString('latin1', Math.max(0, at - MAX_DICTIONARY_BYTES), at)
    const dictionary = before.slice(Math.max(0, before.lastIndexOf(' obj')))
    if (!/\/Image\b/.test(dictionary)) left -= inflatedLength(bytes.subarray(start, end), left)
    if (left < 0) return true
    at = bytes.indexOf('stream', end + 'endstream'.length)
  }
  return false
}

function inflatedLength(body: Buffer, limit: number): number {
  try {
    return inflateSync(body, { maxOutputLength: Math.max(1, limit) }).length
  } catch (error) {
    return (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? limit + 1 : 0
  }
}
