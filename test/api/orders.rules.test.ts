import { beforeEach, describe, expect, it } from 'vitest'
import { orderMetadata } from '../../src/resources/orders/table.ts'
import {
  accountId,
  address,
  advance,
  createUser,
  importedOrder,
  insure,
  moveOrder,
  orderBy,
  orderKit,
  patient,
  readFollowed,
  readOrder,
  register,
  sendOrder,
  setFeatures,
  standardTest,
} from '../support/orders.ts'
import { ok, startTestWorld, type TestPetri } from '../support/petri.ts'

// Each rule at its boundary, and where it must not fire. Other tests make the rules fire: orders.placing, orders.changing, kits.

let petri: TestPetri
beforeEach(async () => {
  petri = await startTestWorld()
})

const walkIn = async (more: Record<string, unknown> = {}) =>
  sendOrder(petri, { lab_test_id: await standardTest(petri, 'walk_in_test'), ...more })
const aged = (dob: string) => ({ patient_details: { ...patient, dob } })
const living = (state: string) => ({ patient_address: { ...address, state } })
const physician = { first_name: 'Pat', last_name: 'Sample', npi: '1999999992' }

const insured = { billing_type: 'commercial_insurance', icd_codes: ['R53.83'], ...living('AZ') }

describe('the date of birth', () => {
  it('may be today but not tomorrow', async () => {
    await setFeatures(petri, { minor_ordering: true })
    const { first_name, last_name, phone_number } = patient
    const { receiver_name: _, ...home } = address
    const medical_proxy = { first_name, last_name, phone_number, address: home }
    const born = (dob: string) => walkIn({ patient_details: { ...patient, dob, medical_proxy } })
    expect(await born('2026-01-05')).toAnswer(200)
    expect(await born('2026-01-06')).toAnswer(422)
  })

  it('makes an adult on the eighteenth birthday, also one born on 29 February', async () => {
    expect(await walkIn(aged('2008-01-05'))).toAnswer(200)
    expect(await walkIn(aged('2008-01-06'))).toAnswer(400)
    expect(await walkIn(aged('2007-12-31'))).toAnswer(200)
    petri = await startTestWorld({ world: { now: Date.parse('2026-02-28T09:00:00Z') } })
    expect(await walkIn(aged('2008-02-29'))).toAnswer(400)
    await advance(petri, '1d')
    expect(await walkIn(aged('2008-02-29'))).toAnswer(200)
  })

  it('requires no medical proxy of an adult', async () => {
    await setFeatures(petri, { minor_ordering: true })
    expect(await walkIn()).toAnswer(200)
    const kit = await orderKit(petri, { scenario: 'manual' })
    expect(await register(petri, kit.sample_id)).toAnswer(200)
  })
})

describe('an advance beneficiary notice', () => {
  beforeEach(() => setFeatures(petri, { abn: true }))

  it.each(['client_bill', 'patient_bill'])(
    'is not attached to an order billed by %s',
    async (billing_type) => {
      const lab_account_id = await accountId(petri, 'Every Billing Quest')
      const { status, body } = await walkIn({ billing_type, lab_account_id })
      expect([status, body.order.has_abn]).toEqual([200, false])
    },
  )
})

