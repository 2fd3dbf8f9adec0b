import type { Route } from '../../src/api/operation.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import { home, OTHER, psc } from '../../src/resources/appointments/kinds.ts'
import type { InputRules } from './inputs.ts'
import type { LabTestPair } from './lab-tests.ts'

/** The objects of a walk on both sides, and those of its calls. */
export type ObjectKind =
  | 'user'
  | 'order'
  /** An order that waits for an appointment. */
  | 'bookable'
  /** An order that has had an appointment. */
  | 'appointment'

/** Which orders a call is about or places; all, if nothing is given. */
export type OrderFilter = Partial<Pick<LabTestPair, 'method' | 'lab'>>

/** A call that a walk may make. */
export interface WalkCall {
  readonly route: Route
  /** The kind of object it creates, and where its id is in the reply; without that, it is what the call is about. */
  readonly creates?: { readonly kind: ObjectKind; readonly field?: readonly string[] }
  /** The kind of object it is about, which is created before if there is none. */
  readonly about?: ObjectKind
  readonly orders?: OrderFilter
  /** Whether its reply offers times for the appointment of an order. */
  readonly offersTimes?: boolean
  /** The call whose reply offers the times this one chooses from. */
  readonly takesTimeOf?: Route
  /** The kind of object it deletes or cancels. */
  readonly removes?: ObjectKind
  /** Fields of every call. */
  readonly fixed?: JsonObject
  readonly headers?: Readonly<Record<string, string>>
  /** Calls that show what this one has changed; one of these sequences may follow at once. */
  readonly followUps?: readonly (readonly Route[])[]
  /** Whether it is made only where another call needs it or follows it up. */
  readonly isSupplied?: boolean
  /** Whether its values are generated: only fields, types, units and names are compared. */
  readonly isData?: boolean
}

const user = { about: 'user' } as const
const order = { about: 'order' } as const
/** Two days of demo data, which the services generate each by themselves. */
const data = { ...user, isData: true, fixed: { start_date: '2026-01-01', end_date: '2026-01-02' } }
const createsOrder = {
  ...user,
  creates: { kind: 'order', field: ['order', 'id'] },
  // In a Petri the order then waits to be simulated, as in the live sandbox.
  headers: { 'x-petri-scenario': 'manual' },
} as const

/** Orders with appointments that the service books at home, and at a site of a laboratory. */
const atHome = { orders: { method: 'at_home_phlebotomy' } } as const
const atSite = { orders: { method: 'walk_in_test', lab: 'quest' } } as const
const offersTimes = { about: 'bookable', isData: true, offersTimes: true, isSupplied: true } as const
const createsBookable = { ...order, creates: { kind: 'bookable' } } as const
const createsAppointment = { about: 'bookable', creates: { kind: 'appointment' } } as const
const appointment = { about: 'appointment' } as const

const readUser = 'GET /v2/user/{user_id}'
const readInfo = 'GET /v2/user/{user_id}/info/latest'
const createInsurance = 'POST /v2/user/{user_id}/insurance'
const readInsurance = 'GET /v2/user/{user_id}/insurance/latest'
const readProviders = 'GET /v2/user/providers/{user_id}'
const readSteps = 'GET /v2/timeseries/{user_id}/steps/grouped'
const linkToken = 'POST /v2/link/token'
const placeOrder = 'POST /v3/order'
const listOrders = 'GET /v3/orders'
const readOrder = 'GET /v3/order/{order_id}'
const simulate = 'POST /v3/order/{order_id}/test'
const cancel = 'POST /v3/order/{order_id}/cancel'
const readResult = 'GET /v3/order/{order_id}/result'
const readMetadata = 'GET /v3/order/{order_id}/result/metadata'
const readMessages = 'GET /v3/order/{order_id}/communication_settings'
const homeTimes = 'POST /v3/order/phlebotomy/appointment/availability'
const readVisit = 'GET /v3/order/{order_id}/phlebotomy/appointment'
const bookVisit = 'POST /v3/order/{order_id}/phlebotomy/appointment/book'
const moveVisit = 'PATCH /v3/order/{order_id}/phlebotomy/appointment/reschedule'
const cancelVisit = 'PATCH /v3/order/{order_id}/phlebotomy/appointment/cancel'
const siteTimes = 'POST /v3/order/psc/appointment/availability'
const readSiteVisit = 'GET /v3/order/{order_id}/psc/appointment'
const bookSiteVisit = 'POST /v3/order/{order_id}/psc/appointment/book'
const moveSiteVisit = 'PATCH /v3/order/{order_id}/psc/appointment/reschedule'
const cancelSiteVisit = 'PATCH /v3/order/{order_id}/psc/appointment/cancel'
const disconnect = 'DELETE /v2/user/{user_id}/{provider}'

