import { DAY_MS } from '../../kernel/instant.ts'
import type { Random } from '../../kernel/random.ts'

/** The key of a session, from which the session can be generated. */
export interface SessionKey {
  readonly kind: 'workout' | 'sleep'
  /** The connection's number. */
  readonly ordinal: number
  readonly date: string
  /** Its position on the day. */
  readonly index: number
}

/** Hexadecimal digits of the key; the digits before it are a checksum, which also masks the key. */
const KEY_DIGITS = 13
const CHECK_DIGITS = 32 - KEY_DIGITS

/** A UUID that encodes its key, so that a session is found by its id without being stored. */
export function sessionId(random: Random, { kind, ordinal, date, index }: SessionKey): string {
  const day = Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS)
  const key = [[ordinal, 5] as const, [day, 6] as const, [index, 2] as const]
    .map(([part, digits]) => part.toString(16).padStart(digits, '0'))
    .join('')
  const check = digitsOf(random.uuid(`session/${kind}/${key}`)).slice(0, CHECK_DIGITS)
  const hex = check + mixed(random, check, key)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** The key of a session's id; undefined when it is not one of this world. */
export function readSessionId(random: Random, kind: SessionKey['kind'], id: string): SessionKey | undefined {
  const hex = digitsOf(id)
  const key = mixed(random, hex.slice(0, CHECK_DIGITS), hex.slice(CHECK_DIGITS))
  const instant = Number.parseInt(key.slice(5, 11), 16) * DAY_MS
  if (!(instant < 8e15)) return undefined
  const read = {
    kind,
    ordinal: Number.parseInt(key.slice(0, 5), 16),
    date: new Date(instant).toISOString().slice(0, 10),
    index: Number.parseInt(key.slice(11), 16),
  }
  return sessionId(random, read) === id ? read : undefined
}

const digitsOf = (id: string) => id.replaceAll('-', '')

/** Obfuscates a key, and reverses it. */
function mixed(random: Random, check: string, key: string): string {
  const mask = digitsOf(random.uuid(`session/mask/${check}`)).slice(-KEY_DIGITS)
  return (BigInt(`0x${key}`) ^ BigInt(`0x${mask}`)).toString(16).padStart(KEY_DIGITS, '0')
}
