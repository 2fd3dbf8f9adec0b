// npm install testcontainers petri-sandbox && node --test petri.test.mjs
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connectToPetri } from 'petri-sandbox'
import { GenericContainer, Wait } from 'testcontainers'

let container
let petri
before(async () => {
  container = await new GenericContainer(process.env.PETRI_IMAGE ?? 'ghcr.io/example/petri-sandbox')
    .withEnvironment({ PETRI_DATA: 'memory', PETRI_FROZEN: 'true', PETRI_CONTROL_TOKEN: 'control' })
    .withExposedPorts(4080)
    .withWaitStrategy(Wait.forHttp('/_petri/health', 4080))
    .start()
  const url = `http://${container.getHost()}:${container.getMappedPort(4080)}`
  petri = await connectToPetri({ url, controlToken: 'control' })
})
after(async () => {
  await petri?.close()
  await container?.stop()
})

test('a kit that is lost fails', async () => {
  const world = await petri.world()
  const { id } = await world.orders.place({ scenario: 'lost-on-the-way-out' })
  await world.clock.advance({ until: 'idle' })
  const order = await world.orders.get(id)
  assert.equal(order.last_event.status, 'failed.testkit.lost')
})
