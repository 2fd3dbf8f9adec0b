import { describe, expect, it } from 'vitest'
import { MAX_REQUESTS, Requests } from '../../src/world/requests.ts'
import { field } from '../support/field.ts'
import { advance, createUser, orderKit, postUser, readOrder, setFeatures } from '../support/orders.ts'
import { forEachTest, KEY } from '../support/petri.ts'
import { startHeardPetri } from '../support/receiver.ts'

const petri = forEachTest(async () => (await startHeardPetri()).petri)

const list = async (query = '') => (await petri.read(`/_petri/requests${query}`)).data
const detailOf = (answer: { headers: Headers }) =>
  petri.read(`/_petri/requests/${answer.headers.get('x-request-id')}`)

describe('the journal', () => {
  it('lists the calls of clients, newest last, and not those of the control API', async () => {
    await createUser(petri)
    await petri.get('/_petri/clock')
    await petri.get('/v2/user?limit=5')
    expect(await list()).toMatchObject([
      { operation: 'user_create', method: 'POST', path: '/v2/user', status: 200 },
      { operation: 'user_get_all', path: '/v2/user?limit=5', status: 200, duration_ms: 0 },
    ])
    expect(await petri.delete('/_petri/requests')).toAnswer(204)
    expect(await list()).toEqual([])
  })

  it('is filtered by operation, status, method, path and time, and read in pages', async () => {
    await createUser(petri)
    await petri.get('/v2/user/nobody')
    await advance(petri, '1h')
    await petri.get('/v2/user')
    const paths = async (query: string) => (await list(query)).map(field('path'))
    expect(await paths('?operation=GET%20/v2/user')).toEqual(['/v2/user'])
    expect(await paths('?status=4xx')).toEqual(['/v2/user/nobody'])
    expect(await paths('?status=404')).toEqual([])
    expect(await paths('?method=post')).toEqual(['/v2/user'])
    expect(await paths('?path=/v2/user/')).toEqual(['/v2/user/nobody'])
    expect(await paths('?since=2026-01-05T09:30:00Z')).toEqual(['/v2/user'])
    const first = await petri.read('/_petri/requests?limit=2')
    expect(first.data).toHaveLength(2)
    expect((await petri.read(`/_petri/requests?cursor=${first.next_cursor}`)).data).toHaveLength(1)
    expect(await petri.get('/_petri/requests?operation=user_get_al')).toRefuse(
      400,
      expect.stringContaining('Did you mean "user_get_all"?'),
    )
  })

  it('shows what was sent and answered, without keys and tokens', async () => {
    const userId = await createUser(petri)
    const answer = await petri.post('/v2/link/token', { user_id: userId })
    const { link_token } = answer.body
    const detail = await detailOf(answer)
    expect(detail).toMatchObject({
      headers: { 'x-service-api-key': '[redacted]', 'content-type': 'application/json' },
      body: { user_id: userId },
      response: { link_token: '[redacted]' },
    })
    const followed = await petri.petri.app.request(`/v2/link/oauth/oura?token=${link_token}`)
    const everything = JSON.stringify([detail, await detailOf({ headers: followed.headers }), await list()])
    expect(everything).not.toContain(link_token)
    expect(everything).not.toContain(KEY)
    await petri.get(`/v2/user?api_key=${KEY}`)
    expect(JSON.stringify(await list())).not.toContain(KEY)
  })

  it('keeps no bodies without the feature `journal_bodies`, and everything else', async () => {
    await setFeatures(petri, { journal_bodies: 'off' })
    const answer = await petri.post('/v2/user', { client_user_id: 'ada', nickname: 'A' })
    expect(await detailOf(answer)).toMatchObject({
      operation: 'user_create',
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: null,
      response: null,
      ignored: [],
      caused: [],
    })
    const refused = await petri.post('/v2/user', {})
    expect(JSON.stringify(await list())).not.toContain('ada')
    await setFeatures(petri, { journal_bodies: null })
    expect(await detailOf(refused)).toMatchObject({ status: 422, response: null })
    expect((await petri.read('/_petri/coverage')).errors.met).toEqual({ 422: 1, missing: 1 })
    expect(await detailOf(await postUser(petri, 'bob'))).toMatchObject({
      body: { client_user_id: 'bob' },
    })
  })

  it('lists the fields and query parameters that no handler reads', async () => {
    const answer = await petri.post('/v2/user?verbose=1', { client_user_id: 'ada', nickname: 'a' })
    expect((await detailOf(answer)).ignored).toEqual(['query.verbose', 'body.nickname'])
    const order = await petri.post('/v3/order', {
      user_id: answer.body.user_id,
      patient_details: { first_name: 'Ada', shoe_size: 38 },
      patient_address: { zip: '85004', colour: 'red' },
      order_set: { add_on: { marker_ids: [1], colour: 'red' } },
    })
    expect((await detailOf(order)).ignored).toEqual([
      'body.patient_details.shoe_size',
      'body.patient_address.colour',
      'body.order_set.add_on.colour',
    ])
  })

  it('names the declared field that an ignored one is most like, wherever it stands', async () => {
    const user = await petri.post('/v2/user?fallback=1', { client_user_id: 'ada', fallback_timezone: 'UTC' })
    expect(await detailOf(user)).toMatchObject({
      ignored: ['query.fallback', 'body.fallback_timezone'],
      nearest_fields: { 'body.fallback_timezone': 'fallback_time_zone' },
    })
    const order = await petri.post('/v3/order', { patient_details: { frist_name: 'Ada', shoe_size: 38 } })
    expect((await detailOf(order)).nearest_fields).toEqual({
      'body.patient_details.frist_name': 'first_name',
    })
  })

  it('lists the events and messages a call caused, including those of its scenario', async () => {
    const order = await orderKit(petri)
    const [placed] = await list('?operation=POST%20/v3/order/testkit')
    await advance(petri, '1d')
    const { caused } = await petri.read(`/_petri/requests/${placed.id}`)
    const { events } = await readOrder(petri, order.id)
    expect(caused.map(field('event_type'))).toEqual([
      'labtest.order.created',
      ...events.slice(1).map(() => 'labtest.order.updated'),
    ])
    expect(caused[0].messages).toMatchObject([{ status: 'delivered' }])
    await petri.delete('/_petri/requests')
    const { data: sent } = await petri.read(`/_petri/webhooks/messages?order_id=${order.id}`)
    expect(sent.map(field('caused_by'))).toEqual(['call', 'call', 'job'])
  })

  it('attributes events to a call that had to wait', async () => {
    const order = await orderKit(petri)
    const resent = await petri.post('/v3/order/resend_events', { order_ids: [order.id] })
    expect((await detailOf(resent)).caused).toMatchObject([{ event_type: 'labtest.order.updated' }])
    const demo = { user_id: await createUser(petri, 'demo'), provider: 'oura' }
    const connected = await petri.post('/v2/link/connect/demo', demo)
    expect((await detailOf(connected)).caused[0]).toMatchObject({
      event_type: 'provider.connection.created',
    })
  })

  it('does not attribute events of one call to another', async () => {
    await orderKit(petri)
    await petri.delete('/_petri/requests')
    const [one, other] = await Promise.all([
      orderKit(petri, { user: await createUser(petri, 'one') }),
      orderKit(petri, { user: await createUser(petri, 'other') }),
    ])
    const ids = []
    for (const { id } of await list('?operation=POST%20/v3/order/testkit')) {
      const { response, caused } = await petri.read(`/_petri/requests/${id}`)
      for (const { event_id } of caused) {
        const message = await petri.read(`/_petri/webhooks/messages/${event_id}`)
        expect(message.order_id).toBe(response.order.id)
        ids.push(message.order_id)
      }
    }
    expect(new Set(ids)).toEqual(new Set([one.id, other.id]))
  })

  it('names the nearest operations for an unknown path', async () => {
    const answer = await petri.get('/v3/orders/none')
    expect(await detailOf(answer)).toMatchObject({
      operation: null,
      status: 404,
      nearest: expect.arrayContaining([expect.stringContaining('/v3/order')]),
    })
    expect(await petri.get('/_petri/requests/req_none')).toAnswer(404)
  })

  it('keeps a bounded number of requests and bytes', () => {
    const requests = new Requests()
    const record = (id: number, body: string) => ({
      ...{ ordinal: id, at: 0, operation: null, method: 'GET', url: '/', status: 200, duration_ms: 0 },
      ...{ headers: {}, body, response: null, nearest: [], fault_id: null, events: [] },
    })
    for (let id = 0; id < MAX_REQUESTS + 10; id++) requests.keep(record(id, ''))
    expect([...requests.all()]).toHaveLength(MAX_REQUESTS)
    expect([...requests.all()][0]?.ordinal).toBe(10)
    for (let id = 0; id < 100; id++) requests.keep(record(id, 'x'.repeat(2 * 1024 * 1024)))
    const bytes = [...requests.all()].reduce((sum, { body }) => sum + body.length, 0)
    expect(bytes).toBeLessThanOrEqual(8 * 1024 * 1024)
    expect(bytes).toBeGreaterThan(4 * 1024 * 1024)
  })
})
