import { createHash } from 'node:crypto'
import { html } from 'hono/html'
import type { Manager } from '../../api/credentials.ts'
import { CustomResponse } from '../../api/operation.ts'
import { page } from '../../api/responses.ts'
import type { Parsed } from '../../api/schema.ts'
import { DAY_MS, SECOND_MS } from '../../kernel/instant.ts'
import { Problem } from '../../kernel/problem.ts'
import { BASE62 } from '../../kernel/random.ts'
import { ordersBy, ordersIndexed } from '../../resources/orders/directory.ts'
import { orders } from '../../resources/orders/table.ts'
import { users } from '../../resources/users/table.ts'
import type { World } from '../../world/world.ts'
import { assertEnvironment, environmentOf, getTeam, type ManagementParts, stored, teamsOf } from '../parts.ts'
import { resolveTeam } from '../teams/service.ts'
import type { DashboardInput, DashboardUrl } from './schema.ts'
import { getConfig, getManagedMember } from './service.ts'
import { type DashboardSession, dashboardSessions, managedMembers } from './table.ts'

/** The validity of a dashboard URL, by the clock of its team. The live service publishes no number. */
const LIFETIME_SECONDS = 300
/** How long an expired session is kept, so that it can be told from an unknown one. */
const REMEMBERED_MS = DAY_MS
/** The maximum number of orders on a dashboard. */
const MAX_ORDERS = 20

type Input = Parsed<typeof DashboardInput>

/** Creates a URL that shows a member one feature of a team for a few minutes. */
export async function createDashboardUrl(
  parts: ManagementParts,
  manager: Manager,
  input: Input,
): Promise<Parsed<typeof DashboardUrl>> {
  assertOneOf(input, 'member_id', 'integration_member_id')
  assertOneOf(input, 'team_id', 'integration_team_id')
  const { feature, modality, environment } = input
  if (!getConfig(parts).modalities.includes(modality)) {
    throw new Problem('bad_request', `The modality ${modality} is not enabled.`)
  }
  const team = getTeam(teamsOf(parts, manager), teamIdIn(parts, manager, input))
  assertEnvironment(team, environment)
  const member = getManagedMember(parts, manager, memberIn(input))
  if (!member.team_ids.includes(team.identity.teamId)) {
    throw new Problem('forbidden', 'The member has no role in this team.')
  }
  const patient = patientIn(feature)
  if (patient !== undefined && !team.db.has(users, patient)) {
    throw new Problem('not_found', 'User does not exist on this team')
  }
  const now = team.clock.now()
  for (const { id, expires_at } of team.db.all(dashboardSessions)) {
    if (expires_at < now - REMEMBERED_MS) team.db.delete(dashboardSessions, id)
  }
  const token = newToken(team)
  const expires_at = now + LIFETIME_SECONDS * SECOND_MS
  const session = { id: digestOf(token), member_id: member.id, feature, modality, expires_at }
  team.db.put(dashboardSessions, session)
  await stored([team])
  return { url: `${team.baseUrl}/dashboard?token=${token}`, expires_in: LIFETIME_SECONDS }
}

/** The page of a dashboard URL. An expired URL redirects to the application's URL for renewal, if there is one. */
export async function showDashboard(parts: ManagementParts, token: string): Promise<CustomResponse<never>> {
  const team = parts.worlds.byTeam(teamOfToken(token))
  const session = team?.db.find(dashboardSessions, digestOf(token))
  if (!team || !session) throw new Problem('unauthorized', 'The dashboard URL is invalid.')
  const { origin_configs } = getConfig(parts)
  const member = parts.worlds.organisation.db.find(managedMembers, session.member_id)
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

async function dashboardPage(
  team: World,
  { feature }: DashboardSession,
  who: string,
  embedders: readonly string[],
): Promise<CustomResponse<never>> {
  const patient = patientIn(feature)
  if (patient) await ordersIndexed(team)
  const all = patient ? ordersBy(team, 'userId', patient).map(({ id }) => id) : team.db.ids(orders)
  const rows = all
    .slice(-MAX_ORDERS)
    .reverse()
    .map((id) => team.db.get(orders, id))
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

const memberIn = ({ member_id, integration_member_id }: Input) =>
  member_id ? { id: member_id } : { integration_member_id: integration_member_id ?? '' }

const teamIdIn = (parts: ManagementParts, manager: Manager, { team_id, integration_team_id }: Input) =>
  team_id ?? resolveTeam(parts, manager, integration_team_id ?? '').id

function assertOneOf(input: Input, one: keyof Input, other: keyof Input): void {
  if (Boolean(input[one]) === Boolean(input[other])) {
    throw new Problem('bad_request', `Exactly one of ${one} and ${other} is needed.`)
  }
}

/** Starts with the team id, so that the world can be found. */
const newToken = ({ identity, random, next }: World): string =>
  `ds_${identity.teamId.replaceAll('-', '')}${random.letters(`dashboard/${next('dashboard_session')}`, BASE62, 32)}`

const teamOfToken = (token: string): string =>
  /^ds_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})/.exec(token)?.slice(1).join('-') ??
  ''

const digestOf = (token: string) => createHash('sha256').update(token).digest('hex')
