import { beforeEach, describe, expect, it } from 'vitest'
import { browse } from '../support/link.ts'
import { managing, teamIdOf } from '../support/management.ts'
import { advance, createUser, orderKit, readOrder } from '../support/orders.ts'
import { forEachTest, NOBODY, ok, startTestPetri } from '../support/petri.ts'
import { dailySteps } from '../support/sense.ts'

// Which fields the management API requires, which values it accepts, and what a field that is left out means.

const petri = forEachTest(startTestPetri)
let manage: ReturnType<typeof managing>
let first: string
beforeEach(() => {
  manage = managing(petri)
  first = teamIdOf(petri)
})

const newTeam = async (name: string, more: object = {}): Promise<string> =>
  (await manage.post('/team', { name, region: 'us', ...more })).body.id

/** The path of each field of a body, those inside of other fields included. */
function pathsOf(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    [name],
    ...pathsOf(inner).map((rest) => [name, ...rest]),
  ])
}

/** A body without the field at the path. */
function without(body: object, [name = '', ...rest]: string[]): object {
  const { [name]: field, ...others } = body as Record<string, unknown>
  return rest.length > 0 ? { ...others, [name]: without(field as object, rest) } : others
}

/** A body with another value in the field at the path. */
const withValue = (body: object, [name = '', ...rest]: string[], value: unknown): object => ({
  ...body,
  [name]: rest.length > 0 ? withValue(Reflect.get(body, name), rest, value) : value,
})

describe('a continuous query', () => {
  const base = () => `/team/${first}/sandbox/continuous_query`
  const gap = (minimum_gap_duration_second: number | null) => ({
    scheduling_preferences: { minimum_gap_duration_second },
  })

  it('belongs to a team or to a platform, and to nobody else', async () => {
    for (const [type, status] of Object.entries({ team: 200, platform: 200, user: 422, '': 422 })) {
      const slug = `owned-${type}`.slice(0, 12)
      expect((await manage.post(`${base()}?query_type=${type}`, { ...dailySteps, slug })).status, type).toBe(
        status,
      )
    }
    const validate = base().replace('continuous_query', 'validate_continuous_query')
    expect(await manage.post(`${validate}?query_type=user`, dailySteps)).toAnswer(422)
  })

  it('runs every half hour at most', async () => {
    expect(await manage.post(base(), { ...dailySteps, ...gap(1799) })).toAnswer(422)
    expect((await manage.post(base(), { ...dailySteps, ...gap(1800) })).body).toMatchObject(gap(1800))
    expect((await manage.post(base(), { ...dailySteps, slug: 'no-gap', ...gap(null) })).body).toMatchObject(
      gap(null),
    )
    expect((await manage.post(base(), { ...dailySteps, slug: 'unset' })).body).toMatchObject(gap(null))
  })

  it('is exported as events and in no other way', async () => {
    const created = async (export_preferences: object) =>
      manage.post(base(), {
        ...dailySteps,
        slug: `s${(await manage.read(base())).data.length}`,
        export_preferences,
      })
    for (const refused of [{ data_events: { enabled: false } }, { fhir_observations: true }])
      expect(await created(refused)).toRefuse(400, expect.stringContaining('as events only'))
    for (const accepted of [
      {},
      { data_events: {} },
      { data_events: { enabled: true }, fhir_observations: false },
    ]) {
      const body = await ok(created(accepted))
      expect(body.export_preferences).toEqual({ data_events: { enabled: true }, fhir_observations: false })
      expect(body.fhir_observation_mappers).toEqual([])
    }
  })

  it('keeps what a change leaves out or names as null', async () => {
    const { body: made } = await manage.post(base(), { ...dailySteps, ...gap(3600) })
    const change = async (body: object) => (await manage.patch(`${base()}/${made.id}`, body)).body
    for (const nothing of [{}, { title: null }, { scheduling_preferences: null }])
      expect(await change(nothing)).toEqual(made)
    expect(await change(gap(7200))).toEqual({ ...made, ...gap(7200) })
    expect(await change({ title: '' })).toEqual({ ...made, ...gap(7200), title: '' })
    expect(await change({ scheduling_preferences: {} })).toMatchObject(gap(null))
    expect(await manage.patch(`${base()}/${made.id}`, { title: '<b>' })).toAnswer(422)
    expect(await manage.patch(`${base()}/${made.id}`, { title: 'a'.repeat(51) })).toAnswer(422)
  })

  it.each(['slug', 'title', 'query'])('needs a %s', async (name) => {
    expect(await manage.post(base(), without(dailySteps, [name]))).toRefuse(422, [
      { type: 'missing', loc: ['body', name] },
    ])
  })
})

