import { createHash, type Hash } from 'node:crypto'
import zlib from 'node:zlib'
import { byName } from '../../kernel/fields.ts'
import { badRequest, Problem } from '../../kernel/problem.ts'
import { runInSlices, Slices } from '../../kernel/slices.ts'
import type { World } from '../../world/world.ts'
import type { PdfContent } from './pdf.ts'
import { type LabReport, readReport } from './read-report.ts'

const MEBIBYTE = 1024 * 1024

/** Limits of an upload. Source: docs/contract/report-parser.md. */
export const limits = {
  spec: { fileBytes: 10 * MEBIBYTE, totalBytes: 30 * MEBIBYTE, images: 8, pdfPages: 30 },
  live: { fileBytes: 30 * MEBIBYTE, totalBytes: 30 * MEBIBYTE, images: 8, pdfPages: 30 },
} as const
type Limits = (typeof limits)[keyof typeof limits]

/** The maximum size of a request, in bytes, regardless of the file limit. */
export const MAX_BODY_BYTES = 31_981_568

type MediaType = 'application/pdf' | 'image/jpeg' | 'image/png'

export interface Upload {
  readonly name: string
  readonly type: MediaType
  readonly bytes: Buffer
  /** The content, if the file is a PDF. */
  readonly pdf?: PdfContent
  /** The report in its text. */
  readonly report?: LabReport
}

export interface Uploads {
  readonly files: readonly [Upload, ...Upload[]]
  /** SHA-256 of their bytes one after the other, in hexadecimal. */
  readonly hash: string
}

/** Reads and validates the files of a request. */
export async function readUploads(files: readonly File[], limit: Limits, world: World): Promise<Uploads> {
  if (files.length > limit.images) throw badRequest(`At most ${limit.images} files can be uploaded together`)
  const tooLong = files.find((file) => file.size > limit.fileBytes)
  if (tooLong) {
    throw new Problem('too_large', `File ${tooLong.name} is larger than ${limit.fileBytes / MEBIBYTE} MB`)
  }
  if (files.reduce((total, { size }) => total + size, 0) > limit.totalBytes) {
    throw new Problem('too_large', `The files together are larger than ${limit.totalBytes / MEBIBYTE} MB`)
  }
  const hash = createHash('sha256')
  const uploads: Upload[] = []
  for (const file of files) uploads.push(await readUpload(file, hash))
  if (uploads.length > 1 && uploads.some(({ type }) => type === 'application/pdf')) {
    throw badRequest('A PDF must be uploaded alone; only images can be merged')
  }
  const read = await Promise.all(uploads.map((upload) => readContent(upload, limit, world)))
  return { files: read as [Upload, ...Upload[]], hash: hash.digest('hex') }
}

async function readUpload(file: File, hash: Hash): Promise<Upload> {
  const bytes = await readBytes(file, hash)
  if (bytes.length === 0) throw badRequest(`File ${file.name} is empty`)
  const type = typeOf(bytes)
  if (!type) throw badRequest('Unsupported file type. Only PDF, JPEG and PNG files are supported')
  const declared = file.type.split(';')[0]?.trim().toLowerCase() ?? ''
  if (!undeclared.has(declared) && (otherNames[declared] ?? declared) !== type) {
    throw badRequest(`File ${file.name} is declared as ${declared} but its content is ${type}`)
  }
  return { name: file.name, type, bytes }
}

/** Piece by piece, because copying 10 MB at once can take longer than other requests should wait. */
async function readBytes(file: File, hash: Hash): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(file.size)
  const slices = new Slices()
  let length = 0
  for await (const piece of file.stream()) {
    bytes.set(piece, length)
    hash.update(piece)
    length += piece.length
    if (slices.isOver) await slices.next()
  }
  return bytes
}

/** Media types of clients that do not know the type; some libraries use `text/plain` for every part. */
const undeclared: ReadonlySet<string> = new Set(['', 'application/octet-stream', 'text/plain'])
const otherNames = byName<string>({
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'application/x-pdf': 'application/pdf',
})

/** The type by the first bytes; a PDF may have other bytes before its header. */
function typeOf(bytes: Buffer): MediaType | undefined {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg'
  if (bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n') return 'image/png'
  return bytes.subarray(0, 1024).includes('%PDF-') ? 'application/pdf' : undefined
}

async function readContent(upload: Upload, limit: Limits, world: World): Promise<Upload> {
  const { name, type, bytes } = upload
  if (type !== 'application/pdf') {
    if (faultOfImage(type, bytes)) throw badRequest(`File ${name} could not be decoded as an image`)
    return upload
  }
  const pdf = await world.services.pdfReader.read({ bytes, maxPages: limit.pdfPages })
  if ('failure' in pdf && pdf.failure === 'corrupt') {
    throw badRequest(`File ${name} is corrupt or is not a valid PDF`)
  }
  if ('pages' in pdf && pdf.pages > limit.pdfPages) {
    throw badRequest(`File ${name} has more than ${limit.pdfPages} pages`)
  }
  if ('failure' in pdf) return { ...upload, pdf }
  return { ...upload, pdf, report: await runInSlices(readReport(world.services.catalogue, pdf.lines)) }
}

/** Why an image cannot be decoded, by its structure; undefined if it can. */
const faultOfImage = (type: 'image/png' | 'image/jpeg', bytes: Buffer): string | undefined =>
  type === 'image/png' ? faultOfPng(bytes) : faultOfJpeg(bytes)

const PNG_SIGNATURE = 8
/** Length, name and checksum of a chunk. */
const CHUNK_FRAME = 12

function faultOfPng(bytes: Buffer): string | undefined {
  let hasPixels = false
  for (let at = PNG_SIGNATURE; at + CHUNK_FRAME <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const end = at + CHUNK_FRAME + length
    const name = bytes.toString('latin1', at + 4, at + 8)
    if (end > bytes.length) return 'a chunk is cut off'
    if (zlib.crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4))
      return 'a chunk is damaged'
    if (at === PNG_SIGNATURE && (name !== 'IHDR' || !hasSize(bytes))) return 'it has no size'
    if (name === 'IDAT') hasPixels = true
    if (name === 'IEND') return hasPixels ? undefined : 'it has no pixels'
    at = end
  }
  return 'it is cut off'
}

const hasSize = (bytes: Buffer) =>
  bytes.length >= 24 && bytes.readUInt32BE(16) > 0 && bytes.readUInt32BE(20) > 0

const JPEG = { start: 0xd8, end: 0xd9, scan: 0xda }
/** Segments that give the size of the picture. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

function faultOfJpeg(bytes: Buffer): string | undefined {
  let hasFrame = false
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return 'a segment is damaged'
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker === JPEG.end) break
    if (isFrame(marker)) hasFrame = true
    if (marker === JPEG.scan) {
      return hasFrame && bytes.lastIndexOf(Buffer.from([0xff, JPEG.end])) > at ? undefined : 'it is cut off'
    }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return 'it has no picture'
}
