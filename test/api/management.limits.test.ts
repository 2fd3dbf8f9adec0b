import { beforeEach, describe, expect, it } from 'vitest'
import { field } from '../support/field.ts'
import { managing, teamIdOf } from '../support/management.ts'
import { advance, setFeatures } from '../support/orders.ts'
import { forEachTest, NOBODY, startTestPetri } from '../support/petri.ts'
import { startHeardPetri } from '../support/receiver.ts'

// Limits, defaults and pages of the management API.

const petri = forEachTest(startTestPetri)
let manage: ReturnType<typeof managing>
let first: string
beforeEach(() => {
  manage = managing(petri)
  first = teamIdOf(petri)
})

const bound = (...teamIds: string[]) => teamIds.map((team_id) => ({ team_id }))
const newTeam = async (name: string, more: object = {}): Promise<string> =>
  (await manage.post('/team', { name, region: 'us', ...more })).body.id

describe('a list of the organisation', () => {
  it('has a hundred to a page, each of them once', { tags: 'slow' }, async () => {
    for (let n = 0; n < 101; n++) await manage.post('/invite', { email: `user${n}@example.com` })
    const { invites, next_cursor } = await manage.read('/invite')
    expect(invites).toHaveLength(100)
    const rest = await manage.read(`/invite?next_cursor=${next_cursor}`)
    expect(rest.invites.map(field('email'))).toEqual(['user100@example.com'])
    expect(rest.next_cursor).toBeNull()
    expect(await manage.get('/invite?next_cursor=nope')).toAnswer(400)
  })

  it('gives its objects ids of their own, also after some are removed', async () => {
    const ids = new Set<string>()
    const paths = { domain: 'domain', invite: 'invite', 'ehr_integration/member': 'member' }
    for (const path of Object.keys(paths)) {
      for (let n = 0; n < 2; n++) {
        await manage.post(`/${path}`, {
          domain: 'example.com',
          email: 'ada@example.com',
          name: 'Ada',
          integration_member_id: 'ada',
        })
        const { data, invites } = await manage.read(`/${path}`)
        const [{ id }] = data ?? invites
        ids.add(id)
        await manage.delete(`/${path}/${id}`)
      }
    }
    expect(ids.size).toBe(6)
  })
})

describe('the days of history', () => {
  const PATH = '/team_data_pull_preferences/sandbox/us'

  it('are listed by five teams, or as many as are asked for', async () => {
    const teams = [first]
    for (const name of ['B', 'C', 'D', 'E', 'F']) teams.push(await newTeam(name))
    const providers = { oura: { default: { historical_days_to_pull: 1 } } }
    await manage.post(PATH, { team_ids: teams, providers })
    const body = await manage.read(PATH)
    expect(body.data_pull_preferences).toHaveLength(5)
    const rest = await manage.read(`${PATH}?next_cursor=${body.next_cursor}`)
    expect(rest).toMatchObject({ data_pull_preferences: [{ team_id: teams[5] }], next_cursor: null })
    const statuses: Record<number, number> = { 0: 422, 1: 200, 250: 200, 251: 422 }
    for (const [limit, status] of Object.entries(statuses))
      expect(await manage.get(`${PATH}?limit=${limit}`), limit).toAnswer(status)
    expect(await manage.get(`${PATH}?provider=nobody`)).toAnswer(422)
  })
})

