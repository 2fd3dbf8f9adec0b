import { Webhook } from 'svix'
import { describe, expect, it } from 'vitest'
import { MANAGEMENT_KEY, managing, teamIdOf } from '../support/management.ts'
import { KEY, NOBODY } from '../support/petri.ts'
import { HOOK, startHeardPetri } from '../support/receiver.ts'

const USER = '4a29dbc7-6db3-4c83-bfac-70a20a4be1b2'

/** The webhooks of the one team, and its receiver. */
async function start() {
  const wall = Date.now()
  const { petri, receiver } = await startHeardPetri(() => 200, {
    wall: () => wall,
    world: { webhookUrl: null },
  })
  const manage = managing(petri)
  const world = petri.world()
  return {
    ...receiver,
    petri,
    manage,
    base: `/team/${teamIdOf(petri)}/sandbox/webhook`,
    async emit(type = 'labtest.order.updated') {
      world.emit(type, { userId: USER, clientUserId: 'ada' }, { id: NOBODY })
      await world.agenda.settled()
    },
  }
}

describe('webhook endpoints', () => {
  it('are listed on after one that was deleted since, or two', async () => {
    const { manage, base } = await start()
    for (let n = 0; n < 5; n++) await manage.post(base, { url: HOOK, description: `${n}` })
    const read = async (cursor = '') => {
      const { data, next_cursor } = await manage.read(`${base}?limit=2${cursor}`)
      return { data, names: data.map((each: { description: string }) => each.description), next_cursor }
    }
    const first = await read()
    const second = await read(`&next_cursor=${first.next_cursor}`)
    expect([first.names, second.names]).toEqual([
      ['0', '1'],
      ['2', '3'],
    ])
    const afterFirst = async () => (await read(`&next_cursor=${first.next_cursor}`)).names
    await manage.delete(`${base}/${first.data[1].id}`)
    expect(await afterFirst()).toEqual(['2', '3'])
    await manage.delete(`${base}/${first.data[0].id}`)
    await manage.delete(`${base}/${second.data[0].id}`)
    expect(await afterFirst()).toEqual(['3', '4'])
  })

  it('are made, listed, changed and removed', async () => {
    const { manage, base } = await start()
    const { body: made } = await manage.post(base, { url: HOOK, filter_types: ['labtest.order.updated'] })
    expect(made).toEqual({
      id: expect.stringMatching(/^ep_[A-Za-z0-9]{27}$/),
      description: '',
      rate_limit: null,
      url: HOOK,
      disabled: false,
      filter_types: ['labtest.order.updated'],
      created_at: '2026-01-05T09:00:00+00:00',
      updated_at: '2026-01-05T09:00:00+00:00',
    })
    const { body: second } = await manage.post(base, { url: HOOK, description: 'second', rate_limit: 5 })
    expect((await manage.read(base)).data).toEqual([made, second])
    const path = `${base}/${made.id}`
    expect((await manage.patch(path, { filter_types: null, url: null, disabled: true })).body).toMatchObject({
      url: HOOK,
      filter_types: null,
      disabled: true,
    })
    expect((await manage.read(path)).disabled).toBe(true)
    expect(await manage.delete(path)).toAnswer(204)
    expect(await manage.get(path)).toAnswer(404)
    expect((await manage.read(base)).data).toEqual([second])
  })

  it('receive what they asked for, signed with a secret of their own', async () => {
    const { manage, base, received, emit } = await start()
    const { id } = (await manage.post(base, { url: HOOK, filter_types: ['labtest.order.updated'] })).body
    const { key } = await manage.read(`${base}/${id}/secret`)
    await emit()
    await emit('labtest.order.created')
    expect(received).toHaveLength(1)
    const [{ headers, body } = expect.fail()] = received
    expect(new Webhook(key).verify(body, headers)).toMatchObject({ event_type: 'labtest.order.updated' })
    const chosen = `whsec_${Buffer.from('chosen by the user, 24+!').toString('base64')}`
    const { body: other } = await manage.post(base, { url: HOOK, secret: chosen })
    expect(await manage.read(`${base}/${other.id}/secret`)).toEqual({ key: chosen })
  })

  it('have a new or a given secret after a rotation', async () => {
    const { manage, base, received, emit } = await start()
    const { id } = (await manage.post(base, { url: HOOK })).body
    const secretOf = async () => (await manage.read(`${base}/${id}/secret`)).key
    const old = await secretOf()
    expect(await manage.post(`${base}/${id}/secret/rotate`, {})).toAnswer(204)
    const fresh = await secretOf()
    expect(fresh).not.toBe(old)
    await emit()
    const [{ headers, body } = expect.fail()] = received
    for (const secret of [old, fresh]) new Webhook(secret).verify(body, headers)
    const given = `whsec_${Buffer.from('given by the user, 24+!!').toString('base64')}`
    await manage.post(`${base}/${id}/secret/rotate`, { key: given })
    expect(await secretOf()).toBe(given)
  })

  it('send the headers they are given, and tell of secret ones only the names', async () => {
    const { manage, base, received, emit } = await start()
    const { id } = (await manage.post(base, { url: HOOK })).body
    const path = `${base}/${id}/headers`
    expect(await manage.read(path)).toEqual({ headers: {}, sensitive: [] })
    const headers = { 'X-Tenant': 'north', Authorization: 'Basic abc', 'X-Api-Key': 'k' }
    expect(await manage.put(path, { headers })).toAnswer(204)
    expect(await manage.read(path)).toEqual({
      headers: { 'x-tenant': 'north' },
      sensitive: ['authorization', 'x-api-key'],
    })
    await emit()
    expect(received[0]?.headers).toMatchObject({ 'x-tenant': 'north', authorization: 'Basic abc' })
    expect(await manage.put(path, { headers: { 'svix-id': 'x' } })).toAnswer(422)
    await manage.put(path, { headers: {} })
    expect(await manage.read(path)).toEqual({ headers: {}, sensitive: [] })
  })

  it('are refused when something is wrong with them, and nothing is left behind', async () => {
    const { manage, base, petri } = await start()
    const refusals: [object, object][] = [
      [{}, { type: 'missing', loc: ['body', 'url'] }],
      [{ url: 'ftp://x' }, { type: 'value_error', loc: ['body', 'url'] }],
      [
        { url: HOOK, filter_types: [] },
        { type: 'too_short', loc: ['body', 'filter_types'] },
      ],
      [
        { url: HOOK, filter_types: ['labtest.order.updated', 'a.b'] },
        { type: 'value_error', msg: "The following event types don't exist: a.b" },
      ],
      [
        { url: HOOK, secret: 'short' },
        { type: 'string_pattern_mismatch', loc: ['body', 'secret'] },
      ],
    ]
    for (const [body, entry] of refusals) {
      expect(await manage.post(base, body)).toRefuse(422, [entry])
    }
    expect((await manage.read(base)).data).toEqual([])
    expect(await manage.get(base.replace('sandbox', 'production'))).toAnswer(404)
    expect(await manage.get(base.replace(teamIdOf(petri), NOBODY))).toAnswer(404)
    expect(await manage.get(base.replace('sandbox', 'staging'))).toAnswer(422)
    expect(await manage.patch(`${base}/ep_nope`, { disabled: true })).toAnswer(404)
  })

  it('show no secrets in the journal', async () => {
    const { manage, base, petri } = await start()
    const secret = Buffer.from('a secret without its prefix').toString('base64')
    const { id } = (await manage.post(base, { url: HOOK })).body
    await manage.post(`${base}/${id}/secret/rotate`, { key: secret })
    const { key } = await manage.read(`${base}/${id}/secret`)
    await manage.put(`${base}/${id}/headers`, { headers: { 'X-Api-Key': 'hush-hush' } })
    await manage.post(`/team/${teamIdOf(petri)}/create_api_access_token`, { env: 'sandbox' })
    const { data } = await petri.read('/_petri/requests')
    expect(data).toHaveLength(5)
    for (const request of data) {
      const shown = JSON.stringify(await petri.read(`/_petri/requests/${request.id}`))
      for (const word of [secret, key, 'hush-hush', 'eyJ', MANAGEMENT_KEY]) expect(shown).not.toContain(word)
    }
  })

  it('belong to the world: a reset takes them away', async () => {
    const { manage, base, petri } = await start()
    await manage.post(base, { url: HOOK })
    await petri.post('/_petri/reset', {}, { 'x-service-api-key': KEY })
    expect((await manage.read(base)).data).toEqual([])
  })
})
