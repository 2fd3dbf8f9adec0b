import { describe, expect, it } from 'vitest'
import { faultsOf, per, planned } from '../support/sense.ts'

const steps = (func: string) => ({ func, arg: { activity: 'steps' } })
const sample = (timeseries: string, field = 'value') => ({ timeseries, field })

describe('a plan', () => {
  it.each([
    [{ index: 'sleep' }, { table: 'sleep', series: null, columns: [] }, [{ of: 'index', name: 'timestamp' }]],
    [
      { sleep: 'score' },
      { table: 'sleep', series: null, columns: ['score'] },
      [{ of: 'column', name: 'score', column: 'score' }],
    ],
    [
      { value_macro: 'chronotype' },
      { table: 'sleep', series: null, columns: ['chronotype'] },
      [{ of: 'column', name: 'chronotype', column: 'chronotype' }],
    ],
    [
      sample('steps'),
      { table: 'timeseries', series: 'steps', columns: ['value'] },
      [{ of: 'column', name: 'steps', column: 'value' }],
    ],
    [
      sample('steps', 'duration'),
      { table: 'timeseries', series: 'steps', columns: ['duration'] },
      [{ of: 'column', name: 'steps.duration', column: 'duration' }],
    ],
    [
      steps('mean'),
      { table: 'activity', series: null, columns: ['steps'], isFolded: true },
      [{ of: 'aggregate', name: 'mean.steps', func: 'mean', column: 'steps' }],
    ],
    [
      { func: 'count', arg: { index: 'meal' } },
      { table: 'meal', columns: [], isFolded: true },
      [{ of: 'aggregate', name: 'count.timestamp', func: 'count', column: null }],
    ],
    [
      { func: 'max', arg: sample('blood_pressure', 'systolic') },
      { table: 'timeseries', series: 'blood_pressure', columns: ['systolic'], isFolded: true },
      [{ of: 'aggregate', name: 'max.blood_pressure.systolic', func: 'max', column: 'systolic' }],
    ],
  ])('of %j', (item, expected, outputs) => {
    expect(planned({ select: [item] })).toMatchObject({ isFolded: false, keys: [], ...expected, outputs })
  })

  it('reads each column once, those of its groups and of its condition as well', () => {
    const plan = planned({
      select: [{ group_key: 0 }, steps('sum'), steps('max')],
      group_by: [{ activity: 'date' }, { source: 'source_type' }],
      where: 'steps > 5 AND distance_meter > 1',
    })
    expect(plan.columns).toEqual(['date', 'source_type', 'steps', 'distance_meter'])
    expect(plan).toMatchObject({ table: 'activity', isFolded: true, carry: null })
    expect(plan.keys).toEqual([
      { by: 'column', column: 'date' },
      { by: 'column', column: 'source_type' },
    ])
    expect(plan.where?.columns).toEqual(['steps', 'distance_meter'])
    expect(planned({ select: [steps('sum')] }).where).toBeNull()
  })

  it('of groups has their keys, of all or of one', () => {
    const group_by = [
      per('week', 2),
      { date_part: 'weekday', arg: { placeholder: true } },
      { date_part: 'hour', arg: { index: 'activity' } },
    ]
    const { keys, outputs } = planned({
      select: [{ group_key: '*' }, { group_key: 1 }, steps('sum')],
      group_by,
    })
    expect(keys).toEqual([
      { by: 'trunc', period: { value: 2, unit: 'week' } },
      { by: 'part', part: 'weekday' },
      { by: 'part', part: 'hour' },
    ])
    expect(outputs).toEqual([
      ...[0, 1, 2, 1].map((ordinal) => ({ of: 'key', name: `group_key.${ordinal}`, ordinal })),
      { of: 'aggregate', name: 'sum.steps', func: 'sum', column: 'steps' },
    ])
    expect(
      planned({
        select: [steps('sum')],
        group_by: [{ date_trunc: { unit: 'day' }, arg: { placeholder: true } }],
      }).keys,
    ).toMatchObject([{ by: 'trunc', period: { unit: 'day' } }])
  })

  it.each([
    [{ mode: 'carry_forward' }, { mode: 'carry_forward', within: null }],
    [
      { mode: 'carry_forward', max_age: null },
      { mode: 'carry_forward', within: null },
    ],
    [
      { mode: 'carry_backward', max_age: { value: 2, unit: 'day' } },
      { mode: 'carry_backward', within: { value: 2, unit: 'day' } },
    ],
    [
      { mode: 'carry_nearest', span: { value: 3, unit: 'hour' } },
      { mode: 'carry_nearest', within: { value: 3, unit: 'hour' } },
    ],
  ])('fills empty groups: %j', (carry, expected) => {
    const query = { select: [steps('sum')], group_by: [per('day')], align: { carry } }
    expect(planned(query).carry).toEqual(expected)
  })
})