describe('a domain', () => {
  it('is refused by its name when it is there already', async () => {
    await manage.post('/domain', { domain: 'example.com' })
    expect(await manage.post('/domain', { domain: 'EXAMPLE.com' })).toRefuse(
      409,
      'The organization already has the domain example.com.',
    )
  })

  it('has labels of up to 63 characters, which begin and end with a letter or digit', async () => {
    const post = (domain: string) => manage.post('/domain', { domain })
    const accepted = [
      `${'a'.repeat(63)}.com`,
      'a-b.c1.example',
      '1a.example',
      `a.${'b'.repeat(63)}`,
      'x.yz',
      `${'a.'.repeat(125)}aa`,
    ]
    const refused = [
      '',
      'example',
      'https://example.com',
      'a b.example',
      '-a.example',
      `${'a'.repeat(64)}.com`,
      'a-.example',
      'x.y',
      `a.${'b'.repeat(64)}`,
      'example.c0m',
      'example.com.',
      ' example.com',
      `${'a.'.repeat(126)}aa`,
    ]
    for (const domain of accepted) expect(await post(domain), domain).toAnswer(201)
    for (const domain of refused) expect(await post(domain), domain).toAnswer(422)
  })

  it('needs an address to send its instructions to', async () => {
    const { id } = (await manage.post('/domain', { domain: 'example.com' })).body
    const send = (body: object) => manage.post(`/domain/${id}/send_domain_instructions`, body)
    expect(await send({ to_email: 'ada' })).toAnswer(422)
    expect(await send({})).toAnswer(422)
    const { body } = await send({ to_email: 'ada@example.com' })
    expect(body.sendgrid_message_id).toMatch(/^\w{22}$/)
  })
})

describe('the EHR integration', () => {
  const CONFIG = '/ehr_integration/configuration'
  const config = { slug: 'my-ehr', modalities: ['link_out'], origin_configs: [] }
  const MEMBERS = '/ehr_integration/member'
  const member = { integration_member_id: 'ada', name: 'Ada', email: 'ada@example.com' }

  it('may be embedded by origins of the web, which have no path', async () => {
    const origins: Record<string, number> = {
      'https://ehr.example': 200,
      'http://localhost:3000': 200,
      'https://ehr.example/': 422,
      'https://ehr.example:443': 422,
      'ftp://ehr.example': 422,
      'xhttps://ehr.example': 422,
      'https://EHR.example': 422,
      'ehr.example': 422,
      '': 422,
    }
    for (const [origin, status] of Object.entries(origins))
      expect((await manage.put(CONFIG, { ...config, origin_configs: [{ origin }] })).status, origin).toBe(
        status,
      )
    for (const origin of [5, null, ['https://ehr.example']])
      expect(await manage.put(CONFIG, { ...config, origin_configs: [{ origin }] })).toRefuse(422, [
        { type: 'string_type', msg: 'Input should be a valid string' },
      ])
    const refused = await manage.put(CONFIG, { ...config, origin_configs: [{ origin: 'ehr' }] })
    expect(refused.body.detail[0].msg).toContain('https:// or http://')
  })

  it.each(['slug', 'modalities', 'origin_configs'])('needs %s', async (name) => {
    const { [name as keyof typeof config]: _, ...rest } = config
    expect(await manage.put(CONFIG, rest)).toAnswer(422)
  })

  it('knows a member by an id of at most 256 characters', async () => {
    for (const [length, status] of [
      [256, 200],
      [257, 422],
    ] as const) {
      const id = 'a'.repeat(length)
      expect(await manage.post(MEMBERS, { ...member, integration_member_id: id })).toAnswer(status)
      const resolved = await manage.post('/ehr_integration/resolve_member', { integration_member_id: id })
      expect(resolved).toAnswer(status)
    }
  })

  it.each(['integration_member_id', 'name', 'email'])('needs the %s of a member', async (name) => {
    const { [name as keyof typeof member]: _, ...rest } = member
    expect(await manage.post(MEMBERS, rest)).toAnswer(422)
  })

  it('finds one of several members', async () => {
    for (let n = 0; n < 3; n++)
      await manage.post(MEMBERS, { ...member, integration_member_id: `user${n}`, name: `${n}` })
    const { data } = await manage.read(MEMBERS)
    expect(await manage.read(`${MEMBERS}/${data[1].id}`)).toEqual(data[1])
    const found = await manage.post('/ehr_integration/resolve_member', { integration_member_id: 'user2' })
    expect(found.body).toEqual(data[2])
    expect((await manage.read(`${MEMBERS}/${NOBODY}`)).detail).toBe('Member not found')
    await manage.delete(`${MEMBERS}/${data[1].id}`)
    expect(await manage.get(`${MEMBERS}/${data[1].id}`)).toAnswer(404)
    expect(await manage.get(`${MEMBERS}/${data[2].id}`)).toAnswer(200)
  })

  it('has a member’s teams once each, and refuses unknown ones without a change', async () => {
    const { body } = await manage.post(MEMBERS, { ...member, team_role_bindings: bound(first, first) })
    expect(body.team_role_bindings).toEqual(bound(first))
    const change = { name: 'Grace', team_role_bindings: bound(NOBODY) }
    expect(await manage.patch(`${MEMBERS}/${body.id}`, change)).toAnswer(404)
    expect(await manage.read(`${MEMBERS}/${body.id}`)).toEqual(body)
  })
})

