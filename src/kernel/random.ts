/** Made-up data as functions of their key: equal seed and key give the equal value, in any order, on any machine. */
export interface Random {
  /** A number in [0, 1). */
  noise(key: string): number
  /** A whole number from `low` to `high`, both included. */
  integer(key: string, low: number, high: number): number
  pick<Item>(key: string, items: readonly [Item, ...Item[]]): Item
  pick<Item>(key: string, items: readonly Item[]): Item | undefined
  /** A version 4 UUID. */
  uuid(key: string): string
  /** `length` letters of `alphabet`. */
  letters(key: string, alphabet: string, length: number): string
  /** An independent source. */
  fork(label: string): Random
}

export const DIGITS = '0123456789'
export const UPPER_ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
export const BASE62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export function createRandom(seed: string): Random {
  const words = (key: string) => hash128(`${seed}/${key}`)
  const noise = (key: string) => words(key)[0] / 2 ** 32
  return {
    noise,
    integer: (key, low, high) => low + Math.floor(noise(key) * (high - low + 1)),
    // biome-ignore lint/suspicious/noExplicitAny: the overloads above say what it gives back.
    pick: (key: string, items: readonly any[]) => items[Math.floor(noise(key) * items.length)],
    uuid: (key) => toUuid(words(key)),
    letters(key, alphabet, length) {
      const lanes = absorb(START, `${seed}/${key}/`)
      let word = ''
      for (let at = 0; at < length; at++) {
        const [first] = finishLanes(absorb(lanes, String(at)))
        word += alphabet[Math.floor((first / 2 ** 32) * alphabet.length)]
      }
      return word
    },
    fork: (label) => createRandom(`${seed}/${label}`),
  }
}

type Words = readonly [number, number, number, number]

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const hex = (byte: number) => HEX[byte & 255] as string

function toUuid([a, b, c, d]: Words): string {
  const w = (word: number) => hex(word >>> 24) + hex(word >>> 16) + hex(word >>> 8) + hex(word)
  const version = (b & 0xffff0fff) | 0x4000
  const variant = (c & 0x3fffffff) | 0x80000000
  const [left, right] = [w(version), w(variant)]
  return `${w(a)}-${left.slice(0, 4)}-${left.slice(4)}-${right.slice(0, 4)}-${right.slice(4)}${w(d)}`
}

/** Four multiply-and-rotate lanes over the key's characters, mixed at the end; not cryptographic, and need not be. */
const hash128 = (key: string): Words => finishLanes(absorb(START, key))

const START: Words = [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344]

function absorb([a, b, c, d]: Words, text: string): Words {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    a = b ^ Math.imul(a ^ code, 0x2545f491)
    b = c ^ Math.imul(b ^ code, 0x9e3779b1)
    c = d ^ Math.imul(c ^ code, 0x85ebca77)
    d = a ^ Math.imul(d ^ code, 0xc2b2ae3d)
  }
  return [a, b, c, d]
}

function finishLanes([a, b, c, d]: Words): Words {
  a = Math.imul(c ^ (a >>> 18), 0x2545f491)
  b = Math.imul(d ^ (b >>> 22), 0x9e3779b1)
  c = Math.imul(a ^ (c >>> 17), 0x85ebca77)
  d = Math.imul(b ^ (d >>> 19), 0xc2b2ae3d)
  const all = a ^ b ^ c ^ d
  return [finish(all), finish(b ^ all), finish(c ^ all), finish(d ^ all)]
}

function finish(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x7feb352d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
