import { describe, expect, it } from 'vitest'
import { inputLimits } from '../../src/api/limits.ts'
import { nutritionOf } from '../../src/resources/mobile/nutrition.ts'
import { uploadReader } from '../../src/resources/mobile/read-upload.ts'
import { offsetOf, seriesUploads, sourceTypeOf, toSample } from '../../src/resources/mobile/samples.ts'
import { UploadedItems } from '../../src/resources/mobile/schema.ts'
import { summaryUploads } from '../../src/resources/mobile/summaries.ts'

const AT = '2026-01-05T08:00:00Z'
const LATER = '2026-01-05T08:10:00Z'

const kindOf = (path: string) => {
  const kind = [...summaryUploads, ...seriesUploads].find((each) => each.path === path)
  if (!kind) throw new Error(`no upload ${path}`)
  return kind
}
/** What is stored of an item that an SDK uploads from Berlin. */
const store = (path: string, item: unknown) => {
  const kind = kindOf(path)
  const upload = { timeZone: 'Europe/Berlin', userId: '', provider: '' }
  return kind.store(kind.item().parse(item), upload as never)
}
const summaryOf = (path: string, item: unknown) => store(path, item).summaries?.[0]?.item as object
const sampleOf = (path: string, item: object) =>
  store(path, { value: 1, start_date: AT, end_date: LATER, ...item }).samples?.[0]

describe('the device of an uploaded item', () => {
  const watch = { source_bundle: 'com.apple.health.1', product_type: 'Watch6,1' }

  it.each([
    ['app', { metadata: { HKWasUserEntered: '1' }, type: 'watch' }],
    ['watch', { metadata: { HKWasUserEntered: '0' }, type: 'watch' }],
    ['ring', { ...watch, type: 'ring' }],
    ['app', { source_bundle: 'com.apple.Health', product_type: 'Watch6,1' }],
    ['watch', watch],
    ['phone', { ...watch, product_type: 'iPhone14,2' }],
    ['unknown', { ...watch, product_type: 'iPad1' }],
    ['unknown', { source_bundle: watch.source_bundle }],
    ['unknown', { product_type: 'Watch6,1' }],
    ['unknown', { source_bundle: 'com.example', product_type: 'Watch6,1' }],
  ])('is %s for %o', (type, origin) => expect(sourceTypeOf(origin)).toBe(type))
})

describe('the offset of an uploaded item', () => {
  const at = Date.parse(AT)

  it('is that of the zone in which it was recorded, or else of the phone', () => {
    expect(offsetOf({}, 'Europe/Berlin', at)).toBe(3600)
    expect(offsetOf({ metadata: { HKTimeZone: 'Asia/Tokyo' } }, 'Europe/Berlin', at)).toBe(9 * 3600)
    for (const HKTimeZone of ['Nowhere/At all', 9, null])
      expect(offsetOf({ metadata: { HKTimeZone } }, 'Europe/Berlin', at)).toBe(3600)
  })
})