describe('EHR pipelines', () => {
  const EHR = '/team_ehr_pipelines/sandbox/us'
  const key = { type: 'api_key', api_key: 'secret' }
  const pipeline = { ehr_type: 'fhir', base_url: 'https://ehr.example', authentication: key }
  const google = {
    type: 'google_iam',
    service_account_email: 'a@example.com',
    audience: 'https://healthcare.googleapis.com/',
  }

  it('authenticate in three ways, of which each needs its own fields', async () => {
    const client = {
      type: 'client_credentials',
      client_id: 'a',
      client_secret: 'b',
      token_url: 'https://x.example',
    }
    const masked: [Record<string, string>, object][] = [
      [key, { ...key, api_key: '**********' }],
      [google, google],
      [client, { ...client, client_secret: '**********' }],
    ]
    for (const [authentication, shown] of masked) {
      const [stored] = (await manage.post(EHR, { ...pipeline, authentication })).body
      expect(stored.authentication).toEqual(shown)
      for (const name of Object.keys(authentication)) {
        const { [name]: _, ...rest } = authentication
        expect(await manage.post(EHR, { ...pipeline, authentication: rest }), name).toAnswer(422)
      }
    }
    const other = { ...google, audience: 'https://example.com/' }
    expect(await manage.post(EHR, { ...pipeline, authentication: other })).toAnswer(422)
  })

  it('are set for all teams unless some are named, and listed and deleted likewise', async () => {
    const second = await newTeam('Second')
    const listed = async (query = '') =>
      (await manage.read(`${EHR}${query}`)).data.map(
        ({ team_id, ehr_type, type }: Record<string, string>) => `${team_id} ${ehr_type} ${type}`,
      )
    await manage.post(EHR, { ...pipeline, team_ids: [] })
    await manage.post(EHR, { ...pipeline, ehr_type: 'hint_health', team_ids: [second, second] })
    expect(await listed()).toEqual([
      `${first} fhir native`,
      `${second} fhir native`,
      `${second} hint_health ehr_linked`,
    ])
    expect(await listed(`?team_id=${second}`)).toHaveLength(2)
    expect(await listed(`?team_id=${NOBODY}`)).toEqual([])
    const answered = (await manage.post(EHR, { ...pipeline, team_ids: [second] })).body
    expect(answered).toMatchObject([{ team_id: second, ehr_type: 'fhir' }])
    await manage.delete(`${EHR}?ehr_type=fhir&team_id=${second}`)
    expect(await listed()).toEqual([`${first} fhir native`, `${second} hint_health ehr_linked`])
    await manage.delete(`${EHR}?ehr_type=hint_health`)
    expect(await listed()).toEqual([`${first} fhir native`])
    expect(await manage.delete(`${EHR}?ehr_type=epic`)).toAnswer(422)
  })

  it('are in pages of a hundred', { tags: 'slow' }, async () => {
    for (let n = 0; n < 51; n++) await newTeam(`Team ${n}`)
    for (const ehr_type of ['fhir', 'hint_health']) await manage.post(EHR, { ...pipeline, ehr_type })
    const { data, next_token } = await manage.read(EHR)
    expect(data).toHaveLength(100)
    const rest = await manage.read(`${EHR}?next_cursor=${next_token}`)
    expect(rest.data).toHaveLength(4)
    const seen = [...data, ...rest.data].map(({ team_id, ehr_type }) => `${team_id}/${ehr_type}`)
    expect(new Set(seen).size).toBe(104)
  })
})

