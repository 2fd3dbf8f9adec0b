import { hash } from 'node:crypto'
import { html } from 'hono/html'
import * as z from 'zod'
import { maybe, oneOf, text, uuid } from '../api/fields.ts'
import { CustomResponse, operation } from '../api/operation.ts'
import { page } from '../api/responses.ts'
import { type Parsed, schema, unnamed } from '../api/schema.ts'
import { DAY_MS, SECOND_MS } from '../kernel/instant.ts'
import { badRequest, notFound, Problem } from '../kernel/problem.ts'
import { BASE62 } from '../kernel/random.ts'
import { hyphenated } from '../kernel/uuid.ts'
import { orderEntries } from '../resources/orders/directory.ts'
import { orders } from '../resources/orders/table.ts'
import { users } from '../resources/users/table.ts'
import { instantMs, type RowOf, table } from '../storage/table.ts'
import type { Organisation } from '../world/organisation.ts'
import type { KnownWorld } from '../world/resting-world.ts'
import type { World } from '../world/world.ts'
import { externalId, findManagedMember, getConfig, getManagedMember, modalities } from './ehr-integration.ts'
import { environment } from './fields.ts'
import { type Management, type ManagementContext, managed } from './operation.ts'
import { resolveTeam } from './teams.ts'
import { assertEnvironment, environmentOf, getTeam, stored } from './teams-of-key.ts'

/** A temporary permission to see a team's dashboard; stored in the world of the team. */
export const dashboardSessions = table(
  'dashboard_sessions',
  () =>
    z.object({
      /** SHA-256 of the token, in hexadecimal. */
      id: z.string(),
      member_id: z.string(),
      feature: z.string(),
      modality: z.enum(modalities),
      /** By the clock of the world. */
      expires_at: instantMs(),
    }),
  ({ id }) => id,
)
type DashboardSession = RowOf<typeof dashboardSessions>

/** The validity of a dashboard URL, by the clock of its team. The live service publishes no number. */
const LIFETIME_SECONDS = 300
/** How long an expired session is kept, to distinguish it from an unknown one. */
const REMEMBERED_MS = DAY_MS
/** The maximum number of orders on a dashboard. */
const MAX_ORDERS = 20

const DashboardInput = schema('DashboardUrlInput', () => ({
  member_id: maybe(uuid()),
  integration_member_id: maybe(externalId()),
  team_id: maybe(uuid()),
  integration_team_id: maybe(externalId()),
  feature: text(),
  modality: oneOf(modalities),
  environment: environment(),
}))

/** `expires_in` is in seconds. */
const DashboardUrl = schema('DashboardUrl', () => ({ url: z.url(), expires_in: z.int() }))

const DashboardQuery = unnamed(() => ({ token: text().default('') }))

export const createDashboardUrl = managed({
  id: 'create_dashboard_url',
  route: 'POST /v1/org/{org_id}/ehr_integration/create_dashboard_url',
  summary: 'Create a URL that shows a member a dashboard of a team, for five minutes of its clock',
  body: DashboardInput,
  returns: DashboardUrl,
  run: (_, { body }, context) =>
    context.worlds.use(teamIn(context, body), async (team) => {
      const token = newSession(context, team, body)
      await stored([team])
      return { url: `${team.baseUrl}/dashboard?token=${token}`, expires_in: LIFETIME_SECONDS }
    }),
})

/** The page behind dashboard URLs. */
export const dashboardOperation = (management: Management) =>
  operation({
    id: 'petri_dashboard_page',
    route: 'GET /dashboard',
    access: 'open',
    produces: 'text/html',
    summary: 'Show the page of a dashboard URL, which requires only the token in the URL',
    query: DashboardQuery,
    run: (_, { query }) => showDashboard(management, query.token),
  })

/** The team whose dashboard is requested. */
function teamIn(
  { organisation, teams }: ManagementContext,
  input: Parsed<typeof DashboardInput>,
): KnownWorld {
  assertExactlyOne(input, 'member_id', 'integration_member_id')
  assertExactlyOne(input, 'team_id', 'integration_team_id')
  const { modality, team_id, integration_team_id } = input
  if (!getConfig(organisation).modalities.includes(modality)) {
    throw badRequest(`The modality ${modality} is not enabled.`)
  }
  return team_id ? getTeam(teams(), team_id) : resolveTeam(teams(), integration_team_id ?? '')
}

