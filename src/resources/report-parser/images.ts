import { crc32 } from 'node:zlib'

/** Why an image cannot be decoded, by its structure; undefined if it can. */
export const faultOfImage = (type: 'image/png' | 'image/jpeg', bytes: Buffer): string | undefined =>
  type === 'image/png' ? faultOfPng(bytes) : faultOfJpeg(bytes)

const PNG_SIGNATURE = 8
/** Length, name and checksum of a chunk. */
const CHUNK_FRAME = 12

function faultOfPng(bytes: Buffer): string | undefined {
  let hasPixels = false
  for (let at = PNG_SIGNATURE; at + CHUNK_FRAME <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const end = at + CHUNK_FRAME + length
    const name = bytes.toString('latin1', at + 4, at + 8)
    if (end > bytes.length) return 'a chunk is cut off'
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return 'a chunk is damaged'
    if (at === PNG_SIGNATURE && (name !== 'IHDR' || !hasSize(bytes))) return 'it has no size'
    if (name === 'IDAT') hasPixels = true
    if (name === 'IEND') return hasPixels ? undefined : 'it has no pixels'
    at = end
  }
  return 'it is cut off'
}

const hasSize = (bytes: Buffer) =>
  bytes.length >= 24 && bytes.readUInt32BE(16) > 0 && bytes.readUInt32BE(20) > 0

const JPEG = { start: 0xd8, end: 0xd9, scan: 0xda }
/** Segments that give the size of the picture. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

function faultOfJpeg(bytes: Buffer): string | undefined {
  let hasFrame = false
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return 'a segment is damaged'
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker === JPEG.end) break
    if (isFrame(marker)) hasFrame = true
    if (marker === JPEG.scan) {
      return hasFrame && bytes.lastIndexOf(Buffer.from([0xff, JPEG.end])) > at ? undefined : 'it is cut off'
    }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return 'it has no picture'
}
