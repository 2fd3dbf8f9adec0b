import { describe, expect, it } from 'vitest'
import { checkPaidOrder } from '../../src/resources/orders/placing.ts'
import { NewOrder } from '../../src/resources/orders/requests.ts'
import { orders } from '../../src/resources/orders/table.ts'
import {
  accountId,
  address,
  createUser,
  importedOrder,
  orderKit,
  patient,
  readFollowed,
  readOrder,
  sendOrder,
  setFeatures,
  shipping,
  standardTest,
} from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'

// The checks of orders that were begun elsewhere: imported with their requisition, or paid before they are placed.

const petri = forEachTest()

const NOBODY = '7f0c2d2c-0000-4000-8000-000000000000'
const living = (state: string) => ({ patient_address: { ...address, state } })
const aged = (dob: string) => ({ patient_details: { ...patient, dob } })

describe('an imported order', () => {
  const importOrder = async (more: object = {}, headers: Record<string, string> = {}) =>
    petri.post('/v3/order/import', await importedOrder(petri, more), headers)

  it.each<[string, object, number, unknown]>([
    ['a user of another team', { user_id: NOBODY }, 404, 'User does not exist on this team'],
    ['somebody not born yet', aged('2026-01-06'), 422, expect.any(Array)],
    ['a minor', aged('2015-05-05'), 400, 'Ordering for patients under 18 is not enabled for this team'],
    ['no test', { order_set: {} }, 400, 'lab_test_ids or add_on must be set in order_set'],
    [
      'a billing type that the account does not have',
      { billing_type: 'patient_bill_passthrough' },
      400,
      'Billing type patient_bill_passthrough is not supported by the lab account used for this order',
    ],
    ['an account that does not exist', { lab_account_id: NOBODY }, 400, 'Lab account does not exist'],
  ])('for %s is refused', async (_, more, status, detail) => {
    await createUser(petri)
    expect(await importOrder(more)).toRefuse(status, detail)
    expect(petri.world().db.count(orders)).toBe(0)
  })

  it('for a gender that the laboratory does not take is refused', async () => {
    const made = { name: 'Urine', method: 'testkit', description: 'x', marker_ids: [24001] }
    const order_set = { lab_test_ids: [(await petri.post('/v3/lab_tests', made)).body.id] }
    const man = { patient_details: { ...patient, gender: 'male' } }
    const kit = { order_set, collection_method: 'testkit' }
    expect((await importOrder({ ...kit, ...man })).body.detail).toBe('Lab MyUTI does not allow gender male')
    expect(await importOrder(kit)).toAnswer(200)
  })

  it('follows the scenario that is named, that of its ZIP code, or that of the world', async () => {
    const { data } = await petri.read('/_petri/scenarios')
    const magic = data.find(
      ({ zip, method }: { zip: string | null; method: string }) => zip && method === 'walk_in_test',
    )
    const scenarioOf = async ({ body }: Awaited<ReturnType<typeof importOrder>>) =>
      (await readFollowed(petri, body.order.id)).scenario
    const at = { patient_address: { ...address, zip: magic.zip } }
    expect(await scenarioOf(await importOrder({ sample_id: 'A-1', ...at }))).toBe(magic.name)
    const manual = await importOrder({ sample_id: 'A-2', ...at }, { 'x-petri-scenario': 'manual' })
    expect(await scenarioOf(manual)).toBe('manual')
    const usual = await scenarioOf(await importOrder({ sample_id: 'A-3' }))
    expect([magic.name, 'manual', null]).not.toContain(usual)
  })

  it('has the notes of its account, its physician and its insurance only where there are some', async () => {
    const lab_account_id = await accountId(petri, 'Own Labcorp')
    const own = (await petri.read(`/v3/lab_test/lab_account?lab_account_id=${lab_account_id}`)).data[0]
    const physician = { first_name: 'Pat', last_name: 'Sample', npi: '1999999992' }
    const { body } = await importOrder({
      order_set: { lab_test_ids: [await standardTest(petri, 'at_home_phlebotomy')] },
      collection_method: 'at_home_phlebotomy',
      lab_account_id,
      physician,
      ...living('AZ'),
    })
    expect(body.order).toMatchObject({
      clinical_notes: own.default_clinical_notes,
      physician,
      health_insurance_id: null,
      events: [{}, { status: 'received.at_home_phlebotomy.requisition_bypassed' }],
    })
  })
})

