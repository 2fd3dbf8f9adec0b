import { describe, expect, it } from 'vitest'
import { pauseConnection } from '../../src/resources/connecting/service.ts'
import { bulkOps, recipes } from '../../src/resources/link/table.ts'
import { field } from '../support/field.ts'
import { browse, connectedTo, newToken } from '../support/link.ts'
import { advance, connectDemo, createUser, setFeatures } from '../support/orders.ts'
import { forEachTest, NOBODY } from '../support/petri.ts'
import { toldOf } from '../support/wearables.ts'

const petri = forEachTest()

const recipe = (user_id: string, more: object = {}) => ({
  user_id,
  access_token: 'a',
  refresh_token: 'r',
  provider_id: `account of ${user_id}`,
  expires_at: 1_800_000_000,
  oauth_scopes: ['daily'],
  ...more,
})

async function createUsers(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < count; at++) ids.push(await createUser(petri, `user-${at}`))
  return ids
}

const importAll = (users: readonly string[], wait_for_completion = false, provider = 'oura') =>
  petri.post('/v2/link/bulk_import', {
    provider,
    connections: users.map((id) => recipe(id)),
    wait_for_completion,
  })
const pull = (user_ids: readonly string[], wait_for_completion: boolean) =>
  petri.post('/v2/link/bulk_trigger_historical_pull', { provider: 'oura', user_ids, wait_for_completion })
const exported = async (more: object = {}) =>
  (await petri.post('/v2/link/bulk_export', { provider: 'oura', ...more })).body
const latest = async () => (await petri.read('/v2/link/bulk_op')).data[0]
const statusOf = async (userId: string) => (await connectedTo(petri, userId)).map(field('status'))

async function link(userId: string, provider = 'oura'): Promise<void> {
  const token = await newToken(petri, userId)
  await browse(petri, `/v2/link/connect/${provider}?state=${token}&code=account`)
}

async function createLinked(count: number): Promise<string[]> {
  const users = await createUsers(count)
  for (const user of users) await link(user)
  return users
}

describe('a bulk import', () => {
  it('takes at most twenty steps, one a second', async () => {
    const users = await createUsers(45)
    await importAll(users)
    const seen: number[] = []
    for (let second = 0; second < 15; second++) {
      await advance(petri, '1s')
      const { processed, pending, status } = await latest()
      expect([processed + pending, status]).toEqual([45, pending > 0 ? 'in_progress' : 'success'])
      seen.push(processed)
    }
    expect(seen).toEqual([3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 39, 42, 45])
    for (const user of users) expect(await statusOf(user)).toEqual(['connected'])
  })

  it('has a last step with what is left, and no further one', { tags: 'slow' }, async () => {
    const { status, body } = await importAll(await createUsers(21))
    expect([status, body]).toEqual([202, { user_ids_imported: [], user_ids_failed: [] }])
    await advance(petri, '10s')
    expect(await latest()).toMatchObject({ processed: 20, pending: 1, ended_at: null })
    await advance(petri, '1m')
    expect(await latest()).toEqual({
      type: 'link_bulk_import',
      status: 'success',
      provider: 'oura',
      pending: 0,
      processed: 21,
      started_at: '2026-01-05T09:00:00+00:00',
      ended_at: '2026-01-05T09:00:11+00:00',
    })
  })

  it.each([
    [[], 'success'],
    [[NOBODY], 'failure'],
    [[NOBODY, NOBODY], 'failure'],
    [[NOBODY, 'ada'], 'success'],
  ])('of %j ends as %s', async (names, status) => {
    const ada = await createUser(petri)
    const users = names.map((name) => (name === 'ada' ? ada : name))
    await importAll(users)
    await advance(petri, '3s')
    const seconds = `0${users.length}`
    expect(await latest()).toMatchObject({
      status,
      processed: users.length,
      pending: 0,
      ended_at: `2026-01-05T09:00:${seconds}+00:00`,
    })
    expect((await importAll(users, true)).body).toEqual({
      user_ids_imported: users.filter((id) => id === ada),
      user_ids_failed: users.filter((id) => id === NOBODY),
    })
    expect(await latest()).toMatchObject({ status, processed: users.length, pending: 0 })
  })

  it('leaves users with a demo connection as they are', async () => {
    const ada = await createUser(petri)
    await connectDemo(petri, ada, 'fitbit')
    expect((await importAll([ada], true)).body).toEqual({ user_ids_imported: [], user_ids_failed: [ada] })
    expect([(await connectedTo(petri, ada)).length, petri.world().db.count(recipes)]).toEqual([1, 0])
  })

  it('lets an account be of two users, unless the team rejects that', async () => {
    const [ada = '', grace = '', joan = ''] = await createUsers(3)
    const same = (user: string, provider = 'oura') =>
      petri.post('/v2/link/bulk_import', {
        provider,
        connections: [recipe(user, { provider_id: 'same', oauth_scopes: null })],
        wait_for_completion: true,
      })
    expect((await same(ada)).body.user_ids_imported).toEqual([ada])
    expect((await same(grace)).body.user_ids_imported).toEqual([grace])
    await setFeatures(petri, { reject_duplicate_connection: true })
    expect((await same(joan)).body.user_ids_failed).toEqual([joan])
    expect((await same(joan, 'fitbit')).body.user_ids_imported).toEqual([joan])
    expect(await connectedTo(petri, joan)).toMatchObject([{ slug: 'fitbit', external_user_id: 'same' }])
    for (const user of [ada, grace]) await petri.delete(`/v2/user/${user}/oura`)
    expect((await same(joan)).body.user_ids_imported).toEqual([joan])
    expect((await same(joan)).body.user_ids_imported).toEqual([joan])
  })
})

