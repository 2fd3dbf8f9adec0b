import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDuration, shortDuration, writeDuration } from '../../src/kernel/duration.ts'

describe('a duration', () => {
  it('is read in any of its units, and in several at once', () => {
    const read = ['200ms', '90s', '1.5m', '4h', '3d', '2w', '1d12h', '1d 12h', '0s'].map(parseDuration)
    expect(read).toEqual([200, 90e3, 90e3, 144e5, 2592e5, 12096e5, 1296e5, 1296e5, 0])
  })

  it('is written whole for files, and in its largest two units for people', () => {
    const HOUR = 3_600_000
    const durations = [0, 200, 90_000, 76 * HOUR, 48 * HOUR + 5_000, 25 * HOUR + 60_000]
    expect(durations.map(writeDuration)).toEqual(['0s', '200ms', '1m30s', '3d4h', '2d5s', '1d1h1m'])
    expect(durations.map(shortDuration)).toEqual(['0s', '200ms', '1m 30s', '3d 4h', '2d 5s', '1d 1h'])
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
