import { describe, expect, it } from 'vitest'
import { floatingText, partOf, truncate, windowUntil } from '../../src/resources/sense/calendar.ts'
import { macroColumns } from '../../src/resources/sense/columns.ts'
import { ask, at, faultsOf, row } from '../support/sense.ts'

const days = (value: number, unit = 'day') => ({ date_trunc: { value, unit }, arg: { index: 'activity' } })
const steps = (func: string) => ({ func, arg: { activity: 'steps' } })

const week = [
  row('2026-01-05T00:00:00', { steps: 100 }),
  row('2026-01-06T00:00:00', { steps: 300 }),
  row('2026-01-11T00:00:00', { steps: null }),
  row('2026-01-12T00:00:00', { steps: 50 }),
]

describe('a query', () => {
  it('groups rows by the period they lie in', () => {
    const select = [{ group_key: '*' }, ...['sum', 'mean', 'count', 'oldest', 'newest', 'stddev'].map(steps)]
    expect(ask({ select, group_by: [days(1, 'week')] }, week)).toEqual({
      'group_key.0': ['2026-01-05T00:00:00', '2026-01-12T00:00:00'],
      'sum.steps': [400, 50],
      'mean.steps': [200, 50],
      'count.steps': [2, 1],
      'oldest.steps': [100, 50],
      'newest.steps': [300, 50],
      'stddev.steps': [141.421356, null],
    })
  })

  it('orders groups by their keys and keeps those without one for last', () => {
    const rows = ['b', null, 'a', 'b'].map((type, day) => row(`2026-01-0${day + 1}T00:00:00`, { type }))
    const query = {
      select: [{ group_key: 0 }, { func: 'count', arg: { index: 'sleep' } }],
      group_by: [{ sleep: 'type' }],
    }
    expect(ask(query, rows)).toEqual({ 'group_key.0': ['a', 'b', null], 'count.timestamp': [1, 2, 1] })
  })

  it('lists rows in the order of time where nothing is grouped, of every source', () => {
    const rows = [row('2026-01-06T07:00:00', { score: 2 }, 'oura'), row('2026-01-05T07:00:00', { score: 1 })]
    expect(ask({ select: [{ index: 'sleep' }, { sleep: 'score' }] }, rows)).toEqual({
      timestamp: ['2026-01-05T07:00:00', '2026-01-06T07:00:00'],
      score: [1, 2],
    })
  })

  it('folds everything into one row where there are only aggregates', () => {
    expect(ask({ select: [steps('median'), steps('max')] }, week)).toEqual({
      'median.steps': [100],
      'max.steps': [300],
    })
    expect(ask({ select: [steps('sum'), steps('count')] }, [])).toEqual({
      'sum.steps': [null],
      'count.steps': [0],
    })
  })

  it('counts in each group only the source that comes first, unless it groups by source', () => {
    const rows = [
      row('2026-01-05T00:00:00', { steps: 90, source_provider: 'oura' }, 'oura', 'ring'),
      row('2026-01-05T00:00:00', { steps: 100, source_provider: 'fitbit' }),
      row('2026-01-06T00:00:00', { steps: 70, source_provider: 'oura' }, 'oura', 'ring'),
    ]
    const select = [{ group_key: '*' }, steps('sum')]
    expect(ask({ select, group_by: [days(1)] }, rows)['sum.steps']).toEqual([100, 70])
    expect(ask({ select, group_by: [{ source: 'source_provider' }] }, rows)).toEqual({
      'group_key.0': ['fitbit', 'oura'],
      'sum.steps': [100, 160],
    })
  })

  it('reads no row outside its time', () => {
    const window = { from: at('2026-01-06T00:00:00'), until: at('2026-01-12T00:00:00') }
    expect(ask({ select: [steps('sum')] }, week, window)).toEqual({ 'sum.steps': [300] })
  })
})

describe('a condition', () => {
  const rows = [
    row('2026-01-01T00:00:00', { type: 'long_sleep', score: 80 }),
    row('2026-01-02T00:00:00', { type: "nap's", score: 40 }),
    row('2026-01-03T00:00:00', { type: 'long_sleep', score: null }),
  ]
  const days = (where: string) =>
    ask({ select: [{ index: 'sleep' }], where }, rows).timestamp?.map((text) => String(text).slice(8, 10))

  it.each([
    ["type = 'long_sleep'", ['01', '03']],
    ['score >= 40', ['01', '02']],
    ['sleep.score > 40', ['01']],
    ['50 < score', ['01']],
    ["type = 'nap''s'", ['02']],
    ["NOT type = 'long_sleep' OR score = 80", ['01', '02']],
    ["type != 'long_sleep' OR type = 'long_sleep' AND score > 90", ['02']],
    ["(type != 'long_sleep' OR type = 'long_sleep') and score > 70", ['01']],
    ['not (score > 50)', ['02']],
    ['score > -1.5', ['01', '02']],
  ])('%s', (where, expected) => {
    expect(days(where)).toEqual(expected)
  })

  it.each([
    ['score >', 'a column or a value is missing'],
    ['score', 'score is compared with nothing; there are >= <= != > < ='],
    ['scores > 1', 'there is no column scores'],
    ["score > 'a'", "score is a number and 'a' a text"],
    ['(score > 1', 'a parenthesis is not closed'],
    ['score > 1 2', '"2" does not belong there'],
    ['score > 1; drop', 'it cannot be read from "; drop"'],
    [`${'('.repeat(60)}score > 1`, 'it nests deeper than 50'],
    ['activity.steps > 1', 'there is no column activity.steps'],
  ])('%s is refused', (where, reason) => {
    expect(faultsOf({ select: [{ sleep: 'score' }], where })).toEqual([
      { type: 'value_error', loc: ['body', 'queries', 0, 'where'], msg: `Value error, ${reason}` },
    ])
  })
})

