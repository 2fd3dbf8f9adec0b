import { feature } from '../../api/features.ts'
import type { RequestContext } from '../../api/operation.ts'
import type { Parsed } from '../../api/schema.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { findDemographics, keepDemographics } from '../demographics/service.ts'
import { resolveLabAccount } from '../lab-accounts/service.ts'
import { findLabTest } from '../lab-tests/service.ts'
import { getUser } from '../users/service.ts'
import { patientAddress, patientDetails, shippingDetails, shippingToPatient } from './addresses.ts'
import { completeAnswers } from './aoe.ts'
import { applyStep, type Draft, updateOrderMetadata } from './apply-step.ts'
import { assertBillingAllowed, insuranceFor } from './billing.ts'
import { draftOrder } from './draft.ts'
import type { Method } from './lifecycle.ts'
import { commitTransition } from './moves.ts'
import { choosePhysician } from './physicians.ts'
import { findRecreated } from './recreation.ts'
import type { NewKitOrder, NewOrder } from './requests.ts'
import { assertLabAccepts, assertMayOrder, assertNotInFuture, joinNotes } from './rules.ts'
import { assertNotInPast, beginWhenDue } from './schedule.ts'
import { assertActive, labTestOf, type Selection, selectTests } from './selection.ts'
import type { OrderMetadata, OrderRow } from './table.ts'

export const unknownUser = {
  unknown: 'User does not exist on this team',
  deleted: 'User does not exist on this team',
}

/** Orders a kit that a patient registers later. Source: contract/lab-testing.md §4.2. */
export function placeKit(world: World, body: Parsed<typeof NewKitOrder>, context: RequestContext): OrderRow {
  getUser(world, body.user_id, unknownUser)
  const labTest = findLabTest(world, body.lab_test_id)
  if (!labTest) throw new Problem('bad_request', 'Test does not exist')
  if (labTest.method !== 'testkit')
    throw new Problem('bad_request', 'The lab test is not collected with a test kit')
  assertActive([labTest])
  const account = resolveLabAccount(world, { labSlug: labTest.lab, labAccountId: body.lab_account_id })
  const scenario = chooseScenario(world, context, 'testkit', body.shipping_details.zip, body.user_id)
  const draft = draftOrder(world, labTest, {
    user_id: body.user_id,
    shipping_details: shippingDetails(world, body.shipping_details),
    passthrough: body.passthrough ?? null,
  })
  if (account) updateOrderMetadata(world, draft.id, { lab_account_id: account.id })
  const ordered = commitTransition(world, applyStep(world, draft, { to: 'ordered' }))
  const order = commitTransition(world, applyStep(world, ordered, { to: 'awaiting_registration' }))
  world.parts.scenarios.begin(world, order.id, scenario)
  return order
}

/** Orders a lab test for a patient, by any method. Source: contract/lab-testing.md §4.1. */
export function placeOrder(
  world: World,
  body: Parsed<typeof NewOrder>,
  context: RequestContext & { readonly updateReason?: 'INCORRECT_LAB' | null | undefined },
): OrderRow {
  const decided = decide(world, body)
  const { selection } = decided
  const scenario = chooseScenario(world, context, selection.method, body.patient_address.zip, body.user_id)
  const isRecreated = (body.update_reason ?? context.updateReason) === 'INCORRECT_LAB'
  const before = isRecreated ? findRecreated(world, body.user_id, selection) : undefined
  const draft = draftOrder(world, labTestOf(world, selection), decided.fields, before)
  updateOrderMetadata(world, draft.id, decided.metadata)
  keepDemographics(world, body.user_id, demographicsOf(world, body))
  const order = commitTransition(world, applyStep(world, draft, { to: 'ordered' }))
  beginWhenDue(world, order, scenario)
  return order
}

type Body = Parsed<typeof NewOrder>

interface Decided {
  readonly selection: Selection
  readonly fields: Partial<Draft> & { readonly user_id: string }
  readonly metadata: Omit<OrderMetadata, 'order_id'>
}

/** Makes all checks; nothing is stored. */
function decide(world: World, body: Body): Decided {
  const { patient_details: patient, patient_address: address, billing_type, icd_codes, user_id } = body
  assertNotInFuture(world, patient)
  getUser(world, user_id, unknownUser)
  const labAccountId = body.lab_account_id ?? body.order_set?.lab_account_id
  assertKitCollection(body)
  const selection = selectTests(world, { ...body, lab_account_id: labAccountId })
  assertNotInPast(world, body.activate_by)
  assertMayOrder(world, user_id, patient)
  assertLabAccepts(selection.lab, patient.gender)
  const answers = completeAnswers(selection.markers, body.aoe_answers ?? [], selection)
  const account = resolveLabAccount(world, { labSlug: selection.lab.slug, labAccountId })
  const physician = choosePhysician(world, account, body.physician)
  assertBillingAllowed(selection.lab, account, billing_type, address.state)
  const health_insurance_id = insuranceFor(world, {
    user_id,
    billing_type,
    icd_codes,
    markers: selection.markers,
  })
  const own = body.clinical_notes ?? body.clinical_comments
  return {
    selection,
    fields: {
      ...patientFields(world, selection.method, body),
      clinical_notes: joinNotes(account?.default_clinical_notes, own),
      physician,
      priority: body.priority,
      health_insurance_id,
      health_insurace_id: health_insurance_id,
      passthrough: body.passthrough,
      billing_type,
      icd_codes,
      activate_by: body.activate_by,
      has_abn: billing_type === 'commercial_insurance' && feature(world, 'abn'),
    },
    metadata: {
      ...(account && { lab_account_id: account.id }),
      ...(answers.length > 0 && { aoe_answers: answers }),
      ...(body.consents.length > 0 && { consents: body.consents }),
    },
  }
}

/** The demographics an order brings; what it leaves out stays as it was. Source: contract/lab-testing.md §4.1. */
function demographicsOf(world: World, body: Body) {
  const { user_id, patient_details: patient, patient_address: address } = body
  const { household_income: _, household_size: __, ...details } = patient
  const { first_line, second_line, city, state, zip, country, access_notes } = address
  const known = findDemographics(world, user_id)
  return {
    ...details,
    medical_proxy: details.medical_proxy ?? known?.medical_proxy ?? null,
    race: details.race ?? known?.race ?? null,
    ethnicity: details.ethnicity ?? known?.ethnicity ?? null,
    sexual_orientation: details.sexual_orientation ?? known?.sexual_orientation ?? null,
    gender_identity: details.gender_identity ?? known?.gender_identity ?? null,
    address: { first_line, second_line, city, state, zip, country, access_notes },
  }
}

/** The patient, and for kits the shipping address. */
export const patientFields = (
  world: World,
  method: Method,
  body: Pick<Body, 'user_id' | 'patient_details'> & {
    readonly patient_address: Parameters<typeof patientAddress>[1]
  },
) => ({
  user_id: body.user_id,
  patient_details: patientDetails(body.patient_details),
  patient_address: patientAddress(world, body.patient_address, body.patient_details),
  shipping_details:
    method === 'testkit' ? shippingToPatient(world, body.patient_address, body.patient_details) : null,
})

function assertKitCollection({ lab_test_id, order_set, collection_method }: Body): void {
  if ((lab_test_id || order_set) && collection_method === 'testkit') {
    throw new Problem('bad_request', 'Cannot set collection_method to TESTKIT')
  }
}

export const chooseScenario = (
  world: World,
  { scenario }: RequestContext,
  method: Method,
  zip: string,
  userId: string,
) => world.parts.scenarios.choose(world, { requested: scenario, method, zip, userId })