describe('an uploaded sample', () => {
  it('is converted from the units that its series does not have, to six decimals', () => {
    expect(sampleOf('glucose', { value: 90, unit: 'mg/dL' })?.sample.value).toBe(4.99495)
    expect(sampleOf('glucose', { value: 5.1234567, unit: 'mmol/L' })?.sample.value).toBe(5.1234567)
    expect(sampleOf('caffeine', { value: 95, unit: 'mg' })?.sample.value).toBe(0.095)
    expect(sampleOf('steps', { value: 7.12345678 })?.sample.value).toBe(7.12345678)
  })

  it('counts one where each sample is an occurrence', () => {
    expect(sampleOf('handwashing', { value: 20 })?.sample).toMatchObject({ value: 1, type: null })
    expect(sampleOf('stand_hour', { value: 0 })?.sample).toMatchObject({ value: 1, type: 'stood' })
    expect(sampleOf('stand_hour', { value: 1 })?.sample).toMatchObject({ value: 1, type: 'idle' })
  })

  it('has its start, end, series and device', () => {
    expect(sampleOf('heartrate_variability', { type: 'ring' })).toEqual({
      series: 'hrv',
      sourceType: 'ring',
      sample: {
        start: Date.parse(AT),
        end: Date.parse(LATER),
        offsetSeconds: 3600,
        value: 1,
        type: null,
      },
    })
    expect(sampleOf('temperature', {})).toMatchObject({
      series: 'body_temperature',
      sample: { more: { sensor_location: null } },
    })
    expect(sampleOf('steps', {})?.sample).not.toHaveProperty('more')
  })

  it('of a type that its series does not have is refused with what was sent', () => {
    const alert = (metadata?: object) => () => sampleOf('heart_rate_alert', metadata ? { metadata } : {})
    expect(alert({ type: 'low_heart_rate' })()?.sample.type).toBe('low_heart_rate')
    const refused = (input: unknown) =>
      expect.objectContaining({
        detail: [
          {
            type: 'enum',
            loc: ['body', 'data', 'metadata'],
            msg: 'Input should have a known type',
            input,
          },
        ],
      })
    expect(alert({ type: 'odd' })).toThrow(refused({ type: 'odd' }))
    expect(alert()).toThrow(refused(null))
  })

  it('ends no earlier than it starts', () => {
    expect(() => sampleOf('steps', { start_date: LATER, end_date: AT })).toThrow(
      'end_date is before start_date',
    )
    expect(
      toSample(kindOf('steps').item().parse({ value: 1, start_date: AT, end_date: AT }) as never, 'UTC', {}),
    ).toMatchObject({ start: Date.parse(AT), end: Date.parse(AT) })
  })
})

describe('the nutrition of a meal', () => {
  const of = (amounts: Record<string, number>) => nutritionOf(new Map(Object.entries(amounts)))

  it('has its energy under either name, the total first', () => {
    expect(of({ energy: 500 }).energy).toEqual({ unit: 'kcal', value: 500 })
    expect(of({ energy: 500, energy_total: 510 }).energy).toEqual({ unit: 'kcal', value: 510 })
    expect(of({}).energy).toBeNull()
  })

  it('has each nutrient in its place alone, and leaves out others', () => {
    const { macros, micros } = of({
      protein: 10,
      sodium: 2,
      copper: 3,
      thiamin: 4,
      fat_total: 5,
      moonlight: 6,
    })
    expect(macros).toEqual({
      carbs: null,
      protein: 10,
      alcohol: null,
      water: null,
      fibre: null,
      sugar: null,
      cholesterol: null,
      fats: {
        saturated: null,
        monounsaturated: null,
        polyunsaturated: null,
        omega3: null,
        omega6: null,
        total: 5,
      },
    })
    expect(micros).toEqual({
      minerals: { sodium: 2 },
      trace_elements: { copper: 3 },
      vitamins: { vitamin_b1: 4 },
    })
  })
})

describe('an uploaded profile', () => {
  it.each([
    ['male', 'male', 'male'],
    ['female', 'female', 'female'],
    ['other', 'other', 'other'],
    ['not_set', null, 'unknown'],
    ['odd', null, null],
    [undefined, null, null],
  ])('of the sex %s', (biological_sex, sex, gender) =>
    expect(summaryOf('profile', { biological_sex })).toMatchObject({ sex, gender }),
  )

  it('has a date of birth and a height where they were sent', () => {
    expect(summaryOf('profile', { date_of_birth: '1990-01-01T12:00:00Z', height: 170.4 })).toMatchObject({
      birth_date: '1990-01-01',
      height: 170,
      wheelchair_use: null,
    })
    for (const date_of_birth of [null, undefined])
      expect(summaryOf('profile', { date_of_birth })).toMatchObject({ birth_date: null, height: null })
    expect(store('profile', {}).summaries).toMatchObject([{ resource: 'profile', sourceType: 'app' }])
  })
})

