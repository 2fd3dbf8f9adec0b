import { deflateSync } from 'node:zlib'
import type { Answer, TestPetri } from './petri.ts'
import { KEY } from './petri.ts'
import { checkReply } from './replies.ts'

/** A cell of a report: its text and where it stands, in points. */
export type Cell = readonly [text: string, x: number, y: number]

const escaped = (text: string) => text.replace(/[()\\]/g, '\\$&')

/** What a page shows, as a PDF writes it. */
export const pageOf = (cells: readonly Cell[]): string =>
  ['BT /F1 10 Tf', ...cells.map(([text, x, y]) => `1 0 0 1 ${x} ${y} Tm (${escaped(text)}) Tj`), 'ET'].join(
    '\n',
  )

/** A small PDF of these page contents. */
export function pdfOf(contents: readonly string[], { deflate = true } = {}): Buffer {
  const parts: (string | Buffer)[] = ['%PDF-1.7\n']
  contents.forEach((content, at) => {
    const body = deflate ? deflateSync(Buffer.from(content, 'latin1')) : Buffer.from(content, 'latin1')
    const filter = deflate ? ' /Filter /FlateDecode' : ''
    parts.push(`${at * 2 + 10} 0 obj\n<< /Type /Page /Parent 2 0 R /Contents ${at * 2 + 11} 0 R >>\nendobj\n`)
    parts.push(
      `${at * 2 + 11} 0 obj\n<< /Length ${body.length}${filter} >>\nstream\n`,
      body,
      '\nendstream\nendobj\n',
    )
  })
  parts.push('2 0 obj\n<< /Type /Pages >>\nendobj\ntrailer\n<< /Root 1 0 R >>\nstartxref\n0\n%%EOF\n')
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))
}

/** One black pixel. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** The frame of a picture, without anything to see. */
export const jpeg = Buffer.concat([
  Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0]),
  Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0]),
  Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 0x3f, 0, 0x12, 0x34, 0xff, 0xd9]),
])

export interface TestFile {
  readonly name: string
  readonly bytes: Buffer
  readonly type?: string
}

/** Uploads files as a form. */
export async function upload(
  petri: TestPetri,
  files: readonly TestFile[],
  fields: Record<string, string>,
): Promise<Answer> {
  const form = new FormData()
  for (const { name, bytes, type = '' } of files) {
    form.append('file', new Blob([new Uint8Array(bytes)], { type }), name)
  }
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const path = '/lab_report/v1/parser/job'
  const response = await petri.petri.app.request(path, {
    method: 'POST',
    headers: { 'x-service-api-key': KEY },
    body: form,
  })
  const body = (await response.json()) as Answer['body']
  checkReply(petri.petri.operations, 'POST', path, response.status, body)
  return { status: response.status, body, headers: response.headers }
}
