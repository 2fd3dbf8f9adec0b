import * as z from 'zod'
import { maybe, uuid } from '../api/fields.ts'
import { type Parsed, schema, unnamed } from '../api/schema.ts'
import { orNotFound, Problem } from '../kernel/problem.ts'
import { LabAccount, LabAccountList, LabAccountQuery } from '../resources/lab-accounts/schema.ts'
import {
  adoptLabAccount,
  isPlatformAccount,
  linkLabAccount,
  presentLabAccount,
} from '../resources/lab-accounts/service.ts'
import { labAccounts } from '../resources/lab-accounts/table.ts'
import type { KnownWorld } from '../world/resting-world.ts'
import type { World } from '../world/world.ts'
import type { Worlds } from '../world/worlds.ts'
import { managed } from './operation.ts'
import { getTeam, stored } from './teams-of-key.ts'

const AccountQuery = unnamed(() => LabAccountQuery().extend({ team_id: maybe(uuid()) }))

const AccountTeams = schema('LabAccountTeams', () => ({ team_id_allowlist: z.array(uuid()) }))

const ManagedLabAccount = schema('ManagedLabAccount', () => ({ lab_account: LabAccount().nullable() }))

export const labAccountOperations = [
  managed({
    id: 'get_lab_accounts',
    route: 'GET /v1/org/{org_id}/lab_account/{env}/{region}',
    summary: 'List the lab accounts of the organisation with their teams',
    query: AccountQuery,
    returns: LabAccountList,
    async run(_, { query: { lab_account_id, status, team_id } }, { worlds, teams }) {
      const accounts = await accountsIn(worlds, teams())
      const data = [...accounts.values()]
        .filter(({ id }) => !lab_account_id || id === lab_account_id)
        .filter((account) => !status || account.status === status)
        .filter(({ team_id_allowlist }) => !team_id || team_id_allowlist.includes(team_id))
      return { data }
    },
  }),
  managed({
    id: 'update_lab_account_team_id_allowlist',
    route: 'PATCH /v1/org/{org_id}/lab_account/{env}/{region}/{account_id}',
    summary: 'Set the teams that may use a lab account',
    adminsOnly: true,
    body: AccountTeams,
    returns: ManagedLabAccount,
    run: (_, { params, body }, { worlds, teams }) =>
      worlds.useAll(teams(), async (used) => ({
        lab_account: await linkAccount(used, params.account_id, body.team_id_allowlist),
      })),
  }),
]

/** The accounts of the organisation, each with its teams from all worlds. */
async function accountsIn(
  worlds: Worlds,
  teams: readonly KnownWorld[],
): Promise<Map<string, Parsed<typeof LabAccount>>> {
  const accounts = new Map<string, Parsed<typeof LabAccount>>()
  await worlds.each(teams, (world) => {
    for (const row of world.db.all(labAccounts)) {
      if (row.unlisted) continue
      const { team_id_allowlist, ...account } = presentLabAccount(row)
      const known = accounts.get(row.id)?.team_id_allowlist ?? []
      accounts.set(row.id, {
        ...account,
        team_id_allowlist: [...new Set([...known, ...team_id_allowlist])],
      })
    }
  })
  return accounts
}

/** Sets the teams that may use an account, in every world concerned. */
async function linkAccount(teams: readonly World[], id: string, teamIds: readonly string[]) {
  const linked = teamIds.map((teamId) => getTeam(teams, teamId))
  const owner = orNotFound(
    teams.find(({ db }) => db.has(labAccounts, id)),
    'Lab account does not exist',
  )
  const row = owner.db.get(labAccounts, id)
  if (isPlatformAccount(row)) {
    throw new Problem('forbidden', 'A platform account belongs to all teams and cannot be linked to one.')
  }
  for (const world of linked) if (!world.db.has(labAccounts, id)) adoptLabAccount(world, row)
  const holders = teams.filter(({ db }) => db.has(labAccounts, id))
  for (const world of holders) linkLabAccount(world, id, teamIds)
  await stored(holders)
  return presentLabAccount(owner.db.get(labAccounts, id))
}
