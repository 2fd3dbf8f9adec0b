import { describe, expect, it } from 'vitest'
import { managementContract } from '../../scripts/contract-operations.ts'
import { managing, ORG, secondTeam, teamIdOf } from '../support/management.ts'
import { NOBODY, startTestPetri, type TestPetri } from '../support/petri.ts'
import { dailySteps } from '../support/sense.ts'

/** What a key of another team meets: a call for admins, a team it does not find, or an answer that says nothing of it. */
type Meets = 'admins only' | 'no such team' | 'nothing of it'

interface Case {
  readonly meets: Meets
  readonly body?: (teamId: string) => object
  readonly query?: (teamId: string) => string
}

const admins: Case = { meets: 'admins only' }
const team: Case = { meets: 'no such team' }
const nothing: Case = { meets: 'nothing of it' }
const ofTeam = (team_id: string) => `?team_id=${team_id}`
const noDays = { oura: { default: { historical_days_to_pull: 1 } } }
const member = { integration_member_id: 'user', name: 'Ada', email: 'ada@example.com' }

/** One line an operation; a call about the first team, made with a key that is bound to the second. */
const cases: Readonly<Record<string, Case>> = {
  archive_continuous_query: team,
  create_continuous_query: { ...team, body: () => dailySteps },
  create_dashboard_url: {
    ...team,
    body: (team_id) => ({
      team_id,
      integration_member_id: 'user',
      feature: 'orders',
      modality: 'link_out',
      environment: 'sandbox',
    }),
  },
  create_integration_managed_member: { ...admins, body: () => member },
  create_management_key: { ...admins, body: () => ({ label: 'x', role: 'org_admin' }) },
  create_or_resend_invite_in_org: { ...admins, body: () => ({ email: 'eve@example.com' }) },
  create_org_domain: { ...admins, body: () => ({ domain: 'example.com' }) },
  create_team_api_access_token: { ...team, body: () => ({ env: 'sandbox' }) },
  create_team_api_key: { ...team, body: (team_id) => ({ label: 'x', team_id }) },
  create_team_in_org: { ...admins, body: () => ({ name: 'x', region: 'us' }) },
  create_webhook: { ...team, body: () => ({ url: 'https://example.com' }) },
  delete_integration_managed_member: admins,
  delete_org_domain: admins,
  delete_team_api_keys: { ...nothing, query: () => `?api_key_id=${NOBODY}` },
  delete_team_custom_credentials: { ...nothing, query: () => `?credential_id=${NOBODY}` },
  delete_team_data_pull_preferences: { ...nothing, query: ofTeam },
  delete_team_ehr_pipelines: { ...nothing, query: (team_id) => `?ehr_type=fhir&team_id=${team_id}` },
  delete_team_etl_pipelines: { ...nothing, query: ofTeam },
  delete_team_in_org: admins,
  delete_webhook: team,
  get_continuous_queries: team,
  get_ehr_integration_configuration: nothing,
  get_integration_managed_member: team,
  get_lab_accounts: { ...nothing, query: ofTeam },
  get_org: nothing,
  get_org_domain: admins,
  get_team_custom_credentials: { ...nothing, query: ofTeam },
  get_team_data_pull_preferences: { ...nothing, query: ofTeam },
  get_team_ehr_pipelines: { ...nothing, query: ofTeam },
  get_team_etl_pipelines: { ...nothing, query: ofTeam },
  get_team_event_delivery_metric: team,
  get_team_in_org: team,
  get_team_scope_requirements: team,
  get_webhook: team,
  get_webhook_headers: team,
  get_webhook_secret: team,
  list_integration_managed_members: nothing,
  list_invites_in_org: nothing,
  list_management_key: admins,
  list_members_in_org: nothing,
  list_org_domains: admins,
  list_team_api_keys: { ...nothing, query: ofTeam },
  list_teams_in_org: nothing,
  list_webhooks: team,
  patch_management_key: { ...admins, body: () => ({}) },
  patch_webhook: { ...team, body: () => ({}) },
  prepare_team_custom_credentials: { ...team, body: (team_id) => ({ team_id, provider: 'oura' }) },
  remove_management_key: admins,
  remove_member_from_org: admins,
  resolve_integration_managed_member: { ...team, body: () => ({ integration_member_id: 'user' }) },
  resolve_team: { ...team, body: () => ({ integration_team_id: 'clinic' }) },
  revoke_invite_in_org: admins,
  rotate_webhook_secret: { ...team, body: () => ({}) },
  send_org_domain_instructions: { ...admins, body: () => ({ to_email: 'it@example.com' }) },
  update_continuous_query: { ...team, body: () => ({}) },
  update_integration_managed_member: { ...admins, body: () => ({}) },
  update_lab_account_team_id_allowlist: { ...admins, body: () => ({ team_id_allowlist: [] }) },
  update_member: { ...admins, body: () => ({ role: null, team_role_bindings: null }) },
  update_org: { ...admins, body: () => ({ name: 'x' }) },
  update_team_in_org: { ...team, body: () => ({ name: 'x' }) },
  update_webhook_headers: { ...team, body: () => ({ headers: {} }) },
  upsert_ehr_integration_configuration: {
    ...admins,
    body: () => ({ slug: 'mine', modalities: ['link_out'], origin_configs: [] }),
  },
  upsert_team_custom_credentials: {
    ...team,
    body: (team_id) => ({ team_id, provider: 'oura', client_id: 'a', client_secret: 'b' }),
  },
  upsert_team_data_pull_preferences: {
    ...team,
    body: (team_id) => ({ team_ids: [team_id], providers: noDays }),
  },
  upsert_team_ehr_pipelines: {
    ...team,
    body: (team_id) => ({
      team_ids: [team_id],
      ehr_type: 'fhir',
      base_url: 'https://ehr.example',
      authentication: { type: 'api_key', api_key: 'x' },
    }),
  },
  upsert_team_etl_pipelines: { ...team, body: (team_id) => ({ team_ids: [team_id] }) },
  upsert_team_scope_requirements: { ...team, body: () => ({}) },
  validate_continuous_query: { ...team, body: () => dailySteps },
  verify_org_domain: admins,
}

