import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keepingFolder } from '../support/keeping-folder.ts'
import { managing } from '../support/management.ts'
import { createUser, postUser } from '../support/orders.ts'
import {
  fromAddress,
  KEY,
  ok,
  START,
  startTestPetri,
  startTestWorld,
  type TestPetri,
} from '../support/petri.ts'

const HOUR_MS = 3_600_000

let petri: TestPetri
let clock: { now: number }
let dropped: string[]
const folder = { current: keepingFolder() }

type Options = Parameters<typeof startTestPetri>[0]
const startOpen = (options: Options = {}) =>
  startTestPetri({
    openWorlds: { ttlMs: HOUR_MS, limit: 5000 },
    wall: () => clock.now,
    onWorldDropped: ({ identity }, reason) => dropped.push(`${identity.apiKey}: ${reason}`),
    folder: folder.current,
    ...options,
  })

const restart = async (options: Options = {}) => {
  await petri.close()
  petri = await startOpen(options)
}

beforeEach(async () => {
  clock = { now: START }
  dropped = []
  folder.current = keepingFolder()
  petri = await startOpen()
})
afterEach(() => petri.close())

const withKey = (key: string) => ({ 'x-service-api-key': key })
const worldOf = (key: string) => petri.get('/_petri/world', withKey(key))
const teams = () => petri.petri.worlds.all().map(({ identity }) => identity.apiKey)

