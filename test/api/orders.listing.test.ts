import { expect, it } from 'vitest'
import { fillDirectory, orderEntries } from '../../src/resources/orders/directory.ts'
import type { OrderRow } from '../../src/resources/orders/table.ts'
import { orders } from '../../src/resources/orders/table.ts'
import {
  advance,
  changeUser,
  createUser,
  moveOrder,
  orderBy,
  orderForPatient,
  orderKit,
  patient,
  register,
} from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'

const petri = forEachTest()

const nameOf = ({ patient_details: patient }: OrderRow) =>
  patient ? `${patient.first_name} ${patient.last_name}`.toLowerCase() : ''
const keys: Readonly<Record<string, (order: OrderRow) => string>> = {
  '': ({ updated_at }) => updated_at,
  created_at: () => '',
  patient_name: nameOf,
  last_status: ({ last_event }) => last_event.status.split('.')[2] ?? '',
}

it('lists orders by each key, also what has changed since the last list and after a restore', async () => {
  const kits = []
  for (let placed = 0; placed < 4; placed++) {
    kits.push(await orderKit(petri, { user: await createUser(petri, `${placed}`), scenario: 'manual' }))
    if (placed % 2 === 0) await advance(petri, '1h')
  }
  const expectSorted = async () => {
    for (const [key, textOf] of Object.entries(keys)) {
      const body = await petri.read(`/v3/orders?order_direction=asc${key && `&order_key=${key}`}`)
      const rows = [...petri.world().db.all(orders)]
      const sorted = rows.sort((a, b) => Number(textOf(a) > textOf(b)) - Number(textOf(a) < textOf(b)))
      expect(body.orders.map(({ id }: OrderRow) => id)).toEqual(sorted.map(({ id }) => id))
    }
  }
  await expectSorted()
  await register(petri, kits[2].sample_id)
  await orderForPatient(petri)
  await expectSorted()
  await advance(petri, '1h')
  await moveOrder(petri, kits[1].id, 'transit_customer')
  await moveOrder(petri, kits[0].id, 'cancelled')
  await expectSorted()
  await petri.put('/_petri/snapshots/now')
  await petri.post('/_petri/snapshots/now/restore')
  await expectSorted()
})

it('finds orders by what they say, a whole field at most', async () => {
  const user_id = await createUser(petri, 'client')
  const kit = await orderKit(petri, { user: user_id, scenario: 'manual' })
  const details = { ...patient, first_name: 'Grace', email: 'Grace.H@Example.com' }
  const visit = await orderBy(petri, 'walk_in_test', { user_id, patient_details: details })
  const search = async (text: string): Promise<string[]> => {
    const query = `order_direction=asc&search_input=${encodeURIComponent(text)}`
    return (await petri.read(`/v3/orders?${query}`)).orders.map(({ id }: OrderRow) => id)
  }
  expect(await search('grace example')).toEqual([visit.id])
  await changeUser(petri, user_id, { client_user_id: 'renamed' })
  expect(await search('client')).toEqual([])
  expect(await search('rename')).toEqual([kit.id, visit.id])
  for (const text of ['example\n1990', `${visit.id}${user_id}`, 'example1990'])
    expect(await search(text)).toEqual([])
})

it('knows all orders of a world that had many when it was opened', async () => {
  const first = await orderKit(petri, { scenario: 'manual' })
  const world = petri.world()
  const { length } = orderEntries(world)
  // Written as if by an earlier run, of which this one does not know.
  for (let nth = length; nth < 1000; nth++)
    world.db.put(orders, { ...world.db.get(orders, first.id), id: `order-${nth}` })
  await fillDirectory(world)
  expect(orderEntries(world).map(({ id }) => id)).toEqual(world.db.ids(orders))
  expect(orderEntries(world)).toHaveLength(1000)
})
