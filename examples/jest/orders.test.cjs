// npx jest orders.test.cjs
const { matchers, startPetri } = require('petri-sandbox')

expect.extend(matchers)

let petri
beforeAll(async () => {
  petri = await startPetri({ now: '2026-01-05T09:00:00Z' })
})
afterAll(() => petri.close())
beforeEach(() => petri.reset())

test('a kit that is lost for a while is completed', async () => {
  const { id } = await petri.orders.place({ scenario: 'problem-in-transit-customer' })
  await petri.clock.advance('4d')
  expect(await petri.orders.get(id)).toHaveStatus('problem_in_transit_customer')
  await petri.clock.advance({ until: 'idle' })
  expect(await petri.orders.get(id)).toHaveVisited(['problem_in_transit_customer', 'completed'])
})

test('a sample that cannot be analysed fails the order', async () => {
  const { id } = await petri.orders.place({ scenario: 'sample-hemolyzed' })
  await petri.clock.advance({ until: 'idle' })
  expect(await petri.orders.get(id)).toHaveStatus('sample_error')
})