describe('an order that is paid before it is placed', () => {
  const bodyOf = async (more: object = {}) =>
    NewOrder().parse({
      user_id: await createUser(petri, JSON.stringify(more)),
      lab_test_id: await standardTest(petri, 'walk_in_test'),
      patient_details: patient,
      patient_address: address,
      ...more,
    })
  const context = { scenario: undefined, persona: undefined }

  it('is checked as any other, without being stored, and will follow a scenario', async () => {
    const world = petri.world()
    const usual = checkPaidOrder(world, await bodyOf(), context)
    expect(usual).not.toBe('manual')
    expect(checkPaidOrder(world, await bodyOf(), { ...context, scenario: 'manual' })).toBe('manual')
    expect(world.db.count(orders)).toBe(0)
    const minor = await bodyOf(aged('2015-05-05'))
    expect(() => checkPaidOrder(world, minor, context)).toThrow('Ordering for patients under 18')
    const late = await bodyOf({ activate_by: '2026-01-04' })
    expect(() => checkPaidOrder(world, late, context)).toThrow()
  })

  it('needs no account that allows its billing type', async () => {
    const paid = { billing_type: 'upfront_payment' }
    const body = await bodyOf(paid)
    expect(() => checkPaidOrder(petri.world(), body, context)).not.toThrow()
    const lab_test_id = await standardTest(petri, 'walk_in_test')
    expect(await sendOrder(petri, { lab_test_id, ...paid })).toAnswer(400)
    const unknown = await bodyOf({ lab_account_id: NOBODY })
    expect(() => checkPaidOrder(petri.world(), unknown, context)).toThrow('Lab account does not exist')
  })
})

describe('the operations of orders', () => {
  const odd = '+1123456789'
  const bodies: Readonly<Record<string, (phone_number: string) => Promise<object>>> = {
    '/v3/order': async (phone_number) => ({
      user_id: await createUser(petri),
      lab_test_id: await standardTest(petri, 'walk_in_test'),
      patient_details: patient,
      patient_address: { ...address, phone_number },
    }),
    '/v3/order/import': async (phone_number) =>
      importedOrder(petri, { patient_details: { ...patient, phone_number } }),
    '/v3/order/testkit': async (phone_number) => ({
      user_id: await createUser(petri),
      lab_test_id: await standardTest(petri, 'testkit'),
      shipping_details: { ...shipping, phone_number },
    }),
    '/v3/order/testkit/register': async (phone_number) => ({
      sample_id: (await orderKit(petri, { scenario: 'manual' })).sample_id,
      patient_details: { ...patient, phone_number },
      patient_address: address,
    }),
  }

  it.each([
    ['/v3/order', 'Order created successfully'],
    ['/v3/order/import', 'Order created successfully'],
    ['/v3/order/testkit', 'Order created successfully'],
    ['/v3/order/testkit/register', 'Testkit registered successfully'],
  ])(
    'say that they succeeded, and refuse phone numbers that cannot exist if the team wants it: %s',
    async (path, message) => {
      const body = await bodies[path]?.(odd)
      await setFeatures(petri, { phone_numbers: 'possible' })
      expect(await petri.post(path, body)).toRefuse(400, 'Phone number is not correct')
      await setFeatures(petri, { phone_numbers: 'form' })
      const { status, body: reply } = await petri.post(path, body)
      expect([status, reply.status, reply.message]).toEqual([200, 'success', message])
      expect(reply.order).toEqual(await readOrder(petri, reply.order.id))
    },
  )

  it('do not find an order that does not exist', async () => {
    expect(await petri.get(`/v3/order/${NOBODY}`)).toRefuse(404, "This order doesn't exist")
  })
})
