import { describe, expect, it } from 'vitest'
import { field } from '../support/field.ts'
import { browse, newToken } from '../support/link.ts'
import { managing, teamIdOf } from '../support/management.ts'
import { advance, createUser } from '../support/orders.ts'
import { forEachTest, NOBODY, startTestPetri } from '../support/petri.ts'
import { toldOf, wearer } from '../support/wearables.ts'

const petri = forEachTest(startTestPetri)
const manage = managing(petri)

const PATH = '/team_data_pull_preferences/sandbox/us'
const days = (historical_days_to_pull: number) => ({ historical_days_to_pull })
const limited = (count: number) => ({ ...days(count), historical_days_to_pull_limit: 365 })

const prefer = (provider: string, usual: number, overrides?: Record<string, number>) =>
  manage.post(PATH, {
    team_ids: [teamIdOf(petri)],
    providers: {
      [provider]: {
        default: days(usual),
        ...(overrides && {
          resource_overrides: Object.fromEntries(
            Object.entries(overrides).map(([resource, count]) => [resource, days(count)]),
          ),
        }),
      },
    },
  })

async function connectTo(provider: string): Promise<string> {
  const userId = await createUser(petri, 'ada')
  const state = await newToken(petri, userId, { provider })
  await browse(petri, `/v2/link/connect/${provider}?state=${state}&code=account`)
  return userId
}

const connectOura = () => connectTo('oura')

const pulledOf = async (provider: string) =>
  (await petri.read('/v2/introspect/historical_pull')).data[0].provider[provider]

describe('without data pull preferences', () => {
  it('the history of a connection goes as far back as its provider gives it', { tags: 'slow' }, async () => {
    await connectTo('fitbit')
    await advance(petri, '1h')
    expect((await pulledOf('fitbit')).pulled).toMatchObject({
      sleep: { range_start: '2025-10-07T09:00:00+00:00' },
      activity: { range_start: '2025-10-07T09:00:00+00:00' },
      heartrate: { range_start: '2025-12-22T09:00:00+00:00' },
      steps: { range_start: '2025-12-22T09:00:00+00:00' },
    })
  })

  it('a provider that gives the history of its nights gives no other', async () => {
    await connectTo('polar')
    await advance(petri, '1h')
    expect(toldOf(petri, 'historical.data.sleep.created')).toHaveLength(1)
    for (const resource of ['activity', 'workouts', 'heartrate'])
      expect(toldOf(petri, `historical.data.${resource}.created`)).toEqual([])
  })
})

