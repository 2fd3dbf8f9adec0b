import { describe, expect, it } from 'vitest'
import { field } from '../support/field.ts'
import {
  advance,
  moveOrder,
  orderBy,
  orderForPatient,
  orderKit,
  readDetails,
  readOrder,
  register,
} from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'
import { startHeardPetri } from '../support/receiver.ts'

const petri = forEachTest()

const board = (query = '') => petri.read(`/_petri/orders${query}`)

describe('the board of orders', () => {
  it('has a short row for each order, newest first, with the next status', async () => {
    const kit = await orderKit(petri, { scenario: 'happy-path' })
    const named = await orderForPatient(petri, { scenario: 'lost-on-the-way-out' })
    const { data, total, counts } = await board()
    expect(total).toBe(2)
    expect(data.map(field('id'))).toEqual([named.id, kit.id])
    expect(data[0]).toMatchObject({
      patient: 'Ada Example',
      method: 'testkit',
      status: 'received.testkit.ordered',
      scenario: 'lost-on-the-way-out',
      next: 'received.testkit.requisition_created',
      waits_for: null,
    })
    expect(data[1].patient).toBeNull()
    expect(counts).toEqual({
      'received.testkit.awaiting_registration': 1,
      'received.testkit.ordered': 1,
    })
  })

  it('says which results are incomplete', async () => {
    const [partial, whole] = [await orderForPatient(petri), await orderForPatient(petri)]
    for (const [{ id }, missing] of [
      [partial, ['glucose']],
      [whole, []],
    ])
      await moveOrder(petri, id, 'completed', { results: { missing }, force: true })
    const flags = (await board()).data.map(field('has_missing_results'))
    expect(flags).toEqual([false, true])
  })

  it('is filtered by phase, status, method and text, and read in pages', async () => {
    const kit = await orderKit(petri, { scenario: 'happy-path' })
    const walkIn = await orderBy(petri, 'walk_in_test')
    const ids = async (query: string) => (await board(query)).data.map(field('id'))
    expect(await ids('?status=received')).toEqual([walkIn.id, kit.id])
    expect(await ids('?status=ordered')).toEqual([walkIn.id])
    expect(await ids('?status=received.testkit.awaiting_registration')).toEqual([kit.id])
    expect(await ids('?method=walk_in_test')).toEqual([walkIn.id])
    expect(await ids(`?search=${kit.sample_id}`)).toEqual(kit.sample_id ? [kit.id] : [])
    expect(await ids(`?search=${walkIn.id.slice(0, 8)}`)).toEqual([walkIn.id])
    expect(await ids('?search=HAPPY%20kit')).toEqual([kit.id])
    expect(await ids(`?search=walk%20${walkIn.lab_test.name.split(' ')[0]}%20ordered`)).toEqual([walkIn.id])
    expect(await ids('?search=never%20ordered')).toEqual([])
    const { counts, total } = await board('?search=happy%20kit&status=ordered')
    expect([counts, total]).toEqual([{ 'received.testkit.awaiting_registration': 1 }, 0])
    const first = await board('?limit=1')
    expect(first.data).toHaveLength(1)
    expect(await ids(`?limit=1&cursor=${first.next_cursor}`)).toEqual([kit.id])
    expect(await petri.get('/_petri/orders?status=lots')).toAnswer(422)
  })

  it('continues after an order that has moved since', async () => {
    const orders = [await orderForPatient(petri), await orderForPatient(petri), await orderForPatient(petri)]
    const { data, next_cursor } = await board('?status=received&limit=1')
    await moveOrder(petri, data[0].id, 'cancelled')
    const rest = await board(`?status=received&cursor=${next_cursor}`)
    expect(rest.data.map(field('id'))).toEqual([orders[1].id, orders[0].id])
    const paths = [`?cursor=${next_cursor}`, '?cursor=nonsense', `?cursor=${orders[0].id}`]
    for (const path of paths) expect(await petri.get(`/_petri/orders${path}`)).toAnswer(400)
  })

  it('keeps its counts up to date as orders move, and starts again after a reset', async () => {
    await orderForPatient(petri, { scenario: 'happy-path' })
    await board()
    await advance(petri, '30d')
    expect((await board()).counts).toEqual({ 'completed.testkit.completed': 1 })
    await petri.post('/_petri/reset')
    expect(await board()).toMatchObject({ total: 0, counts: {} })
  })

  it('counts what needs attention', async () => {
    await orderKit(petri, { scenario: 'never-registered' })
    await petri.get('/v2/user/nobody')
    await petri.post('/v2/user', { client_user_id: 'x', nickname: 'y' })
    await advance(petri, '30d')
    expect((await board()).attention).toEqual({
      failing_messages: 0,
      refused_requests: 1,
      requests_with_ignored_fields: 1,
      critical_results: 0,
      waiting_for_registration: 1,
    })
  })

  it('updates these counts when orders move and deliveries fail or succeed', async () => {
    let status = 500
    const { petri: heard } = await startHeardPetri(() => status)
    const counts = async () => (await heard.read('/_petri/orders')).attention
    const failing = async () => {
      const { data } = await heard.read('/_petri/webhooks/messages?limit=500')
      return data.filter(
        (each: { status: string; attempts: unknown[] }) =>
          each.status === 'failed' || (each.status === 'pending' && each.attempts.length > 0),
      ).length
    }
    expect(await counts()).toMatchObject({ failing_messages: 0, waiting_for_registration: 0 })
    const kit = await orderKit(heard, { scenario: 'never-registered' })
    await orderForPatient(heard, { scenario: 'critical-result' })
    await advance(heard, '6d')
    expect(await counts()).toMatchObject({
      failing_messages: await failing(),
      critical_results: 0,
      waiting_for_registration: 1,
    })
    expect(await failing()).toBeGreaterThan(3)
    status = 204
    const [endpoint] = (await heard.read('/_petri/webhooks/endpoints')).data
    await heard.patch(`/_petri/webhooks/endpoints/${endpoint.id}`, { disabled: false })
    await heard.post('/_petri/webhooks/resend', { since: '2026-01-01T00:00:00Z' })
    await advance(heard, '1d')
    await register(heard, (await readOrder(heard, kit.id)).sample_id)
    expect(await counts()).toMatchObject({ failing_messages: 0, waiting_for_registration: 0 })
    status = 500
    await advance(heard, '60d')
    expect(await counts()).toMatchObject({ failing_messages: await failing(), critical_results: 1 })
    await heard.close()
  })
})

