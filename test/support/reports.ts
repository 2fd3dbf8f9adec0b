import { deflateSync } from 'node:zlib'
import { PDFDocument, PDFName, PDFString } from '@cantoo/pdf-lib'
import type { Answer, TestPetri } from './petri.ts'
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
  const numberOf = (page: number) => page * 2 + 10
  const kids = contents.map((_, page) => `${numberOf(page)} 0 R`).join(' ')
  const parts: (string | Buffer)[] = [
    '%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n',
    `2 0 obj\n<< /Type /Pages /Kids [${kids}] /Count ${contents.length} /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> >>\nendobj\n`,
    '3 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\n',
  ]
  contents.forEach((content, page) => {
    const body = deflate ? deflateSync(Buffer.from(content, 'latin1')) : Buffer.from(content, 'latin1')
    const filter = deflate ? ' /Filter /FlateDecode' : ''
    const at = numberOf(page)
    parts.push(`${at} 0 obj\n<< /Type /Page /Parent 2 0 R /Contents ${at + 1} 0 R >>\nendobj\n`)
    parts.push(`${at + 1} 0 obj\n<< /Length ${body.length}${filter} >>\nstream\n`, body)
    parts.push('\nendstream\nendobj\n')
  })
  parts.push('trailer\n<< /Root 1 0 R >>\nstartxref\n0\n%%EOF\n')
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))
}

/** A PDF whose font has codes of two bytes, which only its ToUnicode map translates; `password` encrypts it. */
export async function twoBytePdf(cells: readonly Cell[], password?: string): Promise<Buffer> {
  const document = await PDFDocument.create()
  const letters = [...new Set(cells.flatMap(([text]) => [...text]))]
  const hex = (number: number) => number.toString(16).padStart(4, '0')
  // The codes have nothing to do with the letters, as in the subset of a font.
  const codeOf = (letter: string) => hex(letters.indexOf(letter) + 3)
  const map = letters.map((letter) => `<${codeOf(letter)}> <${hex(letter.charCodeAt(0))}>`)
  const cmap = [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Sample def /CMapType 2 def',
    '1 begincodespacerange <0000> <ffff> endcodespacerange',
    `${map.length} beginbfchar ${map.join('\n')} endbfchar`,
    'endcmap end end',
  ].join('\n')
  const { context } = document
  const font = context.obj({
    Type: 'Font',
    Subtype: 'Type0',
    BaseFont: 'Sample',
    Encoding: 'Identity-H',
    ToUnicode: context.register(context.flateStream(cmap)),
    DescendantFonts: [
      {
        Type: 'Font',
        Subtype: 'CIDFontType2',
        BaseFont: 'Sample',
        CIDSystemInfo: { Registry: PDFString.of('Adobe'), Ordering: PDFString.of('Identity'), Supplement: 0 },
        DW: 500,
        FontDescriptor: { Type: 'FontDescriptor', FontName: 'Sample', Flags: 4, ItalicAngle: 0 },
      },
    ],
  })
  const page = document.addPage([612, 792])
  page.node.setFontDictionary(PDFName.of('F1'), context.register(font))
  const shown = cells.map(([text, x, y]) => `1 0 0 1 ${x} ${y} Tm <${[...text].map(codeOf).join('')}> Tj`)
  const content = ['BT /F1 10 Tf', ...shown, 'ET'].join('\n')
  page.node.addContentStream(context.register(context.flateStream(content)))
  if (password !== undefined) document.encrypt({ userPassword: password, ownerPassword: password })
  return Buffer.from(await document.save())
}

/** A PDF that shows a picture and no text, as a scanner makes it. */
export async function scannedPdf(): Promise<Buffer> {
  const document = await PDFDocument.create()
  const picture = await document.embedPng(png)
  document.addPage([612, 792]).drawImage(picture, { x: 0, y: 0, width: 612, height: 792 })
  return Buffer.from(await document.save())
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
    headers: { 'x-service-api-key': petri.key },
    body: form,
  })
  const body = (await response.json()) as Answer['body']
  checkReply(petri.petri.operations, 'POST', path, response.status, body)
  return { status: response.status, body, headers: response.headers }
}
