import { describe, expect, it, vi } from 'vitest'
import { addEndpoint, listEndpoints } from '../../src/webhooks/endpoints.ts'
import { type Endpoint, endpoints } from '../../src/webhooks/table.ts'
import { field } from '../support/field.ts'
import type { TestPetri } from '../support/petri.ts'
import { startHeardPetri } from '../support/receiver.ts'
import { eventually } from '../support/timing.ts'

const ENDPOINTS = '/_petri/webhooks/endpoints'

const advance = (petri: TestPetri, by: string) => petri.post('/_petri/clock/advance', { by })
const logOf = async (petri: TestPetri, query = '') =>
  (await petri.read(`/_petri/webhooks/messages${query}`)).data
const wordsOf = (data: { payload: { data: { word: string } } }[]) =>
  data.map(({ payload }) => payload.data.word)
const endpointsOf = async (petri: TestPetri) => (await petri.read(ENDPOINTS)).data

/** A Petri whose receivers answer a status that the test sets. */
async function start(first = 200) {
  const answer = { status: first }
  const { petri, receiver } = await startHeardPetri(() => answer.status)
  const [endpoint = expect.fail()] = listEndpoints(petri.world())
  const emit = async (data: object = {}) => {
    petri.world().emit('a.b', { userId: null, clientUserId: null }, data)
    await petri.world().agenda.settled()
  }
  const add = async (url: string, more: object = {}) =>
    (await petri.post(ENDPOINTS, { url, ...more })).body.id as string
  const change = (id: string, body: object) => petri.patch(`${ENDPOINTS}/${id}`, body)
  return { petri, received: receiver.received, answer, endpoint, emit, add, change }
}

describe('the secrets of an endpoint', () => {
  it('are the latest ten in addition to the current one, and each signs for a day', async () => {
    const { petri, received, endpoint, emit } = await start()
    const made = [endpoint.secret]
    for (let nth = 0; nth < 12; nth++) {
      await advance(petri, '1h')
      const { body } = await petri.post(`${ENDPOINTS}/${endpoint.id}/rotate-secret`)
      const old = body.previous_secrets.map(field('secret'))
      expect(old).toEqual(made.slice(0, 10))
      made.unshift(body.secret)
    }
    expect(new Set(made).size).toBe(13)
    for (const secret of made.slice(0, -1)) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
    await emit()
    await advance(petri, '22h')
    await emit()
    await advance(petri, '2h')
    await emit()
    const signatures = received.map(({ headers }) => headers['svix-signature']?.split(' ').length)
    expect(signatures).toEqual([11, 3, 1])
  })
})

describe('an endpoint that is changed', () => {
  it('says when, and is found no more once it is removed', async () => {
    const { petri, endpoint, change } = await start()
    await advance(petri, '1h')
    expect((await change(endpoint.id, { url: 'http://new.test/' })).body).toMatchObject({
      url: 'http://new.test/',
      created_at: '2026-01-05T09:00:00.000Z',
      updated_at: '2026-01-05T10:00:00.000Z',
    })
    await advance(petri, '1h')
    await petri.post(`${ENDPOINTS}/${endpoint.id}/rotate-secret`)
    expect((await endpointsOf(petri))[0].updated_at).toBe('2026-01-05T11:00:00.000Z')
    expect(await petri.delete(`${ENDPOINTS}/${endpoint.id}`)).toAnswer(204)
    expect(await endpointsOf(petri)).toEqual([])
  })

  it('takes its webhook faults along when it is removed', async () => {
    const { petri, endpoint } = await start()
    await petri.put('/_petri/webhooks/faults', { endpoint_id: endpoint.id, duplicate: 1 })
    await petri.delete(`${ENDPOINTS}/${endpoint.id}`)
    expect((await petri.read('/_petri/webhooks/faults')).endpoints).toEqual([])
  })

  it('gives up only its own pending messages when it is disabled, once, and continues with new ones when enabled', async () => {
    const { petri, received, answer, endpoint, emit, add, change } = await start(500)
    const other = await add('http://other.test/')
    await emit()
    const marksOf = async () =>
      (await logOf(petri)).map((message: { endpoint_id: string; status: string; marks: string[] }) => [
        message.endpoint_id,
        message.status,
        message.marks,
      ])
    for (let nth = 0; nth < 2; nth++) {
      const { body } = await change(endpoint.id, { disabled: true })
      expect(body.failing_since).toBe('2026-01-05T09:00:00.000Z')
      expect(await marksOf()).toEqual([
        [endpoint.id, 'failed', ['endpoint_disabled']],
        [other, 'pending', []],
      ])
    }
    answer.status = 200
    await advance(petri, '1h')
    expect(received.filter(({ url }) => url === endpoint.url)).toHaveLength(1)
    expect((await marksOf())[1]).toEqual([other, 'delivered', []])
    expect((await change(endpoint.id, { disabled: false })).body).toMatchObject({
      disabled: false,
      failing_since: null,
    })
  })

  it('keeps its failures when something else is changed, and a success ends them', async () => {
    const { petri, answer, endpoint, emit, change } = await start(500)
    const failingSince = async () => (await endpointsOf(petri))[0].failing_since
    await emit()
    await change(endpoint.id, { description: 'mine' })
    expect(await failingSince()).toBe('2026-01-05T09:00:00.000Z')
    answer.status = 200
    await advance(petri, '5s')
    expect(await failingSince()).toBeNull()
    await emit()
    expect(await failingSince()).toBeNull()
  })
})

