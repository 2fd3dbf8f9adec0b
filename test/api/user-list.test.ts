import { beforeAll, describe, expect, it } from 'vitest'
import { startTestWorld, type TestPetri } from '../support/petri.ts'

describe('the list of users', () => {
  let petri: TestPetri
  const ids: string[] = []
  beforeAll(async () => {
    petri = await startTestWorld()
    for (const client_user_id of ['plain', 'ordered', 'sent-a-kit'])
      ids.push((await petri.post('/v2/user', { client_user_id })).body.user_id)
    await petri.post('/_petri/orders', { user_id: ids[1], scenario: 'manual' })
    await petri.post('/_petri/orders', { user_id: ids[2], scenario: 'happy-path', registrable: true })
  })
  const list = (query: string) => petri.read(`/_petri/users?${query}`)

  it('names each by demographics or the recipient of a kit, newest first', async () => {
    const { data, total } = await list('')
    const { first_name, last_name } = await petri.read(`/v2/user/${ids[1]}/info/latest`)
    const { data: orders } = await petri.read('/_petri/orders')
    const recipient = orders.find(({ user_id }: { user_id: string }) => user_id === ids[2]).recipient
    expect(total).toBe(3)
    expect(
      data.map(({ client_user_id, name, orders }: Record<string, unknown>) => [client_user_id, name, orders]),
    ).toEqual([
      ['sent-a-kit', recipient, 1],
      ['ordered', `${first_name} ${last_name}`, 1],
      ['plain', null, 0],
    ])
    for (const name of [recipient, `${first_name} ${last_name}`.toUpperCase()]) {
      const found = await list(`search=${encodeURIComponent(name)}`)
      expect(found.data.map((user: { name: string }) => user.name.toUpperCase())).toEqual([
        name.toUpperCase(),
      ])
    }
  })

  it('is limited to ids, pages and what was searched for', async () => {
    expect((await list(`ids=${ids[0]},${ids[2]},nobody`)).total).toBe(2)
    expect(await list('limit=1&offset=1')).toMatchObject({ data: [{ client_user_id: 'ordered' }], total: 3 })
    expect(await list('search=nobody')).toEqual({ data: [], total: 0 })
    expect((await list('search=PLAIN')).data).toHaveLength(1)
  })
})
