import { describe, expect, it } from 'vitest'
import { address, createUser, patient, sendOrder, setFeatures, standardTest } from '../support/orders.ts'
import { forEachTest, valueError } from '../support/petri.ts'

// The errors of placing an order as the live sandbox words them, and the order of its checks.

const petri = forEachTest()

const UNKNOWN = '7f0c2d2c-0000-4000-8000-000000000000'
/** Labcorp's lead test, which asks three questions. */
const LEAD = 173
const NO_MARKERS = 'No markers found for the supplied lab tests. Please check the lab test ids'
const METHODS_DIFFER = 'Cannot order with lab tests with multiple collection methods'

/** The ids of Petri's own lab tests of Labcorp, by method. */
const idOf = (method: string) => standardTest(petri, method)
const kit = async () => ({ lab_test_id: await idOf('testkit') })

describe('what is ordered', () => {
  const rows: [string, () => Promise<Record<string, unknown>>, string][] = [
    ['nothing', async () => ({}), 'Either lab_test_id or order_set must be set'],
    ['an empty set', async () => ({ order_set: {} }), 'lab_test_ids or add_on must be set in order_set'],
    ['an empty list', async () => ({ order_set: { lab_test_ids: [] } }), NO_MARKERS],
    ['an unknown test', async () => ({ lab_test_id: UNKNOWN }), 'Test does not exist'],
    [
      'an unknown test among others',
      async () => ({ order_set: { lab_test_ids: [await idOf('testkit'), UNKNOWN] } }),
      'Test does not exist',
    ],
    [
      'tests of different methods',
      async () => ({ order_set: { lab_test_ids: [await idOf('testkit'), await idOf('walk_in_test')] } }),
      METHODS_DIFFER,
    ],
    [
      'a kit by the method of kits',
      async () => ({ ...(await kit()), collection_method: 'testkit' }),
      'Cannot set collection_method to TESTKIT',
    ],
    [
      'an answer that is not among the codes',
      async () => ({
        ...(await kit()),
        aoe_answers: [{ marker_id: LEAD, question_id: 251, answer: 'Initial' }],
      }),
      'Invalid answer INITIAL for question BLOOD LEAD PURPOSE.',
    ],
  ]
  it.each(rows)('%s is refused', async (_, order, detail) => {
    expect(await sendOrder(petri, await order())).toRefuse(400, detail)
    expect((await petri.read('/v3/orders')).total).toBe(0)
  })
})

describe('a field of the patient', () => {
  // unit/birth-date has all formats and messages of dates of birth.
  it.each([
    ['gender', null, 'gender cannot be None.'],
    ['dob', null, 'date of birth is not specified.'],
    ['dob', { year: 1990 }, 'date of birth is not specified.'],
    ['dob', '1990-13-01', 'month must be in 1..12, not 13'],
    ['dob', '1990-13-01T00:00:00Z', 'month must be in 1..12, not 13'],
  ])('%s %j is refused with the text of the service', async (field, value, text) => {
    const order = { ...(await kit()), patient_details: { ...patient, [field]: value } }
    expect(await sendOrder(petri, order)).toRefuse(422, valueError(['patient_details', field], text, value))
  })

  it.each([
    ['2030-01-01', 'value_error', 'Value error, dob cannot be in the future', '2030-01-01T00:00:00+00:00'],
    [631_195_200, 'date_from_datetime_inexact', undefined, '1990-01-01T12:00:00+00:00'],
    ['1990-01-01 12:30:00.5Z', 'date_from_datetime_inexact', undefined, '1990-01-01T12:30:00.500000+00:00'],
  ])('dob %j shows the moment that was read', async (dob, type, text, input) => {
    const order = { ...(await kit()), patient_details: { ...patient, dob } }
    const msg = text ?? 'Datetimes provided to dates should have zero time - e.g. be exact dates'
    const { status, body } = await sendOrder(petri, order)
    expect([status, body.detail.length]).toEqual([422, 1])
    expect(body.detail[0]).toMatchObject({ type, loc: ['body', 'patient_details', 'dob'], msg, input })
  })

  it.each([
    ['1990-01-02', '1990-01-02'],
    ['1990W05', '1990-01-29'],
    ['1990-01-02T00:00:00+00:00', '1990-01-02'],
    [631_152_000, '1990-01-01'],
  ])('dob %j is %s', async (dob, date) => {
    const { body } = await sendOrder(petri, { ...(await kit()), patient_details: { ...patient, dob } })
    expect(body.order.patient_details.dob).toBe(`${date}T00:00:00+00:00`)
  })

  it('keeps the messages of dates in the demographics of a user', async () => {
    const path = `/v2/user/${await createUser(petri)}/info`
    const { body } = await petri.patch(path, { dob: '1990/01/01' })
    const entry = body.detail.find(({ loc }: { loc: string[] }) => loc[1] === 'dob')
    expect(entry.type).toBe('date_from_datetime_parsing')
  })

  it('state has to be in capitals', async () => {
    const order = { ...(await kit()), patient_address: { ...address, state: 'az' } }
    expect(await sendOrder(petri, order)).toRefuse(
      422,
      valueError(['patient_address', 'state'], 'Invalid state: az', 'az'),
    )
  })
})

