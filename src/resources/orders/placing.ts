import { feature } from '../../api/features.ts'
import { invalidValue, valueError } from '../../api/issue.ts'
import type { Parsed } from '../../api/schema.ts'
import { withoutUndefined } from '../../kernel/fields.ts'
import { badRequest } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { keepDemographics } from '../demographics/service.ts'
import { latestInsurance } from '../insurance/service.ts'
import { accountForOrder, DEFAULT_BILLING, resolveLabAccount } from '../lab-accounts/service.ts'
import { orderEntries } from './directory.ts'
import { draftOrder, type PlacingContext, type Predecessor } from './draft.ts'
import type { LowStatus } from './lifecycle.ts'
import {
  assertPatient,
  assertPossiblePhones,
  assertUserOfTeam,
  demographicsOf,
  patientFields,
} from './patient.ts'
import type { ImportedOrder, NewOrder } from './requests.ts'
import {
  assertInsurable,
  assertKnownAnswers,
  assertLabAccepts,
  assertMayOrder,
  assertNotInFuture,
  choosePhysician,
  completeAnswers,
  drawSaidBy,
  insuranceFor,
  joinNotes,
} from './rules.ts'
import { assertNotInPast, beginWhenDue } from './schedule.ts'
import { labTestOf, type Selection, selectTests } from './select-tests.ts'
import { type OrderMetadata, type OrderRow, orders } from './table.ts'
import { type Draft, placeDraft } from './transition.ts'

export { assertKnownAnswers } from './rules.ts'

/** Orders a lab test for a client, whose phone numbers are also checked. */
export async function placeClientOrder(
  world: World,
  body: Parsed<typeof NewOrder>,
  context: Parameters<typeof placeOrder>[2],
): Promise<OrderRow> {
  assertPatient(world, body)
  await assertPossiblePhones(world, [body.patient_details, body.patient_address])
  return placeOrder(world, body, context)
}

/** Orders a lab test for a patient, by any method. Source: docs/contract/placing.md#orders-for-a-patient. */
export function placeOrder(
  world: World,
  body: Parsed<typeof NewOrder>,
  context: PlacingContext & {
    readonly updateReason?: 'INCORRECT_LAB' | null | undefined
    /** Whether the patient has paid, whatever the account allows. */
    readonly isPaid?: boolean
  },
): OrderRow {
  const decided = decide(world, body, context)
  const { selection } = decided
  const scenario = scenarioOf(world, context, selection, body)
  const isRecreated = (body.update_reason ?? context.updateReason) === 'INCORRECT_LAB'
  const before = isRecreated ? findRecreated(world, body.user_id, selection) : undefined
  const fields = { ...decided.fields, id: context.orderId }
  const draft = draftOrder(world, labTestOf(world, selection), fields, before)
  keepDemographics(world, body.user_id, demographicsOf(world, body))
  const order = placeDraft(world, draft, decided.metadata)
  beginWhenDue(world, order, scenario)
  return order
}

/** Makes the checks of an order that is paid before it is placed. Returns the scenario it will follow. */
export function checkPaidOrder(world: World, body: Body, context: PlacingContext): string {
  const { selection } = decide(world, body, { isPaid: true })
  return scenarioOf(world, context, selection, body)
}

type Body = Parsed<typeof NewOrder>

const scenarioOf = (
  world: World,
  context: PlacingContext,
  { method }: Selection,
  body: Pick<Body, 'user_id'> & { readonly patient_address: { readonly zip: string } },
): string =>
  world.services.scenarios.choose(world, {
    requested: context.scenario,
    method,
    zip: body.patient_address.zip,
    userId: body.user_id,
  })

interface Decided {
  readonly selection: Selection
  readonly fields: Partial<Draft> & { readonly user_id: string }
  readonly metadata: Omit<OrderMetadata, 'order_id'>
}

