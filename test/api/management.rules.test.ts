import { beforeEach, describe, expect, it } from 'vitest'
import { field } from '../support/field.ts'
import { browse } from '../support/link.ts'
import { managing, secondTeam, teamIdOf } from '../support/management.ts'
import { advance, setFeatures } from '../support/orders.ts'
import { forEachTest, NOBODY, startTestPetri } from '../support/petri.ts'

// Each rule at its boundary, and where it must not fire. Other tests make the rules fire: management.organisation, .teams and .keys.

const petri = forEachTest(startTestPetri)
let manage: ReturnType<typeof managing>
let first: string
let second: string
beforeEach(async () => {
  manage = managing(petri)
  first = teamIdOf(petri)
  second = await secondTeam(manage)
})

const bound = (...teamIds: string[]) => teamIds.map((team_id) => ({ team_id }))
const email = 'ada@example.com'
const invite = async (more: object = {}) => {
  const { status, body } = await manage.post('/invite', { email, ...more })
  return status === 200 ? body.status : status
}
const admin = (...teamIds: string[]) => ({ role: 'team_admin', team_role_bindings: bound(...teamIds) })
const openInvites = async (query = '') => (await manage.read(`/invite${query}`)).invites

/** Invites somebody and accepts the invite, under a name where one is given. Returns the member. */
async function join(more: object = {}, name?: string) {
  await invite(more)
  const { id } = (await openInvites()).at(-1)
  return (await petri.post(`/_petri/organisation/invites/${id}/accept`, name && { name })).body
}
const memberNow = async (id: string) =>
  (await manage.read('/member')).members.find((member: { id: string }) => member.id === id)

describe('an invite to an address that has one', () => {
  it('is sent once more for the same role and teams', async () => {
    await invite(admin(first, second))
    expect(await invite(admin(first, second))).toBe('invite_resent')
    for (const same of [admin(first, first, second), admin(second, first)])
      expect(await invite(same)).toBe('invite_resent')
    expect(await openInvites()).toHaveLength(1)
  })

  it('is refused for the same role with other teams, and for another role', async () => {
    await invite(admin(first))
    for (const other of [admin(second), admin(first, second), admin(), { role: 'org_admin' }])
      expect(await invite(other)).toBe(409)
    expect(await openInvites()).toMatchObject([{ ...admin(first), resent_at: null }])
  })

  it('is new for another role once the old one is revoked or has expired', async () => {
    await invite(admin(first))
    await manage.delete(`/invite/${(await openInvites())[0].id}`)
    expect(await invite()).toBe('invite_created')
    await advance(petri, '7d')
    expect(await invite(admin(second))).toBe('invite_created')
    expect(await openInvites()).toMatchObject([admin(second)])
  })

  it('leaves the invites of other addresses alone', async () => {
    await invite(admin(first))
    expect(await invite({ email: 'grace@example.com', role: 'no_role' })).toBe('invite_created')
    expect(await openInvites()).toHaveLength(2)
    const [{ id }] = await openInvites('?search_query=GRACE')
    await manage.delete(`/invite/${id}`)
    expect(await openInvites()).toMatchObject([{ email }])
  })
})

describe('an invite', () => {
  it.each(['org_admin', 'no_role'])('to %s may come with no teams in any form', async (role) => {
    for (const [at, team_role_bindings] of [undefined, null, []].entries())
      expect(await invite({ email: `${at}@example.com`, role, team_role_bindings })).toBe('invite_created')
    expect(await invite({ email: 'teams@example.com', role, team_role_bindings: bound(first) })).toBe(400)
  })

  it('of a member is not sent, whatever the case of the address or the role', async () => {
    await join()
    for (const more of [{}, { email: email.toUpperCase() }, admin(first)])
      expect(await invite(more)).toBe('already_in_org')
    expect(await openInvites()).toEqual([])
  })
})

