import type { Route } from '../../../api/operation.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import type { InputRules } from './inputs.ts'

/** What a walk makes on both sides, and what its calls are about. */
export type ObjectKind = 'user' | 'order'

/** A call that a walk may make. */
export interface WalkCall {
  readonly route: Route
  /** The kind of object it creates; with `field`, where its id is in the reply. */
  readonly creates?: { readonly kind: ObjectKind; readonly field: readonly string[] }
  /** The kind of object it is about, which is created before if there is none. */
  readonly about?: ObjectKind
  /** Fields of every call. */
  readonly fixed?: JsonObject
  readonly headers?: Readonly<Record<string, string>>
  /** Calls that show what this one has changed; one of these sequences may follow at once. */
  readonly followUps?: readonly (readonly Route[])[]
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
  { route: 'DELETE /v2/user/{user_id}', ...user, followUps: [[readUser], [linkToken], [placeOrder], [listOrders], [readProviders]] },
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
  { route: 'POST /v3/order/testkit', ...createsOrder, followUps: [[listOrders], [readOrder]] },
  { route: readOrder, ...order },
  { route: listOrders, ...user },
  { route: listOrders, ...user, fixed: { page: 2, size: 1 } },
  { route: simulate, ...order, followUps: [[readOrder], [readResult], [readMetadata], [cancel]] },
  { route: cancel, ...order, followUps: [[readOrder], [simulate], [cancel]] },
  { route: readResult, ...order },
  { route: readMetadata, ...order },
  { route: readMessages, ...order },
  { route: 'PATCH /v3/order/{order_id}/communication_settings', ...order, followUps: [[readMessages]] },
  { route: 'GET /v3/lab_tests/{lab_test_id}' },
  { route: 'GET /v3/lab_tests/{lab_test_id}/markers' },
  { route: 'GET /v3/order/area/info' },
  { route: 'GET /v3/insurance/search/payor' },
]

/** The calls with which the objects are created that another call needs. */
export const creators: Readonly<Record<ObjectKind, Route>> = {
  user: 'POST /v2/user',
  order: 'POST /v3/order',
}

export const inputRules: Pick<InputRules, 'values' | 'always' | 'omitted'> = {
  values: {
    // Replaced by the ids of objects when the call is made.
    user_id: [''],
    order_id: [''],
    lab_test_id: [''],
    client_user_id: [''],
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
    access_notes: ['Ring twice'],
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
    // A simulation with a delay goes on by itself, so that replies depend on when the call is made.
    'delay',
    // Which results are missing is drawn.
    'has_missing_results',
  ]),
}
