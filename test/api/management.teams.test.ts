import { describe, expect, it } from 'vitest'
import { field } from '../support/field.ts'
import { dataFolder } from '../support/keeping-folder.ts'
import { managing, teamIdOf } from '../support/management.ts'
import { advance, createUser, postUser, setFeatures } from '../support/orders.ts'
import { forEachTest, NOBODY, ok, startTestPetri } from '../support/petri.ts'

const petri = forEachTest(startTestPetri)
const manage = managing(petri)

const KEYS = '/team_api_keys/sandbox/us'

/** What the team API says to who comes with this key. */
const usersWith = (key: string) => petri.get('/v2/user', { 'x-service-api-key': key })

const usersAsBearer = (token: string) =>
  petri.get('/v2/user', { 'x-service-api-key': '', authorization: `Bearer ${token}` })

describe('a team', () => {
  it('is a world: a new one has a key and is empty', async () => {
    await createUser(petri)
    const team = await ok(
      manage.post('/team', {
        name: 'Clinic (North)',
        region: 'us',
        integration_team_id: 'clinic-7',
        minor_ordering_enabled: true,
      }),
    )
    expect(team).toMatchObject({
      name: 'Clinic (North)',
      region: 'us',
      integration_team_id: 'clinic-7',
      created_on: '2026-01-05T09:00:00+00:00',
      environments: ['sandbox'],
      production: null,
    })
    const { api_keys } = await manage.read(`${KEYS}?team_id=${team.id}`)
    expect(api_keys).toMatchObject([{ team_id: team.id, value: expect.stringMatching(/^sk_us_/) }])
    expect((await usersWith(api_keys[0].value)).body.users).toEqual([])
    const seen = await petri.get(`/v2/team/${team.id}`, { 'x-service-api-key': api_keys[0].value })
    expect(seen.body).toMatchObject({
      name: 'Clinic (North)',
      configuration: { minor_ordering_enabled: true },
    })
  })

  it('is listed, searched for, and found by the customer’s own id', async () => {
    await manage.post('/team', { name: 'North', region: 'us' })
    const { body: south } = await manage.post('/team', {
      name: 'South',
      region: 'eu',
      integration_team_id: 's',
    })
    const namesOf = async (query: string) => (await manage.read(`/team${query}`)).teams.map(field('name'))
    expect(await namesOf('')).toEqual(['Petri', 'North', 'South'])
    expect(await namesOf('?search_query=OUT')).toEqual(['South'])
    expect(await namesOf('?region=eu&region=us')).toEqual(['Petri', 'North', 'South'])
    expect(await namesOf('?region=eu')).toEqual(['South'])
    expect(await namesOf(`?team_id=${south.id}`)).toEqual(['South'])
    expect((await manage.post('/resolve_team', { integration_team_id: 's' })).body.id).toBe(south.id)
    expect((await manage.read('/team_api_keys/sandbox/eu')).api_keys).toMatchObject([
      { value: expect.stringMatching(/^sk_eu_/) },
    ])
  })

  it('has the customer’s own id alone, also among teams that are made at once', async () => {
    const team = (name: string, id: string | null) => ({ name, region: 'us', integration_team_id: id })
    const { id } = (await manage.post('/team', team('Other', null))).body
    const answers = await Promise.all([
      manage.post('/team', team('North', 'n')),
      manage.post('/team', team('North', 'n')),
      manage.patch(`/team/${id}`, { integration_team_id: 'n', sandbox: { minor_ordering_enabled: true } }),
    ])
    expect(answers.map(field('status'))).toEqual([200, 409, 409])
    for (const { body } of answers.slice(1)) expect(body).toEqual({ team_id: answers[0]?.body.id })
    const { sandbox } = await manage.read(`/team/${id}?include_environment=sandbox`)
    expect(sandbox.minor_ordering_enabled).toBe(false)
  })

  it('shows the settings of the environments asked for', async () => {
    const path = `/team/${teamIdOf(petri)}`
    expect(await manage.read(path)).toMatchObject({ sandbox: null, production: null })
    expect(await manage.read(`${path}?include_environment=sandbox`)).toMatchObject({
      sandbox: { lab_tests_patient_sms_communication_enabled: true },
    })
    await setFeatures(petri, { parity: 'production' })
    expect(await manage.read(`${path}?include_environment=production`)).toMatchObject({
      environments: ['production'],
      sandbox: null,
      production: { reject_duplicate_connection: false },
    })
  })

  it('is changed where something is said, as the team sees too', async () => {
    const path = `/team/${teamIdOf(petri)}`
    const sandbox = {
      reject_duplicate_connection: true,
      critical_result_notification_email: 'lab@clinic.example',
      logo_url: 'https://clinic.example/logo.png',
      brand_information: { brand_color: '#00f' },
    }
    expect((await manage.patch(path, { name: 'Renamed', sandbox })).body).toMatchObject({
      name: 'Renamed',
      sandbox,
    })
    expect(await petri.read(`/v2/team/${teamIdOf(petri)}`)).toMatchObject({
      name: 'Renamed',
      critical_result_notification_email: 'lab@clinic.example',
      logo_url: 'https://clinic.example/logo.png',
      configuration: { reject_duplicate_connection: true },
    })
  })

  it('refuses a taken name, a taken id and an unknown environment, and stays unchanged', async () => {
    const { body: first } = await manage.post('/team', {
      name: 'A',
      region: 'us',
      integration_team_id: 'a',
    })
    const taken = { name: 'B', region: 'us', integration_team_id: 'a' }
    expect(await manage.post('/team', taken)).toAnswer(409, { team_id: first.id })
    expect(await manage.post('/team', { name: 'B', region: 'us', id: first.id })).toAnswer(400)
    const path = `/team/${teamIdOf(petri)}`
    expect(await manage.patch(path, { name: 'C', integration_team_id: 'a' })).toAnswer(409, {
      team_id: first.id,
    })
    expect(await manage.patch(path, { name: 'C', production: {} })).toRefuse(
      404,
      'The team has no production environment',
    )
    expect(await manage.patch(`/team/${NOBODY}`, { name: 'C' })).toAnswer(404)
    const { teams } = await manage.read('/team')
    expect(teams).toMatchObject([{ name: 'Petri', integration_team_id: null }, { name: 'A' }])
  })

  it('can have a given id, and is deleted with its keys', async () => {
    const id = '11111111-2222-4333-8444-555555555555'
    expect((await manage.post('/team', { name: 'Own', region: 'us', id })).body.id).toBe(id)
    const { value } = (await manage.post(KEYS, { label: 'CI', team_id: id })).body
    expect(await usersWith(value)).toAnswer(200)
    expect(await manage.delete(`/team/${id}`)).toAnswer(200, null)
    expect(await manage.get(`/team/${id}`)).toAnswer(404)
    expect(await usersWith(value)).toAnswer(401)
  })
})

