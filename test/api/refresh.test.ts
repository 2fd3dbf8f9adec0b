import { describe, expect, it } from 'vitest'
import { failConnection, pauseConnection } from '../../src/resources/connecting/service.ts'
import { newToken, withToken } from '../support/link.ts'
import { advance, connectDemo, createUser, postUser, setFeatures } from '../support/orders.ts'
import { forEachTest, startTestWorld, type TestPetri } from '../support/petri.ts'

const petri = forEachTest()

const refresh = (petri: TestPetri, user: string, query = '') => petri.post(`/v2/user/refresh/${user}${query}`)
const demo = (petri: TestPetri, user_id: string, provider: string) => connectDemo(petri, user_id, provider)

describe('a refresh', () => {
  it('is in progress while the history comes in, and done afterwards', { tags: 'slow' }, async () => {
    const user = await createUser(petri)
    await demo(petri, user, 'fitbit')
    expect(await refresh(petri, user)).toAnswer(202, {
      success: true,
      user_id: user,
      refreshed_sources: [],
      in_progress_sources: expect.arrayContaining(['fitbit/steps', 'fitbit/sleep']),
      failed_sources: [],
    })
    await advance(petri, '1h')
    expect(await refresh(petri, user, '?timeout=5')).toAnswer(200, {
      refreshed_sources: expect.arrayContaining(['fitbit/steps']),
      in_progress_sources: [],
    })
  })

  it('sends the data since the last sync at once', { tags: 'slow' }, async () => {
    const user = await createUser(petri)
    await demo(petri, user, 'fitbit')
    await advance(petri, '65m')
    const stepsSent = async () => (await petri.read('/v2/introspect/resources')).data[0].provider.fitbit.steps
    const before = await stepsSent()
    await advance(petri, '50m')
    expect(await stepsSent()).toEqual(before)
    await refresh(petri, user)
    const after = await stepsSent()
    expect(Date.parse(after.last_attempt.timestamp)).toBeGreaterThan(
      Date.parse(before.last_attempt.timestamp),
    )
    expect(after.sent_count).toBeGreaterThan(before.sent_count)
  })

  it('has nothing to do without a source, and never with this one', async () => {
    const user = await createUser(petri)
    expect(await refresh(petri, user)).toAnswer(400, {
      success: false,
      user_id: user,
      error: 'user has no connected sources',
      failed_sources: [],
    })
    await demo(petri, user, 'freestyle_libre')
    await advance(petri, '1h')
    expect(await refresh(petri, user)).toAnswer(400, { success: false })
    await demo(petri, user, 'fitbit')
    pauseConnection(petri.world(), user, 'fitbit')
    expect(await refresh(petri, user)).toAnswer(400, { success: false })
  })

  it('names the sources that failed', async () => {
    const user = await createUser(petri)
    const token = await newToken(petri, user)
    const body = { username: 'ada', password: 'x' }
    await petri.post('/v2/link/provider/password/eight_sleep', body, withToken(token))
    failConnection(petri.world(), user, 'eight_sleep', {
      errorType: 'token_refresh_failed',
      message: 'The token could not be refreshed.',
    })
    expect(await refresh(petri, user)).toAnswer(200, {
      refreshed_sources: [],
      failed_sources: expect.arrayContaining(['eight_sleep/sleep']),
    })
  })

  it('is refused for the ninth time within an hour, with the time to wait', { tags: 'slow' }, async () => {
    const [user, other] = [await createUser(petri), await createUser(petri, 'grace')]
    await demo(petri, user, 'fitbit')
    for (let call = 0; call < 8; call++) {
      expect((await refresh(petri, user)).status).toBeLessThan(300)
      await advance(petri, '1m')
    }
    const refused = await refresh(petri, user)
    expect(refused).toRefuse(429, 'Too many requests')
    expect(refused.headers.get('retry-after')).toBe(String(52 * 60))
    expect(await refresh(petri, other)).toAnswer(400)
    await advance(petri, '52m')
    expect(await refresh(petri, user)).toAnswer(200)
  })

  it.each(['4', '61', 'x'])('does not wait %s seconds', async (timeout) => {
    const user = await createUser(petri)
    expect(await refresh(petri, user, `?timeout=${timeout}`)).toRefuse(422, [{ loc: ['query', 'timeout'] }])
  })
})

it('metrics count users, connections week by week, and orders', { tags: 'slow' }, async () => {
  const metrics = () => petri.read('/v2/user/metrics')
  expect(await metrics()).toEqual({
    team_id: petri.world().identity.teamId,
    number_of_connected_sources: 0,
    number_of_users: 0,
    number_of_errored_connected_sources: 0,
    number_of_connected_sources_by_week: [],
    number_of_ordered_tests: 0,
  })
  const user = await createUser(petri)
  await demo(petri, user, 'fitbit')
  await advance(petri, '8d')
  await demo(petri, user, 'oura')
  failConnection(petri.world(), user, 'fitbit', { errorType: 'unknown', message: 'Broken.' })
  expect(await metrics()).toMatchObject({
    number_of_connected_sources: 2,
    number_of_users: 1,
    number_of_errored_connected_sources: 1,
    number_of_connected_sources_by_week: [
      { date: '2026-01-05T00:00:00+00:00', value: 1, all: 1 },
      { date: '2026-01-12T00:00:00+00:00', value: 1, all: 2 },
    ],
  })
})

it('devices are those that data came from', async () => {
  const user = await createUser(petri)
  await demo(petri, user, 'fitbit')
  expect(await petri.read(`/v2/user/${user}/device`)).toEqual([])
  await advance(petri, '1h')
  const [device] = await petri.read(`/v2/user/${user}/device`)
  expect(device).toMatchObject({ user_id: user, provider: 'fitbit', source_type: 'watch' })
  expect(await petri.read(`/v2/user/${user}/device/${device.id}`)).toEqual(device)
  expect(await petri.get(`/v2/user/${user}/device/${user}`)).toRefuse(404, 'Device not found')
})

describe('where the limits of the sandbox hold', () => {
  const limited = async () => {
    const petri = await startTestWorld()
    await setFeatures(petri, { sandbox_limits: true })
    return petri
  }

  it('the 51st user is refused', async () => {
    const petri = await limited()
    for (let ordinal = 0; ordinal < 50; ordinal++) await createUser(petri, `user-${ordinal}`)
    expect(await postUser(petri, 'one too many')).toRefuse(400, {
      error_message: 'You have reached the maximum of 50 Sandbox users',
    })
  })
})
