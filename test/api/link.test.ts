import { describe, expect, it } from 'vitest'
import { linkErrorTypes } from '../../src/resources/link/schema.ts'
import { connectedTo, newToken, withToken } from '../support/link.ts'
import { createUser } from '../support/orders.ts'
import { startTestPetri, startTestWorld, type TestPetri } from '../support/petri.ts'

const NOBODY = '00000000-0000-4000-8000-000000000000'

const signIn = (petri: TestPetri, token: string, body: object, provider = 'zwift') =>
  petri.post(`/v2/link/provider/password/${provider}`, body, withToken(token))
const sendCode = (petri: TestPetri, token: string, mfa_code: string) =>
  petri.post('/v2/link/provider/password/zwift/complete_mfa', { mfa_code }, withToken(token))
const providers = (petri: TestPetri, headers: Record<string, string>) =>
  petri.get('/v2/link/providers', headers)

describe('a link token', () => {
  it('is made for a user, with the page it opens', async () => {
    const petri = await startTestWorld()
    const user_id = await createUser(petri)
    const { status, body } = await petri.post('/v2/link/token', { user_id })
    expect(status).toBe(200)
    expect(body.link_web_url).toBe(
      `http://127.0.0.1:4080/link?token=${body.link_token}&env=sandbox&region=us`,
    )
    expect(await newToken(petri, user_id)).not.toBe(body.link_token)
  })

  it('is refused without a user, for an unknown provider, an empty filter and an invalid URL', async () => {
    const petri = await startTestWorld()
    expect(await petri.post('/v2/link/token', { user_id: NOBODY })).toMatchObject({
      status: 404,
      body: { detail: 'The user does not or no longer exists in this team' },
    })
    const refused = await petri.post('/v2/link/token', {
      user_id: await createUser(petri),
      provider: 'nope',
      redirect_url: 'somewhere',
      filter_on_providers: [],
      on_error: 'explode',
    })
    expect(refused).toMatchObject({
      status: 422,
      body: {
        detail: [
          { type: 'enum', loc: ['body', 'provider'] },
          {
            type: 'url_parsing',
            loc: ['body', 'redirect_url'],
            msg: 'Input should be a valid URL, relative URL without a base',
          },
          { type: 'too_short', loc: ['body', 'filter_on_providers'] },
          { type: 'enum', loc: ['body', 'on_error'], msg: "Input should be 'redirect'" },
        ],
      },
    })
  })

  it('needs no API key, under each of its headers', async () => {
    const petri = await startTestWorld()
    const token = await newToken(petri, await createUser(petri))
    for (const header of ['x-vital-link-token', 'x-petri-link-token', 'x-service-link-token'])
      expect((await providers(petri, withToken(token, header))).status).toBe(200)
  })

  it('can be checked with itself instead of an API key', async () => {
    const petri = await startTestWorld()
    const token = await newToken(petri, await createUser(petri))
    const check = (headers: Record<string, string>) =>
      petri.post('/v2/link/token/isValid', { token }, { 'x-service-api-key': '', ...headers })
    expect((await check({ 'x-vital-link-token': token })).body).toEqual({ valid: true, error_type: null })
    expect(await check({})).toMatchObject({
      status: 400,
      body: { detail: { error_type: 'MISSING_LINK_TOKEN' } },
    })
  })

  it('opens its page at the root of a host of the link page, and of no other', async () => {
    const petri = await startTestWorld()
    const token = await newToken(petri, await createUser(petri))
    const path = `/?token=${token}&env=local&region=eu&isMobile=True`
    const open = async (host: string) => {
      const response = await petri.petri.app.request(path, { headers: { host } })
      return [response.status, (await response.text()).includes('Connect a provider')]
    }
    expect(await open('link.tryvital.io')).toEqual([200, true])
    expect(await open('link.localhost:4080')).toEqual([200, true])
    expect(await open('api.sandbox.us.junction.com')).toEqual([200, false])
  })

  it('leads from its page to pages under the same host', async () => {
    const petri = await startTestPetri({ baseUrl: () => 'http://127.0.0.1:4080/mounted' })
    const token = await newToken(petri, await createUser(petri))
    const response = await petri.petri.app.request(`/link?token=${token}`)
    const links = [...(await response.text()).matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
    expect(links.length).toBeGreaterThan(5)
    expect(links.filter((href) => !href?.startsWith('/mounted/link/'))).toEqual([])
  })

  it('that is missing, made up, over or used is refused by name', async () => {
    const petri = await startTestWorld()
    const user_id = await createUser(petri)
    const refusal = async (token: string) => {
      const { status, body } = await signIn(petri, token, { username: 'ada', password: 'x' })
      return [status, body.detail.error_type, body.detail.error_message]
    }
    const token = await newToken(petri, user_id)
    const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
    expect(await refusal('')).toEqual([400, 'MISSING_LINK_TOKEN', 'A link token is required.'])
    expect(await refusal('nonsense')).toEqual([401, 'INVALID_REQUEST', 'The link token is invalid.'])
    expect(await refusal(forged)).toEqual([401, 'INVALID_REQUEST', 'The link token is invalid.'])
    const late = await newToken(petri, user_id)
    await signIn(petri, token, { username: 'ada', password: 'x' })
    expect(await refusal(token)).toEqual([401, 'INVALID_REQUEST', 'The link token has already been used.'])
    await petri.post('/_petri/clock/advance', { by: '59m' })
    expect((await providers(petri, withToken(late))).status).toBe(200)
    await petri.post('/_petri/clock/advance', { by: '1m' })
    expect(await refusal(late)).toEqual([401, 'INVALID_REQUEST', 'The link token has expired.'])
  })

  it('of a deleted user is refused', async () => {
    const petri = await startTestWorld()
    const user_id = await createUser(petri)
    const token = await newToken(petri, user_id)
    await petri.call('DELETE', `/v2/user/${user_id}`)
    expect(await providers(petri, withToken(token))).toMatchObject({
      status: 400,
      body: { detail: { error_type: 'INVALID_USER_ID' } },
    })
  })

  it('belongs to its world, whatever key comes with it', async () => {
    const petri = await startTestWorld()
    const user_id = await createUser(petri)
    const { body: other } = await petri.post('/_petri/worlds', { frozen: true })
    const token = await newToken(petri, user_id)
    const answer = await petri.post(
      '/v2/link/provider/password/zwift',
      { username: 'ada', password: 'x' },
      { 'x-service-api-key': other.api_key, 'x-vital-link-token': token },
    )
    expect(answer.body.state).toBe('success')
    expect(await connectedTo(petri, user_id)).toHaveLength(1)
  })
})

describe('the providers of a link', () => {
  it('are all one can sign in to for an API key, and those of its filter for a token', async () => {
    const petri = await startTestWorld()
    const user_id = await createUser(petri)
    const all = (await petri.get('/v2/link/providers')).body
    expect(all.length).toBeGreaterThan(25)
    expect(all.map(({ slug }: { slug: string }) => slug)).not.toContain('apple_health_kit')
    const token = await newToken(petri, user_id, { filter_on_providers: ['oura', 'zwift'] })
    expect((await providers(petri, withToken(token))).body).toMatchObject([
      { slug: 'oura', auth_type: 'oauth', form_components: {} },
      { slug: 'zwift', auth_type: 'password', form_components: { username: {}, password: {} } },
    ])
    expect(await signIn(petri, token, { username: 'ada', password: 'x' }, 'peloton')).toMatchObject({
      status: 400,
      body: { detail: { error_type: 'INVALID_PROVIDER' } },
    })
  })

  it.each([
    ['password', 'ihealth', 'needs a consent: GET /v2/link/provider/oauth/ihealth with a link token'],
    [
      'oauth',
      'peloton',
      'needs a name and a password: POST /v2/link/provider/password/peloton with a link token',
    ],
    [
      'oauth',
      'freestyle_libre',
      'needs an e-mail address: POST /v2/link/provider/email/freestyle_libre with a link token',
    ],
    ['email', 'beurer_ble', 'needs no sign-in: POST /v2/link/provider/manual/beurer_ble'],
    ['demo', 'ihealth', 'needs a consent: GET /v2/link/provider/oauth/ihealth with a link token'],
    ['demo', 'map_my_fitness', undefined],
    ['oauth', 'pelotn', undefined],
  ])('refused by the route of %s say what connecting %s needs', async (kind, slug, how) => {
    const petri = await startTestWorld()
    const user_id = await createUser(petri)
    const token = withToken(await newToken(petri, user_id))
    const path = `/v2/link/provider/${kind}/${slug}`
    const refused = {
      oauth: () => petri.get(path, token),
      demo: () => petri.post('/v2/link/connect/demo', { user_id, provider: slug }),
    }[kind]
    const { status, headers } = await (refused?.() ?? petri.post(path, {}, token))
    expect([status, headers.get('x-petri-hint')]).toEqual([422, how ? `${slug} ${how}` : null])
  })

  it('outside the list of their kind are no address at all', async () => {
    const petri = await startTestWorld()
    const token = await newToken(petri, await createUser(petri))
    expect(await petri.get('/v2/link/provider/oauth/zwift', withToken(token))).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'enum', loc: ['path', 'oauth_provider'] }] },
    })
  })
})