describe('insurance', () => {
  it('is used by no order that is billed otherwise, nor are its diagnoses checked', async () => {
    const user_id = await createUser(petri)
    await insure(petri, user_id)
    const body = await ok(walkIn({ user_id, icd_codes: ['nonsense'] }))
    expect(body.order).toMatchObject({
      health_insurance_id: null,
      icd_codes: ['nonsense'],
    })
  })

  it('has to be primary, the user’s own, and is the latest such record', async () => {
    const user_id = await createUser(petri)
    const other = await createUser(petri, 'other')
    await insure(petri, other)
    await insure(petri, user_id, { is_primary: false })
    expect(await walkIn({ user_id, ...insured })).toRefuse(400, 'The user has no primary insurance')
    await insure(petri, user_id)
    const before = (await walkIn({ user_id, ...insured })).body.order.health_insurance_id
    await insure(petri, user_id, { is_primary: false })
    const same = (await walkIn({ user_id, ...insured })).body.order.health_insurance_id
    await insure(petri, user_id)
    const after = (await walkIn({ user_id, ...insured })).body.order.health_insurance_id
    expect(same).toBe(before)
    expect(after).not.toBe(before)
  })

  it('takes several valid diagnoses, and refuses those that exclude each other', async () => {
    const user_id = await createUser(petri)
    await insure(petri, user_id)
    const icd_codes = ['R53.83', 'E78.5']
    expect((await walkIn({ user_id, ...insured, icd_codes })).body.order.icd_codes).toEqual(icd_codes)
    const none = await walkIn({ user_id, ...insured, icd_codes: [] })
    expect(none.body.detail).toBe('Commercial insurance orders require at least one ICD code in icd_codes')
  })
})

describe('billing', () => {
  it('is allowed in each state the account lists for that type, and refused in the words of its owner', async () => {
    const lab_test_id = await standardTest(petri, 'at_home_phlebotomy')
    const own = { lab_test_id, physician, lab_account_id: await accountId(petri, 'Own Labcorp') }
    const platform = { lab_test_id }
    const bill = async (account: object, billing_type: string, state: string) => {
      const { status, body } = await sendOrder(petri, { ...account, billing_type, ...living(state) })
      return status === 200 ? 'ordered' : body.detail
    }
    expect(await bill(own, 'client_bill', 'NY')).toBe('ordered')
    expect(await bill(own, 'client_bill', 'TX')).toBe(
      'Billing type client_bill is not available in state TX for the lab account used for this order',
    )
    expect(await bill(own, 'patient_bill', 'AZ')).toBe(
      'Billing type patient_bill is not supported by the lab account used for this order',
    )
    expect(await bill(platform, 'client_bill', 'TX')).toBe('ordered')
    expect(await bill(platform, 'client_bill', 'NY')).toBe('Lab Labcorp does not support state NY')
  })

  it('at a laboratory without accounts is open in every state, except to insurers', async () => {
    const lab_test_id = await standardTest(petri, 'testkit')
    for (const billing_type of ['client_bill', 'patient_bill', 'patient_bill_passthrough'])
      expect(await sendOrder(petri, { lab_test_id, billing_type, ...living('NY') })).toAnswer(200)
    expect(await sendOrder(petri, { lab_test_id, ...insured })).toRefuse(
      400,
      'Billing type commercial_insurance is not supported by the lab account used for this order',
    )
  })
})

describe('the physician', () => {
  it('may be named where the service could order itself', async () => {
    expect((await walkIn({ physician })).body.order.physician).toEqual(physician)
  })

  it('is the service’s own, one for each state, where none is named', async () => {
    const one = await walkIn()
    const other = await walkIn()
    expect(one.body.order.physician).toEqual(other.body.order.physician)
    const elsewhere = await walkIn(living('TX'))
    expect(elsewhere.body.order.physician.npi).not.toBe(one.body.order.physician.npi)
  })
})

describe('notes for the laboratory', () => {
  it('may have a thousand characters, the account’s own counted', async () => {
    expect(await walkIn({ clinical_notes: 'x'.repeat(1000) })).toAnswer(200)
    expect(await walkIn({ clinical_notes: 'x'.repeat(1001) })).toAnswer(422)
    const lab_account_id = await accountId(petri, 'Own Labcorp')
    const lab_test_id = await standardTest(petri, 'at_home_phlebotomy')
    const order = { lab_test_id, lab_account_id, physician, ...living('AZ') }
    const own = (await sendOrder(petri, order)).body.order.clinical_notes.length
    const left = 1000 - own - '\n'.length
    const noted = (length: number) => sendOrder(petri, { ...order, clinical_notes: 'x'.repeat(length) })
    expect((await noted(left)).body.order.clinical_notes).toHaveLength(1000)
    expect(await noted(left + 1)).toRefuse(422, [
      { type: 'string_too_long', loc: ['body', 'clinical_notes'] },
    ])
  })

  it('are null if there are none', async () => {
    expect((await walkIn()).body.order.clinical_notes).toBeNull()
    expect((await walkIn({ clinical_notes: '' })).body.order.clinical_notes).toBeNull()
  })
})

