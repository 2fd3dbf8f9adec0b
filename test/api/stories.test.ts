import { describe, expect, it } from 'vitest'
import { packageFolder } from '../../src/kernel/package-folder.ts'
import {
  dottedOf,
  type LowStatus,
  legalMoves,
  readStatus,
  statusDetails,
} from '../../src/resources/orders/lifecycle.ts'
import { createGallery } from '../../src/scenarios/gallery.ts'
import { createUser, orderForPatient, orderKit, register, statusesOf } from '../support/orders.ts'
import { startTestPetri, type TestPetri } from '../support/petri.ts'

const gallery = createGallery(packageFolder('scenarios'))
await gallery.ready()
const kitStories = gallery.all().filter(({ method }) => method === 'testkit')

interface Lived {
  readonly statuses: string[]
  readonly details: (string | null)[]
}

/** Lives a story to its end, registering the kit when it waits for that. */
async function live(petri: TestPetri, name: string, registrable: boolean): Promise<Lived> {
  const place = registrable ? orderKit : orderForPatient
  const order = await place(petri, {
    scenario: name,
    user: await createUser(petri, `${name}-${registrable}`),
  })
  await petri.post('/_petri/clock/advance', { until: 'idle' })
  if ((await petri.get(`/_petri/orders/${order.id}/scenario`)).body.waits_for === 'registration') {
    await register(petri, order.sample_id)
    await petri.post('/_petri/clock/advance', { until: 'idle' })
  }
  const { events } = (await petri.get(`/v3/order/${order.id}`)).body
  return {
    statuses: statusesOf({ events }),
    details: events.map((event: { status_detail: string }) => event.status_detail),
  }
}

describe('the gallery of kits', () => {
  const lived: Lived[] = []

  it.each(kitStories.flatMap(({ name }) => [[name, false] as const, [name, true] as const]))(
    '%s is lived as it is told (registrable: %s)',
    async (name, registrable) => {
      const petri = await startTestPetri()
      const story = gallery.find(name)
      const life = await live(petri, name, registrable)
      lived.push(life)
      const road = registrable ? 'registrable_kit' : 'registered_kit'
      const told = (story?.steps ?? [])
        .filter((step) => step.only === undefined || step.only === road)
        .map((step) => (step.kind === 'await' ? 'registered' : step.step.to))
      const beginning = registrable ? ['ordered', 'awaiting_registration'] : ['ordered']
      const lows = life.statuses.map((status) => readStatus(status)?.low as LowStatus)
      expect(lows).toEqual([...beginning, ...told])
      for (let at = 1; at < lows.length; at++) {
        expect(legalMoves(road, lows.slice(0, at))).toContain(lows[at])
      }
    },
  )

  it('visits every kit status and every detail', () => {
    expect(new Set(lived.flatMap(({ statuses }) => statuses))).toEqual(new Set(dottedOf('testkit')))
    expect(new Set(lived.flatMap(({ details }) => details.filter(Boolean)))).toEqual(new Set(statusDetails))
  })

  it('has a magic ZIP code for each story, and no two share one', async () => {
    const zips = gallery.all().map(({ zip }) => zip)
    expect(zips).not.toContain(undefined)
    expect(new Set(zips).size).toBe(zips.length)
    for (const zip of zips) expect(gallery.byZip(zip as string)?.zip).toBe(zip)
  })
})

describe('the story of an order', () => {
  const storyOf = async (petri: TestPetri, orderId: string) =>
    (await petri.get(`/_petri/orders/${orderId}/scenario`)).body.scenario

  it('is chosen by header, then magic ZIP, then user, then world', async () => {
    const petri = await startTestPetri({ world: { scenario: 'slow-lab' } })
    const user = await createUser(petri)
    expect(await storyOf(petri, (await orderKit(petri, { user })).id)).toBe('slow-lab')
    expect(
      await petri.call('PUT', `/_petri/users/${user}/scenario`, { scenario: 'never-registered' }),
    ).toMatchObject({ status: 200 })
    expect(await storyOf(petri, (await orderKit(petri, { user })).id)).toBe('never-registered')
    expect(await storyOf(petri, (await orderKit(petri, { user, zip: '00112' })).id)).toBe(
      'problem-in-transit-customer',
    )
    expect(await storyOf(petri, (await orderKit(petri, { user, zip: '00112', scenario: 'manual' })).id)).toBe(
      'manual',
    )
  })

  it('must exist: the nearest name is told, and nothing is left behind', async () => {
    const petri = await startTestPetri()
    const user = await createUser(petri)
    await expect(orderKit(petri, { user, scenario: 'lost-on-the-way-outt' })).rejects.toThrow(
      'There is no scenario \\"lost-on-the-way-outt\\". Did you mean \\"lost-on-the-way-out\\"?',
    )
    expect((await petri.get('/v3/orders')).body.total).toBe(0)
  })

  it('ends when the order is moved by hand, and what was left is told', async () => {
    const petri = await startTestPetri()
    const order = await orderForPatient(petri)
    expect(await petri.post(`/_petri/orders/${order.id}/move`, { status: 'lost' })).toMatchObject({
      status: 409,
      body: {
        legal: expect.arrayContaining([
          'received.testkit.requisition_created',
          'cancelled.testkit.cancelled',
        ]),
      },
    })
    const moved = await petri.post(`/_petri/orders/${order.id}/move`, {
      status: 'failed.testkit.lost',
      force: true,
    })
    expect(moved).toMatchObject({ status: 200, body: { last_event: { status: 'failed.testkit.lost' } } })
    expect((await petri.get(`/_petri/orders/${order.id}/scenario`)).body).toMatchObject({
      left_because: 'the order was moved by hand',
      next: null,
      dropped: [
        'requisition_created',
        'transit_customer',
        'out_for_delivery',
        'with_customer',
        'transit_lab',
        'delivered_to_lab',
        'completed',
      ],
    })
    expect((await petri.post('/_petri/clock/advance', { until: 'idle' })).body.pending).toBe(0)
    expect(await petri.post(`/_petri/orders/${order.id}/move`, { status: 'completd' })).toMatchObject({
      status: 422,
      body: { detail: [{ msg: expect.stringContaining('Did you mean "completed"?') }] },
    })
  })

  it('can be taken up from where the order stands', async () => {
    const petri = await startTestPetri()
    const order = await orderForPatient(petri, { scenario: 'manual' })
    await petri.post(`/_petri/orders/${order.id}/move`, { status: 'requisition_created' })
    expect(
      await petri.call('PUT', `/_petri/orders/${order.id}/scenario`, { scenario: 'lost-on-the-way-out' }),
    ).toMatchObject({
      status: 200,
      body: {
        scenario: 'lost-on-the-way-out',
        next: 'collecting_sample.testkit.transit_customer',
        next_due: '2026-01-06T09:00:00.000Z',
      },
    })
    await petri.post('/_petri/clock/advance', { until: 'idle' })
    expect((await petri.get(`/v3/order/${order.id}`)).body.last_event.status).toBe('failed.testkit.lost')
    expect(
      await petri.call('PUT', `/_petri/orders/${order.id}/scenario`, { scenario: 'happy-path' }),
    ).toMatchObject({ status: 409 })
  })
})
