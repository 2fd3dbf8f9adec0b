import { describe, expect, it } from 'vitest'
import { orderMetadata, orders } from '../../src/resources/orders/table.ts'
import {
  accountId,
  address,
  createUser,
  importedOrder,
  orderBy,
  sendOrder,
  setFeatures,
  standardTest,
} from '../support/orders.ts'
import { forEachTest, valueError } from '../support/petri.ts'

// What an order says in full: errors with all their fields, accounts, physicians, and codes of a laboratory.

const petri = forEachTest()

const importOrder = async (more: object = {}) =>
  petri.post('/v3/order/import', await importedOrder(petri, more), { 'x-petri-scenario': 'manual' })

describe('an error of a field', () => {
  it('has its type, place, message, input and context', async () => {
    expect(await importOrder()).toAnswer(200)
    expect((await importOrder()).body.detail).toEqual(
      valueError(['sample_id'], 'sample_id already exists', 'A-1'),
    )
  })
})

describe('diagnoses', () => {
  it('are refused with each fault', async () => {
    const billed = { billing_type: 'commercial_insurance', patient_address: { ...address, state: 'AZ' } }
    const lab_test_id = await standardTest(petri, 'walk_in_test')
    const said = async (...icd_codes: string[]) =>
      (await sendOrder(petri, { ...billed, lab_test_id, icd_codes })).body.detail
    expect(await said('E10.9', 'E11.9')).toBe('Invalid icd_codes: E10.9 conflicts with E11.9')
    expect(await said('nonsense', 'E10.9', 'E11.9')).toMatch(
      /^Invalid icd_codes: .+, E10.9 conflicts with E11.9$/,
    )
  })
})

it.each(['/v3/order', '/v3/order/import'])(
  'an order by %s belongs to the lab account that is named, beside or within its order set',
  async (path) => {
    await setFeatures(petri, { order_lab_account: true })
    const own = await accountId(petri, 'Own Quest')
    const quest = await accountId(petri, 'Junction Quest Account')
    const physician = { first_name: 'Pat', last_name: 'Sample', npi: '1999999992' }
    const set = { lab_test_ids: [await standardTest(petri, 'walk_in_test')] }
    const accountOf = async (sample_id: string, more: object) => {
      const order = await importedOrder(petri, { sample_id, physician, order_set: set, ...more })
      return (await petri.post(path, order)).body.order.lab_account_id
    }
    expect(await accountOf('B-1', { lab_account_id: own })).toBe(own)
    expect(await accountOf('B-2', { order_set: { ...set, lab_account_id: own } })).toBe(own)
    expect(
      await accountOf('B-3', { order_set: { ...set, lab_account_id: quest }, lab_account_id: own }),
    ).toBe(own)
    expect(await accountOf('B-4', {})).toBe(quest)
  },
)

describe('an imported order', () => {
  it('of a kit needs no lab account, and has none', async () => {
    await setFeatures(petri, { order_lab_account: true })
    const order_set = { lab_test_ids: [await standardTest(petri, 'testkit')] }
    const { status, body } = await importOrder({ order_set, collection_method: 'testkit' })
    expect([status, body.order.details.type, body.order.clinical_notes]).toEqual([200, 'testkit', null])
    expect(body.order).toMatchObject({ shipping_details: { receiver_name: 'Ada Example' }, sample_id: 'A-1' })
    expect(body.order.lab_account_id ?? null).toBeNull()
  })

  it('may spell its state in any case, with spaces around it', async () => {
    const imported = async (sample_id: string, state: string) =>
      (await importOrder({ sample_id, patient_address: { ...address, state } })).body.order.physician
    expect(await imported('C-2', ' az ')).toEqual(await imported('C-1', 'AZ'))
  })

  it('of a marker that insurers do not pay for is not billed to them', async () => {
    const made = { name: 'Signal', method: 'walk_in_test', description: 'x', marker_ids: [8083] }
    const order_set = { lab_test_ids: [(await petri.post('/v3/lab_tests', made)).body.id] }
    expect(await importOrder({ order_set, billing_type: 'commercial_insurance' })).toRefuse(
      400,
      expect.stringContaining('cannot be billed to insurance'),
    )
    expect(await importOrder({ order_set, billing_type: 'client_bill' })).toAnswer(200)
  })
})