describe('an API key of a team', () => {
  it('opens the team’s world at once, through resets too, until it is deleted', async () => {
    const { body: key } = await manage.post(KEYS, { label: 'CI', team_id: teamIdOf(petri) })
    expect(key).toMatchObject({ label: 'CI', value: expect.stringMatching(/^sk_us_[A-Za-z0-9]{32}$/) })
    await postUser(petri, 'ada', { 'x-service-api-key': key.value })
    expect((await petri.read('/v2/user')).users).toHaveLength(1)
    await petri.post('/_petri/reset', {}, { 'x-service-api-key': key.value })
    expect((await usersWith(key.value)).body.users).toEqual([])
    const { api_keys } = await petri.read(`/v2/team/${teamIdOf(petri)}`)
    expect(api_keys).toMatchObject([{ label: 'Petri' }, { id: key.id, value: key.value }])
    expect((await manage.delete(`${KEYS}?api_key_id=${key.id}`)).body.success).toEqual([key.id])
    expect(await usersWith(key.value)).toAnswer(401)
    const again = await manage.post(KEYS, { label: 'CI', team_id: teamIdOf(petri) })
    expect(again.body.value).not.toBe(key.value)
  })

  it('differs between worlds of one seed', async () => {
    const { body: twin } = await manage.post('/team', { name: 'Twin', region: 'us' })
    const keyOf = async (team_id: string) => (await manage.post(KEYS, { label: 'CI', team_id })).body
    const [own, other] = [await keyOf(teamIdOf(petri)), await keyOf(twin.id)]
    expect(own.value).not.toBe(other.value)
    expect(own.id).not.toBe(other.id)
    const { api_keys } = await manage.read(KEYS)
    expect(new Set(api_keys.map(field('id'))).size).toBe(4)
  })

  it('is reported when deleted; the first key of a team cannot be deleted', async () => {
    const [born] = (await manage.read(KEYS)).api_keys
    const { id } = (await manage.post(KEYS, { label: 'CI', team_id: teamIdOf(petri) })).body
    const query = [id, born.id, NOBODY].map((each) => `api_key_id=${each}`).join('&')
    expect((await manage.delete(`${KEYS}?${query}`)).body).toEqual({
      success: [id],
      failure: [born.id],
      not_found: [NOBODY],
    })
    expect(await manage.delete(KEYS)).toAnswer(422)
    expect(await manage.post(KEYS, { label: 'x', team_id: NOBODY })).toAnswer(404)
    expect(
      await manage.post('/team_api_keys/production/us', { label: 'x', team_id: teamIdOf(petri) }),
    ).toAnswer(404)
    expect((await manage.read('/team_api_keys/sandbox/eu')).api_keys).toEqual([])
    expect(await manage.get('/team_api_keys/staging/us')).toAnswer(422)
  })

  it('opens its world after a restart', async () => {
    const { start } = dataFolder()
    const before = await start()
    const manage = managing(before)
    const { body: team } = await manage.post('/team', { name: 'Kept', region: 'us' })
    const { value } = (await manage.post(KEYS, { label: 'CI', team_id: team.id })).body
    await manage.patch(`/team/${team.id}`, { name: 'Kept on' })
    await postUser(before, 'ada', { 'x-service-api-key': value })
    await before.close()
    const after = await start()
    const body = await after.read('/v2/user', { 'x-service-api-key': value })
    expect(body.users).toMatchObject([{ client_user_id: 'ada' }])
    expect((await managing(after).get(`/team/${team.id}`)).body.name).toBe('Kept on')
    await after.close()
  })
})

