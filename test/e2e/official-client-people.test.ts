/** @module-tag slow */
import type { Vital, VitalClient } from '@tryvital/vital-node'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Started, startPetri, stop } from '../support/cli.ts'
import { methodsOf, type OfficialClient, officialClient } from '../support/official-client.ts'
import { openNetwork } from '../support/open-network.ts'

// Every method of the official client that is about people and their connections, against the built Petri.

const groups = ['link', 'user', 'team', 'introspect', 'providers'] as const

let petri: Started
let called: OfficialClient['called']
let advance: OfficialClient['advance']
let link: VitalClient['link']
let user: VitalClient['user']
let team: VitalClient['team']
let introspect: VitalClient['introspect']
let providers: VitalClient['providers']

beforeAll(async () => {
  vi.unstubAllGlobals()
  petri = await startPetri(['--frozen', '--now', '2026-01-05T09:00:00Z'])
  const official = officialClient(petri)
  ;({ called, advance } = official)
  ;({ link, user, team, introspect, providers } = official.client)
})
openNetwork()
afterAll(() => stop(petri.child))

const newUser = async (clientUserId: string) => (await user.create({ clientUserId })).userId
const newToken = async (userId: string) => (await link.token({ userId })).linkToken

it('links by password, code, e-mail, consent and by hand', async () => {
  const userId = await newUser('links')
  let vitalLinkToken = await newToken(userId)
  expect((await link.getAllProviders({ vitalLinkToken })).length).toBeGreaterThan(20)
  const pending = await link.connectPasswordProvider('zwift', {
    vitalLinkToken,
    username: 'mfa',
    password: 'x',
  })
  expect([pending.state, pending.providerMfa?.method]).toEqual(['pending_provider_mfa', 'sms'])
  const done = await link.completePasswordProviderMfa('zwift', { vitalLinkToken, mfaCode: '123456' })
  expect(done.state).toBe('success')

  vitalLinkToken = await newToken(userId)
  await link.connectEmailAuthProvider('freestyle_libre', { vitalLinkToken, email: 'ada@example.com' })
  vitalLinkToken = await newToken(userId)
  const { oauthUrl } = await link.generateOauthLink('oura', { vitalLinkToken })
  expect(await fetch(oauthUrl ?? '')).toAnswer(200)
  const callback = `${petri.ready.url}/v2/link/connect/oura?code=account&state=${vitalLinkToken}`
  expect(await (await fetch(callback)).text()).toContain('Connected')
  expect(await link.connectManualProvider('beurer_ble', { userId })).toEqual({ success: true })
  expect((await link.codeCreate({ userId })).code).toMatch(/^skus/)
  const { providers: connected } = await user.getConnectedProviders(userId)
  expect(connected?.map(({ slug }) => slug)).toEqual(['zwift', 'freestyle_libre', 'oura', 'beurer_ble'])
})

it('links as older clients do', async () => {
  const userId = await newUser('older')
  const vitalLinkToken = await newToken(userId)
  expect(await link.isTokenValid({ token: vitalLinkToken })).toMatchObject({ valid: true })
  await link.startConnect({ linkToken: vitalLinkToken, provider: 'zwift' })
  expect(await link.tokenState({ vitalLinkToken })).toMatchObject({ state: 'started' })
  expect(await team.getLinkConfig({ vitalLinkToken })).toMatchObject({ region: 'us' })
  await link.passwordAuth({
    vitalLinkToken,
    username: 'ada',
    password: 'x',
    provider: 'zwift',
    authType: 'password',
  })
  const next = await newToken(userId)
  await link.startConnect({ linkToken: next, provider: 'freestyle_libre' })
  await link.emailAuth({
    vitalLinkToken: next,
    email: 'a@example.com',
    provider: 'freestyle_libre',
    authType: 'email',
  })
  await expect(link.tokenState({ vitalLinkToken: 'x' })).rejects.toMatchObject({ statusCode: 401 })
})

