import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import { it, mock } from 'node:test'
import { startPetri } from 'petri-sandbox'

const agent = new Agent({ keepAlive: true })
const call = (url) =>
  new Promise((resolve, reject) => {
    get(`${url}/_petri/health`, { agent }, (response) => response.resume().on('end', resolve)).on(
      'error',
      reject,
    )
  })

it('with fake timers ends with its Petri', async () => {
  const petri = await startPetri({ port: 0, frozen: false })
  mock.timers.enable()
  await petri.webhooks.deliverTo(() => undefined)
  await petri.orders.place()
  const { effects } = await petri.clock.advance('1d')
  assert.ok(effects.length > 1)
  await call(petri.url)
  await petri.close()
  mock.timers.reset()
})

it('ends although a connection to a Petri that nobody closes is kept alive', async () => {
  const petri = await startPetri()
  await call(petri.url)
  assert.equal(Object.values(agent.freeSockets).flat().length, 1)
})
