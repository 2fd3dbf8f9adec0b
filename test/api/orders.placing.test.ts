import { describe, expect, it } from 'vitest'
import { findDemographics } from '../../src/resources/demographics/service.ts'
import { orderMetadata } from '../../src/resources/orders/table.ts'
import { field } from '../support/field.ts'
import {
  accountId,
  address,
  createUser,
  insure,
  orderBy,
  patient,
  readOrder,
  sendOrder,
  setFeatures,
  standardTest,
} from '../support/orders.ts'
import { forEachTest, ok, refusal } from '../support/petri.ts'
import { simulate } from '../support/simulation.ts'

/** Labcorp's lead test, which asks three questions. */
const LEAD = 173
const lead = {
  order_set: { add_on: { marker_ids: [LEAD] } },
  collection_method: 'walk_in_test',
}
const leadAnswers = [
  { marker_id: LEAD, question_id: 251, answer: 'LCANS4' },
  { marker_id: LEAD, question_id: 304, answer: '20260601' },
  { marker_id: LEAD, question_id: 240, answer: '12.5' },
]
const physician = { first_name: 'Pat', last_name: 'Sample', npi: '1999999992' }

const petri = forEachTest()

describe('an order of another method than test kits', () => {
  it('updates the demographics of the user', async () => {
    const order = await orderBy(petri, 'walk_in_test')
    expect(findDemographics(petri.world(), order.user_id)).toMatchObject({
      first_name: 'Ada',
      dob: patient.dob,
      address: { zip: address.zip },
    })
  })

  it('leaves of the demographics what the order does not tell', async () => {
    const { user_id } = await orderBy(petri, 'walk_in_test', {
      patient_details: { ...patient, race: 'other', ethnicity: 'hispanic', gender_identity: 'female' },
    })
    await orderBy(petri, 'walk_in_test', {
      user_id,
      patient_details: { ...patient, first_name: 'Augusta', ethnicity: 'other' },
    })
    expect(findDemographics(petri.world(), user_id)).toMatchObject({
      first_name: 'Augusta',
      race: 'other',
      ethnicity: 'other',
      gender_identity: 'female',
      sexual_orientation: null,
    })
  })
})

describe('what is ordered', () => {
  it('is of one laboratory and collected one way', async () => {
    const lab_test_ids = [
      await standardTest(petri, 'at_home_phlebotomy'),
      await standardTest(petri, 'walk_in_test'),
    ]
    const together = { order_set: { lab_test_ids }, collection_method: 'walk_in_test' }
    expect(await sendOrder(petri, together)).toRefuse(400, 'cannot order lab_tests from multiple labs')
    const kit = await standardTest(petri, 'testkit')
    expect(await sendOrder(petri, { lab_test_id: kit, collection_method: 'walk_in_test' })).toRefuse(
      400,
      'Lab USSL does not support collection method walk_in_test',
    )
  })

  it('becomes one lab test of the service, made once and hidden from plain lists', async () => {
    const home = await standardTest(petri, 'at_home_phlebotomy')
    const site = await standardTest(petri, 'on_site_collection')
    const together = { order_set: { lab_test_ids: [home, site] }, collection_method: 'walk_in_test' }
    const first = await sendOrder(petri, together)
    const second = await sendOrder(petri, together)
    const { lab_test, team_id } = first.body.order
    expect(lab_test).toMatchObject({ auto_generated: true, method: 'walk_in_test', lab: { slug: 'labcorp' } })
    expect(lab_test.slug.startsWith(team_id.slice(0, 8))).toBe(true)
    expect(lab_test.markers.map(field('id'))).toEqual([229, 2011, 2012, 2023, 2075])
    expect(second.body.order.lab_test.id).toBe(lab_test.id)
    const ids = async (how: string) =>
      (await petri.read(`/v3/lab_tests?generation_method=${how}`)).map(field('id'))
    expect(await ids('manual')).not.toContain(lab_test.id)
    expect(await ids('auto')).toEqual([lab_test.id])
  })

  it('stays the named lab test when it is collected as always', async () => {
    const lab_test_id = await standardTest(petri, 'walk_in_test')
    const { body } = await sendOrder(petri, { lab_test_id, collection_method: 'walk_in_test' })
    expect(body.order.lab_test).toMatchObject({ id: lab_test_id, auto_generated: false })
  })

  it('can have markers added, by id or by the laboratory’s code', async () => {
    const walkIn = await standardTest(petri, 'walk_in_test')
    const added = (add_on: object, more = {}) =>
      sendOrder(petri, {
        order_set: { lab_test_ids: [walkIn], add_on },
        collection_method: 'walk_in_test',
        ...more,
      })
    const { markers } = await petri.read('/v3/lab_tests/markers?lab_slug=quest&a_la_carte_enabled=true')
    const marker = markers.find(
      ({ id, aoe }: { id: number; aoe: unknown }) => ![8001, 8002, 8005].includes(id) && !aoe,
    )
    for (const add_on of [{ marker_ids: [marker.id] }, { provider_ids: [marker.provider_id] }]) {
      const body = await ok(added(add_on))
      expect(body.order.lab_test.markers.map(field('id'))).toContain(marker.id)
    }
    expect(await added({ marker_ids: [marker.id] }, { collection_method: null })).toRefuse(
      400,
      'collection_method must be set if add_on is set',
    )
    expect(await added({})).toRefuse(400, 'marker_ids or provider_ids must be set in add_on')
    expect(await added({ marker_ids: [marker.id], provider_ids: ['1'] })).toRefuse(
      400,
      'cannot set both marker_ids and provider_ids in add_on',
    )
    expect(await added({ marker_ids: [LEAD] })).toRefuse(400, 'cannot order lab_tests from multiple labs')
    expect(await added({ provider_ids: ['no such'] })).toRefuse(400, 'Marker no such does not exist')
    const all = await petri.read('/v3/lab_tests/markers?lab_slug=quest&a_la_carte_enabled=false')
    const [fixed] = all.markers
    expect(await added({ marker_ids: [fixed.id] })).toRefuse(
      400,
      `Marker ${fixed.id} cannot be ordered a la carte`,
    )
  })
})