// biome-ignore format: a table is read by its columns.
export const walkCalls: readonly WalkCall[] = [
  { route: 'POST /v2/user', creates: { kind: 'user', field: ['user_id'] }, followUps: [[readUser]] },
  { route: readUser, ...user },
  { route: 'PATCH /v2/user/{user_id}', ...user, followUps: [[readUser]] },
  { route: 'GET /v2/user/resolve/{client_user_id}', ...user },
  { route: 'PATCH /v2/user/{user_id}/info', ...user, followUps: [[readInfo]] },
  { route: readInfo, ...user },
  { route: createInsurance, ...user, followUps: [[readInsurance], [createInsurance, readInsurance]] },
  { route: readInsurance, ...user },
  { route: 'DELETE /v2/user/{user_id}', ...user, removes: 'user', followUps: [[readUser], [linkToken], [placeOrder], [listOrders], [readProviders]] },
  { route: linkToken, ...user },
  { route: 'POST /v2/link/connect/demo', ...user, followUps: [[readProviders], [readSteps], [disconnect]] },
  { route: readProviders, ...user },
  { route: disconnect, ...user, followUps: [[readProviders]] },
  { route: 'GET /v2/summary/profile/{user_id}', ...user, isData: true },
  { route: 'GET /v2/summary/sleep/{user_id}', ...data },
  { route: 'GET /v2/summary/activity/{user_id}', ...data },
  { route: readSteps, ...data },
  { route: 'GET /v2/timeseries/{user_id}/glucose/grouped', ...data },
  { route: placeOrder, ...createsOrder, followUps: [[listOrders], [readOrder], [placeOrder, listOrders]] },
  { route: 'POST /v3/order/testkit', ...createsOrder, orders: { method: 'testkit' }, followUps: [[listOrders], [readOrder]] },
  { route: readOrder, ...order },
  { route: listOrders, ...user },
  { route: listOrders, ...user, fixed: { page: 2, size: 1 } },
  { route: simulate, ...order, followUps: [[readOrder], [readResult], [readMetadata], [cancel]] },
  { route: cancel, ...order, followUps: [[readOrder], [simulate], [cancel]] },
  { route: readResult, ...order },
  { route: readMetadata, ...order },
  { route: readMessages, ...order },
  { route: 'PATCH /v3/order/{order_id}/communication_settings', ...order, followUps: [[readMessages]] },
  { route: simulate, ...createsBookable, ...atHome, fixed: { final_status: 'received.at_home_phlebotomy.requisition_created' }, isSupplied: true },
  { route: homeTimes, ...offersTimes, ...atHome },
  { route: bookVisit, ...createsAppointment, ...atHome, takesTimeOf: homeTimes, followUps: [[readVisit], [readOrder], [bookVisit]] },
  { route: readVisit, ...appointment, ...atHome, isSupplied: true },
  { route: moveVisit, ...appointment, ...atHome, takesTimeOf: homeTimes, followUps: [[readVisit]] },
  { route: cancelVisit, ...appointment, ...atHome, removes: 'appointment', followUps: [[readVisit], [cancelVisit], [moveVisit]] },
  { route: 'GET /v3/order/phlebotomy/appointment/cancellation-reasons' },
  { route: simulate, ...createsBookable, ...atSite, fixed: { final_status: 'received.walk_in_test.requisition_created' }, isSupplied: true },
  { route: siteTimes, ...offersTimes, ...atSite, fixed: { lab: 'quest', zip_code: '60606' } },
  { route: bookSiteVisit, ...createsAppointment, ...atSite, takesTimeOf: siteTimes, followUps: [[readSiteVisit], [readOrder]] },
  { route: readSiteVisit, ...appointment, ...atSite, isSupplied: true },
  { route: moveSiteVisit, ...appointment, ...atSite, takesTimeOf: siteTimes, followUps: [[readSiteVisit]] },
  { route: cancelSiteVisit, ...appointment, ...atSite, removes: 'appointment', followUps: [[readSiteVisit], [cancelSiteVisit]] },
  { route: 'GET /v3/order/psc/appointment/cancellation-reasons' },
  { route: 'GET /v3/lab_tests/{lab_test_id}' },
  { route: 'GET /v3/lab_tests/{lab_test_id}/markers' },
  { route: 'GET /v3/order/area/info' },
  { route: 'GET /v3/insurance/search/payor' },
]

