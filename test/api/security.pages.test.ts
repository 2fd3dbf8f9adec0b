import { beforeAll, describe, expect, it } from 'vitest'
import { defaults } from '../../src/defaults.ts'
import { countedFolder, methodOf, pathOf, shoot } from '../support/attack.ts'
import { newToken } from '../support/link.ts'
import { MANAGEMENT_KEY } from '../support/management.ts'
import { createUser } from '../support/orders.ts'
import { forAllTests, KEY, NOBODY, startTestPetri, startTestWorld } from '../support/petri.ts'

const { folder, rowCounts } = countedFolder()
const petri = forAllTests(() => startTestPetri({ folder }))
let userId: string
beforeAll(async () => {
  userId = await createUser(petri)
})

const ask = (path: string, init: RequestInit = {}) => petri.petri.app.request(path, init)

/** What a browser lets any page send anywhere without asking first. Source: Fetch standard, CORS-safelisted request headers. */
const simple: readonly RequestInit[] = [
  { method: 'GET' },
  { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{"name":"evil"}' },
  { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'name=evil' },
  { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=b' }, body: '--b--' },
]

describe('a foreign web page', () => {
  it('has no key, so simple requests have no effect', { tags: 'slow' }, async () => {
    const before = await rowCounts(petri)
    for (const operation of petri.petri.operations) {
      const path = pathOf(operation, () => NOBODY)
      for (const init of simple.filter(({ method }) => method === methodOf(operation))) {
        const headers = {
          ...init.headers,
          origin: 'https://evil.example',
          'sec-fetch-site': 'cross-site',
          host: 'localhost:4080',
        }
        const { status } = await ask(path, { ...init, headers })
        const refused =
          operation.access === 'open' || path.startsWith('/link') || path.startsWith('/portal') ? 599 : 400
        expect(status, operation.id).toBeGreaterThanOrEqual(
          Math.min(refused, operation.access === 'open' ? 200 : 400),
        )
      }
    }
    expect(await rowCounts(petri)).toEqual(before)
    expect(petri.petri.worlds.all()).toHaveLength(1)
  })

  it('gets no CORS headers', { tags: 'slow' }, async () => {
    for (const operation of petri.petri.operations) {
      const path = pathOf(operation, () => NOBODY)
      const input = {
        origin: 'https://evil.example',
        'access-control-request-method': methodOf(operation),
        'access-control-request-headers': 'x-service-api-key',
      }
      for (const method of ['OPTIONS', methodOf(operation)]) {
        if (operation.id === 'petri_wait' || /\/_petri\/events$/.test(path)) continue
        const { headers, status } = await ask(path, {
          method,
          headers: { ...input, 'x-service-api-key': KEY, 'sec-fetch-site': 'cross-site' },
        })
        expect(
          [...headers.keys()].filter((name) => name.startsWith('access-control')),
          operation.id,
        ).toEqual([])
        if (method === 'OPTIONS') expect(status, operation.id).toBe(405)
      }
    }
  })

  it('cannot drive Petri nor manage teams even with the right keys', async () => {
    for (const operation of petri.petri.operations.filter(
      ({ route, access }) => access !== 'open' && (route.includes('/_petri/') || access === 'management'),
    )) {
      for (const foreign of [
        { 'sec-fetch-site': 'cross-site' },
        { origin: 'https://evil.example', host: 'localhost:4080' },
        { host: 'evil.example' },
      ]) {
        const { status } = await shoot(
          petri,
          methodOf(operation),
          pathOf(operation, () => NOBODY),
          undefined,
          { 'x-management-key': MANAGEMENT_KEY, ...foreign },
        )
        expect(status, operation.id).toBe(403)
      }
    }
  })

  it('under a rebound DNS name reads nothing with the default key', async () => {
    const open = await startTestWorld({ world: { apiKey: defaults.apiKey } })
    const list = (host: string, path = '/v2/user') =>
      shoot(open, 'GET', path, undefined, { 'x-service-api-key': defaults.apiKey, host })
    expect(await list('evil.example')).toMatchObject({
      status: 403,
      text: expect.stringContaining('PETRI_API_KEY'),
    })
    expect((await list('evil.example', '/v9/nothing')).status).toBeGreaterThanOrEqual(403)
    for (const host of ['localhost:4080', '127.0.0.1:4080', 'petri', 'host.docker.internal:4080'])
      expect(await list(host)).toAnswer(200)
    const bearer = await shoot(open, 'GET', '/v2/user', undefined, {
      'x-service-api-key': '',
      authorization: `Bearer ${defaults.apiKey}`,
      host: 'evil.example',
    })
    expect(bearer).toAnswer(403)
    await open.close()
  })
})

const XSS = `"><script>alert(1)</script>'<img src=x onerror=alert(1)>`

describe('the pages of a link', () => {
  const pages = async (token: string) => {
    const query = `token=${token}&state=${token}`
    return [
      '/link',
      '/link/consent/fitbit',
      '/link/sign_in/peloton',
      '/link/sign_in/freestyle_libre',
      '/link/close',
    ].map((path) => `${path}?${query}`)
  }

  it('show all input as text', async () => {
    const named = await startTestWorld({ world: { name: XSS } })
    const token = await newToken(named, await createUser(named, XSS))
    for (const path of await pages(token)) {
      for (const more of [
        '',
        'username',
        'password',
        'email',
        'mfa_code',
        'error',
        'code',
        'env',
        'region',
      ].map((name) => `&${name}=${encodeURIComponent(XSS)}`)) {
        const { type, text } = await shoot(named, 'GET', path + more)
        if (type.startsWith('text/html')) expect(text).not.toMatch(/<script>alert|<img src=x/)
        else if (text !== '') JSON.parse(text)
      }
    }
    for (const path of [
      `/link?token=${encodeURIComponent(XSS)}`,
      `/link/consent/${encodeURIComponent(XSS)}?state=${token}`,
      `/portal?token=${encodeURIComponent(XSS)}`,
    ]) {
      expect((await shoot(named, 'GET', path)).type).toBe('application/json')
    }
    await named.close()
  })

  it('cannot be framed, run no scripts and send no referrer', async () => {
    for (const path of await pages(await newToken(petri, userId))) {
      const { headers, status } = await ask(path)
      if (!headers.get('content-type')?.startsWith('text/html')) continue
      expect(status).toBe(200)
      const policy = headers.get('content-security-policy')
      for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"])
        expect(policy).toContain(rule)
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })

  it('redirect only to web addresses', async () => {
    for (const redirect_url of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      ' javascript:alert(1)',
      'java\nscript:alert(1)',
      'data:text/html,<script>',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:https://x/y',
      '//evil.example',
      '/\\evil.example',
      'about:blank',
      'view-source:http://x',
      '\u0001javascript:alert(1)',
    ]) {
      const { status } = await petri.post('/v2/link/token', { user_id: userId, redirect_url })
      expect(status, redirect_url).toBe(422)
    }
  })

  it('send the browser only where the token says, in one header', async () => {
    const evil = 'http://app.example/back?a=b\r\nset-cookie: evil=1'
    const { status, body } = await petri.post('/v2/link/token', { user_id: userId, redirect_url: evil })
    if (status === 200) {
      const response = await ask(`/link/close?token=${body.link_token}`)
      expect(response.headers.get('set-cookie')).toBeNull()
      expect(response.headers.get('location') ?? '').not.toMatch(/[\r\n]/)
    }
    const token = await newToken(petri, userId)
    for (const name of ['redirect_url', 'redirect', 'next', 'return_to', 'url']) {
      const response = await ask(`/link/close?token=${token}&${name}=https://evil.example`)
      expect(response.headers.get('location'), name).toBeNull()
    }
  })
})
