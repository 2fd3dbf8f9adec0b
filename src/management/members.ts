import * as z from 'zod'
import { email, maybe, nullable, oneOf, text, uuid } from '../api/fields.ts'
import { operation } from '../api/operation.ts'
import { pageOf } from '../api/pagination.ts'
import { instant, type Parsed, schema, texts, unnamed } from '../api/schema.ts'
import { DAY_MS, toWire } from '../kernel/instant.ts'
import { badRequest, conflict, orNotFound } from '../kernel/problem.ts'
import type { Database } from '../storage/database.ts'
import { instantMs, type RowOf, table } from '../storage/table.ts'
import type { Worlds } from '../world/worlds.ts'
import { collection, nextOf, pageById } from './collection.ts'
import { Creator, Nothing, Refusal, TeamBinding, TeamBindingInput } from './fields.ts'
import { type Management, managed } from './operation.ts'
import { boundTeams, ofTeams, seenBy, toBindings } from './teams-of-key.ts'

/** The roles of members. Source: docs/contract/management.md. */
const memberRoles = ['org_admin', 'team_admin', 'no_role'] as const

const WithRole = () =>
  z.object({
    id: z.string(),
    email: z.string(),
    role: z.enum(memberRoles),
    /** The teams a `team_admin` manages; null for the other roles. */
    team_ids: texts().nullable(),
  })

type WithRole = Parsed<typeof WithRole>

export const memberRows = table(
  'organisation_members',
  () => WithRole().extend({ name: z.string(), created_at: instantMs() }),
  ({ id }) => id,
  ofTeams,
)
type MemberRow = RowOf<typeof memberRows>
const members = collection(memberRows, 'Member not found')

/** An invite that is not accepted yet. */
export const invites = table(
  'organisation_invites',
  () =>
    WithRole().extend({
      invited_at: instantMs(),
      resent_at: instantMs().nullable(),
      expires_at: instantMs(),
    }),
  ({ id }) => id,
  ofTeams,
)
type InviteRow = RowOf<typeof invites>

/** The validity of an invite. The live service publishes no number. */
const INVITE_MS = 7 * DAY_MS

const PeopleQuery = unnamed(() => ({ next_cursor: maybe(text()), search_query: maybe(text()) }))

const Member = schema('OrganisationMember', () => ({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  created_on: instant(),
  role: z.enum(memberRoles),
  team_role_bindings: z.array(TeamBinding()).nullable(),
}))

const MemberList = schema('OrganisationMemberList', () => pageOf(Member(), 'members'))

const MemberUpdate = schema('OrganisationMemberUpdate', () => ({
  role: nullable(oneOf(memberRoles)),
  team_role_bindings: nullable(z.array(TeamBindingInput())),
}))

const Invite = schema('OrganisationInvite', () => ({
  id: z.uuid(),
  email: z.string(),
  invited_at: instant(),
  resent_at: instant().nullable(),
  creator: Creator(),
  role: z.enum(memberRoles),
  team_role_bindings: z.array(TeamBinding()).nullable(),
}))

const InviteList = schema('OrganisationInviteList', () => pageOf(Invite(), 'invites'))

const InviteInput = schema('OrganisationInviteInput', () => ({
  email: email(),
  role: oneOf(memberRoles).default('org_admin'),
  team_role_bindings: maybe(z.array(TeamBindingInput())),
}))

const InviteOutcome = schema('OrganisationInviteOutcome', () => ({
  status: z.enum(['invite_created', 'invite_resent', 'already_in_org']),
}))

const InviteAccepted = schema('OrganisationInviteAccepted', () => ({ name: maybe(text().min(1)) }))

export const memberOperations = [
  managed({
    id: 'list_members_in_org',
    route: 'GET /v1/org/{org_id}/member',
    summary: 'List the members of the organisation',
    query: PeopleQuery,
    returns: MemberList,
    run(_, { query: { search_query, next_cursor } }, { manager, organisation }) {
      const found = seenBy(manager, members.list(organisation)).filter(
        ({ name, email }) => contains(name, search_query) || contains(email, search_query),
      )
      const of = ['members', search_query]
      const { items, ...page } = pageById(of, found, next_cursor, ({ created_at }) => created_at)
      return { members: items.map(presentMember), ...page }
    },
  }),
  managed({
    id: 'update_member',
    route: 'PATCH /v1/org/{org_id}/member/{member_id}',
    summary: 'Change the role or the teams of a member',
    adminsOnly: true,
    body: MemberUpdate,
    returns: Nothing,
    async run(_, { params, body }, { worlds, organisation }) {
      await members.update(organisation, params.member_id, (member) => {
        const role = body.role ?? member.role
        const kept = role === 'team_admin' ? (member.team_ids ?? []) : null
        const team_ids = body.team_role_bindings ? teamsFor(worlds, role, body.team_role_bindings) : kept
        return { ...member, role, team_ids }
      })
      return null
    },
  }),
  managed({
    id: 'remove_member_from_org',
    route: 'DELETE /v1/org/{org_id}/member/{member_id}',
    summary: 'Remove a member from the organisation',
    adminsOnly: true,
    returns: Nothing,
    run: (_, { params }, { organisation }) => members.delete(organisation, params.member_id),
  }),
]