describe('signing in with a password', () => {
  it("connects, and shows the user's account at the provider", async () => {
    const petri = await startTestWorld()
    const user_id = await createUser(petri)
    const token = await newToken(petri, user_id, { redirect_url: 'https://app.example/done?x=1' })
    expect((await signIn(petri, token, { username: 'ada', password: 'x' })).body).toEqual({
      state: 'success',
      redirect_url: 'https://app.example/done?x=1&state=success',
      error_type: null,
      error: null,
      provider_mfa: null,
      provider: 'zwift',
      connected: true,
      provider_id: 'ada',
    })
    expect(await connectedTo(petri, user_id)).toMatchObject([
      { slug: 'zwift', status: 'connected', external_user_id: 'ada' },
    ])
  })

  it('fails with 200, and can be tried again with the same token', async () => {
    const petri = await startTestWorld()
    const token = await newToken(petri, await createUser(petri), {
      redirect_url: 'https://app.example/done',
      on_error: 'redirect',
    })
    expect(await signIn(petri, token, { username: 'ada', password: 'wrong' })).toMatchObject({
      status: 200,
      body: {
        state: 'error',
        error_type: 'provider_credential_error',
        error: 'The provider refused the credentials.',
        redirect_url: expect.stringContaining('state=error&error_type=provider_credential_error&error=The'),
        connected: false,
      },
    })
    expect((await signIn(petri, token, { username: 'ada', password: 'expired' })).body.error_type).toBe(
      'provider_password_expired',
    )
    expect((await signIn(petri, token, { username: 'ada', password: 'right' })).body.state).toBe('success')
  })

  it.each(linkErrorTypes)('fails with %s for the account of that name', async (type) => {
    const petri = await startTestWorld()
    const token = await newToken(petri, await createUser(petri))
    const { body } = await signIn(petri, token, { username: `${type}@example.com`, password: 'x' })
    expect(body).toMatchObject({ state: 'error', error_type: type, error: expect.any(String) })
  })

  it.each([
    ['mfa@example.com', 'sms'],
    ['mfa-email', 'email'],
  ])('of %s waits for a code sent by %s', async (username, method) => {
    const petri = await startTestWorld()
    const user_id = await createUser(petri)
    const token = await newToken(petri, user_id)
    expect(await sendCode(petri, token, '123456')).toMatchObject({
      status: 400,
      body: { detail: { error_type: 'INVALID_REQUEST' } },
    })
    expect((await signIn(petri, token, { username, password: 'x' })).body).toMatchObject({
      state: 'pending_provider_mfa',
      provider_mfa: { method, hint: expect.any(String) },
      connected: false,
    })
    expect(await connectedTo(petri, user_id)).toEqual([])
    expect((await sendCode(petri, token, '000000')).body).toMatchObject({
      state: 'error',
      error_type: 'incorrect_mfa_code',
    })
    expect((await sendCode(petri, token, '123456')).body).toMatchObject({
      state: 'success',
      provider_id: username,
    })
  })

  it('to an account of another user is refused where the team rejects duplicates', async () => {
    const petri = await startTestWorld()
    const [ada, grace] = [await createUser(petri, 'ada'), await createUser(petri, 'grace')]
    const link = async (user: string) =>
      (await signIn(petri, await newToken(petri, user), { username: 'shared', password: 'x' })).body
    expect((await link(ada)).state).toBe('success')
    await petri.call('PATCH', '/_petri/world', { features: { reject_duplicate_connection: true } })
    expect(await link(grace)).toMatchObject({ state: 'error', error_type: 'duplicate_connection' })
    expect((await link(ada)).state).toBe('success')
  })
})

