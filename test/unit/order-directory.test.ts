import { expect, it } from 'vitest'
import { compare } from '../../src/kernel/compare.ts'
import { OrderDirectory, PositionsByText, SortedPositions } from '../../src/resources/orders/directory.ts'
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
  const { id, activateBy } = directory.columns
  expect(directory.positions.map((at) => [id[at], activateBy[at]])).toEqual([
    [first.id, '2030-01-01'],
    [second.id, second.activate_by],
    [third.id, third.activate_by],
  ])
  expect(directory.findBy('userId', second.user_id)).toEqual([1])
  await petri.close()
})

it('sorts by name what was entered and renamed while it was sorted', async () => {
  const names = Array.from({ length: 20_000 }, (_, at) => `${(at * 7919) % 20_011}`)
  const order = new SortedPositions(names, '')
  const sorting = order.sorted()
  const rename = (position: number, name: string) => {
    if (position < names.length) order.remove(position)
    names[position] = name
    order.insert(position)
  }
  rename(5, 'zz')
  rename(20_000, '')
  rename(5, 'z')
  const byName = (a: number, b: number) => compare(names[a] ?? '', names[b] ?? '') || a - b
  expect(await sorting).toEqual([...names.keys()].sort(byName))
  rename(7, 'y')
  expect(await order.sorted()).toEqual([...names.keys()].sort(byName))
})

it('finds several positions by a text, in order, and none by one that has gone', () => {
  const positions = new PositionsByText()
  for (const at of [3, 1, 2]) positions.move(at, undefined, 'a')
  positions.move(2, 'a', 'b')
  expect([positions.find('a'), positions.find('b'), positions.find('')]).toEqual([[1, 3], [2], []])
  positions.move(2, 'b', 'a')
  expect([positions.find('a'), positions.find('b')]).toEqual([[1, 2, 3], []])
})
