import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kernel/instant.ts'
import { openScenarios } from '../../src/scenarios/repository.ts'
import { fileFolder } from '../../src/storage/folder.ts'
import { chronicle, follower, groupsOf, heardOf, summariesOf, sumOf } from '../support/feeds.ts'
import { makeFolder } from '../support/new-folder.ts'
import { connectDemo, createUser } from '../support/orders.ts'
import { forAllTests, forEachTest, refusal, startTestPetri } from '../support/petri.ts'
import { sampled } from '../support/rounds.ts'
import { advance, type Told, told, toldOf } from '../support/wearables.ts'

const petri = forEachTest(startTestPetri)

const scenarios = openScenarios({
  resultNames: () => new Map(),
}).byKind.feed.names()
/** Those that bend a history, or the consent to it, have tests of their own. */
const lives = /history|again|renewed|-back$|paused/
/** From nine in the morning to an hour at which data are told. */
const UNTIL_SYNC = HOUR_MS

describe.each(sampled(scenarios.filter((name) => !lives.test(name))))('a feed scenario %s', (scenario) => {
  const petri = forAllTests(startTestPetri)
  let user: string
  beforeAll(async () => {
    user = await follower(petri, scenario)
    await advance(petri, 3 * DAY_MS + UNTIL_SYNC)
  })

  it('has days that are the sums of their steps', { tags: 'slow' }, async () => {
    const [own] = await groupsOf(petri, user, 'steps', '2025-12-20')
    const days = new Map<string, number>()
    for (const { timestamp, timezone_offset, value } of own?.data ?? []) {
      const local = new Date(Date.parse(timestamp) + (timezone_offset ?? 0) * 1000).toISOString()
      days.set(local.slice(0, 10), (days.get(local.slice(0, 10)) ?? 0) + value)
    }
    const activities = await summariesOf(petri, user, 'activity', '2025-12-22')
    expect(activities.length).toBeGreaterThan(2)
    for (const { calendar_date, steps } of activities) expect(steps).toBe(days.get(calendar_date) ?? 0)
  })

  it('sends events for exactly the data that can be read, and duplicates only where it says so', {
    tags: 'slow',
  }, async () => {
    for (const series of ['steps', 'heartrate']) {
      const { known, again, unknown } = heardOf(petri, series)
      const groups = await groupsOf(petri, user, series)
      const read = groups.flatMap(({ source, data }) =>
        data.map(({ timestamp, value }) => [`${source.type}/${timestamp}`, value] as const),
      )
      const whole = scenario === 'dst-night' || scenario === 'time-zone-travel' ? '05:00' : '00:00'
      const today = read.filter(([key]) => key.slice(key.indexOf('/') + 1) > `2026-01-05T${whole}:00+00:00`)
      expect(new Map(today)).toEqual(known)
      expect(unknown).toEqual([])
      if (scenario === 'duplicate-samples') expect(again.length).toBeGreaterThan(10)
      else expect(again).toEqual([])
    }
  })
})

describe('a feed scenario', { tags: 'slow' }, () => {
  it.each([
    'gap-and-late-backfill',
    'corrected-samples',
    'incomplete-buckets',
    'device-change',
    'time-zone-travel',
  ])('%s sends the same events however an advance is divided', async (scenario) => {
    const [whole, cut] = [await startTestPetri(), await startTestPetri()]
    await follower(whole, scenario)
    await follower(cut, scenario)
    await advance(whole, 1.5 * DAY_MS)
    for (const hours of [0.5, 6, 1.75, 0.25, 15.5, 12]) await advance(cut, hours * HOUR_MS)
    expect(chronicle(cut)).toEqual(chronicle(whole))
  })

  it.each(['gap-and-late-backfill', 'provider-outage-and-recovery', 'abnormal-value-alert'])(
    '%s continues after a restart without a difference',
    async (scenario) => {
      const root = makeFolder('petri-feeds-')
      const folder = () => fileFolder(root, { warn: () => undefined })
      const [whole, first] = [await startTestPetri(), await startTestPetri({ folder: await folder() })]
      const user = await follower(whole, scenario)
      await follower(first, scenario, 'fitbit')
      await advance(whole, 30 * HOUR_MS)
      await advance(first, 8 * HOUR_MS)
      await first.close()
      const second = await startTestPetri({ folder: await folder() })
      await advance(second, 22 * HOUR_MS)
      expect(chronicle(second)).toEqual(chronicle(whole))
      expect(await groupsOf(second, user, 'steps')).toEqual(await groupsOf(whole, user, 'steps'))
    },
  )
})