describe('an uploaded body', () => {
  it('has its waist in centimetres, and other values as they are', () => {
    const sample = (value: number, unit: string) => [{ value, unit, start_date: AT, end_date: AT }]
    const body = { waist_circumference: sample(0.8, 'm'), lean_body_mass: sample(60, 'm') }
    expect(summaryOf('body', body)).toEqual({
      calendar_date: '2026-01-05',
      waist_circumference_centimeter: 80,
      lean_body_mass_kilogram: 60,
    })
  })
})

describe('an uploaded activity', () => {
  const activity = (day: object) =>
    summaryOf('activity', { day_summary: { calendar_date: '2026-01-05', ...day } }) as Record<string, unknown>

  it('is nothing without a day', () => {
    expect(store('activity', {}).summaries).toEqual([])
    expect(store('activity', { day_summary: null }).summaries).toEqual([])
  })

  it('has heart rates if it has one of them', () => {
    expect(activity({}).heart_rate).toBeNull()
    expect(activity({ avg_heart_rate: null, max_heart_rate: null }).heart_rate).toBeNull()
    expect(activity({ resting_heart_rate: 50 }).heart_rate).toEqual({
      avg_bpm: null,
      min_bpm: null,
      max_bpm: null,
      resting_bpm: 50,
      avg_walking_bpm: null,
    })
  })

  it('has energies, and a total with the active ones alone', () => {
    expect(activity({ active_energy_burned_sum: 300 })).toMatchObject({
      calories_active: 300,
      calories_total: 300,
    })
    expect(activity({ basal_energy_burned_sum: 1500 })).toMatchObject({
      calories_active: null,
      calories_total: null,
    })
  })

  it('has its distance as its movement, and its wheelchair where there is one', () => {
    expect(activity({ distance_walking_running_sum: 900, wheelchair_use: true })).toMatchObject({
      distance: 900,
      daily_movement: 900,
      wheelchair_use: true,
      time_zone: 'Europe/Berlin',
      timezone_offset: 3600,
    })
    expect(activity({ wheelchair_use: false })).toMatchObject({ distance: null, wheelchair_use: null })
  })
})

describe('an uploaded night', () => {
  const HOUR = 3_600_000
  const night = Date.parse('2026-01-04T22:00:00Z')
  const at = (hours: number) => new Date(night + hours * HOUR).toISOString()
  const sleep = (hours: number, sleep_stages?: object) =>
    summaryOf('sleep', { start_date: at(0), end_date: at(hours), sleep_stages })
  const stage = (from: number, until: number) => [{ value: 0, start_date: at(from), end_date: at(until) }]

  it('is long from three hours on', () => {
    expect(sleep(3)).toMatchObject({ type: 'long_sleep' })
    expect(sleep(2.99)).toMatchObject({ type: 'short_sleep' })
  })

  it('without stages is light sleep as a whole', () => {
    expect(sleep(4)).toMatchObject({
      duration: 14_400,
      total: 14_400,
      light: 14_400,
      awake: 0,
      latency: null,
      efficiency: 100,
    })
  })

  it('that was all awake has no sleep', () => {
    expect(sleep(4, { awakeSleepSamples: stage(0, 4) })).toMatchObject({
      total: 0,
      light: 0,
      awake: 14_400,
      latency: null,
      efficiency: 0,
    })
  })

  it('begins with what is not awake, and leaves out what is outside of it', () => {
    expect(
      sleep(4, {
        awakeSleepSamples: stage(0, 1),
        lightSleepSamples: stage(1, 2),
        deepSleepSamples: stage(5, 6),
      }),
    ).toMatchObject({ latency: 3600, deep: 0, light: 3600, awake: 3600 })
  })

  it('of no time has no efficiency', () => {
    expect(sleep(0)).toMatchObject({ efficiency: null, duration: 0 })
  })

  it('has its id in lower case if that is a UUID', () => {
    const keyOf = (id: string) =>
      store('sleep', { start_date: at(0), end_date: at(8), id }).summaries?.[0]?.key
    const uuid = '7F0C2D2C-0000-4000-8000-00000000ABCD'
    expect(keyOf(uuid)).toBe(uuid.toLowerCase())
    expect(keyOf('Night:1')).toBe('Night:1')
    expect(keyOf(`x${uuid}`)).toBe(`x${uuid}`)
    expect(keyOf('')).toBe('2026-01-04T22:00:00+00:00')
  })
})

