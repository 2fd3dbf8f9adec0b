import { describe, expect, it } from 'vitest'
import { ACCESS_TOKEN_SECONDS, newAccessToken } from '../../src/api/credentials.ts'
import { defaults } from '../../src/defaults.ts'
import { createCredentials, type Keys } from '../../src/http/authentication.ts'
import type { World } from '../../src/world/world.ts'

const NOW = Date.parse('2026-01-05T09:00:00Z')
const identity = { apiKey: 'sk_us_one', teamId: '11111111-1111-4111-8111-111111111111', orgId: 'org-1' }
let now = NOW
const world = { identity, clock: { now: () => now, wall: () => now } } as unknown as World

const credentialsOf = (keys: Partial<Keys> = {}) =>
  createCredentials({
    headers: defaults.authHeaders,
    controlToken: undefined,
    worlds: {
      byKey: (key) => (key === identity.apiKey ? world : undefined),
      byTeam: (teamId) => (teamId === identity.teamId ? world : undefined),
      hadKey: () => false,
    },
    managerOf: () => undefined,
    worldOfCode: async () => undefined,
    ...keys,
  })

const headersOf = (headers: Readonly<Record<string, string>>) => (name: string) => headers[name]
const authorization = (value: string) => headersOf({ authorization: value })

describe('a bearer', () => {
  it.each([`Bearer ${identity.apiKey}`, `bearer   ${identity.apiKey}`])('may be written %j', (value) =>
    expect(credentialsOf().worldOf(authorization(value))).toBe(world),
  )

  it.each([
    [`Basic ${identity.apiKey}`, 'Missing x-vital-api-key'],
    [`a Bearer ${identity.apiKey}`, 'Missing x-vital-api-key'],
    [`Bearer ${identity.apiKey} more`, 'Missing x-vital-api-key'],
    ['Bearer', 'Missing x-vital-api-key'],
    ['Bearer sk_us_other', 'invalid token'],
  ])('is none in %j', (value, message) =>
    expect(() => credentialsOf().worldOf(authorization(value))).toThrow(message),
  )

  it('is missed in the first header of the settings, where that of the live service is not accepted', () =>
    expect(() => credentialsOf({ headers: ['x-key', 'x-other'] }).worldOf(headersOf({}))).toThrow(
      expect.objectContaining({
        message: 'Missing x-key',
        extras: { headers: { 'x-petri-hint': expect.stringContaining('send the key of a world in x-key;') } },
      }),
    ))

  it('may be an access token of the team until it expires', () => {
    now = NOW
    const bearer = authorization(`Bearer ${newAccessToken(identity as never, 'sandbox', NOW)}`)
    expect(credentialsOf().worldOf(bearer)).toBe(world)
    now = NOW + ACCESS_TOKEN_SECONDS * 1000
    expect(() => credentialsOf().worldOf(bearer)).toThrow('invalid token')
    now = NOW
  })

  it('is no access token of a team that is unknown or has another key', () => {
    const tokenOf = (changes: object) =>
      authorization(`Bearer ${newAccessToken({ ...identity, ...changes } as never, 'sandbox', NOW)}`)
    for (const changes of [{ teamId: 'another' }, { apiKey: 'another' }])
      expect(() => credentialsOf().worldOf(tokenOf(changes))).toThrow('invalid token')
  })
})

describe('a public key', () => {
  const foreign = { 'x-service-api-key': identity.apiKey, host: 'evil.example.com' }
  const openWorlds = {
    mayOpen: (key: string) => key === 'sk_us_any',
    open: async () => world,
    used: () => {},
  }

  it('is refused under a foreign host name, and the error names the setting that helps', () => {
    const credentials = credentialsOf({ wellKnownKey: identity.apiKey })
    expect(() => credentials.worldOf(headersOf(foreign))).toThrow(
      'This API key is public, so it is refused under a foreign host name (Host: evil.example.com); set PETRI_API_KEY.',
    )
    expect(credentials.worldOf(headersOf({ ...foreign, host: 'localhost:4080' }))).toBe(world)
    const withOpen = credentialsOf({ wellKnownKey: identity.apiKey, openWorlds })
    expect(() => withOpen.worldOf(headersOf(foreign))).toThrow(/This API key is public.*set PETRI_PUBLIC_URL/)
  })

  it('is also one that creates an open world', () => {
    const any = headersOf({ ...foreign, 'x-service-api-key': 'sk_us_any' })
    expect(() => credentialsOf({ openWorlds }).worldOf(any)).toThrow(
      'Any key may create a world, so it is refused under a foreign host name (Host: evil.example.com); set PETRI_PUBLIC_URL.',
    )
  })

  it('is not one that was configured', () => {
    expect(credentialsOf({ wellKnownKey: 'sk_us_petri' }).worldOf(headersOf(foreign))).toBe(world)
  })
})

describe('the control API', () => {
  const publicUrl = new URL('https://petri.example.com')

  it.each(['127.0.0.1', '127.8.8.8', '::1', '::FFFF:127.0.0.1', undefined])('may be called from %s', (peer) =>
    expect(credentialsOf().assertController(headersOf({}), peer)).toBeUndefined(),
  )

  const others = ['10.0.0.1', '172.17.0.1', '0.0.0.0', '127.0.0.1.5', '127.evil', '::', '::1:5', 'unknown']
  it.each([...others, '::ffff:10.0.0.1', 'fe80::1'])('may not be called from %s', (peer) =>
    expect(() => credentialsOf().assertController(headersOf({}), peer)).toThrow(
      'Without PETRI_CONTROL_TOKEN only this machine may make this call.',
    ),
  )

  it('is refused behind a proxy, because every address is the proxy’s', () => {
    const credentials = credentialsOf({ publicUrl })
    expect(() => credentials.assertController(headersOf({}), '127.0.0.1')).toThrow(
      'Without PETRI_CONTROL_TOKEN nobody behind a proxy (PETRI_PUBLIC_URL) may make this call.',
    )
    expect(credentials.assertController(headersOf({}), undefined)).toBeUndefined()
  })

  it('takes the control token, where there is one, from everywhere, and nothing else', () => {
    const credentials = credentialsOf({ controlToken: 'secret' })
    expect(credentials.assertController(authorization('Bearer secret'), '10.0.0.1')).toBeUndefined()
    const wrong = ['Bearer other', 'Bearer secre', 'Bearer secret2', 'secret', ''].map(authorization)
    for (const header of [...wrong, headersOf({})])
      expect(() => credentials.assertController(header, '127.0.0.1')).toThrow(
        'This call needs the control token as bearer.',
      )
  })
})

describe('a management key', () => {
  const ask = (params: Readonly<Record<string, string>>, teamIds: readonly string[] | null = null) =>
    credentialsOf({
      managerOf: () => ({ role: 'org_admin', teamIds, isWellKnown: false, takesAnyOrganisation: false }),
    }).managerOf({
      header: headersOf({ 'x-management-key': 'mk' }),
      params,
      peer: undefined,
    }).world

  it('opens the world of a team in its organisation, and no other', () => {
    const { teamId, orgId } = identity
    expect(ask({ org_id: orgId.toUpperCase(), team_id: teamId.toUpperCase() })).toBe(world)
    expect(ask({ org_id: 'org-2', team_id: teamId })).toBeUndefined()
    expect(ask({ org_id: orgId, team_id: 'another' })).toBeUndefined()
    expect(ask({ org_id: orgId })).toBeUndefined()
    expect(ask({})).toBeUndefined()
    expect(ask({ org_id: orgId, team_id: teamId }, ['another'])).toBeUndefined()
  })
})
