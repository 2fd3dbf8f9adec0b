import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import { advance, createUser, orderForPatient, orderKit } from '../support/orders.ts'
import { KEY, type TestPetri } from '../support/petri.ts'
import { startHeardPetri } from '../support/receiver.ts'

let petri: TestPetri
beforeEach(async () => {
  petri = (await startHeardPetri()).petri
})
afterEach(() => petri.close())

const state = async (headers = {}) =>
  (
    await petri.petri.app.request('/_petri/state', { headers: { 'x-service-api-key': KEY, ...headers } })
  ).text()
const put = (text: string | object, headers = {}) => petri.call('PUT', '/_petri/state', text, headers)

describe('the state of a world', () => {
  it('is imported to the same bytes, and goes on in the same way', async () => {
    const order = await orderForPatient(petri)
    await advance(petri, '2d')
    const exported = await state()
    const goOn = async () => {
      const { effects } = (await advance(petri, '20d')).body
      return JSON.stringify([
        effects,
        await createUser(petri, 'later'),
        await petri.get(`/v3/order/${order.id}`),
      ])
    }
    const once = await goOn()
    await petri.post('/_petri/reset', { seed: 'another' })
    const imported = await put(exported)
    expect(imported.body).toMatchObject({ seed: '1', clock: { now: '2026-01-07T09:00:00.000Z' } })
    expect(await state()).toBe(exported)
    expect(await goOn()).toBe(once)
  })

  it('holds no secrets', async () => {
    const secret = `whsec_${'c2VjcmV0'.repeat(4)}`
    const headers = { 'X-Api-Key': 'hidden-from-you' }
    await petri.post('/_petri/webhooks/endpoints', { url: 'http://other.test/', secret, headers })
    const user_id = await createUser(petri)
    const { link_token } = (await petri.post('/v2/link/token', { user_id })).body
    await petri.post('/v2/user', { client_user_id: 'x' }, { 'x-idempotency-key': 'k' })
    const exported = await state()
    for (const hidden of [KEY, secret, petri.world().identity.webhookSecret, link_token, 'hidden-from-you'])
      expect(exported).not.toContain(hidden)
  })

  it('moves into a world with another key, whose team and secret it takes on', async () => {
    const order = await orderForPatient(petri)
    const exported = await state()
    const other = (await petri.post('/_petri/worlds', { frozen: true })).body
    const key = { 'x-service-api-key': other.api_key }
    const imported = await put(exported, key)
    expect([imported.body.team_id, imported.body.api_key]).toEqual([other.team_id, other.api_key])
    const moved = (await petri.get(`/v3/order/${order.id}`, key)).body
    expect(moved).toEqual({ ...order, team_id: other.team_id, ...laterFields(moved) })
    const [endpoint] = (await petri.get('/_petri/webhooks/endpoints', key)).body.data
    expect(endpoint.secret).toBe(other.webhook_secret)
    expect(await state(key)).toBe(exported.replaceAll(petri.world().identity.teamId, other.team_id))
  })

  it.each([
    ['another format', { format: 2 }, 'format'],
    ['a field nobody knows', { cloc: {} }, 'Did you mean \\"clock\\"'],
    ['a row that is no object', { tables: { users: { a: 1 } } }, 'users'],
    ['a clock that cannot be', { clock: { now: 'noon', frozen: true } }, 'instant'],
  ])('is refused with %s, and the world is as it was', async (_, change, words) => {
    await createUser(petri)
    const exported = await state()
    const answer = await put({ ...JSON.parse(exported), ...change })
    expect(answer.status).toBe(422)
    expect(JSON.stringify(answer.body)).toContain(words)
    expect(await state()).toBe(exported)
  })
})

describe('a row that its table could not have', () => {
  const values = [null, 'text', '', -1, 1e30, true, [], {}]
  const paths = [
    '/v3/orders',
    '/v2/user',
    '/_petri/world',
    '/_petri/clock',
    '/_petri/webhooks/messages',
    '/v3/lab_tests',
  ]

  it('is refused with its table, id and field, or leaves a world that answers', async () => {
    const order = await orderForPatient(petri)
    await orderKit(petri, { user: order.user_id })
    await advance(petri, '1d')
    const exported = await state()
    const tables: Record<string, Record<string, Record<string, unknown>>> = JSON.parse(exported).tables
    const random = createRandom('one field')
    let [refused, taken] = [0, 0]
    const faults: string[] = []
    for (let round = 0; round < 150; round++) {
      const document = JSON.parse(exported)
      const pick = <Item>(what: string, items: readonly Item[]) =>
        items[random.integer(`${round}/${what}`, 0, items.length - 1)] as Item
      const table = pick('table', Object.keys(tables))
      const id = pick('id', Object.keys(tables[table] ?? {}))
      const field = pick('field', Object.keys(tables[table]?.[id] ?? {}))
      const value = pick('value', values)
      document.tables[table][id][field] = value
      const answer = await put(document)
      if (answer.status === 422) {
        refused++
        const told = JSON.stringify(answer.body)
        if (told.includes('"tables"')) for (const word of [table, id]) expect(told).toContain(word)
        expect(await state()).toBe(exported)
        continue
      }
      taken++
      const replies = await Promise.all([...paths, `/v3/order/${order.id}`].map((path) => petri.get(path)))
      const moved = await advance(petri, '2d')
      if (answer.status >= 500 || [...replies, moved].some(({ status }) => status >= 500))
        faults.push(`${table}.${field} = ${JSON.stringify(value)}`)
      expect((await put(exported)).status).toBe(200)
    }
    expect(faults).toEqual([])
    expect(refused).toBeGreaterThan(20)
    expect(taken).toBeGreaterThan(5)
  }, 60_000)
})

/** What the first webhook adds nothing to, but reading the order may. */
const laterFields = ({ updated_at }: { updated_at: string }) => ({ updated_at })
