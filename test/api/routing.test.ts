import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { version } from '../../src/api/version.ts'
import { startPetri } from '../../src/index.ts'
import { createUser } from '../support/orders.ts'
import { forEachTest, KEY, startTestPetri } from '../support/petri.ts'

const petri = forEachTest(startTestPetri)

const keyed = { 'x-service-api-key': KEY }
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
const json = async (answer: Response | Promise<Response>): Promise<any> => (await answer).json()

describe('a path', () => {
  it.each(['/v2/user/', '/v2/providers/', '/v3/lab_tests/', '/v3/lab_tests/markers/', '/v2/user/?limit=1'])(
    'may end with a slash: %s',
    async (path) => {
      expect(await petri.get(path)).toAnswer(200)
    },
  )

  it('may end with a slash in a call that creates something', async () => {
    expect(await petri.post('/v2/user/', { client_user_id: 'ada' })).toAnswer(200)
  })

  it.each(['/v2/user//', '/v2/user//refresh', '/v3/order//cancel', '//v2/user'])(
    'has no parameter in an empty segment: %s',
    async (path) => {
      expect(await petri.get(path)).toAnswer(404)
    },
  )

  it.each([
    ['/v3/ordr/7ff18e95-886b-4b4a-b2e3-ab0ee2377e62', 'GET /v3/order/{order_id}'],
    ['/order/7ff18e95-886b-4b4a-b2e3-ab0ee2377e62', 'GET /v3/order/{order_id}'],
    [
      '/v2/timeseries/7ff18e95-886b-4b4a-b2e3-ab0ee2377e62/hartrate',
      'GET /v2/timeseries/{user_id}/heartrate',
    ],
    ['/v2/users', 'GET /v2/user'],
    ['/v3/orderz', 'GET /v3/orders'],
    ['/favicon.ico', undefined],
    [`/v2/${'x'.repeat(15_000)}`, undefined],
  ])('that nobody has is answered with the nearest: %.60s', async (path, nearest) => {
    const { status, headers, body } = await petri.get(path)
    expect([status, body]).toEqual([404, { detail: 'Not Found' }])
    expect(headers.get('x-petri-hint')?.split('; ')[0]).toBe(nearest)
  })

  it('without parameters wins over one with them', async () => {
    expect(await petri.read('/v3/lab_tests/markers')).toHaveProperty('markers')
  })

  it.each([
    ['DELETE', '/v3/lab_tests/markers', 'GET, PATCH'],
    ['PUT', '/v2/user', 'GET, POST'],
    ['DELETE', '/v2/user/', 'GET, POST'],
  ])('%s %s is told which methods would be answered', async (method, path, allow) => {
    const answer = await petri.call(method, path)
    expect(answer).toRefuse(405, 'Method Not Allowed')
    expect(answer.headers.get('allow')?.split(', ').sort().join(', ')).toBe(allow)
  })
})

it('an optional query parameter without a value counts as absent', async () => {
  const user_id = await createUser(petri)
  const steps = `/v2/timeseries/${user_id}/steps/grouped?start_date=2026-01-01`
  expect(await petri.read(`${steps}&end_date=`)).toEqual(await petri.read(steps))
  expect(await petri.get('/v2/user?limit=&offset=')).toAnswer(200)
  expect(await petri.get(`/v2/timeseries/${user_id}/steps/grouped?start_date=`)).toAnswer(422)
})

it('/openapi.json says what it describes, where that is, and which header a generated client sends', async () => {
  const body = await petri.read('/openapi.json', { 'x-service-api-key': '' })
  expect(body.openapi).toBe('3.1.0')
  expect(body.info).toMatchObject({
    version: version.petri,
    'x-spec-version': version.spec,
    'x-contract-version': version.contract,
  })
  expect(body.servers).toEqual([{ url: 'http://localhost' }])
  const names = body.security.map((scheme: object) => Object.keys(scheme)[0])
  const { securitySchemes } = body.components
  expect(names.map((name: string) => securitySchemes[name].name)).toEqual([
    'x-vital-api-key',
    'x-service-api-key',
  ])
  const withoutClientError = Object.values(body.paths as Record<string, object>)
    .flatMap((path): { operationId: string; responses: object }[] => Object.values(path))
    .filter(({ responses }) => !Object.keys(responses).some((status) => status.startsWith('4')))
  expect(withoutClientError.map(({ operationId }) => operationId)).toEqual(['petri_health'])
})

