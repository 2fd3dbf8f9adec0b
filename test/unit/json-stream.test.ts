import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonLimits } from '../../src/kernel/json-scanner.ts'
import { type JsonStreamOptions, readJsonDocuments, readJsonStream } from '../../src/kernel/json-stream.ts'

/** A text in chunks of so many bytes. */
async function* inChunks(text: string, size: number) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** An object or list that was opened. */
class Opened extends Map<string, unknown> {
  readonly kind: 'object' | 'list'
  constructor(kind: 'object' | 'list') {
    super()
    this.kind = kind
  }
}

/** What was read, put together again from its values; objects and lists are opened down to a depth. */
async function read(
  text: string,
  { size = 7, depth = 2, maxLength = 10_000, ...limits }: Partial<JsonStreamOptions> & Reading = {},
) {
  const root = new Opened('object')
  let latest: Opened['kind'] = 'object'
  await readJsonStream(inChunks(text, size), {
    ...limits,
    maxLength,
    isOpened(keys, kind) {
      latest = kind
      return keys.length < depth
    },
    onValue(keys, value) {
      let at = root
      for (const key of ['root', ...keys].slice(0, -1)) at = at.get(key) as Opened
      at.set(keys.at(-1) ?? 'root', value === undefined ? new Opened(latest) : value)
    },
  })
  const plain = (value: unknown): unknown => {
    if (!(value instanceof Opened)) return value
    const fields = [...value].map(([key, of]) => [key, plain(of)] as const)
    return value.kind === 'list' ? fields.map(([, item]) => item) : Object.fromEntries(fields)
  }
  return plain(root.get('root'))
}

const limit = (limits: Partial<JsonLimits>): JsonLimits => ({
  depth: 400,
  fields: 1000,
  values: 1000,
  ...limits,
})

interface Reading {
  readonly size?: number
  readonly depth?: number
}

describe('JSON that is read while it arrives', () => {
  it('is what the platform reads, however it is cut and spaced', { tags: 'slow' }, async () => {
    const cases = fc.tuple(fc.jsonValue(), fc.integer({ min: 1, max: 40 }), fc.nat(3), fc.nat(2))
    await fc.assert(
      fc.asyncProperty(cases, async ([value, size, depth, indent]) => {
        const text = JSON.stringify(value, null, indent)
        expect(JSON.stringify(await read(text, { size, depth }))).toBe(JSON.stringify(JSON.parse(text)))
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    [
      'more values than one may have',
      '{"a":[1,[2,{"b":3}]]}',
      { depth: 1, limits: limit({ values: 4 }) },
      'values',
      10,
    ],
    ['more values than the document may have', '[[1],[2],[3]]', { depth: 1, maxValues: 5 }, 'values', 9],
    ['more numbers than the document may have', '[1,2,3]', { depth: 1, maxValues: 2 }, 'values', 5],
    [
      'an object of more fields',
      '[{"a":1,"b":2,"c":3}]',
      { depth: 0, limits: limit({ fields: 2 }) },
      'fields',
      13,
    ],
    ['deeper nesting', '[[[[]]]]', { depth: 0, limits: limit({ depth: 3 }) }, 'depth', 3],
  ] as const)('ends before a value with %s is parsed', async (_, text, options, limit, at) => {
    const error = await read(text, options).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ exceeded: { limit }, at })
  })

  it('is read up to the limits', async () => {
    const limits = limit({ depth: 3, fields: 2, values: 6 })
    const text = '[{"a":[1],"b":{}}]'
    expect(await read(text, { depth: 0, limits, maxValues: 6 })).toEqual(JSON.parse(text))
    expect(await read('[1,2,"a,b","[[[{"]', { depth: 1, maxValues: 4 })).toEqual([1, 2, 'a,b', '[[[{'])
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

/** What is read of a text with many values. */
async function documentsOf(text: string, size = 7, maxLength = 10_000) {
  const found: unknown[] = []
  await readJsonDocuments(inChunks(text, size), { maxLength, onDocument: (value) => found.push(value) })
  return found
}

describe('JSON with many values', () => {
  it('is read value by value, be it lines, texts one after the other, or a list', {
    tags: 'slow',
  }, async () => {
    const cases = fc.tuple(fc.array(fc.object({ maxDepth: 2 })), fc.integer({ min: 1, max: 40 }), fc.nat(2))
    await fc.assert(
      fc.asyncProperty(cases, async ([values, size, indent]) => {
        const expected = JSON.stringify(JSON.parse(JSON.stringify(values)))
        const lines = values.map((value) => JSON.stringify(value, null, indent)).join('\r\n')
        expect(JSON.stringify(await documentsOf(`\n${lines}\n\n`, size))).toBe(expected)
        expect(JSON.stringify(await documentsOf(JSON.stringify(values, null, indent), size))).toBe(expected)
      }),
      { numRuns: 100 },
    )
  })

  it('may be several lists, whose lists are not opened', async () => {
    expect(await documentsOf('[1,[2,3]]\n[]\n"a"\n[{"b":[4]}]')).toEqual([1, [2, 3], 'a', { b: [4] }])
  })

  it.each([
    ['hello', 1],
    ['{"a":1}\n{"a":\n', 2],
    ['[1,\n2,\n]', 3],
    ['[1 2]', 1],
    ['[1', 1],
    ['{"a":1}\n\n]', 3],
    ['{}\n{"a":"x\ny"}', 2],
  ])('is refused with the line of what is none: %j', async (text, line) => {
    for (const size of [1, 7, 100]) await expect(documentsOf(text, size)).rejects.toMatchObject({ line })
  })

  it('is refused with a value longer than the limit, but may be longer itself', async () => {
    const values = Array.from({ length: 50 }, () => 'x'.repeat(30))
    expect(await documentsOf(JSON.stringify(values), 7, 100)).toEqual(values)
    await expect(documentsOf(JSON.stringify([['y'.repeat(200)]]), 7, 100)).rejects.toThrow('longer than 100')
  })
})