describe('ETL pipelines', () => {
  const ETL = '/team_etl_pipelines/sandbox/us'
  const set = async (body: object) => manage.post(ETL, body)
  const settled = async (body: object) => (await set(body)).body[0]

  it('have webhooks alone at first, and nothing else', async () => {
    expect(await settled({})).toEqual({
      team_id: first,
      push_historical_data: false,
      provider_raw_data: false,
      preferences: { preferred: 'svix', enabled: ['svix'] },
      cloud_pubsub: null,
      rabbitmq: null,
      svix: null,
      azure_amqp: null,
      event_type_prefixes: null,
    })
  })

  it('keep what is left out or null', async () => {
    const full = await settled({
      push_historical_data: true,
      provider_raw_data: true,
      rabbitmq: { uri: 'amqp://mq.example', exchange: 'e' },
      cloud_pubsub: { project: 'p', topic: 't', message_ordering: true },
      svix: {},
      preferences: { preferred: 'rabbitmq', enabled: ['rabbitmq', 'cloud_pubsub'] },
      event_type_prefixes: ['daily.', 'labtest.'],
    })
    expect(full).toMatchObject({
      push_historical_data: true,
      provider_raw_data: true,
      svix: { regional: true },
      event_type_prefixes: ['daily.', 'labtest.'],
    })
    for (const nothing of [
      {},
      { push_historical_data: null, provider_raw_data: null, rabbitmq: null, preferences: null },
    ])
      expect(await settled(nothing)).toEqual(full)
    expect(
      await settled({ push_historical_data: false, provider_raw_data: false, event_type_prefixes: [] }),
    ).toEqual({
      ...full,
      push_historical_data: false,
      provider_raw_data: false,
      event_type_prefixes: null,
    })
  })

  it('say which destinations are not configured, and none that is', async () => {
    const preferences = { preferred: 'svix', enabled: ['svix', 'azure_amqp', 'rabbitmq'] }
    expect(await set({ preferences })).toRefuse(
      400,
      'These destinations are enabled and not configured: azure_amqp, rabbitmq',
    )
    const rabbitmq = { uri: 'amqp://mq.example', exchange: 'e' }
    expect((await set({ preferences, rabbitmq })).body.detail).toContain('configured: azure_amqp')
    expect(await set({ preferences: { preferred: 'svix', enabled: [] } })).toRefuse(
      400,
      expect.stringContaining('svix is not enabled'),
    )
  })

  it.each([
    ['cloud_pubsub', { project: 'p', topic: 't', message_ordering: true }, ['project', 'topic']],
    ['rabbitmq', { uri: 'amqps://mq.example', exchange: 'e' }, ['uri']],
    [
      'azure_amqp',
      { connection_string: 'c', default_event_hub: 'h' },
      ['connection_string', 'default_event_hub'],
    ],
  ] as [string, Record<string, unknown>, string[]][])(
    'need all that %s is configured by',
    async (kind, destination, filled) => {
      expect((await set({ [kind]: destination })).body[0][kind]).toMatchObject(destination)
      for (const name of Object.keys(destination)) {
        const { [name]: _, ...rest } = destination
        expect(await set({ [kind]: rest }), name).toAnswer(422)
      }
      for (const name of filled) expect(await set({ [kind]: { ...destination, [name]: '' } })).toAnswer(422)
    },
  )

  it('match events to hubs of Azure, without their secrets', async () => {
    const blob_storage = {
      connection_string: 'AccountKey=one;Other=2',
      container_name: 'c',
    }
    const azure_amqp = {
      connection_string: 'sharedaccesssignature=two;x=1',
      default_event_hub: 'h',
      event_hub_matchers: [
        { event_type_prefix: 'daily.', event_hub: 'd', blob_storage },
        { event_type_regex: '.*' },
      ],
      compression: 'always',
    }
    expect((await settled({ azure_amqp })).azure_amqp).toEqual({
      ...azure_amqp,
      connection_string: 'sharedaccesssignature=**********;x=1',
      event_hub_matchers: [
        {
          event_type_prefix: 'daily.',
          event_hub: 'd',
          blob_storage: { connection_string: 'AccountKey=**********;Other=2', container_name: 'c' },
        },
        { event_type_regex: '.*' },
      ],
    })
    for (const wrong of [
      { compression: 'never' },
      { event_hub_matchers: [{ blob_storage: { connection_string: 'x' } }] },
      { event_hub_matchers: [{ blob_storage: { connection_string: '', container_name: 'c' } }] },
      { event_hub_matchers: [{ event_hub: 1 }] },
    ])
      expect(await set({ azure_amqp: { ...azure_amqp, ...wrong } })).toAnswer(422)
  })

  it.each(['amqp://u:p@mq.example', 'http://mq.example', 'amqps://', 'amqp://a b', 'xamqp://mq.example'])(
    'take a URI of RabbitMQ: %s',
    async (uri) => {
      const isOne = uri === 'amqp://u:p@mq.example'
      const { status, body } = await set({ rabbitmq: { uri, exchange: '' } })
      expect(status).toBe(isOne ? 200 : 422)
      if (isOne) expect(body[0].rabbitmq.uri).toBe('amqp://u:**********@mq.example')
    },
  )

  it('are of all teams unless some are named', async () => {
    const second = await newTeam('Second')
    const teamsIn = (pipelines: { team_id: string }[]) => pipelines.map(field('team_id'))
    expect(teamsIn((await set({ team_ids: [second] })).body)).toEqual([second])
    expect(teamsIn((await set({})).body)).toEqual([first, second])
    expect(teamsIn((await manage.read(`${ETL}?team_id=${second}`)).pipelines)).toEqual([second])
    expect(teamsIn((await manage.delete(`${ETL}?team_id=${second}`)).body)).toEqual([second])
    expect(teamsIn((await manage.read(ETL)).pipelines)).toEqual([first])
    expect(await set({ event_type_prefixes: [''] })).toAnswer(422)
  })

  it('turn the feature of the world on and off, and no other', async () => {
    await setFeatures(petri, { abn: true })
    await set({ push_historical_data: true })
    expect((await petri.read('/_petri/world')).features).toMatchObject({
      push_historical_data: true,
      abn: true,
    })
    await manage.delete(ETL)
    expect((await settled({})).push_historical_data).toBe(true)
  })
})

