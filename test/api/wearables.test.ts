import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/kernel/instant.ts'
import { connect as connectAny } from '../../src/resources/connecting/service.ts'
import { connections } from '../../src/resources/connections/table.ts'
import { resources } from '../../src/resources/index.ts'
import { events } from '../../src/world/events.ts'
import { connectDemo, createUser, deleteUser, readUser } from '../support/orders.ts'
import { forEachTest, START, startTestPetri, startTestWorld, type TestPetri } from '../support/petri.ts'
import { advance, openData, resourcesOfSome, type Told, told } from '../support/wearables.ts'

const petri = forEachTest()

const typesOf = (petri: TestPetri) => told(petri).map(({ event_type }) => event_type)

async function newUser(petri: TestPetri, body: object = {}): Promise<string> {
  return (await petri.post('/v2/user', { client_user_id: 'ada', ...body })).body.user_id
}

/** Connects a user whose data can be read before they are announced. */
async function connect(petri: TestPetri, user_id: string, provider = 'fitbit') {
  const reply = await connectDemo(petri, user_id, provider)
  if (reply.status === 200) openData(petri, user_id)
  return reply
}

const steps = (petri: TestPetri, userId: string, query: string, series = 'steps') =>
  petri.get(`/v2/timeseries/${userId}/${series}/grouped?${query}`)

async function connectedUser(petri: TestPetri, body?: object, provider = 'fitbit'): Promise<string> {
  const userId = await newUser(petri, body)
  await connect(petri, userId, provider)
  return userId
}