describe('mounted in another app', () => {
  const seen: string[] = []
  const outer = () =>
    new Hono()
      .use(async (c, next) => {
        await next()
        seen.push(`${c.req.method} ${c.req.path} ${c.res.status}`)
        c.header('x-outer', 'yes')
      })
      .route('/sandbox', petri.petri.app)

  it('answers under the prefix, after the middleware of that app', async () => {
    const answer = await outer().request('/sandbox/v2/user', { headers: keyed })
    expect(answer).toAnswer(200)
    expect(answer.headers.get('x-outer')).toBe('yes')
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
    expect(seen).toContain('GET /sandbox/v2/user 200')
    expect(await outer().request('/v2/user', { headers: keyed })).toAnswer(404)
  })

  it('runs that middleware on the route of every operation', async () => {
    const paths = new Set<string>()
    const app = new Hono()
      .use('*', async (c) => {
        paths.add(`${c.req.method} ${c.req.path}`)
        return c.text('stopped', 418)
      })
      .route('/', petri.petri.app)
    for (const { route } of petri.petri.operations) {
      const [method = '', path = ''] = route.replace(/\{\w+\}/g, 'x').split(' ')
      expect(await app.request(path, { method }), route).toAnswer(418)
    }
    expect(paths.size).toBe(petri.petri.operations.length)
  })

  it('leaves paths that it does not serve to that app', async () => {
    const app = new Hono().route('/', petri.petri.app).get('/mine', (c) => c.text('my own'))
    const mine = await app.request('/mine')
    expect([await mine.text(), mine.headers.get('x-request-id')]).toEqual(['my own', null])
    expect(await app.request('/nobodys')).toAnswer(404)
    expect([...petri.world().requests.all()]).toEqual([])
  })

  it('reads parameters, bodies and errors, and journals the path of the service', async () => {
    const app = outer()
    const body = JSON.stringify({ client_user_id: 'ada' })
    const headers = { ...keyed, 'content-type': 'application/json' }
    const user = await json(app.request('/sandbox/v2/user', { method: 'POST', headers, body }))
    const path = `/v2/user/${user.user_id}`
    expect(await json(app.request(`/sandbox${path}?a=b`, { headers }))).toMatchObject({
      client_user_id: 'ada',
    })
    const missing = await app.request('/sandbox/v2/user/none', { headers })
    expect([missing.status, await missing.json()]).toEqual([422, { detail: expect.any(String) }])
    expect(await app.request('/sandbox/v2/user', { method: 'HEAD', headers })).toAnswer(200)
    expect([...petri.world().requests.all()].map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /v2/user',
      `GET ${path}?a=b`,
      'GET /v2/user/none',
      'HEAD /v2/user',
    ])
  })

  it('takes a body that a middleware has read before', async () => {
    const app = new Hono()
      .use(async (c, next) => {
        await c.req.json()
        await next()
      })
      .route('/', petri.petri.app)
    const body = JSON.stringify({ client_user_id: 'ada' })
    const headers = { ...keyed, 'content-type': 'application/json' }
    expect(await app.request('/v2/user', { method: 'POST', headers, body })).toAnswer(200)
  })

  it('gives links that lead there', async () => {
    const local = await startPetri({ baseUrl: 'http://127.0.0.1:3000/sandbox' })
    const app = new Hono().route('/sandbox', local.app)
    const user = await local.call<{ user_id: string }>('POST', '/v2/user', { client_user_id: 'ada' })
    const { link_web_url } = await local.call<{ link_web_url: string }>('POST', '/v2/link/token', {
      user_id: user.user_id,
    })
    expect(link_web_url).toMatch(/^http:\/\/127\.0\.0\.1:3000\/sandbox\/link\?/)
    const page = await (await app.request(link_web_url)).text()
    const links = [...page.matchAll(/(?:href|action)="([^"]+)"/g)].map(([, link = '']) =>
      link.replaceAll('&amp;', '&'),
    )
    expect(links.length).toBeGreaterThan(1)
    for (const link of [links[0], links.at(-1)]) {
      expect(await app.request(new URL(link ?? '', link_web_url).href)).toAnswer(200)
    }
    await local.close()
  })
})
