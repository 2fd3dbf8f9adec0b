import { describe, expect, it } from 'vitest'
import { advance, createUser, orderBy, setFeatures } from '../support/orders.ts'
import { startTestWorld } from '../support/petri.ts'
import { toldOf } from '../support/wearables.ts'

describe('operations that the contract does not list', () => {
  it('search users by either id', async () => {
    const petri = await startTestWorld()
    const [ada, bob] = [await createUser(petri, 'ada-1'), await createUser(petri, 'bob-1')]
    const search = async (text: string) => (await petri.get(`/v2/user/search?search_input=${text}`)).body
    const found = await search('-1')
    expect(found).toMatchObject({ total: 2, offset: 0, limit: 100 })
    expect(found.users.map(({ user_id }: { user_id: string }) => user_id)).toEqual([bob, ada])
    expect((await search(ada.slice(0, 13))).users).toMatchObject([{ client_user_id: 'ada-1' }])
    expect((await petri.get('/v2/user/search')).status).toBe(400)
  })

  it('list the results of all orders, a page at a time', async () => {
    const petri = await startTestWorld()
    const ids: string[] = []
    for (let nth = 0; nth < 3; nth++) {
      const { id } = await orderBy(petri, 'walk_in_test')
      if (nth < 2) await petri.post(`/v3/order/${id}/test`)
      ids.unshift(id)
    }
    const first = (await petri.get('/v3/result?results_limit=1')).body
    expect(first).toMatchObject({ data: [{ order_id: ids[1] }], next_cursor: expect.any(String) })
    const rest = (await petri.get(`/v3/result?next_cursor=${first.next_cursor}`)).body
    expect(rest).toMatchObject({ data: [{ order_id: ids[2] }], next_cursor: null })
    const { results } = (await petri.get(`/v3/order/${ids[2]}/result`)).body
    expect(rest.data[0].results).toEqual(results)
  })
})

it('a correction that turns a result critical has the physician called, once', async () => {
  const petri = await startTestWorld()
  const { id } = await orderBy(petri, 'walk_in_test')
  const move = (status: string, interpretation: string) =>
    petri.post(`/_petri/orders/${id}/move`, { status, results: { interpretation }, force: true })
  await move('completed', 'normal')
  expect(toldOf(petri, 'labtest.result.critical')).toHaveLength(0)
  await move('corrected', 'critical')
  await move('corrected', 'critical')
  expect(toldOf(petri, 'labtest.result.critical')).toHaveLength(1)
})

it('an ingestion start alone is answered with the zero date as its end, and null clears both', async () => {
  const petri = await startTestWorld()
  const id = await createUser(petri)
  const after = async (patch: object) => {
    await petri.call('PATCH', `/v2/user/${id}`, patch)
    const { ingestion_start, ingestion_end } = (await petri.get(`/v2/user/${id}`)).body
    return [ingestion_start, ingestion_end]
  }
  expect(await after({ ingestion_start: '2026-01-01' })).toEqual(['2026-01-01', '0001-01-01'])
  expect(await after({ ingestion_end: '2026-02-01' })).toEqual(['2026-01-01', '2026-02-01'])
  expect(await after({ ingestion_start: '2026-01-02' })).toEqual(['2026-01-02', '2026-02-01'])
  expect(await after({ ingestion_start: null })).toEqual([null, null])
})

it('data are collected without an end where there is an ingestion start alone', async () => {
  const petri = await startTestWorld()
  const id = await createUser(petri)
  await petri.call('PATCH', `/v2/user/${id}`, { ingestion_start: '2026-01-04' })
  await petri.post('/v2/link/connect/demo', { user_id: id, provider: 'fitbit' })
  await advance(petri, '3d')
  const { activity } = (await petri.get(`/v2/summary/activity/${id}?start_date=2026-01-01`)).body
  expect(activity.map((day: { calendar_date: string }) => day.calendar_date)).toEqual([
    '2026-01-04',
    '2026-01-05',
    '2026-01-06',
    '2026-01-07',
    '2026-01-08',
  ])
})

it('insurance of another person requires a guarantor if the rule is on', async () => {
  const petri = await startTestWorld()
  await setFeatures(petri, { insurance_guarantor_rule: true })
  const id = await createUser(petri)
  const home = { first_line: '1 Road', city: 'Phoenix', state: 'AZ', zip: '85004', country: 'US' }
  const insured = {
    ...{ first_name: 'Ada', last_name: 'Example', gender: 'female', dob: '1990-01-01' },
    ...{ email: 'a@example.com', phone_number: '+16025550123', address: home },
  }
  const record = { payor_code: 'UNITE', member_id: '1', insured }
  const add = async (more: object) =>
    (await petri.post(`/v2/user/${id}/insurance`, { ...record, ...more })).status
  const guarantor = { first_name: 'Bob', last_name: 'Example', address: home, phone_number: '+16025550123' }
  expect(await add({ relationship: 'Self' })).toBe(200)
  expect(await add({ relationship: 'Spouse' })).toBe(400)
  expect(await add({ relationship: 'Spouse', guarantor })).toBe(200)
})
