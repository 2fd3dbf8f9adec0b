import { beforeEach, describe, expect, it } from 'vitest'
import { browse, connectedTo, newToken, withToken } from '../support/link.ts'
import { advance, createUser, setFeatures } from '../support/orders.ts'
import { eventsOf, NOBODY, startTestWorld, type TestPetri } from '../support/petri.ts'

let petri: TestPetri
beforeEach(async () => {
  petri = await startTestWorld()
})

const DONE = 'https://app.example/done'

async function oauthToken(input: object = { redirect_url: DONE }) {
  const user_id = await createUser(petri, `user-${petri.world().next('test_user')}`)
  const token = await newToken(petri, user_id, input)
  const body = await petri.read('/v2/link/provider/oauth/oura', withToken(token))
  return { user_id, token, consent: body.oauth_url as string, source: body }
}

const resultOf = (location: URL | undefined) => Object.fromEntries(location?.searchParams ?? [])

describe('a provider with a consent page', () => {
  it('writes what it is given as text', async () => {
    petri = await startTestWorld({ world: { name: '<img src=x onerror="alert(1)">' } })
    const { text } = await browse(petri, (await oauthToken()).consent)
    expect(text).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt; asks')
  })

  it('that is allowed sends the browser back connected, the code being the account', async () => {
    const { user_id, token } = await oauthToken({ redirect_url: `${DONE}?mine=1#top` })
    const { status, location } = await browse(petri, `/v2/link/connect/oura?state=${token}&code=account-7`)
    expect(status).toBe(307)
    expect(location?.href).toBe(`${DONE}?mine=1&state=success#top`)
    expect(await connectedTo(petri, user_id)).toMatchObject([{ external_user_id: 'account-7' }])
  })

  it('shows that the token was used or has expired', async () => {
    const [{ token }, { token: late }] = [await oauthToken(), await oauthToken()]
    const callback = async (of: string) =>
      resultOf((await browse(petri, `/v2/link/connect/oura?state=${of}&code=1`)).location)
    expect(await callback(token)).toEqual({ state: 'success' })
    expect(await callback(token)).toMatchObject({ error_type: 'token_consumed' })
    await advance(petri, '1h')
    expect(await callback(late)).toMatchObject({ error_type: 'token_expired' })
  })

  it('without an address to go back to ends on a page of its own', async () => {
    const { token } = await oauthToken({})
    const failed = await browse(petri, `/v2/link/connect/oura?state=${token}&error=access_denied`)
    expect(failed.text).toContain('<code>user_cancelled</code>')
    expect((await browse(petri, `/v2/link/connect/oura?state=${token}&code=1`)).text).toContain('Connected')
  })

  it('refuses an unknown state', async () => {
    const { status, text } = await browse(petri, '/v2/link/connect/oura?state=x&code=1')
    expect([status, JSON.parse(text).detail.error_type]).toEqual([401, 'INVALID_REQUEST'])
    expect(await browse(petri, '/link')).toAnswer(400)
  })
})

describe('a connection', () => {
  const told = () =>
    eventsOf(petri).map(({ payload }) => payload as { event_type: string; data: Record<string, unknown> })

  it('is announced with the account and the granted scopes', async () => {
    const { user_id, token } = await oauthToken()
    await browse(petri, `/v2/link/connect/oura?state=${token}&code=account-7`)
    expect(told()).toMatchObject([
      {
        event_type: 'provider.connection.created',
        data: {
          user_id,
          provider: { slug: 'oura' },
          external_user_id: 'account-7',
          resource_availability: {
            sleep: {
              status: 'available',
              scope_requirements: {
                user_granted: { required: ['daily'], optional: [] },
                user_denied: { required: [], optional: [] },
              },
            },
          },
        },
      },
    ])
  })
})