describe('a selection of tests', () => {
  it('of one laboratory and one method needs no collection method', async () => {
    const id = await standardTest(petri, 'walk_in_test')
    const { status, body } = await sendOrder(petri, { order_set: { lab_test_ids: [id, id] } })
    expect([status, body.order.lab_test.id]).toEqual([200, id])
  })

  it('overridden to another method becomes a lab test of the service', async () => {
    const lab_test_id = await standardTest(petri, 'at_home_phlebotomy')
    const { lab_test } = (await sendOrder(petri, { lab_test_id, collection_method: 'walk_in_test' })).body
      .order
    expect(lab_test).toMatchObject({ method: 'walk_in_test', auto_generated: true })
  })

  it('of a kit needs no override', async () => {
    const id = await standardTest(petri, 'testkit')
    expect(await sendOrder(petri, { order_set: { lab_test_ids: [id] } })).toAnswer(200)
  })
})

describe('questions at order entry', () => {
  /** Labcorp's lead test: a choice, a text and a number. */
  const LEAD = 173
  const ask = (volume: string, purpose = 'LCANS4') =>
    sendOrder(petri, {
      order_set: { add_on: { marker_ids: [LEAD] } },
      collection_method: 'walk_in_test',
      aoe_answers: [
        { marker_id: LEAD, question_id: 251, answer: purpose },
        { marker_id: LEAD, question_id: 304, answer: '20260601' },
        { marker_id: LEAD, question_id: 240, answer: volume },
      ],
    })

  it.each(['12', '12.5', '12.', '.5', '-3', '+3', ' 12 '])('accept %j as a number', async (volume) => {
    expect(await ask(volume)).toAnswer(200)
  })

  it.each(['', '.', '1e3', '12,5', '1 2', 'NaN'])('refuse %j as a number', async (volume) => {
    expect(await ask(volume)).toAnswer(400)
  })

  it('accept one choice by its code, with spaces around it', async () => {
    expect(await ask('12', ' LCANS4 ')).toAnswer(200)
    expect(await ask('12', 'LCANS4,LCANS4')).toAnswer(400)
  })

  it('are not recorded where no marker has any', async () => {
    const lab_test_id = await standardTest(petri, 'testkit')
    const { id } = (await sendOrder(petri, { lab_test_id })).body.order
    expect(petri.world().db.get(orderMetadata, id)).not.toHaveProperty('aoe_answers')
  })
})

describe('the ZIP code of an order', () => {
  const scenarioAt = async (zip: string, more: Record<string, unknown> = {}) => {
    const lab_test_id = await standardTest(petri, 'testkit')
    const patient_address = { ...address, zip }
    const body = await ok(sendOrder(petri, { lab_test_id, patient_address, ...more }))
    return (await readFollowed(petri, body.order.id)).scenario
  }

  it('chooses a scenario by its first five digits', async () => {
    const body = await petri.read('/_petri/scenarios')
    const { name, zip } = body.data.find(
      (scenario: { zip: string | null; method: string }) => scenario.zip && scenario.method === 'testkit',
    )
    expect(await scenarioAt(zip)).toBe(name)
    expect(await scenarioAt(`${zip}-1234`)).toBe(name)
    expect(await scenarioAt(`85004-${zip.slice(1)}`)).toBe('happy-path')
  })

  it('selects none if no scenario of the method has it', async () => {
    expect(await scenarioAt('00499')).toBe('happy-path')
    expect(await scenarioAt('00500')).toBe('happy-path')
    const body = await petri.read('/_petri/scenarios')
    const other = body.data.find(
      ({ zip, method }: { zip: string | null; method: string }) => zip && method === 'walk_in_test',
    )
    expect(await scenarioAt(other.zip)).toBe('happy-path')
  })
})

