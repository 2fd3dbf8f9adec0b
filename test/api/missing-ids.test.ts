import { expect, it } from 'vitest'
import { createUser, orderBy } from '../support/orders.ts'
import { fromAddress, startTestPetri } from '../support/petri.ts'

it('a 404 for an id says what the world has, and whose the id is to who may know it', async () => {
  const petri = await startTestPetri()
  const { id, user_id } = await orderBy(petri, 'walk_in_test')
  const other = await petri.post('/_petri/worlds', { name: 'Other' })
  const keyed = { 'x-service-api-key': other.body.api_key }
  const hintOf = async (path: string, env = {}) => {
    const reply = await petri.petri.app.request(path, { headers: keyed }, env)
    expect(reply).toAnswer(404)
    return reply.headers.get('x-petri-hint')
  }
  const owner = `this id belongs to world Petri, team ${petri.world().identity.teamId}`
  expect(await hintOf(`/v3/order/${id}`)).toBe(`0 orders in this world; ${owner}`)
  expect(await hintOf(`/v3/order/${id.toUpperCase()}/result`)).toBe(`0 orders in this world; ${owner}`)
  expect(await hintOf(`/v2/summary/sleep/${user_id}?start_date=2026-01-01`)).toBe(
    `0 users in this world; ${owner}`,
  )
  expect(await hintOf(`/v3/order/${other.body.team_id}`)).toBe('0 orders in this world')
  // Another machine is not told of other worlds.
  expect(await hintOf(`/v3/order/${id}`, fromAddress('192.0.2.1'))).toBe('0 orders in this world')
  await petri.close()
})

it('a 404 for something else about a known id has no hint', async () => {
  const petri = await startTestPetri()
  const { id } = await orderBy(petri, 'walk_in_test')
  const early = await petri.get(`/v3/order/${id}/result`)
  expect([early.status, early.headers.get('x-petri-hint')]).toEqual([404, null])
  await createUser(petri, 'other')
  const control = await petri.get(`/_petri/orders/${petri.world().identity.teamId}`)
  expect(control.headers.get('x-petri-hint')).toBeNull()
  await petri.close()
})