describe('an endpoint that Petri disables', () => {
  it('is written once for that, and its neighbour stays enabled', async () => {
    const { petri, receiver } = await startHeardPetri(({ url }) => (url.includes('good') ? 200 : 500))
    const world = petri.world()
    const [bad = expect.fail()] = listEndpoints(world)
    await petri.post(ENDPOINTS, { url: 'http://good.test/hook' })
    const written: unknown[] = []
    const put = world.db.put.bind(world.db)
    vi.spyOn(world.db, 'put').mockImplementation((table, row) => {
      if (table.name === endpoints.name) written.push(row)
      return put(table, row)
    })
    for (let day = 0; day < 7; day++) {
      world.emit('a.b', { userId: null, clientUserId: null }, { day })
      await advance(petri, '1d')
    }
    expect(written.at(-1)).toMatchObject({ id: bad.id, disabled: true })
    expect(written.at(-2)).toMatchObject({ disabled: false, updated_at: bad.updated_at })
    const { failing } = written.at(-1) as Endpoint
    const { failing: before } = written.at(-2) as Endpoint
    expect(failing?.last_at).toBeGreaterThan(before?.last_at ?? 0)
    expect((await endpointsOf(petri)).map(({ disabled }: Endpoint) => disabled)).toEqual([true, false])
    const good = receiver.received.filter(({ url, body }) => url.includes('good') && body.includes('"a.b"'))
    expect(good).toHaveLength(7)
  })
})

describe('a message is not sent', () => {
  it('to an endpoint that takes other types, however alike their names are', async () => {
    const { petri, received, emit, change, endpoint } = await start()
    addEndpoint(petri.world(), { url: 'http://exact.test/', event_types: ['a.b.c', 'a', 'A.B', '.b', 'a.*'] })
    addEndpoint(petri.world(), { url: 'http://nothing.test/', event_types: [] })
    await change(endpoint.id, { disabled: true })
    await emit()
    expect(received).toEqual([])
    expect(await logOf(petri)).toEqual([])
    addEndpoint(petri.world(), { url: 'http://exact.test/', event_types: ['z', 'a.b'] })
    await emit()
    expect(received.map(field('url'))).toEqual(['http://exact.test/'])
  })
})

describe('a message that is sent again', () => {
  it('is refused where its endpoint is disabled or gone, and where there is none', async () => {
    const { petri, endpoint, emit, change } = await start()
    await emit()
    const [{ id }] = await logOf(petri)
    const resend = () => petri.post('/_petri/webhooks/resend', { message_id: id })
    await change(endpoint.id, { disabled: true })
    expect(await resend()).toRefuse(409, `The endpoint ${endpoint.id} is disabled; enable it first`)
    await petri.delete(`${ENDPOINTS}/${endpoint.id}`)
    expect(await resend()).toRefuse(409, `The endpoint ${endpoint.id} has been removed`)
    expect(await petri.post('/_petri/webhooks/resend', { message_id: 'msg_no' })).toRefuse(
      404,
      'No webhook message msg_no',
    )
  })

  it('fails again if the attempt does, although it was asked for twice', async () => {
    const { petri, received, endpoint, emit, change } = await start(500)
    await emit()
    await change(endpoint.id, { disabled: true })
    await change(endpoint.id, { disabled: false })
    const [{ id }] = await logOf(petri)
    const before = received.length
    const resend = () => petri.post('/_petri/webhooks/resend', { message_id: id })
    expect((await Promise.all([resend(), resend()])).map(({ body }) => body.resent).sort()).toEqual([0, 1])
    await advance(petri, '2d')
    expect(received.length).toBe(before + 1)
    expect(await logOf(petri)).toMatchObject([{ status: 'failed' }])
  })
})

describe('messages that are sent again', () => {
  it('sends what failed to one endpoint or all that are enabled', async () => {
    const { petri, answer, endpoint, emit, add, change } = await start(500)
    const [other, third] = [await add('http://other.test/'), await add('http://third.test/')]
    await emit()
    for (const id of [endpoint.id, other, third]) await change(id, { disabled: true })
    for (const id of [endpoint.id, other]) await change(id, { disabled: false })
    answer.status = 200
    const resend = async (body: object = {}) => {
      const reply = await petri.post('/_petri/webhooks/resend', body)
      await petri.world().agenda.settled()
      return reply
    }
    const statuses = async () => (await logOf(petri)).map(field('status'))
    expect((await resend({ endpoint_id: other })).body).toEqual({ resent: 1 })
    expect(await statuses()).toEqual(['failed', 'delivered', 'failed'])
    expect((await resend()).body).toEqual({ resent: 1 })
    expect(await statuses()).toEqual(['delivered', 'delivered', 'failed'])
    expect(await resend({ endpoint_id: 'ep_no' })).toRefuse(404, 'No webhook endpoint ep_no')
  })
})