describe('an uploaded workout', () => {
  const workout = (more: object = {}) =>
    summaryOf('workouts', { start_date: AT, end_date: LATER, sport: 'Open Water -- Swim', ...more })

  it('has a slug, and heart rate zones and an ascent where they were sent', () => {
    expect(workout()).toMatchObject({
      sport: { name: 'Open Water -- Swim', slug: 'open_water_swim' },
      hr_zones: null,
      total_elevation_gain: null,
      moving_time: 600,
    })
    expect(workout({ heart_rate_zone2: 30, heart_rate_zone_3: 40, ascent_elevation: 12.6 })).toMatchObject({
      hr_zones: [0, 30, 40, 0, 0, 0],
      total_elevation_gain: 13,
    })
    expect(workout({ heart_rate_zone1: 0, ascent_elevation: null })).toMatchObject({
      hr_zones: null,
      total_elevation_gain: null,
    })
  })
})

describe('an uploaded cycle', () => {
  it('has its dates in order, its device and no prediction', () => {
    const cycle = { period_start: '2026-01-02', period_end: '2026-01-05' }
    expect(store('menstrual_cycle', { source_bundle: 'com.apple.Health', cycle }).summaries).toMatchObject([
      { sourceType: 'app', key: '2026-01-02', item: { ...cycle, cycle_end: null, is_predicted: false } },
    ])
    expect(() => store('menstrual_cycle', { cycle: { ...cycle, period_end: '2026-01-01' } })).toThrow(
      'period_end is before period_start',
    )
  })
})

describe('an uploaded electrocardiogram', () => {
  const session = { id: 'one', session_start: AT, session_end: LATER, voltage_sample_count: 3 }

  it('has the voltages that were measured', () => {
    const voltage_data = { session_start_offset_millisecond: [0, 4], lead1: [0.1, null, 0.3] }
    const { samples } = store('electrocardiogram', { electrocardiogram: session, voltage_data })
    expect(samples).toEqual([
      {
        series: 'electrocardiogram_voltage',
        sourceType: 'unknown',
        sample: {
          start: Date.parse(AT),
          end: Date.parse(AT),
          offsetSeconds: 3600,
          value: 0.1,
          type: 'lead_1',
        },
      },
    ])
    expect(store('electrocardiogram', { electrocardiogram: session }).samples).toEqual([])
  })

  it('ends after its start, and counts its samples from zero', () => {
    const refused = (change: object) => () =>
      store('electrocardiogram', { electrocardiogram: { ...session, ...change } })
    expect(refused({ session_end: '2026-01-05T07:00:00Z' })).toThrow('session_end is before session_start')
    expect(refused({ voltage_sample_count: -1 })).toThrow('greater than or equal to 0')
  })
})

