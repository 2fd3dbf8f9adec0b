import { describe, expect, it } from 'vitest'
import { browse, connectedTo, newToken, withToken } from '../support/link.ts'
import { createUser } from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'

const petri = forEachTest()

describe('a provider with a consent page', () => {
  it('without an address to go back to ends on a page of its own', async () => {
    const token = await newToken(petri, await createUser(petri))
    const failed = await browse(petri, `/v2/link/connect/oura?state=${token}&error=access_denied`)
    expect(failed.text).toContain('<code>user_cancelled</code>')
    expect((await browse(petri, `/v2/link/connect/oura?state=${token}&code=1`)).text).toContain('Connected')
  })

  it('refuses an unknown state', async () => {
    const { status, text } = await browse(petri, '/v2/link/connect/oura?state=x&code=1')
    expect([status, JSON.parse(text).detail.error_type]).toEqual([401, 'INVALID_REQUEST'])
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
