import { beforeEach, describe, expect, it } from 'vitest'
import { hasLinkCode, takeLinkCode } from '../../src/resources/link/service.ts'
import { type LinkTokenRow, linkTokens } from '../../src/resources/link/table.ts'
import {
  allows,
  assertProvider,
  createLinkCode,
  createLinkToken,
  getToken,
  openToken,
  redirectOf,
  tokenIn,
  troubleOf,
  withScenario,
} from '../../src/resources/link/tokens.ts'
import type { World } from '../../src/world/world.ts'
import { refusalOf } from '../support/link.ts'
import { advance, createUser, deleteUser } from '../support/orders.ts'
import { forEachTest, START, startTestWorld } from '../support/petri.ts'

const HOUR = 3_600_000
const NO_USER = ['not_found', 'The user does not or no longer exists in this team']
const NO_SCENARIO = ['bad_request', 'There is no feed scenario "stead". Did you mean "steady"?']

const petri = forEachTest()
let world: World
let userId: string
beforeEach(async () => {
  world = petri.world()
  userId = await createUser(petri)
})

const input = (more: object = {}) => ({
  user_id: userId,
  provider: null,
  redirect_url: null,
  filter_on_providers: null,
  on_error: null,
  on_close: null,
  ...more,
})
const create = (more: object = {}, scenario?: string): LinkTokenRow =>
  world.db.get(linkTokens, createLinkToken(world, input(more), scenario).link_token)

describe('a link token', () => {
  it('is kept with what was asked for, for an hour', () => {
    expect(create({ provider: 'oura', redirect_url: 'https://app.example' }, 'steady')).toEqual({
      ...input({ provider: 'oura', redirect_url: 'https://app.example' }),
      token: expect.any(String),
      expires_at: START + HOUR,
      consumed: false,
      started: null,
      pending: null,
      scenario: 'steady',
    })
    expect(create().token).not.toBe(create().token)
  })

  it('is not made for an unknown user or scenario', () => {
    expect(refusalOf(() => createLinkToken(world, input({ user_id: 'nobody' })))).toEqual(NO_USER)
    expect(refusalOf(() => createLinkToken(world, input(), 'stead'))).toEqual(NO_SCENARIO)
    expect(world.db.count(linkTokens)).toBe(0)
  })

  it('can be told from an unknown one for a day after it has expired', async () => {
    const { token } = create()
    await advance(petri, '1s')
    const { token: later } = create()
    await advance(petri, '24h 59m 58s')
    create()
    expect(world.db.has(linkTokens, token)).toBe(true)
    await advance(petri, '1s')
    create()
    expect([world.db.has(linkTokens, token), world.db.has(linkTokens, later)]).toEqual([false, true])
    expect(world.db.count(linkTokens)).toBe(3)
  })

  it('is open until it is used or its hour is over', async () => {
    const row = create()
    expect([troubleOf(world, row), openToken(world, row.token)]).toEqual([undefined, row])
    expect(troubleOf(world, { ...row, consumed: true })).toBe('token_consumed')
    await advance(petri, '59m 59s')
    expect(troubleOf(world, row)).toBeUndefined()
    await advance(petri, '1s')
    expect(troubleOf(world, row)).toBe('token_expired')
    expect(troubleOf(world, { ...row, consumed: true })).toBe('token_consumed')
    expect(refusalOf(() => openToken(world, row.token))).toEqual([
      'unauthorized',
      { error_type: 'INVALID_REQUEST', error_message: 'The link token has expired.' },
    ])
  })

  it.each([undefined, ''])('that is %j is missing', (token) => {
    expect(refusalOf(() => getToken(world, token))).toEqual([
      'bad_request',
      { error_type: 'MISSING_LINK_TOKEN', error_message: 'A link token is required.' },
    ])
  })

  it.each([
    [{ 'x-vital-link-token': 'a' }, 'a'],
    [{ 'x-petri-link-token': 'b', 'x-service-link-token': 'c' }, 'b'],
    [{ 'x-vital-link-token': '', 'x-service-link-token': 'c' }, 'c'],
    [{}, undefined],
  ])('in the headers %j is %s', (headers, token) => {
    const none = {
      'x-vital-link-token': undefined,
      'x-petri-link-token': undefined,
      'x-service-link-token': undefined,
    }
    expect(tokenIn({ ...none, ...headers })).toBe(token)
  })

  it.each([
    [null, null, true],
    ['oura', null, true],
    ['fitbit', null, false],
    [null, ['fitbit', 'oura'], true],
    [null, ['fitbit'], false],
    ['oura', ['fitbit'], false],
    ['oura', ['oura'], true],
  ])('for the provider %j among %j allows Oura: %s', (provider, filter_on_providers, isAllowed) => {
    const row = create({ provider, filter_on_providers })
    expect(allows(row, 'oura')).toBe(isAllowed)
    expect(refusalOf(() => assertProvider(row, 'oura'))).toEqual(
      isAllowed
        ? undefined
        : [
            'bad_request',
            { error_type: 'INVALID_PROVIDER', error_message: 'This link token is not for oura.' },
          ],
    )
  })

  it.each([
    [null, undefined, undefined],
    ['https://app.example', undefined, 'https://app.example?state=success'],
    ['https://app.example/?a=b%20c&d', undefined, 'https://app.example/?a=b%20c&d&state=success'],
    ['https://app.example/?#/linked?x=1', undefined, 'https://app.example/?state=success#/linked?x=1'],
    ['https://app.example/a?x=1&state=mine', undefined, 'https://app.example/a?x=1&state=mine&state=success'],
    [
      'myapp://linked',
      'user_cancelled',
      'myapp://linked?state=error&error_type=user_cancelled&error=The+user+did+not+go+through+with+it.',
    ],
  ] as const)('with the redirect %j after %s goes back to %s', (redirect_url, error, href) => {
    expect(redirectOf(create({ redirect_url }), error)).toBe(href)
  })

  it('takes the scenario of a later call, if it is one', () => {
    const row = create({}, 'steady')
    expect(withScenario(world, row, undefined)).toBe(row)
    expect(withScenario(world, row, 'empty-days')).toEqual({ ...row, scenario: 'empty-days' })
    expect(refusalOf(() => withScenario(world, row, 'stead'))).toEqual(NO_SCENARIO)
  })
})

