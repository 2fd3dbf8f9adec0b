import { beforeAll, describe, expect, it } from 'vitest'
import type { AnyOperation } from '../../src/api/operation.ts'
import { mobileResource } from '../../src/resources/mobile/index.ts'
import { book, orderReady, pscSlots, visitAddress } from '../support/appointments.ts'
import { makeQuote, openSession } from '../support/checkout.ts'
import {
  address,
  advance,
  connectDemo,
  createUser,
  orderBy,
  orderForPatient,
  orderKit,
  patient,
  postUser,
  standardTest,
} from '../support/orders.ts'
import { forAllTests, startTestPetri } from '../support/petri.ts'
import { pageOf, pdfOf, upload } from '../support/reports.ts'
import { simulate } from '../support/simulation.ts'

// What is one world's is not there for another: every operation with an id in its path.

/** Paths that name what all worlds share, or what the call is to make. */
const shared = [
  'lab_tests_get_markers_by_lab_and_provider_id',
  'link_connect_manual_provider',
  'petri_snapshots_put',
  'petri_scenarios_get',
  'petri_scenarios_put',
  'petri_feeds_get',
  'petri_feeds_put',
  'petri_personas_get',
]

const REASON = '5330c863-ac80-4316-901b-d305d0df74d5'
const person = { ...patient, address: { ...address, phone_number: undefined } }
const uploads = mobileResource.operations.filter(({ id }) => id.endsWith('_upload'))
const bodies: Record<string, unknown> = {
  ...Object.fromEntries(
    uploads.map(({ id }) => {
      const data = id === 'profile_upload' || id === 'body_upload' ? {} : []
      return [id, { stage: 'daily', time_zone: 'UTC', provider: 'apple_health_kit', data }]
    }),
  ),
  user_sdk_sync_state: { tzinfo: 'UTC' },
  user_sdk_start_historical_stage: {
    range_start: '2026-01-01T00:00:00Z',
    range_end: '2026-01-05T00:00:00Z',
    backfill_type: 'steps',
  },
  user_sdk_sync_progress: { sync_progress: { backfill_types: {} }, device_info: {} },
  user_patch: { fallback_time_zone: 'UTC' },
  user_create_portal_url: { context: 'launch' },
  user_upsert_user_info: person,
  user_create_insurance: { payor_code: 'UNITE', member_id: 'M1', relationship: 'Self', insured: person },
  aggregate_query_one: {
    timeframe: { type: 'relative', anchor: '2026-01-05', past: { unit: 'day', value: 1 } },
    queries: [],
  },
  lab_tests_update_lab_test: { name: 'Stolen' },
  lab_tests_accept_unmatched_result: {},
  lab_tests_create_unmatched_result_update: { note: 'Seen' },
  lab_tests_resolve_unmatched_result: { action: 'reject' },
  lab_tests_update_order: { activate_by: null },
  create_or_update_order_communication_settings: { sms_enabled: false },
  lab_tests_book_phlebotomy_appointment: { booking_key: 'x' },
  lab_tests_request_phlebotomy_appointment: { address: visitAddress, provider: 'phlebfinders' },
  lab_tests_reschedule_phlebotomy_appointment: { booking_key: 'x' },
  lab_tests_cancel_phlebotomy_appointment: { cancellation_reason_id: REASON },
  lab_tests_book_psc_appointment: { booking_key: 'x' },
  lab_tests_reschedule_psc_appointment: { booking_key: 'x' },
  lab_tests_cancel_psc_appointment: { cancellationReasonId: REASON },
  petri_webhook_endpoints_patch: { disabled: true },
  petri_webhook_endpoints_rotate_secret: {},
  petri_orders_scenario_put: { scenario: 'manual' },
  petri_users_scenario_put: { scenario: 'manual' },
  petri_users_feed_put: { scenario: 'steady' },
  petri_users_persona_put: { persona: 'athlete' },
  petri_connections_feed_put: { scenario: 'steady' },
  checkout_refine_quote: {},
  petri_orders_move: { status: 'cancelled' },
  petri_orders_results_put: { comment: 'x' },
  petri_user_data_put: { resource: 'steps', provider: 'fitbit', samples: [] },
}
const queries: Record<string, string> = { lab_tests_get_labels_pdf: '?collection_date=2026-01-05' }
const needsDates = /^\/v2\/(timeseries|summary)\//

