import { expect, it } from 'vitest'
import { OrderDirectory } from '../../src/resources/orders/directory.ts'
import { orders } from '../../src/resources/orders/table.ts'
import { createUser, orderKit } from '../support/orders.ts'
import { startTestPetri } from '../support/petri.ts'

it('holds every order once, in the order of creation, whatever is put while it is filled', async () => {
  const petri = await startTestPetri()
  for (let placed = 0; placed < 3; placed++)
    await orderKit(petri, { user: await createUser(petri, `${placed}`) })
  const [first, second, third] = petri.world().db.all(orders)
  if (!first || !second || !third) return expect.fail()
  const rows = [first, second]
  const directory = new OrderDirectory(rows)
  directory.filling.next()
  directory.put({ ...first, activate_by: '2030-01-01' })
  rows.push(third)
  directory.put(third)
  for (const _ of directory.filling);
  expect(directory.entries.map(({ id, activateBy }) => [id, activateBy])).toEqual([
    [first.id, '2030-01-01'],
    [second.id, second.activate_by],
    [third.id, third.activate_by],
  ])
  await petri.close()
})