describe('a change of a member', () => {
  const change = (id: string, role: string | null, team_role_bindings: object[] | null) =>
    manage.patch(`/member/${id}`, { role, team_role_bindings })

  it('without values changes nothing', async () => {
    const member = await join(admin(first))
    expect(await change(member.id, null, null)).toAnswer(200)
    expect(await memberNow(member.id)).toEqual(member)
    await change(member.id, 'team_admin', null)
    expect(await memberNow(member.id)).toEqual(member)
  })

  it('of the teams alone keeps the role', async () => {
    const member = await join(admin(first))
    await change(member.id, null, bound(second))
    expect(await memberNow(member.id)).toEqual({ ...member, team_role_bindings: bound(second) })
    await change(member.id, null, [])
    expect((await memberNow(member.id)).team_role_bindings).toEqual([])
  })

  it('of the role gives up the teams, and a new team admin has none until told', async () => {
    const member = await join(admin(first))
    await change(member.id, 'no_role', null)
    expect(await memberNow(member.id)).toMatchObject({ role: 'no_role', team_role_bindings: null })
    await change(member.id, 'team_admin', null)
    expect(await memberNow(member.id)).toMatchObject({ role: 'team_admin', team_role_bindings: [] })
  })

  it('to teams is refused for a role without teams, and changes nothing', async () => {
    const member = await join()
    for (const role of [null, 'org_admin', 'no_role'])
      expect(await change(member.id, role, bound(first))).toAnswer(400)
    expect(await change(member.id, 'team_admin', bound(NOBODY))).toAnswer(404)
    expect(await memberNow(member.id)).toEqual(member)
  })

  it('and a removal concern that member only', async () => {
    const [ada, grace] = [await join(admin(first)), await join({ email: 'grace@example.com' })]
    await change(ada.id, 'org_admin', null)
    expect(await memberNow(grace.id)).toEqual(grace)
    await manage.delete(`/member/${ada.id}`)
    expect((await manage.read('/member')).members).toEqual([grace])
  })
})

describe('the search for members and invites', () => {
  it('finds names and addresses by any part, and everybody without a query', async () => {
    await join({ email: 'ada@north.example' })
    await join({ email: 'grace@south.example' }, 'Dr Hopper')
    const found = async (query: string) => (await manage.read(`/member${query}`)).members.map(field('name'))
    expect(await found('')).toEqual(['ada', 'Dr Hopper'])
    expect(await found('?search_query=')).toEqual(['ada', 'Dr Hopper'])
    expect(await found('?search_query=SOUTH')).toEqual(['Dr Hopper'])
    expect(await found('?search_query=da')).toEqual(['ada'])
    expect(await found('?search_query=dr%20h')).toEqual(['Dr Hopper'])
    expect(await found('?search_query=nobody')).toEqual([])
    await invite({ email: 'eve@north.example' })
    expect(await openInvites('?search_query=NORTH')).toHaveLength(1)
    expect(await openInvites('?search_query=ada')).toHaveLength(0)
  })
})

describe("a team's own id", () => {
  const named = (id: string, integration_team_id: string | null, more: object = {}) =>
    manage.patch(`/team/${id}`, { integration_team_id, ...more })

  it('may be sent to it again', async () => {
    expect(await named(first, 'clinic')).toAnswer(200)
    expect(await named(first, 'clinic', { name: 'Clinic' })).toAnswer(200, {
      name: 'Clinic',
      integration_team_id: 'clinic',
    })
  })

  it('is kept when it is not sent, given up by null, and free for another team then', async () => {
    await named(first, 'clinic')
    expect((await manage.patch(`/team/${first}`, { name: 'Clinic' })).body.integration_team_id).toBe('clinic')
    expect(await named(second, 'clinic')).toAnswer(409)
    expect((await named(first, null)).body.integration_team_id).toBeNull()
    expect(await named(second, 'clinic')).toAnswer(200)
  })

  it('may be absent from every team', async () => {
    expect(await named(first, null)).toAnswer(200)
    expect(await named(second, null)).toAnswer(200)
    const third = { name: 'Third', region: 'us', integration_team_id: null }
    expect(await manage.post('/team', third)).toAnswer(200)
  })

  it('is found for a key that manages the team, and for no other', async () => {
    await named(first, 'clinic')
    const keyFor = async (team: string) => {
      const made = { label: 'CI', role: 'team_admin', team_role_bindings: bound(team) }
      return managing(petri, (await manage.post('/management_key', made)).body.key)
    }
    const resolve = async (team: string) =>
      (await (await keyFor(team)).post('/resolve_team', { integration_team_id: 'clinic' })).status
    expect([await resolve(first), await resolve(second)]).toEqual([200, 404])
  })
})