describe('the log of messages', () => {
  it('is searched by id, type and payload, and read newest first', async () => {
    const { petri, emit } = await start()
    for (const word of ['apple', 'pear', 'plum']) await emit({ word })
    const find = async (query: string) => wordsOf(await logOf(petri, query))
    expect(await find('?q=pear')).toEqual(['pear'])
    expect(await find('?q=a.b')).toEqual(['apple', 'pear', 'plum'])
    const [{ id }] = await logOf(petri)
    expect(await find(`?q=${id.slice(0, 12)}`)).toEqual(['apple'])
    expect(await find('?q=A.B%20pear')).toEqual(['pear'])
    expect(await find('?q=pear%20plum')).toEqual([])
    expect(await find('?q=nowhere')).toEqual([])
    expect(await find('?endpoint_id=ep_no')).toEqual([])
    const first = await petri.read('/_petri/webhooks/messages?order=desc&limit=2')
    expect(wordsOf(first.data)).toEqual(['plum', 'pear'])
    const rest = await petri.read(`/_petri/webhooks/messages?order=desc&limit=2&cursor=${first.next_cursor}`)
    expect([wordsOf(rest.data), rest.next_cursor]).toEqual([['apple'], null])
    expect((await petri.read('/_petri/webhooks/messages?limit=3')).next_cursor).toBeNull()
    expect(await petri.get('/_petri/webhooks/messages?cursor=msg_no')).toAnswer(400)
  })

  it.each([
    ['asc', [['apple', 'pear'], ['plum']]],
    ['desc', [['plum', 'pear'], ['apple']]],
  ])(
    'goes on after a message that the filter no longer finds (%s)',
    async (order, [firstPage, secondPage]) => {
      const { petri, emit, answer } = await start(500)
      for (const word of ['apple', 'pear', 'plum']) await emit({ word })
      const page = async (cursor = '') => {
        const query = `status=pending&order=${order}&limit=2${cursor && `&cursor=${cursor}`}`
        const body = await petri.read(`/_petri/webhooks/messages?${query}`)
        return { words: wordsOf(body.data), next: body.next_cursor, last: body.data.at(-1)?.id }
      }
      const { words, next, last } = await page()
      expect(words).toEqual(firstPage)
      answer.status = 200
      await petri.post('/_petri/webhooks/resend', { message_id: last })
      await petri.world().agenda.settled()
      expect((await page(next)).words).toEqual(secondPage)
    },
  )
})

describe('an endpoint that fails in a frozen world', () => {
  it('is disabled when the clock moves on, however soon the delivery beside a call ends', {
    tags: 'slow',
  }, async () => {
    const logs = []
    for (const end of ['at once', 'after the next event', 'in the advance']) {
      const held: (() => void)[] = []
      let holds = false
      const { petri, receiver } = await startHeardPetri(async () => {
        if (holds) await new Promise<void>((resolve) => held.push(resolve))
        return 500
      })
      const emit = () => petri.world().emit('a.b', { userId: null, clientUserId: null }, {})
      for (let day = 0; day < 5; day++) {
        emit()
        await advance(petri, '1d')
      }
      await advance(petri, '18h')
      holds = true
      const release = async () => {
        await eventually(() => expect(held).not.toEqual([]))
        holds = false
        for (const answer of held.splice(0)) answer()
      }
      const releaseAll = () => release().then(() => petri.world().agenda.settled())
      emit()
      if (end === 'at once') await releaseAll()
      emit()
      if (end === 'after the next event') await releaseAll()
      const advanced = advance(petri, '1s')
      if (end === 'in the advance') await release()
      logs.push([(await advanced).body, await logOf(petri), receiver.received.length])
    }
    expect(logs[1]).toEqual(logs[0])
    expect(logs[2]).toEqual(logs[0])
    expect(logs[0]?.[0].effects.map(field('kind'))).toContain('endpoint_disabled')
  })
})

it('events have the same ids whether or not earlier deliveries failed', async () => {
  const ids = []
  for (const status of [200, 500]) {
    const { petri, emit } = await start(status)
    await emit()
    await advance(petri, '3d')
    await emit()
    const log: { event_type: string; id: string }[] = await logOf(petri)
    ids.push(log.filter(({ event_type }) => event_type === 'a.b').map(field('id')))
  }
  expect(ids[1]).toEqual(ids[0])
  expect(ids[0]).toHaveLength(2)
})
