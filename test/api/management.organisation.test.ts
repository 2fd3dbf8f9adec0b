import { describe, expect, it } from 'vitest'
import { dataFolder } from '../support/keeping-folder.ts'
import { browse } from '../support/link.ts'
import { managing, secondTeam, teamIdOf } from '../support/management.ts'
import { advance, createUser } from '../support/orders.ts'
import { forEachTest, NOBODY, startTestPetri } from '../support/petri.ts'

const petri = forEachTest(startTestPetri)
const manage = managing(petri)

const CONTROL = '/_petri/organisation'
const DAY = 24 * 60

/** A second team, and a key of the role `team_admin` that is bound to the first. */
async function withTeams() {
  const first = teamIdOf(petri)
  const second: string = await secondTeam(manage)
  const bound = { label: 'CI', role: 'team_admin', team_role_bindings: [{ team_id: first }] }
  const { key } = (await manage.post('/management_key', bound)).body
  return { first, second, ofTeam: managing(petri, key) }
}

describe('invites', () => {
  const invites = async () => (await manage.read('/invite')).invites

  it('are made, sent once more, and taken back', async () => {
    const ada = { email: 'ada@example.com' }
    expect((await manage.post('/invite', ada)).body).toEqual({ status: 'invite_created' })
    await advance(petri, '1h')
    expect((await manage.post('/invite', { email: 'Ada@example.com' })).body).toEqual({
      status: 'invite_resent',
    })
    const [invite] = await invites()
    expect(invite).toEqual({
      id: expect.any(String),
      email: 'ada@example.com',
      invited_at: '2026-01-05T09:00:00+00:00',
      resent_at: '2026-01-05T10:00:00+00:00',
      creator: { type: 'management_key' },
      role: 'org_admin',
      team_role_bindings: null,
    })
    expect((await manage.delete(`/invite/${invite.id}`)).body).toBeNull()
    expect(await invites()).toEqual([])
    expect(await manage.delete(`/invite/${invite.id}`)).toAnswer(404)
  })

  it('expire after a week of the first world’s clock, counted from when they were sent last', async () => {
    await manage.post('/invite', { email: 'ada@example.com' })
    await advance(petri, `${6 * DAY}m`)
    await manage.post('/invite', { email: 'ada@example.com' })
    await advance(petri, `${7 * DAY - 1}m`)
    const [{ id }] = await invites()
    await advance(petri, '1m')
    expect(await invites()).toEqual([])
    expect(await petri.post(`${CONTROL}/invites/${id}/accept`)).toAnswer(404)
    expect((await manage.post('/invite', { email: 'ada@example.com' })).body.status).toBe('invite_created')
    expect(await invites()).toHaveLength(1)
  })

  it('that are accepted make members, until these are removed', async () => {
    const { first } = await withTeams()
    const email = 'ada@example.com'
    const team_role_bindings = [{ team_id: first }]
    await manage.post('/invite', { email, role: 'team_admin', team_role_bindings })
    const [{ id }] = await invites()
    const accepted = await petri.post(`${CONTROL}/invites/${id}/accept`, { name: 'Ada' })
    const member = { name: 'Ada', email, role: 'team_admin', team_role_bindings }
    expect(accepted).toAnswer(200, member)
    const path = `/member/${accepted.body.id}`
    await manage.delete(path)
    expect((await manage.read('/member')).members).toEqual([])
    expect(await manage.delete(path)).toAnswer(404)
  })

  it.each([
    ['no address', { email: 'ada' }, 422],
    ['an unknown role', { email: 'ada@example.com', role: 'owner' }, 422],
    [
      'a team that is not there',
      { email: 'ada@example.com', role: 'team_admin', team_role_bindings: [{ team_id: NOBODY }] },
      404,
    ],
  ])('are refused with %s', async (_, body, status) => {
    expect(await manage.post('/invite', body)).toMatchObject({
      status,
      body: { detail: expect.anything() },
    })
    expect(await invites()).toEqual([])
  })

  it('and members are shown to a team’s key only if they are bound to the team', async () => {
    const { first, second, ofTeam } = await withTeams()
    const teams = { one: [first], both: [first, second], other: [second] }
    for (const [name, ids] of Object.entries(teams)) {
      const team_role_bindings = ids.map((team_id) => ({ team_id }))
      await manage.post('/invite', { email: `${name}@example.com`, role: 'team_admin', team_role_bindings })
    }
    await manage.post('/invite', { email: 'admin@example.com' })
    const mine = [{ team_id: first }]
    expect((await ofTeam.read('/invite')).invites).toMatchObject([
      { email: 'one@example.com', team_role_bindings: mine },
      { email: 'both@example.com', team_role_bindings: mine },
    ])
    for (const { id } of await invites()) await petri.post(`${CONTROL}/invites/${id}/accept`)
    expect((await ofTeam.read('/member')).members).toMatchObject([
      { name: 'one', team_role_bindings: mine },
      { name: 'both', team_role_bindings: mine },
    ])
    expect((await manage.read('/member')).members).toHaveLength(4)
  })
})

