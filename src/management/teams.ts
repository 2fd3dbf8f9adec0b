import * as z from 'zod'
import { ACCESS_TOKEN_SECONDS, newAccessToken } from '../api/credentials.ts'
import { feature } from '../api/features.ts'
import { boolean, email, maybe, oneOf, text, uuid } from '../api/fields.ts'
import { pageOf } from '../api/pagination.ts'
import { instant, nullableText, type Parsed, schema, unnamed } from '../api/schema.ts'
import { filterFields } from '../kernel/fields.ts'
import { toWire } from '../kernel/instant.ts'
import { conflict, orNotFound } from '../kernel/problem.ts'
import { createdAtOf, profileOf, setProfile } from '../resources/team/service.ts'
import { brandFields, type TeamProfile } from '../resources/team/table.ts'
import { webUrl } from '../webhooks/fields.ts'
import type { KnownWorld } from '../world/resting-world.ts'
import type { World, WorldOutline } from '../world/world.ts'
import type { Worlds } from '../world/worlds.ts'
import { pageById } from './collection.ts'
import { type Environment, environment, environments, NAME, Nothing, region, regions } from './fields.ts'
import { managed } from './operation.ts'
import { assertEnvironment, environmentOf, regionOf } from './teams-of-key.ts'

const teamName = () => text().regex(NAME)
const integrationTeamId = () => maybe(text().max(256))

const Brand = schema('ManagedTeamBrand', () => z.object(brandFields()))

const BrandInput = schema('ManagedTeamBrandInput', () => ({
  company_name: text(),
  company_website: text().default(''),
  support_email: email().default('help@petri.example'),
  support_contact: maybe(text()),
  company_address: text().default(''),
  brand_color: text().default(''),
}))

const BrandPatch = schema('ManagedTeamBrandPatch', () => ({
  company_name: maybe(text()),
  company_website: maybe(text()),
  support_email: maybe(email()),
  support_contact: maybe(text()),
  company_address: maybe(text()),
  brand_color: maybe(text()),
}))

const TeamEnvironment = schema('ManagedTeamEnvironment', () => ({
  lab_tests_patient_sms_communication_enabled: z.boolean(),
  lab_tests_patient_email_communication_enabled: z.boolean(),
  critical_result_notification_email: z.string().meta({ format: 'email' }).nullable(),
  brand_information: Brand().nullable(),
  logo_url: z.string().meta({ format: 'uri' }).nullable(),
  reject_duplicate_connection: z.boolean(),
  sdk_per_device_activity_timeseries: z.boolean(),
  partial_webhooks_enabled: z.boolean().nullable(),
  minor_ordering_enabled: z.boolean().nullable(),
}))

const TeamSummary = unnamed(() => ({
  id: z.uuid(),
  name: z.string(),
  created_on: instant(),
  region: z.enum(regions),
  integration_team_id: nullableText(),
}))

/** A team of the organisation, which is a world. */
const ManagedTeam = schema('ManagedTeam', () =>
  TeamSummary().extend({
    environments: z.array(z.enum(environments)),
    sandbox: TeamEnvironment().nullable(),
    production: TeamEnvironment().nullable(),
  }),
)

const ManagedTeamList = schema('ManagedTeamList', () => pageOf(TeamSummary(), 'teams'))

const TeamQuery = unnamed(() => ({
  next_cursor: maybe(text()),
  region: maybe(z.array(region())),
  search_query: maybe(teamName()),
  team_id: maybe(uuid()),
}))

const IncludeQuery = unnamed(() => ({ include_environment: z.array(environment()).default([]) }))

const TeamInput = schema('ManagedTeamInput', () => ({
  lab_tests_patient_sms_communication_enabled: boolean().default(true),
  lab_tests_patient_email_communication_enabled: boolean().default(true),
  critical_result_notification_email: maybe(email()),
  brand_information: maybe(BrandInput()),
  logo_url: maybe(webUrl()),
  reject_duplicate_connection: boolean().default(false),
  sdk_per_device_activity_timeseries: boolean().default(false),
  partial_webhooks_enabled: maybe(boolean()),
  minor_ordering_enabled: maybe(boolean()),
  id: maybe(uuid()),
  name: teamName(),
  region: oneOf(regions),
  integration_team_id: integrationTeamId(),
}))

