import type { Manager } from '../../api/credentials.ts'
import { pageAfter } from '../../api/pagination.ts'
import type { Parsed } from '../../api/schema.ts'
import { Problem } from '../../kernel/problem.ts'
import { nextOf } from '../organisation/table.ts'
import { boundTeams, type ManagementParts, seenBy, toBindings } from '../parts.ts'
import type {
  ConfigInput,
  IntegrationConfig as ConfigShown,
  ManagedMemberInput,
  ManagedMemberPage,
  ManagedMemberPatch,
  ManagedMember as MemberShown,
} from './schema.ts'
import { type IntegrationConfig, integrationConfigs, type ManagedMember, managedMembers } from './table.ts'

const PAGE = 100

/** A slug that is always refused as taken, so that clients can test this error. */
const TAKEN_SLUG = 'taken'

export function getConfig({ worlds }: ManagementParts): IntegrationConfig {
  const config = worlds.organisation.db.find(integrationConfigs, 'configuration')
  if (!config) throw new Problem('not_found', 'The EHR integration is not configured')
  return config
}

export const presentConfig = ({
  slug,
  modalities,
  origin_configs,
}: IntegrationConfig): Parsed<typeof ConfigShown> => ({
  slug,
  modalities: [...modalities],
  origin_configs: [...origin_configs],
})

export async function setConfig(
  { worlds }: ManagementParts,
  { slug, modalities, origin_configs }: Parsed<typeof ConfigInput>,
): Promise<Parsed<typeof ConfigShown>> {
  if (slug === TAKEN_SLUG) throw new Problem('conflict', `The slug ${slug} is taken.`)
  const config = await worlds.organisation.change((db) =>
    db.put(integrationConfigs, {
      id: 'configuration',
      slug,
      modalities: [...new Set(modalities)],
      origin_configs: origin_configs.map(({ origin, session_continuation_url }) => ({
        origin,
        session_continuation_url: session_continuation_url ?? null,
      })),
    }),
  )
  return presentConfig(config)
}

export function listManagedMembers(
  parts: ManagementParts,
  manager: Manager,
  cursor: string | null | undefined,
): Parsed<typeof ManagedMemberPage> {
  const { items, nextCursor } = pageAfter(membersSeen(parts, manager), ({ id }) => id, cursor, PAGE)
  return { data: items.map(presentManagedMember), next_cursor: nextCursor }
}

/** A member by id or integration member id. Throws unless the key may see it. */
export function getManagedMember(
  parts: ManagementParts,
  manager: Manager,
  by: { readonly id: string } | { readonly integration_member_id: string },
): ManagedMember {
  const found = membersSeen(parts, manager).find((member) =>
    'id' in by ? member.id === by.id : member.integration_member_id === by.integration_member_id,
  )
  if (!found) throw new Problem('not_found', 'Member not found')
  return found
}

export function addManagedMember(
  parts: ManagementParts,
  { integration_member_id, name, email, avatar, team_role_bindings }: Parsed<typeof ManagedMemberInput>,
): Promise<Parsed<typeof MemberShown>> {
  const { organisation } = parts.worlds
  const taken = [...organisation.db.all(managedMembers)].find(
    (member) => member.integration_member_id === integration_member_id,
  )
  if (taken) throw new Problem('conflict', '', { bare: { member_id: taken.id } })
  const team_ids = boundTeams(parts, team_role_bindings ?? [])
  return organisation.change((db) => {
    const { id } = nextOf(db, 'managed_member')
    const member = { id, integration_member_id, name, email, avatar: avatar ?? null, team_ids }
    return presentManagedMember(db.put(managedMembers, member))
  })
}

/** Fields that are null or omitted stay unchanged, except that null removes the avatar. */
export function changeManagedMember(
  parts: ManagementParts,
  manager: Manager,
  id: string,
  { name, email, avatar, team_role_bindings }: Parsed<typeof ManagedMemberPatch>,
): Promise<Parsed<typeof MemberShown>> {
  const known = getManagedMember(parts, manager, { id })
  const changed = {
    ...known,
    name: name ?? known.name,
    email: email ?? known.email,
    avatar: avatar === undefined ? known.avatar : avatar,
    team_ids: team_role_bindings ? boundTeams(parts, team_role_bindings) : known.team_ids,
  }
  return parts.worlds.organisation.change((db) => presentManagedMember(db.put(managedMembers, changed)))
}

export async function removeManagedMember(
  parts: ManagementParts,
  manager: Manager,
  id: string,
): Promise<null> {
  getManagedMember(parts, manager, { id })
  await parts.worlds.organisation.change((db) => db.delete(managedMembers, id))
  return null
}

const membersSeen = ({ worlds }: ManagementParts, manager: Manager) =>
  seenBy(manager, worlds.organisation.db.all(managedMembers))

export const presentManagedMember = ({ team_ids, ...member }: ManagedMember): Parsed<typeof MemberShown> => ({
  ...member,
  team_role_bindings: toBindings(team_ids),
})
