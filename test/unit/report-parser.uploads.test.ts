import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { PdfReader, PdfTask } from '../../src/resources/report-parser/pdf-reader.ts'
import { limits, MAX_BODY_BYTES, readUploads } from '../../src/resources/report-parser/upload.ts'
import { startTestWorld } from '../support/petri.ts'
import { jpeg, png } from '../support/reports.ts'

const MEBIBYTE = 1024 * 1024
const pdf = Buffer.from('%PDF-1.7\n')

type Content = Awaited<ReturnType<PdfReader['read']>>

/** Reads files in a world whose PDFs have this content; `tasks` are the PDFs that were read. */
async function reading(content: Content = { pages: 1, lines: [] }, limit: keyof typeof limits = 'spec') {
  const world = (await startTestWorld()).world()
  const tasks: PdfTask[] = []
  const reader: Pick<PdfReader, 'read'> = {
    read: async (task) => {
      tasks.push(task)
      return content
    },
  }
  Object.assign(world.services, { pdfReader: reader as PdfReader })
  return { tasks, read: (...files: File[]) => readUploads(files, limits[limit], world) }
}

const fileOf = (bytes: Buffer, { name = 'a', type = '' } = {}) =>
  new File([new Uint8Array(bytes)], name, { type })
const refusalOf = (kind: string, message: string) => expect.objectContaining({ kind, message })
const NO_TYPE = 'Unsupported file type. Only PDF, JPEG and PNG files are supported'

describe('the size of an upload', () => {
  const mebibyte = new Blob([new Uint8Array(MEBIBYTE)])
  /** A file of zeros. */
  const zeros = (mebibytes: number, more = 0) =>
    new File([...Array.from({ length: mebibytes }, () => mebibyte), new Uint8Array(more)], 'a')

  it.each([
    ['spec', 'a file of 10 MiB', [zeros(10)], 'bad_request', NO_TYPE],
    ['spec', 'a file of a byte more', [zeros(1), zeros(10, 1)], 'too_large', 'File a is larger than 10 MB'],
    ['spec', 'files of 30 MiB', [zeros(10), zeros(10), zeros(10)], 'bad_request', NO_TYPE],
    [
      'spec',
      'files of a byte more',
      [zeros(10), zeros(10), zeros(10), zeros(0, 1)],
      'too_large',
      'The files together are larger than 30 MB',
    ],
    ['live', 'a file of 11 MiB', [zeros(11)], 'bad_request', NO_TYPE],
    ['live', 'a file of 30 MiB and a byte', [zeros(30, 1)], 'too_large', 'File a is larger than 30 MB'],
  ] as const)('by the limits "%s" of %s', async (limit, _, files, kind, message) => {
    const { read } = await reading(undefined, limit)
    await expect(read(...files)).rejects.toEqual(refusalOf(kind, message))
  })

  it('leaves room in the request for what the form adds to the files', () => {
    expect(MAX_BODY_BYTES).toBeGreaterThan(30 * MEBIBYTE)
  })
})