describe('data pull preferences', () => {
  it('say how far back the history of a connection goes, resource by resource', {
    tags: 'slow',
  }, async () => {
    const { body } = await prefer('oura', 60, { sleep: 90, heartrate: 2 })
    expect(body).toEqual({
      data_pull_preferences: [
        {
          team_id: teamIdOf(petri),
          providers: {
            oura: {
              default: limited(60),
              resource_overrides: { sleep: limited(90), heartrate: limited(2) },
            },
          },
        },
      ],
      next_cursor: null,
    })
    const userId = await connectOura()
    await advance(petri, '1h')
    const starts: Record<string, string> = {
      sleep: '2025-10-07T09:00:00+00:00',
      activity: '2025-11-06T09:00:00+00:00',
      heartrate: '2026-01-03T09:00:00+00:00',
    }
    const { pulled } = await pulledOf('oura')
    for (const [resource, start] of Object.entries(starts)) {
      const [event] = toldOf(petri, `historical.data.${resource}.created`)
      expect(event?.data.start_date, resource).toBe(start)
      expect(pulled[resource], resource).toMatchObject({ status: 'success', range_start: start })
    }
    expect(pulled.heartrate.days_with_data).toBe(2)
    const range = 'start_date=2025-01-01&end_date=2026-01-05'
    const nights = (await petri.read(`/v2/summary/sleep/${userId}?${range}`)).sleep
    const dates = nights.map(field('calendar_date')).sort()
    expect(dates[0] >= '2025-10-07' && dates[0] < '2025-10-12').toBe(true)
    const { groups } = await petri.read(`/v2/timeseries/${userId}/heartrate/grouped?${range}`)
    expect(groups.oura[0].data[0].timestamp.slice(0, 10)).toBe('2026-01-03')
  })

  it('hold for made-up data too, and for a history that is pulled once more', { tags: 'slow' }, async () => {
    await prefer('fitbit', 10)
    const userId = await wearer(petri, ['fitbit'])
    await advance(petri, '1h')
    expect((await pulledOf('fitbit')).pulled.steps.range_start).toBe('2025-12-26T00:00:00+00:00')
    await prefer('fitbit', 20, { sleep: 40 })
    await petri.post('/v2/link/bulk_trigger_historical_pull', {
      user_ids: [userId],
      provider: 'fitbit',
      wait_for_completion: true,
    })
    await advance(petri, '1h')
    const { pulled } = await pulledOf('fitbit')
    expect(pulled.steps.range_start).toBe('2025-12-16T00:00:00+00:00')
    expect(pulled.sleep.range_start).toBe('2025-11-26T00:00:00+00:00')
  })

  it('of no days pull nothing, and announce nothing', { tags: 'slow' }, async () => {
    await prefer('fitbit', 30, { sleep: 0 })
    await wearer(petri, ['fitbit'])
    await advance(petri, '1h')
    const { pulled, not_pulled } = await pulledOf('fitbit')
    expect(not_pulled).toContain('sleep')
    expect(pulled).not.toHaveProperty('sleep')
    expect(toldOf(petri, 'historical.data.sleep.created')).toEqual([])
    expect(toldOf(petri, 'historical.data.activity.created')).toHaveLength(1)
  })

  it('are listed team by team, chosen by provider and team, and forgotten', async () => {
    const teams = [teamIdOf(petri)]
    for (const name of ['Second', 'Third'])
      teams.push((await manage.post('/team', { name, region: 'us' })).body.id)
    const providers = { oura: { default: days(7) }, fitbit: { default: days(8) } }
    expect(await manage.post(PATH, { team_ids: teams, providers })).toAnswer(200)
    const first = await manage.read(`${PATH}?limit=2&provider=fitbit`)
    expect(first.data_pull_preferences).toEqual(
      teams.slice(0, 2).map((team_id) => ({
        team_id,
        providers: { fitbit: { default: limited(8), resource_overrides: null } },
      })),
    )
    const next = `${PATH}?limit=2&provider=fitbit&next_cursor=${first.next_cursor}`
    expect(await manage.read(next)).toMatchObject({
      data_pull_preferences: [{ team_id: teams[2] }],
      next_cursor: null,
    })
    expect((await manage.delete(`${PATH}?provider=oura&team_id=${teams[1]}`)).body).toBeNull()
    const body = await manage.read(`${PATH}?team_id=${teams[1]}`)
    expect(Object.keys(body.data_pull_preferences[0].providers)).toEqual(['fitbit'])
    await manage.delete(PATH)
    expect((await manage.read(PATH)).data_pull_preferences).toEqual([])
    expect((await manage.read('/team_data_pull_preferences/production/eu')).data_pull_preferences).toEqual([])
  })

  it('are in the state of their team’s world, and gone with a reset', async () => {
    expect(await prefer('oura', 365)).toAnswer(200)
    const { tables } = await petri.read('/_petri/state')
    expect(tables.data_pull_preferences.oura).toMatchObject({ days: 365 })
    await petri.post('/_petri/reset', {})
    expect((await manage.read(PATH)).data_pull_preferences).toEqual([])
  })

  it.each([
    ['an unknown provider', { nobody: { default: days(1) } }, ['nobody', '[key]'], 'enum'],
    [
      'an unknown resource',
      { oura: { default: days(1), resource_overrides: { mood: days(1) } } },
      ['oura', 'resource_overrides', 'mood', '[key]'],
      'enum',
    ],
    [
      'too many days',
      { oura: { default: days(366) } },
      ['oura', 'default', 'historical_days_to_pull'],
      'less_than_equal',
    ],
    [
      'fewer than none',
      { oura: { default: days(-1) } },
      ['oura', 'default', 'historical_days_to_pull'],
      'greater_than_equal',
    ],
    ['no default', { oura: {} }, ['oura', 'default'], 'missing'],
  ])('are refused with %s', async (_, providers, at, type) => {
    const answer = await manage.post(PATH, { team_ids: [teamIdOf(petri)], providers })
    expect(answer).toRefuse(422, [{ type, loc: ['body', 'providers', ...at] }])
    expect((await manage.read(PATH)).data_pull_preferences).toEqual([])
  })

  it('of several teams are set for all or, when one is not there, for none', async () => {
    const body = { team_ids: [teamIdOf(petri), NOBODY], providers: { oura: { default: days(1) } } }
    expect(await manage.post(PATH, body)).toRefuse(404, 'Team not found')
    expect((await manage.read(PATH)).data_pull_preferences).toEqual([])
  })
})