describe('the service', () => {
  it('has several physicians in a state, and each patient has one of them', async () => {
    const lab_test_id = await standardTest(petri, 'walk_in_test')
    const npis = new Set<string>()
    for (let nth = 0; nth < 12; nth++) {
      const user_id = await createUser(petri, `user-${nth}`)
      npis.add((await sendOrder(petri, { user_id, lab_test_id })).body.order.physician.npi)
    }
    expect(npis.size).toBeGreaterThan(3)
    expect(npis.size).toBeLessThan(12)
  })

  it('gives each order, its details and its transaction an id of their own', async () => {
    const placed = [
      await orderBy(petri, 'walk_in_test'),
      await orderBy(petri, 'walk_in_test'),
      await orderBy(petri, 'at_home_phlebotomy'),
    ]
    const ids = placed.flatMap(({ id, details, order_transaction }) => [
      id,
      details.data.id,
      order_transaction.id,
    ])
    expect(new Set(ids).size).toBe(9)
  })

  it('notes consents only if there are some', async () => {
    const { id } = await orderBy(petri, 'walk_in_test')
    expect(petri.world().db.get(orderMetadata, id)).not.toHaveProperty('consents')
    expect(petri.world().db.get(orderMetadata, id)).not.toHaveProperty('draw')
  })

  it('notes when the sample is to be drawn', async () => {
    const catalogue = petri.world().services.catalogue
    const asked = [...catalogue.markers().values()].find(
      (marker) =>
        marker.a_la_carte_enabled &&
        marker.is_orderable &&
        marker.aoe?.questions.some(({ code }) => code === 'COLTIM') &&
        marker.aoe.questions.every(({ code, required }) => code === 'COLTIM' || !required),
    )
    const question = asked?.aoe?.questions.find(({ code }) => code === 'COLTIM')
    const order = await orderBy(petri, 'walk_in_test', {
      order_set: { add_on: { marker_ids: [asked?.id] } },
      collection_method: 'walk_in_test',
      aoe_answers: [{ marker_id: asked?.id, question_id: question?.id, answer: '0830' }],
    })
    expect(petri.world().db.get(orderMetadata, order.id).draw).toEqual({ minute: 510 })
  })
})

describe('codes of a laboratory', () => {
  const byCodes = (provider_ids: string[], more: object = {}) =>
    sendOrder(petri, { order_set: { add_on: { provider_ids } }, collection_method: 'walk_in_test', ...more })
  const slugsOf = ({ body }: Awaited<ReturnType<typeof byCodes>>) =>
    body.order ? `${body.order.lab_test.lab.slug} ${body.order.lab_test.markers.length}` : body.detail

  it('say which laboratory is meant, if only one has them all', async () => {
    expect(slugsOf(await byCodes(['10231', '7600']))).toBe('quest 2')
    expect(slugsOf(await byCodes(['10231', 'no such']))).toBe('Marker 10231 does not exist')
    expect(slugsOf(await byCodes(['no such']))).toBe('Marker no such does not exist')
  })

  it('are those of the laboratory of the account', async () => {
    const quest = await accountId(petri, 'Junction Quest Account')
    const labcorp = await accountId(petri, 'Own Labcorp')
    expect(slugsOf(await byCodes(['10231'], { lab_account_id: quest }))).toBe('quest 1')
    expect(slugsOf(await byCodes(['10231'], { lab_account_id: labcorp }))).toBe('Marker 10231 does not exist')
  })
})

it('an order that is imported into a world has a sample id that fits on a label, and a thousand lines at most', async () => {
  const { id } = await orderBy(petri, 'walk_in_test')
  const row = petri.world().db.get(orders, id)
  const transaction = row.order_transaction ?? expect.fail()
  const [line = expect.fail()] = transaction.orders
  const lines = (count: number) => ({
    order_transaction: { ...transaction, orders: Array.from({ length: count }, () => line) },
  })
  const takes = (change: object) => orders.schema().safeParse({ ...row, ...change }).success
  const cases = [{ sample_id: 'x'.repeat(64) }, { sample_id: 'x'.repeat(65) }, lines(1000), lines(1001)]
  expect(cases.map(takes)).toEqual([true, false, true, false])
  expect([{ sample_id: null }, { order_transaction: null }, { sample_id: 5 }].map(takes)).toEqual([
    true,
    true,
    false,
  ])
})
