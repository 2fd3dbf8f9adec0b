import { describe, expect, it } from 'vitest'
import { sent } from '../../src/resources/introspection/table.ts'
import { advance, connectDemo, createUser } from '../support/orders.ts'
import { startTestWorld, type TestPetri } from '../support/petri.ts'

interface Announced {
  readonly type: string
  readonly data: object
}

const samples = (...instants: string[]) => ({
  source: { provider: 'fitbit', type: 'watch' },
  data: instants.map((timestamp) => ({ timestamp, value: 1 })),
})
const summary = (fields: object) => ({ ...fields, source: { provider: 'fitbit', type: 'watch' } })
const history = (start: string, end: string) => ({ start_date: start, end_date: end, provider: 'fitbit' })
const daily = (data: object, what = 'steps.created'): Announced => ({ type: `daily.data.${what}`, data })
const historical = (start: string, end: string): Announced => ({
  type: 'historical.data.steps.created',
  data: history(start, end),
})

/** A user with a connection to Fitbit whose history has not come yet. */
async function connected() {
  const petri = await startTestWorld()
  const user_id = await createUser(petri)
  await connectDemo(petri, user_id, 'fitbit')
  return { petri, user_id }
}

const announce = (petri: TestPetri, userId: string | null, { type, data }: Announced) =>
  petri.world().emit(type, { userId, clientUserId: 'ada' }, data)

const statisticsOf = async (petri: TestPetri) =>
  (await petri.read('/v2/introspect/resources')).data[0].provider.fitbit

const at = (time: string) => `2026-01-${time}+00:00`

describe('the statistics of a resource', () => {
  it.each<[string, readonly Announced[], number, string | null, string | null]>([
    [
      'each sample, and the first and last of them in any order',
      [daily(samples(at('03T10:00:00'), at('02T10:00:00'), at('04T10:00:00')))],
      ...([3, at('02T10:00:00'), at('04T10:00:00')] as const),
    ],
    [
      'the samples of all events together',
      [
        daily(samples(at('03T10:00:00'))),
        daily(samples(at('04T10:00:00'))),
        daily(samples(at('02T10:00:00'))),
      ],
      ...([3, at('02T10:00:00'), at('04T10:00:00')] as const),
    ],
    [
      'a changed sample once',
      [daily(samples(at('03T10:00:00'))), daily(samples(at('03T10:00:00')), 'steps.updated')],
      ...([1, at('03T10:00:00'), at('03T10:00:00')] as const),
    ],
    [
      'samples with an offset, in UTC',
      [daily(samples('2026-01-03T10:00:00+02:00'))],
      ...([1, at('03T08:00:00'), at('03T08:00:00')] as const),
    ],
    [
      'a summary by its date',
      [daily(summary({ date: '2026-01-03' }))],
      1,
      at('03T00:00:00'),
      at('03T00:00:00'),
    ],
    ...['time_start', 'bedtime_start', 'session_start', 'measured_at'].map(
      (field) =>
        [
          `a summary by its ${field}`,
          [daily(summary({ [field]: at('03T10:00:00'), time_end: at('03T12:00:00') }))],
          ...([1, at('03T10:00:00'), at('03T10:00:00')] as const),
        ] as [string, Announced[], number, string, string],
    ),
    ['a summary without a date', [daily(summary({ height: 170 }))], 1, null, null],
    [
      'a summary without a date beside others',
      [daily(samples(at('03T10:00:00'))), daily(summary({ height: 170 }))],
      ...([2, at('03T10:00:00'), at('03T10:00:00')] as const),
    ],
    ['no range of a history', [historical(at('01T00:00:00'), at('05T09:00:00'))], 0, null, null],
    [
      'samples around a history',
      [
        daily(samples(at('01T10:00:00'))),
        historical(at('02T00:00:00'), at('03T00:00:00')),
        daily(samples(at('04T10:00:00'))),
      ],
      ...([2, at('01T10:00:00'), at('04T10:00:00')] as const),
    ],
  ])('count %s', async (_, events, sent_count, oldest_data, newest_data) => {
    const { petri, user_id } = await connected()
    for (const event of events) announce(petri, user_id, event)
    expect((await statisticsOf(petri)).steps).toEqual({
      last_attempt: { timestamp: at('05T09:00:00'), status: 'success' },
      oldest_data,
      newest_data,
      sent_count,
    })
  })

  it.each<[string, Announced]>([
    ['another event of the resource', daily(samples(at('03T10:00:00')), 'steps.deleted')],
    [
      'an event that only ends like one of data',
      { ...daily(samples(at('03T10:00:00'))), type: 'a.daily.data.steps.created' },
    ],
    ['an event that only begins like one of data', daily(samples(at('03T10:00:00')), 'steps.created.later')],
    ['data of another resource', daily(samples(at('03T10:00:00')), 'distance.created')],
    [
      'data of another provider',
      daily({ source: { provider: 'oura' }, data: [{ timestamp: at('03T10:00:00') }] }),
    ],
  ])('do not count %s', async (_, event) => {
    const { petri, user_id } = await connected()
    announce(petri, user_id, event)
    expect((await statisticsOf(petri)).steps).toEqual({
      last_attempt: null,
      oldest_data: null,
      newest_data: null,
      sent_count: 0,
    })
  })

  it('count nothing without a user or a provider', async () => {
    const { petri, user_id } = await connected()
    announce(petri, null, daily(samples(at('03T10:00:00'))))
    announce(petri, user_id, daily({ data: [{ timestamp: at('03T10:00:00') }] }))
    expect(petri.world().db.count(sent)).toBe(0)
  })

  it('keep resources apart, and name all that the provider has', async () => {
    const { petri, user_id } = await connected()
    announce(petri, user_id, daily(samples(at('03T10:00:00'))))
    announce(petri, user_id, daily(samples(at('04T10:00:00')), 'distance.created'))
    const { steps, distance, ...others } = await statisticsOf(petri)
    expect([steps.newest_data, distance.newest_data]).toEqual([at('03T10:00:00'), at('04T10:00:00')])
    expect(Object.keys(others).sort()).toEqual([
      ...['activity', 'blood_oxygen', 'body', 'body_temperature', 'calories_active', 'device', 'fat'],
      ...['heart_rate_alert', 'heartrate', 'hrv', 'meal', 'profile', 'respiratory_rate', 'sleep'],
      ...['sleep_cycle', 'vo2_max', 'water', 'weight', 'workout_stream', 'workouts'],
    ])
  })
})

describe('the last attempt', () => {
  it('is the latest sync, or what was sent after it', { tags: 'slow' }, async () => {
    const { petri, user_id } = await connected()
    await advance(petri, '10m')
    const lastOf = async () => (await statisticsOf(petri)).steps.last_attempt.timestamp
    expect(await lastOf()).toBe(at('05T09:01:00'))
    announce(petri, user_id, daily(samples(at('05T09:05:00'))))
    expect(await lastOf()).toBe(at('05T09:10:00'))
    for (const resource of ['weight', 'device'])
      expect((await statisticsOf(petri))[resource].last_attempt.timestamp).toBe(at('05T09:01:00'))
    await advance(petri, '51m')
    expect(await lastOf()).toBe(at('05T10:00:00'))
  })
})
