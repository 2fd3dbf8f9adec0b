// The programs that the check of the package runs with the installed package.

export const moduleProgram = `
  import { Hono } from 'hono'
  import { startPetri, type Order } from 'petri-sandbox'
  const petri = await startPetri({ port: 0 })
  const url: string = petri.url
  const order: Order = await petri.orders.place({ scenario: 'critical-result' })
  await petri.clock.advance({ until: 'idle' })
  const { interpretation } = await petri.orders.get(order.id)
  const mounted = new Hono().use((c, next) => next()).route('/sandbox', petri.app)
  const { status } = await mounted.request('/sandbox/v3/lab_tests', { headers: { 'x-service-api-key': petri.apiKey } })
  await petri.close()
  if (status !== 200) throw new Error(\`mounted, the catalogue answered \${status}\`)
  if (interpretation !== 'critical') throw new Error(\`the order at \${url} is \${interpretation}\`)`

export const commonjsProgram = `
  import petri = require('petri-sandbox')
  async function main() {
    const sandbox: petri.RunningPetri = await petri.startPetri()
    const { id } = await sandbox.orders.place({ scenario: 'critical-result' })
    await sandbox.clock.advance({ until: 'idle' })
    const order: petri.Order = await sandbox.orders.get(id)
    await sandbox.close()
    if (order.interpretation !== 'critical') throw new Error('the order is not critical')
  }
  void main()`

const completes = (expectation) => `
    const petri = await startPetri()
    const { id } = await petri.orders.place({ scenario: 'critical-result' })
    await petri.clock.advance({ until: 'idle' })
    const order = await petri.orders.get(id)
    await petri.close()
    ${expectation}`

export const nodeTest = `
  const assert = require('node:assert/strict')
  const { test } = require('node:test')
  const { startPetri } = require('petri-sandbox')
  test('an order is completed', async () => {${completes("assert.equal(order.interpretation, 'critical')")}
  })`

export const jestTest = `
  const { matchers, startPetri, useWorld } = require('petri-sandbox')
  expect.extend(matchers)
  test('an order is completed', async () => {${completes("expect(order).toHaveStatus('completed')")}
  })
  const current = useWorld({ beforeEach, afterEach, afterAll })
  test.each(['first', 'second'])('a %s world has no order of another test', async () => {
    await current.world.orders.place({ scenario: 'happy-path' })
    expect((await current.world.describe()).counts.orders).toBe(1)
  })`

export const vitestTest = `
  import { matchers, startPetri } from 'petri-sandbox'
  import { test as inWorld } from 'petri-sandbox/vitest'
  import { expect, test } from 'vitest'
  expect.extend(matchers)
  test('an order is completed', async () => {${completes("expect(order).toHaveStatus('completed')")}
  })
  inWorld('a test has a world', async ({ world }) => {
    const { id } = await world.orders.place({ scenario: 'critical-result' })
    expect(await world.orders.reach(id, 'completed')).toHaveStatus('completed')
  })`