describe('a bulk pull of histories', () => {
  it('reaches users whose connection collects data', { tags: 'slow' }, async () => {
    const [ada = '', grace = '', joan = ''] = await createUsers(3)
    for (const user of [ada, grace]) await link(user)
    await link(joan, 'polar')
    await advance(petri, '1h')
    pauseConnection(petri.world(), grace, 'oura')
    await pull([ada, grace, joan, NOBODY], true)
    const [op] = [...petri.world().db.all(bulkOps)]
    expect([op?.status, op?.failed]).toEqual(['success', [grace, joan, NOBODY]])
    const before = toldOf(petri, 'historical.data.sleep.created').length
    await advance(petri, '1h')
    const again = toldOf(petri, 'historical.data.sleep.created').slice(before)
    expect(again.map(field('user_id'))).toEqual([ada])
  })

  it('goes on step by step when nobody waits', async () => {
    const [ada = '', grace = ''] = await createLinked(2)
    expect(await pull([ada, grace], false)).toAnswer(202)
    expect(await latest()).toMatchObject({ type: 'link_bulk_historical_trigger', pending: 2 })
    await advance(petri, '1s')
    expect(await latest()).toMatchObject({ status: 'in_progress', processed: 1 })
    await advance(petri, '1s')
    expect(await latest()).toMatchObject({ status: 'success', processed: 2 })
  })
})

describe('a bulk pause', () => {
  it('is of the connections that collect data from the provider, until the user connects again', async () => {
    const [ada = '', grace = ''] = await createLinked(2)
    await link(ada, 'polar')
    const pause = { provider: 'oura', user_ids: [ada, ada, NOBODY] }
    expect(await petri.post('/v2/link/bulk_pause', pause)).toAnswer(200, null)
    expect(await statusOf(ada)).toEqual(['paused', 'connected'])
    expect(await statusOf(grace)).toEqual(['connected'])
    await link(ada)
    expect(await statusOf(ada)).toEqual(['connected', 'connected'])
  })
})

describe('a bulk export', () => {
  it('has made-up credentials of a connection that was not imported', async () => {
    const [ada = '', grace = '', joan = ''] = await createUsers(3)
    for (const user of [ada, grace]) await link(user)
    await link(joan, 'polar')
    const { data, next_token } = await exported()
    expect([data.map(field('user_id')), next_token]).toEqual([[ada, grace], null])
    const [first, second] = data
    expect(first).toEqual({
      user_id: ada,
      access_token: expect.stringMatching(/^[0-9A-Za-z]{40}$/),
      refresh_token: expect.stringMatching(/^[0-9A-Za-z]{40}$/),
      provider_id: 'account',
      expires_at: Date.parse('2026-01-06T09:00:00Z') / 1000,
      oauth_scopes: null,
    })
    const tokens = [first, second].flatMap(({ access_token, refresh_token }) => [access_token, refresh_token])
    expect(new Set(tokens).size).toBe(4)
    expect((await exported()).data).toEqual(data)
  })

  it('is of the named users only, where some are named', async () => {
    const [ada = '', grace = ''] = await createLinked(2)
    const idsOf = async (user_ids: string[] | null) =>
      (await exported({ user_ids })).data.map(field('user_id'))
    expect([await idsOf(null), await idsOf([grace, NOBODY]), await idsOf([])]).toEqual([
      [ada, grace],
      [grace],
      [],
    ])
  })

  it('leaves out who has disconnected, and has a hundred connections to a page', async () => {
    const users = await createUsers(102)
    await importAll(users, true)
    const [gone = '', ...rest] = users
    await petri.delete(`/v2/user/${gone}/oura`)
    const first = await exported()
    expect(first.data).toEqual(rest.slice(0, 100).map((id) => recipe(id)))
    expect(await exported({ next_token: first.next_token })).toEqual({
      data: rest.slice(100).map((id) => recipe(id)),
      next_token: null,
    })
  })
})

it('bulk operations are listed newest first, page by page', async () => {
  const [ada = ''] = await createUsers(1)
  await importAll([ada], true)
  await advance(petri, '1h')
  await pull([ada], true)
  const path = '/v2/link/bulk_op?page_size=1'
  const first = await petri.read(path)
  expect(first.data).toEqual([
    {
      type: 'link_bulk_historical_trigger',
      status: 'success',
      provider: 'oura',
      pending: 0,
      processed: 1,
      started_at: '2026-01-05T10:00:00+00:00',
      ended_at: '2026-01-05T10:00:00+00:00',
    },
  ])
  const second = await petri.read(`${path}&next_cursor=${first.next_cursor}`)
  expect(second).toMatchObject({ data: [{ type: 'link_bulk_import' }], next_cursor: null })
  expect(await petri.get('/v2/link/bulk_op?next_cursor=x')).toRefuse(400, 'Invalid cursor')
})

it('bulk operations are refused to a team that may not', async () => {
  await setFeatures(petri, { bulk_operations: false })
  const body = { provider: 'oura', user_ids: [], connections: [] }
  const refused = 'Bulk operations are not enabled for this team.'
  for (const name of ['bulk_import', 'bulk_trigger_historical_pull', 'bulk_export', 'bulk_pause'])
    expect(await petri.post(`/v2/link/${name}`, body), name).toRefuse(403, refused)
  expect(await petri.get('/v2/link/bulk_op')).toRefuse(403, refused)
})
