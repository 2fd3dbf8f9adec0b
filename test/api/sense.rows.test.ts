import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../src/kernel/instant.ts'
import { runAtOnce } from '../../src/kernel/slices.ts'
import { senseData } from '../../src/resources/sense/data.ts'
import { answer, LimitExceeded, type SenseRow } from '../../src/resources/sense/engine.ts'
import { priorities } from '../../src/resources/team/table.ts'
import { startTestWorld, type TestPetri } from '../support/petri.ts'
import { at, per, planned } from '../support/sense.ts'
import { night } from '../support/summaries.ts'
import { put, wearer } from '../support/wearables.ts'

const january = { from: at('2026-01-01T00:00:00'), until: at('2026-01-06T00:00:00') }
const priority = { slug: 'oura', priority: 999 }
const field = (timeseries: string, name: string) => ({ timeseries, field: name })

/** The cells that a query reads, row by row. */
const cells = (petri: TestPetri, userId: string, select: object[], window = january) =>
  runAtOnce(answer(planned({ select }), senseData(petri.world(), userId, []), window)).map((one) => one.cells)

/** A user for whom samples or a summary were put in. */
async function having(...bodies: object[]) {
  const petri = await startTestWorld()
  const userId = await wearer(petri, [], { fallback_time_zone: 'America/New_York' })
  for (const body of bodies) expect(await put(petri, userId, body)).toAnswer(200)
  return { petri, userId }
}

describe('the rows of a series', () => {
  it('have the value and the source of their samples', async () => {
    const samples = [{ start: '2026-01-04T12:00:00Z', end: '2026-01-04T12:10:00Z', value: 5 }]
    const { petri, userId } = await having({
      resource: 'steps',
      provider: 'oura',
      source_type: 'ring',
      samples,
    })
    const select = ['value', 'source_provider', 'source_type'].map((name) => field('steps', name))
    expect(cells(petri, userId, select)).toEqual([[5, 'oura', 'ring']])
  })

  it('are at local time: at the offset of the sample, or of the zone of the user', async () => {
    const times = ['2026-01-04T12:00:00Z', '2026-01-04T12:20:00Z']
    const samples = times.map((timestamp, nth) => ({
      timestamp,
      value: nth,
      ...(nth === 0 && { timezone_offset: 3600 }),
    }))
    const libre = { resource: 'glucose', provider: 'freestyle_libre', samples }
    const { petri, userId } = await having({ resource: 'glucose', provider: 'dexcom_v3', samples }, libre)
    expect(cells(petri, userId, [{ index: 'timeseries' }, field('glucose', 'source_provider')])).toEqual([
      ['2026-01-04T07:20:00', 'dexcom_v3'],
      // Those of a Libre are local times.
      ['2026-01-04T12:20:00', 'freestyle_libre'],
      ['2026-01-04T13:00:00', 'dexcom_v3'],
      ['2026-01-04T13:00:00', 'freestyle_libre'],
    ])
  })

  it('follow the change of the clocks', async () => {
    const times = ['2026-03-08T06:59:00Z', '2026-03-08T07:00:00Z', '2026-03-08T07:16:00Z']
    const samples = times.map((timestamp, value) => ({ timestamp, value }))
    const { petri, userId } = await having({ resource: 'heartrate', provider: 'oura', samples })
    const window = { from: at('2026-03-08T00:00:00'), until: at('2026-03-09T00:00:00') }
    expect(cells(petri, userId, [{ index: 'timeseries' }, field('heartrate', 'value')], window)).toEqual([
      ['2026-03-08T01:59:00', 0],
      ['2026-03-08T03:00:00', 1],
      ['2026-03-08T03:16:00', 2],
    ])
  })

  it.each([
    [50_400, '2026-01-04T10:00:00Z', '2026-01-05T00:00:00'],
    [-43_200, '2026-01-05T12:00:00Z', '2026-01-05T00:00:00'],
    [-43_200, '2026-01-06T11:59:59Z', '2026-01-05T23:59:59'],
    [50_400, '2026-01-05T09:59:59Z', '2026-01-05T23:59:59'],
  ])('of a local day are found at an offset of %i seconds: %s', async (timezone_offset, timestamp, local) => {
    const samples = [{ timestamp, value: 5, timezone_offset }]
    const { petri, userId } = await having({ resource: 'heartrate', provider: 'oura', samples })
    const day = { from: at('2026-01-05T00:00:00'), until: at('2026-01-06T00:00:00') }
    const select = [{ index: 'timeseries' }, field('heartrate', 'value')]
    expect(cells(petri, userId, select, day)).toEqual([[local, 5]])
    const [before, after] = [-1, 1].map((days) => cells(petri, userId, select, shifted(day, days * 24)))
    expect([before, after]).toEqual([[], []])
  })
})

const shifted = ({ from, until }: typeof january, hours: number) => ({
  from: from + hours * HOUR_MS,
  until: until + hours * HOUR_MS,
})

