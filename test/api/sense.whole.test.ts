import { gunzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { parquetReadObjects } from 'hyparquet'
import { parseTar } from 'nanotar'
import { beforeAll, describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../src/kernel/instant.ts'
import { KEY, startTestPetri, type TestPetri } from '../support/petri.ts'
import { rounds } from '../support/rounds.ts'
import { advance, put, wearer } from '../support/wearables.ts'

const ANCHOR = '2026-01-05'
const past = (value: number, unit = 'day') => ({ type: 'relative', anchor: ANCHOR, past: { value, unit } })
const perDay = (arg: object, value = 1) => ({ date_trunc: { value, unit: 'day' }, arg })

let petri: TestPetri
let userId: string
beforeAll(async () => {
  petri = await startTestPetri()
  userId = await wearer(petri, ['fitbit', 'oura'], { fallback_time_zone: 'America/Los_Angeles' })
  await advance(petri, 2 * HOUR_MS)
})

const tableOf = async (query: object, timeframe: object = past(14), user = userId) => {
  const answer = await petri.post(`/aggregate/v1/user/${user}/query`, { timeframe, queries: [query] })
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
  return answer.body.results[0].table
}
const summaries = async (path: string, key = path) =>
  (await petri.get(`/v2/summary/${path}/${userId}?start_date=2025-12-20&end_date=2026-01-06`)).body[key]

describe('a macro', () => {
  it('returns the values of the summary and the stages of each night', { tags: 'slow' }, async () => {
    const columns = ['sleep_score', 'chronotype', 'asleep_at', 'awake_at', 'awakenings'] as const
    const table = await tableOf({
      select: [{ sleep: 'id' }, ...columns.map((value_macro) => ({ value_macro, version: 'automatic' }))],
    })
    const nights = new Map((await summaries('sleep')).map((night: { id: string }) => [night.id, night]))
    const cycles = await summaries('sleep_cycle')
    expect(table.id.length).toBeGreaterThan(10)
    for (const [at, id] of table.id.entries()) {
      // biome-ignore lint/suspicious/noExplicitAny: a summary as the wire has it.
      const night = nights.get(id) as any
      const offset = night.timezone_offset * 1000
      const local = (text: string, more = 0) =>
        new Date(Date.parse(text) + offset + more * 1000).toISOString().slice(0, 19)
      expect(table.asleep_at[at]).toBe(local(night.bedtime_start, night.latency))
      expect(table.awake_at[at]).toBe(local(night.bedtime_stop))
      expect(['morning', 'intermediate', 'evening']).toContain(table.chronotype[at])
      const cycle = cycles.find((one: { sleep_id: string }) => one.sleep_id === id)
      if (!cycle) {
        expect(table.awakenings[at]).toBeNull()
        continue
      }
      const runs =
        cycle.stage_type
          .join('')
          .replace(/^4+|4+$/g, '')
          .match(/4+/g) ?? []
      expect(table.awakenings[at]).toBe(runs.length)
    }
    expect(table.awakenings.some((count: number | null) => count !== null && count > 0)).toBe(true)
  })

  it('is aggregated like any column, and is what derived_readiness has', async () => {
    const table = await tableOf({
      select: [{ group_key: '*' }, { func: 'newest', arg: { value_macro: 'sleep_score' } }],
      group_by: [perDay({ index: 'sleep' })],
    })
    const readiness = await tableOf({
      select: [{ group_key: '*' }, { func: 'newest', arg: { derived_readiness: 'sleep_score' } }],
      group_by: [perDay({ index: 'derived_readiness' })],
    })
    expect(readiness).toEqual(table)
  })
})

describe('a query and its parts', () => {
  const fields = [
    ['steps', 'steps', 'sum'],
    ['calories_active', 'calories_active', 'max'],
    ['distance', 'distance_meter', 'mean'],
    ['floors_climbed', 'floors_climbed', 'min'],
  ] as const

  it('have the same figures, whatever the column, the function and the length of a group', {
    tags: 'slow',
  }, async () => {
    const days = (await summaries('activity')).filter(
      ({ source }: { source: { provider: string } }) => source.provider === 'oura',
    )
    const inputs = fc.record({
      field: fc.constantFrom(...fields),
      length: fc.integer({ min: 1, max: 4 }),
      back: fc.integer({ min: 1, max: 12 }),
    })
    await fc.assert(
      fc.asyncProperty(inputs, async ({ field: [path, column, func], length, back }) => {
        const table = await tableOf(
          {
            select: [{ group_key: 0 }, { func, arg: { activity: column } }],
            group_by: [perDay({ placeholder: true }, length)],
            where: "source_provider = 'oura'",
          },
          past(back),
        )
        const from = Date.parse(ANCHOR) - (back - 1) * 86_400_000
        const groups = new Map<string, number[]>()
        for (const day of days) {
          const at = Date.parse(day.calendar_date)
          if (at < from || at > Date.parse(ANCHOR) || typeof day[path] !== 'number') continue
          const start = Math.floor(at / (length * 86_400_000)) * length * 86_400_000
          const key = new Date(start).toISOString().slice(0, 19)
          groups.set(key, [...(groups.get(key) ?? []), day[path]])
        }
        const sum = (cells: number[]) => cells.reduce((one, other) => one + other, 0)
        const expected = [...groups].map(([, cells]) => {
          const [low, high] = [Math.min(...cells), Math.max(...cells)]
          return func === 'sum'
            ? sum(cells)
            : func === 'max'
              ? high
              : func === 'min'
                ? low
                : sum(cells) / cells.length
        })
        const got = table[`${func}.${column}`].filter((cell: number | null) => cell !== null)
        expect(got.length).toBe(expected.length)
        for (const [at, value] of got.entries()) expect(value).toBeCloseTo(expected[at] as number, 3)
      }),
      { numRuns: rounds(20) },
    )
  })
})

describe('an aligned query', () => {
  let alone: string
  const query = (carry?: object) => ({
    select: [{ group_key: 0 }, { func: 'newest', arg: { body: 'weight_kilogram' } }],
    group_by: [perDay({ index: 'body' })],
    ...(carry && { align: { carry } }),
  })
  beforeAll(async () => {
    alone = (await petri.post('/v2/user', { client_user_id: 'alone' })).body.user_id
    for (const [day, weight] of [
      ['2025-12-29', 80],
      ['2026-01-01', 78],
    ])
      await put(petri, alone, {
        resource: 'body',
        provider: 'withings',
        summary: { calendar_date: day, weight },
      })
  })
  const weights = async (carry?: object) =>
    (await tableOf(query(carry), past(9), alone))['newest.weight_kilogram']

  it('has a row for every period, and fills values as requested', async () => {
    expect(await weights()).toEqual([80, 78])
    expect(await weights({ mode: 'carry_forward' })).toEqual([null, 80, 80, 80, 78, 78, 78, 78, 78])
    expect(await weights({ mode: 'carry_backward' })).toEqual([80, 80, 78, 78, 78, null, null, null, null])
    expect(await weights({ mode: 'carry_nearest' })).toEqual([80, 80, 80, 78, 78, 78, 78, 78, 78])
  })

  it('carries no farther than it may', async () => {
    const day = { value: 1, unit: 'day' }
    expect(await weights({ mode: 'carry_forward', max_age: day })).toEqual([
      ...[null, 80, 80, null, 78, 78, null, null, null],
    ])
    expect(await weights({ mode: 'carry_nearest', span: day })).toEqual([
      ...[80, 80, 80, 78, 78, 78, null, null, null],
    ])
  })

  it('needs groups of time', async () => {
    const { group_by: _, ...rest } = query({ mode: 'carry_forward' })
    const select = [{ func: 'newest', arg: { body: 'weight_kilogram' } }]
    const body = { timeframe: past(9), queries: [{ ...rest, select }] }
    expect(await petri.post(`/aggregate/v1/user/${alone}/query`, body)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'queries', 0, 'align'] }] },
    })
  })
})