describe('details of custom credentials', () => {
  const CREDENTIALS = '/team_custom_credentials/sandbox/us'
  const send = (provider: string, details: object, more: object = {}) =>
    manage.post(CREDENTIALS, {
      team_id: first,
      provider,
      client_id: 'my-app',
      client_secret: 'secret',
      details,
      ...more,
    })
  const account = {
    sub_account_id: '1',
    sub_account_name: 'North',
    allowed_billing_types: ['client_bill'],
    disallowed_billing_states: { client_bill: ['NY'] },
  }
  const facilities = {
    sending_facility: 'a',
    sending_application: 'b',
    receiving_facility: 'c',
    receiving_application: 'd',
  }
  const getlabs = { webhook_secret_key: 'a', webhook_secret_token: 'b' }
  const phlebfinders = {
    account_id: '1',
    account_name: 'North',
    team_id: '2',
    team_name: 'South',
    webhook_token: 'token',
    email: 'ada@example.com',
  }
  const tokens = { workout_verify_token: 'a', sleep_verify_token: 'b', body_verify_token: 'c' }
  const fitbit = { is_hr_enabled: true, ...tokens }

  const required: [string, object][] = [
    ['fitbit', { fitbit: tokens }],
    ['google_fit', { redirect_uri: 'https://app.example', data_scopes: ['steps'] }],
    ['google_health', { project_number: '1', service_account_email: 'app@example.com' }],
    ['bioreference', { bioreference: { any: 'thing' } }],
    ['labcorp', { labcorp: { account_number: '1', billing_method: 'CM' } }],
    ['labcorp', facilities],
    ['quest', { quest: { any: 'thing' } }],
    ['polar', { webhook_secret: 'secret' }],
    ['getlabs', { getlabs }],
    ['phlebfinders', { phlebfinders }],
    ['my_fitness_pal_v2', { client: 'app' }],
  ]

  it.each(required)('of %s are stored as given: %j', async (provider, details) => {
    const answer = await send(provider, details)
    expect(answer).toAnswer(200)
    expect(answer.body.details).toMatchObject(details)
    expect((await manage.read(CREDENTIALS)).credentials).toEqual([answer.body])
  })

  it.each(required)('of %s need each of their fields: %j', async (provider, details) => {
    const free = new Set(['any'])
    for (const path of pathsOf(details).filter((each) => !free.has(each.at(-1) ?? ''))) {
      expect(await send(provider, without(details, path)), path.join('.')).toAnswer(422)
      expect(await send(provider, withValue(details, path, 1)), path.join('.')).toAnswer(422)
    }
    expect((await manage.read(CREDENTIALS)).credentials).toEqual([])
  })

  it('may say more about the account at a laboratory', async () => {
    const laboratories: [string, object][] = [
      ['bioreference', { bioreference: {} }],
      ['labcorp', { labcorp: { account_number: '1', billing_method: 'PT' } }],
      ['labcorp', { labcorp: { account_number: '1', billing_method: 'PI' } }],
      ['labcorp', facilities],
      ['quest', { quest: {}, allowed_business_units: ['AMD'] }],
    ]
    for (const [provider, details] of laboratories) {
      const full = { ...details, ...account }
      expect((await send(provider, full)).body.details).toEqual(full)
      for (const [name, value] of Object.entries({
        sub_account_id: 1,
        sub_account_name: 1,
        allowed_billing_types: ['barter'],
        disallowed_billing_states: { barter: ['NY'] },
      }))
        expect(await send(provider, { ...full, [name]: value }), name).toAnswer(422)
    }
    const method = { account_number: '1', billing_method: 'XX' }
    expect(await send('labcorp', { labcorp: method })).toAnswer(422)
    expect(await send('quest', { quest: {}, allowed_business_units: [1] })).toAnswer(422)
  })

  it('of Fitbit leave out the heart rate by default; those of Google take no others', async () => {
    expect((await send('fitbit', { fitbit: tokens })).body.details.fitbit.is_hr_enabled).toBe(false)
    const more = { ...fitbit, foods_verify_token: 'd' }
    expect((await send('fitbit', { fitbit: more })).body.details).toEqual({ fitbit: more })
    const google = { project_number: '1', service_account_email: 'app@example.com' }
    expect(await send('google_health', { ...google, more: 1 })).toAnswer(422)
  })

  it('of another provider are refused where they are', async () => {
    for (const [provider, details] of [
      ['oura', { client: 'app' }],
      ['fitbit', { client: 'app' }],
      ['polar', { getlabs }],
      ['labcorp', { quest: {} }],
    ] as const)
      expect(await send(provider, details)).toRefuse(422, [
        {
          type: 'value_error',
          loc: ['body', 'details'],
          msg: expect.stringContaining(provider),
          input: details,
        },
      ])
  })

  it('and all else are kept when they are left out', async () => {
    const redirect_url_override = 'https://app.example/done'
    const { body: made } = await send('polar', { webhook_secret: 'a' }, { redirect_url_override })
    await advance(petri, '1h')
    const again = { team_id: first, provider: 'polar', client_id: null, client_secret: null }
    const { body: kept } = await manage.post(CREDENTIALS, again)
    expect(kept).toEqual({ ...made, updated_at: '2026-01-05T10:00:00+00:00' })
    const { body: changed } = await manage.post(CREDENTIALS, { ...again, details: { webhook_secret: 'b' } })
    expect(changed).toEqual({ ...kept, details: { webhook_secret: 'b' } })
    const { body: emptied } = await manage.post(CREDENTIALS, { ...again, redirect_url_override: null })
    expect(emptied).toEqual({ ...changed, redirect_url_override: null })
  })
})

