import { inflateSync } from 'node:zlib'

/**
 * Reads the text layer of simple PDFs: streams that are plain or Flate-compressed, and texts in one-byte
 * encodings. It cannot read encrypted files, other filters (ASCII85, LZW, …), fonts whose codes are two
 * bytes long (subsets with a ToUnicode map), or text inside pictures; of these it reads nothing.
 */

/** A piece of text and where it stands on its page, in points. */
export interface Piece {
  readonly text: string
  readonly x: number
  readonly y: number
}

/** The most decompressed bytes of a file; the rest is not read. */
const MOST_INFLATED = 16 * 1024 * 1024
const MOST_STREAMS = 2000
/** The longest dictionary before a stream, in bytes. */
const LONGEST_DICTIONARY = 4096

/** Whether a file has the minimum of a PDF: an object and an end. */
export const isWholePdf = (bytes: Buffer): boolean =>
  bytes.includes('endobj') && (bytes.includes('%%EOF') || bytes.includes('startxref'))

const PAGE = /\/Type\s{0,8}\/Page\b(?!s)/g

/** Pages, counted where their objects can be read. */
export function pagesOf(bytes: Buffer): number {
  const plain = countPages(bytes.toString('latin1'))
  const packed = [...streamsOf(bytes)].filter(({ dictionary }) => dictionary.includes('/ObjStm'))
  return packed.reduce((total, { content }) => total + countPages(content()), plain)
}

const countPages = (text: string): number => [...text.matchAll(PAGE)].length

/** Characters of all pages together that are looked at. */
const MOST_CONTENT = 4 * 1024 * 1024

/** Whether the text of a file needs a password; the key stands in the trailer. */
export const isEncrypted = (bytes: Buffer): boolean => bytes.includes('/Encrypt')

/** The contents of pages, in the order they lie in the file. Those that hold no text are left out. */
export function pageContentsOf(bytes: Buffer): string[] {
  const pages: string[] = []
  if (isEncrypted(bytes)) return pages
  let left = MOST_CONTENT
  for (const { dictionary, content } of streamsOf(bytes)) {
    if (left <= 0) break
    if (NO_PAGE.test(dictionary)) continue
    const page = content().slice(0, left)
    if (!page.includes('BT') || !page.includes('ET')) continue
    left -= page.length
    pages.push(page)
  }
  return pages
}

/** Streams that are something else than what a page shows. */
const NO_PAGE = /\/(Image|XRef|ObjStm|Metadata|Length1|FunctionType)\b/

interface Stream {
  readonly dictionary: string
  /** Latin-1; empty when it cannot be read. */
  readonly content: () => string
}

function* streamsOf(bytes: Buffer): Generator<Stream> {
  const budget = { left: MOST_INFLATED }
  let after = 0
  for (let nth = 0; nth < MOST_STREAMS; nth++) {
    const at = bytes.indexOf('stream', after)
    if (at === -1) return
    const start = at + 'stream'.length + (bytes[at + 6] === 13 ? 2 : 1)
    const end = bytes.indexOf('endstream', start)
    if (end === -1) return
    const before = bytes.toString('latin1', Math.max(after, at - LONGEST_DICTIONARY), at)
    const dictionary = before.slice(Math.max(0, before.lastIndexOf(' obj')))
    after = end + 'endstream'.length
    yield { dictionary, content: () => read(dictionary, bytes.subarray(start, end), budget) }
  }
}

function read(dictionary: string, body: Buffer, budget: { left: number }): string {
  const filters = [...dictionary.matchAll(/\/(\w+Decode)\b/g)].map(([, name]) => name)
  if (filters.length === 0) return body.toString('latin1')
  if (filters.length > 1 || filters[0] !== 'FlateDecode' || budget.left <= 0) return ''
  try {
    const inflated = inflateSync(body, { maxOutputLength: budget.left })
    budget.left -= inflated.length
    return inflated.toString('latin1')
  } catch (error) {
    // A stream that exceeds the budget uses it up.
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') budget.left = 0
    return ''
  }
}
