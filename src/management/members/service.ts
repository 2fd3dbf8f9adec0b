import type { Manager } from '../../api/credentials.ts'
import { pageAfter } from '../../api/pagination.ts'
import type { Parsed } from '../../api/schema.ts'
import { DAY_MS, toWire } from '../../kernel/instant.ts'
import { Problem } from '../../kernel/problem.ts'
import { nextOf } from '../organisation/table.ts'
import { boundTeams, type ManagementParts, seenBy, toBindings } from '../parts.ts'
import type {
  InviteInput,
  InviteList,
  InviteOutcome,
  Member,
  MemberList,
  MemberUpdate,
  PeopleQuery,
} from './schema.ts'
import { type InviteRow, invites, type MemberRow, members } from './table.ts'

const PAGE = 100
/** The validity of an invite. The live service publishes no number. */
const INVITE_MS = 7 * DAY_MS

export function listMembers(
  { worlds: { organisation } }: ManagementParts,
  manager: Manager,
  { search_query, next_cursor }: Parsed<typeof PeopleQuery>,
): Parsed<typeof MemberList> {
  const found = seenBy(manager, organisation.db.all(members)).filter(
    ({ name, email }) => isIn(search_query, name) || isIn(search_query, email),
  )
  const { items, nextCursor } = pageAfter(found, ({ id }) => id, next_cursor, PAGE)
  return { members: items.map(presentMember), next_cursor: nextCursor }
}

/** Changes the role of a member; null leaves it unchanged. */
export async function updateMember(
  parts: ManagementParts,
  id: string,
  { role, team_role_bindings }: Parsed<typeof MemberUpdate>,
): Promise<null> {
  const member = findMember(parts, id)
  const given = role ?? member.role
  const team_ids = team_role_bindings
    ? teamsFor(parts, given, team_role_bindings)
    : given === 'team_admin'
      ? (member.team_ids ?? [])
      : null
  await parts.worlds.organisation.change((db) => db.put(members, { ...member, role: given, team_ids }))
  return null
}

export async function removeMember(parts: ManagementParts, id: string): Promise<null> {
  findMember(parts, id)
  await parts.worlds.organisation.change((db) => db.delete(members, id))
  return null
}

/** Invites that have not expired. */
export function listInvites(
  parts: ManagementParts,
  manager: Manager,
  { search_query, next_cursor }: Parsed<typeof PeopleQuery>,
): Parsed<typeof InviteList> {
  const found = seenBy(manager, openInvites(parts)).filter(({ email }) => isIn(search_query, email))
  const { items, nextCursor } = pageAfter(found, ({ id }) => id, next_cursor, PAGE)
  return { invites: items.map(presentInvite), next_cursor: nextCursor }
}

/** Creates an invite, or renews an existing one. */
export async function invite(
  parts: ManagementParts,
  { email, role, team_role_bindings }: Parsed<typeof InviteInput>,
): Promise<Parsed<typeof InviteOutcome>> {
  const { organisation } = parts.worlds
  const team_ids = teamsFor(parts, role, team_role_bindings)
  if ([...organisation.db.all(members)].some((member) => isSame(member.email, email))) {
    return { status: 'already_in_org' }
  }
  const now = parts.now()
  const expires_at = now + INVITE_MS
  const open = openInvites(parts).find((known) => isSame(known.email, email))
  if (open && (open.role !== role || String(open.team_ids) !== String(team_ids))) {
    throw new Problem('conflict', `${email} has an invite to another role; revoke it first.`)
  }
  await organisation.change((db) => {
    for (const { id, expires_at: until } of db.all(invites)) if (until <= now) db.delete(invites, id)
    const made = open ?? { id: nextOf(db, 'invite').id, email, role, team_ids, invited_at: now }
    db.put(invites, { ...made, resent_at: open ? now : null, expires_at })
  })
  return { status: open ? 'invite_resent' : 'invite_created' }
}

export async function revokeInvite(parts: ManagementParts, id: string): Promise<null> {
  findInvite(parts, id)
  await parts.worlds.organisation.change((db) => db.delete(invites, id))
  return null
}

/** Accepts an invite: creates the member. */
export function acceptInvite(
  parts: ManagementParts,
  id: string,
  name: string | null | undefined,
): Promise<Parsed<typeof Member>> {
  const { email, role, team_ids } = findInvite(parts, id)
  return parts.worlds.organisation.change((db) => {
    db.delete(invites, id)
    const [called = email] = email.split('@')
    const member = { name: name ?? called, email, role, team_ids, created_at: parts.now() }
    return presentMember(db.put(members, { id: nextOf(db, 'member').id, ...member }))
  })
}

const openInvites = ({ worlds, now }: ManagementParts): InviteRow[] =>
  [...worlds.organisation.db.all(invites)].filter(({ expires_at }) => expires_at > now())

function findInvite(parts: ManagementParts, id: string): InviteRow {
  const found = openInvites(parts).find((known) => known.id === id)
  if (!found) throw new Problem('not_found', 'Invite not found')
  return found
}

function findMember({ worlds }: ManagementParts, id: string): MemberRow {
  const found = worlds.organisation.db.find(members, id)
  if (!found) throw new Problem('not_found', 'Member not found')
  return found
}

/** Throws if teams are given for a role other than `team_admin`. */
function teamsFor(
  parts: ManagementParts,
  role: MemberRow['role'],
  bindings: readonly { readonly team_id: string }[] | null | undefined,
): string[] | null {
  if (role === 'team_admin') return boundTeams(parts, bindings ?? [])
  if (bindings?.length) throw new Problem('bad_request', `The role ${role} cannot be bound to teams.`)
  return null
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

const isIn = (part: string | null | undefined, text: string) =>
  text.toLowerCase().includes(part?.toLowerCase() ?? '')

const presentMember = ({
  id,
  name,
  email,
  created_at,
  role,
  team_ids,
}: MemberRow): Parsed<typeof Member> => ({
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
