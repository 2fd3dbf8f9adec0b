import { expect, it } from 'vitest'
import type { OrderRow } from '../../src/resources/orders/table.ts'
import { orders } from '../../src/resources/orders/table.ts'
import { advance, createUser, orderForPatient, orderKit, register } from '../support/orders.ts'
import { startTestPetri } from '../support/petri.ts'

const nameOf = ({ patient_details: patient }: OrderRow) =>
  patient ? `${patient.first_name} ${patient.last_name}`.toLowerCase() : ''
const keys: Readonly<Record<string, (order: OrderRow) => string>> = {
  '': ({ updated_at }) => updated_at,
  created_at: () => '',
  patient_name: nameOf,
  last_status: ({ last_event }) => last_event.status.split('.')[2] ?? '',
}

it('lists orders by each key, also what has changed since the last list and after a restore', async () => {
  const petri = await startTestPetri()
  const kits = []
  for (let placed = 0; placed < 4; placed++) {
    kits.push(await orderKit(petri, { user: await createUser(petri, `${placed}`), scenario: 'manual' }))
    if (placed % 2 === 0) await advance(petri, '1h')
  }
  const expectSorted = async () => {
    for (const [key, textOf] of Object.entries(keys)) {
      const { body } = await petri.get(`/v3/orders?order_direction=asc${key && `&order_key=${key}`}`)
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
  await petri.post(`/_petri/orders/${kits[1].id}/move`, { status: 'transit_customer' })
  await petri.post(`/_petri/orders/${kits[0].id}/move`, { status: 'cancelled' })
  await expectSorted()
  await petri.call('PUT', '/_petri/snapshots/now')
  await petri.post('/_petri/snapshots/now/restore')
  await expectSorted()
  await petri.close()
})