describe('questions at order entry', () => {
  it('have to be answered when they are required', async () => {
    const partly = { ...lead, aoe_answers: leadAnswers.slice(0, 2) }
    expect(await sendOrder(petri, partly)).toRefuse(
      400,
      'Missing required questions - "URINE VOLUME (MILLILITERS)"',
    )
    expect(await sendOrder(petri, { ...lead, aoe_answers: leadAnswers })).toAnswer(200)
  })

  it.each([
    [{ marker_id: 2, question_id: 1, answer: 'x' }, 'Marker id 2 does not have AOE.'],
    [{ ...leadAnswers[2], answer: 'much' }, 'Invalid answer MUCH for question URINE VOLUME (MILLILITERS).'],
  ])('are answered as the laboratory wants: %j', async (answer, detail) => {
    expect(await sendOrder(petri, { ...lead, aoe_answers: [...leadAnswers, answer] })).toRefuse(400, detail)
  })

  it('about fasting are answered by the lab test, unless the order set or the customer does', async () => {
    const answersTo = async (aoe_answers?: object[], fasting?: string) => {
      const parameters = fasting === undefined ? undefined : { fasting }
      const order_set = { add_on: { marker_ids: [1975] }, parameters }
      const lipids = { order_set, collection_method: 'walk_in_test' }
      const { id } = (await sendOrder(petri, { ...lipids, aoe_answers })).body.order
      return petri.world().db.get(orderMetadata, id).aoe_answers?.map(field('answer'))
    }
    expect(await answersTo()).toEqual(['N'])
    expect(await answersTo(undefined, 'fasting_required')).toEqual(['Y'])
    expect(await answersTo(undefined, 'fasting_not_required')).toEqual(['N'])
    expect(await answersTo([{ marker_id: 1975, question_id: 1, answer: 'Y' }])).toEqual(['Y'])
  })
})

describe('the account of an order', () => {
  it('is shown where the team wants to see it, and not otherwise', async () => {
    const lab_account_id = await accountId(petri, 'Own Quest')
    const named = { lab_test_id: await standardTest(petri, 'walk_in_test'), lab_account_id, physician }
    expect((await sendOrder(petri, named)).body.order).not.toHaveProperty('lab_account_id')
    await setFeatures(petri, { order_lab_account: true })
    const { order } = (await sendOrder(petri, named)).body
    expect(order).toMatchObject({ lab_account_id })
    await simulate(petri, order.id)
    expect(await readOrder(petri, order.id)).toMatchObject({ lab_account_id })
  })
})

describe('who orders', () => {
  it('is the customer’s physician where the account is delegated', async () => {
    const delegated = {
      lab_test_id: await standardTest(petri, 'at_home_phlebotomy'),
      lab_account_id: await accountId(petri, 'Own Labcorp'),
    }
    expect(await sendOrder(petri, delegated)).toRefuse(
      400,
      'physician must be set, the lab account is delegated',
    )
    const own = await sendOrder(petri, {
      ...delegated,
      physician: { ...physician, email: 'pat@example.com' },
    })
    expect(own.body.order.physician).toEqual(physician)
    await setFeatures(petri, { physician_rule: 'grace' })
    const late = await sendOrder(petri, delegated)
    expect(late.body.order.physician.npi).toMatch(/^1\d{9}$/)
    expect(late.body.order.physician.npi).not.toBe(physician.npi)
  })
})