describe('domains', () => {
  it('are verified once their record is published', async () => {
    const { status, body } = await manage.post('/domain', { domain: 'Example.com' })
    expect(status).toBe(201)
    expect(body).toEqual({
      domain: 'example.com',
      is_verified: false,
      created_on: '2026-01-05T09:00:00+00:00',
      dns_records: [
        {
          type: 'TXT',
          host: '_petri.example.com',
          data: expect.stringMatching(/^petri-domain-verification=\w{32}$/),
        },
      ],
      id: expect.any(String),
    })
    const path = `/domain/${body.id}`
    const instructions = await manage.post(`${path}/send_domain_instructions`, { to_email: 'it@example.com' })
    expect(instructions.body).toMatchObject({ sent: true })
    expect((await manage.post(`${path}/verify`)).body).toEqual({ status: 'pending' })
    expect(await petri.post(`${CONTROL}/domains/${body.id}/publish`)).toAnswer(200)
    expect((await manage.read(path)).is_verified).toBe(false)
    expect((await manage.post(`${path}/verify`)).body).toEqual({ status: 'verified' })
    expect((await manage.read('/domain')).data).toEqual([{ ...body, is_verified: true }])
    expect((await manage.delete(path)).body).toBeNull()
    for (const answer of [await manage.get(path), await manage.delete(path)])
      expect(answer).toRefuse(404, 'Domain not found')
  })

  it('can be published by callers who may create worlds', async () => {
    const petri = await startTestPetri({ controlToken: 'token', managementKey: 'mg_petri' })
    const { id } = (await managing(petri).post('/domain', { domain: 'example.com' })).body
    const path = `${CONTROL}/domains/${id}/publish`
    expect(await petri.post(path)).toAnswer(401)
    expect(await petri.post(path, undefined, { authorization: 'Bearer token' })).toAnswer(200)
  })
})