describe('the scenario', { tags: 'slow' }, () => {
  it('gap-and-late-backfill hides eight hours until half a day later', async () => {
    const [petri, steady] = [await startTestPetri(), await startTestPetri()]
    const user = await follower(petri, 'gap-and-late-backfill')
    await follower(steady)
    await advance(petri, 15 * HOUR_MS)
    await advance(steady, 27 * HOUR_MS)
    const before = (await groupsOf(petri, user, 'steps'))[0]?.data ?? []
    expect(before.at(-1)?.timestamp.slice(0, 13)).toBe('2026-01-05T14')
    expect(await summariesOf(petri, user, 'sleep', '2026-01-06')).toEqual([])
    await advance(petri, 12 * HOUR_MS)
    expect(await groupsOf(petri, user, 'steps')).toEqual(await groupsOf(steady, user, 'steps'))
    const late = toldOf(petri, 'daily.data.heartrate.created').find(({ data }) =>
      data.data.some(({ timestamp }: { timestamp: string }) => timestamp.startsWith('2026-01-05T20')),
    )
    expect(late?.data.data.some(({ timestamp }: { timestamp: string }) => timestamp >= '2026-01-06T10')).toBe(
      true,
    )
    const [activity] = await summariesOf(petri, user, 'activity')
    expect(activity.updated_at).toBe('2026-01-06T11:00:00+00:00')
  })

  it('gap-and-late-backfill is described with the period that it withholds', async () => {
    const user = await follower(petri, 'gap-and-late-backfill')
    const marks = async () => (await petri.read(`/_petri/users/${user}/connections/fitbit/feed`)).marks
    await advance(petri, 2 * HOUR_MS)
    expect(await marks()).toEqual([])
    await advance(petri, 5 * HOUR_MS)
    expect(await marks()).toMatchObject([
      {
        does: 'held_back',
        series: null,
        from: expect.stringContaining('T15:00'),
        until: expect.stringContaining('T23:00'),
        settled_at: expect.stringContaining('T11:00'),
      },
    ])
  })

  it('two-overlapping-sources has the counts of a phone in addition to those of the watch', async () => {
    const user = await follower(petri, 'two-overlapping-sources')
    await advance(petri, DAY_MS)
    const [watch, phone] = await groupsOf(petri, user, 'steps', '2026-01-05T10:00:00Z')
    expect([watch?.source.type, phone?.source.type]).toEqual(['watch', 'phone'])
    expect(sumOf(phone?.data ?? []) / sumOf(watch?.data ?? [])).toBeCloseTo(0.9, 1)
    const [activity] = await summariesOf(petri, user, 'activity')
    expect(activity.source.type).toBe('watch')
    expect(toldOf(petri, 'provider.device.created').map(({ data }) => data.source_type)).toEqual([
      'watch',
      'scale',
      'phone',
    ])
  })

  it('time-zone-travel moves the wearer between two local days', async () => {
    const user = await follower(petri, 'time-zone-travel')
    await advance(petri, 3 * DAY_MS)
    const activities = await summariesOf(petri, user, 'activity', '2026-01-04')
    expect(activities.map(({ calendar_date, time_zone }) => [calendar_date, time_zone]).slice(0, 4)).toEqual([
      ['2026-01-04', 'America/New_York'],
      ['2026-01-05', 'America/New_York'],
      ['2026-01-06', 'America/New_York'],
      ['2026-01-07', 'Asia/Tokyo'],
    ])
    const sleeps = await summariesOf(petri, user, 'sleep', '2026-01-06')
    expect(sleeps.map(({ timezone_offset }) => timezone_offset).slice(0, 2)).toEqual([-18_000, 32_400])
    const [steps] = await groupsOf(petri, user, 'steps')
    const offsets = steps?.data.map(({ timezone_offset }) => timezone_offset) ?? []
    expect([offsets[0], offsets.at(-1)]).toEqual([-18_000, 32_400])
    const starts = steps?.data.map(({ timestamp }) => timestamp) ?? []
    expect(starts).toEqual([...new Set(starts)].sort())
  })

  it('dst-night has a night across which the clocks change', async () => {
    const petri = await startTestPetri({ world: { now: Date.parse('2026-03-07T15:00:00Z') } })
    const user = await follower(petri, 'dst-night')
    await advance(petri, 2 * DAY_MS)
    const [before, after] = await summariesOf(petri, user, 'sleep', '2026-03-07')
    expect([before.timezone_offset, after.timezone_offset]).toEqual([-18_000, -14_400])
    const [steps] = await groupsOf(petri, user, 'steps', '2026-03-08')
    const offsets = steps?.data.map(({ timezone_offset }) => timezone_offset) ?? []
    expect(new Set(offsets)).toEqual(new Set([-18_000, -14_400]))
  })

  it('provider-outage-and-recovery sends nothing for ten hours, then everything', async () => {
    const user = await follower(petri, 'provider-outage-and-recovery')
    await advance(petri, 12 * HOUR_MS)
    const quiet = told(petri).length
    const known = (await groupsOf(petri, user, 'steps'))[0]?.data.at(-1)
    expect(known?.timestamp.slice(0, 13)).toBe('2026-01-05T11')
    const refreshed = (await petri.post(`/v2/user/refresh/${user}`)).body
    expect(refreshed.refreshed_sources).toEqual([])
    expect(refreshed.failed_sources).toContain('fitbit/steps')
    expect(told(petri)).toHaveLength(quiet)
    await advance(petri, 2 * HOUR_MS)
    const all = toldOf(petri, 'daily.data.heartrate.created').at(-1)
    expect(all?.data.data.length).toBeGreaterThan(9 * 60)
    expect((await petri.read(`/v2/user/providers/${user}`)).providers[0].status).toBe('connected')
  })

  it('revoked-connection breaks the connection, and sends one event', async () => {
    const user = await follower(petri, 'revoked-connection')
    await advance(petri, 3 * DAY_MS)
    expect((await petri.read(`/v2/user/providers/${user}`)).providers).toMatchObject([
      { status: 'error', error_details: { error_type: 'deregistered_per_provider' } },
    ])
    expect(toldOf(petri, 'provider.connection.error')).toHaveLength(1)
    const last = (await groupsOf(petri, user, 'steps'))[0]?.data.at(-1)
    expect(last?.timestamp.slice(0, 13)).toBe('2026-01-06T08')
  })

  it('low-at-night has glucose fall at four in the morning, and ends LOW', async () => {
    const user = await follower(petri, 'low-at-night', 'freestyle_libre')
    await advance(petri, 2 * DAY_MS)
    const [readings] = await groupsOf(petri, user, 'glucose', '2026-01-05T22:00:00Z', 'freestyle_libre')
    const lows = readings?.data.filter(({ value }) => Number(value) < 3.9) ?? []
    expect(lows.length).toBeGreaterThan(2)
    expect(lows.at(-1)).toMatchObject({ value: 2.2 })
    expect(readings?.data).toContainEqual(expect.objectContaining({ value: 22.3 }))
  })

  it('unknown-sport has workouts of a sport that no list has', async () => {
    const user = await follower(petri, 'unknown-sport', 'fitbit')
    await petri.put(`/_petri/users/${user}/persona`, { persona: 'athlete' })
    await advance(petri, 3 * HOUR_MS)
    const workouts = await summariesOf(petri, user, 'workouts', '2025-12-28')
    const sports = workouts.map(({ sport }: { sport: { slug: string } }) => sport.slug)
    expect(sports).toContain('padel_tennis')
    expect(sports.some((slug: string) => slug !== 'padel_tennis')).toBe(true)
  })

  it('two-apps has the same steps from an app with an id of its own', async () => {
    const user = await follower(petri, 'two-apps', 'apple_health_kit')
    await advance(petri, DAY_MS)
    const appsOf = async (series: string) =>
      (await groupsOf(petri, user, series, '2026-01-05T09:00:00Z', 'apple_health_kit')).map(({ source }) => [
        source.type,
        source.app_id,
      ])
    const other = ['app', 'com.example.fitness']
    expect(await appsOf('steps')).toEqual([['phone', null], other])
    expect(await appsOf('heartrate')).toEqual([['watch', null], other])
    const [{ data }] = toldOf(petri, 'daily.data.steps.created').filter(
      (one) => one.data.source.type === 'app',
    ) as [Told]
    expect(data.source.app_id).toBe('com.example.fitness')
    expect(await petri.read(`/v2/user/${user}/device`)).toContainEqual(
      expect.objectContaining({ app_id: 'com.example.fitness', source_type: 'app' }),
    )
  })
})

