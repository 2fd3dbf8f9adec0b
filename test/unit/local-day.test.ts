import { describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../src/kernel/instant.ts'
import { localTime, offsetSeconds } from '../../src/kernel/local-day.ts'

describe('the offset of a time zone', () => {
  it.each([
    ['America/New_York', '2026-03-08T06:59:59Z', -5, '2026-03-08T07:00:00Z', -4],
    ['America/New_York', '2026-11-01T05:59:59Z', -4, '2026-11-01T06:00:00Z', -5],
    ['Australia/Lord_Howe', '2026-04-04T14:59:59Z', 11, '2026-04-04T15:00:00Z', 10.5],
    // At one minute past midnight.
    ['America/St_Johns', '2010-03-14T03:30:59Z', -3.5, '2010-03-14T03:31:00Z', -2.5],
  ])('of %s is changed at the second of the change', (zone, before, hours, after, hoursAfter) => {
    expect(offsetSeconds(zone, Date.parse(before))).toBe(hours * 3600)
    expect(offsetSeconds(zone, Date.parse(after))).toBe(hoursAfter * 3600)
  })

  it('is the same all day where no clock is changed', () => {
    for (let minute = 0; minute < 24 * 60; minute += 7) {
      const instant = Date.UTC(2026, 0, 5) + minute * MINUTE_MS
      expect(localTime('America/Phoenix', instant)).toEqual([
        Math.floor(((minute + 17 * 60) / 60) % 24),
        minute % 60,
      ])
    }
  })
})