describe('the type of a file', () => {
  it.each([
    ['three bytes of a JPEG', Buffer.from([0xff, 0xd8, 0xff]), 'File a could not be decoded as an image'],
    ['two bytes of a JPEG', Buffer.from([0xff, 0xd8]), NO_TYPE],
    ['another third byte', Buffer.from([0xff, 0xd8, 0xfe]), NO_TYPE],
    ['the signature of a PNG', png.subarray(0, 8), 'File a could not be decoded as an image'],
    ['a part of the signature of a PNG', png.subarray(0, 7), NO_TYPE],
    ['a PDF without its version', Buffer.from('%PDF'), NO_TYPE],
    ['a PDF that begins too late', Buffer.concat([Buffer.alloc(1020), pdf]), NO_TYPE],
    ['nothing', Buffer.alloc(0), 'File a is empty'],
  ])('is told by its first bytes: %s', async (_, bytes, refusal) => {
    const { read } = await reading()
    await expect(read(fileOf(bytes))).rejects.toEqual(refusalOf('bad_request', refusal))
  })

  it('is a PDF where its header is within the first 1024 bytes', async () => {
    const { read } = await reading()
    const late = Buffer.concat([Buffer.alloc(1019), pdf])
    expect((await read(fileOf(late))).files).toMatchObject([{ type: 'application/pdf', bytes: late }])
  })

  it.each([
    ['', jpeg, 'image/jpeg'],
    ['text/plain', png, 'image/png'],
    ['application/octet-stream', pdf, 'application/pdf'],
    ['image/jpg', jpeg, 'image/jpeg'],
    ['image/pjpeg', jpeg, 'image/jpeg'],
    ['IMAGE/JPEG ; q=1', jpeg, 'image/jpeg'],
    ['image/png', png, 'image/png'],
    ['application/x-pdf', pdf, 'application/pdf'],
    ['application/pdf;charset=binary', pdf, 'application/pdf'],
  ])('may be declared as "%s"', async (declared, bytes, type) => {
    const { read } = await reading()
    const [uploaded] = (await read(fileOf(bytes, { name: 'scan', type: declared }))).files
    expect(uploaded).toMatchObject({ name: 'scan', type, bytes })
  })

  it.each([
    ['image/jpg', png, 'image/jpg', 'image/png'],
    ['image/webp', jpeg, 'image/webp', 'image/jpeg'],
    ['Application/PDF; q=1', jpeg, 'application/pdf', 'image/jpeg'],
    ['application/x-pdf', png, 'application/x-pdf', 'image/png'],
    ['text/html', pdf, 'text/html', 'application/pdf'],
  ])('may not be declared as "%s" where it is not that', async (type, bytes, declared, found) => {
    const { read } = await reading()
    const message = `File scan is declared as ${declared} but its content is ${found}`
    await expect(read(fileOf(bytes, { name: 'scan', type }))).rejects.toEqual(
      refusalOf('bad_request', message),
    )
  })
})

describe('several files', () => {
  it('are images, up to eight, in their order', async () => {
    const { read } = await reading()
    const images = Array.from({ length: 8 }, (_, nth) => fileOf(png, { name: `page ${nth}` }))
    const { files } = await read(...images)
    expect(files.map(({ name }) => name)).toEqual(images.map(({ name }) => name))
    expect(files.every((upload) => !('pdf' in upload))).toBe(true)
    await expect(read(...images, fileOf(png))).rejects.toEqual(
      refusalOf('bad_request', 'At most 8 files can be uploaded together'),
    )
  })

  it('have the hash of their bytes one after the other', async () => {
    const { read } = await reading()
    const { hash } = await read(fileOf(png), fileOf(jpeg))
    expect(hash).toBe(createHash('sha256').update(png).update(jpeg).digest('hex'))
    expect((await read(fileOf(jpeg), fileOf(png))).hash).not.toBe(hash)
  })

  it('are refused where one is a PDF, which is not read', async () => {
    const { read, tasks } = await reading()
    for (const files of [
      [fileOf(png), fileOf(pdf)],
      [fileOf(pdf), fileOf(png)],
    ]) {
      await expect(read(...files)).rejects.toEqual(
        refusalOf('bad_request', 'A PDF must be uploaded alone; only images can be merged'),
      )
    }
    expect(tasks).toEqual([])
  })
})

describe('the content of a PDF', () => {
  it('is read up to 30 pages, with the report in its text', async () => {
    const lines = ['Patient: Ada Example', 'Glucose 90 mg/dL 70-99']
    const { read, tasks } = await reading({ pages: 30, lines })
    const [uploaded] = (await read(fileOf(pdf))).files
    expect(tasks).toEqual([{ bytes: pdf, maxPages: 30 }])
    expect(uploaded).toMatchObject({
      pdf: { pages: 30, lines },
      report: {
        metadata: { patient_first_name: 'Ada' },
        results: [{ test_name: 'Glucose', value: '90' }],
      },
    })
  })

  it.each([
    [{ failure: 'corrupt' }, 'File a is corrupt or is not a valid PDF'],
    [{ pages: 31, lines: [] }, 'File a has more than 30 pages'],
  ] as const)('%j is refused', async (content, message) => {
    const { read } = await reading(content)
    await expect(read(fileOf(pdf))).rejects.toEqual(refusalOf('bad_request', message))
  })

  it.each(['encrypted', 'too_large'] as const)('that is %s is left to the job', async (failure) => {
    const { read } = await reading({ failure })
    const [uploaded] = (await read(fileOf(pdf))).files
    expect(uploaded).toEqual({ name: 'a', type: 'application/pdf', bytes: pdf, pdf: { failure } })
  })
})