describe('a name in a condition', () => {
  const reads = (item: object, where: string) => planned({ select: [item], where }).where?.columns

  it.each([
    [{ sleep: 'score' }, 'efficiency = 1', 'efficiency'],
    [{ sleep: 'score' }, 'sleep.efficiency = 1', 'efficiency'],
    [{ sleep: 'score' }, "chronotype = 'morning'", 'chronotype'],
    [{ sleep: 'score' }, "source_provider = 'oura'", 'source_provider'],
    [{ sleep: 'score' }, "source.source_type = 'ring'", 'source_type'],
    [{ sleep: 'score' }, "sleep.source_app_id = 'a'", 'source_app_id'],
    [{ activity: 'steps' }, 'wheelchair_use = true', 'wheelchair_use'],
    [sample('steps'), 'steps = 1', 'value'],
    [sample('steps'), 'value = 1', 'value'],
    [sample('steps'), 'steps.duration = 1', 'duration'],
    [sample('steps'), 'timeseries.timezone_offset = 1', 'timezone_offset'],
    [sample('steps'), "type = 'a'", 'type'],
    [sample('steps'), "source_sport = 'running'", 'source_sport'],
    [sample('blood_pressure', 'systolic'), 'diastolic > 80', 'diastolic'],
    [sample('body_temperature'), "sensor_location = 'ear'", 'sensor_location'],
    [sample('insulin_injection'), "bolus_purpose = 'meal'", 'bolus_purpose'],
    [sample('workout_duration'), "intensity = 'low'", 'intensity'],
    [sample('note', 'content'), "content = 'a'", 'content'],
  ])('of %j: %s', (item, where, column) => expect(reads(item, where)).toEqual([column]))

  it.each([
    [{ sleep: 'score' }, 'steps = 1', 'there is no column steps'],
    [{ sleep: 'score' }, 'activity.score = 1', 'there is no column activity.score'],
    [{ sleep: 'score' }, '.score = 1', 'it cannot be read from ".score = 1"'],
    [{ activity: 'steps' }, 'chronotype = 1', 'there is no column chronotype'],
    [sample('heartrate'), 'duration = 1', 'there is no column duration'],
    [sample('heartrate'), 'steps = 1', 'there is no column steps'],
    [sample('heartrate'), 'steps.value = 1', 'there is no column steps.value'],
    [sample('note', 'content'), "tags = 'food'", "tags is a list and 'food' a text"],
    [sample('note', 'content'), 'value = 1', 'there is no column value'],
    [{ sleep: 'score' }, "score = 'a'", "score is a number and 'a' a text"],
    [sample('steps'), "steps = 'a'", "steps is a number and 'a' a text"],
    [sample('steps'), 'source_type = 1', 'source_type is a text and 1 a number'],
  ])('of %j that is none: %s', (item, where, reason) => {
    expect(faultsOf({ select: [item], where })).toEqual([
      { type: 'value_error', loc: ['body', 'queries', 0, 'where'], msg: `Value error, ${reason}` },
    ])
  })
})

