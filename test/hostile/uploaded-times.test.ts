import { beforeAll, describe, expect, it } from 'vitest'
import { createUser } from '../support/orders.ts'
import { forAllTests } from '../support/petri.ts'

const petri = forAllTests()
let userId: string
beforeAll(async () => {
  userId = await createUser(petri)
})

const START = '2026-01-05T06:00:00Z'
const BEFORE = '2026-01-05T05:59:59Z'
const sample = (end_date: string) => ({ value: 1, start_date: START, end_date, unit: 'count' })
const ecg = (session_end: string) => ({
  electrocardiogram: { id: 'one', session_start: START, session_end, voltage_sample_count: 0 },
})
const upload = (data: unknown, more: object = {}) => ({
  stage: 'daily',
  time_zone: 'Europe/Berlin',
  provider: 'apple_health_kit',
  data,
  ...more,
})
const history = (end_date: string) => upload([], { stage: 'historical', start_date: START, end_date })
const stage = (range_end: string) => ({ range_start: START, range_end, backfill_type: 'steps' })
const own = (resource: string, data: object) => ({ resource, provider: 'oura', ...data })

describe('an end before its start is refused', () => {
  it.each([
    [
      'a sample',
      '/v2/timeseries/{user}/steps',
      (end: string) => upload([sample(end)]),
      ['data', 0, 'end_date'],
    ],
    [
      'a sample in a summary',
      '/v2/summary/body/{user}',
      (end: string) => upload({ body_mass: [sample(end)] }),
      ['data', 'body_mass', 0, 'end_date'],
    ],
    [
      'a night',
      '/v2/summary/sleep/{user}',
      (end_date: string) => upload([{ start_date: START, end_date }]),
      ['data', 0, 'end_date'],
    ],
    [
      'a workout',
      '/v2/summary/workouts/{user}',
      (end_date: string) => upload([{ sport: 'Running', start_date: START, end_date }]),
      ['data', 0, 'end_date'],
    ],
    [
      'an electrocardiogram',
      '/v2/summary/electrocardiogram/{user}',
      (end: string) => upload([ecg(end)]),
      ['data', 0, 'electrocardiogram', 'session_end'],
    ],
    ['a history', '/v2/timeseries/{user}/steps', history, ['end_date']],
    ['a stage', '/v2/user/{user}/sdk_start_historical_stage/apple_health_kit', stage, ['range_end']],
    [
      'a sample by the control API',
      '/_petri/users/{user}/data',
      (end: string) => own('steps', { samples: [{ start: START, end, value: 1 }] }),
      ['samples', 0, 'end'],
    ],
    [
      'a night by the control API',
      '/_petri/users/{user}/data',
      (end: string) => own('sleep', { summary: { bedtime_start: START, bedtime_stop: end, ...night } }),
      ['summary', 'bedtime_stop'],
    ],
  ] as const)('%s', async (_, path, bodyTo, loc) => {
    const url = path.replace('{user}', userId)
    expect(await petri.post(url, bodyTo(BEFORE))).toRefuse(422, [
      { type: 'value_error', loc: ['body', ...loc] },
    ])
    expect(await petri.post(url, bodyTo(START))).toAnswer(200)
  })
})

const night = {
  duration: 0,
  total: 0,
  awake: 0,
  light: 0,
  rem: 0,
  deep: 0,
  type: 'short_sleep',
  state: 'confirmed',
}