it('handles many connections at once', async () => {
  const userId = await newUser('bulk')
  const connection = { userId, accessToken: 'a', refreshToken: 'r', providerId: '7', expiresAt: 1800000000 }
  const work = { provider: 'fitbit', connections: [connection] } as const
  expect(await link.bulkImport({ ...work, connections: [...work.connections] })).toEqual({
    userIdsImported: [],
    userIdsFailed: [],
  })
  await advance('10s')
  await link.bulkTriggerHistoricalPull({ provider: 'fitbit', userIds: [userId] })
  const { data } = await link.bulkExport({ provider: 'fitbit' })
  expect(data).toMatchObject([{ userId, providerId: '7' }])
  await link.bulkPause({ provider: 'fitbit', userIds: [userId] })
  expect((await link.listBulkOps()).data.map(({ type }) => type)).toEqual([
    'link_bulk_historical_trigger',
    'link_bulk_import',
  ])
})

it('keeps a user and all that belongs to one', async () => {
  const userId = await newUser('user')
  expect((await user.get(userId)).clientUserId).toBe('user')
  expect((await user.getByClientUserId('user')).userId).toBe(userId)
  expect((await user.getAll()).users.length).toBeGreaterThan(0)
  await user.patch(userId, { fallbackTimeZone: 'Europe/Berlin' })
  const address = { firstLine: '1 Test Street', city: 'Phoenix', state: 'AZ', zip: '85004', country: 'US' }
  const person = {
    firstName: 'Ada',
    lastName: 'Example',
    email: 'ada@example.com',
    phoneNumber: '+16025550123',
    gender: 'female',
    dob: '1990-01-01',
    address,
  }
  expect((await user.upsertUserInfo(userId, person)).firstName).toBe('Ada')
  expect((await user.getLatestUserInfo(userId)).address.city).toBe('Phoenix')
  await user.createInsurance(userId, {
    payorCode: 'UNITE',
    memberId: 'M1',
    relationship: 'Self',
    insured: { ...person, gender: 'female' as Vital.Gender },
  })
  expect((await user.getLatestInsurance(userId)).memberId).toBe('M1')
  expect((await user.getUserSignInToken(userId)).userId).toBe(userId)
  const { url, expiresIn } = await user.createPortalUrl(userId, { context: 'launch' })
  expect(expiresIn).toBe(600)
  expect(await (await fetch(url)).text()).toContain('Ada Example')
  await link.connectDemoProvider({ userId, provider: 'fitbit' })
  expect((await user.refresh(userId)).inProgressSources).toContain('fitbit/steps')
  await advance('1h')
  expect((await user.refresh(userId, { timeout: 5 })).refreshedSources).toContain('fitbit/steps')
  const [device] = await user.getDevices(userId)
  expect((await user.getDevice(userId, device?.id ?? '')).provider).toBe('fitbit')
  expect((await user.getTeamMetrics()).numberOfConnectedSourcesByWeek?.[0]?.date).toBeInstanceOf(Date)
  await user.deregisterProvider(userId, 'fitbit')
  await user.delete(userId)
  await user.undoDelete({ userId })
})

it('tells of the team, its providers, and what became of their data', async () => {
  const userId = await newUser('introspected')
  const { teamId } = await user.get(userId)
  await link.connectDemoProvider({ userId, provider: 'oura' })
  await advance('1h')
  const [told] = (await introspect.getUserResources({ userId })).data
  expect(told?.provider.oura?.sleep?.lastAttempt?.status).toBe('success')
  const [pulls] = (await introspect.getUserHistoricalPulls({ userId, provider: 'oura' })).data
  expect(pulls?.provider.oura?.pulled.sleep?.status).toBe('success')
  expect((await team.get(teamId)).configuration?.edsPreferences?.preferred).toBe('svix')
  expect(await team.getUserById({ queryId: 'introsp' })).toMatchObject([{ userId }])
  expect((await team.getSvixUrl()).url).toContain(petri.ready.url)
  expect((await team.getSourcePriorities({ dataType: 'sleep' })).length).toBeGreaterThan(10)
  expect((await team.updateSourcePriorities()).length).toBeGreaterThan(10)
  expect(await team.getPhysicians(teamId)).toEqual([])
  expect((await providers.getAll()).length).toBeGreaterThan(30)
})

it('leaves out no method of these groups', () => {
  const all = groups.flatMap(methodsOf)
  expect(all.filter((name) => !called.has(name))).toEqual([])
  console.log(`official client, people: ${all.length} methods called`)
})
