import { feature } from '../../api/features.ts'
import type { RequestContext } from '../../api/operation.ts'
import type { Parsed } from '../../api/schema.ts'
import { atMidnight } from '../../kernel/instant.ts'
import { once } from '../../kernel/once.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { findDemographics, keepDemographics } from '../demographics/service.ts'
import { latestInsurance } from '../insurance/service.ts'
import { accountForOrder, DEFAULT_BILLING, resolveLabAccount } from '../lab-accounts/service.ts'
import { labAccounts } from '../lab-accounts/table.ts'
import { findLabTest } from '../lab-tests/service.ts'
import { getUser } from '../users/service.ts'
import { orderEntries, ordersOfUser } from './directory.ts'
import { draftOrder, type Predecessor } from './draft.ts'
import { canMove, type LowStatus, type Method } from './lifecycle.ts'
import type {
  ImportedOrder,
  KitRegistration,
  NewKitOrder,
  NewOrder,
  PatientAddressInput,
  PatientDetailsInput,
} from './requests.ts'
import {
  assertInsurable,
  assertKnownAnswers,
  assertLabAccepts,
  assertMayOrder,
  assertNotInFuture,
  choosePhysician,
  completeAnswers,
  insuranceFor,
  invalidField,
  joinNotes,
} from './rules.ts'
import { assertNotInPast, beginWhenDue } from './schedule.ts'
import { assertActive, labTestOf, type Selection, selectTests } from './select-tests.ts'
import { commitTransition } from './service.ts'
import {
  currentStatusOf,
  labOf,
  type OrderMetadata,
  type OrderRow,
  orderMetadata,
  orders,
  statusHistoryOf,
  updateOrderMetadata,
  workflowOf,
} from './table.ts'
import { applyStep, type Draft, withShipmentToCome } from './transition.ts'

const unknownUser = {
  unknown: 'User does not exist on this team',
  deleted: 'User does not exist on this team',
}

interface PlacingContext extends Pick<RequestContext, 'scenario'> {
  /** The id of the order, if one was chosen. */
  readonly orderId?: string | undefined
}

const chosenId = ({ orderId }: PlacingContext) => (orderId === undefined ? {} : { id: orderId })

/** Orders a kit that a patient registers later. Source: contract/lab-testing.md §4.2. */
export function placeKit(world: World, body: Parsed<typeof NewKitOrder>, context: PlacingContext): OrderRow {
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
    ...chosenId(context),
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
  context: PlacingContext & {
    readonly updateReason?: 'INCORRECT_LAB' | null | undefined
    /** Whether the patient has paid, whatever the account allows. */
    readonly isPaid?: boolean
  },
): OrderRow {
  const decided = decide(world, body, context)
  const { selection } = decided
  const scenario = chooseScenario(world, context, selection.method, body.patient_address.zip, body.user_id)
  const isRecreated = (body.update_reason ?? context.updateReason) === 'INCORRECT_LAB'
  const before = isRecreated ? findRecreated(world, body.user_id, selection) : undefined
  const fields = { ...decided.fields, ...chosenId(context) }
  const draft = draftOrder(world, labTestOf(world, selection), fields, before)
  updateOrderMetadata(world, draft.id, decided.metadata)
  keepDemographics(world, body.user_id, demographicsOf(world, body))
  const order = commitTransition(world, applyStep(world, draft, { to: 'ordered' }))
  beginWhenDue(world, order, scenario)
  return order
}

/** Makes the checks of an order that is paid before it is placed. Returns the scenario it will follow. */
export function checkPaidOrder(world: World, body: Body, context: RequestContext): string {
  const { selection } = decide(world, body, { isPaid: true })
  return chooseScenario(world, context, selection.method, body.patient_address.zip, body.user_id)
}

type Body = Parsed<typeof NewOrder>

interface Decided {
  readonly selection: Selection
  readonly fields: Partial<Draft> & { readonly user_id: string }
  readonly metadata: Omit<OrderMetadata, 'order_id'>
}

/** The checks that come before those of phone numbers. */
export function assertPatient(
  world: World,
  { user_id, patient_details: patient }: Pick<Body, 'user_id' | 'patient_details'>,
): void {
  assertNotInFuture(world, patient)
  getUser(world, user_id, unknownUser)
}

