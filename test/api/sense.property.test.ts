import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/kernel/instant.ts'
import { startTestWorld, type TestPetri } from '../support/petri.ts'
import { rounds } from '../support/rounds.ts'
import { advance, put, wearer } from '../support/wearables.ts'

const ANCHOR = '2026-01-05'
const FIRST_DAY = '2025-12-28'

/** What a test reads back from the series and summaries: when, on the user's own clock, and how much. */
interface Reading {
  readonly at: number
  readonly value: number | null
}

const wearers = [
  { provider: 'fitbit', zone: 'Asia/Kolkata', offset: 19_800 },
  { provider: 'oura', zone: 'America/Los_Angeles', offset: -28_800 },
  { provider: 'garmin', zone: 'UTC', offset: 0 },
] as const

let petri: TestPetri
let userIds: string[]
beforeAll(async () => {
  petri = await startTestWorld()
  userIds = []
  for (const { provider, zone } of wearers) {
    const own = { client_user_id: provider, fallback_time_zone: zone }
    userIds.push(await wearer(petri, [provider], own))
  }
  await advance(petri, 2 * HOUR_MS)
})

/** Where the figures of a query come from: its expression, its index, and the readings by the other API. */
interface Source {
  readonly arg: object
  readonly index: string
  readonly read: (user: number) => Promise<Reading[]>
}

const seriesSource = (name: string, path = name): Source => ({
  arg: { timeseries: name, field: 'value' },
  index: 'timeseries',
  async read(user) {
    const readings: Reading[] = []
    const { provider, offset } = wearers[user] ?? wearers[0]
    for (let cursor = ''; ; ) {
      const query = `start_date=2025-12-29&end_date=2026-01-06&provider=${provider}${cursor}`
      const { body } = await petri.get(`/v2/timeseries/${userIds[user]}/${path}/grouped?${query}`)
      for (const { data } of body.groups[provider] ?? [])
        for (const { timestamp, timezone_offset, value } of data)
          readings.push({ at: Date.parse(timestamp) + (timezone_offset ?? offset) * 1000, value })
      if (!body.next_cursor) return readings
      cursor = `&next_cursor=${body.next_cursor}`
    }
  },
})

type Summary = Readonly<Record<string, string & number>>

const summarySource = (
  table: string,
  column: string,
  field: string,
  atOf: (row: Summary, offset: number) => number,
): Source => ({
  arg: { [table]: column },
  index: table,
  async read(user) {
    const path = `/v2/summary/${table}/${userIds[user]}?start_date=2025-12-27&end_date=2026-01-07`
    const rows: Summary[] = (await petri.get(path)).body[table]
    const offset = wearers[user]?.offset ?? 0
    return rows.map((row) => ({ at: atOf(row, offset), value: row[field] ?? null }))
  },
})
const byDate = (row: Summary) => Date.parse(row.calendar_date ?? '')
const byEnd = (row: Summary, offset: number) =>
  Date.parse(row.bedtime_stop ?? '') + (row.timezone_offset ?? offset) * 1000

const sources: Readonly<Record<string, Source>> = {
  steps: seriesSource('steps'),
  calories: seriesSource('calories_active'),
  'heart rate': seriesSource('heartrate'),
  'variability of the heart rate': seriesSource('hrv'),
  'steps of a day': summarySource('activity', 'steps', 'steps', byDate),
  'distance of a day': summarySource('activity', 'distance_meter', 'distance', byDate),
  'deep sleep': summarySource('sleep', 'stage_deep_second', 'deep', byEnd),
  efficiency: summarySource('sleep', 'efficiency', 'efficiency', byEnd),
}

const readings = new Map<string, Promise<Reading[]>>()
function readingsOf(source: string, user: number): Promise<Reading[]> {
  const key = `${source} ${user}`
  const known = readings.get(key) ?? (sources[source] as Source).read(user)
  readings.set(key, known)
  return known
}

const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0)
const mean = (numbers: readonly number[]) => sum(numbers) / numbers.length

/** Of the values of a group, oldest first; never of none. */
const functions = {
  sum,
  mean,
  min: (numbers: readonly number[]) => numbers.reduce((one, other) => Math.min(one, other)),
  max: (numbers: readonly number[]) => numbers.reduce((one, other) => Math.max(one, other)),
  oldest: (numbers: readonly number[]) => numbers[0] ?? null,
  newest: (numbers: readonly number[]) => numbers.at(-1) ?? null,
  median(numbers: readonly number[]) {
    const sorted = [...numbers].sort((a, b) => a - b)
    const half = sorted.length / 2
    return mean(sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1))
  },
  stddev(numbers: readonly number[]) {
    if (numbers.length < 2) return null
    const squares = numbers.map((value) => (value - mean(numbers)) ** 2)
    return Math.sqrt(sum(squares) / (numbers.length - 1))
  },
} satisfies Record<string, (numbers: readonly number[]) => number | null>
type Func = keyof typeof functions | 'count'

function figureOf(func: Func, group: readonly Reading[]): number | null {
  const numbers = group.map(({ value }) => value).filter((value) => value !== null)
  if (func === 'count') return numbers.length
  return numbers.length === 0 ? null : functions[func](numbers)
}

interface Input {
  readonly user: number
  readonly source: string
  readonly func: Func
  readonly days: number
  readonly length: number
  readonly unit: 'hour' | 'day'
  readonly carry: 'carry_forward' | 'carry_backward' | 'carry_nearest' | null
}

