import { gunzipSync } from 'node:zlib'
import { parquetReadObjects } from 'hyparquet'
import { parseTar } from 'nanotar'
import { beforeAll, describe, expect, it } from 'vitest'
import { refusalOf, senseQueries } from '../../scripts/generate/sense-queries.ts'
import { DAY_MS, HOUR_MS } from '../../src/kernel/instant.ts'
import { managing, teamIdOf } from '../support/management.ts'
import { forAllTests, forEachTest, startTestWorld, type TestPetri } from '../support/petri.ts'
import { createContinuousQuery } from '../support/sense.ts'
import { advance, put, toldOf, wearer } from '../support/wearables.ts'

const zone = { fallback_time_zone: 'Asia/Kolkata' }
const west = { fallback_time_zone: 'America/Los_Angeles' }

interface Night {
  readonly id: string
  readonly bedtime_start: string
  readonly bedtime_stop: string
  readonly efficiency: number
  readonly deep: number
}

const past = (value: number, unit = 'day', anchor = '2026-01-05') => ({
  type: 'relative',
  anchor,
  past: { value, unit },
})

const ask = (
  petri: TestPetri,
  userId: string,
  query: object,
  timeframe: object = past(7),
  rest: object = {},
) => petri.post(`/aggregate/v1/user/${userId}/query`, { timeframe, queries: [query], ...rest })

const tableOf = async (...inputs: Parameters<typeof ask>) => {
  const answer = await ask(...inputs)
  expect(answer, JSON.stringify(answer.body)).toAnswer(200)
  return answer.body.results[0].table
}

const perDay = (index: string) => ({ date_trunc: { value: 1, unit: 'day' }, arg: { index } })
const sum = (arg: object) => ({ func: 'sum', arg })
const midnight = ({ calendar_date: date }: { calendar_date: string }) => `${date}T00:00:00`

