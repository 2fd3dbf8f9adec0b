import { describe, expect, it } from 'vitest'
import { createUser } from '../support/orders.ts'
import { type Answer, forEachTest } from '../support/petri.ts'

const petri = forEachTest()

const recorded = ({ headers }: Answer) => petri.read(`/_petri/requests/${headers.get('x-request-id')}`)

describe('the fields of a request that are ignored', () => {
  const aggregate = async (...select: object[]) => {
    const user_id = await createUser(petri)
    const timeframe = { type: 'relative', anchor: '2026-01-05', past: { value: 7, unit: 'day' } }
    const queries = [{ select, group_by: [] }]
    return recorded(await petri.post(`/aggregate/v1/user/${user_id}/query`, { timeframe, queries }))
  }

  it('are those of the form that fits best where a value may have several', async () => {
    const sum = { func: 'sum', arg: { activity: 'steps' } }
    expect((await aggregate(sum, { group_key: '*' })).ignored).toEqual([])
    expect((await aggregate({ ...sum, colour: 1 })).ignored).toEqual(['body.queries[].select[].colour'])
    expect((await aggregate({ func: 'sum', arg: { activity: 'steps', unti: 'x' } })).ignored).toEqual([
      'body.queries[].select[].arg.unti',
    ])
    expect((await aggregate({ group_key: '*', a: 1, b: 2 })).ignored).toEqual([
      'body.queries[].select[].a',
      'body.queries[].select[].b',
    ])
  })

  it('are none where the body or the query names what is declared alone', async () => {
    const answer = await petri.post('/v2/user', { client_user_id: 'ada', fallback_time_zone: 'UTC' })
    expect(await recorded(answer)).toMatchObject({ ignored: [], nearest_fields: {} })
    const list = await petri.get('/v2/user?offset=0&limit=10')
    expect((await recorded(list)).ignored).toEqual([])
  })

  it('are none where older names of fields are accepted', async () => {
    const user_id = await createUser(petri)
    const consents = [{ consent_type: 'terms-of-use', time_of_consent: '2026-01-05T08:00:00Z' }]
    const answer = await petri.post('/v3/order', { user_id, consents })
    expect((await recorded(answer)).ignored).toEqual([])
  })

  it('are told once for a list', async () => {
    const user_id = await createUser(petri)
    const consents = [{ consentType: 'terms-of-use', colour: 1 }, { colour: 2 }, 'text']
    const order = await petri.post('/v3/order', { user_id, consents })
    expect((await recorded(order)).ignored).toEqual(['body.consents[].colour'])
  })
})
