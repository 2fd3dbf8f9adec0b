import { describe, expect, it } from 'vitest'
import { birthDate } from '../../src/resources/orders/birth-date.ts'

// Formats and messages of a patient's date of birth. Source: docs/contract/placing.md#orders-for-a-patient.

/** The date that was read, or the message of the refusal. */
function read(input: unknown): unknown {
  const { success, data, error } = birthDate().safeParse(input)
  return success ? data : error.issues[0]?.message
}

const formats =
  'YYYY-MM-DD, YYYY-M-DD, YYYY-M-D, YYYY/MM/DD, YYYY/M/DD, YYYY/M/D, YYYY.MM.DD, YYYY.M.DD, YYYY.M.D, ' +
  'YYYYMMDD, YYYY-DDDD, YYYYDDDD, YYYY-MM, YYYY/MM, YYYY.MM, YYYY, W'
const unknown = (input: string) =>
  `Value error, Could not match input '${input}' to any of the following formats: ${formats}.`

describe('a date of birth', () => {
  it.each([
    ['1990-03-07', '1990-03-07'],
    ['1990-3-07', '1990-03-07'],
    ['1990-3-7', '1990-03-07'],
    ['1990/03/07', '1990-03-07'],
    ['1990/3/07', '1990-03-07'],
    ['1990/3/7', '1990-03-07'],
    ['1990.03.07', '1990-03-07'],
    ['1990.3.07', '1990-03-07'],
    ['1990.3.7', '1990-03-07'],
    ['1990.12.31', '1990-12-31'],
    ['19900307', '1990-03-07'],
    ['1990-066', '1990-03-07'],
    ['1990066', '1990-03-07'],
    ['1990001', '1990-01-01'],
    ['2000366', '2000-12-31'],
    ['1990-03', '1990-03-01'],
    ['1990/03', '1990-03-01'],
    ['1990.03', '1990-03-01'],
    ['1990', '1990-01-01'],
    [' 1990-03-07 ', '1990-03-07'],
    // Weeks begin on Monday, and the first one has the fourth of January.
    ['1990-W10-3', '1990-03-07'],
    ['1990W103', '1990-03-07'],
    ['1990-W10', '1990-03-05'],
    ['1990W10', '1990-03-05'],
    ['2026-W01-1', '2025-12-29'],
    ['2021-W01-1', '2021-01-04'],
    ['2020-W53-7', '2021-01-03'],
    ['2024-02-29', '2024-02-29'],
    ['0001-01-01', '0001-01-01'],
  ])('is read from %j as %s', (input, date) => {
    expect(read(input)).toBe(date)
  })

  it.each([
    'T00:00',
    'T00:00:00',
    ' 00:00:00',
    't00:00:00',
    'T00:00:00.000',
    'T00:00:00Z',
    'T00:00:00.000Z',
    'T00:00:00+02:00',
  ])('may have midnight behind it: %j', (time) => {
    expect(read(`1990-03-07${time}`)).toBe('1990-03-07')
  })

  it.each([
    [638_755_200, '1990-03-30'],
    [0, '1970-01-01'],
    [-86_400, '1969-12-31'],
  ])('is read from the timestamp %s as %s', (input, date) => {
    expect(read(input)).toBe(date)
  })

  const inexact = 'Datetimes provided to dates should have zero time - e.g. be exact dates'

  it.each<[unknown, string]>([
    [null, 'Value error, date of birth is not specified.'],
    [{}, 'Value error, date of birth is not specified.'],
    [true, 'Input should be a valid date'],
    ['soon', unknown('soon')],
    ['', unknown('')],
    ['03/07/1990', unknown('03/07/1990')],
    ['1990-03-007', unknown('1990-03-007')],
    ['1990-03-07T25:00', unknown('1990-03-07T25:00')],
    ['x1990-03-07', unknown('x1990-03-07')],
    ['1990x03x07', unknown('1990x03x07')],
    ['1990-13-01', 'Value error, month must be in 1..12, not 13'],
    ['19901301', 'Value error, month must be in 1..12, not 13'],
    ['1990-00-01', 'Value error, month must be in 1..12, not 0'],
    ['1990-12-32', 'Value error, day 32 must be in range 1..31 for month 12 in year 1990'],
    ['1990-04-31', 'Value error, day 31 must be in range 1..30 for month 4 in year 1990'],
    ['1990-04-00', 'Value error, day 0 must be in range 1..30 for month 4 in year 1990'],
    ['2024-02-30', 'Value error, day 30 must be in range 1..29 for month 2 in year 2024'],
    ['1992/2/30', 'Value error, day 30 must be in range 1..29 for month 2 in year 1992'],
    ['2023-02-29', 'Value error, day 29 must be in range 1..28 for month 2 in year 2023'],
    ['0000-01-01', 'Value error, year must be in 1..9999, not 0'],
    ['1990-366', "Value error, The provided day of year '366' is invalid."],
    ['1990-000', "Value error, The provided day of year '0' is invalid."],
    ['1990-W00-1', 'Value error, ISO Calendar week value must be between 1-53.'],
    ['1990-W54-1', 'Value error, ISO Calendar week value must be between 1-53.'],
    ['1990-W10-0', 'Value error, ISO Calendar day value must be between 1-7'],
    ['1990-W10-8', 'Value error, ISO Calendar day value must be between 1-7'],
    ['1990-03-07T00:01', inexact],
    ['1990-03-07 12:00:00', inexact],
    ['1990-13-01T00:00', 'Value error, month must be in 1..12, not 13'],
    [638_755_201, inexact],
    [1e15, 'Input should be a valid datetime, dates after 9999 are not supported as unix timestamps'],
  ])('is refused: %j', (input, message) => {
    expect(read(input)).toBe(message)
  })

  it.each([
    [true, 'date_type'],
    [638_755_201, 'date_from_datetime_inexact'],
    ['soon', 'value_error'],
  ])('is refused by type: %j is a %s', (input, type) => {
    const [issue] = birthDate().safeParse(input).error?.issues ?? []
    expect(issue?.code === 'custom' && issue.params?.type).toBe(type)
  })

  it('is described as a date', () => {
    expect(birthDate().meta()).toMatchObject({ type: 'string', format: 'date' })
  })

  it('is shown in a refusal as the moment that was read', () => {
    const shown = (input: unknown) => {
      const [issue] = birthDate().safeParse(input).error?.issues ?? []
      return issue?.code === 'custom' ? issue.params?.input : undefined
    }
    expect(shown('1990-03-07T12:30')).toBe('1990-03-07T12:30:00.000000+00:00')
    expect(shown(638_755_201)).toBe('1990-03-30T00:00:01+00:00')
    expect(shown('soon')).toBeUndefined()
  })
})
