import { beforeEach, describe, expect, it } from 'vitest'
import { advance, createUser, deleteUser, setFeatures } from '../support/orders.ts'
import { type Answer, NOBODY, ok, START, startTestPetri, type TestPetri } from '../support/petri.ts'

/** The issuers that the mobile SDKs recognise. */
const ISSUER = /^id-signer-([a-z]+)-([a-z]+)@vital-id-[a-z]+-[a-z]+.iam.gserviceaccount.com$/
const EXCHANGE = {
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  subject_token_type: 'urn:junction:sign-in-token',
}

let petri: TestPetri
let userId: string
let wallNow: number

beforeEach(async () => {
  wallNow = START
  petri = await startTestPetri({ wall: () => wallNow })
  userId = await createUser(petri)
})

/** The sign-in token as an SDK reads it: strict Base64 around JSON, and a JWT in the standard alphabet. */
async function signInToken(user = userId): Promise<string> {
  const body = await ok(petri.post(`/v2/user/${user}/sign_in_token`))
  expect(body.sign_in_token).toMatch(/^[A-Za-z0-9+/]+={0,2}$/)
  const { public_key, user_token } = JSON.parse(Buffer.from(body.sign_in_token, 'base64').toString())
  expect(public_key).toEqual(expect.any(String))
  return user_token
}

const claimsOf = (jwt: string) => {
  const [header = '', claims = '', signature = ''] = jwt.split('.')
  expect(`${header}${claims}`).toMatch(/^[A-Za-z0-9+/]+$/)
  expect(signature).not.toBe('')
  return {
    header: JSON.parse(Buffer.from(header, 'base64').toString()),
    claims: JSON.parse(Buffer.from(claims, 'base64').toString()),
  }
}

const form = async (
  fields: Record<string, string>,
  path = '/auth/v1/token',
): Promise<Pick<Answer, 'status' | 'body'>> => {
  const response = await petri.petri.app.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })
  return { status: response.status, body: await response.json() }
}

const exchange = async (token?: string, path?: string) =>
  form({ ...EXCHANGE, subject_token: token ?? (await signInToken()) }, path)

const as = (token: string) => ({ 'x-service-api-key': '', authorization: `Bearer ${token}` })

describe('a sign-in token', () => {
  it('has the form that both mobile SDKs parse', async () => {
    const { header, claims } = claimsOf(await signInToken())
    expect(header).toEqual({ alg: 'RS256', typ: 'JWT' })
    expect(ISSUER.exec(claims.iss)?.slice(1)).toEqual(['stg', 'us'])
    expect(claims).toMatchObject({
      uid: userId,
      tenant_id: expect.stringMatching(/^t-/),
      claims: { vital_team_id: petri.world().identity.teamId },
    })
  })

  it.each(['local-eu', 'stg-eu', 'prd-us'])(
    'names the environment %s when the world is set to it',
    async (environment) => {
      await setFeatures(petri, { mobile_environment: environment })
      const { claims } = claimsOf(await signInToken())
      expect(ISSUER.exec(claims.iss)?.slice(1).join('-')).toBe(environment)
    },
  )

  it('is local on port 8000, where the iOS simulator looks', async () => {
    petri = await startTestPetri({ baseUrl: () => 'http://127.0.0.1:8000' })
    userId = await createUser(petri)
    const { claims } = claimsOf(await signInToken())
    expect(ISSUER.exec(claims.iss)?.slice(1).join('-')).toBe('local-eu')
  })
})

describe('the token endpoint', () => {
  it.each(['/v1/token', '/auth/v1/token'])('exchanges a sign-in token at %s', async (path) => {
    const body = await ok(exchange(undefined, path))
    expect(body).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
    })
    expect((await petri.read(`/v2/user/${userId}`, as(body.access_token))).user_id).toBe(userId)
  })

  it('renews an access token, with a refresh token in the response', async () => {
    const first = (await exchange()).body
    const renewed = await form({ grant_type: 'refresh_token', refresh_token: first.refresh_token })
    expect(renewed).toAnswer(200, { refresh_token: first.refresh_token, expires_in: 3600 })
  })

  const invalid = { status: 401, body: { detail: { error_type: 'invalid_token' } } }

  it('signs out for unknown, altered and expired tokens, and leaves no session behind', async () => {
    const token = await signInToken()
    const { refresh_token } = (await exchange(token)).body
    const [header, , signature] = token.split('.')
    const claims = Buffer.from(JSON.stringify({ ...claimsOf(token).claims, uid: NOBODY })).toString(
      'base64url',
    )
    for (const bad of [
      '',
      'abc',
      `${header}.${claims}.${signature}`,
      `${token.slice(0, -2)}xx`,
      `${header}.${claims}.`,
    ])
      expect(await exchange(bad), bad).toMatchObject(invalid)
    for (const bad of ['', 'rt_1', `${refresh_token.slice(0, -1)}?`])
      expect(await form({ grant_type: 'refresh_token', refresh_token: bad })).toMatchObject(invalid)
    await advance(petri, '59m')
    expect(await exchange(token)).toAnswer(200)
    await advance(petri, '1m')
    expect(await exchange(token)).toMatchObject(invalid)
  })

  it('signs out for a deleted user, and asks for another sign-in once the sessions are revoked', async () => {
    const { access_token, refresh_token } = (await exchange()).body
    const refresh = () => form({ grant_type: 'refresh_token', refresh_token })
    expect(await petri.delete(`/_petri/users/${userId}/mobile_sessions`)).toAnswer(200, { revoked: 1 })
    expect(await refresh()).toEqual({
      status: 401,
      body: { detail: { error_type: 'reauthentication_required' } },
    })
    expect(await exchange()).toAnswer(200)
    await deleteUser(petri, userId)
    expect(await refresh()).toMatchObject(invalid)
    expect(await petri.get(`/v2/user/${userId}`, as(access_token))).toAnswer(404)
  })

  it('refuses an unknown grant', async () => {
    expect(await form({ grant_type: 'password' })).toAnswer(401)
    const token = await signInToken()
    expect(await form({ grant_type: 'password', subject_token: token })).toRefuse(422, [
      { type: 'enum', loc: ['body', 'grant_type'] },
    ])
  })
})

