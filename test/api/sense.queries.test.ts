import { gunzipSync } from 'node:zlib'
import { parquetReadObjects } from 'hyparquet'
import { parseTar } from 'nanotar'
import { beforeAll, describe, expect, it } from 'vitest'
import { KEY, startTestPetri, type TestPetri } from '../support/petri.ts'
import { per } from '../support/sense.ts'
import { put, wearer } from '../support/wearables.ts'

const week = { type: 'relative', anchor: '2026-01-05', past: { value: 7, unit: 'day' } }
const weight = (func: string) => ({ func, arg: { body: 'weight_kilogram' } })

let petri: TestPetri
let userId: string
beforeAll(async () => {
  petri = await startTestPetri()
  userId = await wearer(petri, [])
  const id = '5e0ac2f4-8d0e-4a55-9a38-0f2a3bfa1e11'
  const night = { id, bedtime_start: '2026-01-03T23:00:00Z', bedtime_stop: '2026-01-04T07:00:00Z' }
  const stages = { stage_start_offset_second: [0, 60, 120], stage_end_offset_second: [60, 120, 180] }
  for (const [resource, summary] of [
    ['body', { calendar_date: '2026-01-02', weight: 80 }],
    ['body', { calendar_date: '2026-01-04', weight: 78 }],
    ['body', { calendar_date: '2025-12-20', weight: 90 }],
    [
      'sleep',
      {
        ...{ ...night, type: 'long_sleep', duration: 28_800, total: 28_800, awake: 0 },
        ...{ light: 28_800, rem: 0, deep: 0 },
      },
    ],
    [
      'sleep_cycle',
      {
        sleep_id: id,
        session_start: night.bedtime_start,
        session_end: night.bedtime_stop,
        ...stages,
        stage_type: [2, 4, 1],
      },
    ],
    [
      'menstrual_cycle',
      {
        period_start: '2026-01-01',
        menstrual_flow: [
          { date: '2026-01-01', flow: 'heavy' },
          { date: '2026-01-02', flow: 'light' },
        ],
        basal_body_temperature: [
          { date: '2026-01-01', value: 36.4 },
          { date: '2026-01-02', value: 36.8 },
        ],
      },
    ],
  ] as const)
    expect(await put(petri, userId, { resource, provider: 'apple_health_kit', summary })).toMatchObject({
      status: 200,
    })
})

const path = () => `/aggregate/v1/user/${userId}/query`
const post = (queries: object[], timeframe: object = week) => petri.post(path(), { timeframe, queries })
const tableOf = async (query: object, timeframe?: object) => {
  const { body, status } = await post([query], timeframe)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.results[0].table
}