it('an e-mail address connects a practice, and is refused when it is none', async () => {
  const petri = await startTestWorld()
  const user_id = await createUser(petri)
  const token = await newToken(petri, user_id)
  const link = (email: string) =>
    petri.post('/v2/link/provider/email/freestyle_libre', { email, region: 'ca' }, withToken(token))
  expect(await link('nothing')).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'email'] }] } })
  expect((await link('wrong@example.com')).body.error_type).toBe('provider_credential_error')
  expect((await link('ada@example.com')).body).toMatchObject({
    state: 'success',
    provider: 'freestyle_libre',
    provider_id: 'ada@example.com',
  })
  expect(await connectedTo(petri, user_id)).toMatchObject([{ external_user_id: 'ada@example.com' }])
})

it('a code for the app has the form of one, and an hour unless said', async () => {
  const petri = await startTestWorld()
  const user_id = await createUser(petri)
  const { body } = await petri.post(`/v2/link/code/create?user_id=${user_id}`)
  expect(body).toMatchObject({
    code: expect.stringMatching(/^skus[\da-f]{8}$/),
    exchange_url: `tryvital://tryvital?code=${body.code}`,
    expires_at: '2026-01-05T10:00:00+00:00',
  })
  const later = await petri.post(`/v2/link/code/create?user_id=${user_id}&expires_at=2026-02-01T00:00:00Z`)
  expect(later.body.expires_at).toBe('2026-02-01T00:00:00+00:00')
})

it('a user with a demo connection cannot have another connection', async () => {
  const petri = await startTestWorld()
  const user_id = await createUser(petri)
  await petri.post('/v2/link/connect/demo', { user_id, provider: 'oura' })
  const token = await newToken(petri, user_id)
  expect((await signIn(petri, token, { username: 'ada', password: 'x' })).body.error_type).toBe(
    'provider_api_error',
  )
})
