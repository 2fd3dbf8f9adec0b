import * as zlib from 'node:zlib'

/** CRC-32 of bytes, or of bytes that follow those `before` was made of. Node has its own from 20.15 and 22.2 on. */
export const crc32: (bytes: Uint8Array, before?: number) => number = zlib.crc32 ?? tableDrivenCrc32()

/** CRC-32 as in ISO 3309, for a Node without one. */
export function tableDrivenCrc32(): (bytes: Uint8Array, before?: number) => number {
  const table = Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
    return value
  })
  return (bytes, before = 0) => {
    let value = ~before
    for (const byte of bytes) value = (value >>> 8) ^ (table[(value ^ byte) & 255] ?? 0)
    return ~value >>> 0
  }
}

/** The checksum of a run of lines, some of which may lie in an earlier piece of the file. */
export class RunningChecksum {
  #bytes: Buffer | undefined
  #from = 0
  #before = 0

  /** The line that begins at `start` of `bytes` belongs to the run. Pieces hold whole lines. */
  reach(bytes: Buffer, start: number): void {
    if (this.#bytes === bytes) return
    if (this.#bytes) this.#before = crc32(this.#bytes.subarray(this.#from), this.#before)
    this.#bytes = bytes
    this.#from = start
  }

  /** The checksum of the run, which stops before `end` of `bytes`; what comes next begins another. */
  take(bytes: Buffer, end: number): number {
    const run = this.#bytes?.subarray(this.#from, this.#bytes === bytes ? end : undefined)
    const sum = run ? crc32(run, this.#before) : 0
    this.#bytes = undefined
    this.#before = 0
    return sum
  }
}