describe('a key that is seen first', () => {
  it('opens a world made as the first is, seeded by the key', async () => {
    const { body: first } = await worldOf(KEY)
    const body = await ok(worldOf('sk_us_branch-17'))
    expect(body).toMatchObject({
      name: first.name,
      org_id: first.org_id,
      clock: first.clock,
      scenario: first.scenario,
      features: first.features,
      api_key: 'sk_us_branch-17',
      seed: 'sk_us_branch-17',
      counts: { users: 0 },
    })
    expect(body.team_id).not.toBe(first.team_id)
  })

  it('has the webhook secret and the receiver of the first world, where these are given', async () => {
    await restart({
      world: {
        scenario: 'manual',
        webhookUrl: 'http://127.0.0.1:9000/hook',
        webhookSecret: 'whsec_cGV0cmktZGVmYXVsdC1zZWNyZXQtMXN0',
      },
    })
    const { body } = await worldOf('sk_us_abc')
    expect(body).toMatchObject({
      webhook_secret: 'whsec_cGV0cmktZGVmYXVsdC1zZWNyZXQtMXN0',
      scenario: 'manual',
    })
    const endpoints = await petri.read('/_petri/webhooks/endpoints', withKey('sk_us_abc'))
    expect(endpoints.data).toMatchObject([{ url: 'http://127.0.0.1:9000/hook' }])
  })

  it.each(['sk_us_abc', 'sk_eu_abc', `sk_us_${'x'.repeat(64)}`, 'sk_us_A-b_9', 'sk_us___proto__'])(
    'opens one as %s',
    async (key) => {
      expect(await worldOf(key)).toAnswer(200, { api_key: key })
      const bearer = { 'x-service-api-key': '', authorization: `Bearer ${key}` }
      expect(await petri.get('/_petri/world', bearer)).toMatchObject({ body: { api_key: key } })
    },
  )

  it.each([
    'sk_us_ab',
    `sk_us_${'x'.repeat(65)}`,
    'sk_uk_abc',
    'SK_US_abc',
    'pk_us_abc',
    'mg_petri',
    'sk_us_a b',
    'sk_us_a.b',
    'sk_us_abc, sk_us_def',
    'sk_us_../../etc',
    'sk_us_%2e%2e',
    'abc',
  ])('is refused as %s', async (key) => {
    expect(await worldOf(key)).toRefuse(401, 'invalid token')
    expect(teams()).toEqual([KEY])
  })

  it('is refused, whatever it is, where worlds are not open', async () => {
    const closed = await startTestWorld()
    expect(await closed.get('/v2/user', withKey('sk_us_abc'))).toAnswer(401)
    await closed.close()
  })

  it.each([
    ['as a management key', { 'x-management-key': 'sk_us_abc', 'x-service-api-key': '' }],
    ['as a link token', { 'x-vital-link-token': 'sk_us_abc', 'x-service-api-key': '' }],
    ['with another scheme', { authorization: 'Basic sk_us_abc', 'x-service-api-key': '' }],
    ['in a header nobody reads', { 'x-api-key': 'sk_us_abc', 'x-service-api-key': '' }],
    ['in a cookie', { cookie: 'x-service-api-key=sk_us_abc', 'x-service-api-key': '' }],
    ['beside a key that opens nothing', { 'x-vital-api-key': 'sk_us_abc', 'x-service-api-key': 'nothing' }],
  ])('opens nothing %s', async (_, headers) => {
    for (const path of ['/v2/user', '/v2/link/token/isvalid', '/_petri/world', '/no/such/path']) {
      expect((await petri.get(path, headers)).status).toBeGreaterThanOrEqual(400)
    }
    expect(teams()).toEqual([KEY])
  })

  it('opens nothing on a path that is not there, and nothing for a page of another site', async () => {
    expect(await petri.get('/v9/nothing', withKey('sk_us_abc'))).toAnswer(404)
    const foreign = { ...withKey('sk_us_abc'), 'sec-fetch-site': 'cross-site' }
    expect(await petri.get('/_petri/world', foreign)).toAnswer(403)
    const rebound = { ...withKey('sk_us_abc'), host: 'evil.example' }
    expect(await petri.get('/v2/user', rebound)).toRefuse(403, expect.stringContaining('PETRI_PUBLIC_URL'))
    expect(teams()).toEqual([KEY])
  })

  it('opens one world, however many calls come with it at once', async () => {
    const calls = Array.from({ length: 50 }, (_, at) => postUser(petri, `user-${at}`, withKey('sk_us_many')))
    const answers = await Promise.all(calls)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(teams()).toEqual([KEY, 'sk_us_many'])
    expect((await worldOf('sk_us_many')).body.counts.users).toBe(50)
  })

  it('gives the same ids wherever and whenever it is used', async () => {
    const first = await postUser(petri, 'ada', withKey('sk_us_same'))
    folder.current = keepingFolder()
    await restart()
    await postUser(petri, 'grace', withKey('sk_us_other'))
    const again = await postUser(petri, 'ada', withKey('sk_us_same'))
    expect(again.body).toEqual(first.body)
  })

  it('opens one where Petri was killed before anything of it was stored', async () => {
    const { body } = await worldOf('sk_us_killed')
    await petri.close()
    folder.current = keepingFolder()
    await folder.current.open(body.team_id)
    petri = await startOpen()
    expect(petri.petri.worlds.setAside).toEqual([])
    expect((await worldOf('sk_us_killed')).body.team_id).toBe(body.team_id)
  })

  it('answers 503 when its world exists and cannot be opened', async () => {
    const { body } = await worldOf('sk_us_broken')
    await petri.close()
    const damaged = folder.current
    petri = await startOpen({
      folder: {
        ...damaged,
        open: async (teamId) => {
          if (teamId === body.team_id) throw new Error('world.json is damaged in line 3')
          return damaged.open(teamId)
        },
      },
    })
    expect(await worldOf('sk_us_broken')).toRefuse(503, expect.stringContaining('damaged in line 3'))
    expect(await worldOf('sk_us_whole')).toAnswer(200)
  })
})

