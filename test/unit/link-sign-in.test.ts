import { beforeEach, describe, expect, it } from 'vitest'
import { connections } from '../../src/resources/connections/table.ts'
import { completeMfa, linkByAccount, linkByConsent } from '../../src/resources/link/service.ts'
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
      ...{ state: 'success', error_type: null, error: null, connected: true, provider_id: account },
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
    expect(refusal(() => completeMfa(world, waiting, 'peloton', '123456'))).toEqual(
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
    expect(refusal(() => linkByAccount(world, row, 'zwift', 'ada', 'x'))).toEqual(refused)
    expect(refusal(() => completeMfa(world, row, 'zwift', '123456'))).toEqual(refused)
    expect(refusal(() => linkByConsent(world, row, 'fitbit', { code: '1' }))).toEqual(
      bad('INVALID_PROVIDER', 'This link token is not for fitbit.'),
    )
  })

  it('of a user with a demo connection, or with the account of another user, says why', async () => {
    await petri.call('PATCH', '/_petri/world', { features: { reject_duplicate_connection: true } })
    const row = await tokenRow()
    linkByAccount(world, row, 'zwift', 'ada', 'x')
    userId = await createUser(petri, 'grace')
    expect(linkByAccount(world, await tokenRow(), 'zwift', 'ada', 'x').error_type).toBe(
      'duplicate_connection',
    )
    await petri.post('/v2/link/connect/demo', { user_id: userId, provider: 'oura' })
    expect(linkByAccount(world, await tokenRow(), 'zwift', 'grace', 'x').error_type).toBe(
      'provider_api_error',
    )
  })
})