describe('what cannot be answered', () => {
  it('is told where it stands, behind keys that came to several columns', () => {
    const query = {
      select: [{ group_key: '*' }, steps('sum'), { activity: 'date' }],
      group_by: [days(1), { activity: 'source_type' }],
    }
    expect(faultsOf(query).map(({ loc }) => loc)).toEqual([['body', 'queries', 0, 'select', 2]])
  })

  it.each([
    [{ select: [steps('sum'), { sleep: 'score' }] }, /one table, and this one reads activity, not sleep/],
    [{ select: [{ group_key: 0 }, steps('sum')] }, /there is no group key 0: group_by has 0/],
    [{ select: [{ sleep: 'type' }], group_by: [{ sleep: 'type' }] }, /type has many values/],
    [{ select: [{ func: 'mean', arg: { sleep: 'type' } }] }, /mean takes numbers, and type is a text/],
    [{ select: [{ value_macro: 'mood' }] }, /there is no macro mood/],
    [{ select: [{ menstrual_cycle: 'menstrual_flow' }] }, /is a list/],
    [{ select: [steps('sum')], align: { carry: { mode: 'carry_forward' } } }, /align needs a date_trunc/],
    [{ select: [steps('sum')], group_by: [days(1), days(2)] }, /at most one date_trunc/],
    [{ select: [{ index: 'timeseries' }] }, /no expression names a timeseries/],
    [{ select: [{ source: 'source_type' }] }, /no expression names a table/],
  ])('%j', (query, reason) => {
    expect(
      faultsOf(query)
        .map(({ msg }) => msg)
        .join(),
    ).toMatch(reason)
  })
})

describe('the calendar', () => {
  it('begins weeks on Mondays and counts stretches of several units from 1970', () => {
    const trunc = (text: string, value: number, unit: 'week' | 'month' | 'hour' | 'year' | 'day') =>
      floatingText(truncate(at(text), { value, unit }))
    expect(trunc('2026-01-04T23:59:59', 1, 'week')).toBe('2025-12-29T00:00:00')
    expect(trunc('2026-01-05T00:00:00', 1, 'week')).toBe('2026-01-05T00:00:00')
    expect(trunc('2026-05-31T10:00:00', 3, 'month')).toBe('2026-04-01T00:00:00')
    expect(trunc('2026-05-31T11:59:00', 6, 'hour')).toBe('2026-05-31T06:00:00')
    expect(trunc('2026-05-31T11:59:00', 1, 'year')).toBe('2026-01-01T00:00:00')
  })

  it('tells the parts of a date', () => {
    const monday = at('2026-01-05T07:08:00')
    expect(partOf(monday, 'weekday')).toBe(1)
    expect(partOf(at('2026-01-04T07:08:00'), 'weekday')).toBe(7)
    expect(partOf(monday, 'hour')).toBe(7)
    expect(partOf(monday, 'day_of_year')).toBe(5)
    expect(partOf(at('2027-01-01T00:00:00'), 'week_of_year')).toBe(53)
    expect(partOf(at('2025-12-29T00:00:00'), 'week')).toBe(1)
  })

  it('counts back from the end of the anchor day', () => {
    const told = (anchor: string, value: number, unit: 'day' | 'month' | 'hour') => {
      const { from, until } = windowUntil(anchor, { value, unit })
      return [floatingText(from), floatingText(until)]
    }
    expect(told('2026-01-05', 7, 'day')).toEqual(['2025-12-30T00:00:00', '2026-01-06T00:00:00'])
    expect(told('2026-03-30', 1, 'month')).toEqual(['2026-02-28T00:00:00', '2026-03-31T00:00:00'])
    expect(told('2026-03-30', 6, 'hour')).toEqual(['2026-03-30T18:00:00', '2026-03-31T00:00:00'])
  })
})

describe('the chronotype', () => {
  const local = (text: string) => text.slice(0, 19)
  const ofMiddle = (time: string) => {
    const middle = Date.parse(`2026-01-05T${time}:00Z`)
    const night = {
      bedtime_start: new Date(middle - 4 * 3_600_000).toISOString(),
      bedtime_stop: new Date(middle + 4 * 3_600_000).toISOString(),
    }
    return macroColumns.chronotype?.read(night, { local } as never)
  }

  it.each([
    ['17:59', 'evening'],
    ['18:00', 'morning'],
    ['02:59', 'morning'],
    ['03:00', 'intermediate'],
    ['04:59', 'intermediate'],
    ['05:00', 'evening'],
  ])('of a night whose middle is at %s is %s', (time, chronotype) => {
    expect(ofMiddle(time)).toBe(chronotype)
  })
})