describe('a demo connection', () => {
  it('is shown on the user, and announced at once', async () => {
    const userId = await newUser(petri)
    expect(await connect(petri, userId)).toAnswer(200, {
      success: true,
      detail: `Connected user ${userId} to provider fitbit`,
    })
    const fitbit = { name: 'Fitbit', slug: 'fitbit', logo: expect.stringContaining('/logos/fitbit.svg') }
    expect((await readUser(petri, userId)).connected_sources).toEqual([
      { provider: fitbit, source: fitbit, created_on: '2026-01-05T09:00:00+00:00' },
    ])
    expect((await petri.read(`/v2/user/providers/${userId}`)).providers).toMatchObject([
      { slug: 'fitbit', status: 'connected', resource_availability: { steps: { status: 'available' } } },
    ])
    expect(told(petri)).toEqual([
      {
        event_type: 'provider.connection.created',
        team_id: petri.world().identity.teamId,
        user_id: userId,
        client_user_id: 'ada',
        data: {
          user_id: userId,
          provider: fitbit,
          source: fitbit,
          external_user_id: null,
          resource_availability: expect.objectContaining({
            steps: { status: 'available', scope_requirements: null },
          }),
        },
      },
    ])
  })

  it('made again changes nothing', async () => {
    const userId = await connectedUser(petri)
    expect(await connect(petri, userId)).toAnswer(200)
    expect((await readUser(petri, userId)).connected_sources).toHaveLength(1)
    expect(typesOf(petri)).toEqual(['provider.connection.created'])
  })

  it('needs a user of this team and one of the four providers', async () => {
    const nobody = '2f1b5c9e-3d35-4b4e-8f43-6b1b7a3f0c11'
    expect(await connect(petri, nobody)).toRefuse(404, 'The user does not or no longer exists in this team')
    expect(await connect(petri, await newUser(petri), 'garmin')).toRefuse(422, [
      { type: 'enum', loc: ['body', 'provider'], input: 'garmin' },
    ])
  })

  it('is for sandboxes only', async () => {
    const userId = await newUser(petri)
    petri.world().setSettings({ features: { parity: 'production' } })
    expect(await connect(petri, userId)).toAnswer(404)
    expect(typesOf(petri)).toEqual([])
  })

  it('sends its history, then today, then new data every two hours', async () => {
    const userId = await connectedUser(petri)
    const { effects } = await advance(petri, 2 * HOUR_MS)
    const at = (type: string) =>
      effects
        .filter(({ event_type }) => event_type === type)
        .map((effect) => new Date(effect.at).toISOString().slice(11, 16))
    expect(at('historical.data.steps.created')).toEqual(['09:01'])
    expect(at('daily.data.steps.created')).toEqual(['09:01', '10:00'])
    expect(at('daily.data.activity.created')).toEqual(['09:01'])
    expect(at('daily.data.activity.updated')).toEqual(['10:00'])
    expect(
      told(petri).find(({ event_type }) => event_type === 'historical.data.steps.created')?.data,
    ).toEqual({
      user_id: userId,
      start_date: '2025-12-06T00:00:00+00:00',
      end_date: '2026-01-05T09:01:00+00:00',
      is_final: true,
      provider: 'fitbit',
    })
    const order = typesOf(petri)
    expect(order.indexOf('historical.data.steps.created')).toBeLessThan(
      order.indexOf('daily.data.steps.created'),
    )
    expect(petri.world().agenda.pending).toBe(0)
  })

  it('sends each sample of the day, and again when it has grown, until it equals the one that is read', {
    tags: 'slow',
  }, async () => {
    const userId = await connectedUser(petri, { fallback_time_zone: 'Asia/Kathmandu' })
    await connect(petri, userId, 'apple_health_kit')
    await advance(petri, 40 * HOUR_MS)
    const { groups } = (await steps(petri, userId, 'start_date=2026-01-04T18:15:00Z')).body
    for (const provider of ['fitbit', 'apple_health_kit']) {
      const sent = told(petri).filter(({ data }) => data.source?.provider === provider)
      const samplesOf = (type: string) =>
        sent.filter(({ event_type }) => event_type === type).flatMap(({ data }) => data.data)
      const created = samplesOf('daily.data.steps.created')
      expect(created.length).toBeGreaterThan(10)
      expect(new Set(created.map(({ start }) => start)).size).toBe(created.length)
      const byStart = new Map(created.map((sample) => [sample.start, sample]))
      for (const sample of samplesOf('daily.data.steps.updated')) {
        expect(sample.value).toBeGreaterThan(byStart.get(sample.start).value)
        byStart.set(sample.start, sample)
      }
      // The last increment was an hour ago; what it told of an hour that had begun has grown since.
      const before = (sample: { end: string }) => sample.end <= '2026-01-07T00:00:00+00:00'
      expect(groups[provider][0].data.filter(before)).toEqual([...byStart.values()].filter(before))
    }
  })

  it('ends after seven days where a sandbox is limited, with its user and the data', {
    tags: 'slow',
  }, async () => {
    petri.world().setSettings({ features: { sandbox_limits: true } })
    const userId = await connectedUser(petri)
    const other = await createUser(petri, 'other')
    await advance(petri, 7 * DAY_MS)
    expect(await petri.get(`/v2/user/${userId}`)).toAnswer(404)
    expect(await steps(petri, userId, 'start_date=2026-01-08&end_date=2026-01-09')).toAnswer(404)
    expect((await petri.post('/v2/user/undo_delete', {}, { user_id: userId })).status).not.toBe(200)
    expect(await petri.get(`/v2/user/${other}`)).toAnswer(200)
  })

  it('ends with its user', async () => {
    const userId = await connectedUser(petri)
    await advance(petri, 2 * HOUR_MS)
    await deleteUser(petri, userId)
    expect(await steps(petri, userId, 'start_date=2026-01-01')).toRefuse(
      404,
      'The user has been scheduled for deletion as per your previous request',
    )
    const count = typesOf(petri).length
    await advance(petri, DAY_MS)
    await petri.post(`/v2/user/undo_delete?user_id=${userId}`)
    await advance(petri, DAY_MS)
    expect(typesOf(petri)).toHaveLength(count)
    const { data } = (await steps(petri, userId, 'start_date=2026-01-01')).body.groups.fitbit[0]
    expect(data.at(-1).end <= '2026-01-05T10:00:00+00:00').toBe(true)
    await deleteUser(petri, userId)
    await advance(petri, 8 * DAY_MS)
    expect(petri.world().db.count(connections)).toBe(0)
    expect(petri.world().agenda.nextDue()).toBeUndefined()
  })
})