describe('API keys of teams', () => {
  const KEYS = '/team_api_keys/sandbox/us'

  it('of production begin with pk and need a team of production', async () => {
    await setFeatures(petri, { parity: 'production' })
    const { body } = await manage.post('/team_api_keys/production/us', { label: 'CI', team_id: first })
    expect(body.value).toMatch(/^pk_us_\w{32}$/)
    expect((await manage.read(KEYS)).api_keys).toEqual([])
  })

  it('are deleted one by one, and the others stay', async () => {
    const make = async (label: string) => (await manage.post(KEYS, { label, team_id: first })).body
    const [one, two] = [await make('One'), await make('Two')]
    const { body } = await manage.delete(`${KEYS}?api_key_id=${one.id}&api_key_id=${one.id}`)
    expect(body).toEqual({ success: [one.id], failure: [], not_found: [] })
    const { api_keys } = await manage.read(`${KEYS}?team_id=${first}`)
    expect(api_keys.map(field('label'))).toEqual(['Petri', 'Two'])
    expect(api_keys[1]).toEqual(two)
    await advance(petri, '1h')
    expect((await make('Three')).created_at).toBe('2026-01-05T10:00:00+00:00')
    expect(await manage.post(KEYS, { team_id: first })).toAnswer(422)
    expect(await manage.post(KEYS, { label: 'x' })).toAnswer(422)
  })
})

describe('a management key', () => {
  it('from the settings is as old as the first world', async () => {
    await advance(petri, '1h')
    const [key] = (await manage.read('/management_key')).data
    expect(key).toEqual({
      id: expect.any(String),
      label: 'Petri',
      created_at: '2026-01-05T09:00:00+00:00',
      creator: { type: 'vital_staff' },
      role: 'org_admin',
      team_role_bindings: null,
    })
  })
})

