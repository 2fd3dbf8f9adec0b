import { pageAfter } from '../../api/pagination.ts'
import type { Parsed } from '../../api/schema.ts'
import { toWire } from '../../kernel/instant.ts'
import { createdAtOf } from '../../resources/team/service.ts'
import { apiKeysOf, withNewKey } from '../../world/api-keys.ts'
import type { ApiKey } from '../../world/identity.ts'
import type { World } from '../../world/world.ts'
import { getTeam, type ManagementParts, type TeamFilter } from '../parts.ts'
import type { TeamApiKey, TeamApiKeyInput, TeamApiKeyQuery, TeamApiKeysDeleted } from './schema.ts'

const PAGE = 100

export function listApiKeys(
  teams: readonly World[],
  { team_id, next_cursor }: Parsed<typeof TeamApiKeyQuery>,
) {
  const all = teams
    .filter(({ identity }) => !team_id || identity.teamId === team_id)
    .flatMap((world) => apiKeysOf(world.identity).map((key) => present(world, key)))
  const { items, nextCursor } = pageAfter(all, ({ id }) => id, next_cursor, PAGE)
  return { api_keys: [...items], next_cursor: nextCursor }
}

/** Creates another key of a team. It works at once and survives a reset. */
export async function makeApiKey(
  { worlds }: ManagementParts,
  teams: readonly World[],
  place: TeamFilter,
  { label, team_id }: Parsed<typeof TeamApiKeyInput>,
): Promise<Parsed<typeof TeamApiKey>> {
  const team = getTeam(teams, team_id)
  const prefix = `${place.env === 'production' ? 'pk' : 'sk'}_${place.region}_`
  let made: ApiKey | undefined
  const world = await worlds.identify(team, (identity) => {
    const changed = withNewKey(identity, label, prefix, team.clock.now())
    made = changed.furtherKeys?.at(-1)
    return changed
  })
  if (!made) throw new Error('no key was made')
  return present(world, made)
}

/** Deletes keys. The first key of a team cannot be deleted, because it identifies the world. */
export async function deleteApiKeys(
  { worlds }: ManagementParts,
  teams: readonly World[],
  ids: readonly string[],
): Promise<Parsed<typeof TeamApiKeysDeleted>> {
  const deleted = { success: [] as string[], failure: [] as string[], not_found: [] as string[] }
  for (const id of new Set(ids)) {
    const team = teams.find((world) => apiKeysOf(world.identity).some((key) => key.id === id))
    if (!team) deleted.not_found.push(id)
    else if (apiKeysOf(team.identity)[0]?.id === id) deleted.failure.push(id)
    else {
      await worlds.identify(team, (identity) => ({
        ...identity,
        furtherKeys: identity.furtherKeys?.filter((key) => key.id !== id) ?? [],
      }))
      deleted.success.push(id)
    }
  }
  return deleted
}

const present = (world: World, { id, label, value, createdAt }: ApiKey) => ({
  id,
  label,
  value,
  team_id: world.identity.teamId,
  created_at: toWire(createdAt ?? createdAtOf(world)),
})
