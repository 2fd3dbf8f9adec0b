import { describe, expect, it } from 'vitest'
import { connectedTo, newToken, withToken } from '../support/link.ts'
import { connectDemo, createUser, deleteUser } from '../support/orders.ts'
import { forEachTest, NOBODY, ok } from '../support/petri.ts'

const petri = forEachTest()

const signIn = (token: string, body: object, provider = 'zwift') =>
  petri.post(`/v2/link/provider/password/${provider}`, body, withToken(token))
const sendCode = (token: string, mfa_code: string) =>
  petri.post('/v2/link/provider/password/zwift/complete_mfa', { mfa_code }, withToken(token))
const providers = (headers: Record<string, string>) => petri.get('/v2/link/providers', headers)

describe('a link token', () => {
  it('is made for a user, with the page it opens', async () => {
    const user_id = await createUser(petri)
    const body = await ok(petri.post('/v2/link/token', { user_id }))
    expect(body.link_web_url).toBe(
      `http://127.0.0.1:4080/link?token=${body.link_token}&env=sandbox&region=us`,
    )
    expect(await newToken(petri, user_id)).not.toBe(body.link_token)
  })

  it('is refused without a user, for an unknown provider, an empty filter and an invalid URL', async () => {
    expect(await petri.post('/v2/link/token', { user_id: NOBODY })).toRefuse(
      404,
      'The user does not or no longer exists in this team',
    )
    const refused = await petri.post('/v2/link/token', {
      user_id: await createUser(petri),
      provider: 'nope',
      redirect_url: 'somewhere',
      filter_on_providers: [],
      on_error: 'explode',
    })
    expect(refused).toRefuse(422, [
      { type: 'enum', loc: ['body', 'provider'] },
      {
        type: 'url_parsing',
        loc: ['body', 'redirect_url'],
        msg: 'Input should be a valid URL, relative URL without a base',
      },
      { type: 'too_short', loc: ['body', 'filter_on_providers'] },
      { type: 'enum', loc: ['body', 'on_error'], msg: "Input should be 'redirect'" },
    ])
  })

  it('needs no API key, under each of its headers', async () => {
    const token = await newToken(petri, await createUser(petri))
    for (const header of ['x-vital-link-token', 'x-petri-link-token', 'x-service-link-token'])
      expect(await providers(withToken(token, header))).toAnswer(200)
  })

  it('can be checked with itself instead of an API key', async () => {
    const token = await newToken(petri, await createUser(petri))
    const check = (headers: Record<string, string>) =>
      petri.post('/v2/link/token/isValid', { token }, { 'x-service-api-key': '', ...headers })
    expect((await check({ 'x-vital-link-token': token })).body).toEqual({ valid: true, error_type: null })
    expect(await check({})).toRefuse(400, { error_type: 'MISSING_LINK_TOKEN' })
  })

  it('opens its page at the root of a host of the link page, and of no other', async () => {
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

  it('that is made up or used is refused by name', async () => {
    const user_id = await createUser(petri)
    const refusal = async (token: string) => {
      const { status, body } = await signIn(token, { username: 'ada', password: 'x' })
      return [status, body.detail.error_type, body.detail.error_message]
    }
    const token = await newToken(petri, user_id)
    const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
    expect(await refusal('nonsense')).toEqual([401, 'INVALID_REQUEST', 'The link token is invalid.'])
    expect(await refusal(forged)).toEqual([401, 'INVALID_REQUEST', 'The link token is invalid.'])
    await signIn(token, { username: 'ada', password: 'x' })
    expect(await refusal(token)).toEqual([401, 'INVALID_REQUEST', 'The link token has already been used.'])
  })

  it('of a deleted user is refused', async () => {
    const user_id = await createUser(petri)
    const token = await newToken(petri, user_id)
    await deleteUser(petri, user_id)
    expect(await providers(withToken(token))).toRefuse(400, { error_type: 'INVALID_USER_ID' })
  })

  it('belongs to its world, whatever key comes with it', async () => {
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
    const user_id = await createUser(petri)
    const token = withToken(await newToken(petri, user_id))
    const path = `/v2/link/provider/${kind}/${slug}`
    const refused = {
      oauth: () => petri.get(path, token),
      demo: () => connectDemo(petri, user_id, slug),
    }[kind]
    const { status, headers } = await (refused?.() ?? petri.post(path, {}, token))
    expect([status, headers.get('x-petri-hint')]).toEqual([422, how ? `${slug} ${how}` : null])
  })

  it('outside the list of their kind are no address at all', async () => {
    const token = await newToken(petri, await createUser(petri))
    expect(await petri.get('/v2/link/provider/oauth/zwift', withToken(token))).toRefuse(422, [
      { type: 'enum', loc: ['path', 'oauth_provider'] },
    ])
  })
})

describe('signing in with a password', () => {
  it("fails with 200, connects later with the same token, and shows the user's account at the provider", async () => {
    const user_id = await createUser(petri)
    const token = await newToken(petri, user_id, { redirect_url: 'https://app.example/done?x=1' })
    expect(await signIn(token, { username: 'ada', password: 'wrong' })).toAnswer(200, {
      state: 'error',
      error_type: 'provider_credential_error',
      connected: false,
    })
    expect((await signIn(token, { username: 'ada', password: 'x' })).body).toEqual({
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

  it('waits for a code where the account asks for one', async () => {
    const token = await newToken(petri, await createUser(petri))
    expect(await sendCode(token, '123456')).toAnswer(400)
    const waiting = await signIn(token, { username: 'mfa@example.com', password: 'x' })
    expect(waiting.body).toMatchObject({ state: 'pending_provider_mfa', provider_mfa: { method: 'sms' } })
    expect((await sendCode(token, '000000')).body).toMatchObject({ error_type: 'incorrect_mfa_code' })
    expect((await sendCode(token, '123456')).body).toMatchObject({ state: 'success' })
  })
})

it('an e-mail address connects a practice, and is refused when it is none', async () => {
  const user_id = await createUser(petri)
  const token = await newToken(petri, user_id)
  const link = (email: string) =>
    petri.post('/v2/link/provider/email/freestyle_libre', { email, region: 'ca' }, withToken(token))
  expect(await link('nothing')).toRefuse(422, [{ loc: ['body', 'email'] }])
  expect((await link('wrong@example.com')).body.error_type).toBe('provider_credential_error')
  expect((await link('ada@example.com')).body).toMatchObject({
    state: 'success',
    provider: 'freestyle_libre',
    provider_id: 'ada@example.com',
  })
  expect(await connectedTo(petri, user_id)).toMatchObject([{ external_user_id: 'ada@example.com' }])
})

it('a code for the app expires when it is told to', async () => {
  const user_id = await createUser(petri)
  const later = await petri.post(`/v2/link/code/create?user_id=${user_id}&expires_at=2026-02-01T00:00:00Z`)
  expect(later.body.expires_at).toBe('2026-02-01T00:00:00+00:00')
})
