import { beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '../../src/kernel/instant.ts'
import {
  availabilityOf,
  connect,
  failConnection,
  getConnected,
  hasConnections,
  pauseConnection,
} from '../../src/resources/connecting/service.ts'
import { connectionId, connections } from '../../src/resources/connections/table.ts'
import { demographics } from '../../src/resources/demographics/table.ts'
import type { World } from '../../src/world/world.ts'
import { connectedTo } from '../support/link.ts'
import {
  address,
  advance,
  changeInfo,
  changeUser,
  connectDemo,
  createUser,
  orderForPatient,
  patient,
  readUser,
  setFeatures,
} from '../support/orders.ts'
import { forEachTest, refusal, START, startTestWorld } from '../support/petri.ts'
import { told, toldOf } from '../support/wearables.ts'

const petri = forEachTest(startTestWorld)
let world: World
let userId: string
beforeEach(async () => {
  world = petri.world()
  userId = await createUser(petri)
})

const demo = (provider: string) => connectDemo(petri, userId, provider)
const disconnect = (provider: string) => petri.delete(`/v2/user/${userId}/${provider}`)
const fail = (provider = 'oura') =>
  failConnection(world, userId, provider, { errorType: 'token_refresh_failed', message: 'Refused.' })
const row = (provider = 'oura') => world.db.get(connections, connectionId(userId, provider))
const created = () => toldOf(petri, 'provider.connection.created').length
const histories = () => told(petri).filter(({ event_type }) => event_type.startsWith('historical.')).length
const job = (kind: string, provider = 'oura') =>
  world.agenda.find(`connections.${kind}`, connectionId(userId, provider))
const sourcesOf = async () =>
  (await readUser(petri, userId)).connected_sources.map(
    ({ source }: { source: { slug: string } }) => source.slug,
  )

describe('a new connection', () => {
  it('is kept with all that is known of it', () => {
    expect(connect(world, userId, 'oura')).toEqual({
      user_id: userId,
      provider: 'oura',
      ordinal: 1,
      created_on: '2026-01-05T09:00:00+00:00',
      known_since: START,
      external_user_id: null,
      denied_scopes: undefined,
      demo: false,
      uploads: undefined,
      error: null,
      paused: false,
      backfill: { scheduled_at: START, ended_at: null },
      time_zone: 'UTC',
      periods: [
        {
          from: START - 180 * DAY_MS,
          from_by_resource: undefined,
          until: null,
          since: START,
          arrivals: [],
        },
      ],
      synced_until: null,
    })
    const given = { externalUserId: 'mine', deniedScopes: ['daily'], uploads: true }
    expect(connect(world, userId, 'fitbit', given)).toMatchObject({
      ordinal: 2,
      external_user_id: 'mine',
      denied_scopes: ['daily'],
      uploads: true,
      synced_until: START,
    })
    expect([job('backfill') !== undefined, job('backfill', 'fitbit')]).toEqual([true, undefined])
  })

  it('has the time zone of the user, and keeps it', async () => {
    await changeUser(petri, userId, { fallback_time_zone: 'Europe/Berlin' })
    expect(connect(world, userId, 'oura').time_zone).toBe('Europe/Berlin')
    await disconnect('oura')
    await changeUser(petri, userId, { fallback_time_zone: 'Asia/Tokyo' })
    expect(connect(world, userId, 'oura').time_zone).toBe('Europe/Berlin')
  })

  it('has otherwise that of the address when it is made: of the demographics, or else of the latest order', async () => {
    const moveTo = (zip: string) => changeInfo(petri, userId, { ...patient, address: { ...address, zip } })
    expect(connect(world, userId, 'oura').time_zone).toBe('UTC')
    await orderForPatient(petri, { user: userId })
    world.db.delete(demographics, userId)
    expect(connect(world, userId, 'garmin').time_zone).toBe('America/Phoenix')
    await moveTo('94103')
    expect(connect(world, userId, 'polar').time_zone).toBe('America/Los_Angeles')
    expect([row('oura').time_zone, row('garmin').time_zone]).toEqual(['UTC', 'America/Phoenix'])
    await moveTo('00000')
    expect(connect(world, userId, 'wahoo').time_zone).toBe('UTC')
    await changeUser(petri, userId, { fallback_time_zone: 'Asia/Tokyo' })
    await moveTo('94103')
    expect(connect(world, userId, 'zwift').time_zone).toBe('Asia/Tokyo')
  })

  it('is refused beside one of the other kind, while that lasts', async () => {
    const { detail } = (await demo('fitbit')).body
    expect(detail).toBe(`Connected user ${userId} to provider fitbit`)
    expect(() => connect(world, userId, 'oura')).toThrow(
      'A user with a demo connection cannot have a real connection.',
    )
    expect([true, false].map((of) => hasConnections(world, userId, { demo: of }))).toEqual([true, false])
    await disconnect('fitbit')
    expect(hasConnections(world, userId, { demo: true })).toBe(false)
    connect(world, userId, 'oura')
    expect(await demo('fitbit')).toMatchObject(
      refusal(400, 'A user with a real connection cannot have a demo connection.'),
    )
  })
})

describe('a list of connections', () => {
  it('shows each with its state and what it gives', async () => {
    connect(world, userId, 'polar', { externalUserId: 'mine', deniedScopes: ['accesslink.read_all'] })
    const [polar] = await connectedTo(petri, userId)
    expect(polar).toEqual({
      name: 'Polar',
      slug: 'polar',
      logo: expect.stringContaining('/logos/polar.svg'),
      created_on: '2026-01-05T09:00:00+00:00',
      status: 'connected',
      external_user_id: 'mine',
      error_details: null,
      resource_availability: availabilityOf(row('polar')),
    })
    expect(Object.keys(availabilityOf(row('polar')))).toEqual(['activity', 'sleep', 'workouts', 'heartrate'])
  })

  it('names the permission of each resource, granted or not, where a provider has some', () => {
    const availability = (provider: string, more: object = {}) =>
      availabilityOf(connect(world, userId, provider, more))
    const none = { required: [], optional: [] }
    const [daily, heartrate] = ['daily', 'heartrate'].map((scope) => ({ required: [scope], optional: [] }))
    const oura = availability('oura', { deniedScopes: ['heartrate'] })
    expect([oura.sleep, oura.heartrate]).toEqual([
      { status: 'available', scope_requirements: { user_granted: daily, user_denied: none } },
      { status: 'unavailable', scope_requirements: { user_granted: none, user_denied: heartrate } },
    ])
    expect(availability('zwift')).toEqual({ workouts: { status: 'available', scope_requirements: null } })
  })

  it('tells an error before a pause', async () => {
    connect(world, userId, 'oura')
    pauseConnection(world, userId, 'oura')
    expect(await connectedTo(petri, userId)).toMatchObject([{ status: 'paused', error_details: null }])
    fail()
    expect(await connectedTo(petri, userId)).toMatchObject([
      { status: 'error', error_details: { error_message: 'Refused.' } },
    ])
    expect(await petri.get('/v2/user/providers/00000000-0000-4000-8000-000000000000')).toAnswer(404)
  })
})

describe('a connection that ends', () => {
  it('leaves the others, and what it has collected', async () => {
    connect(world, userId, 'oura')
    connect(world, userId, 'freestyle_libre_ble')
    await advance(petri, '1h')
    fail()
    expect((await disconnect('oura')).body).toEqual({ success: true })
    expect(row()).toMatchObject({
      error: null,
      paused: false,
      periods: [{ from: START - 180 * DAY_MS, until: START + 3_600_000 }],
    })
    expect([await sourcesOf(), job('sync')]).toEqual([['freestyle_libre_ble'], undefined])
    expect(job('sync', 'freestyle_libre_ble')).toBeDefined()
    expect(await disconnect('oura')).toMatchObject(refusal(404, 'The user is not connected to oura'))
    expect(() => getConnected(world, userId, 'fitbit')).toThrow('The user is not connected to fitbit')
  })

  it('before its history came never sends it', async () => {
    connect(world, userId, 'oura')
    await disconnect('oura')
    await advance(petri, '1d')
    expect(histories()).toBe(0)
  })

  it('and begins again is the same one, with one more period', async () => {
    connect(world, userId, 'zwift', { externalUserId: 'mine' })
    await advance(petri, '1h')
    await disconnect('zwift')
    connect(world, userId, 'oura')
    await advance(petri, '1d')
    const again = connect(world, userId, 'zwift')
    expect(again).toMatchObject({
      ordinal: 1,
      created_on: '2026-01-06T10:00:00+00:00',
      known_since: START,
      external_user_id: null,
      synced_until: null,
    })
    expect(again.periods.map(({ until }) => until)).toEqual([START + 3_600_000, null])
    expect(created()).toBe(3)
  })
})

describe('a connection that is made once more', () => {
  it('changes the account and the permissions only, where the provider continues', async () => {
    await setFeatures(petri, { history: 'none' })
    connect(world, userId, 'garmin', { externalUserId: 'mine' })
    await advance(petri, '2h')
    const before = row('garmin')
    expect(connect(world, userId, 'garmin', { externalUserId: 'other' })).toEqual({
      ...before,
      external_user_id: 'other',
    })
    expect([created(), await sourcesOf()]).toEqual([1, ['garmin']])
  })

  it('pulls its history again elsewhere, and keeps what it has', { tags: 'slow' }, async () => {
    connect(world, userId, 'polar', { externalUserId: 'mine' })
    await advance(petri, '1h')
    const nights = async () =>
      (await petri.read(`/v2/summary/sleep/${userId}?start_date=2025-12-01`)).sleep.length
    const [count, known] = [histories(), await nights()]
    expect(known).toBeGreaterThan(20)
    expect(connect(world, userId, 'polar')).toMatchObject({
      external_user_id: 'mine',
      backfill: { ended_at: null },
    })
    expect([created(), await nights()]).toEqual([2, known])
    await advance(petri, '1h')
    expect([histories(), await nights()]).toEqual([2 * count, known])
  })

  it.each(['pause', 'failure'])(
    'goes on after a %s, is announced, and pulls what it has missed',
    async (what) => {
      connect(world, userId, 'polar', { externalUserId: 'mine' })
      await advance(petri, '1h')
      if (what === 'pause') pauseConnection(world, userId, 'polar')
      else fail('polar')
      expect(row('polar').periods.map(({ until }) => until)).toEqual([START + 3_600_000])
      await advance(petri, '1d')
      const count = histories()
      expect(connect(world, userId, 'polar')).toMatchObject({ error: null, paused: false })
      expect(created()).toBe(2)
      await advance(petri, '2h')
      expect(histories()).toBe(2 * count)
      expect(row('polar').synced_until).toBeGreaterThan(START + DAY_MS)
    },
  )

  it('fetches a history that a failure has stopped', async () => {
    connect(world, userId, 'polar')
    fail('polar')
    expect(job('backfill', 'polar')).toBeUndefined()
    await advance(petri, '1h')
    expect(histories()).toBe(0)
    connect(world, userId, 'polar')
    await advance(petri, '1h')
    expect(histories()).toBe(1)
  })

  it('pulls no history where a phone uploads it', () => {
    connect(world, userId, 'apple_health_kit', { uploads: true })
    pauseConnection(world, userId, 'apple_health_kit')
    connect(world, userId, 'apple_health_kit', { uploads: true })
    expect([row('apple_health_kit').paused, job('backfill', 'apple_health_kit')]).toEqual([false, undefined])
  })

  it('fails once only', () => {
    connect(world, userId, 'oura')
    fail()
    const { error } = row()
    expect(error).toEqual({
      error_type: 'token_refresh_failed',
      error_message: 'Refused.',
      errored_at: '2026-01-05T09:00:00+00:00',
    })
    failConnection(world, userId, 'oura', { errorType: 'unknown', message: 'Again.' })
    expect(row().error).toEqual(error)
    expect(toldOf(petri, 'provider.connection.error').map(({ data }) => data)).toEqual([
      {
        user_id: userId,
        provider: 'oura',
        error_type: 'token_refresh_failed',
        error_details: 'Refused.',
        message: 'Refused.',
      },
    ])
  })
})