const isFor = ({ orders }: WalkCall, { method }: OrderFilter) => !orders || orders.method === method

/** The call with which an object is created that another call needs. */
export function creatorOf(kind: ObjectKind, orders: OrderFilter = {}): WalkCall {
  const creator = walkCalls.find((call) => call.creates?.kind === kind && isFor(call, orders))
  if (creator) return creator
  throw new Error(`No call of the walk creates ${kind}.`)
}

/** The call that removes an object; undefined if there is none. */
export const removerOf = (kind: ObjectKind, orders: OrderFilter = {}): WalkCall | undefined =>
  walkCalls.find((call) => call.removes === kind && isFor(call, orders))

const reasonIds = ({ reasons }: typeof home, isOther: boolean) =>
  reasons.filter(({ name }) => (name === OTHER) === isOther).map(({ id }) => id)

export const inputRules: Pick<InputRules, 'values' | 'always' | 'omitted'> = {
  values: {
    // Replaced by the ids of objects when the call is made.
    user_id: [''],
    order_id: [''],
    lab_test_id: [''],
    client_user_id: [''],
    // Of an offered time.
    booking_key: [''],
    first_name: ['Ada', 'Grace'],
    last_name: ['Example', 'Example-Smith'],
    receiver_name: ['Ada Example'],
    email: ['ada@example.com', 'zoe.example@example.org'],
    phone_number: ['+16025550123', '+13125550123'],
    gender: ['female', 'male'],
    dob: ['1990-01-01', '1984-02-29', '1961-12-31'],
    fallback_birth_date: ['1990-01-01', '1984-02-29'],
    fallback_time_zone: ['America/New_York', 'Europe/Berlin'],
    ingestion_start: ['2024-01-01'],
    ingestion_end: ['2030-01-01'],
    second_line: ['Suite 7'],
    first_line: ['1 N Central Ave'],
    access_notes: ['Ring twice'],
    appointment_notes: ['The bell is broken'],
    notes: ['Travelling'],
    note: ['Travelling'],
    // Another reason needs notes.
    cancellation_reason_id: reasonIds(home, false),
    cancellationReasonId: reasonIds(psc, true),
    passthrough: ['order 17 of the test'],
    clinical_notes: ['Fasting since yesterday'],
    clinical_comments: ['None'],
    payor_code: ['AETNA', 'UNITE'],
    member_id: ['W000000001'],
    group_id: ['G-1'],
    household_income: [50_000],
    household_size: [2],
    insurance_name: ['aetna', 'medicare'],
    zip_code: ['85004', '60606'],
    radius: ['25', '100'],
    start_date: ['2026-01-01'],
    end_date: ['2026-01-02'],
    page: [1, 2],
    size: [1, 2, 50],
    patient_name: ['Ada'],
    provider: ['fitbit', 'oura', 'freestyle_libre'],
    // With the method of the order in place of the braces.
    final_status: [
      'completed.{method}.completed',
      'received.{method}.requisition_created',
      'cancelled.{method}.cancelled',
      'failed.{method}.sample_error',
    ],
  },
  // Without them, lists have the rows of others, and an order has no test.
  always: new Set(['user_id', 'lab_test_id']),
  omitted: new Set([
    // Need an object that a walk does not create.
    ...['physician', 'health_insurance', 'order_set', 'lab_account_id', 'creator_member_id', 'aoe_answers'],
    ...['order_ids', 'order_transaction_id', 'lab', 'labs', 'lab_id', 'lab_slug'],
    // Legal only together with another field, or with the settings of a team.
    ...['billing_type', 'icd_codes', 'consents', 'activate_by', 'update_reason', 'collection_method'],
    ...['medical_proxy', 'guarantor', 'filter_on_providers', 'on_error', 'on_close', 'redirect_url'],
    // A simulation with a delay continues by itself, so that replies depend on when the call is made.
    'delay',
    // An appointment that is confirmed later is, too.
    ...['async_confirmation', 'async_confirmation_timeout_millisecond'],
    // Times are offered from now on, at the nearest sites.
    ...['start_date', 'site_codes', 'allow_stale'],
    // Which results are missing is drawn.
    'has_missing_results',
  ]),
}
