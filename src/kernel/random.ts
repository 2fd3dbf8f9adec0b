/** Random values as functions of a key: the same seed and key give the same value, in any order, on any machine. */
export interface Random {
  /** A number in [0, 1). */
  noise(key: string): number
  /** An integer from `low` to `high`, both included. */
  integer(key: string, low: number, high: number): number
  pick<Item>(key: string, items: readonly [Item, ...Item[]]): Item
  pick<Item>(key: string, items: readonly Item[]): Item | undefined
  /** A version 4 UUID. */
  uuid(key: string): string
  /** `length` letters of `alphabet`. */
  letters(key: string, alphabet: string, length: number): string
  /** `length` letters and digits, several from one hash: for large numbers of values. */
  base62(key: string, length: number): string
  /** An independent source. */
  fork(label: string): Random
  /** The same source for keys that all begin with `prefix`, which is hashed once. */
  within(prefix: string): Random
}

export const DIGITS = '0123456789'
export const UPPER_ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
export const BASE62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export const createRandom = (seed: string): Random => randomAfter(`${seed}/`)

/** The source whose keys are hashed after a text. */
function randomAfter(text: string): Random {
  const seeded = absorb(START, text, new Int32Array(4))
  const noise = (key: string) => firstWord(absorb(seeded, key)) / 2 ** 32
  return {
    noise,
    integer: (key, low, high) => low + Math.floor(noise(key) * (high - low + 1)),
    // biome-ignore lint/suspicious/noExplicitAny: the overloads above say what it gives back.
    pick: (key: string, items: readonly any[]) => items[Math.floor(noise(key) * items.length)],
    uuid: (key) => toUuid(finish(absorb(seeded, key))),
    letters(key, alphabet, length) {
      const keyed = absorb(seeded, `${key}/`, new Int32Array(4))
      let word = ''
      for (let at = 0; at < length; at++) {
        word += alphabet[Math.floor((firstWord(absorb(keyed, String(at))) / 2 ** 32) * alphabet.length)]
      }
      return word
    },
    base62(key, length) {
      let text = ''
      for (let part = 0; text.length < length; part++) {
        const lanes = finish(absorb(seeded, `${key}/${part}`))
        text += fiveLetters(lanes, 0) + fiveLetters(lanes, 1) + fiveLetters(lanes, 2) + fiveLetters(lanes, 3)
      }
      return text.slice(0, length)
    },
    fork: (label) => createRandom(`${text}${label}`),
    within: (prefix) => randomAfter(`${text}${prefix}`),
  }
}

const letter = (value: number) => BASE62.charCodeAt(value % 62)

/** Letters from the 32 bits of a lane, as many as it can determine. */
function fiveLetters(lanes: Lanes, at: 0 | 1 | 2 | 3): string {
  const a = lane(lanes, at) >>> 0
  const b = (a / 62) >>> 0
  const c = (b / 62) >>> 0
  const d = (c / 62) >>> 0
  return String.fromCharCode(letter(a), letter(b), letter(c), letter(d), letter((d / 62) >>> 0))
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const hex = (byte: number) => HEX[byte & 255] as string
const word = (value: number) => hex(value >>> 24) + hex(value >>> 16) + hex(value >>> 8) + hex(value)

function toUuid(lanes: Lanes): string {
  const left = word((lane(lanes, 1) & 0xffff0fff) | 0x4000)
  const right = word((lane(lanes, 2) & 0x3fffffff) | 0x80000000)
  return `${word(lane(lanes, 0))}-${left.slice(0, 4)}-${left.slice(4)}-${right.slice(0, 4)}-${right.slice(4)}${word(lane(lanes, 3))}`
}

/** Four lanes, which are multiplied and rotated for each character of the key and mixed at the end; not cryptographic. */
type Lanes = Int32Array

const lane = (lanes: Lanes, at: 0 | 1 | 2 | 3) => lanes[at] as number

const START: Lanes = Int32Array.of(0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344)
/** Reused for hashes that are not kept: a request computes dozens, and uses each immediately. */
const SCRATCH: Lanes = new Int32Array(4)

function absorb(from: Lanes, text: string, into = SCRATCH): Lanes {
  let a = lane(from, 0)
  let b = lane(from, 1)
  let c = lane(from, 2)
  let d = lane(from, 3)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    a = b ^ Math.imul(a ^ code, 0x2545f491)
    b = c ^ Math.imul(b ^ code, 0x9e3779b1)
    c = d ^ Math.imul(c ^ code, 0x85ebca77)
    d = a ^ Math.imul(d ^ code, 0xc2b2ae3d)
  }
  return store(into, a, b, c, d)
}

function store(lanes: Lanes, a: number, b: number, c: number, d: number): Lanes {
  lanes[0] = a
  lanes[1] = b
  lanes[2] = c
  lanes[3] = d
  return lanes
}

/** Mixes the lanes with each other, in place. */
function blend(lanes: Lanes): Lanes {
  const a = Math.imul(lane(lanes, 2) ^ (lane(lanes, 0) >>> 18), 0x2545f491)
  const b = Math.imul(lane(lanes, 3) ^ (lane(lanes, 1) >>> 22), 0x9e3779b1)
  const c = Math.imul(a ^ (lane(lanes, 2) >>> 17), 0x85ebca77)
  const d = Math.imul(b ^ (lane(lanes, 3) >>> 19), 0xc2b2ae3d)
  return store(lanes, a, b, c, d)
}

const sum = (lanes: Lanes) => lane(lanes, 0) ^ lane(lanes, 1) ^ lane(lanes, 2) ^ lane(lanes, 3)

/** The first lane, as an integer from 0 to 2³² - 1. */
const firstWord = (lanes: Lanes) => mix(sum(blend(lanes)))

/** All four lanes, in place. */
function finish(lanes: Lanes): Lanes {
  const all = sum(blend(lanes))
  const b = mix(lane(lanes, 1) ^ all)
  const c = mix(lane(lanes, 2) ^ all)
  const d = mix(lane(lanes, 3) ^ all)
  return store(lanes, mix(all), b, c, d)
}

/** Mixes the bits of an integer: from 0 to 2³² - 1. */
export function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x7feb352d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
