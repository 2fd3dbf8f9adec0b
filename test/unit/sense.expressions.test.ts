import { describe, expect, it } from 'vitest'
import { Query, QueryBatch } from '../../src/resources/sense/schema.ts'

const steps = { func: 'sum', arg: { activity: 'steps' } }
const day = { value: 1, unit: 'day' }

/** What a query is refused for: where, and as what. */
function refused(query: object) {
  const { error } = Query().safeParse(query)
  return error?.issues.map((issue) => [
    issue.path.join('.'),
    'params' in issue ? (issue.params as { type?: string }).type : issue.code,
    issue.message,
  ])
}

describe('an expression', () => {
  it.each([
    { sleep: 'score' },
    { derived_readiness: 'recovery_zone' },
    { workout: 'sport_slug' },
    { body: 'weight_kilogram' },
    { meal: 'calories' },
    { menstrual_cycle: 'period_start' },
    { profile: 'sex' },
    { reliability: 'resource' },
    { index: 'timeseries' },
    { source: 'source_app_id' },
    { value_macro: 'sleep_score', version: 'automatic' },
    { value_macro: 'awakenings', version: 'automatic' },
    { value_macro: 'mood' },
    { timeseries: 'heartrate', field: 'value' },
    { timeseries: 'steps', field: 'duration' },
    { timeseries: 'insulin_injection', field: 'delivery_mode' },
    { timeseries: 'blood_pressure', field: 'systolic' },
    { timeseries: 'body_temperature', field: 'sensor_location' },
    { timeseries: 'workout_duration', field: 'intensity' },
    { timeseries: 'note', field: 'tags' },
    { group_key: 0 },
    { group_key: '*' },
    steps,
    { func: 'count', arg: { index: 'meal' } },
    { select: { func: 'count' }, from: { unnest: { menstrual_cycle: 'menstrual_flow' } } },
    {
      select: { func: 'count', arg: { element: true } },
      from: { placeholder: true },
      where: "element = 'food'",
    },
    {
      select: { func: 'newest', arg: { menstrual_flow: 'flow', field_for: 'menstrual_cycle' } },
      from: { placeholder: true },
    },
  ])('can be selected, and is read as it is: %j', (item) => {
    expect(Query().parse({ select: [item] })).toEqual({ select: [item], group_by: [] })
  })

  it.each([
    { date_trunc: day, arg: { index: 'sleep' } },
    { date_trunc: { unit: 'minute', value: 10_000_000 }, arg: { placeholder: true } },
    { date_part: 'week_of_year', arg: { index: 'sleep' } },
    { sleep: 'type' },
    { source: 'source_type' },
    { timeseries: 'steps', field: 'type' },
    { value_macro: 'chronotype' },
  ])('can be grouped by: %j', (item) => {
    expect(refused({ select: [steps], group_by: [item] })).toBeUndefined()
  })

  it.each([
    { mode: 'carry_forward' },
    { mode: 'carry_backward', max_age: day },
    { mode: 'carry_nearest', span: null },
  ])('can fill: %j', (carry) => expect(refused({ select: [steps], align: { carry } })).toBeUndefined())

  it.each([
    [
      null,
      '',
      'model_attributes_type',
      'Input should be a valid dictionary or object to extract fields from',
    ],
    [
      'steps',
      '',
      'model_attributes_type',
      'Input should be a valid dictionary or object to extract fields from',
    ],
    [{ sleep: 'dreams' }, '.sleep', 'enum', expect.stringContaining("'score'")],
    [{ timeseries: 'step', field: 'value' }, '.timeseries', 'enum', expect.stringContaining("'steps'")],
    [{ timeseries: 'heartrate', field: 'duration' }, '.field', 'enum', expect.stringContaining("'value'")],
    [{ timeseries: 'heartrate' }, '.field', 'missing', 'Field required'],
    [{ value_macro: 'chronotype', version: '2' }, '.version', 'literal_error', "Input should be 'automatic'"],
    [{ func: 'sum' }, '.arg', 'missing', 'Field required'],
    [{ arg: { activity: 'steps' } }, '.func', 'missing', 'Field required'],
    [{ func: 'avg', arg: { activity: 'steps' } }, '.func', 'enum', expect.stringContaining("'mean'")],
    [
      { group_key: 0.5 },
      '.group_key',
      'value_error',
      "Value error, a group key is the number of an expression in group_by, from 0, or '*'",
    ],
    [
      { select: { func: 'count', arg: { element: false } }, from: { placeholder: true } },
      '.select.arg.element',
      'literal_error',
      'Input should be True',
    ],
    [
      { select: { func: 'count' }, from: { placeholder: 1 } },
      '.from.placeholder',
      'literal_error',
      'Input should be True',
    ],
    [{ select: { func: 'count' } }, '.from', 'missing', 'Field required'],
    [
      {
        select: { func: 'min', arg: { menstrual_flow: 'flow', field_for: 'sleep' } },
        from: { placeholder: true },
      },
      '.select.arg.field_for',
      'literal_error',
      "Input should be 'menstrual_cycle'",
    ],
    [
      { select: { func: 'min', arg: { menstrual_flow: 'colour' } }, from: { placeholder: true } },
      '.select.arg.menstrual_flow',
      'enum',
      expect.stringContaining("'flow'"),
    ],
  ])('%j is refused at its place', (item, path, type, message) => {
    expect(refused({ select: [steps, item] })).toEqual([[`select.1${path}`, type, message]])
  })

  it.each([
    [{ xyzzyxyzzy: 'red' }, ''],
    [{ sleeps: 'score' }, ' Did you mean "sleep"?'],
    [{ xyzzyxyzzy: 'red', souce: 'source_type' }, ' Did you mean "source"?'],
    [{}, ''],
  ])('of no kind is told of the kinds that there are: %j', (item, hint) => {
    const [[path, type, message] = []] = refused({ select: [item] }) ?? []
    expect([path, type]).toEqual(['select.0', 'value_error'])
    expect(message).toMatch(
      /^Value error, an expression here has one of the keys func, arg, group_key, sleep, /,
    )
    expect(message).toMatch(/, value_macro, timeseries, index, select, source\./)
    expect(String(message).slice(String(message).indexOf('source') + 7)).toBe(hint)
  })

  it.each([
    [
      { date_trunc: { value: 0, unit: 'day' }, arg: { index: 'sleep' } },
      'date_trunc.value',
      'greater_than_equal',
    ],
    [
      { date_trunc: { value: 10_000_001, unit: 'day' }, arg: { index: 'sleep' } },
      'date_trunc.value',
      'less_than_equal',
    ],
    [{ date_trunc: { value: 1, unit: 'century' }, arg: { index: 'sleep' } }, 'date_trunc.unit', 'enum'],
    [{ date_trunc: day, arg: { sleep: 'score' } }, 'arg', 'value_error'],
    [{ date_part: 'century', arg: { index: 'sleep' } }, 'date_part', 'enum'],
    [{ date_part: 'hour' }, 'arg', 'missing'],
    [steps, '', 'value_error'],
  ])('cannot be grouped by: %j', (item, path, type) => {
    const [first] = refused({ select: [steps], group_by: [item] }) ?? []
    expect(first?.slice(0, 2)).toEqual([path === '' ? 'group_by.0' : `group_by.0.${path}`, type])
  })

  it.each([
    [{ mode: 'carry' }, 'align.carry.mode', 'enum'],
    [{ mode: 'carry_forward', span: day }, 'align.carry', 'unrecognized_keys'],
    [{ mode: 'carry_nearest', max_age: day }, 'align.carry', 'unrecognized_keys'],
    [{ max_age: day }, 'align.carry', 'value_error'],
  ])('cannot fill: %j', (carry, path, type) => {
    const [first] = refused({ select: [steps], align: { carry } }) ?? []
    expect(first?.slice(0, 2)).toEqual([path, type])
  })
})

describe('a timeframe', () => {
  const read = (timeframe: unknown) => {
    const { data, error } = QueryBatch().safeParse({ timeframe, queries: [] })
    return data?.timeframe ?? error?.issues.map(({ path }) => path.join('.'))
  }

  it.each([
    { type: 'relative', anchor: '2026-01-05', past: { value: 7, unit: 'day' } },
    { placeholder: true },
  ])('is %j', (timeframe) => expect(read(timeframe)).toEqual(timeframe))

  it.each([
    [{ type: 'absolute', anchor: '2026-01-05', past: day }, ['timeframe.type']],
    [{ type: 'relative', anchor: '2026-02-30', past: day }, ['timeframe.anchor']],
    [{ type: 'relative', past: day }, ['timeframe.anchor']],
    [{ anchor: '2026-01-05', past: day }, ['timeframe']],
    [{ placeholder: false }, ['timeframe.placeholder']],
    [undefined, ['timeframe']],
  ])('is not %j', (timeframe, paths) => expect(read(timeframe)).toEqual(paths))
})