export const inviteOperations = [
  managed({
    id: 'list_invites_in_org',
    route: 'GET /v1/org/{org_id}/invite',
    summary: 'List the pending invites',
    query: PeopleQuery,
    returns: InviteList,
    run(_, { query: { search_query, next_cursor } }, { manager, organisation, now }) {
      const found = seenBy(manager, openInvites(organisation.db, now())).filter(({ email }) =>
        contains(email, search_query),
      )
      const of = ['invites', search_query]
      const { items, ...page } = pageById(of, found, next_cursor, ({ invited_at }) => invited_at)
      return { invites: items.map(presentInvite), ...page }
    },
  }),
  managed({
    id: 'create_or_resend_invite_in_org',
    route: 'POST /v1/org/{org_id}/invite',
    summary: 'Invite somebody to the organisation, or resend the invite',
    adminsOnly: true,
    body: InviteInput,
    returns: InviteOutcome,
    alsoReturns: { 409: Refusal },
    async run(_, { body: { email, role, team_role_bindings } }, { worlds, organisation, now }) {
      const team_ids = teamsFor(worlds, role, team_role_bindings)
      return {
        status: await organisation.change((db) => invite(db, now(), { email, role, team_ids })),
      }
    },
  }),
  managed({
    id: 'revoke_invite_in_org',
    route: 'DELETE /v1/org/{org_id}/invite/{invite_id}',
    summary: 'Revoke an invite',
    adminsOnly: true,
    returns: Nothing,
    run: (_, { params }, { organisation, now }) =>
      organisation.change((db) => {
        takeInvite(db, params.invite_id, now())
        return null
      }),
  }),
]

/** Stands for the click on the link in the e-mail, which Petri does not send. */
export const acceptInvite = ({ worlds: { organisation }, now }: Management) =>
  operation({
    id: 'petri_invite_accept',
    route: 'POST /_petri/organisation/invites/{invite_id}/accept',
    access: 'control',
    summary: 'Accept an invitation to the organisation as its recipient',
    params: unnamed(() => ({ invite_id: uuid() })),
    body: InviteAccepted,
    bodyOptional: true,
    returns: Member,
    run: (_, { params, body }) =>
      organisation.change((db) => {
        const { email, role, team_ids } = takeInvite(db, params.invite_id, now())
        const [localPart = email] = email.split('@')
        const { id } = nextOf(db, 'member')
        const member = { id, name: body?.name ?? localPart, email, role, team_ids, created_at: now() }
        return presentMember(db.put(memberRows, member))
      }),
  })

/** Creates an invite, or renews an existing one. */
function invite(
  db: Database,
  now: number,
  { email, role, team_ids }: Omit<WithRole, 'id'>,
): Parsed<typeof InviteOutcome>['status'] {
  const isSame = (other: WithRole) => other.email.toLowerCase() === email.toLowerCase()
  if ([...db.all(memberRows)].some(isSame)) return 'already_in_org'
  const open = openInvites(db, now).find(isSame)
  if (open && (open.role !== role || sorted(open.team_ids) !== sorted(team_ids))) {
    throw conflict(`${email} has an invite to another role; revoke it first.`)
  }
  for (const { id, expires_at } of db.all(invites)) if (expires_at <= now) db.delete(invites, id)
  const created = open ?? { id: nextOf(db, 'invite').id, email, role, team_ids, invited_at: now }
  db.put(invites, { ...created, resent_at: open ? now : null, expires_at: now + INVITE_MS })
  return open ? 'invite_resent' : 'invite_created'
}

const sorted = (teamIds: readonly string[] | null) => [...(teamIds ?? [])].sort().join()

const openInvites = (db: Database, now: number): InviteRow[] =>
  [...db.all(invites)].filter(({ expires_at }) => expires_at > now)

/** Deletes an invite that can still be accepted, and returns it. */
function takeInvite(db: Database, id: string, now: number): InviteRow {
  const invite = orNotFound(
    openInvites(db, now).find((each) => each.id === id),
    'Invite not found',
  )
  db.delete(invites, id)
  return invite
}

/** Throws if teams are given for a role other than `team_admin`. */
function teamsFor(
  worlds: Worlds,
  role: WithRole['role'],
  bindings: Parameters<typeof boundTeams>[1],
): string[] | null {
  if (role === 'team_admin') return boundTeams(worlds, bindings)
  if (bindings?.length) throw badRequest(`The role ${role} cannot be bound to teams.`)
  return null
}

const contains = (text: string, part: string | null | undefined) =>
  text.toLowerCase().includes(part?.toLowerCase() ?? '')

const presentMember = ({ id, name, email, created_at, role, team_ids }: MemberRow) => ({
  id,
  name,
  email,
  created_on: toWire(created_at),
  role,
  team_role_bindings: toBindings(team_ids),
})

const presentInvite = ({ id, email, invited_at, resent_at, role, team_ids }: InviteRow) => ({
  id,
  email,
  invited_at: toWire(invited_at),
  resent_at: resent_at === null ? null : toWire(resent_at),
  creator: { type: 'management_key' as const },
  role,
  team_role_bindings: toBindings(team_ids),
})
