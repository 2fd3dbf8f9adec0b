import { beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../../src/kernel/instant.ts'
import { openScenarios } from '../../src/scenarios/repository.ts'
import { follower, groupsOf } from '../support/feeds.ts'
import { field } from '../support/field.ts'
import { connectDemo, createUser, deleteUser } from '../support/orders.ts'
import { forEachTest, startTestWorld } from '../support/petri.ts'
import { advance, told, toldOf } from '../support/wearables.ts'

// Which feed scenario a connection follows, and what its single acts do. Steps are minutes apart: no day passes.

const petri = forEachTest(startTestWorld)

const bundled = openScenarios({ resultNames: () => new Map() }).byKind.feed.names()

const upload = (name: string, ...steps: object[]) =>
  petri.put(`/_petri/scenarios/${name}`, {
    source: JSON.stringify({ name, summary: 'A test.', kind: 'feed', steps }),
  })
const feedOf = (user: string) => petri.read(`/_petri/users/${user}/connections/fitbit/feed`)
const follow = (user: string, scenario: string) =>
  petri.put(`/_petri/users/${user}/connections/fitbit/feed`, { scenario })
const newUser = (name: string): Promise<string> => createUser(petri, name)
const connect = (user_id: string, scenario?: string) =>
  petri.post(
    '/v2/link/connect/demo',
    { user_id, provider: 'fitbit' },
    scenario === undefined ? {} : { 'x-petri-scenario': scenario },
  )
const breaks = { after: '10m', error: 'unknown' }
const reconnects = { after: '10m', reconnect: true }
const errors = () => toldOf(petri, 'provider.connection.error')

it.each([{ error: 'unknown' }, { pause: true }])(
  'what has arrived is delivered before %j',
  { tags: 'slow' },
  async (action) => {
    await upload('mine', { after: '3h', ...action })
    await connect(await newUser('ada'), 'mine')
    const heard = async (by: number) => {
      await advance(petri, by)
      return toldOf(petri, 'daily.data.heartrate.created').length
    }
    const before = await heard(3 * 60 * MINUTE_MS - 1)
    const after = await heard(1)
    expect(after).toBeGreaterThan(before)
    expect(await heard(3 * 60 * MINUTE_MS)).toBe(after)
  },
)

describe('the scenario of a connection', () => {
  beforeEach(async () => {
    for (const name of ['one', 'two', 'three']) await upload(name, { after: '1d', gap: '1h' })
  })

  it('is the requested one, else the user’s, else the one it is named after, else the world’s, else steady', async () => {
    const scenarioAfter = async (name: string, requested?: string) => {
      const user = await newUser(name)
      if (name.startsWith('own')) await petri.put(`/_petri/users/${user}/feed`, { scenario: 'two' })
      expect(await connect(user, requested)).toAnswer(200)
      return (await feedOf(user)).scenario
    }
    expect(await scenarioAfter('a')).toBe('steady')
    expect(await scenarioAfter('own-a')).toBe('two')
    await petri.put('/_petri/world/feed', { scenario: 'one' })
    expect(await scenarioAfter('b')).toBe('one')
    expect(await scenarioAfter('own-b')).toBe('two')
    expect(await scenarioAfter('b#three')).toBe('three')
    expect(await scenarioAfter('own-b#three')).toBe('two')
    expect(await scenarioAfter('own-c', 'three')).toBe('three')
    expect(await scenarioAfter('own-d', 'steady')).toBe('steady')
    await petri.put('/_petri/world/feed', { scenario: null })
    expect(await scenarioAfter('c')).toBe('steady')
    expect((await petri.read('/_petri/world/feed')).scenario).toBeNull()
    await petri.put('/_petri/world/feed', { scenario: 'steady' })
    await petri.post('/_petri/reset')
    expect((await petri.read('/_petri/world/feed')).scenario).toBeNull()
  })

  it('of a user is that user’s alone, until it is given up', async () => {
    const [ada, ben] = [await newUser('ada'), await newUser('ben')]
    await petri.put(`/_petri/users/${ada}/feed`, { scenario: 'one' })
    expect((await petri.read(`/_petri/users/${ada}/feed`)).scenario).toBe('one')
    expect((await petri.read(`/_petri/users/${ben}/feed`)).scenario).toBeNull()
    await petri.put(`/_petri/users/${ada}/feed`, { scenario: null })
    expect((await petri.read(`/_petri/users/${ada}/feed`)).scenario).toBeNull()
    expect((await petri.read('/_petri/state')).tables.default_feeds ?? {}).toEqual({})
    await connect(ada)
    expect((await feedOf(ada)).scenario).toBe('steady')
  })

  it('that is unknown is refused, and nothing is connected', async () => {
    const user = await newUser('ada')
    expect((await connect(user, 'oen')).body.detail).toContain('Did you mean "one"?')
    expect(told(petri)).toEqual([])
    expect(await petri.post('/v2/link/token', { user_id: user }, { 'x-petri-scenario': 'oen' })).toAnswer(400)
    for (const path of ['/_petri/world/feed', `/_petri/users/${user}/feed`])
      expect(await petri.put(path, { scenario: 'nope' })).toAnswer(400)
    await connect(user)
    expect(await follow(user, 'nope')).toAnswer(400)
    expect((await feedOf(user)).scenario).toBe('steady')
  })

  it('says since when it is followed, what comes next, and what was before', async () => {
    const user = await newUser('ada')
    await connect(user, 'one')
    expect(await feedOf(user)).toEqual({
      user_id: user,
      provider: 'fitbit',
      scenario: 'one',
      began_at: '2026-01-05T09:00:00.000Z',
      next: 'nothing is seen for 1 h; it never arrives',
      next_at: '2026-01-06T09:00:00.000Z',
      without_effect: [],
      marks: [],
      before: [],
    })
    await advance(petri, MINUTE_MS)
    await follow(user, 'two')
    await advance(petri, MINUTE_MS)
    const { body } = await follow(user, 'steady')
    expect(body).toMatchObject({
      scenario: 'steady',
      began_at: '2026-01-05T09:02:00.000Z',
      next: null,
      next_at: null,
    })
    expect(body.before).toEqual([
      { scenario: 'one', began_at: '2026-01-05T09:00:00.000Z', ended_at: '2026-01-05T09:01:00.000Z' },
      { scenario: 'two', began_at: '2026-01-05T09:01:00.000Z', ended_at: '2026-01-05T09:02:00.000Z' },
    ])
  })

  it('in which nothing goes wrong stores nothing, unless another was followed', async () => {
    const user = await newUser('ada')
    await connect(user)
    await follow(user, 'steady')
    const rows = async () => Object.keys((await petri.read('/_petri/state')).tables.connection_feeds ?? {})
    expect(await rows()).toEqual([])
    await follow(user, 'one')
    expect(await rows()).toEqual([`${user}/fitbit`])
  })

  it('is forgotten with its user, once the deletion cannot be undone', { tags: 'slow' }, async () => {
    await upload('breaking', breaks)
    const user = await newUser('ada')
    await petri.put(`/_petri/users/${user}/feed`, { scenario: 'breaking' })
    await connect(user)
    expect(await deleteUser(petri, user)).toAnswer(200)
    await advance(petri, 20 * MINUTE_MS)
    expect(errors()).toEqual([])
    await advance(petri, 8 * DAY_MS)
    const { tables } = await petri.read('/_petri/state')
    expect(Object.keys(tables.connection_feeds ?? {})).toEqual([])
    expect(Object.keys(tables.default_feeds ?? {})).toEqual([])
  })

  it('that is uploaded again is the old one for who follows it already', { tags: 'slow' }, async () => {
    const user = await newUser('ada')
    await connect(user, 'one')
    await upload('one', breaks)
    await advance(petri, 20 * MINUTE_MS)
    expect(errors()).toEqual([])
    const other = await newUser('ben')
    await connect(other, 'one')
    await advance(petri, 20 * MINUTE_MS)
    expect(errors().map(field('user_id'))).toEqual([other])
  })

  it('cannot be removed while it is a default, and is unknown once it is removed', async () => {
    const user = await newUser('ada')
    const remove = () => petri.delete('/_petri/scenarios/one')
    await petri.put('/_petri/world/feed', { scenario: 'one' })
    expect((await remove()).body.detail).toContain('this world')
    await petri.put('/_petri/world/feed', { scenario: 'two' })
    await petri.put(`/_petri/users/${user}/feed`, { scenario: 'one' })
    expect((await remove()).body.detail).toContain(`user ${user}`)
    await petri.put(`/_petri/users/${user}/feed`, { scenario: null })
    expect(await remove()).toAnswer(204)
    expect(await remove()).toAnswer(404)
    expect(await petri.delete('/_petri/scenarios/steady')).toAnswer(409)
    expect(await petri.get('/_petri/scenarios/one')).toAnswer(404)
    expect(await connect(user, 'one')).toAnswer(400)
  })
})

describe('an act of a feed scenario', () => {
  it('breaks the connection once, with its error and message', async () => {
    await upload('mine', { ...breaks, error: 'provider_password_expired', message: 'Change it.' })
    await follower(petri, 'mine')
    await advance(petri, 10 * MINUTE_MS - 1)
    expect(errors()).toEqual([])
    await advance(petri, 1)
    expect(errors()).toHaveLength(1)
    expect(JSON.stringify(errors()[0]?.data)).toContain('provider_password_expired')
    await advance(petri, 60 * MINUTE_MS)
    expect(errors()).toHaveLength(1)
  })

  it('connects a broken connection again, and gives another consent to one that is whole', {
    tags: 'slow',
  }, async () => {
    await upload('mine', breaks, reconnects)
    const user = await follower(petri, 'mine')
    const created = () => toldOf(petri, 'provider.connection.created')
    await advance(petri, 20 * MINUTE_MS)
    expect(created()).toHaveLength(2)
    const [connection] = (await petri.read(`/v2/user/providers/${user}`)).providers
    expect(connection).toMatchObject({ slug: 'fitbit', status: 'connected' })
    const other = await newUser('ben')
    await connect(other, 'mine')
    await advance(petri, 15 * MINUTE_MS)
    await connect(other)
    const before = created().length
    await advance(petri, 5 * MINUTE_MS)
    expect(created()).toHaveLength(before + 1)
  })

  it('connects again what it has disconnected, whatever came before', { tags: 'slow' }, async () => {
    const sample = { after: '5m', sample: { resource: 'steps', value: 3 } }
    await upload('mine', sample, { after: '5m', disconnect: true }, reconnects)
    const user = await follower(petri, 'mine')
    await advance(petri, 10 * MINUTE_MS)
    expect((await petri.read(`/v2/user/providers/${user}`)).providers).toEqual([])
    await advance(petri, 10 * MINUTE_MS)
    expect((await petri.read(`/v2/user/providers/${user}`)).providers).toMatchObject([{ slug: 'fitbit' }])
  })

  it('gives another consent to a connection that is whole, and none once the user has ended it', async () => {
    await upload('mine', reconnects, reconnects)
    const user = await follower(petri, 'mine')
    const created = () => toldOf(petri, 'provider.connection.created').length
    await advance(petri, 10 * MINUTE_MS)
    expect(created()).toBe(2)
    await petri.delete(`/v2/user/${user}/fitbit`)
    await advance(petri, 10 * MINUTE_MS)
    expect([created(), (await petri.read('/_petri/world')).failed_jobs]).toEqual([2, []])
    expect((await petri.read(`/v2/user/providers/${user}`)).providers).toEqual([])
  })

  it('is dropped when another scenario is followed, and when the connection is gone', async () => {
    await upload('mine', breaks)
    const [ada, ben] = [await newUser('ada'), await newUser('ben')]
    await connect(ada, 'mine')
    await connect(ben, 'mine')
    await follow(ada, 'steady')
    await petri.delete(`/v2/user/${ben}/fitbit`)
    await advance(petri, 20 * MINUTE_MS)
    expect(errors()).toEqual([])
  })

  it('concerns its own connection', async () => {
    await upload('mine', breaks)
    const [ada, ben] = [await newUser('ada'), await newUser('ben')]
    await connect(ada, 'mine')
    await connect(ben)
    await connectDemo(petri, ada, 'oura')
    await advance(petri, 20 * MINUTE_MS)
    expect(errors().map(field('user_id'))).toEqual([ada])
    const { providers } = await petri.read(`/v2/user/providers/${ada}`)
    expect(
      providers.map(({ slug, status }: { slug: string; status: string }) => `${slug} ${status}`).sort(),
    ).toEqual(['fitbit error', 'oura connected'])
  })

  it('changes the device, its usual one or one of the given type', async () => {
    await upload(
      'mine',
      { after: '10m', device: { device_model: 'Sense', device_version: '2' } },
      { after: '10m', device: { device_model: 'Aria' }, source_type: 'scale' },
    )
    const user = await follower(petri, 'mine')
    const changes = () => told(petri).filter(({ event_type }) => event_type.startsWith('provider.device.'))
    await advance(petri, 10 * MINUTE_MS)
    const watch = { device_model: 'Sense', device_version: '2', source_type: 'watch' }
    expect(changes().at(-1)).toMatchObject({ event_type: 'provider.device.updated', data: watch })
    await advance(petri, 10 * MINUTE_MS)
    expect(changes().at(-1)?.data).toMatchObject({ device_model: 'Aria', source_type: 'scale' })
    expect(await petri.read(`/v2/user/${user}/device`)).toContainEqual(expect.objectContaining(watch))
  })

  it('sends one sample, which ends at its time', async () => {
    const alert = { resource: 'heart_rate_alert', value: 1, type: 'high_heart_rate', lasts: '5m' }
    const burden = { resource: 'afib_burden', value: 6.5 }
    await upload(
      'mine',
      { after: '0s', time_zone: 'Asia/Tokyo' },
      { after: '10m', sample: alert },
      { after: '0s', sample: burden },
    )
    const user = await follower(petri, 'mine')
    await advance(petri, 9 * MINUTE_MS)
    expect(await groupsOf(petri, user, alert.resource)).toEqual([])
    await advance(petri, 2 * MINUTE_MS)
    const [group] = await groupsOf(petri, user, alert.resource)
    expect(group?.data).toMatchObject([{ value: 1, type: 'high_heart_rate', timezone_offset: 32_400 }])
    expect(toldOf(petri, 'daily.data.heart_rate_alert.created')).toHaveLength(1)
    const { start, end, timestamp } = { ...group?.data[0] } as {
      start?: string
      end?: string
      timestamp?: string
    }
    expect([start ?? timestamp, end ?? null].join(' ')).toContain('2026-01-05T09:05:00+00:00')
    const [short] = await groupsOf(petri, user, burden.resource)
    expect(short?.data).toMatchObject([{ value: 6.5, timestamp: '2026-01-05T09:10:00+00:00' }])
  })

  it('sends no sample while the connection is broken', async () => {
    await upload('mine', { after: '10m', sample: { resource: 'afib_burden', value: 6.5 } })
    await upload('broken', { after: '5m', error: 'unknown' })
    const user = await follower(petri, 'mine')
    await petri.delete(`/v2/user/${user}/fitbit`)
    await advance(petri, 20 * MINUTE_MS)
    expect(await groupsOf(petri, user, 'afib_burden')).toEqual([])
  })
})

describe('the list of feed scenarios', () => {
  it('shows the uploaded ones among the bundled, by name', async () => {
    await upload('aaa')
    const { data } = await petri.read('/_petri/scenarios?kind=feed')
    const names = data.map(field('name'))
    expect(names).toEqual(['aaa', ...bundled])
    expect(names).toEqual(names.toSorted())
    expect(data.find(({ name }: { name: string }) => name === 'aaa')).toEqual({
      name: 'aaa',
      kind: 'feed',
      summary: 'A test.',
      group: '',
      uploaded: true,
      error: null,
      method: null,
      zip: null,
    })
    expect(data.filter(({ uploaded }: { uploaded: boolean }) => uploaded)).toHaveLength(1)
  })
})