/** The table that follows from the readings alone: starts of groups, and their figures. */
function expectedTable(all: readonly Reading[], input: Input): [number, number | null][] {
  const { func, days, unit, carry } = input
  const until = Date.parse(ANCHOR) + DAY_MS
  const from = until - days * DAY_MS
  const length = input.length * (unit === 'hour' ? HOUR_MS : DAY_MS)
  const startOf = (at: number) => Math.floor(at / length) * length
  const groups = new Map<number, Reading[]>()
  for (const reading of [...all].sort((a, b) => a.at - b.at)) {
    if (reading.at < from || reading.at >= until) continue
    const start = startOf(reading.at)
    groups.set(start, [...(groups.get(start) ?? []), reading])
  }
  const known: [number, number | null][] = [...groups].map(([start, group]) => [start, figureOf(func, group)])
  if (!carry || known.length === 0) return known
  const told = known.filter(([, value]) => value !== null)
  const lines: [number, number | null][] = []
  for (let start = startOf(from); start < until; start += length) {
    const before = told.filter(([other]) => other <= start).at(-1)
    const after = told.find(([other]) => other >= start)
    const isNearBefore = before && after && start - before[0] <= after[0] - start
    const best = {
      carry_forward: before,
      carry_backward: after,
      carry_nearest: isNearBefore ? before : (after ?? before),
    }[carry]
    lines.push([start, best?.[1] ?? null])
  }
  return lines
}

async function tableOf(userId: string | undefined, timeframe: object, query: object) {
  const answer = await petri.post(`/aggregate/v1/user/${userId}/query`, { timeframe, queries: [query] })
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
  return answer.body.results[0].table
}
const past = (value: number) => ({ type: 'relative', anchor: ANCHOR, past: { value, unit: 'day' } })

describe('a query', () => {
  it('has the figures that follow from the series and summaries, whatever is asked of whom', {
    tags: 'slow',
  }, async () => {
    const inputs: fc.Arbitrary<Input> = fc.record({
      user: fc.nat(wearers.length - 1),
      source: fc.constantFrom(...Object.keys(sources)),
      func: fc.constantFrom<Func>(...(Object.keys(functions) as Func[]), 'count'),
      days: fc.integer({ min: 1, max: 7 }),
      length: fc.integer({ min: 1, max: 12 }),
      unit: fc.constantFrom('hour', 'day'),
      carry: fc.constantFrom(null, 'carry_forward', 'carry_backward', 'carry_nearest'),
    })
    let figures = 0
    await fc.assert(
      fc.asyncProperty(inputs, async (input) => {
        const { user, source, func, days, length, unit, carry } = input
        const { arg, index } = sources[source] as Source
        const table = await tableOf(userIds[user], past(days), {
          select: [{ group_key: 0 }, { func, arg }],
          group_by: [{ date_trunc: { value: length, unit }, arg: { index } }],
          ...(carry && { align: { carry: { mode: carry } } }),
        })
        const [starts, values] = Object.values(table) as [string[], (number | null)[]]
        const expected = expectedTable(await readingsOf(source, user), input)
        expect(starts).toEqual(expected.map(([start]) => new Date(start).toISOString().slice(0, 19)))
        for (const [at, [, value]] of expected.entries()) {
          if (value === null) expect(values[at]).toBeNull()
          else expect(values[at]).toBeCloseTo(value, 4)
        }
        figures += expected.length
      }),
      { numRuns: rounds(40) },
    )
    expect(figures).toBeGreaterThan(200)
  })

  it('makes of a list, by a subquery, what follows from its elements', async () => {
    const woman = (await petri.post('/v2/user', { client_user_id: 'cycles' })).body.user_id
    const temperatures = fc.array(fc.integer({ min: 360, max: 380 }), { minLength: 1, maxLength: 9 })
    const inputs = fc.record({
      temperatures,
      func: fc.constantFrom<Func>(...(Object.keys(functions) as Func[]), 'count'),
      above: fc.option(fc.integer({ min: 360, max: 380 })),
    })
    await fc.assert(
      fc.asyncProperty(inputs, async ({ temperatures: tenths, func, above }) => {
        const values = tenths.map((tenth) => tenth / 10)
        await put(petri, woman, {
          resource: 'menstrual_cycle',
          provider: 'apple_health_kit',
          summary: {
            id: '5f1d8f0a-51c3-4c1f-9a0e-0d6a8c1e2b34',
            period_start: FIRST_DAY,
            basal_body_temperature: values.map((value) => ({ date: FIRST_DAY, value })),
          },
        })
        const arg = { basal_body_temperature: 'value', field_for: 'menstrual_cycle' }
        const table = await tableOf(woman, past(30), {
          select: [
            {
              select: func === 'count' ? { func } : { func, arg },
              from: { unnest: { menstrual_cycle: 'basal_body_temperature' } },
              ...(above !== null && { where: `value > ${above / 10}` }),
            },
          ],
        })
        const kept = values.filter((value) => above === null || value > above / 10)
        const [figures] = Object.values(table) as (number | null)[][]
        const expected = figureOf(
          func,
          kept.map((value) => ({ at: 0, value })),
        )
        if (expected === null) expect(figures).toEqual([null])
        else expect(figures?.[0]).toBeCloseTo(expected, 4)
      }),
      { numRuns: rounds(20) },
    )
  })
})