describe('which scenario a connection follows', () => {
  it('is the one that the client_user_id ends with, where none is set', async () => {
    const { body } = await petri.post('/v2/user', { client_user_id: 'ada#two-apps' })
    await connectDemo(petri, body.user_id, 'fitbit')
    const feed = await petri.get(`/_petri/users/${body.user_id}/connections/fitbit/feed`)
    expect(feed.body.scenario).toBe('two-apps')
  })

  it('can be requested with a link token, and with the call that uses it', { tags: 'slow' }, async () => {
    const user = await createUser(petri)
    const asked = { 'x-petri-scenario': 'revoked-connection' }
    const { link_token } = (await petri.post('/v2/link/token', { user_id: user }, asked)).body
    await petri.petri.app.request(`/v2/link/connect/garmin?state=${link_token}&code=me`)
    await petri.post(
      '/v2/link/provider/manual/apple_health_kit',
      { user_id: user },
      { 'x-petri-scenario': 'device-change' },
    )
    await advance(petri, DAY_MS + MINUTE_MS)
    const { providers } = await petri.read(`/v2/user/providers/${user}`)
    expect(providers.map((one: { status: string }) => one.status)).toEqual(['error', 'connected'])
    expect(toldOf(petri, 'provider.device.updated')).toHaveLength(1)
  })

  it('can be changed later: past data stays, the rest of the old scenario is dropped', {
    tags: 'slow',
  }, async () => {
    const user = await follower(petri, 'revoked-connection')
    await advance(petri, 12 * HOUR_MS)
    const path = `/_petri/users/${user}/connections/fitbit/feed`
    const before = await groupsOf(petri, user, 'steps')
    const view = (await petri.put(path, { scenario: 'gap-and-late-backfill' })).body
    expect(view).toMatchObject({
      scenario: 'gap-and-late-backfill',
      next_at: '2026-01-06T03:00:00.000Z',
      before: [{ scenario: 'revoked-connection' }],
    })
    expect(await groupsOf(petri, user, 'steps')).toEqual(before)
    await advance(petri, 2 * DAY_MS)
    expect(toldOf(petri, 'provider.connection.error')).toEqual([])
    expect(heardOf(petri, 'steps').again).toEqual([])
  })
})