const petri = forAllTests(() => startTestPetri({ world: { webhookUrl: 'http://127.0.0.1:9/hook' } }))
let stranger: Record<string, string>
let ids: Record<string, string>
let before: string
beforeAll(async () => {
  const user_id = await createUser(petri)
  await connectDemo(petri, user_id, 'fitbit')
  await advance(petri, '1d')
  const order = await orderReady(petri, 'walk_in_test', { user_id })
  await book(petri, 'psc', order.id, { booking_key: (await pscSlots(petri))[0]?.booking_key })
  await simulate(petri, order.id)
  await orderKit(petri)
  await orderForPatient(petri)
  await orderBy(petri, 'at_home_phlebotomy', { user_id })
  const made = { name: 'Mine', method: 'testkit', description: 'x', marker_ids: [20001] }
  const labTest = (await petri.post('/v3/lab_tests', made)).body
  const file = { name: 'a.pdf', bytes: pdfOf([pageOf([['Glucose 90 mg/dL 65-99', 40, 700]])]) }
  const job = (await upload(petri, [file], { user_id })).body
  const astray = { case: 'match_cancelled', order_source: 'managed' }
  const { run_id } = (await petri.post('/v3/unmatched_result_test', astray, { 'x-idempotency-key': 'a' }))
    .body
  await advance(petri, '1m')
  const quote = await makeQuote(petri)
  const session = (await openSession(petri, { user_id, quote_id: quote.id })).body
  await petri.put('/_petri/snapshots/mine')
  const { body: fault } = await petri.post('/_petri/faults', {
    faults: [{ operation: 'GET /v2/providers', respond: { status: 503 } }],
  })
  const range = '?start_date=2025-12-20&end_date=2026-01-06'
  const first = async (path: string, list: string) => (await petri.read(path))[list][0]
  ids = {
    user_id,
    client_user_id: 'ada',
    provider: 'fitbit',
    device_id: (await petri.read(`/v2/user/${user_id}/device`))[0]?.id ?? '',
    workout_id: (await first(`/v2/summary/workouts/${user_id}${range}`, 'workouts')).id,
    sleep_id: (await first(`/v2/summary/sleep/${user_id}${range}`, 'sleep')).id,
    order_id: order.id,
    quote_id: quote.id,
    checkout_session_id: session.checkout_session_id,
    transaction_id: order.order_transaction.id,
    lab_test_id: labTest.id,
    job_id: job.id,
    run_id,
    raw_result_id: (await petri.read(`/v3/unmatched_result_test/${run_id}`)).raw_result_id,
    endpoint_id: (await first('/_petri/webhooks/endpoints', 'data')).id,
    message_id: (await first('/_petri/webhooks/messages', 'data')).id,
    event_id: (await first('/_petri/webhooks/messages', 'data')).svix_id,
    request_id: (await first('/_petri/requests', 'data')).id,
    team_id: petri.world().identity.teamId,
    fault_id: fault.faults[0].id,
    name: 'mine',
    query_id_or_slug: 'mine',
  }
  const { body: other } = await petri.post('/_petri/worlds', { name: 'Other', frozen: true, seed: '2' })
  stranger = { 'x-service-api-key': other.api_key }
  before = await stored()
})

/** All rows of the world, as text. */
const stored = async () =>
  JSON.stringify([...(await petri.world().db.copy())].map(([name, rows]) => [name, [...rows]]))

