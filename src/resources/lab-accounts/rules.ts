import type { LabAccountRow } from './table.ts'

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
