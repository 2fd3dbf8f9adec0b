import { beforeEach, describe, expect, it } from 'vitest'
import { pauseConnection } from '../../src/resources/connecting/service.ts'
import { connections } from '../../src/resources/connections/table.ts'
import { connectManually } from '../../src/resources/link/connect.ts'
import {
  checkToken,
  completeMfa,
  linkByAccount,
  olderSignIn,
  startLink,
  stateOfToken,
  widgetConfig,
} from '../../src/resources/link/service.ts'
import { type LinkTokenRow, linkTokens } from '../../src/resources/link/table.ts'
import type { World } from '../../src/world/world.ts'
import { newToken } from '../support/link.ts'
import { createUser } from '../support/orders.ts'
import { startTestWorld, type TestPetri } from '../support/petri.ts'

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
    expect(refusal(() => start(row, 'fitbit'))).toEqual(
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
    ) => refusal(() => olderSignIn(world, of, { provider, auth_type }, 'ada', password))
    expect(sign(row, 'zwift', 'password', 'x')).toEqual(untold)
    const { row: zwift } = start(row, 'zwift')
    expect(sign(zwift, 'whoop', 'password', 'x')).toEqual(untold)
    expect(sign(zwift, 'zwift', 'email')).toEqual(bad('INVALID_PROVIDER', 'zwift does not sign in by email.'))
    expect(
      refusal(() => olderSignIn(world, zwift, { provider: 'zwift', auth_type: 'password' }, 'mfa', 'x')),
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
    expect(refusal(() => connect(false))).toEqual(['conflict', `The user is already connected to ${KIT}`])
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
    expect(refusal(() => connect(true))).toMatchObject({ 0: 'not_found' })
  })
})
