import { crc32 } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { field } from '../support/field.ts'
import { advance, createUser } from '../support/orders.ts'
import { forAllTests } from '../support/petri.ts'
import { jpeg, png, type TestFile, upload } from '../support/reports.ts'

const petri = forAllTests()
let user_id: string
beforeAll(async () => {
  user_id = await createUser(petri)
})

const file = (name: string, bytes: Buffer): TestFile => ({ name, bytes })
const send = (files: readonly TestFile[]) => upload(petri, files, { user_id })

/** A chunk of a PNG, with its length and checksum. */
function chunk(name: string, data: Buffer, checksum?: number): Buffer {
  const body = Buffer.concat([Buffer.from(name), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(checksum ?? crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

const sizeOf = (width: number, height: number) => {
  const data = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0])
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  return data
}
const pixels = chunk('IDAT', Buffer.from([1, 2, 3]))
const pngOf = (...chunks: Buffer[]) => Buffer.concat([png.subarray(0, 8), ...chunks])
const [size, end] = [chunk('IHDR', sizeOf(1, 1)), chunk('IEND', Buffer.alloc(0))]

const jpegOf = (...bytes: number[]) => Buffer.from([0xff, 0xd8, ...bytes])
const frameOf = (marker: number) => [0xff, marker, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0]
const scan = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 0x3f, 0, 0x12, 0x34]
const over = [0xff, 0xd9]

describe('the structure of an image', () => {
  it.each([
    ['a PNG with size and pixels', pngOf(size, pixels, end)],
    ['a PNG with something after its end', pngOf(size, pixels, end, Buffer.from('more'))],
    ['a PNG with a text before its pixels', pngOf(size, chunk('tEXt', Buffer.from('by hand')), pixels, end)],
    ['a baseline JPEG', jpegOf(...frameOf(0xc0), ...scan, ...over)],
    ['a JPEG of the last kind of frame', jpegOf(...frameOf(0xcf), ...scan, ...over)],
    ['a JPEG with fill bytes', jpegOf(0xff, ...frameOf(0xc0), 0xff, ...scan, ...over)],
    ['a JPEG with a table', jpegOf(0xff, 0xc4, 0, 3, 0, ...frameOf(0xc2), ...scan, ...over)],
  ])('is that of %s', async (_, bytes) => {
    expect(await send([file('scan', bytes)])).toAnswer(200)
  })

  it.each([
    ['without a width', pngOf(chunk('IHDR', sizeOf(0, 1)), pixels, end)],
    ['without a height', pngOf(chunk('IHDR', sizeOf(1, 0)), pixels, end)],
    ['without a size', pngOf(pixels, end)],
    ['whose size comes second', pngOf(pixels, size, end)],
    ['with a size of too few bytes', pngOf(chunk('IHDR', Buffer.from([1])))],
    ['without pixels', pngOf(size, end)],
    ['without an end', pngOf(size, pixels)],
    ['whose end is cut off', pngOf(size, pixels, end).subarray(0, -1)],
    ['whose pixels are cut off', pngOf(size, pixels.subarray(0, -1))],
    ['with a wrong checksum', pngOf(size, chunk('IDAT', Buffer.from([1, 2, 3]), 7), end)],
    ['of nothing', pngOf()],
  ])('is not that of a PNG %s', async (_, bytes) => {
    expect(await send([file('scan.png', bytes)])).toRefuse(
      400,
      'File scan.png could not be decoded as an image',
    )
  })

  it.each([
    ['without a frame', jpegOf(...scan, ...over)],
    ['with a table for a frame', jpegOf(0xff, 0xc4, 0, 3, 0, ...scan, ...over)],
    ['with an extension for a frame', jpegOf(0xff, 0xc8, 0, 3, 0, ...scan, ...over)],
    ['with conditioning for a frame', jpegOf(0xff, 0xcc, 0, 3, 0, ...scan, ...over)],
    ['with restarts for a frame', jpegOf(0xff, 0xd0, 0, 3, 0, ...scan, ...over)],
    ['with a comment for a frame', jpegOf(0xff, 0xbf, 0, 3, 0, ...scan, ...over)],
    ['without a scan', jpegOf(...frameOf(0xc0), ...over, ...scan, ...over)],
    ['without an end', jpegOf(...frameOf(0xc0), ...scan)],
    ['with its end before its scan', jpegOf(0xff, 0xe0, 0, 4, ...over, ...frameOf(0xc0), ...scan)],
    ['with a damaged segment', jpegOf(...frameOf(0xc0), 0, ...scan, ...over)],
    ['of a frame alone', jpegOf(...frameOf(0xc0))],
  ])('is not that of a JPEG %s', async (_, bytes) => {
    expect(await send([file('scan.jpg', bytes)])).toRefuse(
      400,
      'File scan.jpg could not be decoded as an image',
    )
  })
})

describe('a made-up report', () => {
  const madeUp = async (name: string, ...more: Buffer[]) => {
    const files = more.length > 0 ? more : [png]
    const { body } = await send(files.map((bytes) => file(name, bytes)))
    await advance(petri, '1m')
    return (await petri.read(`/lab_report/v1/parser/job/${body.id}`)).data
  }
  const highIn = ({ results }: { results: { test_name: string; is_above_max_range: boolean }[] }) =>
    results.filter(({ is_above_max_range }) => is_above_max_range).map(field('test_name'))

  it('is dated in the year before 2026 and reported two days later, whatever the clock says', async () => {
    const { metadata } = await madeUp('scan.png')
    const collected = Date.parse(metadata.date_collected)
    const days = (Date.parse('2025-12-31') - collected) / 86_400_000
    expect(days).toBeGreaterThanOrEqual(1)
    expect(days).toBeLessThanOrEqual(300)
    expect(Date.parse(metadata.date_reported) - collected).toBe(2 * 86_400_000)
    expect(metadata.specimen_number).toMatch(/^[0-9A-F]{10}$/)
    expect(metadata.dob).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(metadata.patient_first_name).toMatch(/^[A-Z]/)
  })

  it('is another for other bytes, and for more files', async () => {
    const reports = [await madeUp('a'), await madeUp('a', jpeg), await madeUp('a', png, jpeg)]
    expect(new Set(reports.map(({ metadata }) => metadata.specimen_number)).size).toBe(3)
    expect(await madeUp('b')).toEqual(reports[0])
  })

  it.each([
    ['petri-lipids.png', 'Lipid Panel', 'Cholesterol, Total'],
    ['PETRI-CMP.png', 'Comp. Metabolic Panel (14)', 'Glucose'],
    ['petri-thyroid (1).png', 'Thyroid Panel With TSH', 'TSH'],
  ])('of %s has its panel and what is too high', async (name, panel, high) => {
    const data = await madeUp(name)
    for (const { source_panel_name } of data.results) expect(source_panel_name).toBe(panel)
    expect(highIn(data)).toContain(high)
  })

  it('of hormones is of no panel, in their order', async () => {
    const { results } = await madeUp('petri-hormones.png')
    expect(results.map(field('source_panel_name'))).toEqual(Array(5).fill(null))
    expect(results[0].test_name).toBe('Testosterone, Total')
    for (const { value, units } of results) {
      expect(Number(value)).toBeGreaterThan(0)
      expect(units).toMatch(/\//)
    }
  })

  it('of nothing known has a test that no catalogue has', async () => {
    expect((await madeUp('petri-no-match.png')).results).toEqual([
      expect.objectContaining({
        test_name: 'Petrine Index',
        value: '4.2',
        units: 'index',
        min_reference_range: 1,
        max_reference_range: 9,
        interpretation: 'normal',
        loinc_match_status: 'no_match',
        source_panel_name: null,
      }),
    ])
  })

  it('follows only a name that begins with a known word', async () => {
    const plain = await madeUp('scan.png')
    expect(await madeUp('my petri-cbc.png')).toEqual(plain)
    expect(await madeUp('petri-unknown.png')).toEqual(plain)
  })
})
