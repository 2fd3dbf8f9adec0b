import { beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/kernel/instant.ts'
import {
  collectedResources,
  connect,
  fetchNow,
  listDevices,
  putDevice,
  receiveUploads,
} from '../../src/resources/connecting/service.ts'
import { historyStart, newPeriod, otherDevicesOf, stagesOf } from '../../src/resources/connecting/sync.ts'
import {
  accountKey,
  beginningOf,
  type Connection,
  collectedSpans,
  connections,
  devices,
  endedPeriods,
  isConnected,
  isDenied,
  isLive,
  pullPreferences,
  viewOf,
} from '../../src/resources/connections/table.ts'
import { samplesWithin } from '../../src/resources/timeseries/service.ts'
import type { World } from '../../src/world/world.ts'
import { field } from '../support/field.ts'
import { connectionOf } from '../support/made-day.ts'
import { createUser } from '../support/orders.ts'
import { forEachTest, START, startTestWorld, type TestPetri } from '../support/petri.ts'
import { advance, openData, toldOf } from '../support/wearables.ts'

const petri = forEachTest()
let world: World
let userId: string
beforeEach(async () => {
  world = petri.world()
  userId = await createUser(petri)
})

const day = (date: string) => Date.parse(`${date}T00:00:00Z`)

describe('the period for which a connection collects data', () => {
  const begins = (provider: string, demo: boolean, time_zone = 'UTC') =>
    newPeriod(world, { user_id: userId, provider, demo, time_zone })

  it('begins as many days ago as the provider publishes, resource by resource', () => {
    expect(begins('oura', false)).toEqual({
      from: START - 180 * DAY_MS,
      from_by_resource: undefined,
      until: null,
      since: START,
      arrivals: [],
    })
    const fortnight = START - 14 * DAY_MS
    expect(begins('fitbit', false)).toEqual({
      from: START - 90 * DAY_MS,
      from_by_resource: {
        heartrate: fortnight,
        steps: fortnight,
        distance: fortnight,
        calories_active: fortnight,
      },
      until: null,
      since: START,
      arrivals: [],
    })
    expect(begins('ultrahuman', false).from).toBe(START - 30 * DAY_MS)
  })

  it.each([
    ['UTC', '2025-12-06T00:00:00Z'],
    ['America/New_York', '2025-12-06T00:00:00-05:00'],
    ['Pacific/Auckland', '2025-12-06T00:00:00+13:00'],
  ])('of a demo connection in %s begins with a whole day', (zone, begin) => {
    expect(begins('fitbit', true, zone)).toEqual({
      from: Date.parse(begin),
      from_by_resource: undefined,
      until: null,
      since: START,
      arrivals: [],
    })
  })

  it('begins where the team wants, also now', () => {
    world.db.put(pullPreferences, { provider: 'oura', days: 3, days_by_resource: { sleep: 5, workouts: 0 } })
    expect(begins('oura', false)).toEqual({
      from: START - 3 * DAY_MS,
      from_by_resource: { sleep: START - 5 * DAY_MS, workouts: START },
      until: null,
      since: START,
      arrivals: [],
    })
    expect(begins('oura', true)).toEqual({
      from: day('2026-01-02'),
      from_by_resource: { sleep: day('2025-12-31'), workouts: START },
      until: null,
      since: START,
      arrivals: [],
    })
    world.db.put(pullPreferences, { provider: 'oura', days: 0, days_by_resource: {} })
    expect(begins('oura', true)).toMatchObject({ from: START, from_by_resource: undefined, until: null })
  })

  it.each([
    [{ from: 5 }, undefined, 5],
    [{ from: 5, from_by_resource: { sleep: 2, hrv: 9 } }, undefined, 2],
    [{ from: 5, from_by_resource: { sleep: 2, hrv: 9 } }, 'hrv', 9],
    [{ from: 5, from_by_resource: { sleep: 2 } }, 'steps', 5],
  ])('%j begins for %s at %i', (period, resource, begin) => {
    expect(beginningOf({ ...period, until: null }, resource)).toBe(begin)
  })
})

const connectTo = (provider: string, more: object = {}) => connect(world, userId, provider, more)

describe('a connection', () => {
  it('collects from its history on, as long as it lives', () => {
    const connection = connectTo('oura')
    const [period] = connection.periods
    expect([isConnected(world, connection), isLive(world, connection)]).toEqual([true, true])
    expect(endedPeriods(world, connection)).toEqual([{ ...period, until: START }])
    expect(collectedSpans(world, connection)).toEqual([])
    const arrivals = [{ at: START, resources: ['sleep'] }]
    const come = { ...connection, periods: [{ ...period, from: 5, until: null, arrivals }] }
    expect(collectedSpans(world, viewOf(come, 'sleep'))).toMatchObject([
      { at: START, from: 5, until: START },
      { from: START, until: START },
    ])
    expect(collectedSpans(world, viewOf(come, 'hrv'))).toEqual([])
    const ended = { ...connection, periods: [{ from: 1, until: 2 }] }
    expect(isLive(world, ended)).toBe(false)
    expect(endedPeriods(world, ended)).toEqual([{ from: 1, until: 2 }])
    const [first, second] = [
      { from: 1, until: 2 },
      { from: 3, until: null },
    ]
    expect(isLive(world, { ...connection, periods: [first, second] })).toBe(true)
    expect(isLive(world, { ...connection, periods: [second, first] })).toBe(false)
    const orphan = { ...connection, user_id: 'nobody' }
    expect([isConnected(world, orphan), isLive(world, orphan)]).toEqual([false, false])
    expect(endedPeriods(world, orphan)).toEqual([{ ...period, until: START }])
    expect(endedPeriods(world, { ...orphan, synced_until: 7 })).toEqual([{ ...period, until: 7 }])
    expect(collectedSpans(world, { ...connection, uploads: true })).toEqual([])
    const early = { ...ended, periods: [{ from: 5, from_by_resource: { sleep: 3 }, until: 9 }] }
    expect(collectedSpans(world, early)).toEqual([{ from: 3, until: 9 }])
  })

  it('is seen by a resource with the periods of the resource', () => {
    const plain = connectTo('oura')
    expect(viewOf(plain, 'sleep')).toBe(plain)
    const periods = [
      { from: 5, from_by_resource: { sleep: 2 }, until: 9 },
      { from: 20, until: null },
    ]
    const { periods: _, ...rest } = plain
    expect(viewOf({ ...plain, periods }, 'sleep')).toEqual({
      ...rest,
      periods: [
        { from: 2, until: 9 },
        { from: 20, until: null },
      ],
    })
    const denied = { ...plain, denied_scopes: ['heartrate'] }
    expect([isDenied(denied, 'heartrate'), isDenied(denied, 'sleep'), isDenied(plain, 'sleep')]).toEqual([
      ...[true, false, false],
    ])
    expect(viewOf(denied, 'heartrate').periods).toEqual([])
    expect(viewOf(denied, 'sleep').periods).toMatchObject([{ from: START - 180 * DAY_MS, until: null }])
  })

  it.each<[string, Partial<Connection>, number | null]>([
    ['from the beginning of the period', { periods: [{ from: 5, until: null }] }, 5],
    ['from that of the resource', { periods: [{ from: 5, from_by_resource: { hrv: 3 }, until: null }] }, 3],
    [
      'from that of the last period',
      {
        periods: [
          { from: 5, until: 6 },
          { from: 8, until: null },
        ],
      },
      8,
    ],
    ['nowhere if it begins with the pull', { periods: [{ from: START, until: null }] }, null],
    ['until just before the pull', { periods: [{ from: START - 1, until: null }] }, START - 1],
    ['nowhere without a period', { periods: [] }, null],
    ['nowhere if it was denied', { periods: [{ from: 5, until: null }], denied_scopes: ['daily'] }, null],
  ])('pulls the history of a resource %s', (_, change, begin) => {
    expect(historyStart({ ...connectTo('oura'), ...change }, 'hrv')).toBe(begin)
  })

  it('fetches new data at once when its history is there and it lives', async () => {
    const fresh = connectTo('freestyle_libre')
    expect(fetchNow(world, fresh)).toBe(false)
    await world.agenda.advanceTo(START + 95 * 60_000)
    const synced = world.db.get(connections, connections.idOf(fresh))
    expect(fetchNow(world, { ...synced, periods: [{ from: 1, until: 2 }] })).toBe(false)
    const before = toldOf(petri, 'daily.data.glucose.created').length
    expect(fetchNow(world, synced)).toBe(true)
    expect(toldOf(petri, 'daily.data.glucose.created').length).toBeGreaterThan(before)
    expect(world.db.get(connections, connections.idOf(fresh)).synced_until).toBe(START + 95 * 60_000)
  })

  it('whose phone uploads generates nothing more, in the time zone of the phone', async () => {
    const fresh = connectTo('apple_health_kit')
    expect(world.agenda.find('connections.backfill', connections.idOf(fresh))).toBeDefined()
    const uploading = receiveUploads(world, fresh, 'Europe/Berlin')
    expect(uploading).toEqual({ ...fresh, uploads: true, time_zone: 'Europe/Berlin', synced_until: START })
    expect(world.agenda.find('connections.backfill', connections.idOf(fresh))).toBeUndefined()
    expect(receiveUploads(world, uploading, 'Europe/Berlin')).toBe(uploading)
    await world.agenda.advanceTo(START + HOUR_MS)
    expect(receiveUploads(world, uploading, 'Asia/Tokyo')).toEqual({ ...uploading, time_zone: 'Asia/Tokyo' })
  })

  it('is found by its account', () => {
    connectTo('oura', { externalUserId: 'mine' })
    connectTo('fitbit')
    const by = (account: string) => world.db.by(connections, 'account', accountKey('oura', account)).length
    expect([by('mine'), by('yours'), by('null')]).toEqual([1, 0, 0])
    expect(world.db.by(connections, 'ordinal', '2').map(field('provider'))).toEqual(['fitbit'])
  })

  it('has sixty resources', () => {
    expect([collectedResources.length, new Set(collectedResources).size]).toEqual([60, 60])
  })
})

it('an announced history comes in twelve parts, from five minutes to six hours after the consent', () => {
  const minutes = stagesOf(world, connect(world, userId, 'garmin')).map(field('afterMinutes'))
  expect(minutes).toEqual([0, 5, 37, 70, 102, 134, 166, 199, 231, 263, 295, 328, 360])
})

describe('a device', () => {
  const put = (type: Parameters<typeof putDevice>[3], change: object = {}, provider = 'withings') =>
    putDevice(world, userId, provider, type, change)

  it('is announced when it is new and when it has changed', () => {
    const { id, what } = put('scale')
    const device = {
      id,
      user_id: userId,
      provider: 'withings',
      source_type: 'scale',
      app_id: null,
      device_manufacturer: 'Withings',
      device_model: 'Body Comp',
      device_version: '2761',
      device_id: expect.stringMatching(/^[0-9A-F]{12}$/),
    }
    expect([what, listDevices(world, userId)]).toEqual(['created', [device]])
    expect(put('scale', { device_model: 'Body Comp' })).toEqual({ id, what: null })
    expect(put('scale', { device_model: 'Body Scan' })).toEqual({ id, what: 'updated' })
    expect(listDevices(world, userId)).toEqual([{ ...device, device_model: 'Body Scan' }])
    expect(toldOf(petri, 'provider.device.created').map(field('data'))).toEqual([device])
    expect(toldOf(petri, 'provider.device.updated').map(field('data'))).toEqual([
      { ...device, device_model: 'Body Scan' },
    ])
  })

  it.each([
    ['withings', 'watch', 'ScanWatch 2'],
    ['renpho', 'scale', 'Scale'],
    ['oura', 'ring', 'gen2m'],
    ['strava', 'unknown', null],
    ['kardia', 'unknown', null],
  ])('of %s is of the usual type, %s', (provider, source_type, device_model) => {
    put(undefined, {}, provider)
    expect(listDevices(world, userId)).toMatchObject([{ provider, source_type, device_model }])
  })

  it('has the maker, version and app of its provider', () => {
    put('watch', {}, 'apple_health_kit')
    expect(listDevices(world, userId)).toMatchObject([
      {
        app_id: 'com.apple.Health',
        device_manufacturer: 'Apple Inc.',
        device_model: 'Watch7,3',
        device_version: '11.2',
      },
    ])
  })

  it('is one of three models, the same for a person in each world of the seed', async () => {
    const modelsIn = async (petri: TestPetri) => {
      const users: string[] = []
      for (let nth = 0; nth < 12; nth++) users.push(await createUser(petri, `user-${nth}`))
      return users.map((user) => {
        putDevice(petri.world(), user, 'garmin', 'watch', {})
        return listDevices(petri.world(), user)[0]?.device_model
      })
    }
    const models = await modelsIn(await startTestWorld())
    expect(new Set(models)).toEqual(new Set(['Forerunner 265', 'fēnix 7', 'Venu 3']))
    expect(await modelsIn(await startTestWorld())).toEqual(models)
  })

  it.each([
    ['garmin', ['scale', 'cuff']],
    ['fitbit', ['scale']],
    ['oura', []],
  ])(
    'of %s measures weight or pressure for those who have one: %j',
    { tags: 'slow' },
    async (provider, types) => {
      const found = new Set<string>()
      for (let nth = 0; nth < 9; nth++) {
        const user = await createUser(petri, `user-${nth}`)
        connect(world, user, provider)
        openData(petri, user)
        const own = connectionOf(petri, user, provider)
        const month = { from: START - 30 * DAY_MS, until: START }
        const has = (slug: string) => types.length > 0 && samplesWithin(world, slug, own, month).length > 0
        const others = otherDevicesOf(world, own)
        expect([others.includes('scale'), others.includes('cuff')]).toEqual([
          has('body_weight'),
          types.includes('cuff') && has('blood_pressure'),
        ])
        for (const other of others) found.add(other)
      }
      expect(found).toEqual(new Set(types))
    },
  )

  it('that a user has by now is listed at the next sync', { tags: 'slow' }, async () => {
    connect(world, userId, 'garmin')
    await advance(petri, 2 * DAY_MS)
    const own = connectionOf(petri, userId, 'garmin')
    const others = otherDevicesOf(world, own)
    expect(others.length).toBeGreaterThan(0)
    const listed = () => listDevices(world, userId).filter(({ source_type }) => others.includes(source_type))
    for (const { id } of listed()) world.db.delete(devices, id)
    await advance(petri, HOUR_MS)
    expect(listed().map(field('source_type'))).toEqual([...new Set(others)])
  })

  it('is another one for each type and provider, the longest known first', () => {
    const ids = [put('watch'), put('scale'), put('scale', {}, 'fitbit')].map(field('id'))
    expect(listDevices(world, userId).map(field('id'))).toEqual(ids)
    expect(new Set(listDevices(world, userId).map(field('device_id'))).size).toBe(3)
    expect(listDevices(world, 'nobody')).toEqual([])
  })
})