describe("a demo user's data", () => {
  const petri = forAllTests()
  let userId: string
  beforeAll(async () => {
    userId = await wearer(petri, ['fitbit'], zone)
    await advance(petri, 2 * HOUR_MS)
  })

  const listed = async (path: string, key: string) =>
    (await petri.read(`/v2/summary/${path}/${userId}?start_date=2025-12-30&end_date=2026-01-05`))[key]

  it('come to the same per day as the activity summaries tell, from summaries and from samples', {
    tags: 'slow',
  }, async () => {
    const days = await listed('activity', 'activity')
    expect(days.length).toBeGreaterThan(5)
    const fromSummaries = await tableOf(petri, userId, {
      select: [{ group_key: '*' }, sum({ activity: 'steps' }), sum({ activity: 'distance_meter' })],
      group_by: [perDay('activity')],
    })
    expect(fromSummaries).toEqual({
      'group_key.0': days.map(midnight),
      'sum.steps': days.map((day: { steps: number }) => day.steps),
      'sum.distance_meter': days.map((day: { distance: number }) => day.distance),
    })
    const fromSamples = await tableOf(petri, userId, {
      select: [{ group_key: 0 }, sum({ timeseries: 'steps', field: 'value' })],
      group_by: [perDay('timeseries')],
    })
    expect(fromSamples['group_key.0']).toEqual(days.map(midnight))
    expect(fromSamples['sum.steps']).toEqual(days.map((day: { steps: number }) => day.steps))
  })

  it('show each night on the clock of the sleeper', async () => {
    const nights = await listed('sleep', 'sleep')
    expect(nights.length).toBeGreaterThan(0)
    const local = (instant: string, offset: number) =>
      new Date(Date.parse(instant) + offset * 1000).toISOString().slice(0, 19)
    expect(
      await tableOf(petri, userId, {
        select: [
          { index: 'sleep' },
          { sleep: 'id' },
          { sleep: 'session_start' },
          { sleep: 'efficiency' },
          { sleep: 'stage_deep_second' },
          { sleep: 'source_provider' },
          { sleep: 'time_zone' },
        ],
        where: "type = 'long_sleep' AND duration_second > 10800",
      }),
    ).toEqual({
      timestamp: nights.map((night: Night) => local(night.bedtime_stop, 19800)),
      id: nights.map((night: Night) => night.id),
      session_start: nights.map((night: Night) => local(night.bedtime_start, 19800)),
      efficiency: nights.map((night: Night) => night.efficiency),
      stage_deep_second: nights.map((night: Night) => night.deep),
      source_provider: nights.map(() => 'fitbit'),
      time_zone: nights.map(() => 'Asia/Kolkata'),
    })
  })

  it('are answered the same each time', async () => {
    const query = { select: [{ group_key: '*' }, sum({ timeseries: 'steps', field: 'value' })] }
    const hourly = { date_trunc: { value: 6, unit: 'hour' }, arg: { index: 'timeseries' } }
    const first = await tableOf(petri, userId, { ...query, group_by: [hourly] })
    expect(await tableOf(petri, userId, { ...query, group_by: [hourly] })).toEqual(first)
    expect(first['group_key.0'].every((key: string) => /T(00|06|12|18):00:00$/.test(key))).toBe(true)
  })

  it('are answered as an archive of Parquet files to who accepts one', { tags: 'slow' }, async () => {
    const accept = 'application/vnd.vital.tar+gzip+parquet'
    const queries = [{ select: [sum({ activity: 'steps' })] }, { select: [{ sleep: 'efficiency' }] }]
    const response = await petri.petri.app.request(`/aggregate/v1/user/${userId}/query`, {
      method: 'POST',
      headers: { 'x-service-api-key': petri.key, 'content-type': 'application/json', accept },
      body: JSON.stringify({ timeframe: past(7), queries }),
    })
    expect(response.headers.get('content-type')).toBe(accept)
    const files = parseTar(new Uint8Array(gunzipSync(new Uint8Array(await response.arrayBuffer()))))
    expect(files.map(({ name }) => name)).toEqual(['0.parquet', '1.parquet'])
    const file = new Uint8Array(files[0]?.data ?? []).buffer
    const { 'sum.steps': steps } = await tableOf(petri, userId, queries[0] ?? {})
    expect(await parquetReadObjects({ file })).toEqual([{ 'sum.steps': steps[0] }])
  })

  it('may be asked for in minutes', { tags: 'slow' }, async () => {
    const query = { select: [sum({ activity: 'steps' })] }
    const inDays = await tableOf(petri, userId, query, past(20))
    expect(inDays['sum.steps'][0]).toBeGreaterThan(1000)
    expect(await tableOf(petri, userId, query, past(20 * 24 * 60, 'minute'))).toEqual(inDays)
  })

  it.each(['minute', 'week', 'month', 'year'])('are of one period of ten million %ss', async (unit) => {
    const group_by = [{ date_trunc: { value: 10_000_000, unit }, arg: { index: 'activity' } }]
    const query = { select: [{ group_key: '*' }, sum({ activity: 'steps' })], group_by }
    expect((await tableOf(petri, userId, query))['group_key.0']).toHaveLength(1)
  })

  it('are none of them counted twice where two providers have the same', { tags: 'slow' }, async () => {
    const twice = await wearer(petri, ['fitbit', 'oura'], { client_user_id: 'twice', ...zone })
    await advance(petri, HOUR_MS)
    const query = {
      select: [
        { group_key: '*' },
        sum({ activity: 'steps' }),
        { func: 'newest', arg: { activity: 'source_provider' } },
      ],
      group_by: [perDay('activity')],
    }
    const stepsOf = async (provider: string) =>
      (
        await petri.read(
          `/v2/summary/activity/${twice}?start_date=2026-01-03&end_date=2026-01-03&provider=${provider}`,
        )
      ).activity[0].steps
    const one = past(1, 'day', '2026-01-03')
    const usual = await tableOf(petri, twice, query, one)
    const [first] = usual['newest.source_provider']
    expect(usual['sum.steps']).toEqual([await stepsOf(first)])
    const other = first === 'oura' ? 'fitbit' : 'oura'
    const chosen = { config: { provider_priority_overrides: [other] } }
    expect(await tableOf(petri, twice, query, one, chosen)).toEqual({
      'group_key.0': ['2026-01-03T00:00:00'],
      'sum.steps': [await stepsOf(other)],
      'newest.source_provider': [other],
    })
  })
})