/** Makes all checks, in the order of the service; nothing is stored. Source: contract/recorded-2.md §10. */
function decide(world: World, body: Body, { isPaid = false }: { readonly isPaid?: boolean }): Decided {
  const { patient_details: patient, patient_address: address, icd_codes, user_id } = body
  const billing_type = body.billing_type ?? DEFAULT_BILLING
  assertPatient(world, body)
  if (body.collection_method === 'testkit')
    throw new Problem('bad_request', 'Cannot set collection_method to TESTKIT')
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
  const physician = choosePhysician(world, account, body.physician, address.state)
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
    metadata: {
      ...(account && { lab_account_id: account.id }),
      ...(answers.length > 0 && { aoe_answers: answers }),
      ...(body.consents.length > 0 && { consents: body.consents }),
    },
  }
}

/** The demographics in an order; omitted fields stay unchanged. Source: contract/lab-testing.md §4.1. */
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
    address: { first_line, second_line: second_line ?? '', city, state, zip, country, access_notes },
  }
}

/** The patient, and for kits the shipping address. */
const patientFields = (
  world: World,
  method: Method,
  body: Pick<Body, 'user_id' | 'patient_details'> & {
    readonly patient_address: Parameters<typeof patientAddress>[2]
  },
) => ({
  user_id: body.user_id,
  patient_details: patientDetails(body.patient_details),
  patient_address: patientAddress(world, method, body.patient_address, body.patient_details),
  shipping_details:
    method === 'testkit' ? shippingToPatient(world, body.patient_address, body.patient_details) : null,
})

const chooseScenario = (
  world: World,
  { scenario }: Pick<RequestContext, 'scenario'>,
  method: Method,
  zip: string,
  userId: string,
) => world.parts.scenarios.choose(world, { requested: scenario, method, zip, userId })

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
  const account = accountForOrder(world, {
    lab: selection.lab,
    labAccountId,
    state,
    billingType: billing_type,
    allowPending: true,
  })
  const physician = choosePhysician(world, account, body.physician, state)
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
  })
  if (account) updateOrderMetadata(world, draft.id, { lab_account_id: account.id })
  const ordered = commitTransition(world, applyStep(world, draft, { to: 'ordered' }))
  const order = commitTransition(world, applyStep(world, ordered, { to: 'requisition_bypassed' }))
  world.parts.scenarios.begin(world, order.id, scenario)
  return order
}

function assertNewSample(world: World, sampleId: string): void {
  if (!orderEntries(world).some((order) => order.sampleId === sampleId)) return
  const msg = 'Value error, sample_id already exists'
  throw invalidField(['sample_id'], 'value_error', msg, sampleId, { error: {} })
}

/** Binds a kit to a patient. Source: contract/lab-testing.md §4.3. */
export function registerKit(world: World, body: Parsed<typeof KitRegistration>): OrderRow {
  assertNotInFuture(world, body.patient_details)
  const kit = orderEntries(world).find(
    ({ sampleId, method }) => sampleId === body.sample_id && method === 'testkit',
  )
  if (!kit) throw new Problem('not_found', 'No test kit with this sample_id exists in this team')
  const order = world.db.get(orders, kit.id)
  assertRegistrable(order)
  if (body.user_id && body.user_id !== order.user_id) getUser(world, body.user_id)
  assertMayOrder(world, body.user_id ?? order.user_id, body.patient_details)
  const lab = world.parts.catalogue.labs().get(labOf(order))
  if (lab) assertLabAccepts(lab, body.patient_details.gender)
  const physician = choosePhysician(
    world,
    accountOf(world, order),
    body.physician,
    body.patient_address.state,
  )
  const registered = commitTransition(
    world,
    applyStep(world, bind(world, order, body, physician), { to: 'registered' }),
  )
  if (body.consents.length > 0) updateOrderMetadata(world, order.id, { consents: body.consents })
  world.parts.scenarios.resume(world, order.id, 'registration')
  return registered
}

function assertRegistrable(order: OrderRow): void {
  if (order.patient_details) throw new Problem('bad_request', 'This test kit is already registered')
  if (!canMove(workflowOf(order), statusHistoryOf(order), 'registered')) {
    throw new Problem(
      'bad_request',
      `This test kit cannot be registered, its order is in state ${currentStatusOf(order)}`,
    )
  }
}

/** The account the kit was ordered with. */
function accountOf(world: World, order: OrderRow) {
  const id = world.db.find(orderMetadata, order.id)?.lab_account_id
  return id === undefined ? undefined : world.db.find(labAccounts, id)
}

