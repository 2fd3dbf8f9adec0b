import { beforeEach, describe, expect, it } from 'vitest'
import { pauseConnection } from '../../src/resources/connecting/service.ts'
import { connections } from '../../src/resources/connections/table.ts'
import { connectManually } from '../../src/resources/link/connect.ts'
import {
  checkToken,
  completeMfa,
  linkByAccount,
  linkByConsent,
  madeUpAccount,
  olderSignIn,
  startLink,
  stateOfToken,
  widgetConfig,
} from '../../src/resources/link/service.ts'
import {
  appOf,
  listLinkProviders,
  oauthSource,
  readGrant,
  scopesAsked,
} from '../../src/resources/link/sources.ts'
import {
  type LinkTokenRow,
  linkTokens,
  providerCredentials,
  scopeRequirements,
} from '../../src/resources/link/table.ts'
import type { World } from '../../src/world/world.ts'
import { newToken, refusalOf } from '../support/link.ts'
import { advance, connectDemo, createUser, setFeatures } from '../support/orders.ts'
import { forEachTest, START } from '../support/petri.ts'

const petri = forEachTest()
let world: World
let userId: string
beforeEach(async () => {
  world = petri.world()
  userId = await createUser(petri)
})

const tokenRow = async (input: object = {}): Promise<LinkTokenRow> =>
  world.db.get(linkTokens, await newToken(petri, userId, input))
const again = ({ token }: LinkTokenRow) => world.db.get(linkTokens, token)
const bad = (error_type: string, error_message: string) => ['bad_request', { error_type, error_message }]
const accountsOf = () => world.db.by(connections, 'user', userId).map(({ external_user_id: id }) => id)

describe('a sign-in', () => {
  const outcome = {
    provider: 'zwift',
    redirect_url: null,
    provider_mfa: null,
    connected: false,
    provider_id: null,
  }
  const failed = (error_type: string, error: string) => ({ ...outcome, state: 'error', error_type, error })

  it.each([
    ['ada', 'wrong', 'provider_credential_error', 'The provider refused the credentials.'],
    ['ada', 'expired', 'provider_password_expired', 'The password at the provider has expired.'],
    ['mfa', 'wrong', 'provider_credential_error', 'The provider refused the credentials.'],
    ['wrong', 'x', 'provider_credential_error', 'The provider refused the credentials.'],
    ['Wrong@example.com', '', 'provider_credential_error', 'The provider refused the credentials.'],
    ['UNSUPPORTED_REGION', 'x', 'unsupported_region', 'The provider has no accounts in this region.'],
  ])('as %j with the password %j fails with %s', async (account, password, type, text) => {
    const row = await tokenRow()
    expect(linkByAccount(world, row, 'zwift', account, password)).toEqual(failed(type, text))
    expect([accountsOf(), again(row)]).toEqual([[], row])
  })

  it.each([
    ['ada', 'right'],
    ['constructor', 'toString'],
    ['not-mfa', 'x'],
    ['ada@wrong', 'x'],
    ['ada', 'Wrong'],
  ])('as %j with the password %j connects', async (account, password) => {
    const row = await tokenRow()
    expect(linkByAccount(world, row, 'zwift', account, password)).toEqual({
      ...outcome,
      state: 'success',
      error_type: null,
      error: null,
      connected: true,
      provider_id: account,
    })
    expect([accountsOf(), again(row)]).toEqual([[account], { ...row, consumed: true }])
  })

  it.each([
    ['MFA@example.com', 'sms', '***-***-0123'],
    ['mfa-email', 'email', 'a***@example.com'],
  ] as const)('as %s waits for a code', async (account, method, hint) => {
    const row = await tokenRow()
    const provider_mfa = { method, hint }
    const waits = { state: 'pending_provider_mfa', error_type: null, error: null, provider_mfa }
    expect(linkByAccount(world, row, 'zwift', account, 'x')).toEqual({ ...outcome, ...waits })
    const waiting = again(row)
    expect(waiting).toEqual({ ...row, pending: { provider: 'zwift', account, ...provider_mfa } })
    expect(refusalOf(() => completeMfa(world, waiting, 'peloton', '123456'))).toEqual(
      bad('INVALID_REQUEST', 'No sign-in to peloton waits for a code.'),
    )
    expect(completeMfa(world, waiting, 'zwift', '12345')).toEqual(
      failed('incorrect_mfa_code', 'The code is not right.'),
    )
    expect(accountsOf()).toEqual([])
    expect(completeMfa(world, waiting, 'zwift', '123456')).toMatchObject({
      state: 'success',
      provider_id: account,
    })
    expect([accountsOf(), again(row)]).toEqual([[account], { ...row, consumed: true }])
  })

  it('with an e-mail address never waits for a code', async () => {
    const result = linkByAccount(world, await tokenRow(), 'freestyle_libre', 'mfa@example.com')
    expect(result).toMatchObject({ state: 'success', provider_id: 'mfa@example.com' })
  })

  it.each([
    [{}, null, null],
    [{ redirect_url: 'https://app.example/' }, 'https://app.example/?state=success', null],
    [
      { redirect_url: 'https://app.example/', on_error: 'redirect' },
      'https://app.example/?state=success',
      'https://app.example/?state=error&error_type=provider_credential_error&error=The+provider+refused+the+credentials.',
    ],
    [{ on_error: 'redirect' }, null, null],
  ])('with %j leads where the token says', async (input, success, error) => {
    const row = await tokenRow(input)
    expect(linkByAccount(world, row, 'zwift', 'ada', 'wrong').redirect_url).toBe(error)
    expect(linkByAccount(world, row, 'zwift', 'ada', 'x').redirect_url).toBe(success)
  })

  it('is refused for a provider that the token does not allow', async () => {
    const row = await tokenRow({ provider: 'oura' })
    const refused = bad('INVALID_PROVIDER', 'This link token is not for zwift.')
    expect(refusalOf(() => linkByAccount(world, row, 'zwift', 'ada', 'x'))).toEqual(refused)
    expect(refusalOf(() => completeMfa(world, row, 'zwift', '123456'))).toEqual(refused)
    expect(refusalOf(() => linkByConsent(world, row, 'fitbit', { code: '1' }))).toEqual(
      bad('INVALID_PROVIDER', 'This link token is not for fitbit.'),
    )
  })

  it('of a user with a demo connection, or with the account of another user, says why', async () => {
    await setFeatures(petri, { reject_duplicate_connection: true })
    const row = await tokenRow()
    linkByAccount(world, row, 'zwift', 'ada', 'x')
    userId = await createUser(petri, 'grace')
    expect(linkByAccount(world, await tokenRow(), 'zwift', 'ada', 'x').error_type).toBe(
      'duplicate_connection',
    )
    await connectDemo(petri, userId, 'oura')
    expect(linkByAccount(world, await tokenRow(), 'zwift', 'grace', 'x').error_type).toBe(
      'provider_api_error',
    )
  })
})

