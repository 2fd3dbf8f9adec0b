import { inflateRawSync } from 'node:zlib'
import type { JsonObject } from '../../kernel/json.ts'
import { append } from '../../kernel/list.ts'

/** The text of a PDF by lines, or why it cannot be read: `too_large` exceeds the limit of bytes, memory or time. */
export type PdfContent =
  | { readonly pages: number; readonly lines: readonly string[] }
  | { readonly failure: 'corrupt' | 'encrypted' | 'too_large' }

/** The number of texts in a file after which no further page is read. */
const MAX_PIECES = 20_000
/** The maximum length of a line, in characters. */
const MAX_LINE_LENGTH = 300

/**
 * Parses a PDF with pdf.js, which is loaded with the first one. If a file has more than `maxPages` pages, they are
 * only counted.
 */
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

/** The used part of pdf.js, whose own types require those of a browser. */
interface PdfJs {
  getDocument(options: JsonObject): {
    readonly promise: Promise<PdfDocument>
    destroy(): Promise<void>
  }
}
interface PdfDocument {
  readonly numPages: number
  getPage(number: number): Promise<{ streamTextContent(): ReadableStream<{ items: readonly TextItem[] }> }>
}
/** The last two numbers of the matrix `transform` are the position. */
interface TextItem {
  readonly str: string
  readonly transform: readonly number[]
  readonly width: number
  readonly height: number
}

async function linesOfPages(document: PdfDocument, pages: number): Promise<string[]> {
  const lines: string[] = []
  let left = MAX_PIECES
  for (let number = 1; number <= pages && left > 0; number++) {
    const pieces = await piecesOfPage(document, number, left)
    left -= pieces.length
    append(
      lines,
      linesOf(pieces).map((line) => line.slice(0, MAX_LINE_LENGTH)),
    )
  }
  return lines
}

/** The first texts of a page; pdf.js reads only as many as requested. */
async function piecesOfPage(document: PdfDocument, number: number, most: number): Promise<Piece[]> {
  const reader = (await document.getPage(number)).streamTextContent().getReader()
  const pieces: Piece[] = []
  while (pieces.length < most) {
    const { done, value } = await reader.read()
    if (done) return pieces
    for (const item of value.items) pieces.push(toPiece(item))
  }
  await reader.cancel(new Error('The limit of texts is reached.'))
  return pieces.slice(0, most)
}

const toPiece = ({ str, transform, width, height }: TextItem): Piece => ({
  text: str,
  x: transform[4] ?? 0,
  y: transform[5] ?? 0,
  width,
  height,
})

/** The maximum decompressed size of a file without its images, in bytes. */
const MAX_INFLATED_BYTES = 4 * 1024 * 1024
/** The number of bytes that each stream counts in addition to its content. */
const STREAM_BYTES = 256
/** The number of bytes that a damaged stream counts, because pdf.js reads the part before the damage. */
const DAMAGED_BYTES = 1024 * 1024
/** Compressions that are not measured, with their short names; only files of the 1990s use them for text. */
const UNMEASURED = /\/(LZW|LZWDecode|RL|RunLengthDecode)\b/
/** The maximum length of the dictionary before a stream, in bytes. */
const MAX_DICTIONARY_BYTES = 4096

/**
 * Whether the streams of a file exceed the limit. Every position that may begin a stream counts, because the table of
 * objects may refer to any of them. Streams that this misses are limited by the memory and the time of `PdfReader`.
 */
function inflatesTooFar(bytes: Buffer): boolean {
  let left = MAX_INFLATED_BYTES
  let end = 0
  for (let at = bytes.indexOf('stream'); at !== -1; at = bytes.indexOf('stream', at + 'stream'.length)) {
    if (bytes.toString('latin1', Math.max(0, at - 3), at) === 'end') continue
    const start = at + 'stream'.length + (bytes[at + 6] === 13 ? 2 : 1)
    if (end < start) end = bytes.indexOf('endstream', start)
    if (end === -1) end = bytes.length
    const before = bytes.toString('latin1', Math.max(0, at - MAX_DICTIONARY_BYTES), at)
    const dictionary = unescaped(before.slice(Math.max(0, before.lastIndexOf(' obj'))))
    left -= STREAM_BYTES
    if (!/\/Subtype\s*\/Image\b/.test(dictionary)) left -= inflatedLength(bytes, start, end, dictionary, left)
    if (left < 0) return true
  }
  return false
}

