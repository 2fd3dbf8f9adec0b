/** The text that replaces a secret. */
export const REDACTED = '[redacted]'

const SECRET_HEADER = /(?<!idempotency-)key$|token|secret|authorization|cookie|password/
const SECRET_FIELD =
  /^([\w-]+[_-])?(token|secret|password|passcode|api[_-]?key|mfa_code|authorization|cookie)s?$|^key$/i
/** API and management keys, codes for apps, webhook secrets, link and access tokens, anywhere in a text. */
const SECRET_WORD =
  /\b(?:sk|pk)_[a-z]{2}_[\w-]{4,}|\b(?:sk|pk)(?:us|eu)[0-9a-f]{8}\b|\bmg_[\w-]{4,}|\bwhsec_[A-Za-z0-9+/=_-]{8,}|\blt_[0-9a-f]{32}[A-Za-z0-9]{32}\b|(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{20,}/g
/** Query parameters that contain a secret. */
const SECRET_PARAMETER =
  /([?&](?:token|api_key|access_token|refresh_token|link_token|password|secret|mfa_code|code)=)[^&#"'\s<>\\]+/gi

/** The password in a URL with user information. */
const SECRET_IN_ADDRESS = /(:\/\/[^\s/?#@:"'<>\\]{0,200}:)[^\s/?#@"'<>\\]{1,200}@/g
/** A field in incomplete JSON, which remains text. */
const SECRET_IN_PIECE =
  /("(?:[\w-]{0,40}[_-])?(?:token|secret|password|passcode|api[_-]?key|mfa_code|authorization)s?"\s{0,4}:\s{0,4}")[^"\\]+/gi

export const isSecretHeader = (name: string): boolean => SECRET_HEADER.test(name.toLowerCase())

/** The length below which a key is a placeholder such as `test`, which other texts contain as well. */
const SHORTEST_SECRET = 8

/** Redacts all secrets in a text; `known` are secrets of any form. */
export function redactText(text: string, known: readonly string[] = []): string {
  let safe = text
    .replace(SECRET_WORD, REDACTED)
    .replace(SECRET_PARAMETER, `$1${REDACTED}`)
    .replace(SECRET_IN_ADDRESS, `$1${REDACTED}@`)
    .replace(SECRET_IN_PIECE, `$1${REDACTED}`)
  for (const secret of known) if (secret.length >= SHORTEST_SECRET) safe = safe.replaceAll(secret, REDACTED)
  return safe
}

/** Redacts all secrets in a JSON value, and the values of fields with the name of a secret. */
export function redactValue(value: unknown, known: readonly string[] = []): unknown {
  if (typeof value === 'string') return redactText(value, known)
  if (Array.isArray(value)) return value.map((item) => redactValue(item, known))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const isSecret = SECRET_FIELD.test(name) && (typeof field === 'string' || typeof field === 'number')
      return [redactText(name, known), isSecret ? REDACTED : redactValue(field, known)]
    }),
  )
}

/** Matches every text that one of the patterns above matches. */
const SECRET_SIGN =
  /[sp]k(?:_|us|eu)|[?&]code=|mg_|whsec_|lt_|eyJ|:\/\/[^"@]*@|token|secret|password|passcode|key|mfa_code|authorization|cookie/i

/**
 * Serialises a JSON value without secrets. Most values have none, and testing the text is ten times as fast as
 * testing each field.
 */
export function writeRedacted(value: unknown, known: readonly string[] = []): string {
  const text = JSON.stringify(value)
  const isSuspect = SECRET_SIGN.test(text) || known.some((secret) => text.includes(inJson(secret)))
  return isSuspect ? JSON.stringify(redactValue(value, known)) : text
}

export const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

export function redactHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  known: readonly string[] = [],
): Record<string, string> {
  const safe: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue
    const text = typeof value === 'string' ? value : value.join(', ')
    safe[name] = isSecretHeader(name) ? REDACTED : redactText(text, known)
  }
  return safe
}
