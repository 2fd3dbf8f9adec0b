import { describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../src/kernel/instant.ts'
import { ask, at, faultsOf, per, planned, row } from '../support/sense.ts'

const steps = (func: string) => ({ func, arg: { activity: 'steps' } })
const heart = (func: string) => ({ func, arg: { timeseries: 'heartrate', field: 'value' } })
const provider = { source: 'source_provider' }
const daily = { select: [{ group_key: '*' }, steps('sum')], group_by: [per('day')] }
const forward = { align: { carry: { mode: 'carry_forward' } } }
const aged = (max_age: object) => ({ align: { carry: { mode: 'carry_forward', max_age } } })

/** The columns of a source. */
const from = (source_provider: string, source_type = 'watch', source_app_id: string | null = null) => ({
  source_provider,
  source_type,
  source_app_id,
})

const week = [
  row('2026-01-05T00:00:00', { steps: 100 }),
  row('2026-01-06T00:00:00', { steps: 300 }),
  row('2026-01-11T00:00:00', { steps: null }),
  row('2026-01-12T00:00:00', { steps: 50 }),
]

describe('a query', () => {
  it('groups rows by the period they lie in', () => {
    const select = [{ group_key: '*' }, ...['sum', 'mean', 'count', 'oldest', 'newest', 'stddev'].map(steps)]
    expect(ask({ select, group_by: [per('week')] }, week)).toEqual({
      'group_key.0': ['2026-01-05T00:00:00', '2026-01-12T00:00:00'],
      'sum.steps': [400, 50],
      'mean.steps': [200, 50],
      'count.steps': [2, 1],
      'oldest.steps': [100, 50],
      'newest.steps': [300, 50],
      'stddev.steps': [141.421356, null],
    })
  })

  it('lists rows in the order of time where nothing is grouped, of every source', () => {
    const rows = [row('2026-01-06T07:00:00', { score: 2 }, 'oura'), row('2026-01-05T07:00:00', { score: 1 })]
    expect(ask({ select: [{ index: 'sleep' }, { sleep: 'score' }] }, rows)).toEqual({
      timestamp: ['2026-01-05T07:00:00', '2026-01-06T07:00:00'],
      score: [1, 2],
    })
  })

  it('aggregates everything into one row without groups', () => {
    expect(ask({ select: [steps('median'), steps('max')] }, week)).toEqual({
      'median.steps': [100],
      'max.steps': [300],
    })
    expect(ask({ select: [steps('sum'), steps('count')] }, [])).toEqual({
      'sum.steps': [null],
      'count.steps': [0],
    })
  })

  it('counts in each group only the source that comes first', () => {
    const rows = [
      row('2026-01-05T00:00:00', { steps: 90 }, 'oura', 'ring'),
      row('2026-01-05T00:00:00', { steps: 100 }, 'fitbit'),
      row('2026-01-06T00:00:00', { steps: 70 }, 'oura', 'ring'),
    ]
    const select = [{ group_key: 0 }, steps('sum')]
    expect(ask({ select, group_by: [per('day')] }, rows)['sum.steps']).toEqual([100, 70])
    const alike = ['polar', 'garmin'].map((slug, at) => row('2026-01-05T00:00:00', { steps: at }, slug))
    expect(ask({ select, group_by: [per('day')] }, alike)['sum.steps']).toEqual([1])
  })

  it('reads no row outside its time: the first instant is included, the last is not', () => {
    const window = { from: at('2026-01-06T00:00:00'), until: at('2026-01-12T00:00:00') }
    expect(ask({ select: [steps('sum')] }, week, window)).toEqual({ 'sum.steps': [300] })
  })

  it('reads the columns of its condition as well', () => {
    const { columns } = planned({ select: [{ sleep: 'score' }], where: "type = 'long_sleep'" })
    expect(columns).toEqual(['score', 'type'])
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
    ['score <= 40', ['02']],
    ['score < 80', ['02']],
    ['sleep.score > 40', ['01']],
    ['"score">40', ['01']],
    ["type = 'nap''s'", ['02']],
    ["type != 'long_sleep' and score > -1.5", ['02']],
    ["score > 1 AND type = 'long_sleep' AND score > 79", ['01']],
    ["source_provider = 'fitbit'", []],
  ])('%s', (where, expected) => {
    expect(days(where)).toEqual(expected)
  })

  it.each([
    ['score >', 'cannot read "score >"'],
    ['score > 1 AND', 'cannot read ""'],
    ['score > 1 OR score < 0', 'cannot read "score > 1 OR score <"'],
    ['(score > 1)', 'cannot read "(score > 1)"'],
    ['"score > 1', 'cannot read ""score > 1"'],
    ['score" > 1', 'cannot read "score" > 1"'],
    ['scores > 1', 'there is no column scores'],
    ["score > 'a'", 'score is a number, and is compared with a text'],
    ['type = 1', 'type is a text, and is compared with a number'],
    ['activity.steps > 1', 'there is no column activity.steps'],
    [`score > ${'1'.repeat(4000)}`, 'a condition has at most 4000 characters'],
  ])('%s is refused', (where, reason) => {
    expect(faultsOf({ select: [{ sleep: 'score' }], where })).toEqual([
      { type: 'value_error', loc: ['body', 'queries', 0, 'where'], msg: expect.stringContaining(reason) },
    ])
  })
})

describe('groups by a column', () => {
  const rows = [
    row('2026-01-05T00:00:00', { steps: 90, ...from('oura', 'ring') }, 'oura', 'ring'),
    row('2026-01-05T00:00:00', { steps: 100, ...from('fitbit') }),
    row('2026-01-06T00:00:00', { steps: 70, ...from('fitbit') }),
    row('2026-01-06T00:00:00', { steps: 5, ...from('fitbit', 'phone', 'b') }, 'fitbit', 'phone'),
  ]
  const source = (name: string) => ({ source: name })
  const sums = (...group_by: object[]) => ask({ select: [{ group_key: '*' }, steps('sum')], group_by }, rows)
  const days = ['2026-01-05T00:00:00', '2026-01-06T00:00:00']

  it('come in the order of time, then of the other keys, named by their places in the query', () => {
    expect(sums(provider, per('day'))).toEqual({
      'group_key.0': ['fitbit', 'oura', 'fitbit'],
      'group_key.1': [days[0], days[0], days[1]],
      'sum.steps': [100, 90, 70],
    })
  })

  it.each([
    // In each group the source that comes first counts, unless provider and type are both keys.
    ['source_provider', ['fitbit', 'oura'], [170, 90]],
    ['source_type', ['phone', 'ring', 'watch'], [5, 90, 170]],
    // Rows without an id are a group of their own, the last.
    ['source_app_id', ['b', null], [5, 170]],
    ['source_device_id', [null], [170]],
  ])('may be of %s', (name, keys, values) => {
    const key = name === 'source_device_id' ? { activity: name } : source(name)
    expect(sums(key)).toEqual({ 'group_key.0': keys, 'sum.steps': values })
  })

  it('are each of one source where the provider and the type are keys', () => {
    expect(sums(per('week'), provider, source('source_type'))).toEqual({
      'group_key.0': Array(3).fill(days[0]),
      'group_key.1': ['fitbit', 'fitbit', 'oura'],
      'group_key.2': ['phone', 'watch', 'ring'],
      'sum.steps': [5, 170, 90],
    })
  })

  it('are none where there are no rows, and one key may be selected alone', () => {
    const query = { select: [{ group_key: 1 }, steps('count')], group_by: [per('day'), provider] }
    expect(ask(query, [])).toEqual({ 'group_key.1': [], 'count.steps': [] })
    expect(ask(query, rows)).toEqual({
      'group_key.1': ['fitbit', 'oura', 'fitbit'],
      'count.steps': [1, 1, 1],
    })
  })
})

describe('empty groups', () => {
  const weighed = [
    row('2026-01-04T00:00:00', { weight_kilogram: 99 }),
    row('2026-01-05T00:00:00', { weight_kilogram: null, fat_mass_percentage: 20 }),
    row('2026-01-06T00:00:00', { weight_kilogram: 80, fat_mass_percentage: null }),
    row('2026-01-10T00:00:00', { weight_kilogram: 81, fat_mass_percentage: null }),
  ]
  const newest = (name: string) => ({ func: 'newest', arg: { body: name } })
  const filled = (
    max_age: object | null,
    { until = '2026-01-14', now = '2026-02-01', rows = weighed } = {},
  ) => {
    const window = { from: at('2026-01-05T00:00:00'), until: at(`${until}T00:00:00`) }
    const query = {
      select: [{ group_key: '*' }, newest('weight_kilogram'), newest('fat_mass_percentage')],
      group_by: [per('day', 1, 'body')],
      align: { carry: { mode: 'carry_forward', max_age } },
    }
    const table = ask(query, rows, window, at(`${now}T00:00:00`))
    const [keys = [], weight, fat] = Object.values(table)
    return { days: keys.map((key) => Number(String(key).slice(8, 10))), weight, fat }
  }

  it('get the last value of each column within the time asked about, and nothing before the first', () => {
    expect(filled(null)).toEqual({
      days: [5, 6, 7, 8, 9, 10],
      weight: [null, 80, 80, 80, 80, 81],
      fat: [20, 20, 20, 20, 20, 20],
    })
  })

  it.each([
    [
      { value: 2, unit: 'day' },
      {},
      [null, 80, 80, 80, null, 81, 81, 81],
      [20, 20, 20, null, null, null, null, null],
    ],
    [
      { value: 1, unit: 'day' },
      {},
      [null, 80, 80, null, null, 81, 81],
      [20, 20, null, null, null, null, null],
    ],
    // No group begins after the time asked about, or after now.
    [{ value: 1, unit: 'month' }, {}, [null, 80, 80, 80, 80, 81, 81, 81, 81], Array(9).fill(20)],
    [
      { value: 1, unit: 'week' },
      { now: '2026-01-11' },
      [null, 80, 80, 80, 80, 81, 81],
      [...Array(7).fill(20)],
    ],
    [{ value: 1, unit: 'week' }, { now: '2026-01-02' }, [null, 80, 80, 80, 80, 81], Array(6).fill(20)],
    [{ value: 1, unit: 'week' }, { until: '2026-01-11' }, [null, 80, 80, 80, 80, 81], Array(6).fill(20)],
    [{ value: 1, unit: 'week' }, { rows: [] }, [], []],
  ])('get none that is older than %j, with %j', (max_age, more, weight, fat) => {
    const table = filled(max_age, more)
    expect(table).toMatchObject({ weight, fat })
    expect(table.days).toEqual(weight.map((_, nth) => nth + 5))
  })

  it('are filled in each series by its own values', () => {
    const rows = [
      row('2026-01-05T00:00:00', { steps: 1, ...from('oura') }, 'oura'),
      row('2026-01-06T00:00:00', { steps: 9, ...from('fitbit') }),
      row('2026-01-07T00:00:00', { steps: 2, ...from('oura') }, 'oura'),
      row('2026-01-08T00:00:00', { steps: 8, ...from('fitbit') }),
    ]
    const query = {
      select: [{ group_key: '*' }, steps('sum'), steps('count')],
      group_by: [per('day'), provider],
      ...forward,
    }
    expect(ask(query, rows)).toEqual({
      'group_key.0': [5, 6, 6, 7, 7, 8].map((day) => `2026-01-0${day}T00:00:00`),
      'group_key.1': ['oura', 'fitbit', 'oura', 'fitbit', 'oura', 'fitbit'],
      'sum.steps': [1, 9, 1, 9, 2, 8],
      'count.steps': [1, 1, 1, 1, 1, 1],
    })
  })

  it('follow the lengths of months', () => {
    const rows = [row('2025-11-30T00:00:00', { steps: 1 }), row('2026-03-01T00:00:00', { steps: 2 })]
    const query = (unit: string) => ({
      select: [{ group_key: 0 }, steps('sum')],
      group_by: [per(unit)],
      align: { carry: { mode: 'carry_forward', max_age: { unit: 'year' } } },
    })
    const { 'group_key.0': months = [] } = ask(query('month'), rows, undefined, at('2026-04-30T23:00:00'))
    expect(months.map((key) => String(key).slice(0, 10))).toEqual(
      ['2025-11', '2025-12', '2026-01', '2026-02', '2026-03', '2026-04'].map((month) => `${month}-01`),
    )
  })

  it('are at most a quarter of a million', { tags: 'slow' }, () => {
    const minutes = { ...daily, ...forward, group_by: [per('minute')] }
    const rows = (count: number) =>
      [0, count - 1].map((minute) => ({
        ...row('2026-01-05T00:00:00', { steps: 1 }),
        at: at('2026-01-05T00:00:00') + minute * MINUTE_MS,
      }))
    expect(ask(minutes, rows(250_000))['sum.steps']).toHaveLength(250_000)
    expect(() => ask(minutes, rows(250_001))).toThrow(
      'more than 250000 rows are filled; ask for a shorter time',
    )
  })

  it.each([
    [{ ...forward, group_by: [], select: [steps('sum')] }, ['group_by'], /need a date_trunc/],
    [{ ...forward, group_by: [provider] }, ['group_by'], /need a date_trunc/],
    [{ ...forward, select: [steps('sum')] }, ['select'], /all group keys/],
    [
      {
        ...forward,
        group_by: [per('day'), provider],
        select: [{ group_key: 1 }],
      },
      ['select'],
      /need all group keys/,
    ],
    [
      {
        ...forward,
        group_by: [per('day'), provider],
        select: [{ group_key: 0 }, { group_key: 0 }],
      },
      ['select'],
      /need all group keys/,
    ],
    [{ align: { carry: { mode: 'carry_backward' } } }, ['align', 'carry'], /carries values forward only/],
    [{ align: { carry: { mode: 'carry_nearest' } } }, ['align', 'carry'], /carries values forward only/],
    [aged({ value: 23, unit: 'hour' }), ['align', 'carry', 'max_age'], /max_age is shorter than a group/],
    [{ ...aged({ unit: 'month' }), group_by: [per('day', 29)] }, ['align', 'carry', 'max_age'], /shorter/],
    [
      { ...aged({ value: 27, unit: 'day' }), group_by: [per('month')] },
      ['align', 'carry', 'max_age'],
      /shorter/,
    ],
  ])('are not filled as %j', (query, path, reason) => {
    const [fault, ...others] = faultsOf({ ...daily, ...query })
    expect(fault).toMatchObject({ loc: ['body', 'queries', 0, ...path], msg: expect.stringMatching(reason) })
    expect(others).toEqual([])
  })

  it.each([
    [{ value: 24, unit: 'hour' }, per('day')],
    [{ unit: 'month' }, per('day', 28)],
    [{ value: 28, unit: 'day' }, per('month')],
    [{ value: 12, unit: 'month' }, per('year')],
    [{ value: 365, unit: 'day' }, per('year')],
  ])('may be filled for %j in groups of %j', (max_age, group) => {
    expect(faultsOf({ ...daily, ...aged(max_age), group_by: [group] })).toEqual([])
  })
})

describe('a query that Petri does not answer', () => {
  const unsupported = /Petri does not support this expression/
  it.each([
    [{ select: [steps('sum'), { sleep: 'score' }] }, /one table, and this one reads activity, not sleep/],
    [{ select: [{ group_key: 0 }, steps('sum')] }, /there is no group key 0: group_by has 0/],
    [{ select: [{ sleep: 'type' }, { group_key: 0 }], group_by: [per('day')] }, /type has many values/],
    [{ select: [{ func: 'mean', arg: { sleep: 'type' } }] }, /mean takes numbers, and type is a text/],
    [{ select: [{ value_macro: 'chronotype' }] }, unsupported],
    [{ select: [{ menstrual_cycle: 'menstrual_flow' }] }, unsupported],
    [{ select: [{ meal: 'calories' }] }, unsupported],
    [{ select: [{ index: 'profile' }] }, unsupported],
    [{ select: [{ timeseries: 'steps', field: 'duration' }] }, unsupported],
    [{ select: [steps('sum')], group_by: [per('day'), per('week')] }, /groups by one date_trunc at most/],
    [{ select: [steps('sum')], group_by: [{ date_part: 'hour', arg: { index: 'activity' } }] }, unsupported],
    [{ select: [steps('sum')], group_by: [{ value_macro: 'chronotype' }] }, unsupported],
    [{ select: [steps('sum')], group_by: [per('day'), { sleep: 'type' }] }, /reads activity, not sleep/],
    [{ select: [steps('sum'), { source: 'source_sport' }] }, /activity has no source_sport/],
    [{ select: [heart('max')], group_by: [{ source: 'source_app_id' }] }, /heartrate has no source_app_id$/],
    [{ select: [heart('max')], where: "source_app_id = 'x'" }, /there is no column source_app_id/],
    [{ select: [{ group_key: 2 }, steps('sum')], group_by: [per('day'), provider] }, /group_by has 2/],
    [{ select: [{ group_key: -1 }, steps('sum')], group_by: [per('day')] }, /no group key -1/],
    [{ select: [{ index: 'timeseries' }] }, /no expression names a timeseries/],
    [{ select: [{ source: 'source_type' }] }, /no expression names a table/],
    [
      {
        select: [
          { timeseries: 'steps', field: 'value' },
          { timeseries: 'hrv', field: 'value' },
        ],
      },
      /reads one timeseries, here steps, not hrv/,
    ],
  ])('%j', (query, reason) => {
    expect(
      faultsOf(query)
        .map(({ msg }) => msg)
        .join(),
    ).toMatch(reason)
  })

  it('is told of all that is wrong at once, and where', () => {
    const query = { select: [{ meal: 'name' }, steps('sum'), { profile: 'sex' }] }
    expect(faultsOf(query).map(({ loc }) => loc)).toEqual(
      [0, 2].map((nth) => ['body', 'queries', 0, 'select', nth]),
    )
  })
})
