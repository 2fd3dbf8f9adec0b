import { describe, expect, it } from 'vitest'
import { datesBetween } from '../../src/kernel/local-day.ts'
import { isHoliday, isWorkday, nextWorkday } from '../../src/kernel/workdays.ts'

const holidaysOf = (year: number) => [...datesBetween(`${year}-01-01`, `${year}-12-31`)].filter(isHoliday)

describe('days of work', () => {
  it('leave out the eleven federal holidays of each year', () => {
    expect(holidaysOf(2026)).toEqual([
      ...['2026-01-01', '2026-01-19', '2026-02-16', '2026-05-25', '2026-06-19', '2026-07-04'],
      ...['2026-09-07', '2026-10-12', '2026-11-11', '2026-11-26', '2026-12-25'],
    ])
  })

  it('leave out the Monday after a holiday that falls on a Sunday', () => {
    expect(holidaysOf(2027)).toEqual([
      ...['2027-01-01', '2027-01-18', '2027-02-15', '2027-05-31', '2027-06-19', '2027-07-04', '2027-07-05'],
      ...['2027-09-06', '2027-10-11', '2027-11-11', '2027-11-25', '2027-12-25'],
    ])
  })

  it('are Monday to Saturday', () => {
    const days = [...datesBetween('2026-03-02', '2026-03-08')]
    expect(days.filter(isWorkday)).toEqual(days.slice(0, 6))
    expect(nextWorkday('2026-03-08')).toBe('2026-03-09')
    expect(nextWorkday('2026-07-04')).toBe('2026-07-06')
    expect(nextWorkday('2026-03-04')).toBe('2026-03-04')
  })
})
