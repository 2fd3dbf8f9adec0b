import { describe, expect, it } from 'vitest'
import { labTests } from '../../src/resources/lab-tests/table.ts'
import { orderMetadata } from '../../src/resources/orders/table.ts'
import {
  accountId,
  address,
  cancelOrder,
  createUser,
  kitTestId,
  orderForPatient,
  orderKit,
  patient,
  readOrder,
  sendOrder,
  setFeatures,
  shipping,
  standardTest,
} from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'

// What is refused when a kit is ordered or registered, and what both take over.

const petri = forEachTest()

const NOBODY = '7f0c2d2c-0000-4000-8000-000000000000'

const place = async (more: object = {}) =>
  petri.post(
    '/v3/order/testkit',
    {
      user_id: await createUser(petri, JSON.stringify(more)),
      lab_test_id: await kitTestId(petri),
      shipping_details: shipping,
      ...more,
    },
    { 'x-petri-scenario': 'manual' },
  )
const register = (sample_id: string, more: object = {}) =>
  petri.post('/v3/order/testkit/register', {
    sample_id,
    patient_details: patient,
    patient_address: address,
    ...more,
  })
describe('a kit is not ordered', () => {
  it('of a lab test that is unknown, or collected in another way', async () => {
    expect(await place({ lab_test_id: NOBODY })).toRefuse(400, 'Test does not exist')
    expect(await place({ lab_test_id: await standardTest(petri, 'walk_in_test') })).toRefuse(
      400,
      'The lab test is not collected with a test kit',
    )
  })

  it('with a lab account that is unknown', async () => {
    expect(await place({ lab_account_id: NOBODY })).toRefuse(400, 'Lab account does not exist')
  })
})

describe('a kit is not registered', () => {
  it('if no kit has the sample id', async () => {
    expect(await register('NOSUCHSAMPLE')).toRefuse(
      404,
      'No test kit with this sample_id exists in this team',
    )
  })

  it('for a user who does not exist', async () => {
    const { id, sample_id } = await orderKit(petri, { scenario: 'manual' })
    expect(await register(sample_id, { user_id: NOBODY })).toAnswer(404)
    expect((await readOrder(petri, id)).patient_details).toBeNull()
  })

  it('once its order was cancelled', async () => {
    const { id, sample_id } = await orderKit(petri, { scenario: 'manual' })
    await cancelOrder(petri, id)
    expect(await register(sample_id)).toRefuse(
      400,
      'This test kit cannot be registered, its order is in state cancelled',
    )
  })
})

it('an order that does not exist is not cancelled', async () => {
  expect(await cancelOrder(petri, NOBODY)).toRefuse(404, "Order doesn't exist")
})

describe('a kit', () => {
  it('keeps what was passed through, and has no account at a laboratory that has none', async () => {
    expect((await place()).body.order.passthrough).toBeNull()
    const { id, passthrough } = (await place({ passthrough: 'mine' })).body.order
    expect([passthrough, petri.world().db.find(orderMetadata, id)]).toEqual(['mine', undefined])
  })

  it('is of the account that was named, also when it is registered', async () => {
    const { db } = petri.world()
    // No bundled kit is analysed by a laboratory that wants the customer's physician.
    db.put(labTests, { ...db.get(labTests, await kitTestId(petri)), lab: 'labcorp' })
    const lab_account_id = await accountId(petri, 'Own Labcorp')
    const own = (await place({ lab_account_id })).body.order
    const plain = (await place()).body.order
    expect(db.get(orderMetadata, own.id).lab_account_id).toBe(lab_account_id)
    expect(await register(plain.sample_id)).toAnswer(200)
    expect(await register(own.sample_id)).toRefuse(400, 'physician must be set, the lab account is delegated')
    const physician = { first_name: 'Pat', last_name: 'Sample', npi: '1999999992' }
    expect((await register(own.sample_id, { physician })).body.order.physician).toEqual(physician)
  })

  it('has the physician of the user who ordered it, or of the one it is registered for', async () => {
    const ada = await createUser(petri, 'ada')
    const grace = await createUser(petri, 'grace')
    const physicianOf = async (user: string) => (await orderForPatient(petri, { user })).physician
    const registered = async (more: object = {}) => {
      const { sample_id } = await orderKit(petri, { user: ada, scenario: 'manual' })
      return (await register(sample_id, more)).body.order
    }
    expect(await registered()).toMatchObject({ user_id: ada, physician: await physicianOf(ada) })
    expect(await registered({ user_id: grace })).toMatchObject({
      user_id: grace,
      physician: await physicianOf(grace),
    })
    expect(await physicianOf(ada)).not.toEqual(await physicianOf(grace))
  })

  it('is registered for a minor whose medical proxy is known already', async () => {
    await setFeatures(petri, { minor_ordering: true })
    const minor = { ...patient, dob: '2015-05-05' }
    const medical_proxy = { first_name: 'Grace', last_name: 'Example', phone_number: '+16025550124', address }
    const user = await createUser(petri)
    const named = { ...minor, medical_proxy }
    const first = { user_id: user, lab_test_id: await kitTestId(petri), patient_details: named }
    expect(await sendOrder(petri, first)).toAnswer(200)
    const { sample_id } = await orderKit(petri, { user, scenario: 'manual' })
    expect(await register(sample_id, { patient_details: minor })).toAnswer(200)
  })
})
