import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { browse, connectedTo, newToken, withToken } from '../support/link.ts'
import { managing, teamIdOf } from '../support/management.ts'
import { advance, createUser } from '../support/orders.ts'
import { forEachTest, NOBODY, ok, startTestPetri } from '../support/petri.ts'
import { toldOf } from '../support/wearables.ts'

const petri = forEachTest(startTestPetri)
const manage = managing(petri)

const CREDENTIALS = '/team_custom_credentials/sandbox/us'
const DONE = 'https://app.example/done'

const scopesPath = () => `/team/${teamIdOf(petri)}/scope_requirements`

async function newLink(provider = 'oura') {
  const userId = await createUser(petri, `user-${petri.world().next('test_user')}`)
  const token = await newToken(petri, userId, { redirect_url: DONE })
  const body = await petri.read(`/v2/link/provider/oauth/${provider}`, withToken(token))
  const allow = (scopes: readonly string[]) =>
    browse(
      petri,
      `/v2/link/connect/${provider}?state=${token}&code=account${scopes.map((scope) => `&scope=${scope}`).join('')}`,
    )
  return { userId, token, url: new URL(body.oauth_url), allow }
}

const errorOf = (location: URL | undefined) => location?.searchParams.get('error_type')

describe('scope requirements', () => {
  it('are what the consent page asks for, and what must be granted', async () => {
    const oura = { user_must_grant: ['daily', 'daily'], user_may_grant: ['workout', 'daily'] }
    expect((await manage.post(scopesPath(), { fitbit: null, oura })).body).toBeNull()
    expect((await manage.read(scopesPath())).requirements).toEqual([
      {
        user_must_grant: ['daily'],
        user_may_grant: ['workout', 'daily'],
        team_id: teamIdOf(petri),
        provider: 'oura',
      },
    ])
    const { userId, url, allow } = await newLink()
    expect(url.searchParams.get('scope')).toBe('daily workout')
    const { text } = await browse(petri, url.href)
    expect(text).toContain('name="scope" value="daily" checked> daily (needed)')
    expect(text).toContain('name="scope" value="workout" checked> workout<')
    expect(text).not.toContain('value="heartrate"')
    expect(errorOf((await allow(['none', 'workout'])).location)).toBe('required_scopes_not_granted')
    expect(await connectedTo(petri, userId)).toEqual([])
    expect((await allow(['none', 'daily'])).location?.href).toBe(`${DONE}?state=success`)
  })

  it('that are optional and denied leave their data out', { tags: 'slow' }, async () => {
    const { userId, allow } = await newLink()
    await allow(['daily+personal'])
    await advance(petri, '1h')
    const [{ data } = { data: null }] = toldOf(petri, 'provider.connection.created')
    const scopes = (...required: string[]) => ({ required, optional: [] })
    expect(data).toMatchObject({
      user_id: userId,
      provider: { slug: 'oura' },
      external_user_id: 'account',
      resource_availability: {
        sleep: {
          status: 'available',
          scope_requirements: { user_granted: scopes('daily'), user_denied: scopes() },
        },
        heartrate: {
          status: 'unavailable',
          scope_requirements: { user_granted: scopes(), user_denied: scopes('heartrate') },
        },
        workouts: { status: 'unavailable' },
      },
    })
    expect((await connectedTo(petri, userId))[0]).toMatchObject({
      resource_availability: { heartrate: { status: 'unavailable' } },
    })
    expect(toldOf(petri, 'historical.data.sleep.created')).toHaveLength(1)
    for (const type of ['historical.data.heartrate.created', 'daily.data.heartrate.created'])
      expect(toldOf(petri, type)).toEqual([])
    const range = 'start_date=2025-12-01&end_date=2026-01-06'
    expect((await petri.read(`/v2/timeseries/${userId}/heartrate/grouped?${range}`)).groups).toEqual({})
    expect((await petri.read(`/v2/summary/workouts/${userId}?${range}`)).workouts).toEqual([])
    expect((await petri.read(`/v2/summary/sleep/${userId}?${range}`)).sleep.length).toBeGreaterThan(20)
    expect((await petri.read(`/v2/summary/activity/${userId}?${range}`)).activity).not.toEqual([])
    const { not_pulled } = (await petri.read('/v2/introspect/historical_pull')).data[0].provider.oura
    expect(not_pulled.sort()).toEqual(['heartrate', 'workouts'])
  })

  it('that are granted later let the data in', async () => {
    const { userId, allow } = await newLink()
    await allow(['daily'])
    const state = await newToken(petri, userId)
    await browse(petri, `/v2/link/connect/oura?state=${state}&code=account`)
    const [oura] = await connectedTo(petri, userId)
    expect(oura).toMatchObject({ resource_availability: { heartrate: { status: 'available' } } })
  })

  it('are asked for by provider, and forgotten by null', async () => {
    const one = { user_must_grant: [], user_may_grant: [] }
    await manage.post(scopesPath(), { oura: one, wahoo: one })
    await manage.post(scopesPath(), { oura: null })
    expect((await manage.read(scopesPath())).requirements).toMatchObject([{ provider: 'wahoo' }])
    expect((await newLink()).url.searchParams.get('scope')).toContain('heartrate')
  })

  it('are refused where a provider has no such permission', async () => {
    const fitbit = { user_must_grant: ['daily'], user_may_grant: [] }
    expect(await manage.post(scopesPath(), { oura: fitbit, fitbit })).toRefuse(422, [
      { type: 'enum', loc: ['body', 'fitbit', 'user_must_grant', 0] },
    ])
    expect((await manage.read(scopesPath())).requirements).toEqual([])
  })
})

