import { describe, expect, it } from 'vitest'
import { ask, at, faultsOf, per, planned, row } from '../support/sense.ts'

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
    [{ select: [steps('sum')], align: { carry: { mode: 'carry_forward' } } }, /does not support align/],
    [{ select: [steps('sum')], group_by: [per('day'), per('week')] }, /groups by one date_trunc/],
    [
      { select: [steps('sum')], group_by: [{ date_part: 'hour', arg: { index: 'activity' } }] },
      /by date_trunc only/,
    ],
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