describe('custom credentials', () => {
  const CREDENTIALS = '/team_custom_credentials/sandbox/us'
  const set = async (team_id: string, provider: string) =>
    (await manage.post(CREDENTIALS, { team_id, provider, client_id: 'a', client_secret: 'b' })).body.id
  const listed = async (query = '') =>
    (await manage.read(`${CREDENTIALS}${query}`)).credentials.map(
      ({ team_id, source }: { team_id: string; source: string }) => `${team_id} ${source}`,
    )

  it('are listed by provider and team, and deleted one by one', async () => {
    const second = await newTeam('Second')
    const oura = await set(first, 'oura')
    await set(first, 'quest')
    const other = await set(second, 'oura')
    expect(await listed(`?team_id=${first}`)).toEqual([`${first} oura`, `${first} quest`])
    expect(await listed('?provider=oura')).toEqual([`${first} oura`, `${second} oura`])
    expect(await listed(`?provider=quest&team_id=${second}`)).toEqual([])
    expect(await listed(`?team_id=${first}&team_id=${second}`)).toHaveLength(3)
    expect(await listed('?provider=freestyle_libre')).toEqual([])
    expect(await manage.get(`${CREDENTIALS}?provider=nobody`)).toAnswer(422)
    const deleted = await manage.delete(`${CREDENTIALS}?credential_id=${oura}&credential_id=${oura}`)
    expect(deleted.body).toEqual({ success: [oura], failure: [], not_found: [] })
    expect(await listed()).toEqual([`${first} quest`, `${second} oura`])
    const gone = await manage.delete(`${CREDENTIALS}?credential_id=${oura}&credential_id=${other}`)
    expect(gone.body).toEqual({ success: [other], failure: [], not_found: [oura] })
    expect(await manage.delete(CREDENTIALS)).toAnswer(422)
  })

  it('of a provider with a sign-in need both of id and secret, once', async () => {
    const send = (more: object) => manage.post(CREDENTIALS, { team_id: first, provider: 'oura', ...more })
    for (const half of [{ client_id: 'a' }, { client_secret: 'b' }, {}])
      expect(await send(half)).toRefuse(400, expect.stringContaining('client_secret'))
    const { body: made } = await send({ client_id: 'a', client_secret: 'b' })
    expect((await send({ client_id: 'c' })).body).toEqual({ ...made, client_id: 'c' })
    const { client_secret_hash } = (await send({ client_secret: 'd' })).body
    expect(client_secret_hash).not.toBe(made.client_secret_hash)
  })

  it('are accepted for partners of laboratories and of appointments', async () => {
    for (const provider of [
      'aftership',
      'shippo',
      'sanocardio',
      'supera',
      'twilio',
      'telnyx',
      'mtl',
      'sonora_quest',
    ])
      expect((await manage.post(CREDENTIALS, { team_id: first, provider })).body, provider).toMatchObject({
        source: provider,
        client_secret_hash: null,
      })
  })

  it('are prepared for by what has to be entered at the provider', async () => {
    const path = '/prepare_team_custom_credentials/sandbox/us'
    const prepare = async (provider: string) => (await manage.post(path, { team_id: first, provider })).body
    const redirect = (provider: string) => ({
      type: 'redirect_uri',
      key: null,
      value: `http://127.0.0.1:4080/v2/link/connect/${provider}`,
      description: expect.stringMatching(/./),
    })
    const account = {
      type: 'iam_principal',
      key: null,
      value: 'connections@petri.example',
      description: expect.stringMatching(/./),
    }
    const steps = {
      oura: [redirect('oura')],
      google_health: [redirect('google_health'), account],
    }
    for (const [provider, preparation_steps] of Object.entries(steps))
      expect(await prepare(provider)).toEqual({ status: 'preparations_required', preparation_steps })
    expect(await prepare('quest')).toEqual({ status: 'no_action_needed', preparation_steps: [] })
    expect(await manage.post(path, { team_id: first, provider: 'twilio' })).toAnswer(422)
    expect(await manage.post(path, { team_id: NOBODY, provider: 'oura' })).toAnswer(404)
  })
})