describe('the settings of a team', () => {
  const change = async (sandbox: object) => (await manage.patch(`/team/${first}`, { sandbox })).body.sandbox

  it('that are switches are turned on and off, and kept by null and when left out', async () => {
    const switches = [
      'reject_duplicate_connection',
      'partial_webhooks_enabled',
      'minor_ordering_enabled',
      'lab_tests_patient_sms_communication_enabled',
      'lab_tests_patient_email_communication_enabled',
      'sdk_per_device_activity_timeseries',
    ]
    for (const name of switches) {
      for (const value of [true, false]) {
        expect((await change({ [name]: value }))[name], name).toBe(value)
        expect((await change({ [name]: null }))[name], name).toBe(value)
        expect((await change({}))[name], name).toBe(value)
      }
    }
  })

  it('that are texts are kept when left out and emptied by null', async () => {
    for (const [name, value] of [
      ['critical_result_notification_email', 'lab@clinic.example'],
      ['logo_url', 'https://clinic.example/logo.png'],
    ] as const) {
      expect((await change({ [name]: value }))[name]).toBe(value)
      expect((await change({}))[name]).toBe(value)
      expect((await change({ [name]: null }))[name]).toBeNull()
    }
  })

  it('of its brand are changed one by one, and given up together', async () => {
    const brand = async (brand_information: object | null | undefined) =>
      (await change({ brand_information })).brand_information
    expect(await brand({ company_name: 'Clinic' })).toMatchObject({ company_name: 'Clinic', brand_color: '' })
    expect(await brand({ brand_color: '#00f', company_name: null })).toMatchObject({
      company_name: 'Clinic',
      brand_color: '#00f',
    })
    expect(await brand(undefined)).toMatchObject({ company_name: 'Clinic' })
    expect(await brand(null)).toBeNull()
  })

  it('leave the features alone that they do not name', async () => {
    await setFeatures(petri, { abn: true })
    await change({ minor_ordering_enabled: true })
    expect((await petri.read('/_petri/world')).features).toMatchObject({
      abn: true,
      minor_ordering: true,
    })
  })

  it('are refused for an environment it has not, and taken for one it has', async () => {
    expect(await manage.patch(`/team/${first}`, { production: null, sandbox: {} })).toAnswer(200)
    await setFeatures(petri, { parity: 'production' })
    expect(await manage.patch(`/team/${first}`, { sandbox: {} })).toAnswer(404)
    expect(await manage.patch(`/team/${first}`, { production: {} })).toAnswer(200)
  })
})

describe('a management key', () => {
  const make = async (more: object) => (await manage.post('/management_key', { label: 'CI', ...more })).body
  const listed = async (query: string) =>
    (await manage.read(`/management_key${query}`)).data.map(field('label'))

  it('is listed by its role and its teams', async () => {
    await make({ label: 'One', role: 'team_admin', team_role_bindings: bound(first) })
    await make({ label: 'Both', role: 'team_admin', team_role_bindings: bound(first, second) })
    expect(await listed('')).toEqual(['Petri', 'One', 'Both'])
    expect(await listed('?role=org_admin')).toEqual(['Petri'])
    expect(await listed(`?team_id=${first}`)).toEqual(['One', 'Both'])
    expect(await listed(`?team_id=${second}&role=team_admin`)).toEqual(['Both'])
    expect(await listed(`?team_id=${NOBODY}`)).toEqual([])
  })

  it('keeps what a change does not name', async () => {
    const { id } = await make({ role: 'team_admin', team_role_bindings: bound(first) })
    const change = async (body: object) => (await manage.patch(`/management_key/${id}`, body)).body
    expect(await change({ label: 'CD' })).toMatchObject({ label: 'CD', team_role_bindings: bound(first) })
    expect(await change({ team_role_bindings: bound(second) })).toMatchObject({
      label: 'CD',
      team_role_bindings: bound(second),
    })
    expect(await change({})).toMatchObject({ label: 'CD', team_role_bindings: bound(second) })
  })

  it('from the settings can be neither renamed nor removed', async () => {
    const [{ id }] = (await manage.read('/management_key')).data
    for (const answer of [
      await manage.patch(`/management_key/${id}`, { label: 'CD' }),
      await manage.delete(`/management_key/${id}`),
    ])
      expect(answer).toRefuse(400, expect.stringContaining('settings'))
  })

  it('of an org admin may be renamed, and is bound to no teams', async () => {
    const { id, key, ...made } = await make({ role: 'org_admin', team_role_bindings: bound(first) })
    expect(made.team_role_bindings).toBeNull()
    expect((await managing(petri, key).get('/team')).body.teams).toHaveLength(2)
    expect(await manage.patch(`/management_key/${id}`, { label: 'CD' })).toAnswer(200)
    for (const team_role_bindings of [[], bound(first)])
      expect(await manage.patch(`/management_key/${id}`, { team_role_bindings })).toRefuse(
        400,
        expect.stringContaining('org_admin'),
      )
  })
})

