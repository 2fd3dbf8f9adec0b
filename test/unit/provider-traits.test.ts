import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type ProviderTraits, traitNames } from '../../src/resources/catalogue/schema.ts'
import { createCatalogue } from '../../src/resources/catalogue/service.ts'
import { assertNulls } from '../../src/resources/summaries/storing.ts'
import { makeFolder } from '../support/new-folder.ts'
import { startTestPetri } from '../support/petri.ts'

const catalogue = createCatalogue()

const watts = ['average_watts', 'device_watts', 'max_watts', 'weighted_average_watts']
/** The fields of a workout that are null where a provider measures neither speed nor power at each moment. */
const unmeasured = ['max_speed', 'elev_high', 'elev_low', ...watts]
const withoutMap = ['map', 'max_speed', 'total_elevation_gain', ...unmeasured.slice(1)]

/** What the sources say, copied from them and not from the table. */
// biome-ignore format: a table is read by its columns.
const sources: Partial<Record<keyof ProviderTraits, Readonly<Record<string, unknown>>>> = {
  history_days: { default: 30, cronometer: 28, zwift: 270, my_fitness_pal: 14, dexcom: 1, garmin: 90, fitbit: 90, google_health: 90, oura: 180, whoop_v2: 180, withings: 90, strava: 14, polar: 28, dexcom_v3: 30, google_fit: 90, eight_sleep: 90, peloton: 180, abbott_libreview: 90, apple_health_kit: 30, health_connect: 30, omron: 30, ultrahuman: 30, wahoo: 180, freestyle_libre: 90, hammerhead: 30, samsung_health: 30, demo: 30 },
  history_days_by_resource: { fitbit: { heartrate: 14, steps: 14, distance: 14, calories_active: 14 }, polar: { activity: 0, workouts: 0, heartrate: 0 } },
  own_app: { default: false, whoop_v2: true, strava: true, dexcom_v3: true, garmin: false, fitbit: false, oura: false },
  history: { default: 'pull', garmin: 'announce_first', dexcom: 'daily', oura: 'pull', fitbit: 'pull' },
  consent_again: { default: 'pulls', garmin: 'continues', fitbit: 'pulls', polar: 'pulls' },
  delivery: { default: 'poll', garmin: 'push', whoop_v2: 'push', strava: 'push', fitbit: 'hybrid', oura: 'hybrid', withings: 'hybrid', dexcom_v3: 'poll', google_fit: 'poll', peloton: 'poll', freestyle_libre: 'poll', apple_health_kit: 'phone', polar: 'push', google_health: 'push', omron: 'poll', ultrahuman: 'poll', health_connect: 'phone', samsung_health: 'phone' },
  every_minutes: { default: 15, demo: 120, garmin: 120, fitbit: 120, google_fit: 120, health_connect: 60, dexcom_v3: 15, freestyle_libre: 15, abbott_libreview: 15, apple_health_kit: 60, oura: 120, strava: 15, withings: 120, samsung_health: 60, polar: 120, whoop_v2: 120, ultrahuman: 120, google_health: 120 },
  late_minutes: { default: 0, dexcom_v3: 60, google_fit: 720, garmin: 0 },
  pull_minutes: { default: { profile: 2, summaries: 10, timeseries: 30 }, demo: { profile: 1, summaries: 1, timeseries: 1 } },
  parts: { default: { first: 5, last: 360, count: 12 } },
  nap_minutes: { whoop: 60, default: null, oura: 15, garmin: 15, samsung_health: 20, ultrahuman: 20, fitbit: 60, whoop_v2: 60, apple_health_kit: 60, google_health: 60 },
  naps_acknowledged: { whoop: true, default: false, oura: true, whoop_v2: true },
  missed_minutes: { default: [0, 0], fitbit: [20, 60] },
  bucket_seconds: { default: 3600, fitbit: 900, garmin: 900, withings: 900 },
  heartrate_seconds: { default: 300, fitbit: 60, polar: 60, health_connect: 60, garmin: 15, google_health: 60 },
  training_seconds: { default: null, apple_health_kit: 5 },
  glucose_seconds: { default: 900, dexcom_v3: 300, tandem_source: 300, dexcom: 300 },
  glucose: { default: 'sensor', freestyle_libre: 'irregular_sensor', onetouch_ble: 'meter', abbott_libreview: 'irregular_sensor', accuchek_ble: 'meter', contour_ble: 'meter', ihealth: 'meter', manual: 'meter' },
  glucose_sensor: { default: { days: 10, warm_up_minutes: 120 }, freestyle_libre: { days: 14, warm_up_minutes: 60 }, abbott_libreview: { days: 14, warm_up_minutes: 60 } },
  spacing: { default: 'second', fitbit: 'even', dexcom: 'offset', apple_health_kit: 'uneven', dexcom_v3: 'offset', tandem_source: 'offset', google_fit: 'uneven', health_connect: 'uneven', samsung_health: 'uneven' },
  skin_sensor: { default: 'wrist', oura: 'finger', ultrahuman: 'finger' },
  body_sensor: { default: 'forehead', apple_health_kit: 'mouth' },
  only_asleep: { default: false, eight_sleep: true },
  walking_heart_rate: { default: false, apple_health_kit: true },
  power: { default: { of: 'some', gaps: false, resistance: false }, garmin: { of: 'some', gaps: true, resistance: false }, peloton: { of: 'all', gaps: false, resistance: true }, zwift: { of: 'all', gaps: false, resistance: false } },
  refresh: { freestyle_libre: false, oura: true, default: true },
  activity_offset: { default: 'number', garmin: 'number', oura: 'null', google_fit: 'fallback_or_zero', google_health: 'number' },
  session_offset: { default: 'number', garmin: 'number', google_fit: 'fallback_or_null', wahoo: 'null', zwift: 'fallback_or_null', strava: 'number', google_health: 'number' },
  sample_offset: { default: 'number', fitbit: 'number', google_fit: 'null', freestyle_libre: 'local_as_utc', abbott_libreview: 'local_as_utc', dexcom_v3: 'number', google_health: 'number' },
  devices: { oura: ['ring'], fitbit: ['watch'], garmin: ['watch'], peloton: ['exercise_machine'], freestyle_libre: ['automatic'], abbott_libreview: ['automatic'], withings: ['watch', 'scale', 'cuff'], apple_health_kit: ['watch', 'phone'], google_fit: ['phone'], omron: ['cuff', 'scale'], dexcom_v3: ['automatic'], health_connect: ['phone'], polar: ['watch'], whoop_v2: ['unknown'], ultrahuman: ['ring'], google_health: ['watch'] },
  sports: { peloton: ['road_biking', 'running', 'walking', 'strength_training', 'yoga'], wahoo: ['road_biking', 'running'], zwift: ['road_biking', 'running'], hammerhead: ['road_biking'] },
  device_id: { default: 'never', garmin: 'if_one', fitbit: 'if_one', withings: 'always', polar: 'if_one', whoop_v2: 'never', oura: 'if_one', peloton: 'if_one', freestyle_libre: 'if_one', abbott_libreview: 'if_one', eight_sleep: 'if_one', apple_health_kit: 'if_one', omron: 'if_one', dexcom_v3: 'if_one', health_connect: 'if_one' },
  device_id_always: { polar: ['workouts', 'sleep'] },
  device_id_if_one: { withings: ['body', 'fat', 'weight'] },
  tentative_sleep: { default: false, garmin: true, eight_sleep: true, oura: false, fitbit: false, whoop_v2: false },
  sleep_fields: { withings: ['score'], ultrahuman: ['recovery_readiness_score'], garmin: ['score', 'hr_dip'], oura: ['score', 'recovery_readiness_score', 'temperature_delta'], whoop_v2: ['score', 'recovery_readiness_score'] },
  glucose_limits: { dexcom: [39, 401], dexcom_v3: [39, 401], abbott_libreview: [40, 500], freestyle_libre: [40, 400], freestyle_libre_ble: [40, 400], default: [40, 400], tandem_source: [39, 401] },
  insulin: { tandem_source: 'pump', freestyle_libre: 'pens', default: 'pens' },
  app_id: { default: null, apple_health_kit: 'com.apple.Health', oura: null, health_connect: 'com.google.android.apps.fitness' },
  body_composition: { default: false, withings: true, garmin: false, fitbit: false },
  respiratory_rate: { fitbit: 'by_stage', garmin: 'at_intervals', default: 'at_intervals' },
  nulls: {
    strava: { workouts: ['steps'] },
    peloton: { workouts: ['steps', 'map', 'total_elevation_gain', 'elev_high', 'elev_low'] },
    fitbit: { body: ['lean_body_mass_kilogram'], workouts: unmeasured },
    apple_health_kit: { workouts: unmeasured },
    google_health: { workouts: unmeasured },
    google_fit: { workouts: withoutMap },
    health_connect: { workouts: withoutMap },
    samsung_health: { workouts: withoutMap },
    whoop_v2: expect.objectContaining({ activity: ['steps', 'distance', 'daily_movement'], body: ['waist_circumference_centimeter'] }),
    oura: expect.objectContaining({ body: ['waist_circumference_centimeter'] }),
    omron: { activity: expect.arrayContaining(['steps', 'distance', 'calories_active', 'heart_rate']) },
  },
  full_hours: { freestyle_libre: ['note', 'carbohydrates', 'insulin_injection'], abbott_libreview: ['note', 'carbohydrates', 'insulin_injection'] },
  regions: { freestyle_libre: ['ca', 'hk', 'in', 'kr', 'ph', 'sg', 'tw', 'us'] },
}
const cells = Object.entries(sources).flatMap(([name, values]) =>
  Object.entries(values).map(([slug, value]) => [slug, name as keyof ProviderTraits, value] as const),
)

