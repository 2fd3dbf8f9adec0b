import type { Parsed } from '../../api/schema.ts'
import { Problem } from '../../kernel/problem.ts'
import { runInSlices } from '../../kernel/slices.ts'
import type { LabAccount } from '../../resources/lab-accounts/schema.ts'
import {
  adoptLabAccount,
  isPlatformAccount,
  linkLabAccount,
  presentLabAccount,
} from '../../resources/lab-accounts/service.ts'
import { labAccounts } from '../../resources/lab-accounts/table.ts'
import type { World } from '../../world/world.ts'
import { getTeam } from '../parts.ts'
import type { AccountQuery } from './schema.ts'

/** The accounts of the organisation, each with its teams from all worlds. */
export async function listAccounts(
  teams: readonly World[],
  { lab_account_id, status, team_id }: Parsed<typeof AccountQuery>,
): Promise<Parsed<typeof LabAccount>[]> {
  const accounts = await runInSlices(accountsIn(teams))
  return [...accounts.values()]
    .filter(({ id }) => !lab_account_id || id === lab_account_id)
    .filter((account) => !status || account.status === status)
    .filter(({ team_id_allowlist }) => !team_id || team_id_allowlist.includes(team_id))
}

/** The accounts of all worlds, one world at a step. */
function* accountsIn(worlds: readonly World[]): Generator<void, Map<string, Parsed<typeof LabAccount>>> {
  const accounts = new Map<string, Parsed<typeof LabAccount>>()
  for (const world of worlds) {
    for (const row of world.db.all(labAccounts)) {
      const { team_id_allowlist, ...account } = presentLabAccount(row)
      const known = accounts.get(row.id)?.team_id_allowlist ?? []
      accounts.set(row.id, {
        ...account,
        team_id_allowlist: [...new Set([...known, ...team_id_allowlist])],
      })
    }
    yield
  }
  return accounts
}

/** Sets the teams that may use an account, in every world concerned. */
export async function linkAccount(
  teams: readonly World[],
  { id, teamIds }: { readonly id: string; readonly teamIds: readonly string[] },
): Promise<Parsed<typeof LabAccount>> {
  const linked = teamIds.map((teamId) => getTeam(teams, teamId))
  const owner = teams.find(({ db }) => db.has(labAccounts, id))
  if (!owner) throw new Problem('not_found', 'Lab account does not exist')
  const row = owner.db.get(labAccounts, id)
  if (isPlatformAccount(row)) {
    throw new Problem('forbidden', 'A platform account belongs to all teams and cannot be linked to one.')
  }
  for (const world of linked) if (!world.db.has(labAccounts, id)) adoptLabAccount(world, row)
  const holders = teams.filter(({ db }) => db.has(labAccounts, id))
  for (const world of holders) linkLabAccount(world, id, teamIds)
  await Promise.all(holders.map(({ db }) => db.settled()))
  return presentLabAccount(owner.db.get(labAccounts, id))
}
