import { describe, expect, it } from 'vitest'
import { always } from '../../src/resources/sense/calendar.ts'
import { LimitExceeded } from '../../src/resources/sense/engine.ts'
import { ask, at, per, row } from '../support/sense.ts'

const steps = (func: string) => ({ func, arg: { activity: 'steps' } })
const day = (date: number) => `2026-01-${String(date).padStart(2, '0')}T00:00:00`
const between = (from: number, until: number) => ({ from: at(day(from)), until: at(day(until)) })

describe('the rows of a query', () => {
  const rows = [5, 6, 7].map((date) => row(day(date), { steps: date }))
  const list = { select: [{ activity: 'steps' }] }

  it('are those of its window, the first instant included and the last not', () => {
    expect(ask(list, rows, between(5, 7))).toEqual({ steps: [5, 6] })
    expect(ask(list, rows, { from: at(day(5)) + 1, until: at(day(7)) + 1 })).toEqual({ steps: [6, 7] })
  })

  it('are all of them in profiles, which have no time', () => {
    const profile = { select: [{ profile: 'sex' }] }
    expect(ask(profile, [row(day(1), { sex: 'female' })], between(5, 7))).toEqual({ sex: ['female'] })
    expect(ask(profile, [row(day(9), { sex: 'female' })], between(5, 7))).toEqual({ sex: ['female'] })
  })

  it('are left out where a condition is not known to hold', () => {
    const where = 'steps > 5'
    const some = [row(day(5), { steps: null }), row(day(6), {}), ...rows]
    expect(ask({ ...list, where }, some)).toEqual({ steps: [6, 7] })
  })

  it('have empty cells for what they lack', () => {
    const query = { select: [{ activity: 'steps' }, { activity: 'date' }, { index: 'activity' }] }
    expect(ask(query, [row(day(5), { steps: 1 })])).toEqual({
      steps: [1],
      date: [null],
      timestamp: [day(5)],
    })
    expect(ask(query, [])).toEqual({ steps: [], date: [], timestamp: [] })
  })

  it('are aggregated from oldest to newest, however they come', () => {
    const select = [steps('oldest'), steps('newest'), { func: 'min', arg: { index: 'activity' } }]
    expect(ask({ select }, [...rows].reverse())).toEqual({
      'oldest.steps': [5],
      'newest.steps': [7],
      'min.timestamp': [day(5)],
    })
  })
})

describe('groups', () => {
  it.each([
    ['number', [10, 9, null, 2], [2, 9, 10, null]],
    ['text', ['b', null, 'a', 'B'], ['B', 'a', 'b', null]],
    ['truth', [true, null, false], [false, true, null]],
  ])('by a %s are in order, without a key last', (_, values, expected) => {
    const rows = values.map((date, nth) => row(day(nth + 1), { date }))
    const table = ask(
      {
        select: [{ group_key: 0 }, { func: 'count', arg: { index: 'activity' } }],
        group_by: [{ activity: 'date' }],
      },
      rows,
    )
    expect(table).toEqual({ 'group_key.0': expected, 'count.timestamp': expected.map(() => 1) })
  })

  it('by several keys are in the order of the first, then of the second', () => {
    const rows = [
      row('2026-01-06T10:00:00', { date: 'b', steps: 1 }),
      row('2026-01-05T11:00:00', { date: 'b', steps: 2 }),
      row('2026-01-06T11:00:00', { date: 'a', steps: 4 }),
      row('2026-01-06T12:00:00', { date: 'a', steps: 8 }),
    ]
    const group_by = [{ date_part: 'day', arg: { index: 'activity' } }, { activity: 'date' }]
    expect(ask({ select: [steps('sum'), { group_key: '*' }], group_by }, rows)).toEqual({
      'sum.steps': [2, 12, 1],
      'group_key.0': [5, 6, 6],
      'group_key.1': ['b', 'a', 'b'],
    })
    expect(ask({ select: [{ group_key: 1 }], group_by }, rows)).toEqual({ 'group_key.1': ['b', 'a', 'b'] })
  })

  it.each([
    ['the better provider', ['oura', 'ring'], ['fitbit', 'watch'], 2],
    ['the better provider, though it comes second', ['fitbit', 'watch'], ['oura', 'ring'], 1],
    ['of the same rank the first by name', ['fitbit', 'watch'], ['fitbit', 'scale'], 2],
    ['of the same rank the first by name, in any order', ['fitbit', 'scale'], ['fitbit', 'watch'], 1],
  ] as const)('count one source each: %s', (_, first, second, expected) => {
    const rows = [first, second].map((source, nth) => row(day(5), { steps: nth + 1 }, ...source))
    expect(ask({ select: [steps('sum')], group_by: [per('day')] }, rows)).toEqual({ 'sum.steps': [expected] })
    // Without groups all count.
    expect(ask({ select: [steps('sum')] }, rows)).toEqual({ 'sum.steps': [3] })
  })

  it('of one source have all its rows', () => {
    const rows = [1, 2].map((steps) => row(day(5), { steps }, 'oura', 'ring'))
    expect(ask({ select: [steps('sum')], group_by: [per('day')] }, rows)).toEqual({ 'sum.steps': [3] })
  })
})