describe('the table of traits', () => {
  it('agrees with its sources, in 250 cells and more', () => {
    expect(cells.length).toBeGreaterThanOrEqual(250)
    for (const [slug, name, value] of cells)
      expect([slug, name, catalogue.traitsOf(slug)[name]]).toEqual([slug, name, value])
  })

  it('has the fields of sleep that are null in rows of the live service', () => {
    const nulls = (slug: string) => catalogue.traitsOf(slug).nulls.sleep
    expect(['garmin', 'oura'].map(nulls)).toEqual([['average_hrv'], ['hr_resting']])
    expect(nulls('whoop_v2')).toEqual([
      'hr_lowest',
      'hr_average',
      'latency',
      'skin_temperature',
      'temperature_delta',
    ])
  })

  it('has a row for providers only, the default and the demo connections', () => {
    const slugs = [...catalogue.providerTraits().keys()].filter((slug) => !catalogue.providers().has(slug))
    expect(slugs).toEqual(['default', 'demo'])
    // A demo connection lives as its row says, whatever its provider does.
    expect([catalogue.traitsOf('oura').history_days, catalogue.traitsOf('oura', true).history_days]).toEqual([
      180, 30,
    ])
  })

  it('takes cells of a folder of seeds in place of its own', () => {
    const row = { slug: 'oura', every_minutes: { is: 5, known: 'observed', source: 'our records' } }
    const { traitsOf } = createCatalogue([folderWith([row])])
    expect(traitsOf('oura')).toEqual({ ...catalogue.traitsOf('oura'), every_minutes: 5 })
    expect(traitsOf('garmin')).toEqual(catalogue.traitsOf('garmin'))
  })

  it('keeps the other cells of the default row, and takes cells that a row has not had', {
    tags: 'slow',
  }, () => {
    const rows = [
      { slug: 'default', late_minutes: { is: 7 } },
      { slug: 'oura', bucket_seconds: { is: 120 } },
    ]
    const { traitsOf } = createCatalogue([folderWith(rows)])
    expect(traitsOf('none')).toEqual({ ...catalogue.traitsOf('none'), late_minutes: 7 })
    expect(traitsOf('oura')).toEqual({ ...traitsOf('oura'), bucket_seconds: 120 })
  })

  it('has every cell in the default row, also after a complete list', () => {
    expect(Object.keys(catalogue.traitsOf('default'))).toEqual(expect.arrayContaining(traitNames()))
    const rows = { complete: true, rows: [{ slug: 'default', own_app: { is: true } }] }
    expect(() => createCatalogue([folderWith(rows)])).toThrow('the row default has no regions')
  })

  it('is refused with a provider that nobody knows', () => {
    expect(() => createCatalogue([folderWith([{ slug: 'ouraa' }])])).toThrow(
      'provider-traits.json: no provider is called ouraa. Did you mean "oura"?',
    )
  })

  it.each([
    [
      { slug: 'oura', nulls: { is: { slep: ['score'] } } },
      'oura.nulls names slep, which oura does not have. Did you mean "sleep"?',
    ],
    [{ slug: 'oura', nulls: { is: { meal: ['name'] } } }, 'oura.nulls names meal, which oura does not have.'],
    [
      { slug: 'strava', history_days_by_resource: { is: { sleep: 3 } } },
      'strava.history_days_by_resource names sleep',
    ],
    [{ slug: 'polar', device_id_always: { is: ['glucose'] } }, 'polar.device_id_always names glucose'],
    [{ slug: 'withings', device_id_if_one: { is: ['note'] } }, 'withings.device_id_if_one names note'],
    [
      { slug: 'freestyle_libre', full_hours: { is: ['notes'] } },
      'freestyle_libre.full_hours names notes, which freestyle_libre does not have. Did you mean "note"?',
    ],
    [
      { slug: 'wahoo', sports: { is: ['runing'] } },
      'wahoo.sports names runing, which wahoo does not have. Did you mean "running"?',
    ],
    [{ slug: 'default', titles: { is: { ski: 'Ski' } } }, 'default.titles names ski'],
  ])('is refused with a name that a provider does not have: %j', (row, reason) => {
    expect(() => createCatalogue([folderWith([row])])).toThrow(reason)
  })

  it.each([
    [
      { body: ['weigth'] },
      'oura.nulls.body names "weigth", which is not a field of body. Did you mean "weight"?',
    ],
    [{ sleep: ['bedtime_start'] }, 'oura.nulls.sleep gives bedtime_start null: '],
    [{ heartrate: ['value'] }, 'oura.nulls.heartrate is of no summary'],
  ])('is refused with a field that a summary does not have, or not as null: %j', (is, reason) => {
    const { providerTraits } = createCatalogue([folderWith([{ slug: 'oura', nulls: { is } }])])
    expect(() => assertNulls(providerTraits().values())).toThrow(`provider-traits.json: ${reason}`)
    expect(() => assertNulls(catalogue.providerTraits().values())).not.toThrow()
  })

  it('with such a field in a folder ends a start', { tags: 'slow' }, async () => {
    const seeds = [folderWith([{ slug: 'oura', nulls: { is: { body: ['weigth'] } } }])]
    await expect(startTestPetri({ seeds })).rejects.toThrow('oura.nulls.body names "weigth"')
  })

  it.each([
    [
      'an unknown cell',
      { evry_minutes: { is: 5, known: 'observed', source: 'x' } },
      /row 1: .*evry_minutes.* \(line 2\)/,
    ],
    [
      'an observation without a source',
      { every_minutes: { is: 5, known: 'observed' } },
      /row 1\.every_minutes: needs a source .*\(line 4\)/,
    ],
    [
      'an interval of zero',
      { every_minutes: { is: 0, known: 'observed', source: 'x' } },
      /row 1\.every_minutes\.is: .*\(line 5\)/,
    ],
  ])('is refused with %s, by file and line', (_, cell, reason) => {
    const folder = folderWith([{ slug: 'oura', ...cell }])
    expect(() => createCatalogue([folder])).toThrow(join(folder, 'provider-traits.json'))
    expect(() => createCatalogue([folder])).toThrow(reason)
  })
})

function folderWith(rows: object): string {
  const folder = makeFolder('petri-traits-')
  writeFileSync(join(folder, 'provider-traits.json'), JSON.stringify(rows, null, 2))
  return folder
}