/** An organisation in which the first team has something everywhere, and a key that is bound to the second. */
async function start() {
  const petri = await startTestPetri()
  const manage = managing(petri)
  const first = teamIdOf(petri)
  const second = await secondTeam(manage)
  await manage.patch(`/team/${first}`, { integration_team_id: 'clinic' })
  const team_role_bindings = [{ team_id: first }]
  await manage.put('/ehr_integration/configuration', {
    slug: 'mine',
    modalities: ['link_out'],
    origin_configs: [],
  })
  const managed = await manage.post('/ehr_integration/member', { ...member, team_role_bindings })
  await manage.post('/invite', { email: 'ada@example.com', role: 'team_admin', team_role_bindings })
  for (const id of ['custom_credentials', 'data_pull_preferences', 'ehr_pipelines', 'etl_pipelines']) {
    await manage.post(`/team_${id}/sandbox/us`, cases[`upsert_team_${id}`]?.body?.(first))
  }
  const bound = { label: 'CI', role: 'team_admin', team_role_bindings: [{ team_id: second }] }
  const { key } = (await manage.post('/management_key', bound)).body
  return { petri, first, second, stranger: key as string, memberId: managed.body.id as string }
}

interface Ids {
  readonly first: string
  readonly memberId: string
}

function call(petri: TestPetri, id: string, ids: Ids, headers: Record<string, string>) {
  const route = managementContract.find(([name]) => name === id)?.[1] ?? ''
  const [method = '', template = ''] = route.split(' ')
  const values: Record<string, string> = {
    team_id: ids.first,
    environment: 'sandbox',
    env: 'sandbox',
    region: 'us',
    member_id: ids.memberId,
  }
  const path = template
    .replace('/v1/org/{org_id}', ORG)
    .replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? NOBODY)
  const { body, query: asked } = cases[id] ?? {}
  const bare = { 'x-service-api-key': '', ...headers }
  return petri.call(method, `${path}${asked?.(ids.first) ?? ''}`, body?.(ids.first), bare)
}

const statuses: Record<Meets, readonly number[]> = {
  'admins only': [403],
  'no such team': [404],
  'nothing of it': [200],
}

describe('each operation of the management API', () => {
  const ids = managementContract.map(([id]) => id)

  it('is in the table of roles, and served as the contract names it', async () => {
    expect(Object.keys(cases)).toEqual([...ids].sort())
    const petri = await startTestPetri()
    const served = petri.petri.operations.filter(({ id }) => Object.hasOwn(cases, id))
    expect(served.map(({ id, route }) => `${id} ${route}`).sort()).toEqual(
      managementContract.map((line) => line.join(' ')).sort(),
    )
  })

  it('shows and changes nothing of a team to a key of the role team_admin that is bound to another', async () => {
    const { petri, stranger, ...about } = await start()
    const stored = async () =>
      JSON.stringify([...(await petri.world().db.copy())].map(([name, rows]) => [name, [...rows]]))
    const before = await stored()
    for (const id of ids) {
      const { status, body } = await call(petri, id, about, { 'x-management-key': stranger })
      const { meets } = cases[id] as Case
      expect(statuses[meets], `${id}: ${status} ${JSON.stringify(body)}`).toContain(status)
      expect(JSON.stringify(body), id).not.toContain(about.first)
      expect(JSON.stringify(body), id).not.toContain('ada@example.com')
    }
    expect(await stored()).toBe(before)
    expect(petri.petri.worlds.all()).toHaveLength(2)
  })
})
