interface Entry {
  readonly loc?: readonly unknown[]
  readonly msg?: string
  readonly ctx?: { readonly line?: number; readonly file?: string }
}

/** The `detail` of an error as text: one line for each problem, with its location. */
export function detailText(detail: unknown): string {
  if (typeof detail === 'string') return detail
  if (Array.isArray(detail)) return detail.map(entryText).join('\n')
  const { error_message: message } = (detail ?? {}) as { readonly error_message?: unknown }
  return typeof message === 'string' ? message : JSON.stringify(detail)
}

function entryText({ loc = [], msg = '', ctx }: Entry): string {
  const where = ctx?.line === undefined ? loc.slice(1).join('.') : `${ctx.file}:${ctx.line}`
  const text = msg.replace(/^Value error, /, '')
  return where ? `${where}: ${text}` : text
}
