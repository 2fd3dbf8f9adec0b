import type { ReadHeader } from './credentials.ts'

/** The fields of a form: text or `File`, a repeated field as a list. What is no form at all has no fields. */
export async function readForm(body: ArrayBuffer, header: ReadHeader): Promise<Record<string, unknown>> {
  const contentType = header('content-type') ?? ''
  const fields: Record<string, unknown> = {}
  if (!/^(multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(contentType)) return fields
  let form: FormData
  try {
    form = await new Response(body, { headers: { 'content-type': contentType } }).formData()
  } catch {
    return fields
  }
  for (const name of new Set(form.keys())) {
    const values = form.getAll(name)
    fields[name] = values.length === 1 ? values[0] : values
  }
  return fields
}