function bind(
  world: World,
  order: OrderRow,
  body: Parsed<typeof KitRegistration>,
  physician: OrderRow['physician'],
): OrderRow {
  const { patient_details: patient, patient_address: address } = body
  return {
    ...withShipmentToCome(world, order),
    user_id: body.user_id ?? order.user_id,
    patient_details: patientDetails(patient),
    patient_address: patientAddress(world, 'testkit', address, patient),
    physician,
  }
}

/** Full names by two-letter code in capitals. */
const countryNames = once(() => {
  const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const codes = letters.flatMap((first) => letters.map((second) => `${first}${second}`))
  return new Map(codes.flatMap((code) => [[code, regions.of(code)] as const]))
})

/** Converts a two-letter code to the full name, unless `contract_form` is `live`; other values stay unchanged. Source: contract/README.md #21. */
const countryName = (world: World, country: string): string =>
  (feature(world, 'contract_form') === 'spec' && countryNames().get(country.toUpperCase())) || country

type Details = Parsed<typeof PatientDetailsInput>
type Address = Parsed<typeof PatientAddressInput>
type Shipping = Parsed<typeof NewKitOrder>['shipping_details']

function patientDetails(input: Details): NonNullable<OrderRow['patient_details']> {
  const { household_income: _, household_size: __, ...details } = input
  return { ...details, dob: atMidnight(input.dob) }
}

/** Responses always have name and phone number; the patient's by default. Kits show the full name of the country. */
const patientAddress = (
  world: World,
  method: Method,
  input: Address,
  details: Details,
): NonNullable<OrderRow['patient_address']> => ({
  ...input,
  receiver_name: input.receiver_name || nameOf(details),
  country: method === 'testkit' ? countryName(world, input.country) : input.country,
  phone_number: input.phone_number ?? details.phone_number,
})

const nameOf = ({ first_name, last_name }: Details) => `${first_name} ${last_name}`

const shippingDetails = (world: World, input: Shipping): NonNullable<OrderRow['shipping_details']> => ({
  ...input,
  country: countryName(world, input.country),
})

/** A kit for a named patient is sent to the patient's address. */
const shippingToPatient = (
  world: World,
  input: Address,
  details: Details,
): NonNullable<OrderRow['shipping_details']> => ({
  receiver_name: input.receiver_name || nameOf(details),
  first_line: input.first_line,
  second_line: input.second_line,
  city: input.city,
  state: input.state,
  zip: input.zip,
  country: countryName(world, input.country),
  phone_number: input.phone_number ?? details.phone_number,
})

/** Statuses that end an order without a result. */
const ended: readonly LowStatus[] = [
  'cancelled',
  'do_not_process',
  'sample_error',
  'lost',
  'failure_to_deliver_to_customer',
  'failure_to_deliver_to_lab',
]

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
  const candidates = ordersOfUser(world, userId)
    .filter((order) => order.lab_test.id === labTest?.id || hasAny(order, wanted))
    .filter((order) => !isReplaced(order))
  const order =
    candidates.findLast((candidate) => ended.includes(currentStatusOf(candidate))) ??
    candidates.findLast(
      (candidate) => !['completed', 'corrected', 'redraw_available'].includes(currentStatusOf(candidate)),
    )
  return order && { order, origin: 'recreation' }
}

const hasAny = ({ lab_test }: OrderRow, slugs: ReadonlySet<string>) =>
  lab_test.markers?.some(({ slug }) => slugs.has(slug)) === true

const isReplaced = ({ id, order_transaction }: OrderRow) =>
  order_transaction?.orders.some(({ parent_id }) => parent_id === id) === true

interface Reachable {
  readonly phone_number?: string | null | undefined
}

/** Throws for a well-formed number that cannot exist, if the feature is on. Source: contract/lab-testing.md §5. */
export async function assertPossiblePhones(world: World, holders: readonly Reachable[]): Promise<void> {
  if (feature(world, 'phone_numbers') !== 'possible') return
  const { isValidPhoneNumber } = await import('libphonenumber-js/min')
  const numbers = holders.flatMap(({ phone_number }) => phone_number ?? [])
  if (!numbers.every((number) => isValidPhoneNumber(number))) {
    throw new Problem('bad_request', 'Phone number is not correct')
  }
}