describe('members', () => {
  it('say what an invite cannot do', async () => {
    const invite = (more: object) => manage.post('/invite', { email: 'ada@example.com', ...more })
    await invite({})
    expect((await invite({ role: 'no_role' })).body.detail).toContain(
      'ada@example.com has an invite to another role',
    )
    expect(
      (await invite({ email: 'x@example.com', role: 'no_role', team_role_bindings: bound(first) })).body
        .detail,
    ).toBe('The role no_role cannot be bound to teams.')
    expect((await manage.delete(`/invite/${NOBODY}`)).body.detail).toBe('Invite not found')
    expect(
      (await manage.patch(`/member/${NOBODY}`, { role: null, team_role_bindings: null })).body.detail,
    ).toBe('Member not found')
    expect(await manage.patch(`/member/${NOBODY}`, { role: null })).toAnswer(422)
    expect(await manage.patch(`/member/${NOBODY}`, { team_role_bindings: null })).toAnswer(422)
  })

  it('have a name if they are given one', async () => {
    await manage.post('/invite', { email: 'ada@example.com' })
    const [{ id }] = (await manage.read('/invite')).invites
    const accept = (name: string | null) => petri.post(`/_petri/organisation/invites/${id}/accept`, { name })
    expect(await accept('')).toAnswer(422)
    await advance(petri, '1h')
    expect((await accept(null)).body).toMatchObject({
      name: 'ada',
      role: 'org_admin',
      created_on: '2026-01-05T10:00:00+00:00',
    })
  })

  it('lose their expired invites when another is made', async () => {
    await manage.post('/invite', { email: 'ada@example.com' })
    await advance(petri, '7d')
    await manage.post('/invite', { email: 'grace@example.com' })
    const state = await petri.read('/_petri/state')
    const rows = Object.values(state.organisation.organisation_invites ?? {})
    expect(rows).toMatchObject([{ email: 'grace@example.com' }])
  })
})

describe('a team', () => {
  it('has the settings that are given when it is made, and defaults for the others', async () => {
    const plain = (await manage.post('/team', { name: 'Plain', region: 'us' })).body
    expect(plain.sandbox).toEqual({
      lab_tests_patient_sms_communication_enabled: true,
      lab_tests_patient_email_communication_enabled: true,
      critical_result_notification_email: null,
      brand_information: null,
      logo_url: null,
      reject_duplicate_connection: false,
      sdk_per_device_activity_timeseries: false,
      partial_webhooks_enabled: false,
      minor_ordering_enabled: false,
    })
    const settings = {
      lab_tests_patient_sms_communication_enabled: false,
      lab_tests_patient_email_communication_enabled: false,
      critical_result_notification_email: 'lab@clinic.example',
      logo_url: 'https://clinic.example/logo.png',
      reject_duplicate_connection: true,
      sdk_per_device_activity_timeseries: true,
      partial_webhooks_enabled: true,
      minor_ordering_enabled: true,
    }
    const brand_information = { company_name: 'Clinic' }
    const full = (await manage.post('/team', { name: 'Full', region: 'us', ...settings, brand_information }))
      .body
    expect(full.sandbox).toMatchObject(settings)
    expect(full.sandbox.brand_information).toEqual({
      company_name: 'Clinic',
      company_website: '',
      support_email: 'help@petri.example',
      support_contact: '',
      company_address: '',
      brand_color: '',
    })
    for (const [name, value] of Object.entries({
      critical_result_notification_email: 'lab',
      logo_url: 'logo',
      brand_information: {},
      reject_duplicate_connection: 'perhaps',
      region: 'mars',
      name: '<b>',
      integration_team_id: 'a'.repeat(257),
    }))
      expect(await manage.post('/team', { name: 'X', region: 'us', [name]: value }), name).toAnswer(422)
  })

  it('may have a brand in full, of which each field is changed', async () => {
    const brand = {
      company_name: 'Clinic',
      company_website: 'https://clinic.example',
      support_email: 'help@clinic.example',
      support_contact: '+16025550123',
      company_address: '1 Test Street',
      brand_color: '#00f',
    }
    const id = await newTeam('Branded', { brand_information: brand })
    const change = async (brand_information: object) =>
      (await manage.patch(`/team/${id}`, { sandbox: { brand_information } })).body.sandbox.brand_information
    expect(await change({})).toEqual(brand)
    for (const name of Object.keys(brand)) {
      const value = name === 'support_email' ? 'other@clinic.example' : 'other'
      expect(await change({ [name]: value })).toEqual({ ...brand, [name]: value })
      await change({ [name]: brand[name as keyof typeof brand] })
    }
    const refused = { sandbox: { brand_information: { support_email: 'help' } } }
    expect(await manage.patch(`/team/${id}`, refused)).toAnswer(422)
  })

  it('is known by an id of its own of at most 256 characters', async () => {
    const id = 'a'.repeat(256)
    await manage.patch(`/team/${first}`, { integration_team_id: id })
    expect((await manage.post('/resolve_team', { integration_team_id: id })).body.id).toBe(first)
    expect(await manage.patch(`/team/${first}`, { integration_team_id: `${id}a` })).toAnswer(422)
    expect(await manage.post('/resolve_team', { integration_team_id: `${id}a` })).toAnswer(422)
    expect((await manage.post('/resolve_team', { integration_team_id: 'b' })).body.detail).toBe(
      'Team not found',
    )
  })

  it('is shown with the settings of all environments when it was changed or found', async () => {
    await manage.patch(`/team/${first}`, { integration_team_id: 'clinic' })
    const found = (await manage.post('/resolve_team', { integration_team_id: 'clinic' })).body
    expect(found).toMatchObject({
      environments: ['sandbox'],
      sandbox: { minor_ordering_enabled: false },
      production: null,
    })
    const both = await manage.get(`/team/${first}?include_environment=sandbox&include_environment=production`)
    expect(both.body).toEqual(found)
    expect(await manage.get(`/team/${first}?include_environment=staging`)).toAnswer(422)
    expect(await manage.get('/team?region=mars')).toAnswer(422)
    expect(await manage.get('/team?search_query=%3Cb%3E')).toAnswer(422)
  })
})

