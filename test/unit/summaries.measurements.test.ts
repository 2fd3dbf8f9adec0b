import { describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/instant.ts'
import type { Day } from '../../src/people/day.ts'
import type { Person } from '../../src/people/person.ts'
import { dateOfFirstConnection } from '../../src/resources/summaries/measurements.ts'
import { dayOfConnection } from '../../src/resources/timeseries/service.ts'
import { at, connection, DATE, evenly, MIDNIGHT, made } from '../support/made-day.ts'
import { startTestWorld, type TestPetri } from '../support/petri.ts'
import { advance, put } from '../support/wearables.ts'

/** The body of a day on which 80 kg and 25 % of fat were measured at 21:00, by a person of two metres. */
async function weighed(provider: string, { kilograms = 80, fat = 25, sex = 'male' as Person['sex'] } = {}) {
  const petri = await startTestWorld()
  const own = await connection(petri, provider)
  const timestamp = new Date(at(21)).toISOString()
  for (const [resource, value] of [
    ['body_weight', kilograms],
    ['body_fat', fat],
    ['waist_circumference', 91],
  ] as const)
    await put(petri, own.user_id, {
      resource,
      provider,
      samples: [{ timestamp, start: timestamp, end: timestamp, value }],
    })
  const day = ({ person, body }: Day): Partial<Day> => ({
    person: { ...person, sex },
    body: { ...body, heightCm: 200 },
  })
  return { own, bodies: made(petri, 'body', own, { day }) }
}

describe('a body', () => {
  it('is the last weighing of a day, with what a scale makes of it', async () => {
    const { own, bodies } = await weighed('withings')
    expect(bodies).toEqual([
      {
        id: expect.any(String),
        user_id: own.user_id,
        date: `${DATE}T00:00:00+00:00`,
        calendar_date: DATE,
        weight: 80,
        fat: 25,
        water_percentage: 54,
        muscle_mass_percentage: 42,
        visceral_fat_index: 6,
        bone_mass_percentage: 4.3,
        body_mass_index: 20,
        lean_body_mass_kilogram: 60,
        waist_circumference_centimeter: 91,
        source: expect.objectContaining({
          provider: 'withings',
          type: 'scale',
          device_id: null,
        }),
        created_at: '2026-01-05T09:00:00+00:00',
        updated_at: '2026-01-05T09:00:00+00:00',
      },
    ])
  })

  it('of a woman has lighter bones', async () => {
    const { bodies } = await weighed('withings', { sex: 'female' })
    expect(bodies).toMatchObject([{ bone_mass_percentage: 3.8 }])
  })

  it('has a visceral fat of one at least', async () => {
    const { bodies } = await weighed('withings', { fat: 3 })
    expect(bodies).toMatchObject([
      { visceral_fat_index: 1, water_percentage: 69.8, muscle_mass_percentage: 54.3 },
    ])
  })

  it('that an app tells has no more than weight, fat and waist', async () => {
    const { bodies } = await weighed('apple_health_kit')
    expect(bodies).toMatchObject([
      {
        weight: 80,
        fat: 25,
        body_mass_index: 20,
        lean_body_mass_kilogram: 60,
        water_percentage: null,
        muscle_mass_percentage: null,
        visceral_fat_index: null,
        bone_mass_percentage: null,
        waist_circumference_centimeter: 91,
        source: { type: 'app', app_id: 'com.apple.Health' },
      },
    ])
  })

  it('of Fitbit has weight, body mass index and fat', async () => {
    const { bodies } = await weighed('fitbit')
    const { source, waist_circumference_centimeter: _, ...body } = bodies[0]
    expect(source.type).toBe('scale')
    const values = Object.entries(body).filter(([, value]) => typeof value === 'number')
    expect(Object.fromEntries(values)).toEqual({ weight: 80, fat: 25, body_mass_index: 20 })
  })

  it('without fat at a provider that does not send it has no lean mass', async () => {
    const { bodies } = await weighed('oura')
    expect(bodies).toMatchObject([
      { weight: 80, fat: null, lean_body_mass_kilogram: null, body_mass_index: 20 },
    ])
  })

  it('is there a minute after the scale was stepped on', async () => {
    const petri = await startTestWorld()
    const own = await connection(petri, 'withings')
    const [{ end: risen }] = dayOfConnection(petri.world(), own, DATE).nights
    const since = risen + 13 * MINUTE_MS
    expect(made(petri, 'body', own, { asOf: since - 1 })).toEqual([])
    expect(made(petri, 'body', own, { asOf: since })).toHaveLength(1)
  })
})

/** The electrocardiogram of a day by draws: whether one is taken, when, its clearness and its rhythm. */
async function recorded(draws: readonly number[], { burden = 0, asOf = at(20) } = {}) {
  const petri = await startTestWorld()
  const own = await connection(petri, 'apple_health_kit')
  const day = ({ body }: Day): Partial<Day> => ({
    noise: () => (ordinal) => draws[ordinal] ?? 0.5,
    body: { ...body, fibrillationBurden: burden },
  })
  return { own, recordings: made(petri, 'electrocardiogram', own, { day, asOf }) }
}

describe('an electrocardiogram', () => {
  it('of half a minute is taken in the morning', async () => {
    const { own, recordings } = await recorded([0.1, 0, 0.5, 0.5])
    expect(recordings).toEqual([
      {
        id: expect.any(String),
        session_start: `${DATE}T08:30:00+00:00`,
        session_end: `${DATE}T08:30:30+00:00`,
        voltage_sample_count: 15_360,
        heart_rate_mean: expect.any(Number),
        sampling_frequency_hz: 512,
        classification: 'sinus_rhythm',
        inconclusive_cause: null,
        algorithm_version: '2',
        time_zone: 'UTC',
        source_provider: 'apple_health_kit',
        source_type: 'watch',
        source_app_id: 'com.apple.Health',
        source_device_id: null,
        source_device_model: null,
        user_id: own.user_id,
        source: expect.objectContaining({ type: 'watch' }),
        created_at: '2026-01-05T09:00:00+00:00',
        updated_at: '2026-01-05T09:00:00+00:00',
      },
    ])
  })

  it.each([
    ['a fibrillating heart', [0.1, 0, 0.5, 0.2], 'atrial_fibrillation', null],
    ['a regular heart of one who fibrillates at times', [0.1, 0, 0.5, 0.6], 'sinus_rhythm', null],
    ['an unclear recording', [0.1, 0, 0.01, 0.2], 'inconclusive', 'poor_reading'],
  ])('of %s is %s', async (_, draws, classification, inconclusive_cause) => {
    const { recordings } = await recorded(draws, { burden: 50 })
    expect(recordings).toMatchObject([{ classification, inconclusive_cause }])
  })

  it('is not there on other days, or before it is over', async () => {
    expect((await recorded([0.9])).recordings).toEqual([])
    const over = at(8, 30) + 30_000
    expect((await recorded([0.1, 0], { asOf: over - 1 })).recordings).toEqual([])
    expect((await recorded([0.1, 0], { asOf: over })).recordings).toHaveLength(1)
  })
})

describe('a profile', () => {
  const profile = (
    petri: TestPetri,
    own: Awaited<ReturnType<typeof connection>>,
    date: string,
    asOf?: number,
  ) =>
    made(petri, 'profile', own, {
      date,
      ...(asOf && { asOf }),
      day: ({ body }) => ({ body: { ...body, heightCm: 171.6 } }),
    })

  it('is known from the connection on, on the local date of it', { tags: 'slow' }, async () => {
    const petri = await startTestWorld()
    const own = await connection(petri, 'fitbit', { fallback_time_zone: 'Pacific/Auckland' })
    await advance(petri, 10 * HOUR_MS)
    expect(dateOfFirstConnection(own)).toBe('2026-01-05')
    expect(profile(petri, own, '2026-01-06')).toEqual([])
    expect(profile(petri, own, '2026-01-05', own.known_since - 1)).toEqual([])
    const [person] = profile(petri, own, '2026-01-05', own.known_since)
    expect(person).toMatchObject({
      user_id: own.user_id,
      height: 172,
      wheelchair_use: null,
      source: { provider: 'fitbit' },
      created_at: '2026-01-05T09:00:00+00:00',
    })
    const { person: whole } = dayOfConnection(petri.world(), own, '2026-01-05')
    expect(person).toMatchObject({ birth_date: whole.birthDate, gender: whole.sex, sex: whole.sex })
  })

  it('has the date of birth that is known of the user', async () => {
    const petri = await startTestWorld()
    const own = await connection(petri, 'fitbit', { fallback_birth_date: '1981-02-03' })
    expect(profile(petri, own, '2026-01-05')).toMatchObject([{ birth_date: '1981-02-03' }])
  })

  it('is of the next day where it is past midnight', async () => {
    const petri = await startTestWorld({ world: { now: Date.parse('2026-01-05T20:00:00Z') } })
    const own = await connection(petri, 'fitbit', { fallback_time_zone: 'Asia/Tokyo' })
    expect(dateOfFirstConnection(own)).toBe('2026-01-06')
  })
})

describe('the stamps of a summary', () => {
  it('of a history are those of its connection, and later those of the measurement', {
    tags: 'slow',
  }, async () => {
    const petri = await startTestWorld()
    const own = await connection(petri, 'withings')
    await advance(petri, 48 * HOUR_MS)
    const weighing = (date: string) => made(petri, 'body', own, { date, day: () => ({ noise: evenly(0.5) }) })
    const dates = ['2026-01-04', '2026-01-06', '2026-01-07']
    const [before, ...after] = dates.flatMap(weighing)
    expect(before.created_at).toBe('2026-01-05T09:00:00+00:00')
    for (const { calendar_date, created_at, updated_at } of after) {
      const [{ end }] = dayOfConnection(petri.world(), own, calendar_date).nights
      expect(Date.parse(created_at)).toBe(end + 13 * MINUTE_MS)
      expect(updated_at).toBe(created_at)
    }
    expect(after.length).toBeGreaterThan(0)
    expect(MIDNIGHT).toBeLessThan(own.known_since)
  })
})
