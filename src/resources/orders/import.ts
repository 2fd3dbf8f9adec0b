import type { RequestContext } from '../../api/operation.ts'
import type { Parsed } from '../../api/schema.ts'
import type { World } from '../../world/world.ts'
import { latestInsurance } from '../insurance/service.ts'
import { resolveLabAccount } from '../lab-accounts/service.ts'
import { getUser } from '../users/service.ts'
import { applyStep, updateOrderMetadata } from './apply-step.ts'
import { assertBillingAllowed, assertInsurable } from './billing.ts'
import { draftOrder } from './draft.ts'
import { ordersBy } from './filled-directory.ts'
import { commitTransition } from './moves.ts'
import { choosePhysician } from './physicians.ts'
import { chooseScenario, patientFields, unknownUser } from './place.ts'
import type { ImportedOrder } from './requests.ts'
import { assertLabAccepts, assertMayOrder, assertNotInFuture, invalidField, joinNotes } from './rules.ts'
import { labTestOf, selectTests } from './selection.ts'
import type { OrderRow } from './table.ts'

/** Imports an order whose requisition exists elsewhere. Source: contract/lab-testing.md §4.5. */
export function importOrder(
  world: World,
  body: Parsed<typeof ImportedOrder>,
  context: RequestContext,
): OrderRow {
  const { user_id, patient_details: patient, patient_address: address, billing_type, sample_id } = body
  assertNotInFuture(world, patient)
  assertNewSample(world, sample_id)
  getUser(world, user_id, unknownUser)
  const labAccountId = body.lab_account_id ?? body.order_set.lab_account_id
  const selection = selectTests(world, { ...body, lab_account_id: labAccountId })
  assertMayOrder(world, user_id, patient)
  const state = address.state.trim().toUpperCase()
  assertLabAccepts(selection.lab, patient.gender)
  const account = resolveLabAccount(world, { labSlug: selection.lab.slug, labAccountId, allowPending: true })
  const physician = choosePhysician(world, account, body.physician)
  assertBillingAllowed(selection.lab, account, billing_type, state)
  if (billing_type === 'commercial_insurance') assertInsurable(selection.markers)
  const insured = billing_type === 'commercial_insurance' ? latestInsurance(world, user_id, true) : undefined
  const health_insurance_id = insured?.id ?? null
  const clinical_notes = joinNotes(account?.default_clinical_notes)
  const scenario = chooseScenario(world, context, selection.method, address.zip, user_id)
  const draft = draftOrder(world, labTestOf(world, selection), {
    ...patientFields(world, selection.method, body),
    sample_id,
    clinical_notes,
    physician,
    billing_type,
    health_insurance_id,
    health_insurace_id: health_insurance_id,
  })
  if (account) updateOrderMetadata(world, draft.id, { lab_account_id: account.id })
  const ordered = commitTransition(world, applyStep(world, draft, { to: 'ordered' }))
  const order = commitTransition(world, applyStep(world, ordered, { to: 'requisition_bypassed' }))
  world.parts.scenarios.begin(world, order.id, scenario)
  return order
}

function assertNewSample(world: World, sampleId: string): void {
  if (ordersBy(world, 'sampleId', sampleId).length === 0) return
  const msg = 'Value error, sample_id already exists'
  throw invalidField(['sample_id'], 'value_error', msg, sampleId, { error: {} })
}