/** Permits a member to see one feature of a team for a few minutes. Returns the token. */
function newSession(
  { organisation, manager }: ManagementContext,
  team: World,
  input: Parsed<typeof DashboardInput>,
): string {
  const { feature, modality } = input
  assertEnvironment(team, input.environment)
  const member = getManagedMember(organisation, manager, input)
  if (!member.team_ids.includes(team.identity.teamId)) {
    throw new Problem('forbidden', 'The member has no role in this team.')
  }
  const patient = patientIn(feature)
  if (patient !== undefined && !team.db.has(users, patient)) {
    throw notFound('User does not exist on this team')
  }
  const now = team.clock.now()
  for (const { id, expires_at } of team.db.all(dashboardSessions)) {
    if (expires_at < now - REMEMBERED_MS) team.db.delete(dashboardSessions, id)
  }
  const token = newToken(team)
  const expires_at = now + LIFETIME_SECONDS * SECOND_MS
  team.db.put(dashboardSessions, {
    id: hash('sha256', token),
    member_id: member.id,
    feature,
    modality,
    expires_at,
  })
  return token
}

function assertExactlyOne(
  input: Parsed<typeof DashboardInput>,
  one: keyof typeof input,
  other: keyof typeof input,
): void {
  if (Boolean(input[one]) === Boolean(input[other])) {
    throw badRequest(`Give exactly one of ${one} and ${other}.`)
  }
}

/** The page of a dashboard URL. An expired URL redirects to the application's URL for renewal, if there is one. */
function showDashboard({ worlds }: Management, token: string): Promise<CustomResponse<never>> {
  const team = worlds.byTeam(teamOfToken(token) ?? '')
  if (!team) throw invalidUrl()
  return worlds.use(team, (used) => dashboardOf(used, worlds.organisation, token))
}

const invalidUrl = () => new Problem('unauthorized', 'The dashboard URL is invalid.')

function dashboardOf(team: World, organisation: Organisation, token: string): CustomResponse<never> {
  const session = team.db.find(dashboardSessions, hash('sha256', token))
  if (!session) throw invalidUrl()
  const { origin_configs } = getConfig(organisation)
  const member = findManagedMember(organisation, session.member_id)
  if (!member?.team_ids.includes(team.identity.teamId)) {
    throw new Problem('forbidden', 'The member has no role in this team.')
  }
  if (session.expires_at <= team.clock.now()) {
    const renewal = origin_configs.find((config) => config.session_continuation_url)
    if (!renewal?.session_continuation_url) {
      throw new Problem('unauthorized', 'The dashboard URL has expired.')
    }
    const url = new URL(renewal.session_continuation_url)
    const { feature, modality } = session
    const { integration_member_id } = member
    const parameters = { integration_member_id, team_id: team.identity.teamId, modality, feature }
    for (const [name, value] of Object.entries({ ...parameters, environment: environmentOf(team) }))
      url.searchParams.set(name, value)
    return new CustomResponse<never>(307, undefined, '', { location: url.href })
  }
  const embedders = session.modality === 'feature_embed' ? origin_configs.map(({ origin }) => origin) : []
  return dashboardPage(team, session, `${member.name} (${member.email})`, embedders)
}

function dashboardPage(
  team: World,
  { feature }: DashboardSession,
  who: string,
  embedders: readonly string[],
): CustomResponse<never> {
  const patient = patientIn(feature)
  const all = orderEntries(team).filter(({ userId }) => patient === undefined || userId === patient)
  const rows = all
    .slice(-MAX_ORDERS)
    .reverse()
    .map(({ id }) => team.db.get(orders, id))
    .map(({ id, status }) => html`<li><code>${id}</code> ${status ?? ''}</li>\n`)
  return page(
    `${feature} of ${team.identity.name}`,
    html`<p>${who} is signed in. Petri is a sandbox: this page takes the place of the service's own dashboard.</p>
<h2>Orders (${all.length})</h2>
<ul>
${rows}</ul>`,
    embedders,
  )
}

/** The user id of a feature about one patient, such as `order_creation:{user_id}`. */
const patientIn = (feature: string): string | undefined => /:([0-9a-f-]{36})$/.exec(feature)?.[1]

/** Starts with the team id, so that the world can be found. */
const newToken = ({ identity, ids, next }: World): string =>
  `ds_${identity.teamId.replaceAll('-', '')}${ids.letters(`dashboard/${next('dashboard_session')}`, BASE62, 32)}`

function teamOfToken(token: string): string | undefined {
  const [, hex] = /^ds_([0-9a-f]{32})/.exec(token) ?? []
  return hex === undefined ? undefined : hyphenated(hex)
}