describe('an open world', () => {
  it('that was replaced or deleted opens nothing, also after a restart, until its world is gone', async () => {
    const { body: world } = await worldOf('sk_us_first')
    const rotate = (from: string, to: string) => petri.patch('/_petri/world', { api_key: to }, withKey(from))
    expect(await rotate('sk_us_first', 'sk_us_second')).toAnswer(200)
    expect(await rotate('sk_us_second', 'sk_us_third')).toAnswer(200)
    const manage = managing(petri)
    const { body: key } = await manage.post('/team_api_keys/sandbox/us', {
      label: 'x',
      team_id: world.team_id,
    })
    expect((await worldOf(key.value)).body.team_id).toBe(world.team_id)
    await manage.delete(`/team_api_keys/sandbox/us?api_key_id=${key.id}`)
    const retired = ['sk_us_first', 'sk_us_second', key.value]
    const refused = { status: 401, body: { detail: 'invalid token' } }
    for (const each of retired) expect(await worldOf(each), each).toMatchObject(refused)
    await restart()
    for (const each of retired) expect(await worldOf(each), each).toMatchObject(refused)
    expect((await worldOf('sk_us_third')).body.team_id).toBe(world.team_id)
    expect(await rotate('sk_us_third', 'sk_us_first')).toAnswer(200)
    expect((await worldOf('sk_us_first')).body.team_id).toBe(world.team_id)
    clock.now += HOUR_MS
    await petri.petri.maintain()
    expect(await worldOf('sk_us_second')).toAnswer(200)
  })

  it('is restored after a restart with all of its data', async () => {
    const userId = await createUser(petri, 'mine')
    const { body } = await postUser(petri, 'ada', withKey('sk_us_kept'))
    await restart()
    expect(await petri.read(`/v2/user/${body.user_id}`, withKey('sk_us_kept'))).toMatchObject({
      client_user_id: 'ada',
    })
    expect(await petri.get(`/v2/user/${userId}`)).toAnswer(200)
  })

  it('is deleted after a time without calls, and created again by the next call', async () => {
    await postUser(petri, 'ada', withKey('sk_us_idle'))
    const made = await worldOf('sk_us_idle')
    clock.now += HOUR_MS - 1
    await petri.petri.maintain()
    expect(teams()).toContain('sk_us_idle')
    clock.now += 1
    await petri.petri.maintain()
    expect(teams()).toEqual([KEY])
    expect(dropped).toEqual(['sk_us_idle: it was not called for as long as PETRI_WORLD_TTL says'])
    expect([...folder.current.stored.keys()]).not.toContain(made.body.team_id)
    expect((await worldOf('sk_us_idle')).body).toMatchObject({
      team_id: made.body.team_id,
      counts: { users: 0 },
    })
  })

  it('stays while it is called, and ends the streams of those who watch it when it goes', {
    tags: 'slow',
  }, async () => {
    await worldOf('sk_us_called')
    const stream = await petri.petri.app.request('/_petri/events', { headers: withKey('sk_us_watched') })
    clock.now += HOUR_MS - 1
    await worldOf('sk_us_called')
    clock.now += 2
    await petri.petri.maintain()
    expect(teams()).toEqual([KEY, 'sk_us_called'])
    expect(await stream.text()).toContain('"change":"dropped"')
  })

  it('is the only kind that is dropped: the first world and those made by the control API stay', async () => {
    const { body } = await petri.post('/_petri/worlds', { name: 'Made' })
    clock.now += 100 * HOUR_MS
    await petri.petri.maintain()
    expect(teams()).toEqual([KEY, body.api_key])
  })

  it('makes room for another at the limit: the least recently used is deleted', async () => {
    await restart({ openWorlds: { ttlMs: HOUR_MS, limit: 3 } })
    for (const name of ['one', 'two', 'three']) await worldOf(`sk_us_${name}`)
    await worldOf('sk_us_one')
    await worldOf('sk_us_four')
    expect(teams()).toEqual([KEY, 'sk_us_one', 'sk_us_three', 'sk_us_four'])
    expect(dropped).toEqual(['sk_us_two: there are as many worlds as PETRI_WORLD_LIMIT allows'])
  })

  it('never exceeds the limit, however many keys arrive', { tags: 'slow' }, async () => {
    await restart({ openWorlds: { ttlMs: HOUR_MS, limit: 10 } })
    const calls = Array.from({ length: 300 }, (_, at) => worldOf(`sk_us_flood-${at}`))
    const answers = await Promise.all(calls)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(300)
    expect(petri.petri.worlds.all()).toHaveLength(11)
    expect(dropped).toHaveLength(290)
    expect(await petri.get('/v2/user')).toAnswer(200)
  })

  it('keeps its place among the unused over a restart, and the time in between does not count', async () => {
    await worldOf('sk_us_first')
    await worldOf('sk_us_second')
    clock.now += 61_000
    await worldOf('sk_us_first')
    await restart()
    clock.now += 40 * HOUR_MS
    await restart({ openWorlds: { ttlMs: HOUR_MS, limit: 2 } })
    await petri.petri.maintain()
    expect(dropped).toEqual([])
    await worldOf('sk_us_third')
    expect(dropped).toEqual([expect.stringContaining('sk_us_second')])
  })

  it('exports when it was called last, and nothing of other worlds', async () => {
    const { team_id } = (await worldOf('sk_us_one')).body
    await worldOf('sk_us_two')
    clock.now += 61_000
    await petri.petri.maintain()
    const { organisation } = await petri.read('/_petri/state', withKey('sk_us_one'))
    expect(organisation).toEqual({ open_world_calls: { [team_id]: { team_id, at: START } } })
    expect((await petri.read('/_petri/state')).organisation).toEqual({})
  })

  it('that was deleted is created again by the next call', async () => {
    const { body } = await worldOf('sk_us_gone')
    expect(await petri.delete(`/_petri/worlds/${body.team_id}`)).toAnswer(204)
    expect((await worldOf('sk_us_gone')).body.team_id).toBe(body.team_id)
    clock.now += HOUR_MS
    await petri.petri.maintain()
    expect(teams()).toEqual([KEY])
  })

  it('is reset like any other, and is not deleted earlier for it', async () => {
    await postUser(petri, 'ada', withKey('sk_us_reset'))
    clock.now += HOUR_MS - 1
    expect((await petri.post('/_petri/reset', undefined, withKey('sk_us_reset'))).body.counts.users).toBe(0)
    clock.now += 2
    await petri.petri.maintain()
    expect(teams()).toContain('sk_us_reset')
  })
})

