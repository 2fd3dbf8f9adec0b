import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { addUnknownFields, UNKNOWN_FIELD, UNKNOWN_VALUE } from '../../src/api/forward-compatibility.ts'

const text = expect.any(String)
const future = { [UNKNOWN_FIELD]: text }

describe('unknown futures', () => {
  it('add a field to every object, in lists, maps and unions too, and change nothing else', () => {
    const schema = z.object({
      id: z.string(),
      nested: z.object({ count: z.int() }).nullable(),
      list: z.array(z.object({ name: z.string() })),
      map: z.record(z.string(), z.object({ value: z.number() })),
      either: z.union([z.object({ text: z.string() }), z.object({ number: z.number() })]),
      free: z.unknown(),
    })
    const value = {
      id: 'a',
      nested: { count: 1 },
      list: [{ name: 'b' }, { name: 'c' }],
      map: { d: { value: 1 } },
      either: { number: 1 },
      free: { any: 'thing' },
    }
    const before = structuredClone(value)
    expect(addUnknownFields(schema, value, 0)).toEqual({
      id: 'a',
      nested: { count: 1, ...future },
      list: [
        { name: 'b', ...future },
        { name: 'c', ...future },
      ],
      map: { d: { value: 1, ...future } },
      either: { number: 1, ...future },
      free: { any: 'thing' },
      ...future,
    })
    expect(value).toEqual(before)
  })

  it('change one open enum at a time, each in its turn', () => {
    const status = () => z.enum(['on', 'off'])
    const schema = z.object({ one: status(), two: status().nullable(), three: status().optional() })
    const value = { one: 'on', two: 'on', three: 'off' }
    const changed = [0, 1, 2, 3].map((ordinal) => {
      const after = addUnknownFields(schema, value, ordinal) as Record<string, string>
      return Object.keys(value).filter((name) => after[name] === UNKNOWN_VALUE)
    })
    expect(changed).toEqual([['one'], ['two'], ['three'], ['one']])
  })

  it.each([
    'sensor_location',
    'classification',
    'inconclusive_cause',
    'delivery_mode',
    'delivery_form',
    'bolus_purpose',
    'loinc_match_status',
    'intensity',
  ])('never change %s, whose values the contract closes', (name) => {
    const schema = z.object({ [name]: z.enum(['a', 'b']), status: z.enum(['a', 'b']) })
    for (const ordinal of [0, 1, 2]) {
      expect(addUnknownFields(schema, { [name]: 'a', status: 'a' }, ordinal)).toMatchObject({
        [name]: 'a',
        status: UNKNOWN_VALUE,
      })
    }
  })

  it('never change an item of a list of closed values, and do change one of open values', () => {
    const items = () => z.array(z.enum(['food', 'exercise']))
    const changed = (name: string, ordinal: number) =>
      addUnknownFields(z.object({ [name]: items() }), { [name]: ['food', 'exercise'] }, ordinal)
    expect(changed('tags', 0)).toEqual({ tags: ['food', 'exercise'], ...future })
    expect(changed('kinds', 1)).toEqual({ kinds: ['food', UNKNOWN_VALUE], ...future })
  })

  it('leave a null, an absent field and a reply without enums as they are', () => {
    const schema = z.object({ status: z.enum(['a']).nullable(), other: z.enum(['a']).optional() })
    expect(addUnknownFields(schema, { status: null }, 0)).toEqual({ status: null, ...future })
    expect(addUnknownFields(z.string(), 'plain', 0)).toBe('plain')
    expect(addUnknownFields(z.array(z.string()), ['plain'], 1)).toEqual(['plain'])
  })
})
