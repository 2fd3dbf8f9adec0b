import { Problem } from '../kernel/problem.ts'

/** The most fields and files of a form; a common limit of servers. */
const MAX_PARTS = 1000

const BOUNDARY = /boundary=(?:"([^"]+)"|([^\s;"]+))/i

/** The fields of a form: text or `File`, a repeated field as a list. A body that is no form has no fields. */
export async function readForm(
  body: Uint8Array<ArrayBuffer>,
  contentType = '',
): Promise<Record<string, unknown>> {
  if (!/^(multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(contentType)) return {}
  if (/^multipart/i.test(contentType) && !BOUNDARY.test(contentType))
    throw new Problem('bad_request', 'Missing boundary in multipart.')
  assertFewParts(body, contentType)
  let form: FormData
  try {
    form = await new Response(body, { headers: { 'content-type': contentType } }).formData()
  } catch {
    return {}
  }
  const values = new Map<string, unknown[]>()
  for (const [name, value] of form) {
    const known = values.get(name)
    if (known) known.push(value)
    else values.set(name, [value])
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all]))
}

/** Counts the parts before parsing, because many small parts take far more time than their length suggests. */
function assertFewParts(body: Uint8Array<ArrayBuffer>, contentType: string): void {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const [, quoted, bare] = BOUNDARY.exec(contentType) ?? []
  const separator = /^multipart/i.test(contentType) ? `--${quoted ?? bare ?? ''}` : '&'
  let parts = 0
  for (let at = bytes.indexOf(separator); at !== -1; at = bytes.indexOf(separator, at + separator.length)) {
    if (++parts > MAX_PARTS + 1)
      throw new Problem('bad_request', `Too many fields. Maximum number of fields is ${MAX_PARTS}.`)
  }
}
