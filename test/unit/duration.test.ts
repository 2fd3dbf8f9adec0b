import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDuration, writeDuration } from '../../src/kernel/duration.ts'
import { readableDuration, readableInstant, shortInstant } from '../../src/kernel/readable.ts'

describe('a duration', () => {
  it('is read in any of its units, and in several at once', () => {
    const read = ['200ms', '90s', '1.5m', '4h', '3d', '2w', '1d12h', '1d 12h', '0s', '3 min 20 s'].map(
      parseDuration,
    )
    expect(read).toEqual([200, 90e3, 90e3, 144e5, 2592e5, 12096e5, 1296e5, 1296e5, 0, 200e3])
  })

  it('is written whole for files, and in its largest unit and the next for people', () => {
    const HOUR = 3_600_000
    const durations = [0, 200, 90_000, 76 * HOUR, 48 * HOUR + 5_000, 25 * HOUR + 60_000]
    expect(durations.map(writeDuration)).toEqual(['0s', '200ms', '1m30s', '3d4h', '2d5s', '1d1h1m'])
    expect(durations.map(readableDuration)).toEqual([
      '0 s',
      '200 ms',
      '1 min 30 s',
      '3 d 4 h',
      '2 d',
      '1 d 1 h',
    ])
    expect([5 * 24 * HOUR + 26, 1500].map(readableDuration)).toEqual(['5 d', '1 s 500 ms'])
  })

  it('is nothing else', () => {
    const odd = [
      '',
      ' ',
      '3',
      'd',
      '-3d',
      '+3d',
      '3 days',
      '3D',
      '1e3s',
      '.5h',
      '5.h',
      'P3D',
      '3d!',
      '٣d',
      'd3',
    ]
    for (const text of odd) expect(parseDuration(text), text).toBeUndefined()
  })

  it('is not worth reading when it is very long', () => {
    expect(parseDuration('9'.repeat(1_000_000))).toBeUndefined()
    expect(parseDuration('1s'.repeat(1_000_000))).toBeUndefined()
  })

  it('is a number of milliseconds, or nothing, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789.smhdw -') }), (text) => {
        const wait = parseDuration(text)
        expect(wait === undefined || wait >= 0).toBe(true)
      }),
    )
  })
})

describe('an instant for people', () => {
  it('has its year, and no seconds where they are none and the year is known', () => {
    expect(readableInstant('2026-12-13T09:00:00+00:00')).toBe('13 Dec 2026 09:00:00')
    expect(readableInstant('2026-01-05T23:30:15-02:00')).toBe('6 Jan 2026 01:30:15')
    expect(['2026-12-13T09:00:00.000Z', '2026-12-13T09:00:05.999Z'].map(shortInstant)).toEqual([
      '13 Dec 09:00',
      '13 Dec 09:00:05',
    ])
  })
})
