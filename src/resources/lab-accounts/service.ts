import type { Parsed } from '../../api/schema.ts'
import { omit } from '../../kernel/fields.ts'
import { badRequest, orNotFound, Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import type { billingTypes, LabSeed } from '../catalogue/schema.ts'
import type { LabAccount, LabAccountQuery } from './schema.ts'
import { type LabAccountRow, labAccounts } from './table.ts'

export type BillingType = (typeof billingTypes)[number]

/** Laboratories that require the customer's physician. Source: docs/contract/lab-accounts.md. */
const physicianLabs: ReadonlySet<string> = new Set(['labcorp', 'quest', 'sonora_quest'])

/** Whether an order with this account must name its own physician. */
export const needsPhysician = ({ lab, delegated_flow }: LabAccountRow): boolean =>
  physicianLabs.has(lab) && (delegated_flow === 'order_delegated' || delegated_flow === 'fully_delegated')

/** Whether the account supports this type of billing in this state. Lists have the fifty states; elsewhere all types are supported. */
export function allowsBilling(
  { allowed_billing }: LabAccountRow,
  billingType: BillingType,
  state: string,
): 'yes' | 'not_supported' | 'not_in_state' {
  const states: readonly string[] | undefined = allowed_billing[billingType]
  if (!states) return 'not_supported'
  return states.includes(state) || isInNoList(state) ? 'yes' : 'not_in_state'
}

const isInNoList = (state: string) => state === 'DC' || state === 'PR'

/** The billing types that the account supports in a state, in the account's order. */
export const billingIn = (account: LabAccountRow, state: string): BillingType[] =>
  (Object.keys(account.allowed_billing) as BillingType[]).filter(
    (type) => allowsBilling(account, type, state) === 'yes',
  )

/** Accounts without an organisation belong to every team. */
export const isPlatformAccount = ({ org_id, team_id_allowlist }: LabAccountRow): boolean =>
  org_id === null && team_id_allowlist.length === 0

interface LabAccountInput {
  /** The laboratory the order goes to. */
  readonly labSlug: string
  readonly labAccountId?: string | null | undefined
  /** Accepts accounts that are not active yet, as imports do. */
  readonly allowPending?: boolean
}

/** The account an order is placed with; undefined for laboratories that have none. Source: docs/contract/lab-accounts.md. */
export function resolveLabAccount(world: World, input: LabAccountInput): LabAccountRow | undefined {
  const named = input.labAccountId ? namedAccount(world, input.labAccountId, input) : undefined
  // An account of another laboratory is accepted, and not used.
  return named?.lab === input.labSlug ? named : chooseAccount(world, input)
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

interface BillingInput extends Omit<LabAccountInput, 'labSlug'> {
  readonly lab: Pick<LabSeed, 'id' | 'slug' | 'name'>
  /** The patient's state. */
  readonly state: string
  /** Undefined if the customer names none. */
  readonly billingType: BillingType | undefined
}

/** The billing type of orders that name none. */
export const DEFAULT_BILLING = 'client_bill' satisfies BillingType

/** The account that pays for an order. Checks the state, the account and the billing, in this order. */
export function accountForOrder(world: World, input: BillingInput): LabAccountRow | undefined {
  const { lab, state, billingType } = input
  const labAccount = { ...input, labSlug: lab.slug }
  assertStateServed(world, labAccount)
  const account = resolveLabAccount(world, labAccount)
  const type = billingType ?? DEFAULT_BILLING
  const allowed = account ? allowsBilling(account, type, state) : billedWithoutAccount(type)
  if (allowed === 'not_supported') {
    throw badRequest(
      billingType
        ? `Billing type ${type} is not supported by the lab account used for this order`
        : `Lab ${lab.id} does not support billing type ${type}`,
    )
  }
  if (allowed === 'not_in_state') {
    throw badRequest(
      `Billing type ${type} is not available in state ${state} for the lab account used for this order`,
    )
  }
  return account
}

/** Throws if no account of the laboratory that an order could be placed with bills anything in the state. */
function assertStateServed(world: World, { lab, state, labAccountId }: BillingInput): void {
  const accounts = linkedAccounts(world, lab.slug).filter(
    (account) => isPlatformAccount(account) || account.automatic || account.id === labAccountId,
  )
  if (accounts.length === 0 || accounts.some((account) => billingIn(account, state).length > 0)) return
  throw badRequest(`Lab ${lab.name} does not support state ${state}`)
}

/** Laboratories without accounts cannot bill insurance, and take no payment in advance. */
const billedWithoutAccount = (type: BillingType) =>
  type === 'commercial_insurance' || type === 'upfront_payment' ? 'not_supported' : 'yes'

function namedAccount(world: World, id: string, input: LabAccountInput): LabAccountRow {
  const account = world.db.find(labAccounts, id)
  if (!account) throw badRequest(UNKNOWN)
  if (!isLinked(world, account)) throw badRequest('Lab account is not linked to your team')
  if (!isUsable(account, input)) throw badRequest('Lab account is not active')
  return account
}

function chooseAccount(world: World, input: LabAccountInput): LabAccountRow | undefined {
  const accounts = linkedAccounts(world, input.labSlug)
  const own = accounts.filter((account) => !isPlatformAccount(account) && account.automatic)
  const active = own.find(({ status }) => status === 'active')
  if (active) return active
  if (own.length > 0) throw badRequest('No active lab account is available for this lab')
  return accounts.find((account) => isPlatformAccount(account) && isUsable(account, input))
}

const linkedAccounts = (world: World, labSlug: string): LabAccountRow[] =>
  world.db.by(labAccounts, 'lab', labSlug).filter((account) => isLinked(world, account))

const isUsable = ({ status }: LabAccountRow, { allowPending = false }: LabAccountInput) =>
  status === 'active' || (allowPending && status === 'pending')

const isLinked = (world: World, account: LabAccountRow) =>
  isPlatformAccount(account) || account.team_id_allowlist.includes(world.identity.teamId)

const UNKNOWN = 'Lab account does not exist'

/** The laboratory of an account; undefined for an unknown account. */
export const labOfAccount = (world: World, id: string): string | undefined =>
  world.db.find(labAccounts, id)?.lab

/** An account the team may use, or the 404. */
export function getLinkedLabAccount(world: World, id: string): LabAccountRow {
  const account = world.db.find(labAccounts, id)
  if (!account || !isLinked(world, account)) throw new Problem('not_found', UNKNOWN)
  return account
}

/** Accounts the team may use. */
export const listLabAccounts = (
  world: World,
  { lab_account_id, status }: Parsed<typeof LabAccountQuery>,
): Parsed<typeof LabAccount>[] =>
  [...world.db.all(labAccounts)]
    .filter((account) => !account.unlisted && isLinked(world, account))
    .filter((account) => !lab_account_id || account.id === lab_account_id)
    .filter((account) => !status || account.status === status)
    .map(presentLabAccount)

export const presentLabAccount = (row: LabAccountRow): Parsed<typeof LabAccount> =>
  omit(row, 'automatic', 'unlisted')

/** Sets the teams that may use an account, also for orders that name none. */
export function linkLabAccount(world: World, id: string, teamIds: readonly string[]): LabAccountRow {
  const account = orNotFound(world.db.find(labAccounts, id), UNKNOWN)
  return world.db.put(labAccounts, { ...account, team_id_allowlist: [...teamIds], automatic: true })
}

/** Adds an account of the organisation to a world without linking a team. */
export const adoptLabAccount = (world: World, account: LabAccountRow): void =>
  void world.db.put(labAccounts, { ...account, team_id_allowlist: [] })