describe("a user's access token", () => {
  let token: string
  beforeEach(async () => {
    token = (await exchange()).body.access_token
  })

  it('is valid by the wall clock, whatever the world does', async () => {
    await advance(petri, '30d')
    expect(await petri.get(`/v2/user/${userId}`, as(token))).toAnswer(200)
    wallNow += 3_659_000
    expect(await petri.get(`/v2/user/${userId}`, as(token))).toAnswer(200)
    wallNow += 1000
    expect(await petri.get(`/v2/user/${userId}`, as(token))).toRefuse(401, 'invalid token')
  })

  it('is refused when it is altered, and in another world', { tags: 'slow' }, async () => {
    const { body: other } = await petri.post('/_petri/worlds', { name: 'other' })
    const [header, claims = '', signature] = token.split('.')
    const changed = { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), team_id: other.team_id }
    const forged = `${header}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}.${signature}`
    for (const bad of [forged, `${header}.${claims}.`, `${header}.${claims}`, `${token}x`])
      expect(await petri.get(`/v2/user/${userId}`, as(bad))).toAnswer(401)
  })

  it('opens no other user, named in the path or in the body', async () => {
    const other = await createUser(petri, 'other')
    const forbidden = { status: 403, body: { detail: expect.any(String) } }
    expect(await petri.get(`/v2/user/${other}`, as(token))).toMatchObject(forbidden)
    expect(await petri.get(`/v2/user/providers/${other}`, as(token))).toMatchObject(forbidden)
    expect(await petri.post('/v2/link/token', { user_id: other }, as(token))).toMatchObject(forbidden)
    expect(
      await petri.post('/v2/link/provider/manual/apple_health_kit', { user_id: other }, as(token)),
    ).toMatchObject(forbidden)
    expect(await petri.post('/v2/link/token', { user_id: userId }, as(token))).toAnswer(200)
  })

  it('opens exactly the declared operations', { tags: 'slow' }, async () => {
    for (const { id, route, takesUserToken, access = 'world' } of petri.petri.operations) {
      if (access !== 'world') continue
      const [method = '', path = ''] = route.split(' ')
      const { status, body } = await petri.call(
        method,
        path.replace(/\{\w+\}/g, NOBODY),
        undefined,
        as(token),
      )
      if (takesUserToken) expect([403, 404, 422, 200], `${id} ${status}`).toContain(status)
      else expect({ status, body }, id).toEqual({ status: 401, body: { detail: expect.any(String) } })
    }
    const opened = petri.petri.operations.filter(({ takesUserToken }) => takesUserToken)
    expect(opened.some(({ route }) => route.includes('/_petri/') || route.includes('/v3/'))).toBe(false)
  })

  it('does not show the stream of a workout of another user', async () => {
    const other = await createUser(petri, 'other')
    const summary = {
      time_start: '2026-01-02T08:00:00Z',
      time_end: '2026-01-02T09:00:00Z',
      sport: { id: 1, name: 'Running', slug: 'running' },
    }
    const idOf = async (user: string) =>
      (await petri.post(`/_petri/users/${user}/data`, { resource: 'workouts', provider: 'fitbit', summary }))
        .body.id
    const stream = async (id: string) =>
      (await petri.get(`/v2/timeseries/workouts/${id}/stream`, as(token))).status
    expect(await stream(await idOf(userId))).toBe(200)
    expect(await stream(await idOf(other))).toBe(404)
  })
})

describe('a link code', () => {
  const take = (code: string) =>
    petri.post(`/v2/link/code/exchange?code=${code}&grant_type=sign_in_token`, undefined, {
      'x-service-api-key': '',
    })
  const newCode = async () => (await petri.post(`/v2/link/code/create?user_id=${userId}`)).body.code

  it('is exchanged once for a sign-in token, without a key', async () => {
    const code = await newCode()
    const body = await ok(take(code))
    expect(body).toMatchObject({ user_id: userId, team: { name: 'Petri' } })
    const { user_token } = JSON.parse(Buffer.from(body.sign_in_token, 'base64').toString())
    expect(await exchange(user_token)).toAnswer(200)
    expect(await take(code)).toRefuse(404, 'Code not found')
  })
})
