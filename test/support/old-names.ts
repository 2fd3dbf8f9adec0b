import { toIso } from '../../src/kernel/instant.ts'
import { events } from '../../src/world/events.ts'
import { advance, createUser, orderForPatient, register, statusesOf } from './orders.ts'
import type { TestPetri } from './petri.ts'

/** What `goOn` needs of a stored world. */
export interface StoredWorld {
  readonly user: string
  /** The sample of a kit whose scenario awaits its registration. */
  readonly sample: string
  readonly link_token: string
}

/** Goes on to the end of every scenario of a stored world, and tells what came of it. */
export async function goOn(petri: TestPetri, { user, sample, link_token }: StoredWorld) {
  const registered = await register(petri, sample)
  const linked = await petri.petri.app.request(`/v2/link/connect/garmin?state=${link_token}&code=me`)
  const other = await createUser(petri, 'bob')
  await petri.post('/v2/link/connect/demo', { user_id: other, provider: 'oura' })
  await orderForPatient(petri, { user })
  await advance(petri, '15d')
  const orders = []
  for (const { id } of (await petri.get('/v3/orders')).body.orders) {
    const { scenario } = (await petri.get(`/_petri/orders/${id}/scenario`)).body
    orders.push([id, scenario, ...statusesOf((await petri.get(`/v3/order/${id}`)).body)])
  }
  const feeds = []
  for (const id of [user, other])
    for (const provider of ['apple_health_kit', 'garmin', 'oura']) {
      const { status, body } = await petri.get(`/_petri/users/${id}/connections/${provider}/feed`)
      if (status === 200) feeds.push([provider, body.scenario, body.before])
    }
  const told = [...petri.world().db.all(events)].map(({ at, event_type }) => `${toIso(at)} ${event_type}`)
  return {
    answers: [registered.status, linked.status],
    orders,
    feeds,
    events: told.filter((line) => !line.includes('.data.')),
  }
}