describe('a subquery', () => {
  let woman: string
  const list = (menstrual_cycle: string) => ({ unnest: { menstrual_cycle } })
  beforeAll(async () => {
    woman = (await petri.post('/v2/user', { client_user_id: 'cycle' })).body.user_id
    await put(petri, woman, {
      resource: 'menstrual_cycle',
      provider: 'apple_health_kit',
      summary: {
        period_start: '2026-01-01',
        menstrual_flow: [
          { date: '2026-01-01', flow: 'heavy' },
          { date: '2026-01-02', flow: 'heavy' },
          { date: '2026-01-03', flow: 'light' },
        ],
        basal_body_temperature: [
          { date: '2026-01-01', value: 36.4 },
          { date: '2026-01-02', value: 36.8 },
        ],
      },
    })
  })

  it('makes one value of a list, of those elements that a condition lets through', async () => {
    const table = await tableOf(
      {
        select: [
          { select: { func: 'count' }, from: list('menstrual_flow') },
          {
            select: { func: 'oldest', arg: { menstrual_flow: 'date', field_for: 'menstrual_cycle' } },
            from: list('menstrual_flow'),
            where: "flow = 'light'",
          },
          {
            select: { func: 'mean', arg: { basal_body_temperature: 'value', field_for: 'menstrual_cycle' } },
            from: { placeholder: true },
          },
        ],
      },
      past(1, 'month'),
      woman,
    )
    expect(table).toEqual({
      'count.menstrual_flow': [3],
      'oldest.menstrual_flow.date': ['2026-01-03'],
      'mean.basal_body_temperature.value': [36.6],
    })
  })

  it('is aggregated over many rows', async () => {
    const arg = { select: { func: 'count' }, from: list('menstrual_flow') }
    const table = await tableOf({ select: [{ func: 'max', arg }] }, { placeholder: true }, woman)
    expect(Object.values(table)).toEqual([[3]])
  })

  it.each([
    [
      { select: { func: 'mean', arg: { menstrual_flow: 'flow' } }, from: list('menstrual_flow') },
      /takes numbers/,
    ],
    [{ select: { func: 'count' }, from: { placeholder: true } }, /names no list/],
    [{ select: { func: 'count' }, from: list('menstrual_flow'), where: 'colour = 1' }, /colour/],
  ])('%j is refused', async (subquery, reason) => {
    const body = { timeframe: past(1), queries: [{ select: [subquery] }] }
    const answer = await petri.post(`/aggregate/v1/user/${woman}/query`, body)
    expect(answer.status).toBe(422)
    expect(answer.body.detail.map(({ msg }: { msg: string }) => msg).join()).toMatch(reason)
  })
})