describe('the rows of summaries', () => {
  it('are at their own time, or at the midnight of their date', async () => {
    const bedtime = { bedtime_start: '2026-01-03T23:00:00Z', bedtime_stop: '2026-01-04T07:00:00Z' }
    const { petri, userId } = await having(
      { resource: 'body', provider: 'withings', summary: { calendar_date: '2026-01-04', weight: 80 } },
      { resource: 'sleep', provider: 'oura', summary: { ...night, ...bedtime, score: 70 } },
    )
    expect(cells(petri, userId, [{ index: 'body' }, { body: 'weight_kilogram' }])).toEqual([
      ['2026-01-04T00:00:00', 80],
    ])
    expect(cells(petri, userId, [{ index: 'sleep' }, { sleep: 'score' }])).toEqual([
      ['2026-01-04T02:00:00', 70],
    ])
  })

  it('of a source that no list has come last', async () => {
    const petri = await startTestWorld()
    const { rank } = senseData(petri.world(), '', [])
    const rankOf = (provider: string) =>
      rank(planned({ select: [{ activity: 'steps' }] }), { provider, type: 'none' })
    expect(rankOf('labcorp')).toBeGreaterThan(rankOf('google_health'))
    expect(rankOf('google_health')).toBeGreaterThan(rankOf('oura'))
  })

  it('are of the first of their providers by rank: as asked, as the team ranks, and as usual', async () => {
    const weights = ['withings', 'fitbit', 'garmin'].map((slug, nth) => ({
      resource: 'body',
      provider: slug,
      summary: { calendar_date: '2026-01-04', weight: 80 + nth },
    }))
    const { petri, userId } = await having(...weights)
    const query = planned({
      select: [{ func: 'newest', arg: { body: 'source_provider' } }],
      group_by: [per('day', 1, 'body')],
    })
    const first = (overrides: string[]) =>
      runAtOnce(answer(query, senseData(petri.world(), userId, overrides), january))[0]?.cells[0]
    const usual = first([])
    const slugs = ['withings', 'fitbit', 'garmin']
    expect(slugs).toContain(usual)
    for (const slug of slugs) {
      expect(first([slug])).toBe(slug)
      expect(first(['whoop', slug, usual as string])).toBe(slug)
    }
    expect(first(['whoop'])).toBe(usual)
  })

  it('of a workout are at its beginning, on the clock of the user', async () => {
    const summary = {
      time_start: '2026-01-04T12:00:00Z',
      time_end: '2026-01-04T13:00:00Z',
      sport: { id: 40, name: 'Running', slug: 'running' },
    }
    const { petri, userId } = await having({ resource: 'workouts', provider: 'oura', summary })
    expect(cells(petri, userId, [{ index: 'workout' }, { workout: 'source_provider' }])).toEqual([
      ['2026-01-04T07:00:00', 'oura'],
    ])
  })

  it.each([
    ['activity', 'activity', { activity: 'steps' }],
    ['sleep', 'sleep', { sleep: 'score' }],
    ['workout', 'workouts', { workout: 'calories' }],
    ['body', 'body', { body: 'weight_kilogram' }],
    ['timeseries', 'timeseries', { timeseries: 'heartrate', field: 'value' }],
  ] as const)('are ranked by the team in %s', async (_, kind, item) => {
    const { petri, userId } = await having()
    const { db } = petri.world()
    const rankOf = (provider: string) =>
      senseData(petri.world(), userId, []).rank(planned({ select: [item] }), { provider, type: 'none' })
    const usual = rankOf('oura')
    for (const one of ['activity', 'sleep', 'workouts', 'body', 'timeseries'] as const)
      if (one !== kind) db.put(priorities, { ...priority, data_type: one })
    expect(rankOf('oura')).toBe(usual)
    db.put(priorities, { ...priority, data_type: kind })
    // The highest number comes first.
    expect(rankOf('oura')).toBeCloseTo(-999 + 0.099, 6)
    expect(rankOf('oura')).toBeLessThan(rankOf('fitbit'))
  })

  it('come in the order of devices at one provider', async () => {
    const { petri, userId } = await having()
    const { rank } = senseData(petri.world(), userId, ['oura'])
    const plan = planned({ select: [{ activity: 'steps' }] })
    const of = (source: SenseRow['source']) => rank(plan, source)
    const [watch, scale, other] = ['watch', 'scale', 'none'].map((type) => of({ provider: 'fitbit', type }))
    expect(watch).toBeLessThan(Number(scale))
    expect(scale).toBeLessThan(Number(other))
    // However unusual the device, its provider counts more.
    expect(of({ provider: 'oura', type: 'none' })).toBeLessThan(Number(watch))
    expect(Math.abs(Number(other) - Number(watch))).toBeLessThan(1)
  })
})

describe('a call', () => {
  it('reads a quarter of a million rows at most, in all its queries together', { tags: 'slow' }, async () => {
    const { petri, userId } = await having()
    const samples = Array.from({ length: 2500 }, (_, second) => ({
      timestamp: new Date(at('2026-01-04T12:00:00') + second * 1000).toISOString(),
      value: 60,
    }))
    await put(petri, userId, { resource: 'heartrate', provider: 'oura', samples })
    const plan = planned({ select: [field('heartrate', 'value')] })
    const data = senseData(petri.world(), userId, [])
    const read = () => [...data.rows(plan, january)].length
    for (let times = 0; times < 100; times++) read()
    expect(() => read()).toThrow(new LimitExceeded('more than 250000 rows are read; ask for a shorter time'))
  })
})