describe('scope requirements', () => {
  it('are kept for each provider that has scopes', async () => {
    const path = `/team/${first}/scope_requirements`
    const none = { user_must_grant: [], user_may_grant: [] }
    const providers = [
      'fitbit',
      'google_fit',
      'google_health',
      'oura',
      'strava',
      'withings',
      'wahoo',
      'whoop_v2',
      'my_fitness_pal_v2',
    ]
    await manage.post(path, Object.fromEntries(providers.map((name) => [name, none])))
    const { requirements } = await manage.read(path)
    expect(requirements.map(field('provider')).sort()).toEqual(providers.sort())
    for (const name of providers) {
      const wrong = { [name]: { user_must_grant: ['no-such-scope'], user_may_grant: [] } }
      expect(await manage.post(path, wrong), name).toAnswer(422)
      expect(await manage.post(path, { [name]: { user_may_grant: [] } }), name).toAnswer(422)
    }
    expect((await manage.read(`${path}?provider=strava`)).requirements).toMatchObject([
      { provider: 'strava' },
    ])
    expect((await manage.read(`${path}?provider=garmin`)).requirements).toEqual([])
    expect(await manage.get(`${path}?provider=nobody`)).toAnswer(422)
  })
})

describe('webhooks', () => {
  const HOOK = 'http://receiver.test/hook'
  const base = () => `/team/${first}/sandbox/webhook`

  it('have fifty to a page, or as many as are asked for', { tags: 'slow' }, async () => {
    for (let n = 0; n < 51; n++) await manage.post(base(), { url: HOOK, description: `${n}` })
    const { data, next_cursor } = await manage.read(base())
    expect(data).toHaveLength(50)
    expect((await manage.read(`${base()}?next_cursor=${next_cursor}`)).data).toMatchObject([
      { description: '50' },
    ])
    expect(await manage.read(`${base()}?limit=51`)).toMatchObject({ next_cursor: null })
    const statuses: Record<number, number> = { 0: 422, 1: 200, 250: 200, 251: 422 }
    for (const [limit, status] of Object.entries(statuses))
      expect(await manage.get(`${base()}?limit=${limit}`), limit).toAnswer(status)
  })

  it('have limits and filters that are checked, when made and when changed', async () => {
    const { id } = (await manage.post(base(), { url: HOOK, rate_limit: 1, disabled: true, description: 'x' }))
      .body
    const path = `${base()}/${id}`
    expect(await manage.read(path)).toMatchObject({ rate_limit: 1, disabled: true, description: 'x' })
    expect(await manage.post(base(), { url: HOOK, rate_limit: 0 })).toAnswer(422)
    for (const wrong of [
      { rate_limit: 0 },
      { filter_types: [] },
      { filter_types: ['a.b'] },
      { url: 'ftp://x' },
    ])
      expect(await manage.patch(path, wrong)).toAnswer(422)
    const unknown = await manage.patch(path, { filter_types: ['a.b'] })
    expect(unknown.body.detail[0].loc).toEqual(['body', 'filter_types'])
    expect(await manage.read(path)).toMatchObject({ rate_limit: 1, disabled: true, filter_types: null })
    expect(
      (await manage.patch(path, { description: null, rate_limit: null, disabled: null })).body,
    ).toMatchObject({
      rate_limit: null,
      disabled: true,
    })
    expect(await manage.put(`${path}/headers`, {})).toAnswer(422)
    expect(await manage.post(`${path}/secret/rotate`, { key: 'short' })).toAnswer(422)
  })

  it.each([
    ['authorization', true],
    ['proxy-authorization', true],
    ['www-authenticate', true],
    ['proxy-authenticate', true],
    ['x-cookie-jar', true],
    ['x-token', true],
    ['my-secret', true],
    ['password', true],
    ['apikey', true],
    ['x-api-key-2', true],
    ['x-authorization', false],
    ['authorization-id', false],
    ['x-www-authenticate', false],
    ['authenticate', false],
    ['x-tenant', false],
  ])('hide the header %s: %s', async (name, isHidden) => {
    const { id } = (await manage.post(base(), { url: HOOK })).body
    await manage.put(`${base()}/${id}/headers`, { headers: { [name]: 'value' } })
    expect(await manage.read(`${base()}/${id}/headers`)).toEqual({
      headers: isHidden ? {} : { [name]: 'value' },
      sensitive: isHidden ? [name] : [],
    })
  })

  it('are counted by interval, the latest 24, at its end', async () => {
    const { petri: other } = await startHeardPetri((_, nth) => (nth === 2 ? 500 : 200), {
      world: { webhookUrl: null },
    })
    const world = other.world()
    const own = managing(other)
    const path = `/team/${teamIdOf(other)}/sandbox`
    await own.post(`${path}/webhook`, { url: HOOK })
    const emit = async () => {
      world.emit('labtest.order.updated', { userId: NOBODY, clientUserId: 'ada' }, { id: NOBODY })
      await world.agenda.settled()
    }
    await emit()
    await emit()
    await advance(other, '10m')
    await emit()
    const metric = async (interval: string) => {
      const { data } = await own.read(`${path}/event_delivery_metric${interval}`)
      return data.result.map(
        ({ metric: { status }, values }: { metric: { status: string }; values: [number, string][] }) => ({
          status,
          values,
          counts: values.filter(([, count]) => count !== '0'),
        }),
      )
    }
    const nine = Date.parse('2026-01-05T09:00:00Z') / 1000
    const [success, failure] = await metric('?interval=5m')
    expect([success.status, failure.status]).toEqual(['success', 'failure'])
    expect(success.values).toHaveLength(24)
    expect(success.values[0]).toEqual([nine + 600 - 23 * 300, '0'])
    expect(success.values.at(-1)[0]).toBe(nine + 600)
    expect([...success.counts, ...failure.counts].reduce((sum, [, count]) => sum + Number(count), 0)).toBe(4)
    expect(failure.counts).toEqual([[nine, '1']])
    const intervals: Record<string, number> = { '15m': 900, '1h': 3600, '1d': 86_400 }
    for (const [interval, seconds] of Object.entries(intervals)) {
      const [{ values }] = await metric(`?interval=${interval}`)
      expect(values[1][0] - values[0][0]).toBe(seconds)
      expect(values.at(-1)[0]).toBe(Math.ceil((nine + 600) / seconds) * seconds)
    }
    expect(await metric('')).toEqual(await metric('?interval=1h'))
    const { status, data } = await own.read(`${path}/event_delivery_metric`)
    expect([status, data.resultType]).toEqual(['success', 'matrix'])
    expect(await own.get(`${path}/event_delivery_metric?interval=2h`)).toAnswer(422)
  })
})