describe('a table as Parquet', () => {
  const read = async (bytes: Uint8Array | undefined) => {
    const file = new Uint8Array(bytes ?? []).buffer
    return parquetReadObjects({ file })
  }
  const send = async (method: string, path: string, accept: string, body?: object) => {
    const response = await petri.petri.app.request(path, {
      method,
      headers: { 'x-service-api-key': KEY, 'content-type': 'application/json', accept },
      ...(body && { body: JSON.stringify(body) }),
    })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, accept])
    return new Uint8Array(await response.arrayBuffer())
  }

  it('holds what the JSON holds, a file for each query, the same bytes each time', async () => {
    const queries = [
      { select: [{ sleep: 'id' }, { sleep: 'efficiency' }, { sleep: 'stage_unknown_second' }] },
      {
        select: [{ group_key: '*' }, { func: 'sum', arg: { activity: 'steps' } }],
        group_by: [perDay({ index: 'activity' })],
      },
    ]
    const body = { timeframe: past(7), queries }
    const path = `/aggregate/v1/user/${userId}/query`
    const accept = 'application/vnd.vital.tar+gzip+parquet'
    const packed = await send('POST', path, accept, body)
    expect(await send('POST', path, accept, body)).toEqual(packed)
    const files = parseTar(new Uint8Array(gunzipSync(packed)))
    expect(files.map(({ name }) => name)).toEqual(['0.parquet', '1.parquet'])
    const { results } = (await petri.post(path, body)).body
    for (const [at, { table }] of results.entries()) {
      const rows = await read(files[at]?.data)
      expect(rows.length).toBeGreaterThan(3)
      for (const [name, cells] of Object.entries(table))
        expect(rows.map((row) => row[name] ?? null)).toEqual(cells)
    }
  })

  it('is what a continuous query answers too', async () => {
    await petri.post('/_petri/continuous_queries', {
      slug: 'steps',
      query: {
        select: [{ group_key: '*' }, { func: 'sum', arg: { activity: 'steps' } }],
        group_by: [perDay({ index: 'activity' })],
      },
    })
    await advance(petri, HOUR_MS)
    const path = `/aggregate/v1/user/${userId}/continuous_query/steps/result_table`
    const rows = await read(await send('GET', path, 'application/vnd.apache.parquet'))
    const { table } = (await petri.get(path)).body
    expect(rows.map((row) => row['sum.steps'])).toEqual(table['sum.steps'])
  })
})