describe('custom credentials', () => {
  const secret = 'the-secret-of-the-test'
  const own = (more: object = {}) => ({
    team_id: teamIdOf(petri),
    provider: 'oura',
    client_id: 'my-app',
    client_secret: secret,
    ...more,
  })

  it('are asked for with their client id; a team without them uses the shared one', async () => {
    expect((await newLink()).url.searchParams.get('client_id')).toBe('petri-oura')
    const body = await ok(manage.post(CREDENTIALS, own()))
    expect(body).toEqual({
      id: expect.any(String),
      client_id: 'my-app',
      client_secret_hash: createHash('sha256').update(secret).digest('hex'),
      source: 'oura',
      team_id: teamIdOf(petri),
      created_at: '2026-01-05T09:00:00+00:00',
      updated_at: '2026-01-05T09:00:00+00:00',
      details: null,
      app_url: null,
      redirect_url_override: null,
    })
    const { url } = await newLink()
    expect(url.searchParams.get('client_id')).toBe('my-app')
    expect((await browse(petri, url.href)).text).toContain('<code>my-app</code>')
    expect((await newLink('fitbit')).url.searchParams.get('client_id')).toBe('petri-fitbit')
    await manage.delete(`${CREDENTIALS}?credential_id=${body.id}`)
    expect((await newLink()).url.searchParams.get('client_id')).toBe('petri-oura')
  })

  it('never show the secret again: not in an answer, the journal or the state', async () => {
    const answers = [
      await manage.post(CREDENTIALS, own()),
      await manage.get(CREDENTIALS),
      await petri.get('/_petri/requests'),
      await petri.get('/_petri/state'),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(JSON.stringify(body)).not.toContain(secret)
    }
    expect(answers[3]?.body.tables.provider_credentials.oura).toMatchObject({ client_id: 'my-app' })
  })

  it('may lead back to another address', async () => {
    await manage.post(CREDENTIALS, own({ redirect_url_override: `${DONE}/oura` }))
    const { url } = await newLink()
    expect(url.searchParams.get('redirect_uri')).toBe(`${DONE}/oura`)
    expect((await browse(petri, url.href)).text).toContain(`<form action="${DONE}/oura">`)
    expect((await manage.read('/team_custom_credentials/sandbox/eu')).credentials).toEqual([])
  })

  it.each([
    ['no client id', { client_id: '' }, 400],
    ['a provider nobody has', { provider: 'nobody' }, 422],
    ['a redirect that is no address', { redirect_url_override: 'javascript:alert(1)' }, 422],
    ['a team that is not there', { team_id: NOBODY }, 404],
  ])('are refused with %s', async (_, more, status) => {
    const answer = await manage.post(CREDENTIALS, own(more))
    expect(answer).toMatchObject({ status, body: { detail: expect.anything() } })
    expect((await manage.read(CREDENTIALS)).credentials).toEqual([])
  })
})
