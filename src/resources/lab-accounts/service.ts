import type { Parsed } from '../../api/schema.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import type { LabAccount, LabAccountQuery } from './schema.ts'
import { type LabAccountRow, labAccounts } from './table.ts'

/** Laboratories that require the customer's physician. Source: contract/lab-testing.md §6. */
const physicianLabs: ReadonlySet<string> = new Set(['labcorp', 'quest', 'sonora_quest'])

/** Whether an order with this account must name its own physician. */
export const needsPhysician = ({ lab, delegated_flow }: LabAccountRow): boolean =>
  physicianLabs.has(lab) && (delegated_flow === 'order_delegated' || delegated_flow === 'fully_delegated')

/** Whether the account supports this type of billing in this state. */
export function allowsBilling(
  { allowed_billing }: LabAccountRow,
  billingType: keyof LabAccountRow['allowed_billing'],
  state: string,
): 'yes' | 'not_supported' | 'not_in_state' {
  const states: readonly string[] | undefined = allowed_billing[billingType]
  if (!states) return 'not_supported'
  return states.includes(state) ? 'yes' : 'not_in_state'
}

/** Accounts without an organisation belong to every team. */
export const isPlatformAccount = ({ org_id, team_id_allowlist }: LabAccountRow): boolean =>
  org_id === null && team_id_allowlist.length === 0

interface LabAccountInput {
  /** The laboratory the order goes to. */
  readonly labSlug: string
  readonly labAccountId?: string | null | undefined
  /** Throws if the team has no account at the laboratory. */
  readonly teamAccountRequired?: boolean
  /** Accepts accounts that are not active yet, as imports do. */
  readonly allowPending?: boolean
}

/** The account an order is placed with; undefined for laboratories that have none. Source: contract/lab-testing.md §6. */
export function resolveLabAccount(world: World, input: LabAccountInput): LabAccountRow | undefined {
  return input.labAccountId ? namedAccount(world, input.labAccountId, input) : chooseAccount(world, input)
}

/** The account of an order that names none; undefined if such an order is refused. */
export function defaultLabAccount(world: World, labSlug: string): LabAccountRow | undefined {
  try {
    return resolveLabAccount(world, { labSlug })
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

function namedAccount(world: World, id: string, input: LabAccountInput): LabAccountRow {
  const account = getLinkedLabAccount(world, id)
  if (account.lab !== input.labSlug) {
    throw new Problem('bad_request', `Lab account is not associated with lab ${input.labSlug}`)
  }
  if (!isUsable(account, input)) throw new Problem('bad_request', 'Lab account is not active')
  return account
}

function chooseAccount(world: World, input: LabAccountInput): LabAccountRow | undefined {
  const { labSlug, teamAccountRequired = false } = input
  const accounts = world.db.by(labAccounts, 'lab', labSlug).filter((account) => isLinked(world, account))
  const own = accounts.filter((account) => !isPlatformAccount(account) && account.automatic)
  const [account, another] = own.filter(({ status }) => status === 'active')
  if (another) {
    throw new Problem(
      'bad_request',
      `Multiple active lab accounts found for lab ${labSlug}. Please specify lab_account_id.`,
    )
  }
  if (account) return account
  if (own.length > 0) throw new Problem('bad_request', `No active lab account found for lab ${labSlug}`)
  const platform = accounts.find((other) => isPlatformAccount(other) && isUsable(other, input))
  if (!platform && teamAccountRequired) {
    throw new Problem('bad_request', `No lab account found for lab ${labSlug}`)
  }
  return platform
}

const isUsable = ({ status }: LabAccountRow, { allowPending = false }: LabAccountInput) =>
  status === 'active' || (allowPending && status === 'pending')

const isLinked = (world: World, account: LabAccountRow) =>
  isPlatformAccount(account) || account.team_id_allowlist.includes(world.identity.teamId)

/** An account the team may use, or the 404. */
export function getLinkedLabAccount(world: World, id: string): LabAccountRow {
  const account = world.db.find(labAccounts, id)
  if (!account || !isLinked(world, account)) throw new Problem('not_found', 'Lab account does not exist')
  return account
}

/** Accounts the team may use. */
export const listLabAccounts = (
  world: World,
  { lab_account_id, status }: Parsed<typeof LabAccountQuery>,
): Parsed<typeof LabAccount>[] =>
  [...world.db.all(labAccounts)]
    .filter((account) => isLinked(world, account))
    .filter((account) => !lab_account_id || account.id === lab_account_id)
    .filter((account) => !status || account.status === status)
    .map(presentLabAccount)

export const presentLabAccount = ({ automatic: _, ...account }: LabAccountRow): Parsed<typeof LabAccount> =>
  account

/** Sets the teams that may use an account, also for orders that name none. */
export function linkLabAccount(world: World, id: string, teamIds: readonly string[]): LabAccountRow {
  const account = world.db.find(labAccounts, id)
  if (!account) throw new Problem('not_found', 'Lab account does not exist')
  return world.db.put(labAccounts, { ...account, team_id_allowlist: [...teamIds], automatic: true })
}

/** Adds an account of the organisation to a world without linking a team. */
export const adoptLabAccount = (world: World, account: LabAccountRow): void =>
  void world.db.put(labAccounts, { ...account, team_id_allowlist: [] })