// Years of data of sixty kinds are made and validated.
describe('the 60 kinds of data', { timeout: 60_000 }, () => {
  const types = new Map(resources.flatMap(({ events = [] }) => events).map(({ name, data }) => [name, data]))
  const check = ({ event_type, data }: Told) => {
    const parsed = types.get(event_type)?.().safeParse(data)
    if (!parsed?.success || !isDeepStrictEqual(parsed.data, data))
      throw new Error(`${event_type}: ${parsed?.error?.message ?? 'fields its schema lacks'}`)
  }

  it('have a type each for history, what is new and what has changed', () => {
    const collected = [...types.keys()].flatMap(
      (name) => /^historical\.data\.(\w+)\.created$/.exec(name)?.[1] ?? [],
    )
    expect(collected).toHaveLength(60)
    for (const resource of collected)
      for (const what of ['created', 'updated'])
        expect(types.has(`daily.data.${resource}.${what}`)).toBe(true)
  })

  it('are sent by every provider that has them, valid against their schemas', { tags: 'slow' }, async () => {
    const petri = await startTestWorld({ world: { history: '3d' } })
    for (const [at, providers] of [
      ['garmin', 'fitbit', 'withings'],
      ['abbott_libreview', 'tandem_source', 'apple_health_kit'],
      ['apple_health_kit', 'whoop_v2', 'polar'],
      ['google_health', 'dexcom_v3', 'apple_health_kit'],
    ].entries()) {
      const userId = await newUser(petri, { client_user_id: `user${at}`, fallback_time_zone: 'Asia/Kolkata' })
      if (providers.includes('tandem_source'))
        await petri.put(`/_petri/users/${userId}/persona`, { persona: 'type-1-diabetes' })
      for (const provider of providers) connectAny(petri.world(), userId, provider)
    }
    const seen = new Set<string>()
    for (let day = 0; day < 4; day++) {
      const { clock, db } = petri.world()
      const before = clock.now()
      await advance(petri, DAY_MS)
      for (const { at, event_type, payload } of db.all(events)) {
        if (at < before) continue
        check(payload as Told)
        seen.add(event_type)
      }
    }
    const missing = [...types.keys()].filter(
      (name) => /^daily\.data\.\w+\.created$/.test(name) && !seen.has(name),
    )
    const laboratory = ['cholesterol', 'ige', 'igg']
    const rare = ['menstrual_cycle', 'wheelchair_push', 'workout_swimming_stroke', ...resourcesOfSome]
    const known = [...laboratory, ...rare]
    expect(missing.map((name) => name.split('.')[2] ?? '').filter((name) => !known.includes(name))).toEqual(
      [],
    )
    for (const resource of ['steps', 'distance', 'calories_active', 'activity', 'sleep'])
      expect(seen.has(`daily.data.${resource}.updated`), resource).toBe(true)
  })

  it('are each sent once a day, however the day is divided', { tags: 'slow' }, async () => {
    const eventsAfter = async (cuts: readonly number[]) => {
      const petri = await startTestPetri()
      const userId = await newUser(petri, { fallback_time_zone: 'America/New_York' })
      for (const provider of ['apple_health_kit', 'oura', 'freestyle_libre'])
        await connect(petri, userId, provider)
      for (const cut of cuts) await petri.world().agenda.advanceTo(START + cut)
      await petri.world().agenda.advanceTo(START + DAY_MS)
      return told(petri)
    }
    const atOnce = await eventsAfter([])
    expect(await eventsAfter([HOUR_MS, 7.3 * HOUR_MS, 20 * HOUR_MS])).toEqual(atOnce)
    const keys = atOnce
      .filter(({ event_type }) => /^daily\.data\.\w+\.created$/.test(event_type))
      .flatMap(({ event_type, data }) =>
        Array.isArray(data.data)
          ? data.data.map(({ timestamp }: { timestamp: string }) =>
              [event_type, data.source.provider, data.source.workout_id, timestamp].join(),
            )
          : [[event_type, data.source.provider, data.id ?? data.workout_id].join()],
      )
    expect(keys.length).toBeGreaterThan(500)
    const seen = new Set<string>()
    expect(keys.filter((key) => seen.size === seen.add(key).size)).toEqual([])
  })
})

describe('steps', () => {
  it('include both ends of the window', async () => {
    const userId = await connectedUser(petri, {}, 'apple_health_kit')
    const starts = async (query: string) =>
      (await steps(petri, userId, query, 'calories_basal')).body.groups.apple_health_kit[0].data.map(
        ({ start }: { start: string }) => start.slice(11, 16),
      )
    expect(await starts('start_date=2026-01-04T10:00:00Z&end_date=2026-01-04T12:00:00%2B00:00')).toEqual([
      '10:00',
      '11:00',
      '12:00',
    ])
    expect(await starts('start_date=2026-01-04&end_date=2026-01-04')).toHaveLength(24)
  })

  it('are refused to a malformed question', async () => {
    const userId = await connectedUser(petri)
    expect(await steps(petri, userId, '')).toRefuse(422, [
      { type: 'missing', loc: ['query', 'start_date'], input: null },
    ])
    expect(await steps(petri, userId, 'start_date=yesterday')).toRefuse(422, 'Invalid start_date: yesterday')
    expect(await steps(petri, userId, 'start_date=2026-01-01&end_date=2026-02-30')).toRefuse(
      422,
      'Invalid end_date: 2026-02-30',
    )
    expect(await steps(petri, userId, 'start_date=2026-01-05&end_date=2026-01-01')).toAnswer(200, {
      groups: {},
    })
    expect(await steps(petri, '2f1b5c9e-3d35-4b4e-8f43-6b1b7a3f0c11', 'start_date=2026-01-01')).toRefuse(
      404,
      'The user does not or no longer exists in this team',
    )
  })
})

describe('providers', () => {
  it('are listed whole, or by kind of source', async () => {
    const body = await petri.read('/v2/providers')
    expect(body).toHaveLength(41)
    const ble = await petri.read('/v2/providers?source_type=ble')
    expect(ble.every(({ slug }: { slug: string }) => slug.endsWith('_ble'))).toBe(true)
    expect(ble).toHaveLength(6)
  })
})