const pathOf = ({ id, route }: AnyOperation) => {
  const path = route.slice(route.indexOf(' ') + 1).replace(/\{(\w+)\}/g, (_, name) => {
    const value = id.startsWith('user_sdk_') && name === 'provider' ? 'apple_health_kit' : ids[name]
    if (!value) throw new Error(`${route}: there is no ${name} to ask for`)
    return value
  })
  const query = queries[id] ?? (needsDates.test(path) ? '?start_date=2026-01-01&end_date=2026-01-06' : '')
  return path + query
}
const methodOf = ({ route }: AnyOperation) => route.slice(0, route.indexOf(' '))

describe('an object of one world', () => {
  it('is 404 in another world, for every operation', { tags: 'slow' }, async () => {
    const operations = petri.petri.operations.filter(
      ({ id, route, access = 'world' }) => route.includes('{') && access === 'world' && !shared.includes(id),
    )
    const wrong: string[] = []
    for (const operation of operations) {
      const { status, body } = await petri.call(
        methodOf(operation),
        pathOf(operation),
        bodies[operation.id],
        stranger,
      )
      if (status !== 404) wrong.push(`${operation.id}: ${status} ${JSON.stringify(body).slice(0, 300)}`)
    }
    expect(wrong).toEqual([])
    expect(await stored()).toBe(before)
    expect(operations.length).toBeGreaterThan(120)
  })

  it('is found in its own world', { tags: 'slow' }, async () => {
    const reading = petri.petri.operations.filter(
      ({ id, route, access = 'world' }) =>
        route.startsWith('GET ') && route.includes('{') && access === 'world' && !shared.includes(id),
    )
    const wrong: string[] = []
    for (const operation of reading) {
      const headers = { 'x-service-api-key': 'sk_us_test' }
      const { status } = await petri.petri.app.request(pathOf(operation), { headers })
      if (status === 404) wrong.push(operation.id)
    }
    // What these objects do not have.
    expect(wrong).toEqual([
      'aggregate_get_result_table_for_continuous_query',
      'aggregate_get_task_history_for_continuous_query',
      'user_get_latest_insurance',
      'lab_tests_get_phlebotomy_appointment',
      'lab_tests_get_order_abn_pdf',
      'lab_tests_get_order_collection_instruction_pdf',
    ])
  })

  it('is not found by ids in a query or body either', async () => {
    const { user_id, order_id, lab_test_id } = ids
    const own = (await postUser(petri, 'own', stranger)).body.user_id
    const kit = (await petri.read('/v3/orders?order_type=testkit')).orders.find(
      ({ patient_details }: { patient_details: unknown }) => patient_details === null,
    )
    const test = await standardTest(petri, 'walk_in_test', stranger)
    const to = { patient_details: patient, patient_address: address }
    const shipping_details = { ...address, phone_number: patient.phone_number }
    const ask = async (path: string, body: object) => (await petri.post(path, body, stranger)).status
    expect(await ask('/v3/order', { ...to, user_id, lab_test_id: test })).toBe(404)
    expect(await ask('/v3/order', { ...to, user_id: own, lab_test_id })).toBe(400)
    expect(await ask('/v3/order/testkit', { user_id: own, lab_test_id, shipping_details })).toBe(400)
    expect(await ask('/v3/order/testkit/register', { ...to, sample_id: kit.sample_id })).toBe(404)
    expect(await ask('/v2/link/connect/demo', { user_id, provider: 'fitbit' })).toBe(404)
    expect(await ask('/v2/link/token', { user_id })).toBe(404)
    const read = (path: string) => petri.read(path, stranger)
    expect(await petri.get(`/v3/orders?user_id=${user_id}`, stranger)).toAnswer(404)
    expect((await read(`/v3/orders?order_ids=${order_id}`)).orders).toEqual([])
    expect((await read(`/v3/orders?order_transaction_id=${ids.transaction_id}`)).orders).toEqual([])
    expect((await petri.post('/v3/order/resend_events', { order_ids: [order_id] }, stranger)).body).toEqual({
      order_ids: [],
    })
    expect((await read(`/_petri/webhooks/messages?order_id=${order_id}`)).data).toEqual([])
  })
})