describe('the queries that the service prints', () => {
  it('are 33 in all, of which Petri answers ten', () => {
    const count = (kinds: typeof senseQueries) => kinds.reduce((sum, { printed }) => sum + printed, 0)
    const answered = senseQueries.filter(({ example }) => refusalOf(example) === undefined)
    expect([count(senseQueries), count(answered)]).toEqual([33, 10])
  })

  it('are answered and refused by kind, and the same as continuous queries', async () => {
    const petri = await startTestWorld()
    const userId = await wearer(petri, [])
    const validate = (query: object) =>
      managing(petri).post(`/team/${teamIdOf(petri)}/sandbox/validate_continuous_query`, {
        slug: 'a',
        title: 'a',
        query,
      })
    for (const { name, example } of senseQueries) {
      const refusal = refusalOf(example)
      for (const { status, body } of [await ask(petri, userId, example), await validate(example)])
        expect([status, body.detail?.[0].msg], name).toEqual([refusal === undefined ? 200 : 422, refusal])
    }
  })
})

describe('data added by a control call', () => {
  it('are there to be asked about, with the fields of their series', async () => {
    const petri = await startTestWorld()
    const userId = await wearer(petri, [])
    await put(petri, userId, {
      resource: 'blood_pressure',
      provider: 'withings',
      samples: [
        { timestamp: '2026-01-05T07:00:00Z', systolic: 120, diastolic: 80, timezone_offset: 3600 },
        { timestamp: '2026-01-04T23:30:00Z', systolic: 130, diastolic: 84, timezone_offset: 3600 },
      ],
    })
    const pressure = (field: string) => ({ timeseries: 'blood_pressure', field })
    expect(
      await tableOf(petri, userId, {
        select: [{ index: 'timeseries' }, pressure('systolic'), pressure('source_type')],
        where: 'blood_pressure.diastolic >= 80 AND systolic < 131',
      }),
    ).toEqual({
      timestamp: ['2026-01-05T00:30:00', '2026-01-05T08:00:00'],
      'blood_pressure.systolic': [130, 120],
      'blood_pressure.source_type': ['scale', 'scale'].map(() => expect.any(String)),
    })
  })
})

describe('a query that is no query', () => {
  const petri = forAllTests()
  let userId: string
  beforeAll(async () => {
    userId = await wearer(petri, [])
  })
  const steps = { func: 'sum', arg: { activity: 'steps' } }

  it('may bring keys that the contract does not know, as some clients send their headers', async () => {
    const query = { select: [{ ...steps, distinct: true }], limit: 5 }
    const body = { accept: '*/*', timeframe: past(1), queries: [query] }
    const answer = await petri.post(`/aggregate/v1/user/${userId}/query`, body)
    expect(answer).toAnswer(200)
  })

  it.each([
    [
      'an extra key where the contract closes the model',
      { select: [steps], align: { carry: { mode: 'carry_forward' }, fill: 0 } },
      'extra_forbidden',
      ['queries', 0, 'align', 'fill'],
    ],
    ['an unknown column', { select: [{ sleep: 'dreams' }] }, 'enum', ['queries', 0, 'select', 0, 'sleep']],
    ['nothing selected', { select: [] }, 'too_short', ['queries', 0, 'select']],
    [
      'a subquery',
      { select: [{ select: { func: 'count' }, from: { placeholder: true } }] },
      'value_error',
      ['queries', 0, 'select', 0],
    ],
  ])('with %s is told where it is wrong', async (_, query, type, loc) => {
    const { status, body } = await ask(petri, userId, query)
    expect(status).toBe(422)
    expect(body.detail[0]).toMatchObject({ type, loc: ['body', ...loc], msg: expect.any(String) })
  })

  it.each([
    [{ type: 'absolute', anchor: '2026-01-05', past: { unit: 'day' } }, 'literal_error'],
    [{ type: 'relative', anchor: 'today', past: { unit: 'day' } }, 'date_from_datetime_parsing'],
    [{ type: 'relative', anchor: '2026-01-05' }, 'missing'],
    [{ type: 'relative', anchor: '2026-01-05', past: { unit: 'day', value: 1e9 } }, 'less_than_equal'],
  ])('with the timeframe %j is refused', async (timeframe, type) => {
    expect(await ask(petri, userId, { select: [steps] }, timeframe)).toRefuse(422, [{ type: type }])
  })

  it('survives the ends of time', async () => {
    for (const anchor of ['0001-01-01', '9999-12-31'])
      for (const value of [10_000, 10_000_000])
        for (const unit of ['minute', 'day', 'month', 'year'])
          expect(await ask(petri, userId, { select: [steps] }, past(value, unit, anchor))).toAnswer(200)
  })

  it('is no use without its user', async () => {
    const nobody = '2f1b5c9e-3d35-4b4e-8f43-6b1b7a3f0c11'
    expect(await ask(petri, nobody, { select: [steps] })).toAnswer(404)
  })
})

