import * as z from 'zod'
import { maybe, text, uuid } from '../api/fields.ts'
import { pageOf } from '../api/pagination.ts'
import { instant, schema, unnamed } from '../api/schema.ts'
import { toWire } from '../kernel/instant.ts'
import { notFound, Problem } from '../kernel/problem.ts'
import { createdAtOf } from '../resources/team/service.ts'
import { nextNumber } from '../world/organisation.ts'
import type { KnownWorld } from '../world/resting-world.ts'
import { type ApiKey, apiKeysOf, type Identity, newApiKey, withKeys } from '../world/settings.ts'
import type { WorldOutline } from '../world/world.ts'
import type { Worlds } from '../world/worlds.ts'
import { pageById } from './collection.ts'
import { deletion } from './fields.ts'
import { managed } from './operation.ts'
import { filterTeams, getTeam } from './teams-of-key.ts'

/** A key of the team API. */
const TeamApiKey = schema('TeamApiKey', () => ({
  id: z.uuid(),
  label: z.string(),
  value: z.string(),
  team_id: z.uuid(),
  created_at: instant(),
}))

const TeamApiKeyList = schema('TeamApiKeyList', () => pageOf(TeamApiKey(), 'api_keys'))
const TeamApiKeyQuery = unnamed(() => ({ next_cursor: maybe(text()), team_id: maybe(uuid()) }))
const TeamApiKeyInput = schema('TeamApiKeyInput', () => ({ label: text(), team_id: uuid() }))
const TeamApiKeyChoice = unnamed(() => ({ api_key_id: z.array(uuid()) }))
const TeamApiKeysDeleted = deletion('TeamApiKeysDeleted')

export const teamApiKeyOperations = [
  managed({
    id: 'list_team_api_keys',
    route: 'GET /v1/org/{org_id}/team_api_keys/{env}/{region}',
    summary: 'List the API keys of the teams',
    query: TeamApiKeyQuery,
    returns: TeamApiKeyList,
    run(_, { params, query: { next_cursor, team_id } }, { teams }) {
      const all = filterTeams(teams(), team_id).flatMap((world) =>
        apiKeysOf(world.identity).map((key) => present(world, key)),
      )
      const { items, ...page } = pageById(['api_keys', params, team_id], all, next_cursor)
      return { api_keys: items, ...page }
    },
  }),
  managed({
    id: 'create_team_api_key',
    route: 'POST /v1/org/{org_id}/team_api_keys/{env}/{region}',
    summary: 'Create another API key of a team; it works immediately',
    body: TeamApiKeyInput,
    returns: TeamApiKey,
    async run(_, { params: { env, region }, body: { label, team_id } }, { worlds, teams }) {
      const team = getTeam(teams(), team_id)
      const prefix = `${env === 'production' ? 'pk' : 'sk'}_${region}_`
      const number = await worlds.organisation.change((db) => nextNumber(db, 'api_key'))
      const key = newApiKey(team.identity, { number, label, prefix, now: team.clock.now() })
      const world = await worlds.identify(team, (identity) =>
        withKeys(identity, { furtherKeys: [...(identity.furtherKeys ?? []), key] }),
      )
      return present(world, key)
    },
  }),
  managed({
    id: 'delete_team_api_keys',
    route: 'DELETE /v1/org/{org_id}/team_api_keys/{env}/{region}',
    summary: 'Delete API keys; the first key of a team cannot be deleted',
    query: TeamApiKeyChoice,
    returns: TeamApiKeysDeleted,
    async run(_, { query }, { worlds, teams }) {
      const deleted = { success: [] as string[], failure: [] as string[], not_found: [] as string[] }
      for (const id of new Set(query.api_key_id)) deleted[await deleteKey(worlds, teams(), id)].push(id)
      return deleted
    },
  }),
]

/** The first key of a team cannot be deleted, because it identifies the world. */
async function deleteKey(worlds: Worlds, teams: readonly KnownWorld[], id: string) {
  const team = teams.find(({ identity }) => apiKeysOf(identity).some((key) => key.id === id))
  if (!team) return 'not_found'
  if (apiKeysOf(team.identity)[0]?.id === id) return 'failure'
  try {
    await worlds.identify(team, (identity) => withoutKey(identity, id))
    return 'success'
  } catch (error) {
    if (error instanceof Problem && error.kind === 'not_found') return 'not_found'
    throw error
  }
}

/** Throws if another call has deleted the key. */
function withoutKey(identity: Identity, id: string): Identity {
  const { furtherKeys = [] } = identity
  const others = furtherKeys.filter((key) => key.id !== id)
  if (others.length === furtherKeys.length) throw notFound('This API key was deleted')
  return withKeys(identity, { furtherKeys: others })
}

const present = (world: WorldOutline, { id, label, value, createdAt }: ApiKey) => ({
  id,
  label,
  value,
  team_id: world.identity.teamId,
  created_at: toWire(createdAt ?? createdAtOf(world)),
})