describe('a consent', () => {
  const oura = { provider: 'oura', user_must_grant: ['daily'], user_may_grant: ['workout', 'daily'] }

  it.each([
    [{ code: 'ada' }, undefined],
    [{ code: 'ada', error: 'access_denied' }, 'user_cancelled'],
    [{ code: 'ada', error: 'unsupported_region' }, 'unsupported_region'],
    [{ code: 'ada', error: 'toString' }, 'provider_api_error'],
    [{ code: 'ada', error: '' }, undefined],
    [{ code: '' }, 'provider_api_error'],
    [{}, 'provider_api_error'],
    [{ code: 'ada', scope: ['none'] }, 'required_scopes_not_granted'],
    [{ code: 'ada', scope: ['workout'] }, 'required_scopes_not_granted'],
    [{ code: 'ada', scope: ['workout  daily'] }, undefined],
    [{ code: 'ada', scope: ['none', 'daily'] }, undefined],
  ])('of %j ends with %s', async (query, error) => {
    world.db.put(scopeRequirements, oura)
    const row = await tokenRow()
    expect(linkByConsent(world, row, 'oura', query)).toBe(error)
    expect(accountsOf()).toEqual(error === undefined ? ['ada'] : [])
    expect(again(row).consumed).toBe(error === undefined)
  })

  it('with a used or expired token says so first', async () => {
    const row = await tokenRow({ provider: 'fitbit' })
    expect(linkByConsent(world, { ...row, consumed: true }, 'oura', { code: '1' })).toBe('token_consumed')
    await advance(petri, '1h')
    expect(linkByConsent(world, row, 'oura', { error: 'access_denied' })).toBe('token_expired')
  })

  it('asks for all scopes of the provider unless the team has its own', () => {
    const all = scopesAsked(world, 'oura')
    expect(all).toEqual({ must: [], may: expect.arrayContaining(['daily', 'heartrate', 'workout']) })
    expect(readGrant(world, 'oura', undefined)).toEqual({ isEnough: true, denied: [] })
    expect(readGrant(world, 'oura', [])).toEqual({ isEnough: true, denied: all.may })
    world.db.put(scopeRequirements, oura)
    expect(scopesAsked(world, 'oura')).toEqual({ must: ['daily'], may: ['workout'] })
    const denied = all.may.filter((scope) => scope !== 'daily' && scope !== 'workout')
    expect(readGrant(world, 'oura', undefined)).toEqual({ isEnough: true, denied })
    expect(readGrant(world, 'oura', ['workout']).isEnough).toBe(false)
    expect(scopesAsked(world, 'fitbit').must).toEqual([])
  })

  it("leads to the team's own app where it has one", async () => {
    const row = await tokenRow()
    const queryOf = () =>
      Object.fromEntries(new URL(oauthSource(world, row, 'oura').oauth_url ?? '').searchParams)
    world.db.put(scopeRequirements, oura)
    expect(appOf(world, 'oura')).toEqual({ clientId: 'petri-oura', redirectUrl: null })
    expect(queryOf()).toEqual({ state: row.token, client_id: 'petri-oura', scope: 'daily workout' })
    const own = { client_id: 'mine', redirect_url_override: 'https://app.example/back' }
    const unset = { client_secret_hash: null, details: null, created_at: START, updated_at: START }
    world.db.put(providerCredentials, { id: '1', provider: 'oura', ...own, ...unset })
    world.db.put(scopeRequirements, { ...oura, user_must_grant: [], user_may_grant: [] })
    expect(appOf(world, 'oura')).toEqual({ clientId: 'mine', redirectUrl: 'https://app.example/back' })
    expect(queryOf()).toEqual({
      state: row.token,
      client_id: 'mine',
      redirect_uri: 'https://app.example/back',
    })
    expect(refusalOf(() => oauthSource(world, { ...row, provider: 'fitbit' }, 'oura'))).toEqual(
      bad('INVALID_PROVIDER', 'This link token is not for oura.'),
    )
  })

  it('comes with a made-up account of ten digits for each user and provider', () => {
    const accounts = ['oura', 'fitbit'].flatMap((slug) =>
      [userId, 'other'].map((user) => madeUpAccount(world, user, slug)),
    )
    for (const account of accounts) expect(account).toMatch(/^\d{10}$/)
    expect(new Set(accounts).size).toBe(4)
  })
})