describe('the EHR integration', () => {
  const MEMBERS = '/ehr_integration/member'
  const CONFIG = '/ehr_integration/configuration'
  const URLS = '/ehr_integration/create_dashboard_url'
  const origin = 'https://ehr.example'
  const config = {
    slug: 'my-ehr',
    modalities: ['feature_embed', 'link_out'],
    origin_configs: [{ origin, session_continuation_url: `${origin}/continue?a=1` }],
  }

  async function integrated(change: object = {}) {
    const teams = await withTeams()
    const { first } = teams
    await manage.put(CONFIG, { ...config, ...change })
    await manage.patch(`/team/${first}`, { integration_team_id: 'clinic_1' })
    const { body: member } = await manage.post(MEMBERS, {
      integration_member_id: 'user_1',
      name: 'Ada <b>',
      email: 'ada@example.com',
      team_role_bindings: [{ team_id: first }],
    })
    const wanted = {
      integration_member_id: 'user_1',
      integration_team_id: 'clinic_1',
      feature: 'order_creation',
      modality: 'feature_embed',
      environment: 'sandbox',
    }
    return { ...teams, member, wanted }
  }

  it('is configured once for the organisation', async () => {
    expect(await manage.get(CONFIG)).toAnswer(404)
    expect((await manage.put(CONFIG, config)).body).toEqual(config)
    expect(await manage.read(CONFIG)).toEqual(config)
    expect(await manage.put(CONFIG, { ...config, slug: 'taken' })).toRefuse(409, 'The slug taken is taken.')
    for (const [field, value] of [
      ['slug', 'My EHR'],
      ['modalities', ['frame']],
      ['origin_configs', [{ origin: "https://a.example 'self'" }]],
      ['origin_configs', [{ origin, session_continuation_url: 'javascript:alert(1)' }]],
    ] as const)
      expect(await manage.put(CONFIG, { ...config, [field]: value }), String(value)).toAnswer(422)
    expect(await manage.read(CONFIG)).toEqual(config)
  })

  it('knows members by the ids of both sides', async () => {
    const { first, second, member, ofTeam } = await integrated()
    expect(member).toEqual({
      id: expect.any(String),
      integration_member_id: 'user_1',
      name: 'Ada <b>',
      email: 'ada@example.com',
      avatar: null,
      team_role_bindings: [{ team_id: first }],
    })
    const path = `${MEMBERS}/${member.id}`
    const resolve = (integration_member_id: string) =>
      manage.post('/ehr_integration/resolve_member', { integration_member_id })
    expect(await resolve('user_2')).toAnswer(404)
    const again = { integration_member_id: 'user_1', name: 'Eve', email: 'eve@example.com' }
    expect(await manage.post(MEMBERS, again)).toAnswer(409, { member_id: member.id })
    const changed = await manage.patch(path, { name: 'Ada', team_role_bindings: [{ team_id: second }] })
    expect(changed.body).toEqual({ ...member, name: 'Ada', team_role_bindings: [{ team_id: second }] })
    expect(await ofTeam.read(MEMBERS)).toEqual({ data: [], next_cursor: null })
    expect(await ofTeam.get(path)).toAnswer(404)
    expect((await manage.read(MEMBERS)).data).toEqual([changed.body])
    expect((await manage.delete(path)).body).toBeNull()
  })

  it('makes URLs of a page that may be shown in the application’s frames, for five minutes', async () => {
    const { wanted } = await integrated()
    const userId = await createUser(petri, 'patient')
    const { body } = await manage.post(URLS, { ...wanted, feature: `order_creation:${userId}` })
    expect(body).toMatchObject({ expires_in: 300 })
    const { pathname, search } = new URL(body.url)
    const response = await petri.petri.app.request(`${pathname}${search}`)
    expect(response).toAnswer(200)
    expect(response.headers.get('content-security-policy')).toContain(`frame-ancestors ${origin}`)
    expect(response.headers.get('x-frame-options')).toBeNull()
    const text = await response.text()
    expect(text).toContain('Ada &lt;b&gt; (ada@example.com) is signed in')
    expect(text).not.toContain('<script')
    await advance(petri, '5m')
    const { status, location } = await browse(petri, body.url)
    expect(status).toBe(307)
    expect(location?.origin).toBe(origin)
    expect(Object.fromEntries(location?.searchParams ?? [])).toEqual({
      a: '1',
      integration_member_id: 'user_1',
      team_id: teamIdOf(petri),
      modality: 'feature_embed',
      feature: `order_creation:${userId}`,
      environment: 'sandbox',
    })
  })

  it('makes URLs that are shown in no frame where they are linked to', async () => {
    const { wanted } = await integrated({ origin_configs: [{ origin }] })
    const { body } = await manage.post(URLS, { ...wanted, modality: 'link_out' })
    const { pathname, search } = new URL(body.url)
    const response = await petri.petri.app.request(`${pathname}${search}`)
    expect(response.headers.get('x-frame-options')).toBe('DENY')
    expect(response.headers.get('content-security-policy')).not.toContain(origin)
  })

  it('refuses a removed member, and never shows the token elsewhere', async () => {
    const { wanted, member } = await integrated()
    const { body } = await manage.post(URLS, wanted)
    const token = new URL(body.url).searchParams.get('token') ?? ''
    for (const path of ['/_petri/requests', '/_petri/state'])
      expect(JSON.stringify(await petri.read(path))).not.toContain(token)
    await manage.delete(`${MEMBERS}/${member.id}`)
    expect(await browse(petri, body.url)).toAnswer(403)
  })

  it.each([
    ['a member who is not there', { integration_member_id: 'user_2' }, 404],
    ['a team that is not there', { integration_team_id: 'clinic_2' }, 404],
    ['a patient who is not there', { feature: `order_creation:${NOBODY}` }, 404],
    ['another environment', { environment: 'production' }, 404],
    ['a modality that is none', { modality: 'frame' }, 422],
  ])('refuses a URL for %s', async (_, change, status) => {
    const { wanted } = await integrated()
    expect(await manage.post(URLS, { ...wanted, ...change })).toAnswer(status)
  })

  it('refuses a URL for a team the member has no role in, or the key does not manage', async () => {
    const { second, wanted, ofTeam, first } = await integrated()
    const other = { ...wanted, integration_team_id: null, team_id: second }
    expect(await manage.post(URLS, other)).toAnswer(403)
    expect(await ofTeam.post(URLS, other)).toAnswer(404)
    expect(await ofTeam.post(URLS, { ...other, team_id: first })).toAnswer(200)
  })
})

it('what belongs to the organisation is in the state of its teams, and there after a restart', {
  tags: 'slow',
}, async () => {
  const { start } = dataFolder()
  const before = await start()
  const manage = managing(before)
  const second = await secondTeam(manage)
  await manage.post('/domain', { domain: 'example.com' })
  await manage.post('/invite', { email: 'ada@example.com' })
  for (const [at, ids] of [[second], [teamIdOf(before), second]].entries()) {
    await manage.post('/ehr_integration/member', {
      integration_member_id: `user_${at}`,
      name: 'Ada',
      email: 'ada@example.com',
      team_role_bindings: ids.map((team_id) => ({ team_id })),
    })
  }
  await before.close()
  const after = await start()
  expect((await managing(after).get('/domain')).body.data).toMatchObject([{ domain: 'example.com' }])
  expect((await managing(after).get('/invite')).body.invites).toHaveLength(1)
  const state = await after.read('/_petri/state')
  const rows = (table: string) => Object.values(state.organisation[table])
  expect(rows('organisation_domains')).toMatchObject([{ domain: 'example.com', token: '[redacted]' }])
  expect(rows('organisation_invites')).toMatchObject([{ email: 'ada@example.com' }])
  expect(rows('ehr_integration_members')).toMatchObject([
    { integration_member_id: 'user_1', team_ids: [teamIdOf(after)] },
  ])
  expect(await after.put('/_petri/state', state)).toAnswer(200)
  expect((await managing(after).get('/ehr_integration/member')).body.data).toHaveLength(2)
  await after.close()
})