describe('an imported order', () => {
  const importOrder = async (more: object = {}) =>
    petri.post('/v3/order/import', await importedOrder(petri, more))

  it('needs a sample id of its own only', async () => {
    expect(await importOrder()).toAnswer(200)
    expect(await importOrder({ sample_id: ' A-1 ' })).toAnswer(422)
    expect(await importOrder({ sample_id: 'a-1' })).toAnswer(200)
    expect(await importOrder({ sample_id: 'A-2' })).toAnswer(200)
  })

  it('needs no diagnoses, and takes the user’s insurance only if it is billed', async () => {
    const user_id = await createUser(petri)
    await insure(petri, user_id)
    const billed = await importOrder({ billing_type: 'commercial_insurance' })
    expect(billed.body.order).toMatchObject({
      health_insurance_id: expect.any(String),
      icd_codes: null,
      has_abn: false,
    })
    const unbilled = await importOrder({ sample_id: 'A-2' })
    expect(unbilled.body.order.health_insurance_id).toBeNull()
  })

  it('without insurance may be billed to it all the same', async () => {
    const { status, body } = await importOrder({ billing_type: 'commercial_insurance' })
    expect([status, body.order.health_insurance_id]).toEqual([200, null])
  })
})

describe('registering a kit', () => {
  it('for the user who ordered it does not change the user', async () => {
    const user = await createUser(petri)
    const kit = await orderKit(petri, { user, scenario: 'manual' })
    const { status, body } = await petri.post('/v3/order/testkit/register', {
      user_id: user,
      sample_id: ` ${kit.sample_id} `,
      patient_details: patient,
      patient_address: address,
    })
    expect([status, body.order.user_id]).toEqual([200, user])
  })

  it('records the consents that were given, and none that were not', async () => {
    const consentsOf = async (consents?: object[]) => {
      const kit = await orderKit(petri, { scenario: 'manual', zip: consents ? '85004' : '85005' })
      await petri.post('/v3/order/testkit/register', {
        sample_id: kit.sample_id,
        patient_details: patient,
        patient_address: address,
        consents,
      })
      return petri.world().db.find(orderMetadata, kit.id)?.consents
    }
    expect(await consentsOf()).toBeUndefined()
    expect(await consentsOf([{ consentType: 'terms-of-use' }])).toMatchObject([
      { consentType: 'terms-of-use' },
    ])
  })

  it('does not register an order of another method by its sample id', async () => {
    const order = await orderBy(petri, 'walk_in_test')
    await moveOrder(petri, order.id, 'requisition_created')
    const { sample_id } = await readOrder(petri, order.id)
    expect(await register(petri, sample_id)).toAnswer(404)
  })
})

describe('resending events', () => {
  const resend = (body: object) => petri.post('/v3/order/resend_events', body)

  it('takes the orders whose latest event is between both instants, their ends counted', async () => {
    const { id } = await orderBy(petri, 'walk_in_test')
    await advance(petri, '1h')
    const sent = async (start_at: string, end_at: string, more: object = {}) =>
      (await resend({ start_at, end_at, ...more })).body.order_ids
    expect(await sent('2026-01-05T09:00:00Z', '2026-01-05T09:00:00Z')).toEqual([id])
    expect(await sent('2026-01-05T09:00:01Z', '2026-01-05T10:00:00Z')).toEqual([])
    expect(await sent('2026-01-05T08:00:00Z', '2026-01-05T08:59:59Z', { order_ids: [id] })).toEqual([])
    expect((await resend({ order_ids: [id, id] })).body.order_ids).toEqual([id])
  })
})