const TeamEnvironmentPatch = schema('ManagedTeamEnvironmentPatch', () => ({
  lab_tests_patient_sms_communication_enabled: maybe(boolean()),
  lab_tests_patient_email_communication_enabled: maybe(boolean()),
  critical_result_notification_email: maybe(email()),
  partial_webhooks_enabled: maybe(boolean()),
  minor_ordering_enabled: maybe(boolean()),
  reject_duplicate_connection: maybe(boolean()),
  sdk_per_device_activity_timeseries: maybe(boolean()),
  patient_experience: maybe(boolean()),
  brand_information: maybe(BrandPatch()),
  logo_url: maybe(webUrl()),
}))
type EnvironmentPatch = Parsed<typeof TeamEnvironmentPatch>

const TeamPatch = schema('ManagedTeamPatch', () => ({
  name: maybe(teamName()),
  integration_team_id: integrationTeamId(),
  sandbox: maybe(TeamEnvironmentPatch()),
  production: maybe(TeamEnvironmentPatch()),
}))

/** The team that already has this id. */
const TeamNameTaken = schema('ManagedTeamNameTaken', () => ({ team_id: z.uuid() }))

const ResolveTeam = schema('ManagedTeamResolve', () => ({ integration_team_id: text().max(256) }))

const AccessTokenInput = schema('AccessTokenInput', () => ({ env: environment() }))
const AccessToken = schema('AccessToken', () => ({ access_token: z.string(), expires_in: z.int() }))

const createAccessToken = {
  body: AccessTokenInput,
  returns: AccessToken,
  run(world: World, { body: { env } }: { readonly body: Parsed<typeof AccessTokenInput> }) {
    assertEnvironment(world, env)
    return {
      access_token: newAccessToken(world.identity, env, world.clock.now()),
      expires_in: ACCESS_TOKEN_SECONDS,
    }
  },
}

export const teamOperations = [
  managed({
    id: 'list_teams_in_org',
    route: 'GET /v1/org/{org_id}/team',
    summary: 'List the teams the key manages',
    query: TeamQuery,
    returns: ManagedTeamList,
    run(_, { query: { next_cursor, ...filter } }, { teams }) {
      const wanted = filter.search_query?.toLowerCase() ?? ''
      const found = teams()
        .filter((world) => !filter.region?.length || filter.region.includes(regionOf(world)))
        .filter(({ identity }) => identity.name.toLowerCase().includes(wanted))
        .filter(({ identity }) => !filter.team_id || identity.teamId === filter.team_id)
      const { items, ...page } = pageById(['teams', filter], found.map(summaryOf), next_cursor)
      return { teams: items, ...page }
    },
  }),
  managed({
    id: 'create_team_in_org',
    route: 'POST /v1/org/{org_id}/team',
    summary: 'Create a team; it is a new world with the options of the first',
    adminsOnly: true,
    body: TeamInput,
    returns: ManagedTeam,
    alsoReturns: { 409: TeamNameTaken },
    async run(_, { body }, { worlds, newWorldDefaults }) {
      const { name, region, integration_team_id: integrationTeamId = null, id } = body
      const wanted = { ...newWorldDefaults, name, region, integrationTeamId, teamId: id ?? undefined }
      const made = await worlds.make(wanted, () => assertNameAvailable(worlds, integrationTeamId))
      return worlds.use(made, async (world) => {
        setEnvironment(world, body)
        await world.db.settled()
        return presentTeam(world)
      })
    },
  }),
  managed({
    id: 'get_team_in_org',
    route: 'GET /v1/org/{org_id}/team/{team_id}',
    summary: 'Get a team, with the settings of the requested environments',
    query: IncludeQuery,
    returns: ManagedTeam,
    run: (world, { query }) => presentTeam(world, query.include_environment),
  }),
  managed({
    id: 'update_team_in_org',
    route: 'PATCH /v1/org/{org_id}/team/{team_id}',
    summary: 'Rename a team, or change its settings',
    body: TeamPatch,
    returns: ManagedTeam,
    alsoReturns: { 409: TeamNameTaken },
    run: (world, { body }, { worlds }) => changeTeam(worlds, world, body),
  }),
  managed({
    id: 'delete_team_in_org',
    route: 'DELETE /v1/org/{org_id}/team/{team_id}',
    summary: 'Delete a team and its world',
    adminsOnly: true,
    returns: Nothing,
    async run(world, _input, { worlds }) {
      await worlds.drop(world)
      return null
    },
  }),
  managed({
    id: 'resolve_team',
    route: 'POST /v1/org/{org_id}/resolve_team',
    summary: 'Find a team by your own id for it',
    body: ResolveTeam,
    returns: ManagedTeam,
    run: (_, { body }, { worlds, teams }) =>
      worlds.use(resolveTeam(teams(), body.integration_team_id), (team) => presentTeam(team)),
  }),
  managed({
    id: 'create_team_api_access_token',
    route: 'POST /v1/org/{org_id}/team/{team_id}/create_api_access_token',
    summary: "Create a bearer token that is valid for ten minutes of the world's clock",
    ...createAccessToken,
  }),
  managed({
    id: 'create_team_access_token',
    route: 'POST /v1/org/{org_id}/team/{team_id}/create_access_token',
    summary: 'The older path of create_team_api_access_token',
    deprecated: true,
    ...createAccessToken,
  }),
]

