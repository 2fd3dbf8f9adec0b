import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { takesLinkToken } from '../../src/http/link-origins.ts'
import { methodOf, pathOf } from '../support/attack.ts'
import { newToken } from '../support/link.ts'
import { createUser } from '../support/orders.ts'
import { NOBODY, startTestPetri, type TestPetri } from '../support/petri.ts'

const MINE = 'http://localhost:5173'
const APP = 'capacitor://localhost'

let petri: TestPetri
let token: string
const start = async (linkOrigins?: readonly string[]) => {
  petri = await startTestPetri({ linkOrigins })
  token = await newToken(petri, await createUser(petri))
}
beforeEach(() => start([MINE, APP]))
afterEach(() => petri.close())

const ask = (path: string, init: RequestInit = {}) => petri.petri.app.request(path, init)
const preflight = (path: string, origin = MINE) =>
  ask(path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-vital-link-token',
    },
  })

describe('the routes that take a link token', () => {
  it('let pages of the named origins ask and read', async () => {
    for (const origin of [MINE, APP]) {
      const asked = await preflight('/v2/link/providers', origin)
      expect(asked).toAnswer(204)
      expect(Object.fromEntries(asked.headers)).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET,POST,OPTIONS',
        'access-control-max-age': '600',
        'x-petri': expect.any(String),
      })
      expect(asked.headers.get('access-control-allow-headers')).toContain('x-vital-link-token')
      expect(asked.headers.get('access-control-allow-headers')).not.toMatch(/api-key|authorization/)
      const read = await ask('/v2/link/providers', { headers: { origin, 'x-vital-link-token': token } })
      expect(read).toAnswer(200)
      expect(read.headers.get('access-control-allow-origin')).toBe(origin)
      expect(read.headers.get('access-control-allow-credentials')).toBeNull()
      expect(read.headers.get('vary')).toBe('Origin')
    }
  })

  it('let them read compressed responses and errors, too', async () => {
    const headers = { origin: MINE, 'x-vital-link-token': token, 'accept-encoding': 'gzip' }
    const packed = await ask('/v2/link/providers', { headers })
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    expect(packed.headers.get('access-control-allow-origin')).toBe(MINE)
    expect(packed.headers.get('vary')).toBe('Accept-Encoding,Origin')
    const wrong = [
      ask('/v2/link/providers', { headers: { origin: MINE } }),
      ask('/v2/link/state', { headers: { origin: MINE, 'x-vital-link-token': 'lt_1' } }),
      ask('/v2/link/provider/email/freestyle_libre', { method: 'POST', headers, body: '{' }),
    ]
    for (const response of await Promise.all(wrong)) {
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(response.headers.get('access-control-allow-origin')).toBe(MINE)
    }
  })

  it('give other origins nothing', async () => {
    for (const origin of ['https://evil.example', 'http://localhost:5174', 'null']) {
      expect(await preflight('/v2/link/providers', origin)).toAnswer(405)
      const read = await ask('/v2/link/providers', { headers: { origin, 'x-vital-link-token': token } })
      expect(read.headers.get('access-control-allow-origin')).toBeNull()
    }
  })
})

describe('all other routes', () => {
  it('stay closed to the named origins', { tags: 'slow' }, async () => {
    let closed = 0
    for (const operation of petri.petri.operations.filter((each) => !takesLinkToken(each))) {
      const path = pathOf(operation, () => NOBODY)
      const sharesPath = petri.petri.operations.some(
        (each) => takesLinkToken(each) && each.route.endsWith(` ${path}`),
      )
      if (sharesPath) continue
      closed++
      for (const method of ['OPTIONS', methodOf(operation)]) {
        const { headers } = await ask(path, { method, headers: { origin: MINE } })
        expect(headers.get('access-control-allow-origin'), `${method} ${path}`).toBeNull()
      }
    }
    expect(closed).toBeGreaterThan(250)
  })
})

describe('the widget', () => {
  it('is served with the pages that its frame shows', async () => {
    for (const path of ['/initialize.js', '/link/initialize.js']) {
      const script = await ask(path)
      expect([script.status, script.headers.get('content-type')]).toEqual([
        200,
        'text/javascript; charset=utf-8',
      ])
      expect(await script.text()).toContain('window.Vital = { create }')
    }
    const framed = await ask(`/link?token=${token}&embedded=true`)
    expect(framed.headers.get('x-frame-options')).toBeNull()
    expect(framed.headers.get('content-security-policy')).toContain(`frame-ancestors ${MINE} ${APP}`)
    expect(framed.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self';")
    expect(await framed.text()).toContain('/link/report.js')
  })

  it('is not there unless origins are named', async () => {
    await petri.close()
    await start(undefined)
    for (const path of ['/initialize.js', '/link/initialize.js', '/link/report.js'])
      expect(await ask(path)).toAnswer(404)
    const shown = await ask(`/link?token=${token}&embedded=true`)
    expect(shown.headers.get('x-frame-options')).toBe('DENY')
    expect(await shown.text()).not.toContain('<script')
    expect(await preflight('/v2/link/providers')).toAnswer(405)
  })
})