describe('a continuous query', { tags: 'slow' }, () => {
  const daily = {
    slug: 'daily-steps',
    title: 'Steps a day',
    query: {
      select: [{ group_key: '*' }, sum({ activity: 'steps' })],
      group_by: [perDay('activity')],
    },
  }
  const path = (userId: string, name: string, what = 'result_table') =>
    `/aggregate/v1/user/${userId}/continuous_query/${name}/${what}`
  const petri = forEachTest()
  const changed = () => toldOf(petri, 'continuous_query.result_table.changed')

  it('is evaluated after each sync, and announces only changed rows', async () => {
    const userId = await wearer(petri, ['fitbit'], zone)
    const made = await createContinuousQuery(petri, daily)
    expect(made).toAnswer(200, { slug: 'daily-steps', resource_dependencies: ['activity'] })
    expect(await petri.get(path(userId, 'daily-steps'))).toAnswer(200)
    await advance(petri, 3 * HOUR_MS)
    const { table } = await petri.read(path(userId, made.body.id))
    expect(table['group_key.0'].length).toBeGreaterThan(20)
    const [first, ...later] = changed()
    expect(first).toMatchObject({ user_id: userId, client_user_id: 'ada' })
    expect(first?.data).toMatchObject([{ query_id: made.body.id, query_slug: 'daily-steps' }])
    expect(first?.data[0].data['group_key.0'].length).toBeGreaterThan(20)
    expect(later.map(({ data }) => data[0].data['group_key.0'])).toContainEqual(['2026-01-05T00:00:00'])
    const days = (await petri.get(`/v2/summary/activity/${userId}?start_date=2026-01-04&end_date=2026-01-04`))
      .body
    expect(table['sum.steps'].at(-2)).toBe(days.activity[0].steps)
  })

  it('has the same result in parts as in one query', async () => {
    const userId = await wearer(petri, ['fitbit'], west)
    const weekly = {
      select: [{ group_key: '*' }, sum({ timeseries: 'steps', field: 'value' })],
      group_by: [{ date_trunc: { value: 1, unit: 'week' }, arg: { index: 'timeseries' } }],
    }
    await createContinuousQuery(petri, { slug: 'weekly', title: 'Steps a week', query: weekly })
    await advance(petri, 5 * DAY_MS)
    await put(petri, userId, {
      resource: 'steps',
      provider: 'apple_health_kit',
      samples: [{ start: '2025-12-20T10:00:00Z', end: '2025-12-20T11:00:00Z', value: 7 }],
    })
    await petri.world().agenda.advanceTo(Date.parse('2026-01-10T10:00:00Z'))
    const { table } = await petri.read(path(userId, 'weekly'))
    expect(await tableOf(petri, userId, weekly, past(60, 'day', '2026-01-11'))).toEqual(table)
    expect(changed().at(-1)?.data[0].data).toMatchObject({ 'sum.steps': expect.any(Array) })
  })

  it('keeps a history of its evaluations, page by page', async () => {
    const userId = await wearer(petri)
    await createContinuousQuery(petri, daily)
    await advance(petri, 6 * HOUR_MS)
    const all = await petri.read(path(userId, 'daily-steps', 'task_history'))
    expect(all.next_cursor).toBeNull()
    expect(all.data.length).toBeGreaterThan(3)
    expect(all.data[0]).toMatchObject({ user_id: userId, status: 'completed', error_details: null })
    const first = await petri.read(`${path(userId, 'daily-steps', 'task_history')}?limit=2`)
    expect(first.data).toEqual(all.data.slice(0, 2))
    const next = await petri.get(
      `${path(userId, 'daily-steps', 'task_history')}?limit=2&next_cursor=${first.next_cursor}`,
    )
    expect(next.body.data).toEqual(all.data.slice(2, 4))
  })
})