/** The team with this integration team id. */
export const resolveTeam = (teams: readonly KnownWorld[], integrationTeamId: string): KnownWorld =>
  orNotFound(
    teams.find(({ identity }) => identity.integrationTeamId === integrationTeamId),
    'Team not found',
  )

const summaryOf = (world: WorldOutline) => ({
  id: world.identity.teamId,
  name: world.identity.name,
  created_on: toWire(createdAtOf(world)),
  region: regionOf(world),
  integration_team_id: world.identity.integrationTeamId ?? null,
})

/** A team with its settings in the given environments; all by default. */
function presentTeam(world: World, include: readonly Environment[] = environments) {
  const own = environmentOf(world)
  const settingsIn = (env: Environment) => (env === own && include.includes(env) ? settingsOf(world) : null)
  return {
    ...summaryOf(world),
    environments: [own],
    sandbox: settingsIn('sandbox'),
    production: settingsIn('production'),
  }
}

const settingsOf = (world: World) => ({
  ...profileOf(world),
  reject_duplicate_connection: feature(world, 'reject_duplicate_connection'),
  partial_webhooks_enabled: feature(world, 'partial_results_webhooks'),
  minor_ordering_enabled: feature(world, 'minor_ordering'),
})

async function changeTeam(
  worlds: Worlds,
  team: World,
  { name, integration_team_id, sandbox, production }: Parsed<typeof TeamPatch>,
) {
  if (sandbox) assertEnvironment(team, 'sandbox')
  if (production) assertEnvironment(team, 'production')
  const changed = await worlds.identify(team, (identity, world) => {
    const { integrationTeamId = null } = identity
    assertNameAvailable(worlds, integration_team_id, world)
    const change = sandbox ?? production
    if (change) setEnvironment(world, change)
    return {
      ...identity,
      name: name ?? identity.name,
      integrationTeamId: integration_team_id === undefined ? integrationTeamId : integration_team_id,
    }
  })
  return presentTeam(changed)
}

function assertNameAvailable(worlds: Worlds, name: string | null | undefined, self?: World): void {
  if (name === null || name === undefined) return
  const taken = worlds.all().find((world) => world !== self && world.identity.integrationTeamId === name)
  if (taken) throw conflict('', { bare: { team_id: taken.identity.teamId } })
}

/** Changes the given fields; null clears an optional field. */
function setEnvironment(world: World, change: EnvironmentPatch): void {
  const before = profileOf(world)
  const {
    critical_result_notification_email = before.critical_result_notification_email,
    logo_url = before.logo_url,
  } = change
  setProfile(world, {
    ...before,
    ...givenIn({
      lab_tests_patient_sms_communication_enabled: change.lab_tests_patient_sms_communication_enabled,
      lab_tests_patient_email_communication_enabled: change.lab_tests_patient_email_communication_enabled,
      sdk_per_device_activity_timeseries: change.sdk_per_device_activity_timeseries,
    }),
    critical_result_notification_email,
    logo_url,
    brand_information: brandAfter(before.brand_information, change.brand_information),
  })
  const features = givenIn({
    reject_duplicate_connection: change.reject_duplicate_connection,
    partial_results_webhooks: change.partial_webhooks_enabled,
    minor_ordering: change.minor_ordering_enabled,
  })
  world.setSettings({ features: { ...world.settings().features, ...features } })
}

/** The fields that are neither omitted nor null. */
const givenIn = <Fields extends object>(fields: Fields) =>
  filterFields(fields, (_, value) => value !== null && value !== undefined) as {
    [Name in keyof Fields]?: NonNullable<Fields[Name]>
  }

function brandAfter(
  before: TeamProfile['brand_information'],
  change: EnvironmentPatch['brand_information'],
): TeamProfile['brand_information'] {
  if (!change) return change === null ? null : before
  const blank = { ...BrandInput().parse({ company_name: '' }), support_contact: '' }
  return { ...blank, ...before, ...givenIn(change) }
}