describe('what the live service fails on', () => {
  const details = (more: object) => ({ patient_details: { ...patient, ...more } })
  const rows: [string, Record<string, unknown>][] = [
    ['a number as first name', details({ first_name: 1 })],
    ['a boolean as last name', details({ last_name: true })],
    ['a number as gender', details({ gender: 2 })],
    ['a boolean as phone number', details({ phone_number: false })],
    ['a number as phone number', details({ phone_number: 16025550123 })],
    ['a boolean as dob', details({ dob: true })],
    ['a country with a digit', { patient_address: { ...address, country: 'U5' } }],
  ]

  it.each(rows)('%s: 422, and the plain 500 under contract_form live', async (_, order) => {
    const body = {
      user_id: await createUser(petri),
      patient_address: address,
      ...(await kit()),
      ...details({}),
    }
    const send = () =>
      petri.petri.app.request('/v3/order', {
        method: 'POST',
        headers: { 'x-vital-api-key': petri.key, 'content-type': 'application/json' },
        body: JSON.stringify({ ...body, ...order }),
      })
    expect(await send()).toAnswer(422)
    await setFeatures(petri, { contract_form: 'live' })
    const failed = await send()
    expect([failed.status, failed.headers.get('content-type'), await failed.text()]).toEqual([
      500,
      'text/plain',
      'Internal Server Error',
    ])
    expect((await petri.read('/v3/orders')).total).toBe(0)
  })

  it('is no other bad input', async () => {
    await setFeatures(petri, { contract_form: 'live' })
    expect(await sendOrder(petri, { ...(await kit()), ...details({ gender: null }) })).toAnswer(422)
    expect(await sendOrder(petri, { ...(await kit()), priority: 'maybe' })).toAnswer(422)
    expect(await sendOrder(petri, await kit())).toAnswer(200)
  })
})

describe('checks', () => {
  /** Each adds an error that is checked before all the ones above it. */
  const faults: [string, Record<string, unknown>, number, unknown][] = [
    [
      'no diagnosis',
      { order_set: { lab_test_ids: ['WALK_IN'] }, billing_type: 'commercial_insurance', icd_codes: [] },
      400,
      'Commercial insurance orders require at least one ICD code in icd_codes',
    ],
    [
      'an unsupported billing type',
      { billing_type: 'patient_bill_passthrough' },
      400,
      expect.stringMatching(/^Billing type patient_bill_passthrough is not supported/),
    ],
    ['an unknown account', { lab_account_id: UNKNOWN }, 400, 'Lab account does not exist'],
    ['methods that differ', { order_set: { lab_test_ids: ['KIT', 'WALK_IN'] } }, 400, METHODS_DIFFER],
    ['an unknown test', { order_set: { lab_test_ids: ['KIT', UNKNOWN] } }, 400, 'Test does not exist'],
    ['an empty list', { order_set: { lab_test_ids: [] } }, 400, NO_MARKERS],
    ['neither test nor set', { order_set: null }, 400, 'Either lab_test_id or order_set must be set'],
    [
      'an unknown question',
      { aoe_answers: [{ marker_id: LEAD, question_id: 9, answer: 'x' }] },
      400,
      `Invalid question_id 9 for marker id ${LEAD}.`,
    ],
    ['the method of kits', { collection_method: 'testkit' }, 400, 'Cannot set collection_method to TESTKIT'],
    [
      'an impossible phone number',
      { patient_details: { ...patient, phone_number: '+15555550123' } },
      400,
      'Phone number is not correct',
    ],
    ['an unknown user', { user_id: UNKNOWN }, 404, 'User does not exist on this team'],
    ['an invalid body', { priority: 'maybe' }, 422, [expect.objectContaining({ type: 'bool_parsing' })]],
  ]

  it('are made in the order of the service', async () => {
    await setFeatures(petri, { phone_numbers: 'possible' })
    const user_id = await createUser(petri)
    const possible = { ...patient, phone_number: '+14155550123' }
    const ids = { KIT: await idOf('testkit'), WALK_IN: await idOf('walk_in_test') }
    let order: Record<string, unknown> = { user_id, patient_details: possible }
    for (const [name, more, status, detail] of faults) {
      order = { ...order, ...more }
      const text = JSON.stringify(order)
        .replace('"KIT"', `"${ids.KIT}"`)
        .replace('"WALK_IN"', `"${ids.WALK_IN}"`)
      const answer = await sendOrder(petri, JSON.parse(text))
      expect([name, answer.status, answer.body.detail]).toEqual([name, status, detail])
    }
  })
})

describe('without a key', () => {
  it('every route answers 401', async () => {
    const mirrored = petri.petri.operations.filter(
      ({ route, access = 'world' }) => access === 'world' && !route.includes(' /_petri/'),
    )
    for (const { route } of mirrored) {
      const [method = '', path = ''] = route.split(' ')
      const url = path.replace(/\{\w+\}/g, UNKNOWN)
      const response = await petri.petri.app.request(url, { method })
      const found = [route, response.status, await response.json()]
      expect(found).toEqual([route, 401, { detail: 'Missing x-vital-api-key' }])
    }
  })
})