/** Decodes the names of a dictionary, in which characters may be written as `#` and two hexadecimal digits. */
const unescaped = (dictionary: string): string =>
  dictionary.replace(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** The decompressed size of a stream, including every layer if it is compressed several times. */
function inflatedLength(
  bytes: Buffer,
  start: number,
  end: number,
  dictionary: string,
  limit: number,
): number {
  if (UNMEASURED.test(dictionary)) return limit + 1
  const body = bytes.subarray(start, end)
  // Compressed data contain their own end, which may be after the first `endstream`.
  let layer = /\/(A85|ASCII85Decode)\b/.test(dictionary) ? fromAscii85(body) : bytes.subarray(start)
  let length = isDeflated(layer) ? 0 : body.length
  while (length <= limit && isDeflated(layer)) {
    const result = inflate(layer, limit - length)
    if (result === 'too_large') return limit + 1
    if (result === 'damaged') return length + DAMAGED_BYTES
    length += result.length
    layer = result
  }
  return length
}

/** Whether data begin with a zlib header. */
const isDeflated = (data: Buffer): boolean =>
  data.length > 2 && (data.readUInt8(0) & 15) === 8 && data.readUInt16BE(0) % 31 === 0

/** Decompresses without checking the checksum, which pdf.js ignores too. */
function inflate(data: Buffer, limit: number): Buffer | 'too_large' | 'damaged' {
  try {
    return inflateRawSync(data.subarray(2), { maxOutputLength: Math.max(1, limit) })
  } catch (error) {
    return (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'damaged'
  }
}

/** Decodes ASCII85: five digits in base 85 are four bytes, and `z` is four zeros. */
function fromAscii85(body: Buffer): Buffer {
  const [digits = ''] = body.toString('latin1').replace(/\s/g, '').replaceAll('z', '!!!!!').split('~')
  const bytes = Buffer.alloc(Math.ceil(digits.length / 5) * 4)
  for (let at = 0; at < digits.length; at += 5) {
    let word = 0
    for (let digit = at; digit < at + 5; digit++) {
      word = word * 85 + (digit < digits.length ? digits.charCodeAt(digit) - 33 : 84)
    }
    bytes.writeUInt32BE(word >>> 0, (at / 5) * 4)
  }
  return bytes.subarray(0, bytes.length - ((5 - (digits.length % 5)) % 5))
}

/** A text and its position on the page, in points; `y` is counted from the bottom. */
interface Piece {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The maximum difference in height between texts of one line, in points. */
const LINE_HEIGHT = 2

/** The lines of a page from top to bottom; cells of a table are separated by two spaces. */
export function linesOf(pieces: readonly Piece[]): string[] {
  const lines = new Map<number, Piece[]>()
  for (const piece of pieces) {
    if (piece.text.trim() === '') continue
    const at = Math.round(piece.y / LINE_HEIGHT)
    const near = [at, at + 1, at - 1].find((key) => lines.has(key)) ?? at
    const line = lines.get(near) ?? []
    line.push(piece)
    lines.set(near, line)
  }
  return [...lines].sort(([a], [b]) => b - a).map(([, line]) => joined(line))
}

/** Gaps between two texts, relative to the font size. */
const WORD_GAP = 0.15
const CELL_GAP = 0.9

function separatorFor(gap: number): string {
  if (gap > CELL_GAP) return '  '
  return gap > WORD_GAP ? ' ' : ''
}

function joined(line: Piece[]): string {
  let text = ''
  let end = 0
  for (const piece of line.sort((a, b) => a.x - b.x)) {
    const gap = (piece.x - end) / (piece.height || 10)
    if (text !== '') text += separatorFor(gap)
    text += piece.text.trim()
    end = piece.x + piece.width
  }
  return text
}
