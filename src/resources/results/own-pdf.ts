import { field } from '../../api/fields.ts'
import { valueError } from '../../api/issue.ts'
import { MAX_PDF_BYTES } from '../../kernel/user-file.ts'

/** Why a file is not accepted as the PDF of results; undefined if it is. */
export function whyNoPdf(bytes: Uint8Array): string | undefined {
  if (bytes.length > MAX_PDF_BYTES) return `is longer than ${MAX_PDF_BYTES} bytes`
  const isPdf = new TextDecoder('latin1').decode(bytes.subarray(0, 5)) === '%PDF-'
  return isPdf ? undefined : 'is not a PDF'
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** A PDF in Base64, with or without line breaks. */
export const pdfInBase64 = () =>
  field({ type: 'string', format: 'byte' }, (input) => {
    const text = typeof input === 'string' ? input.replace(/\s+/g, '') : ''
    if (!BASE64.test(text) || text.length % 4 !== 0) return valueError('pdf must be the Base64 of a PDF')
    const why = whyNoPdf(Buffer.from(text, 'base64'))
    return why === undefined ? text : valueError(`the file in pdf ${why}`)
  })