describe('what older clients call', () => {
  const start = (link_token: string, provider: string) =>
    petri.post('/v2/link/start', { link_token, provider })

  it('checks a token, announces a provider, tells the state, and signs in', async () => {
    const user_id = await createUser(petri)
    const token = await newToken(petri, user_id)
    const check = async (of: string) => (await petri.post('/v2/link/token/isValid', { token: of })).body
    const state = () => petri.read('/v2/link/state', withToken(token))
    expect(await check(token)).toEqual({ valid: true, error_type: null })
    expect(await state()).toMatchObject({ state: 'created', user_id, provider: null })
    const body = { username: 'ada', password: 'x', provider: 'zwift', auth_type: 'password' }
    expect((await start(token, 'zwift')).body).toMatchObject({ slug: 'zwift' })
    expect(await state()).toMatchObject({ state: 'started', provider: 'zwift' })
    expect(await petri.post('/v2/link/auth', body, withToken(token))).toAnswer(200, { slug: 'zwift' })
    expect(await check(token)).toEqual({ valid: false, error_type: 'token_consumed' })
    expect(await state()).toMatchObject({ state: 'token_consumed' })
  })

  it('signs in by e-mail, and finds the consent page', async () => {
    const user_id = await createUser(petri)
    const token = await newToken(petri, user_id)
    expect((await start(token, 'oura')).body.oauth_url).toContain('/link/consent/oura')
    await start(token, 'freestyle_libre')
    const body = { email: 'ada@example.com', provider: 'freestyle_libre', auth_type: 'email' }
    expect(await petri.post('/v2/link/auth/email', body, withToken(token))).toAnswer(200)
    expect(await connectedTo(petri, user_id)).toMatchObject([{ slug: 'freestyle_libre' }])
  })

  it('asks for the settings of the widget', async () => {
    const token = await newToken(petri, await createUser(petri))
    expect(await petri.read('/v2/team/link/config', withToken(token))).toMatchObject({
      team_name: 'Petri',
    })
  })
})

describe('many connections at once', () => {
  const recipe = (user_id: string, provider_id: string) => ({
    user_id,
    access_token: 'a',
    refresh_token: 'r',
    provider_id,
    expires_at: 1800000000,
    oauth_scopes: ['daily'],
  })

  it('are brought along at once when somebody waits', async () => {
    const [ada, grace] = [await createUser(petri, 'ada'), await createUser(petri, 'grace')]
    const answer = await petri.post('/v2/link/bulk_import', {
      provider: 'oura',
      connections: [recipe(ada, '1'), recipe(grace, '2'), recipe(NOBODY, '3')],
      wait_for_completion: true,
    })
    expect(answer).toAnswer(200, { user_ids_imported: [ada, grace], user_ids_failed: [NOBODY] })
    expect(await connectedTo(petri, ada)).toMatchObject([{ slug: 'oura', external_user_id: '1' }])
    expect((await petri.read('/v2/link/bulk_op')).data).toMatchObject([
      { type: 'link_bulk_import', status: 'success', pending: 0, processed: 3 },
    ])
    const exported = await petri.post('/v2/link/bulk_export', { provider: 'oura', user_ids: [grace] })
    expect(exported.body).toEqual({ data: [recipe(grace, '2')], next_token: null })
  })

  it('are paused, and continue when the user connects again', async () => {
    const user_id = await createUser(petri)
    const link = async () => {
      const token = await newToken(petri, user_id)
      await browse(petri, `/v2/link/connect/oura?state=${token}&code=1`)
    }
    await link()
    const pause = { provider: 'oura', user_ids: [user_id, NOBODY] }
    expect(await petri.post('/v2/link/bulk_pause', pause)).toAnswer(200, null)
    expect(await connectedTo(petri, user_id)).toMatchObject([{ status: 'paused' }])
    await link()
    expect(await connectedTo(petri, user_id)).toMatchObject([{ status: 'connected' }])
  })

  it('are refused to a team that may not', async () => {
    await setFeatures(petri, { bulk_operations: false })
    const body = { provider: 'oura', user_ids: [], connections: [] }
    const refused = { status: 403, body: { detail: 'Bulk operations are not enabled for this team.' } }
    for (const name of ['bulk_import', 'bulk_trigger_historical_pull', 'bulk_export', 'bulk_pause'])
      expect(await petri.post(`/v2/link/${name}`, body), name).toMatchObject(refused)
    expect(await petri.get('/v2/link/bulk_op')).toMatchObject(refused)
  })
})
