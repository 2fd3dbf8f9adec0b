import { Problem } from '../../kernel/problem.ts'
import { runInSlices } from '../../kernel/slices.ts'
import type { WorldParts } from '../../world/world.ts'
import { faultOfImage } from './images.ts'
import type { PdfContent } from './pdf.ts'
import { type Report, readReport } from './rows.ts'

const MEBIBYTE = 1024 * 1024

/** Limits of an upload. Source: contract/lab-testing.md §16, README.md #45. */
export const limits = {
  spec: { fileBytes: 10 * MEBIBYTE, totalBytes: 30 * MEBIBYTE, images: 8, pdfPages: 30 },
  live: { fileBytes: 30 * MEBIBYTE, totalBytes: 30 * MEBIBYTE, images: 8, pdfPages: 30 },
} as const
export type Limits = (typeof limits)[keyof typeof limits]

/** The maximum size of a request, in bytes, regardless of the file limit. */
export const MAX_BODY_BYTES = 31_981_568

export type MediaType = 'application/pdf' | 'image/jpeg' | 'image/png'

export interface Upload {
  readonly name: string
  readonly type: MediaType
  readonly bytes: Buffer
  /** The content, if the file is a PDF. */
  readonly pdf?: PdfContent
  /** The report in its text. */
  readonly report?: Report
}

/** Reads and validates the files of a request. */
export async function readUploads(
  files: readonly File[],
  limit: Limits,
  parts: WorldParts,
): Promise<Upload[]> {
  if (files.length > limit.images) throw badRequest(`At most ${limit.images} files can be uploaded together`)
  const tooLong = files.find((file) => file.size > limit.fileBytes)
  if (tooLong) {
    throw new Problem('too_large', `File ${tooLong.name} is larger than ${limit.fileBytes / MEBIBYTE} MB`)
  }
  if (files.reduce((total, { size }) => total + size, 0) > limit.totalBytes) {
    throw new Problem('too_large', `The files together are larger than ${limit.totalBytes / MEBIBYTE} MB`)
  }
  const uploads = await Promise.all(files.map(readUpload))
  if (uploads.length > 1 && uploads.some(({ type }) => type === 'application/pdf')) {
    throw badRequest('A PDF must be uploaded alone; only images can be merged')
  }
  return Promise.all(uploads.map((upload) => readContent(upload, limit, parts)))
}

async function readUpload(file: File): Promise<Upload> {
  const bytes = Buffer.from(await file.arrayBuffer())
  if (bytes.length === 0) throw badRequest(`File ${file.name} is empty`)
  const type = typeOf(bytes)
  if (!type) throw badRequest('Unsupported file type. Only PDF, JPEG and PNG files are supported')
  const declared = file.type.split(';')[0]?.trim().toLowerCase() ?? ''
  if (!undeclared.has(declared) && (otherNames[declared] ?? declared) !== type) {
    throw badRequest(`File ${file.name} is declared as ${declared} but its content is ${type}`)
  }
  return { name: file.name, type, bytes }
}

/** Media types of clients that do not know the type; some libraries use `text/plain` for every part. */
const undeclared: ReadonlySet<string> = new Set(['', 'application/octet-stream', 'text/plain'])
const otherNames: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'application/x-pdf': 'application/pdf',
}

/** The type by the first bytes; a PDF may have other bytes before its header. */
function typeOf(bytes: Buffer): MediaType | undefined {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg'
  if (bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n') return 'image/png'
  return bytes.subarray(0, 1024).includes('%PDF-') ? 'application/pdf' : undefined
}

async function readContent(
  upload: Upload,
  limit: Limits,
  { catalogue, pdfReader }: WorldParts,
): Promise<Upload> {
  const { name, type, bytes } = upload
  if (type !== 'application/pdf') {
    if (faultOfImage(type, bytes)) throw badRequest(`File ${name} could not be decoded as an image`)
    return upload
  }
  const pdf = await pdfReader.read({ bytes, maxPages: limit.pdfPages })
  if ('failure' in pdf && pdf.failure === 'corrupt') {
    throw badRequest(`File ${name} is corrupt or is not a valid PDF`)
  }
  if ('pages' in pdf && pdf.pages > limit.pdfPages) {
    throw badRequest(`File ${name} has more than ${limit.pdfPages} pages`)
  }
  if ('failure' in pdf) return { ...upload, pdf }
  return { ...upload, pdf, report: await runInSlices(readReport(catalogue, pdf.lines)) }
}

const badRequest = (detail: string) => new Problem('bad_request', detail)
