// How each library mocks POST requests to two vendors. All other requests pass through.

const nock =
  (version) =>
  async (...vendors) => {
    const { default: nock } = await import(`nock-${version}`)
    for (const vendor of vendors) nock(vendor).persist().post('/charge').reply(201, 'mocked')
  }

const msw =
  (version) =>
  async (...vendors) => {
    const { HttpResponse, http } = await import(`msw-${version}`)
    const { setupServer } = await import(`msw-${version}/node`)
    const handlers = vendors.map((vendor) =>
      http.post(`${vendor}/charge`, () => new HttpResponse('mocked', { status: 201 })),
    )
    setupServer(...handlers).listen({ onUnhandledRequest: 'bypass' })
  }

export const mocks = {
  'nock 13': nock(13),
  'nock 14': nock(14),
  'nock 15': nock(15),
  'MSW 2': msw(2),
  'MSW 3': msw(3),
  MockAgent: async (...vendors) => {
    const { MockAgent, setGlobalDispatcher } = await import('undici')
    const agent = new MockAgent()
    agent.enableNetConnect()
    setGlobalDispatcher(agent)
    for (const vendor of vendors)
      agent.get(vendor).intercept({ path: '/charge', method: 'POST' }).reply(201, 'mocked').persist()
  },
}