describe('a code for the app', () => {
  const code = (of = world, expires_at?: number) => createLinkCode(of, { user_id: userId, expires_at })

  it.each([
    ['sk_eu_mine', /^skeu[0-9a-f]{8}$/],
    ['pk_us_mine', /^pkus[0-9a-f]{8}$/],
    ['my_sk_eu_key', /^skus[0-9a-f]{8}$/],
  ])('begins as the key %s does', async (apiKey, form) => {
    const own = await startTestWorld({ world: { apiKey } })
    const user_id = await createUser(own)
    const made = createLinkCode(own.world(), { user_id, expires_at: undefined })
    expect(made).toEqual({
      code: expect.stringMatching(form),
      exchange_url: `tryvital://tryvital?code=${made.code}`,
      expires_at: '2026-01-05T10:00:00+00:00',
    })
  })

  it('is another one each time, and in each world', async () => {
    const other = await startTestWorld()
    await createUser(other)
    expect(new Set([code(), code(), code(other.world())].map((one) => one.code)).size).toBe(3)
  })

  it('is taken once, before it expires, while its user is there', async () => {
    const first = code()
    const late = code(world, START + 2 * HOUR)
    const orphan = code(world, START + 9 * HOUR)
    expect([hasLinkCode(world, first.code), hasLinkCode(world, 'skus00000000')]).toEqual([true, false])
    expect(takeLinkCode(world, first.code)).toBe(userId)
    const notFound = ['not_found', 'Code not found']
    expect(refusalOf(() => takeLinkCode(world, first.code))).toEqual(notFound)
    expect(hasLinkCode(world, first.code)).toBe(false)
    await advance(petri, '1h 59m 59s')
    const last = code(world, START + 2 * HOUR)
    expect(takeLinkCode(world, last.code)).toBe(userId)
    await advance(petri, '1s')
    expect(refusalOf(() => takeLinkCode(world, late.code))).toEqual(notFound)
    await deleteUser(petri, userId)
    expect(refusalOf(() => takeLinkCode(world, orphan.code))).toEqual(notFound)
  })

  it('is not made for an unknown user', () => {
    expect(refusalOf(() => createLinkCode(world, { user_id: 'nobody', expires_at: undefined }))).toEqual(
      NO_USER,
    )
  })
})