describe('behind a proxy', () => {
  const publicUrl = 'https://petri.example/petri-0'

  it('the public name is an own name, for the API, the control API and the page', async () => {
    await restart({ publicUrl })
    const behind = { ...withKey('sk_us_abc'), host: 'petri.example' }
    const page = { host: 'petri-0:4080', origin: 'https://petri.example', 'sec-fetch-site': 'same-origin' }
    expect(await petri.get('/v2/user', behind)).toAnswer(200)
    expect(await petri.get('/_petri/clock', behind)).toAnswer(200)
    expect(await petri.get('/_petri/clock', { ...behind, ...page })).toAnswer(200)
    expect(await petri.get('/_petri/clock', { ...behind, origin: 'https://evil.example' })).toAnswer(403)
    expect(await petri.get('/_petri/clock', { ...behind, host: 'evil.example' })).toAnswer(403)
  })

  it('no caller counts as this machine, which the proxy might be on', async () => {
    await restart({ publicUrl })
    const local = fromAddress('127.0.0.1')
    for (const [path, headers] of [
      ['/_petri/worlds', {}],
      ['/v1/org', { 'x-management-key': 'mg_petri' }],
    ] as const) {
      const answer = await petri.petri.app.request(path, { headers }, local)
      expect([path, answer.status]).not.toEqual([path, 200])
    }
  })
})

describe('with the first world for every key', () => {
  it('each key means it, also one that no world has, and a call without a key stays refused', async () => {
    await restart({ openWorlds: undefined, everyKeyOpensFirst: true })
    expect(await postUser(petri, 'ada')).toAnswer(200)
    for (const key of ['sk_us_mine', 'sk_eu_other', 'pk_us_production'])
      expect(await petri.get('/v2/user/resolve/ada', withKey(key))).toAnswer(200)
    expect(await petri.get('/v2/user', { 'x-service-api-key': '' })).toAnswer(401)
    expect(petri.petri.worlds.all()).toHaveLength(1)
  })
})