describe('an uploaded meal', () => {
  const record = (more: object) => ({ start_time: AT, meal_type: 0, ...more })
  const meals = (...nutrition_records: object[]) =>
    store('meal', { health_connect: { nutrition_records } }).summaries ?? []

  it('is called by its own name, or by its kind', () => {
    const named = meals(record({}), record({ meal_type: 4 }), record({ name: 'Soup', meal_type: 4 }))
    expect(named.map(({ item }) => item.name)).toEqual(['unknown', 'snack', 'Soup'])
    expect(named[0]).toMatchObject({
      resource: 'meal',
      sourceType: 'app',
      key: '2026-01-05T08:00:00+00:00/unknown',
    })
    for (const meal_type of [-1, 5]) expect(() => meals(record({ meal_type }))).toThrow()
  })

  it('has numbers with or without a unit, and nothing else', () => {
    const nutrients = {
      protein: 10,
      sugar: { value: 5, unit: 'g' },
      fiber: null,
      cholesterol: 'much',
      water: {},
    }
    expect(meals(record({ nutrients }))[0]?.item.macros).toMatchObject({
      protein: 10,
      sugar: 5,
      fibre: null,
      cholesterol: null,
      water: null,
    })
  })

  it('of HealthKit has the samples of an instant together, and no other fields', () => {
    const sample = (value: number) => ({ value, start_date: AT, end_date: AT })
    const healthkit = { source_bundle: 'com.apple.Health', protein: [sample(1), sample(2)], sugar: 'none' }
    const { summaries } = store('meal', { healthkit })
    expect(summaries).toHaveLength(1)
    expect(summaries?.[0]?.item).toMatchObject({ name: 'meal', macros: { protein: 3, sugar: null } })
  })
})

describe('the body of an upload', () => {
  async function* chunksOf(text: string) {
    yield Buffer.from(text)
  }
  const read = (body: unknown, path = 'steps') =>
    uploadReader(kindOf(path))(chunksOf(typeof body === 'string' ? body : JSON.stringify(body)))
  const sample = { value: 1, start_date: AT, end_date: AT }
  const issues = async (body: unknown, path?: string) =>
    read(body, path).then(
      () => [],
      ({ detail }: { detail: { loc: unknown[]; type: string; msg: string }[] }) => detail,
    )

  it('is read field by field, and its list item by item', async () => {
    const body = (await read({ stage: 'daily', data: [sample, sample], extra: { data: [1] } })) as {
      data: UploadedItems
    }
    expect(body).toMatchObject({ stage: 'daily', extra: { data: [1] } })
    expect(body.data).toBeInstanceOf(UploadedItems)
    expect(body.data.list).toHaveLength(2)
    expect(((await read({ data: [] })) as typeof body).data.list).toEqual([])
  })

  it('has one object where the upload is one', async () => {
    const body = (await read({ data: { height: 170 }, other: { height: 1 } }, 'profile')) as {
      data: UploadedItems
    }
    expect(body.data.list).toEqual([{ height: 170 }])
    expect(body).toMatchObject({ other: { height: 1 } })
    expect(await issues({ data: { height: 'tall' } }, 'profile')).toMatchObject([
      { loc: ['body', 'data', 'height'] },
    ])
    expect(await read({ data: [1] }, 'profile')).toEqual({ data: [1] })
  })

  it('may be something else than an object, which the schema refuses', async () => {
    expect(await read('"text"')).toBe('text')
    expect(await read('[1]')).toEqual([1])
  })

  it('is refused with the place and the reason of what is wrong in an item', async () => {
    expect(await issues({ data: [sample, { ...sample, value: 'x' }] })).toEqual([
      {
        type: 'float_parsing',
        msg: expect.any(String),
        loc: ['body', 'data', 1, 'value'],
        input: null,
      },
    ])
    expect(await issues({ data: [{ ...sample, value: 1e13 }] })).toMatchObject([{ ctx: { le: 1e12 } }])
    expect(await issues({ data: [{ ...sample, metadata: 7 }] })).toMatchObject([
      { type: 'value_error', loc: ['body', 'data', 0, 'metadata'] },
    ])
  })

  it('is refused for texts that are too long, with their place', async () => {
    const metadata = { note: 'x'.repeat(inputLimits.text + 1) }
    expect(await issues({ data: [{ ...sample, metadata }] })).toMatchObject([
      { type: 'string_too_long', loc: ['body', 'data', 0, 'metadata', 'note'] },
    ])
  })

  it('is refused for too many fields', async () => {
    const fields = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, at]))
    expect(await issues(fields(inputLimits.fields))).toEqual([])
    expect(await issues(fields(inputLimits.fields + 1))).toMatchObject([
      { type: 'too_long', loc: ['body'], ctx: { field_type: 'Dictionary' } },
    ])
  })
})
