import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../src/kernel/instant.ts'
import { datesBetween } from '../../src/kernel/local-day.ts'
import { isHoliday, isWorkday, nextWorkday } from '../../src/kernel/workdays.ts'
import type { LowStatus } from '../../src/resources/orders/lifecycle.ts'
import type { OrderRow } from '../../src/resources/orders/table.ts'
import { instantOfWork } from '../../src/scenarios/working-hours.ts'
import type { World } from '../../src/world/world.ts'
import { courierHours, openHours } from '../support/working-hours.ts'

const holidaysOf = (year: number) => [...datesBetween(`${year}-01-01`, `${year}-12-31`)].filter(isHoliday)

describe('days of work', () => {
  it('leave out the eleven federal holidays of each year', () => {
    expect(holidaysOf(2026)).toEqual([
      '2026-01-01',
      '2026-01-19',
      '2026-02-16',
      '2026-05-25',
      '2026-06-19',
      '2026-07-04',
      '2026-09-07',
      '2026-10-12',
      '2026-11-11',
      '2026-11-26',
      '2026-12-25',
    ])
  })

  it('leave out the Monday after a holiday that falls on a Sunday', () => {
    expect(holidaysOf(2027)).toEqual([
      '2027-01-01',
      '2027-01-18',
      '2027-02-15',
      '2027-05-31',
      '2027-06-19',
      '2027-07-04',
      '2027-07-05',
      '2027-09-06',
      '2027-10-11',
      '2027-11-11',
      '2027-11-25',
      '2027-12-25',
    ])
    // The fourth Thursday, of five.
    expect(['2028-11-23', '2028-11-30'].map(isHoliday)).toEqual([true, false])
  })

  it('are Monday to Saturday', () => {
    const days = [...datesBetween('2026-03-02', '2026-03-08')]
    expect(days.filter(isWorkday)).toEqual(days.slice(0, 6))
    expect(nextWorkday('2026-03-08')).toBe('2026-03-09')
    expect(nextWorkday('2026-07-04')).toBe('2026-07-06')
    expect(nextWorkday('2026-03-04')).toBe('2026-03-04')
  })
})

describe('hours of work', () => {
  /** Hours in Phoenix since the midnight before Monday, 5 January 2026; from Saturday, 17 January, there are two days without work. */
  const MONDAY = Date.parse('2026-01-05T07:00:00Z')
  const HOLIDAYS = 12 * 24
  const instantOf = (low: string, share: number, due: number, from = due) => {
    const noise = (key: string) => (key === `working-hours/order 7/${low}` ? share : Number.NaN)
    const drawKey = (kind: string, id: string) => `${kind} ${id}`
    const world = { random: { noise }, drawKey } as unknown as World
    const order = { id: '7', patient_address: { zip: '85004' } } as OrderRow
    const instants = { from: MONDAY + from * HOUR_MS, due: MONDAY + due * HOUR_MS }
    return (instantOfWork(world, order, low as LowStatus, instants) - MONDAY) / HOUR_MS
  }
  const SECOND = 1 / 3600

  it.each(courierHours)('of the courier who sets %s are %d to %d', (low, first, last) => {
    expect([0, 0.5, 1].map((share) => instantOf(low, share, 1))).toEqual([first, (first + last) / 2, last])
    // The courier came before it was due, on the same day, but not before the status before.
    expect(instantOf(low, 0, 23, first - SECOND)).toBe(first)
    expect(instantOf(low, 0.5, last, first)).toBe((first + last) / 2)
    expect(instantOf(low, 0, 23, first)).toBe(24 + first)
    expect(instantOf(low, 0, HOLIDAYS + 23)).toBe(HOLIDAYS + 72 + first)
  })

  it.each(openHours)('in which others set %s are %d to %d', (low, first, last) => {
    for (const due of [first, last]) expect(instantOf(low, 0.5, due)).toBe(due)
    expect(instantOf(low, 0, first - SECOND)).toBe(first)
    expect(instantOf(low, 0.5, last + SECOND)).toBeCloseTo(24 + first + 0.1 * (last - first), 3)
    expect(instantOf(low, 1, HOLIDAYS + 24)).toBeCloseTo(HOLIDAYS + 72 + first + 0.2 * (last - first), 3)
  })

  it('are all hours for what no one has to come for', () => {
    for (const low of ['requisition_created', 'lost', 'cancelled', 'appointment_scheduled'])
      expect(instantOf(low, 0.5, HOLIDAYS + 27)).toBe(HOLIDAYS + 27)
  })
})