const file = (...steps: string[]) =>
  ['name: mine', 'summary: Mine.', 'kind: feed', 'steps:', ...steps.map((step) => `  - { ${step} }`)].join(
    '\n',
  )

describe("a user's own feed scenario", () => {
  it('that reconnects announces no sample twice, and leaves its data when it is removed', {
    tags: 'slow',
  }, async () => {
    const source = file('after: 1h, error: provider_password_expired', 'after: 2h, reconnect: true')
    await petri.put('/_petri/scenarios/mine', { source })
    const user = await follower(petri, 'mine')
    await advance(petri, 5 * HOUR_MS)
    expect(heardOf(petri, 'steps').again).toEqual([])
    expect(await petri.delete('/_petri/scenarios/mine')).toAnswer(204)
    expect((await groupsOf(petri, user, 'steps')).length).toBe(1)
  })

  it.each([
    ['after: 1d, gpa: 8h', '"gpa" is not known here. Did you mean "gap"?'],
    ['after: soon, gap: 8h', 'after "soon" is not a duration'],
    [
      'after: 1d, duplicate: 8h, of: [stpes]',
      'of names "stpes", which is not a timeseries. Did you mean "steps"?',
    ],
    ['after: 1d, time_zone: Mars/Olympus', 'time_zone "Mars/Olympus" is not an IANA time zone'],
    ['after: 1d, error: gone', 'error must be one of token_refresh_failed'],
  ])('is refused for { %s }', async (step, message) => {
    const reply = await petri.put('/_petri/scenarios/mine', { source: file(step) })
    expect(reply).toMatchObject(refusal(422, [{ ctx: { file: 'mine', line: 5, step: 1 } }]))
    expect(reply.body.detail[0].msg).toContain(message)
  })

  it('is refused at start with file and line, and may not have the name of a scenario', async () => {
    const folderWith = (name: string, text: string) => {
      const folder = makeFolder('petri-feeds-')
      mkdirSync(join(folder, 'feeds'))
      writeFileSync(join(folder, 'feeds', name), text)
      return folder
    }
    const broken = file('after: 1h, error: unknown', 'after: 1h, gap: 2h')
    await expect(startTestPetri({ scenarios: [folderWith('mine.yaml', broken)] })).rejects.toThrow(
      /mine\.yaml:6: step 2: gap: a connection that has ended brings nothing; legal: reconnect/,
    )
    const shared = file('after: 1h, gap: 2h').replace('mine', 'happy-path')
    await expect(startTestPetri({ scenarios: [folderWith('happy-path.yaml', shared)] })).rejects.toThrow(
      'happy-path is the name of a bundled scenario of orders',
    )
    expect(await petri.put('/_petri/scenarios/happy-path', { source: shared })).toAnswer(409)
  })
})