/** Makes all checks, in the order of the service; nothing is stored. Source: docs/contract/placing.md#orders-for-a-patient. */
function decide(world: World, body: Body, { isPaid = false }: { readonly isPaid?: boolean }): Decided {
  const { patient_details: patient, patient_address: address, icd_codes, user_id } = body
  const billing_type = body.billing_type ?? DEFAULT_BILLING
  assertPatient(world, body)
  if (body.collection_method === 'testkit') throw badRequest('Cannot set collection_method to TESTKIT')
  assertKnownAnswers(world, body.aoe_answers ?? [])
  const labAccountId = body.lab_account_id ?? body.order_set?.lab_account_id
  const selection = selectTests(world, { ...body, lab_account_id: labAccountId })
  assertNotInPast(world, body.activate_by)
  assertMayOrder(world, user_id, patient)
  assertLabAccepts(selection.lab, patient.gender)
  const answers = completeAnswers(selection.markers, body.aoe_answers ?? [], selection)
  const { lab } = selection
  const account = isPaid
    ? resolveLabAccount(world, { labSlug: lab.slug, labAccountId })
    : accountForOrder(world, { lab, labAccountId, state: address.state, billingType: body.billing_type })
  const physician = choosePhysician(world, account, {
    named: body.physician,
    state: address.state,
    userId: user_id,
  })
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
      passthrough: body.passthrough,
      billing_type,
      icd_codes,
      activate_by: body.activate_by,
      has_abn: billing_type === 'commercial_insurance' && feature(world, 'abn'),
    },
    metadata: withoutUndefined({
      lab_account_id: account?.id,
      aoe_answers: answers.length > 0 ? answers : undefined,
      draw: drawSaidBy(selection.markers, body.aoe_answers ?? []),
      consents: body.consents.length > 0 ? body.consents : undefined,
    }),
  }
}

/** Imports an order whose requisition exists elsewhere. Source: docs/contract/placing.md#imports. */
export function importOrder(
  world: World,
  body: Parsed<typeof ImportedOrder>,
  context: PlacingContext,
): OrderRow {
  const { user_id, patient_details: patient, patient_address: address, billing_type, sample_id } = body
  assertNotInFuture(world, patient)
  assertNewSample(world, sample_id)
  assertUserOfTeam(world, user_id)
  const labAccountId = body.lab_account_id ?? body.order_set.lab_account_id
  const selection = selectTests(world, { ...body, lab_account_id: labAccountId })
  assertMayOrder(world, user_id, patient)
  const state = address.state.trim().toUpperCase()
  assertLabAccepts(selection.lab, patient.gender)
  const account = accountForOrder(world, {
    lab: selection.lab,
    labAccountId,
    state,
    billingType: billing_type,
    allowPending: true,
  })
  const physician = choosePhysician(world, account, { named: body.physician, state, userId: user_id })
  if (billing_type === 'commercial_insurance') assertInsurable(selection.markers)
  const insured = billing_type === 'commercial_insurance' ? latestInsurance(world, user_id, true) : undefined
  const health_insurance_id = insured?.id ?? null
  const clinical_notes = joinNotes(account?.default_clinical_notes)
  const scenario = scenarioOf(world, context, selection, body)
  const draft = draftOrder(world, labTestOf(world, selection), {
    ...patientFields(world, selection.method, body),
    sample_id,
    clinical_notes,
    physician,
    billing_type,
    health_insurance_id,
  })
  const order = placeDraft(world, draft, account && { lab_account_id: account.id }, 'requisition_bypassed')
  world.services.scenarios.begin(world, order.id, scenario)
  return order
}

function assertNewSample(world: World, sampleId: string): void {
  if (!orderEntries(world).some((order) => order.sampleId === sampleId)) return
  throw invalidValue(valueError('sample_id already exists'), ['body', 'sample_id'], sampleId)
}

/** Statuses that end an order without a result. */
const withoutResult: readonly LowStatus[] = [
  'cancelled',
  'do_not_process',
  'sample_error',
  'lost',
  'failure_to_deliver_to_customer',
  'failure_to_deliver_to_lab',
]

/** Statuses of an order that has a result, or for which a redraw can be ordered. */
const reported: readonly LowStatus[] = ['completed', 'corrected', 'redraw_available']

/**
 * The order that a recreated one replaces, among the user's orders with a test in common: the latest that ended
 * without a result, otherwise the latest active one. Markers are compared by slug, because the laboratory may differ.
 */
function findRecreated(
  world: World,
  userId: string,
  { markers, labTest }: Selection,
): Predecessor | undefined {
  const wanted = new Set(markers.map(({ slug }) => slug))
  const fits = (order: OrderRow) =>
    (order.lab_test.id === labTest?.id || hasAny(order, wanted)) && !isReplaced(order)
  const latest = (passes: (low: LowStatus) => boolean) =>
    orderEntries(world).findLast(
      (order) => order.userId === userId && passes(order.low) && fits(world.db.get(orders, order.id)),
    )
  const found = latest((low) => withoutResult.includes(low)) ?? latest((low) => !reported.includes(low))
  const order = found && world.db.get(orders, found.id)
  return order && { order, origin: 'recreation' }
}

const hasAny = ({ lab_test }: OrderRow, slugs: ReadonlySet<string>) =>
  lab_test.markers?.some(({ slug }) => slugs.has(slug)) === true

const isReplaced = ({ id, order_transaction }: OrderRow) =>
  order_transaction?.orders.some(({ parent_id }) => parent_id === id) === true
