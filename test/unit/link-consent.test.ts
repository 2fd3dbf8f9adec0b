import { beforeEach, describe, expect, it } from 'vitest'
import { connections } from '../../src/resources/connections/table.ts'
import { linkByConsent, madeUpAccount } from '../../src/resources/link/service.ts'
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
import { newToken } from '../support/link.ts'
import { advance, createUser } from '../support/orders.ts'
import { START, startTestWorld, type TestPetri } from '../support/petri.ts'

let petri: TestPetri
let world: World
let userId: string
beforeEach(async () => {
  petri = await startTestWorld()
  world = petri.world()
  userId = await createUser(petri)
})

const tokenRow = async (input: object = {}): Promise<LinkTokenRow> =>
  world.db.get(linkTokens, await newToken(petri, userId, input))
const again = ({ token }: LinkTokenRow) => world.db.get(linkTokens, token)
const refusal = (act: () => unknown) => {
  try {
    return act()
  } catch (error) {
    const { kind, detail } = error as { kind: string; detail: unknown }
    return [kind, detail]
  }
}
const bad = (error_type: string, error_message: string) => ['bad_request', { error_type, error_message }]
const accountsOf = () => world.db.by(connections, 'user', userId).map(({ external_user_id: id }) => id)

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
    expect(refusal(() => oauthSource(world, { ...row, provider: 'fitbit' }, 'oura'))).toEqual(
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
      ...{ ...common, slug, name, logo: `http://127.0.0.1:4080/logos/${slug}.svg` },
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
