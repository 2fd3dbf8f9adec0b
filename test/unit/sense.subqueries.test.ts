import { describe, expect, it } from 'vitest'
import { faultsOf, planned } from '../support/sense.ts'

const from = (menstrual_cycle: string) => ({ unnest: { menstrual_cycle } })
const tags = { unnest: { timeseries: 'note', field: 'tags' } }
const placeholder = { placeholder: true }
const flows = [
  { date: '2026-01-01', flow: 'heavy' },
  { date: '2026-01-02', flow: 'light' },
  { date: '2026-01-03' },
]
const temperatures = [
  { date: '2026-01-01', value: 36.4 },
  { date: '2026-01-02', value: 36.8 },
]

/** What a subquery makes of a list, and the column that it makes. */
function made(subquery: object, list: unknown) {
  const { outputs, subqueries, ...plan } = planned({ select: [subquery] })
  const [[name, one] = []] = [...subqueries]
  expect(outputs).toEqual([{ of: 'column', name: one?.label, column: name }])
  expect(plan.columns).toEqual([name])
  expect(one).toMatchObject({ table: plan.table, series: plan.series })
  return { table: plan.table, series: plan.series, label: one?.label, kind: one?.kind, value: one?.of(list) }
}

describe('a subquery', () => {
  it.each([
    [{ select: { func: 'count' }, from: from('menstrual_flow') }, flows, 'count.menstrual_flow', 'number', 3],
    [
      { select: { func: 'count', arg: null }, from: from('menstrual_flow') },
      [],
      'count.menstrual_flow',
      'number',
      0,
    ],
    [{ select: { func: 'count' }, from: from('menstrual_flow') }, null, 'count.menstrual_flow', 'number', 0],
    [
      { select: { func: 'count', arg: { menstrual_flow: 'flow' } }, from: placeholder },
      flows,
      'count.menstrual_flow.flow',
      'number',
      2,
    ],
    [
      { select: { func: 'newest', arg: { menstrual_flow: 'date' } }, from: from('menstrual_flow') },
      flows,
      'newest.menstrual_flow.date',
      'text',
      '2026-01-03',
    ],
    [
      {
        select: { func: 'oldest', arg: { menstrual_flow: 'flow' } },
        from: placeholder,
        where: "date > '2026-01-01'",
      },
      flows,
      'oldest.menstrual_flow.flow',
      'text',
      'light',
    ],
    [
      {
        select: { func: 'oldest', arg: { menstrual_flow: 'flow' } },
        from: placeholder,
        where: "date > '2027-01-01'",
      },
      flows,
      'oldest.menstrual_flow.flow',
      'text',
      null,
    ],
    [
      { select: { func: 'count' }, from: from('menstrual_flow'), where: "menstrual_flow.flow != 'heavy'" },
      flows,
      'count.menstrual_flow',
      'number',
      1,
    ],
    [
      { select: { func: 'mean', arg: { basal_body_temperature: 'value' } }, from: placeholder },
      temperatures,
      'mean.basal_body_temperature.value',
      'number',
      36.6,
    ],
    [
      {
        select: { func: 'max', arg: { basal_body_temperature: 'value' } },
        from: placeholder,
        where: 'value < 36.5',
      },
      temperatures,
      'max.basal_body_temperature.value',
      'number',
      36.4,
    ],
    [
      { select: { func: 'max', arg: { basal_body_temperature: 'date' } }, from: placeholder },
      temperatures,
      'max.basal_body_temperature.date',
      'text',
      '2026-01-02',
    ],
    [
      { select: { func: 'newest', arg: { contraceptive: 'type' } }, from: placeholder },
      [{ type: 'pill' }],
      'newest.contraceptive.type',
      'text',
      'pill',
    ],
  ])('%j of %j', (subquery, list, label, kind, value) => {
    expect(made(subquery, list)).toEqual({ table: 'menstrual_cycle', series: null, label, kind, value })
  })

  it.each([
    [{ select: { func: 'count' }, from: tags }, 'count.tags', 'number', 3],
    [
      { select: { func: 'count', arg: { element: true } }, from: tags, where: "element = 'food'" },
      'count.tags',
      'number',
      2,
    ],
    [{ select: { func: 'newest', arg: { element: true } }, from: tags }, 'newest.tags', 'text', 'food'],
  ])('of the tags of notes: %j', (subquery, label, kind, value) => {
    const series = { table: 'timeseries', series: 'note' }
    expect(made(subquery, ['food', 'exercise', 'food'])).toEqual({ ...series, label, kind, value })
  })

  it('can be aggregated, and grouped by as little as a list', () => {
    const arg = { select: { func: 'count' }, from: from('menstrual_flow') }
    expect(planned({ select: [{ func: 'sum', arg }] }).outputs).toEqual([
      { of: 'aggregate', name: 'sum.count.menstrual_flow', func: 'sum', column: JSON.stringify(arg) },
    ])
    const flow = { select: { func: 'newest', arg: { menstrual_flow: 'flow' } }, from: placeholder }
    expect(faultsOf({ select: [{ func: 'sum', arg: flow }] })).toMatchObject([
      { msg: 'Value error, sum takes numbers, and newest.menstrual_flow.flow is a text' },
    ])
  })

  it.each([
    [
      { select: { func: 'mean', arg: { menstrual_flow: 'flow' } }, from: from('menstrual_flow') },
      'mean takes numbers, and flow is a text',
    ],
    [
      { select: { func: 'sum', arg: { basal_body_temperature: 'date' } }, from: placeholder },
      'sum takes numbers, and date is a text',
    ],
    [{ select: { func: 'count' }, from: placeholder }, 'from names no list'],
    [{ select: { func: 'count', arg: { element: true } }, from: placeholder }, 'from names no list'],
    [{ select: { func: 'count' }, from: { unnest: { sleep: 'score' } } }, 'from names no list'],
    [{ select: { func: 'count' }, from: from('period_start') }, 'from names no list'],
    [
      { select: { func: 'count' }, from: { unnest: { timeseries: 'note', field: 'content' } } },
      'from names no list',
    ],
    [
      { select: { func: 'count' }, from: { unnest: { timeseries: 'steps', field: 'value' } } },
      'from names no list',
    ],
    [
      { select: { func: 'count', arg: { contraceptive: 'type' } }, from: from('menstrual_flow') },
      'the elements of menstrual_flow have no type',
    ],
    [
      { select: { func: 'count', arg: { element: true } }, from: from('menstrual_flow') },
      'the elements of menstrual_flow have no element',
    ],
    [
      { select: { func: 'count', arg: { menstrual_flow: 'date' } }, from: tags },
      'the elements of tags have no date',
    ],
    [
      { select: { func: 'count' }, from: from('menstrual_flow'), where: 'colour = 1' },
      'there is no column colour',
    ],
    [
      { select: { func: 'count' }, from: from('menstrual_flow'), where: 'flow = 1' },
      'flow is a text and 1 a number',
    ],
    [
      { select: { func: 'count' }, from: from('basal_body_temperature'), where: "value = 'a'" },
      "value is a number and 'a' a text",
    ],
    [{ select: { func: 'count' }, from: tags, where: 'element >' }, 'a column or a value is missing'],
  ])('%j is refused: %s', (subquery, reason) => {
    expect(faultsOf({ select: [subquery] })[0]).toEqual({
      ...{ type: 'value_error', loc: ['body', 'queries', 0, 'select', 0], msg: `Value error, ${reason}` },
    })
  })
})