describe('queries', () => {
  const queries = [
    { select: [weight('max')] },
    { select: [weight('count'), { func: 'min', arg: { body: 'measured_at' } }] },
  ]

  it('of a call are answered in order, of the days that it is about', async () => {
    expect((await post(queries)).body).toEqual({
      results: [
        { table: { 'max.weight_kilogram': [80] } },
        { table: { 'count.weight_kilogram': [2], 'min.measured_at': ['2026-01-02T00:00:00'] } },
      ],
    })
    expect((await post([])).body).toEqual({ results: [] })
    // A placeholder is no limit.
    expect(await tableOf(queries[0] ?? {}, { placeholder: true })).toEqual({ 'max.weight_kilogram': [90] })
  })

  it('are refused with the one that is wrong, and so is a table that is too long', async () => {
    const wrong = await post([...queries, { select: [weight('sum')], where: 'mood = 1' }])
    expect([wrong.status, wrong.body.detail[0].loc]).toEqual([422, ['body', 'queries', 2, 'where']])
    const minutely = {
      select: [weight('sum')],
      group_by: [per('minute', 1, 'body')],
      align: { carry: { mode: 'carry_forward' } },
    }
    const year = { ...week, past: { value: 1, unit: 'year' } }
    const { status, body } = await post([...queries, minutely], year)
    expect(status).toBe(422)
    expect(body.detail).toMatchObject([
      {
        ...{ type: 'value_error', loc: ['body', 'queries', 2], input: minutely },
        msg: 'Value error, its table has more than 100000 rows when aligned',
      },
    ])
  })

  it('are answered as an archive of Parquet files to who accepts one', async () => {
    const accept = 'application/vnd.vital.tar+gzip+parquet'
    const headers = { 'x-service-api-key': KEY, 'content-type': 'application/json' }
    const send = (type: string) =>
      petri.petri.app.request(path(), {
        method: 'POST',
        headers: { ...headers, accept: type },
        body: JSON.stringify({ timeframe: week, queries }),
      })
    const response = await send(accept)
    expect(response.headers.get('content-type')).toBe(accept)
    const files = parseTar(new Uint8Array(gunzipSync(new Uint8Array(await response.arrayBuffer()))))
    expect(files.map(({ name }) => name)).toEqual(['0.parquet', '1.parquet'])
    const file = new Uint8Array(files[0]?.data ?? []).buffer
    expect(await parquetReadObjects({ file })).toEqual([{ 'max.weight_kilogram': 80 }])
    expect((await send('application/json')).headers.get('content-type')).toMatch(/^application\/json/)
  })

  it('know how often somebody woke up, from the stages of the night', async () => {
    const awakenings = { value_macro: 'awakenings' }
    expect(await tableOf({ select: [{ sleep: 'duration_second' }, awakenings] })).toEqual({
      duration_second: [28_800],
      awakenings: [1],
    })
  })

  it('are about the profile at any time', async () => {
    await put(petri, userId, { resource: 'profile', provider: 'apple_health_kit', summary: { height: 180 } })
    const past = { ...week, anchor: '2020-01-05' }
    expect(await tableOf({ select: [{ profile: 'height_centimeter' }] }, past)).toEqual({
      height_centimeter: [180],
    })
  })
})

describe('a subquery', () => {
  const from = (menstrual_cycle: string) => ({ unnest: { menstrual_cycle } })
  const temperature = { basal_body_temperature: 'value' }

  it.each([
    [{ select: { func: 'count' }, from: from('menstrual_flow') }, 'count.menstrual_flow', 2],
    [{ select: {}, from: from('menstrual_flow') }, undefined, undefined],
    [{ select: { func: 'count' }, from: from('contraceptive') }, 'count.contraceptive', 0],
    [
      { select: { func: 'newest', arg: { menstrual_flow: 'flow' } }, from: from('menstrual_flow') },
      'newest.menstrual_flow.flow',
      'light',
    ],
    [
      { select: { func: 'oldest', arg: { menstrual_flow: 'flow' } }, from: { placeholder: true } },
      'oldest.menstrual_flow.flow',
      'heavy',
    ],
    [
      {
        select: { func: 'count', arg: { menstrual_flow: 'date' } },
        from: from('menstrual_flow'),
        where: "menstrual_flow.flow = 'light' OR flow = 'none'",
      },
      'count.menstrual_flow.date',
      1,
    ],
    [
      { select: { func: 'mean', arg: temperature }, from: { placeholder: true } },
      'mean.basal_body_temperature.value',
      36.6,
    ],
    [
      { select: { func: 'max', arg: temperature }, from: { placeholder: true }, where: 'value < 36.5' },
      'max.basal_body_temperature.value',
      36.4,
    ],
  ])('%j makes one value of a list', async (subquery, name, value) => {
    if (name === undefined) expect((await post([{ select: [subquery] }])).status).toBe(422)
    else expect(await tableOf({ select: [subquery] })).toEqual({ [name]: [value] })
  })

  it('is aggregated over rows, and is a number where it counts', async () => {
    const arg = { select: { func: 'count' }, from: from('menstrual_flow') }
    expect(await tableOf({ select: [{ func: 'sum', arg }] })).toEqual({ 'sum.count.menstrual_flow': [2] })
  })
})
