// PETRI_KIT=FILE node --test bench/felt-tests.mjs: a test file of a hundred tests, each with a world of its own.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'

const { startPetri } = await import(pathToFileURL(process.env.PETRI_KIT).href)
let petri
before(async () => {
  petri = await startPetri()
})
after(() => petri.close())

for (let number = 1; number <= 100; number++) {
  test(`order ${number} is completed`, async () => {
    const world = await petri.world()
    const types = []
    await world.webhooks.deliverTo(async (request) => void types.push((await request.json()).event_type))
    const { id } = await world.orders.place()
    await world.clock.advance({ until: 'idle' })
    assert.equal((await world.orders.get(id)).status, 'completed')
    assert.equal(types[0], 'labtest.order.created')
    await world.close()
  })
}
