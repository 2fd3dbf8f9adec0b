/** The text the service shows in place of a secret. */
export const MASK = '**********'

/** The password in a URI. */
const PASSWORD = /(:\/\/[^\s/:@]*:)[^\s@]*@/g
const KEY = /\b((?:SharedAccess|Account)(?:Key|Signature)=)[^;]*/gi

/** A value with masked secrets. Petri never connects to these destinations, so it stores none. */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(PASSWORD, `$1${MASK}@`).replace(KEY, `$1${MASK}`)
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withoutSecrets(field)]))
}
