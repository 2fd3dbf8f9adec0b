import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import {
  readSessionId,
  type Sample,
  sampleAt,
  sampleWriter,
  sessionId,
} from '../../src/resources/timeseries/sample.ts'
import { at } from '../support/made-day.ts'
import { madeDay } from '../support/made-samples.ts'

const random = createRandom('1')

describe('the id of a session', () => {
  const session = { kind: 'workout', ordinal: 7, date: '2026-01-04', index: 1 } as const

  it.each([
    session,
    { ...session, kind: 'sleep' },
    { ...session, ordinal: 0xf_ffff, index: 0xff },
    { ...session, ordinal: 0, date: '1970-01-01', index: 0 },
    { ...session, date: '1970-01-17' },
    { ...session, date: '9999-12-31' },
  ] as const)('has the form of a UUID and tells which one it is: %j', (key) => {
    const id = sessionId(random, key)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(sessionId(random, key)).toBe(id)
    expect(readSessionId(random, key.kind, id)).toEqual(key)
  })

  it('is of one kind, and of one world', () => {
    const id = sessionId(random, session)
    expect(readSessionId(random, 'sleep', id)).toBeUndefined()
    expect(readSessionId(createRandom('2'), 'workout', id)).toBeUndefined()
    expect(sessionId(createRandom('2'), session)).not.toBe(id)
  })

  it('is known in none of its digits from the ids beside it', () => {
    const ids = [1, 2, 3, 4].map((index) => sessionId(random, { ...session, index }))
    // The part that encodes the key differs as well, though the keys differ in one digit alone.
    expect(new Set(ids.map((id) => id.slice(-12, -3))).size).toBe(4)
    expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBe(4)
  })

  it('is refused with any of its digits changed', () => {
    const id = sessionId(random, session)
    const changed = [...id].flatMap((digit, at) =>
      digit === '-' ? [] : `${id.slice(0, at)}${digit === '0' ? '1' : '0'}${id.slice(at + 1)}`,
    )
    expect(changed).toHaveLength(32)
    for (const other of changed) expect(readSessionId(random, 'workout', other)).toBeUndefined()
  })

  it('is none of most UUIDs', () => {
    for (const id of ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])
      expect(readSessionId(random, 'workout', id)).toBeUndefined()
  })
})

describe('a sample as JSON', () => {
  const sample: Sample = { start: at(9), end: at(10), offsetSeconds: 3600, value: 61.5, type: null }
  const write = (of: Partial<Sample>, isPoint?: true) =>
    JSON.parse(sampleWriter({ unit: 'bpm', ...(isPoint && { isPoint }) })({ ...sample, ...of }))

  it('has its fields, with a start and an end unless it is of one instant', () => {
    const whole = {
      id: null,
      timezone_offset: 3600,
      type: null,
      unit: 'bpm',
      timestamp: '2026-01-04T09:00:00+00:00',
      value: 61.5,
    }
    expect(write({}, true)).toEqual(whole)
    expect(write({})).toEqual({
      ...whole,
      start: '2026-01-04T09:00:00+00:00',
      end: '2026-01-04T10:00:00+00:00',
    })
  })

  it.each([
    ['an offset that is not sent', { offsetSeconds: null }, { timezone_offset: null }],
    ['a type', { type: 'a "kind"' }, { type: 'a "kind"' }],
    ['a text', { value: 'felt "well"' }, { value: 'felt "well"' }],
    ['a value of nothing', { value: 0 }, { value: 0 }],
    ['more', { more: { tags: ['food'], sensor: null } }, { value: 61.5, tags: ['food'], sensor: null }],
  ])('has %s', (_, of, expected) => {
    expect(write(of)).toMatchObject(expected)
  })

  it('has other fields in place of a value', () => {
    const pressure = write({ value: null, more: { systolic: 120, diastolic: 80 } })
    expect(pressure).toMatchObject({ systolic: 120, diastolic: 80 })
    expect(pressure).not.toHaveProperty('value')
  })

  it.each([
    ['1970-01-01T00:00:00+00:00', 0],
    ['1969-12-31T23:59:59+00:00', -1000],
    ['0001-01-01T00:00:00+00:00', Date.parse('0001-01-01T00:00:00Z')],
    ['2026-01-04T23:59:59+00:00', at(24) - 1000],
    ['2026-01-04T09:59:00+00:00', at(9, 59)],
    ['2026-01-04T10:01:01.250000+00:00', at(10, 1) + 1250],
    ['2026-01-04T09:00:00.001953+00:00', at(9) + 1000 / 512],
  ])('writes %s', (text, start) => {
    expect(write({ start, end: start })).toMatchObject({ timestamp: text, start: text, end: text })
  })

  it('writes instants of any order, on any day', () => {
    const writer = sampleWriter({ unit: 'bpm', isPoint: true })
    const days = [at(9), at(9), at(33), at(9), at(8, 59)].map((start) =>
      JSON.parse(writer({ ...sample, start })).timestamp.slice(0, 16),
    )
    expect(days).toEqual([
      '2026-01-04T09:00',
      '2026-01-04T09:00',
      '2026-01-05T09:00',
      '2026-01-04T09:00',
      '2026-01-04T08:59',
    ])
  })
})

describe('a new sample', () => {
  const day = madeDay(() => ({}), { timeZone: 'Europe/Berlin' })
  const of = (rest?: Partial<Sample>) => sampleAt(day, at(9), 5, rest)

  it('is of one instant, at the offset of its zone, unless more is said', () => {
    expect(of()).toEqual({ start: at(9), end: at(9), offsetSeconds: 3600, value: 5, type: null })
    expect(of({ end: at(10), type: 'kind' })).toMatchObject({ end: at(10), type: 'kind' })
  })
})
