import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { latestInsurance } from '../insurance/service.ts'
import { allowsBilling } from '../lab-accounts/service.ts'
import type { LabAccountRow } from '../lab-accounts/table.ts'
import type { OrderRow } from './table.ts'

export interface BillingWish {
  readonly user_id: string
  readonly billing_type: OrderRow['billing_type']
  readonly state: string
  readonly icd_codes: readonly string[] | null
}

/**
 * Refuses a way of billing the account does not have in the patient's state. Answers the insurance record billed, or null.
 * Source: contract/lab-testing.md §6, §15.
 */
export function settleBilling(world: World, account: LabAccountRow | undefined, wish: BillingWish): string | null {
  const { billing_type: type, state } = wish
  const allowed = account ? allowsBilling(account, type, state) : offersWithoutAccount(type)
  if (allowed === 'not_supported') throw refuse(`Billing type ${type} is not supported by the lab account`)
  if (allowed === 'not_in_state') throw refuse(`Billing type ${type} is not available in state ${state}`)
  if (type !== 'commercial_insurance') return null
  refuseDiagnoses(wish.icd_codes)
  const record = latestInsurance(world, wish.user_id, true)
  if (!record) throw refuse('The user has no primary insurance')
  return record.id
}

const refuse = (detail: string) => new Problem('bad_request', detail)

/** Laboratories without accounts know no insurers. */
const offersWithoutAccount = (type: string) => (type === 'commercial_insurance' ? 'not_supported' : 'yes')

/** A letter, a digit, a letter or digit, and up to four more behind a point that may be left out. */
const ICD_10 = /^[A-TV-Z]\d[\dA-Z](\.?[\dA-Z]{1,4})?$/i

/** The one place where an order's diagnosis codes are judged. */
function refuseDiagnoses(codes: readonly string[] | null): void {
  if (!codes?.length) throw refuse('icd_codes must be set for commercial_insurance')
  const wrong = codes.filter((code) => !ICD_10.test(code.trim()))
  if (wrong.length > 0) throw refuse(`Invalid icd_codes: ${wrong.join(', ')}`)
}