describe('a query that has no plan', () => {
  const query = { loc: ['body', 'queries', 0] }
  const many = 'has many values: aggregate it, or group by it and select its group_key'

  it.each([
    [
      { select: [steps('sum'), { sleep: 'score' }] },
      ['select', 1],
      'a query reads one table, and this one reads activity, not sleep',
    ],
    [
      { select: [sample('steps'), sample('hrv')] },
      ['select', 1],
      'a query reads one timeseries, here steps, not hrv',
    ],
    [
      { select: [steps('sum')], group_by: [{ sleep: 'type' }] },
      ['select', 0],
      'a query reads one table, and this one reads sleep, not activity',
    ],
    [
      { select: [{ group_key: 1 }, steps('sum')], group_by: [per('day')] },
      ['select', 0],
      'there is no group key 1: group_by has 1',
    ],
    [
      { select: [steps('sum'), { group_key: -1 }], group_by: [per('day')] },
      ['select', 1],
      'there is no group key -1: group_by has 1',
    ],
    [{ select: [{ index: 'activity' }, steps('sum')] }, ['select', 0], `timestamp ${many}`],
    [{ select: [{ activity: 'date' }], group_by: [per('day')] }, ['select', 0], `date ${many}`],
    [
      { select: [{ func: 'sum', arg: { sleep: 'type' } }] },
      ['select', 0],
      'sum takes numbers, and type is a text',
    ],
    [
      { select: [{ func: 'min', arg: { activity: 'wheelchair_use' } }] },
      ['select', 0],
      'min takes numbers, and wheelchair_use is a boolean',
    ],
    [
      { select: [{ func: 'mean', arg: sample('steps', 'type') }] },
      ['select', 0],
      'mean takes numbers, and steps.type is a text',
    ],
    [
      { select: [{ func: 'mean', arg: { index: 'sleep' } }] },
      ['select', 0],
      'mean takes numbers, and timestamp is a text',
    ],
    [{ select: [{ value_macro: 'mood' }] }, ['select', 0], 'there is no macro mood'],
    [{ select: [{ value_macro: 'toString' }] }, ['select', 0], 'there is no macro toString'],
    [
      { select: [{ menstrual_cycle: 'contraceptive' }] },
      ['select', 0],
      'menstrual_cycle.contraceptive is a list: a subquery makes one value of it',
    ],
    [
      { select: [{ func: 'count', arg: sample('note', 'content') }], group_by: [sample('note', 'tags')] },
      ['group_by', 0],
      'note.tags is a list',
    ],
    [
      { select: [steps('sum')], group_by: [per('day'), per('week')] },
      ['group_by'],
      'a query groups by at most one date_trunc',
    ],
    [
      { select: [steps('sum')], align: { carry: { mode: 'carry_forward' } } },
      ['align'],
      'align needs a date_trunc in group_by',
    ],
    [{ select: [{ source: 'source_type' }] }, ['select'], 'no expression names a table'],
    [{ select: [{ index: 'timeseries' }] }, ['select'], 'no expression names a timeseries'],
  ])('%j', (input, loc, reason) => {
    const [first] = faultsOf(input)
    expect(first).toEqual({ type: 'value_error', loc: [...query.loc, ...loc], msg: `Value error, ${reason}` })
  })

  it('is told of all that is wrong at once', () => {
    const input = { select: [{ value_macro: 'mood' }, { group_key: 3 }, steps('sum')], where: 'mood = 1' }
    expect(faultsOf(input).map(({ loc }) => loc.slice(3).join('.'))).toEqual([
      'select.0',
      'select.1',
      'where',
    ])
  })

  it('counts any kind of column, a list as well', () => {
    const select = [{ func: 'count', arg: sample('note', 'tags') }]
    expect(planned({ select }).outputs).toMatchObject([{ name: 'count.note.tags' }])
    expect(planned({ select: [{ func: 'max', arg: { sleep: 'type' } }] }).outputs).toMatchObject([
      { name: 'max.type' },
    ])
  })
})