describe('the lab account', () => {
  it('notes its own words for the laboratory before the customer’s', async () => {
    const lab_account_id = await accountId(petri, 'Own Labcorp')
    const own = (await petri.read(`/v3/lab_test/lab_account?lab_account_id=${lab_account_id}`)).data[0]
    const order = { lab_test_id: await standardTest(petri, 'at_home_phlebotomy'), lab_account_id, physician }
    const patient_address = { ...address, state: Object.values(own.allowed_billing.client_bill)[0] }
    const { body } = await sendOrder(petri, { ...order, patient_address, clinical_notes: 'Draw left arm' })
    expect(body.order.clinical_notes).toBe(`${own.default_clinical_notes}\nDraw left arm`)
    const alias = await sendOrder(petri, { ...order, patient_address, clinical_comments: 'Alias' })
    expect(alias.body.order.clinical_notes).toMatch(/\nAlias$/)
  })
})

describe('commercial insurance', () => {
  it('needs diagnosis codes and the user’s primary record', async () => {
    const user_id = await createUser(petri)
    const order = {
      user_id,
      lab_test_id: await standardTest(petri, 'walk_in_test'),
      billing_type: 'commercial_insurance',
      patient_address: address,
    }
    expect(await sendOrder(petri, { ...order, icd_codes: ['nonsense'] })).toRefuse(
      400,
      expect.stringContaining('Invalid icd_codes: '),
    )
    const icd_codes = ['R53.83']
    await insure(petri, user_id)
    const body = await ok(sendOrder(petri, { ...order, icd_codes }))
    expect(body.order).toMatchObject({
      billing_type: 'commercial_insurance',
      icd_codes,
      health_insurance_id: expect.any(String),
      has_abn: false,
    })
    await setFeatures(petri, { abn: true })
    expect((await sendOrder(petri, { ...order, icd_codes })).body.order.has_abn).toBe(true)
  })
})

describe('a patient', () => {
  it('under 18 needs the feature and a medical proxy', async () => {
    const lab_test_id = await standardTest(petri, 'walk_in_test')
    const minor = { ...patient, dob: '2008-01-06' }
    expect(await sendOrder(petri, { lab_test_id, patient_details: minor })).toAnswer(400)
    await setFeatures(petri, { minor_ordering: true })
    expect(await sendOrder(petri, { lab_test_id, patient_details: minor })).toRefuse(
      400,
      'medical_proxy must be set for patients under 18',
    )
    const medical_proxy = {
      first_name: 'Grace',
      last_name: 'Example',
      phone_number: '+16025550124',
      address: { first_line: '1 Test Street', city: 'Phoenix', state: 'AZ', zip: '85004', country: 'US' },
    }
    const asked = { lab_test_id, patient_details: { ...minor, medical_proxy } }
    const { user_id } = (await sendOrder(petri, asked)).body.order
    const again = { user_id, lab_test_id, patient_details: minor }
    for (const status of [200, 200]) expect(await sendOrder(petri, again)).toMatchObject({ status })
  })

  it('consents in either spelling, and to what is known', async () => {
    const lab_test_id = await standardTest(petri, 'walk_in_test')
    const consents = [{ consent_type: 'terms-of-use', time_of_consent: '2026-01-05T08:00:00Z' }]
    const { id } = (await sendOrder(petri, { lab_test_id, consents })).body.order
    expect(petri.world().db.get(orderMetadata, id).consents).toMatchObject([
      { consentType: 'terms-of-use', version: '1.0' },
    ])
    const unknown = { lab_test_id, consents: [{ consentType: 'anything' }] }
    expect(await sendOrder(petri, unknown)).toAnswer(422)
  })
})

describe('a laboratory that takes patients of one gender', () => {
  it('refuses others, when ordered and when a kit is registered', async () => {
    const womenOnly = refusal(400, 'Lab MyUTI does not allow gender male')
    const made = { name: 'Urine', method: 'testkit', description: 'x', marker_ids: [24001] }
    const lab_test_id = (await petri.post('/v3/lab_tests', made)).body.id
    const man = { patient_details: { ...patient, gender: 'male' } }
    expect(await sendOrder(petri, { lab_test_id, ...man })).toMatchObject(womenOnly)
    expect(await sendOrder(petri, { lab_test_id })).toAnswer(200)
    const user_id = await createUser(petri, 'stock')
    const shipping_details = { ...address, phone_number: patient.phone_number }
    const { body } = await petri.post('/v3/order/testkit', { user_id, lab_test_id, shipping_details })
    const { sample_id } = body.order
    const registration = { sample_id, patient_address: address, patient_details: patient }
    expect(await petri.post('/v3/order/testkit/register', { ...registration, ...man })).toMatchObject(
      womenOnly,
    )
    expect(await petri.post('/v3/order/testkit/register', registration)).toAnswer(200)
  })
})

describe('a marker that insurers do not pay for', () => {
  it('is not billed to them', async () => {
    const made = { name: 'Signal', method: 'walk_in_test', description: 'x', marker_ids: [8083] }
    const lab_test_id = (await petri.post('/v3/lab_tests', made)).body.id
    const billed = { lab_test_id, billing_type: 'commercial_insurance', icd_codes: ['E78.5'] }
    expect(await sendOrder(petri, billed)).toRefuse(
      400,
      expect.stringContaining('cannot be billed to insurance'),
    )
    expect(await sendOrder(petri, { lab_test_id })).toAnswer(200)
  })
})
