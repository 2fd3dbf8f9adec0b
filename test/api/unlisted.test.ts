import { describe, expect, it } from 'vitest'
import { field } from '../support/field.ts'
import {
  address,
  advance,
  changeInfo,
  changeUser,
  connectDemo,
  createUser,
  orderBy,
  readUser,
  setFeatures,
} from '../support/orders.ts'
import { forEachTest, ok, startTestWorld } from '../support/petri.ts'
import { toldOf } from '../support/wearables.ts'

const petri = forEachTest()

describe('old ways in', () => {
  it('create and find a user by the paths of 2022', async () => {
    const body = await ok(petri.post('/v2/user/key', { client_user_id: 'ada' }))
    expect(await petri.read('/v2/user/key/ada')).toEqual(await readUser(petri, body.user_id))
    expect(await petri.get('/v2/user/key/bob')).toAnswer(404)
    expect(await petri.post('/v2/user/key', { client_user_id: 'ada' })).toAnswer(400)
  })

  it('cancel an order by the path of a printed example', async () => {
    const { id } = await orderBy(petri, 'walk_in_test')
    const { status, body } = await petri.delete(`/v3/lab_test/${id}/cancel`)
    expect([status, body.order.status]).toEqual([200, 'cancelled'])
    expect(await petri.delete(`/v3/lab_test/${body.order.user_id}/cancel`)).toAnswer(404)
  })
})

it('a simulated critical walk-in sends one critical event, unless partial results are sent', async () => {
  for (const [partial, count] of [
    [false, 1],
    [true, 2],
  ] as const) {
    const petri = await startTestWorld()
    await setFeatures(petri, { simulation: 'live', partial_results_webhooks: partial })
    const { id } = await orderBy(petri, 'walk_in_test')
    await petri.post(`/v3/order/${id}/test?delay=1`, { interpretation: 'critical' })
    await advance(petri, '1s')
    expect(toldOf(petri, 'labtest.result.critical')).toHaveLength(count)
  }
})

it('the first day of a demo connection is whole', { tags: 'slow' }, async () => {
  const fallback_time_zone = 'America/Los_Angeles'
  const user = (await petri.post('/v2/user', { client_user_id: 'ada', fallback_time_zone })).body.user_id
  await connectDemo(petri, user, 'fitbit')
  await advance(petri, '1h')
  const { activity } = await petri.read(`/v2/summary/activity/${user}?start_date=2025-12-01`)
  const [first, second] = activity.map(field('steps'))
  expect(activity[0].calendar_date).toBe('2025-12-06')
  expect(first).toBeGreaterThan(second / 4)
})

describe('operations that the contract does not list', () => {
  const info = (first_name: string, last_name: string, email: string, phone_number: string) => ({
    ...{ first_name, last_name, email, phone_number, gender: 'female', dob: '1992-05-30', address },
  })

  it('search users by id, name, e-mail and phone number', async () => {
    const [ada, bob] = [await createUser(petri, 'ada-1'), await createUser(petri, 'bob-1')]
    const angela = info('Angela', 'Whitfield', 'angela@example.com', '+16025550104')
    await changeInfo(petri, bob, angela)
    const search = (query: string) => petri.read(`/v2/user/search?search_input=${query}`)
    const idsOf = async (query: string) => (await search(query)).users.map(field('user_id'))
    expect(await search('-1')).toMatchObject({ total: 2, offset: 0, limit: 30 })
    expect(await idsOf('-1')).toEqual([ada, bob])
    expect(await idsOf('-1&order_direction=desc')).toEqual([bob, ada])
    expect(await idsOf('-1&order_key=first_name')).toEqual([bob, ada])
    expect(await idsOf('-1&limit=1&offset=1')).toEqual([bob])
    for (const text of [
      'angela%20WHIT',
      'angela@',
      '%2B16025550104',
      '+16025550104',
      'BOB',
      bob.slice(0, 13),
    ])
      expect(await idsOf(text), text).toEqual([bob])
    expect(await idsOf('nobody')).toEqual([])
    const [found] = (await search('whitfield')).users
    const { address: _, ...person } = angela
    expect(found).toMatchObject({ ...person, client_user_id: 'bob-1', connected_sources: [] })
    expect((await search(ada)).users).toMatchObject([{ first_name: null, dob: null, gender: null }])
    for (const query of ['', '?search_input=', '?search_input=%20'])
      expect(await petri.get(`/v2/user/search${query}`), query).toAnswer(400)
    for (const wrong of ['order_key=dob', 'order_direction=up', 'limit=-1', 'limit=x'])
      expect(await petri.get(`/v2/user/search?search_input=a&${wrong}`), wrong).toAnswer(422)
  })
})

it('an ingestion start alone is answered with the zero date as its end, and null clears both', async () => {
  const id = await createUser(petri)
  const after = async (patch: object) => {
    await changeUser(petri, id, patch)
    const { ingestion_start, ingestion_end } = await readUser(petri, id)
    return [ingestion_start, ingestion_end]
  }
  expect(await after({ ingestion_start: '2026-01-01' })).toEqual(['2026-01-01', '0001-01-01'])
  expect(await after({ ingestion_end: '2026-02-01' })).toEqual(['2026-01-01', '2026-02-01'])
  expect(await after({ ingestion_start: '2026-01-02' })).toEqual(['2026-01-02', '2026-02-01'])
  expect(await after({ ingestion_start: null })).toEqual([null, null])
})

it('data are collected without an end where there is an ingestion start alone', {
  tags: 'slow',
}, async () => {
  const id = await createUser(petri)
  await changeUser(petri, id, { ingestion_start: '2026-01-04' })
  await connectDemo(petri, id, 'fitbit')
  await advance(petri, '3d')
  const { activity } = await petri.read(`/v2/summary/activity/${id}?start_date=2026-01-01`)
  expect(activity.map(field('calendar_date'))).toEqual([
    '2026-01-04',
    '2026-01-05',
    '2026-01-06',
    '2026-01-07',
    '2026-01-08',
  ])
})
