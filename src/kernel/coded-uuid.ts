import type { Random } from './random.ts'
import { hyphenated } from './uuid.ts'

/** The number of hexadecimal digits that a coded UUID contains; the others are a check value. */
export const CODED_DIGITS = 13
const CHECK_DIGITS = 32 - CODED_DIGITS

/** What a coded UUID is for: UUIDs of different kinds do not contain the same digits. */
export interface CodedFor {
  readonly family: string
  readonly kind: string
}

/** A UUID that contains `CODED_DIGITS` hexadecimal digits, so that they can be read from it without being stored. */
export function codedUuid(random: Random, { family, kind }: CodedFor, digits: string): string {
  const check = digitsOf(random.uuid(`${family}/${kind}/${digits}`)).slice(0, CHECK_DIGITS)
  return hyphenated(check + obfuscated(random, `${family}/mask/${check}`, digits))
}

/** The digits in a coded UUID; undefined when this source did not make it for this. */
export function readCodedUuid(random: Random, what: CodedFor, id: string): string | undefined {
  const hex = digitsOf(id)
  if (!/^[0-9a-f]{32}$/.test(hex)) return undefined
  const check = hex.slice(0, CHECK_DIGITS)
  const digits = obfuscated(random, `${what.family}/mask/${check}`, hex.slice(CHECK_DIGITS))
  return codedUuid(random, what, digits) === id ? digits : undefined
}

const digitsOf = (id: string) => id.replaceAll('-', '')

/** Obfuscates digits, and reverses it. */
function obfuscated(random: Random, key: string, digits: string): string {
  const mask = digitsOf(random.uuid(key)).slice(-CODED_DIGITS)
  return (BigInt(`0x${digits}`) ^ BigInt(`0x${mask}`)).toString(16).padStart(CODED_DIGITS, '0')
}