describe('the providers of a token', () => {
  it('are described with the fields of their form', async () => {
    const row = await tokenRow({
      filter_on_providers: ['zwift', 'freestyle_libre', 'oura', 'apple_health_kit'],
    })
    const common = { id: expect.any(Number), description: expect.stringMatching(/./), oauth_url: null }
    const named = (slug: string, name: string) => ({
      ...common,
      slug,
      name,
      logo: `http://127.0.0.1:4080/logos/${slug}.svg`,
    })
    expect(listLinkProviders(world, row)).toEqual([
      { ...named('oura', 'Oura'), auth_type: 'oauth', form_components: {} },
      {
        ...named('zwift', 'Zwift'),
        auth_type: 'password',
        form_components: {
          username: { type: 'text', label: 'Username' },
          password: { type: 'password', label: 'Password' },
        },
      },
      {
        ...named('freestyle_libre', 'Freestyle Libre'),
        auth_type: 'email',
        form_components: { email: { type: 'email', label: 'E-mail' } },
      },
    ])
    const all = listLinkProviders(world)
    expect(new Set(all.map(({ auth_type }) => auth_type))).toEqual(new Set(['oauth', 'password', 'email']))
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  })
})

describe('the flow of older clients', () => {
  const start = (row: LinkTokenRow, provider: 'oura' | 'zwift' | 'fitbit' | 'freestyle_libre' | 'whoop') => {
    const source = startLink(world, { link_token: row.token, provider })
    return { row: again(row), source }
  }

  it('tells the state of a token, from its creation to its end', async () => {
    const row = await tokenRow({ provider: 'zwift', redirect_url: 'https://app.example/' })
    const common = {
      user_id: userId,
      team_id: world.identity.teamId,
      provider: 'zwift',
      redirect_url: 'https://app.example/',
      expires_at: '2026-01-05T10:00:00+00:00',
    }
    expect(stateOfToken(world, row)).toEqual({ ...common, state: 'created' })
    expect(stateOfToken(world, start(row, 'zwift').row)).toEqual({ ...common, state: 'started' })
    linkByAccount(world, again(row), 'zwift', 'mfa', 'x')
    expect(stateOfToken(world, again(row))).toEqual({ ...common, state: 'pending_provider_mfa' })
    completeMfa(world, again(row), 'zwift', '123456')
    expect(stateOfToken(world, again(row))).toEqual({ ...common, state: 'token_consumed' })
    expect(checkToken(world, row.token)).toEqual({ valid: false, error_type: 'token_consumed' })
    const { row: other } = start(await tokenRow(), 'oura')
    expect(stateOfToken(world, other)).toMatchObject({ provider: 'oura', redirect_url: null })
    expect([checkToken(world, other.token), checkToken(world, 'x')]).toEqual([
      { valid: true, error_type: null },
      { valid: false, error_type: 'invalid_token' },
    ])
  })

  it('describes the announced provider, with a consent page only where it has one', async () => {
    const row = await tokenRow({ filter_on_providers: ['oura', 'zwift'] })
    expect(start(row, 'zwift').source).toEqual({
      id: expect.any(Number),
      name: 'Zwift',
      slug: 'zwift',
      logo: 'http://127.0.0.1:4080/logos/zwift.svg',
      description: expect.stringMatching(/./),
      group: null,
      oauth_url: null,
      auth_type: 'password',
      source_type: expect.any(String),
      is_active: true,
      backfill_num_days: 270,
    })
    expect(start(row, 'oura').source.oauth_url).toContain('/link/consent/oura?')
    expect(refusalOf(() => start(row, 'fitbit'))).toEqual(
      bad('INVALID_PROVIDER', 'This link token is not for fitbit.'),
    )
  })

  it('signs in to the announced provider only, in its way only', async () => {
    const row = await tokenRow()
    const untold = bad('token_not_validated', 'The link token has not been validated for this provider.')
    const sign = (
      of: LinkTokenRow,
      provider: 'oura' | 'zwift' | 'whoop',
      auth_type: 'password' | 'oauth' | 'email',
      password?: string,
    ) => refusalOf(() => olderSignIn(world, of, { provider, auth_type }, 'ada', password))
    expect(sign(row, 'zwift', 'password', 'x')).toEqual(untold)
    const { row: zwift } = start(row, 'zwift')
    expect(sign(zwift, 'whoop', 'password', 'x')).toEqual(untold)
    expect(sign(zwift, 'zwift', 'email')).toEqual(bad('INVALID_PROVIDER', 'zwift does not sign in by email.'))
    expect(
      refusalOf(() => olderSignIn(world, zwift, { provider: 'zwift', auth_type: 'password' }, 'mfa', 'x')),
    ).toEqual(bad('INVALID_CREDENTIALS', 'The provider asks for a code, which this route cannot take.'))
    expect(sign(zwift, 'zwift', 'password', 'wrong')).toEqual(
      bad('INVALID_CREDENTIALS', 'The provider refused the credentials.'),
    )
    expect(sign(zwift, 'zwift', 'oauth', 'x')).toMatchObject({ slug: 'zwift', oauth_url: null })
    expect(accountsOf()).toEqual(['ada'])
    const { row: oura } = start(await tokenRow(), 'oura')
    expect(sign(oura, 'oura', 'oauth', 'x')).toMatchObject({ slug: 'oura', oauth_url: expect.any(String) })
    expect(sign(oura, 'oura', 'oauth')).toEqual(bad('INVALID_PROVIDER', 'oura does not sign in by oauth.'))
    expect(sign(oura, 'oura', 'password', 'x')).toEqual(
      bad('INVALID_PROVIDER', 'oura does not sign in by password.'),
    )
  })

  it('starts the widget with the team', () => {
    expect(widgetConfig(world)).toEqual({
      team_id: world.identity.teamId,
      team_name: 'Petri',
      logo_url: null,
      environment: 'sandbox',
      region: 'us',
    })
  })
})

describe("a provider of the customer's own app", () => {
  const KIT = 'apple_health_kit'
  const connect = (isSdk: boolean, account: string | null = 'mine') =>
    connectManually(world, userId, KIT, { account, isSdk })
  const connection = () => world.db.by(connections, 'user', userId)[0]

  it('is connected once by a back end', () => {
    connect(false)
    expect(connection()).toMatchObject({ provider: KIT, external_user_id: 'mine', paused: false })
    expect(connection()?.uploads).toBeUndefined()
    expect(refusalOf(() => connect(false))).toEqual(['conflict', `The user is already connected to ${KIT}`])
  })

  it('is connected by a phone as often as it likes, and goes on after a pause', () => {
    connect(true)
    expect(connection()?.uploads).toBe(true)
    connect(true, 'other')
    expect(connection()?.external_user_id).toBe('mine')
    pauseConnection(world, userId, KIT)
    connect(true, 'other')
    expect(connection()).toMatchObject({ paused: false, external_user_id: 'other' })
  })

  it('is refused for an unknown user', () => {
    userId = 'nobody'
    expect(refusalOf(() => connect(true))).toMatchObject({ 0: 'not_found' })
  })
})