describe('the life of an order', () => {
  it('tells the legal moves as a refused move does, and what is planned with its instants', async () => {
    const order = await orderForPatient(petri, { scenario: 'problem-in-transit-customer' })
    await advance(petri, '3d')
    const life = await readDetails(petri, order.id)
    expect(life).toMatchObject({ workflow: 'registered_kit', order: { id: order.id } })
    const refused = await moveOrder(petri, order.id, 'corrected')
    expect(refused).toAnswer(409)
    expect(life.legal).toEqual(refused.body.legal)
    const [next] = life.planned
    await petri.post('/_petri/clock/advance', { to: next.due })
    const moved = (await readDetails(petri, order.id)).order
    expect(moved.last_event.status).toBe(next.status)
    expect(Date.parse(moved.last_event.created_at)).toBe(Date.parse(next.due))
  })

  it('says what the customer has to do, and knows no instants beyond that', async () => {
    const kit = await orderKit(petri, { scenario: 'happy-path' })
    await advance(petri, '10d')
    const before = await readDetails(petri, kit.id)
    expect(before.planned[0]).toMatchObject({ waits_for: 'registration', due: null })
    expect(before.planned.every(({ due }: { due: string | null }) => due === null)).toBe(true)
    await register(petri, before.order.sample_id)
    expect((await readDetails(petri, kit.id)).planned[0].due).not.toBeNull()
  })

  it('names its messages, its calls, its documents and its part of the agenda', async () => {
    const order = await orderForPatient(petri, { scenario: 'happy-path' })
    const life = await readDetails(petri, order.id)
    expect(life.agenda).toMatchObject([{ kind: 'scenarios.step', order_id: order.id, recurring: false }])
    expect(life.request_ids).toHaveLength(1)
    expect(life.messages).toEqual({ total: 0, delivered: 0, pending: 0, failed: 0, last_error: null })
    expect(life.documents.map(field('name'))).toContain('requisition')
    expect(await petri.get('/_petri/orders/5f3a0000-0000-4000-8000-000000000000')).toAnswer(404)
  })
})

describe('the agenda', () => {
  it('lists the due jobs, the earliest first, optionally of one subject', async () => {
    const slow = await orderForPatient(petri, { scenario: 'happy-path' })
    await orderKit(petri, { scenario: 'happy-path' })
    const { data, total } = await petri.read('/_petri/agenda')
    expect(total).toBe(2)
    expect(data.map(field('due'))).toEqual([...data.map(field('due'))].sort())
    expect(await petri.read(`/_petri/agenda?subject=${slow.id}`)).toMatchObject({
      total: 1,
      data: [{ order_id: slow.id, does: 'the next step of the scenario' }],
    })
  })
})

describe('the lifecycle', () => {
  it('has every workflow with its statuses and where each leads', async () => {
    const { workflows, phases, status_details } = await petri.read('/_petri/lifecycle')
    expect(workflows.map(field('name'))).toEqual([
      'registered_kit',
      'registrable_kit',
      'walk_in_test',
      'at_home_phlebotomy',
      'on_site_collection',
    ])
    expect(phases).toHaveLength(6)
    expect(status_details.sample_error).toContain('sample_hemolyzed')
    for (const { happy_path, statuses } of workflows) {
      const names = statuses.map(field('name'))
      for (const name of happy_path) expect(names).toContain(name)
      for (const { leads_to } of statuses) for (const next of leads_to) expect(names).toContain(next)
    }
  })
})