describe('the dashboard', () => {
  const origin = 'https://ehr.example'
  const config = { slug: 'my-ehr', modalities: ['feature_embed', 'link_out'], origin_configs: [{ origin }] }
  const asked = {
    integration_member_id: 'user',
    feature: 'orders',
    modality: 'link_out',
    environment: 'sandbox',
  }
  const URLS = '/ehr_integration/create_dashboard_url'
  const urlFor = async (more: object = {}) =>
    (await manage.post(URLS, { ...asked, team_id: first, ...more })).body.url

  beforeEach(async () => {
    await manage.put('/ehr_integration/configuration', config)
    const member = { integration_member_id: 'user', name: 'Ada', email: 'ada@example.com' }
    await manage.post('/ehr_integration/member', { ...member, team_role_bindings: [{ team_id: first }] })
  })

  it('lists the latest twenty orders of the team, newest first, with their statuses', async () => {
    const user = await createUser(petri)
    const ids: string[] = []
    for (let n = 0; n < 21; n++) ids.push((await orderKit(petri, { user })).id)
    const { text } = await browse(petri, await urlFor())
    expect(text).toContain('Orders (21)')
    const items = [...text.matchAll(/<li><code>([^<]*)<\/code> ([^<]*)<\/li>/g)]
    expect(items.map(([, id]) => id)).toEqual(ids.slice(1).reverse())
    const { status } = await readOrder(petri, String(ids[20]))
    expect(items[0]?.[2]).toBe(status)
    expect(text).toContain('orders of Petri')
  })

  it('of a patient lists the orders of that patient', async () => {
    const [ada, grace] = [await createUser(petri, 'ada'), await createUser(petri, 'grace')]
    const { id } = await orderKit(petri, { user: ada })
    const other = await orderKit(petri, { user: grace })
    const { text } = await browse(petri, await urlFor({ feature: `orders:${ada}` }))
    expect(text).toContain('Orders (1)')
    expect(text).toContain(id)
    expect(text).not.toContain(other.id)
  })

  it('says what is missing in a request for a URL, or one too many', async () => {
    for (const [more, names] of [
      [{ team_id: null }, 'team_id and integration_team_id'],
      [{ integration_team_id: 'clinic' }, 'team_id and integration_team_id'],
      [{ integration_member_id: null }, 'member_id and integration_member_id'],
      [{ member_id: NOBODY }, 'member_id and integration_member_id'],
    ] as const)
      expect(await manage.post(URLS, { ...asked, team_id: first, ...more })).toRefuse(
        400,
        expect.stringContaining(names),
      )
    await manage.put('/ehr_integration/configuration', { ...config, modalities: ['feature_embed'] })
    expect(await manage.post(URLS, { ...asked, team_id: first })).toRefuse(
      400,
      expect.stringContaining('link_out'),
    )
  })

  it('tells an unknown URL from an expired one and from one of a removed member', async () => {
    const url = await urlFor()
    const refusal = async (address: string) => {
      const { pathname, search } = new URL(address)
      const response = await petri.petri.app.request(`${pathname}${search}`)
      return [response.status, ((await response.json()) as { detail: string }).detail]
    }
    for (const unknown of [`${url}x`, url.replace('token=', 'token=x'), url.replace(/token=.*/, '')])
      expect(await refusal(unknown)).toEqual([401, 'The dashboard URL is invalid.'])
    const [{ id }] = (await manage.read('/ehr_integration/member')).data
    await manage.patch(`/ehr_integration/member/${id}`, { team_role_bindings: [] })
    expect(await refusal(url)).toEqual([403, 'The member has no role in this team.'])
    await manage.patch(`/ehr_integration/member/${id}`, { team_role_bindings: [{ team_id: first }] })
    await advance(petri, '5m')
    expect(await refusal(url)).toEqual([401, 'The dashboard URL has expired.'])
  })

  it('is not set up before it is configured', async () => {
    const other = await startTestPetri()
    const answer = await managing(other).post(URLS, { ...asked, team_id: teamIdOf(other) })
    expect(answer).toRefuse(404, 'The EHR integration is not configured')
  })

  it.each(['feature', 'modality', 'environment'])('needs a %s for its URL', async (name) => {
    const body = { ...asked, team_id: first }
    expect(await manage.post(URLS, without(body, [name]))).toAnswer(422)
    expect(await manage.post(URLS, { ...body, [name]: 1 })).toAnswer(422)
  })
})