describe('a domain', () => {
  it('that was removed may be added again, and is unverified then', async () => {
    const add = async () => (await manage.post('/domain', { domain: 'example.com' })).body
    const { id } = await add()
    await petri.post(`/_petri/organisation/domains/${id}/publish`)
    await manage.post(`/domain/${id}/verify`)
    expect((await manage.post(`/domain/${id}/verify`)).body).toEqual({ status: 'verified' })
    await manage.delete(`/domain/${id}`)
    const again = await add()
    expect(again.is_verified).toBe(false)
    expect((await manage.post(`/domain/${again.id}/verify`)).body).toEqual({ status: 'pending' })
  })

  it('may be part of another, and neither is changed with the other', async () => {
    const [one, other] = await Promise.all(
      ['example.com', 'sub.example.com'].map((domain) => manage.post('/domain', { domain })),
    )
    expect([one?.status, other?.status]).toEqual([201, 201])
    await petri.post(`/_petri/organisation/domains/${one?.body.id}/publish`)
    await manage.post(`/domain/${one?.body.id}/verify`)
    expect((await manage.read(`/domain/${other?.body.id}`)).is_verified).toBe(false)
  })
})

describe('the EHR integration', () => {
  const MEMBERS = '/ehr_integration/member'
  const URLS = '/ehr_integration/create_dashboard_url'
  const origin = 'https://ehr.example'
  const config = { slug: 'my-ehr', modalities: ['feature_embed', 'link_out'], origin_configs: [{ origin }] }
  const member = { integration_member_id: 'user_1', name: 'Ada', email, avatar: 'https://ehr.example/a.png' }
  const wanted = { feature: 'order_creation', modality: 'link_out', environment: 'sandbox' }
  const configure = (more: object = {}) =>
    manage.put('/ehr_integration/configuration', { ...config, ...more })
  const addMember = async (more: object = {}) =>
    (await manage.post(MEMBERS, { ...member, team_role_bindings: bound(first), ...more })).body

  it('accepts other slugs, at both limits of their length', async () => {
    for (const slug of ['taken-2', 'untaken', 'abc', 'a'.repeat(63)])
      expect(await configure({ slug }), slug).toAnswer(200)
    for (const slug of ['taken', 'ab', 'a'.repeat(64), '-abc', 'abc-'])
      expect((await configure({ slug })).status, slug).not.toBe(200)
  })

  it('names each modality once', async () => {
    const { body } = await configure({ modalities: ['link_out', 'link_out'] })
    expect(body.modalities).toEqual(['link_out'])
  })

  it('keeps what a change of a member does not name; null removes the avatar alone', async () => {
    const made = await addMember()
    const change = async (body: object) => (await manage.patch(`${MEMBERS}/${made.id}`, body)).body
    expect(await change({})).toEqual(made)
    expect(await change({ name: null, email: null, team_role_bindings: null })).toEqual(made)
    expect(await change({ email: 'countess@example.com' })).toEqual({
      ...made,
      email: 'countess@example.com',
    })
    expect((await change({ avatar: null })).avatar).toBeNull()
  })

  it('accepts two members with one name and address, and an id again after its member is removed', async () => {
    const one = await addMember()
    expect((await addMember({ integration_member_id: 'User_1' })).id).not.toBe(one.id)
    await manage.delete(`${MEMBERS}/${one.id}`)
    expect((await addMember()).integration_member_id).toBe('user_1')
  })

  it('makes a URL by either id of the member and of the team', async () => {
    await configure()
    const { id: member_id } = await addMember()
    await manage.patch(`/team/${first}`, { integration_team_id: 'clinic' })
    for (const who of [{ member_id }, { integration_member_id: 'user_1' }]) {
      for (const where of [{ team_id: first }, { integration_team_id: 'clinic' }])
        expect(await manage.post(URLS, { ...wanted, ...who, ...where })).toAnswer(200)
    }
  })

  it('shows the page of a URL for five minutes, and remembers the URL for a day', async () => {
    const renewal = { origin, session_continuation_url: `${origin}/continue` }
    await configure({ origin_configs: [{ origin: 'https://other.example' }, renewal] })
    await addMember()
    const asked = { ...wanted, integration_member_id: 'user_1', team_id: first }
    const { url } = (await manage.post(URLS, asked)).body
    await advance(petri, '4m59s')
    expect(await browse(petri, url)).toAnswer(200)
    await advance(petri, '1s')
    expect(await browse(petri, url)).toAnswer(307)
    await advance(petri, '24h')
    await manage.post(URLS, asked)
    expect(await browse(petri, url)).toAnswer(307)
    await advance(petri, '1s')
    await manage.post(URLS, asked)
    expect(await browse(petri, url)).toAnswer(401)
  })
})