describe('an aligned table', () => {
  const rows = [row(day(6), { steps: 6, date: 'a' }), row(day(9), { steps: 9, date: 'a' })]
  const query = (carry: object, group_by: object[] = [per('day')]) => ({
    select: [{ group_key: '*' }, steps('sum')],
    group_by,
    align: { carry },
  })
  const sums = (carry: object, window = between(5, 11)) => ask(query(carry), rows, window)['sum.steps']
  const days = (value: number) => ({ value, unit: 'day' })

  it.each([
    [{ mode: 'carry_forward' }, [null, 6, 6, 6, 9, 9]],
    [{ mode: 'carry_backward' }, [6, 6, 9, 9, 9, null]],
    [{ mode: 'carry_nearest' }, [6, 6, 6, 9, 9, 9]],
    [{ mode: 'carry_forward', max_age: days(1) }, [null, 6, 6, null, 9, 9]],
    [{ mode: 'carry_forward', max_age: days(2) }, [null, 6, 6, 6, 9, 9]],
    [{ mode: 'carry_backward', max_age: days(1) }, [6, 6, null, 9, 9, null]],
    [{ mode: 'carry_nearest', span: { value: 23, unit: 'hour' } }, [null, 6, null, null, 9, null]],
    [{ mode: 'carry_nearest', span: days(1) }, [6, 6, 6, 9, 9, 9]],
  ])('has a row for each day, with %j', (carry, expected) => expect(sums(carry)).toEqual(expected))

  it('takes the earlier of two that are equally near', () => {
    expect(
      ask(
        query({ mode: 'carry_nearest' }),
        [rows[0], row(day(8), { steps: 8 })].flatMap((one) => one ?? []),
        between(6, 9),
      )['sum.steps'],
    ).toEqual([6, 6, 8])
  })

  it('has the keys of the empty rows as well, and of an unlimited time those from the first to the last', () => {
    expect(ask(query({ mode: 'carry_forward' }), rows, always)).toEqual({
      'group_key.0': [6, 7, 8, 9].map(day),
      'sum.steps': [6, 6, 6, 9],
    })
    // A hundred years are a limit.
    const from = at(day(6))
    const century = { from, until: from + 100 * 366 * 86_400_000 }
    const years = query({ mode: 'carry_forward' }, [per('year', 10)])
    expect(ask(years, rows, century)['sum.steps']).toHaveLength(11)
    expect(ask(years, rows, { ...century, until: century.until + 1 })['sum.steps']).toHaveLength(1)
  })

  it('is filled for each of the other keys on its own, and in order', () => {
    const mixed = [...rows, row(day(7), { steps: 70, date: 'b' })]
    expect(
      ask(query({ mode: 'carry_forward' }, [{ activity: 'date' }, per('day')]), mixed, between(6, 9)),
    ).toEqual({
      'group_key.0': ['a', 'a', 'a', 'b', 'b', 'b'],
      'group_key.1': [6, 7, 8, 6, 7, 8].map(day),
      'sum.steps': [6, 6, 6, null, 70, 70],
    })
    expect(
      ask(query({ mode: 'carry_backward' }, [per('day'), { activity: 'date' }]), mixed, between(6, 8)),
    ).toEqual({
      'group_key.0': [6, 6, 7, 7].map(day),
      'group_key.1': ['a', 'b', 'a', 'b'],
      'sum.steps': [6, 70, null, 70],
    })
  })

  it('fills counts and texts too, each column by itself', () => {
    const select = [steps('newest'), { func: 'newest', arg: { activity: 'date' } }, steps('count')]
    const sparse = [row(day(6), { steps: 6, date: null }), row(day(7), { steps: null, date: 'b' })]
    const group_by = [per('day')]
    const align = { carry: { mode: 'carry_forward' } }
    expect(ask({ select, group_by, align }, sparse, between(6, 9))).toEqual({
      'newest.steps': [6, 6, 6],
      'newest.date': [null, 'b', 'b'],
      'count.steps': [1, 0, 0],
    })
  })

  it('is empty without rows, and as it is without an alignment', () => {
    expect(ask(query({ mode: 'carry_forward' }), [], between(5, 11))).toEqual({
      'group_key.0': [],
      'sum.steps': [],
    })
    const { align: _, ...plain } = query({ mode: 'carry_forward' })
    expect(ask(plain, rows, between(5, 11))['sum.steps']).toEqual([6, 9])
  })

  it('counts months by the calendar', () => {
    const carry = { mode: 'carry_forward', max_age: { value: 1, unit: 'month' } }
    const window = { from: at('2026-01-01T00:00:00'), until: at('2026-06-01T00:00:00') }
    const january = [row('2026-01-31T00:00:00', { steps: 1 })]
    expect(ask(query(carry, [per('month')]), january, window)).toEqual({
      'group_key.0': [1, 2, 3, 4, 5].map((month) => `2026-0${month}-01T00:00:00`),
      'sum.steps': [1, 1, null, null, null],
    })
  })

  it('of more than a hundred thousand rows is refused, also when its groups are that many together', () => {
    const minutes = (count: number) => ({ from: at(day(6)), until: at(day(6)) + count * 60_000 })
    const minutely = query({ mode: 'carry_forward' }, [per('minute'), { activity: 'date' }])
    const two = ['a', 'b'].map((date) => row(day(6), { steps: 1, date }))
    const refusal = new LimitExceeded('its table has more than 100000 rows when aligned')
    expect(() => ask(minutely, two.slice(1), minutes(100_001))).toThrow(refusal)
    expect(() => ask(minutely, two, minutes(50_001))).toThrow(refusal)
  })
})
