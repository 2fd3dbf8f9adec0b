import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readJsonStream } from '../../src/kernel/json-stream.ts'

/** A text in chunks of so many bytes. */
async function* inChunks(text: string, size: number) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** What was read, put together again from its values; objects are opened down to a depth. */
async function read(text: string, { size = 7, depth = 2, maxLength = 10_000 } = {}) {
  const root = new Map<string, unknown>()
  const isOpened = (keys: readonly string[]) => keys.length < depth
  await readJsonStream(inChunks(text, size), {
    isOpened,
    maxLength,
    onValue(keys, value) {
      let at = root
      for (const key of ['root', ...keys].slice(0, -1)) at = at.get(key) as Map<string, unknown>
      at.set(keys.at(-1) ?? 'root', value === undefined ? new Map() : value)
    },
  })
  const plain = (value: unknown): unknown =>
    value instanceof Map ? Object.fromEntries([...value].map(([key, of]) => [key, plain(of)])) : value
  return plain(root.get('root'))
}

describe('JSON that is read while it arrives', () => {
  it('is what the platform reads, however it is cut and spaced', async () => {
    const cases = fc.tuple(fc.jsonValue(), fc.integer({ min: 1, max: 40 }), fc.nat(3), fc.nat(2))
    await fc.assert(
      fc.asyncProperty(cases, async ([value, size, depth, indent]) => {
        const text = JSON.stringify(value, null, indent)
        expect(JSON.stringify(await read(text, { size, depth }))).toBe(JSON.stringify(JSON.parse(text)))
      }),
      { numRuns: 300 },
    )
  })

  it('keeps a field __proto__ as a field', async () => {
    const text = '{"a":{"__proto__":{"x":1}},"__proto__":2}'
    expect(JSON.stringify(await read(text))).toBe(text)
  })

  it.each([
    '',
    '{',
    '{"a"}',
    '{"a":}',
    '{"a":1',
    '{"a":1,}',
    '{"a":1,,"b":2}',
    '{"a":1}}',
    '{a:1}',
    '{"a":1} 2',
    '{"a":{"b":{"c":tru}}}',
    '{"a":"x}',
    '[1,2',
    '{"a":1]',
  ])('is refused when it is none: %s', async (text) => {
    await expect(read(text)).rejects.toMatchObject({ message: 'JSON decode error' })
  })

  it('is refused with a value longer or deeper than is read in one go', async () => {
    const long = read(`{"a":{"b":"${'x'.repeat(500)}"}}`, { maxLength: 100 })
    await expect(long).rejects.toThrow('longer than 100')
    await expect(read(`{"a":${'['.repeat(500)}${']'.repeat(500)}}`)).rejects.toThrow('decode')
  })
})
