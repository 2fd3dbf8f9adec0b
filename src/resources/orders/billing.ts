import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import type { Marker } from '../catalogue/service.ts'
import { checkIcdCodes } from '../diagnoses/service.ts'
import { latestInsurance } from '../insurance/service.ts'
import { allowsBilling, isPlatformAccount } from '../lab-accounts/service.ts'
import type { LabAccountRow } from '../lab-accounts/table.ts'
import type { OrderRow } from './table.ts'

type BillingType = OrderRow['billing_type']

/** Throws if the account does not support the billing type in the patient's state. Source: contract/lab-testing.md §6. */
export function assertBillingAllowed(
  { name }: { readonly name: string },
  account: LabAccountRow | undefined,
  type: BillingType,
  state: string,
): void {
  const allowed = account ? allowsBilling(account, type, state) : offersWithoutAccount(type)
  if (allowed === 'not_supported')
    throw badRequest(`Billing type ${type} is not supported by the lab account`)
  if (allowed === 'not_in_state' && account && isPlatformAccount(account))
    throw badRequest(`Lab ${name} does not support state ${state}`)
  if (allowed === 'not_in_state') throw badRequest(`Billing type ${type} is not available in state ${state}`)
}

export interface InsuranceInput {
  readonly user_id: string
  readonly billing_type: BillingType
  readonly icd_codes: readonly string[] | null
  readonly markers: readonly Marker[]
}

/** The insurance record of an order, or null. Source: contract/lab-testing.md §15. */
export function insuranceFor(
  world: World,
  { user_id, billing_type, icd_codes, markers }: InsuranceInput,
): string | null {
  if (billing_type !== 'commercial_insurance') return null
  assertInsurable(markers)
  assertDiagnoses(world, icd_codes)
  const record = latestInsurance(world, user_id, true)
  if (!record) throw badRequest('The user has no primary insurance')
  return record.id
}

/** Throws for a marker that cannot be billed to insurance. Source: contract/lab-testing.md §15. */
export function assertInsurable(markers: readonly Marker[]): void {
  const marker = markers.find(({ is_insurable }) => !is_insurable)
  if (marker) throw badRequest(`Marker ${marker.name} cannot be billed to insurance`)
}

const badRequest = (detail: string) => new Problem('bad_request', detail)

/** Laboratories without accounts cannot bill insurance. */
const offersWithoutAccount = (type: string) => (type === 'commercial_insurance' ? 'not_supported' : 'yes')

/** Validates the diagnosis codes of an order. */
function assertDiagnoses(world: World, codes: readonly string[] | null): void {
  if (!codes?.length) throw badRequest('icd_codes must be set for commercial_insurance')
  const { errors, violations } = checkIcdCodes(world, codes)
  const conflicts = violations.map(({ code, conflicts_with: other }) => `${code} conflicts with ${other}`)
  const faults = [...errors, ...conflicts]
  if (faults.length > 0) throw badRequest(`Invalid icd_codes: ${faults.join(', ')}`)
}