describe('an access token', () => {
  const mint = (env = 'sandbox') => manage.post(`/team/${teamIdOf(petri)}/create_api_access_token`, { env })

  it('is made under the older path as well', async () => {
    const path = `/team/${teamIdOf(petri)}/create_access_token`
    const { access_token } = (await manage.post(path, { env: 'sandbox' })).body
    expect(await usersAsBearer(access_token)).toAnswer(200)
  })

  it('opens its team as bearer for ten minutes of the world’s clock', async () => {
    const { access_token, expires_in } = (await mint()).body
    expect(expires_in).toBe(600)
    expect(await usersAsBearer(access_token)).toAnswer(200)
    await advance(petri, '9m59s')
    expect(await usersAsBearer(access_token)).toAnswer(200)
    await advance(petri, '1s')
    expect(await usersAsBearer(access_token)).toRefuse(401, 'invalid token')
    expect(await usersAsBearer((await mint()).body.access_token)).toAnswer(200)
  })

  it('is not an API key, and is refused once it is altered', async () => {
    const { access_token } = (await mint()).body
    expect(await usersWith(access_token)).toAnswer(401)
    const [head, , signature] = access_token.split('.')
    const { body: other } = await manage.post('/team', { name: 'Other', region: 'us' })
    const forged = Buffer.from(JSON.stringify({ team_id: other.id, exp: 9e9 })).toString('base64url')
    expect(await usersAsBearer(`${head}.${forged}.${signature}`)).toAnswer(401)
    const unsigned = Buffer.from(JSON.stringify({ team_id: teamIdOf(petri), exp: 9e9 })).toString('base64url')
    expect(await usersAsBearer(`${head}.${unsigned}.${signature}`)).toAnswer(401)
    expect(await usersAsBearer(`${head}.bnVsbA.${signature}`)).toAnswer(401)
    expect(await managing(petri, access_token).get('')).toAnswer(401)
  })

  it('is made for an environment the team has', async () => {
    expect(await mint('production')).toAnswer(404)
    expect(await mint('staging')).toAnswer(422)
  })
})
