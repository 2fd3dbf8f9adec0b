import type { Bundle, Observation } from '@medplum/fhirtypes'
import { describe, expect, it } from 'vitest'
import { assertBundle, resourcesOf } from '../support/fhir.ts'
import {
  address,
  advance,
  changeInfo,
  createUser,
  moveOrder,
  patient,
  readOrder,
  readResult,
} from '../support/orders.ts'
import { forEachTest, startTestWorld } from '../support/petri.ts'

// How results, a patient and a health history look in FHIR. Source: docs/contract/fhir.md.

const UCUM = 'http://unitsofmeasure.org'
const HL7 = 'http://terminology.hl7.org/CodeSystem'

const petri = forEachTest(() => startTestWorld({ world: { scenario: 'manual' } }))

const codeOf = (slug: string) =>
  [...petri.world().services.catalogue.markers().values()].find(
    ({ lab, results, is_orderable }) =>
      lab.slug === 'quest' && is_orderable && results.length === 1 && results[0]?.analyte.slug === slug,
  )?.id

/** The bundle of an order of these analytes, whose results are given, and its JSON. */
async function reported(slugs: readonly string[], results: object, details: object = {}) {
  const user_id = await createUser(petri, 'nina')
  const placed = await petri.post('/v3/order', {
    user_id,
    order_set: { add_on: { marker_ids: slugs.map(codeOf) } },
    collection_method: 'walk_in_test',
    patient_details: { ...patient, ...details },
    patient_address: { ...address, second_line: '' },
  })
  const { id } = placed.body.order
  await moveOrder(petri, id, 'requisition_created')
  await advance(petri, '1d')
  const moved = await moveOrder(petri, id, 'completed', { force: true, results })
  expect(moved).toAnswer(200)
  const bundle: Bundle = await petri.read(`/v3/order/${id}/result/fhir`)
  const json = await readResult(petri, id)
  return { id, user_id, bundle, json, observations: resourcesOf(bundle, 'Observation') }
}

const named = (
  observations: readonly Observation[],
  json: { results: { slug: string; name: string }[] },
  slug: string,
) => {
  const name = json.results.find((line) => line.slug.startsWith(slug))?.name
  return observations.find(({ code }) => code.text === name)
}

describe('an observation', () => {
  it('of a number has its value, its range, its flag and its comment', async () => {
    const values = { ferritin: 7, potassium: 4.2 }
    const { observations, json } = await reported(['ferritin', 'potassium'], { values, comment: 'Repeat.' })
    const ferritin = named(observations, json, 'ferritin')
    const quantity = (value: number) => ({ value, unit: 'ng/mL', system: UCUM, code: 'ng/mL' })
    const { timestamp } = json.results.find(({ slug }: { slug: string }) => slug === 'ferritin')
    expect(Date.parse(ferritin?.issued ?? '')).toBe(Date.parse(timestamp))
    expect(ferritin).toEqual({
      resourceType: 'Observation',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'final',
      subject: { reference: 'Patient/nina' },
      issued: expect.stringMatching(/-07:00$/),
      effectiveDateTime: expect.stringMatching(/-07:00$/),
      category: [{ coding: [{ system: `${HL7}/observation-category`, code: 'laboratory' }] }],
      code: {
        coding: [{ system: 'http://loinc.org', code: '2276-4', display: ferritin?.code.text }],
        text: ferritin?.code.text,
      },
      performer: [{ display: json.results[0].performing_laboratory }],
      valueQuantity: quantity(7),
      interpretation: [
        { coding: [{ system: `${HL7}/v3-ObservationInterpretation`, code: 'A', display: 'Abnormal' }] },
      ],
      note: [{ text: 'Repeat.' }],
      referenceRange: [{ low: quantity(15), high: quantity(150), text: '15-150' }],
    })
    expect(named(observations, json, 'potassium')?.interpretation?.[0]?.coding?.[0]).toMatchObject({
      code: 'N',
      display: 'Normal',
    })
    expect(new Set(observations.map(({ id }) => id)).size).toBe(2)
  })

  it('of a range that is open has one of its bounds', async () => {
    const values = { 'hemoglobin-a1c': 5, folate: 9 }
    const { observations, json } = await reported(['hemoglobin-a1c', 'folate'], { values })
    const [a1c] = named(observations, json, 'hemoglobin-a1c')?.referenceRange ?? []
    expect(a1c).toEqual({
      high: { value: 5.7, unit: '% of total Hgb', system: UCUM, code: '%{Hb}' },
      text: '<5.7',
    })
    const [folate] = named(observations, json, 'folate')?.referenceRange ?? []
    expect(folate).toEqual({
      low: { value: 3.1, unit: 'ng/mL', system: UCUM, code: 'ng/mL' },
      text: '> OR = 3.1',
    })
    const [withNote, without] = ['hemoglobin-a1c', 'folate'].map((slug) => named(observations, json, slug))
    expect(withNote?.note).toEqual([{ text: expect.stringContaining('prediabetes') }])
    expect(without).not.toHaveProperty('note')
  })

  it('of words has them once, without a note, a unit or a range', async () => {
    const { observations } = await reported(['rpr'], { values: { rpr: 'Reactive' } })
    expect(observations).toMatchObject([
      { valueString: 'Reactive', interpretation: [{ coding: [{ code: 'A' }] }] },
    ])
    for (const field of ['note', 'referenceRange', 'valueQuantity', 'valueRange'])
      expect(observations[0]).not.toHaveProperty(field)
  })

  it('without a code, in a unit without one, has their names', async () => {
    const { observations } = await reported(['rnp-antibody'], { values: { 'rnp-antibody': '<5' } })
    expect(observations[0]).toMatchObject({ valueQuantity: { value: 5, comparator: '<', unit: 'AI' } })
    expect(observations[0]?.code).toEqual({ text: expect.any(String) })
  })

  it('of a value beyond what is measured, or between two, says which', async () => {
    const { observations, json } = await reported(['ferritin', 'potassium'], {
      types: ['range'],
      interpretation: 'normal',
    })
    for (const [nth, { result }] of json.results.entries()) {
      const [low, high] = result.split('-').map(Number)
      const unit = nth === 0 ? 'ng/mL' : 'mmol/L'
      const of = { unit, system: UCUM, code: unit }
      expect(observations[nth]?.valueRange).toEqual({
        low: { value: low, ...of },
        high: { value: high, ...of },
      })
      expect(observations[nth]).not.toHaveProperty('valueQuantity')
    }
    const high = await reported(['potassium'], { types: ['range'], interpretation: 'critical' })
    const [{ result }] = high.json.results
    expect(high.observations[0]?.valueQuantity).toEqual({
      ...{ comparator: expect.stringMatching(/^[<>]$/), value: Number(/\d[\d.]*/.exec(result)?.[0]) },
      ...{ unit: 'mmol/L', system: UCUM, code: 'mmol/L' },
    })
    expect(result[0]).toBe(high.observations[0]?.valueQuantity?.comparator)
    expect(high.observations[0]?.interpretation?.[0]?.coding?.[0]).toMatchObject({
      code: 'AA',
      display: 'Critical abnormal',
    })
  })

  it('of a result in words about a number has no quantity', async () => {
    const { observations, json } = await reported(['potassium'], {
      types: ['comment'],
      interpretation: 'unknown',
    })
    expect(observations).toMatchObject([{ valueString: json.results[0].result }])
    expect(observations[0]?.interpretation?.[0]?.coding?.[0]).toMatchObject({
      code: 'IND',
      display: 'Indeterminate',
    })
  })

  it('of a missing result has no value but a reason', async () => {
    const { observations, json } = await reported(['ferritin', 'potassium'], { missing: ['ferritin'] })
    const [missing] = json.missing_results
    expect(observations[1]).toEqual({
      ...{ resourceType: 'Observation', id: expect.any(String), status: 'cancelled' },
      subject: { reference: 'Patient/nina' },
      ...{ issued: expect.any(String), effectiveDateTime: observations[0]?.effectiveDateTime },
      category: [{ coding: [{ system: `${HL7}/observation-category`, code: 'laboratory' }] }],
      code: {
        text: missing.name,
        coding: [{ system: 'http://loinc.org', code: missing.loinc, display: missing.name }],
      },
      dataAbsentReason: {
        coding: [{ system: `${HL7}/data-absent-reason`, code: 'error' }],
        text: missing.inferred_failure_type.replaceAll('_', ' '),
      },
      note: [{ text: missing.note }],
    })
  })
})

describe('the other resources of a result', () => {
  it('are the patient with both ids, and the report as a PDF', async () => {
    const { id, user_id, bundle, json } = await reported(['ferritin'], { values: { ferritin: 60 } })
    const { sample_id } = await readOrder(petri, id)
    expect(resourcesOf(bundle, 'Patient')).toEqual([
      {
        ...{ resourceType: 'Patient', id: 'nina', gender: 'female', birthDate: '1990-01-01' },
        identifier: [
          { system: 'vital_user_id', value: user_id },
          { system: 'vital_sample_id', value: sample_id },
        ],
        name: [{ family: 'Example', given: ['Ada'] }],
        telecom: [
          { system: 'phone', value: '+16025550123' },
          { system: 'email', value: 'ada@example.com' },
        ],
        address: [
          { line: ['1 Test Street'], city: 'Phoenix', state: 'AZ', postalCode: '85004', country: 'US' },
        ],
      },
    ])
    const now = '2026-01-06T09:00:00+00:00'
    expect(bundle).toMatchObject({ resourceType: 'Bundle', type: 'collection', timestamp: now })
    expect(resourcesOf(bundle, 'DocumentReference')).toEqual([
      {
        ...{ resourceType: 'DocumentReference', id: expect.any(String), date: expect.any(String) },
        ...{ status: 'current', subject: { reference: 'Patient/nina' } },
        type: { coding: [{ system: 'http://loinc.org', code: '11502-2', display: 'Laboratory report' }] },
        content: [
          {
            attachment: {
              ...{ contentType: 'application/pdf', title: 'report.pdf' },
              url: expect.stringMatching(new RegExp(`^http.*/v3/order/${id}/result/pdf$`)),
            },
          },
        ],
      },
    ])
    expect(json.results).toHaveLength(1)
    const ids = (bundle.entry ?? []).map(({ resource }) => resource?.id)
    expect(new Set(ids).size).toBe(3)
  })

  it('have a patient of another gender as unknown or other, and each first name', async () => {
    const genders = async (gender: string) => {
      const details = { gender, first_name: 'Ada May' }
      const { bundle } = await reported(['ferritin'], { values: { ferritin: 60 } }, details)
      const [found] = resourcesOf(bundle, 'Patient')
      expect(found?.name).toEqual([{ family: 'Example', given: ['Ada', 'May'] }])
      return found?.gender
    }
    expect([await genders('male'), await genders('other'), await genders('unknown')]).toEqual([
      'male',
      'other',
      'unknown',
    ])
  })
})

describe('the observations of a report, from one edition to the next', () => {
  const analytes = ['ferritin', 'potassium', 'glucose', 'tsh']
  const statusOf = (observations: readonly Observation[]) =>
    Object.fromEntries(observations.map(({ id, status }) => [id, status]))

  it('are one for each line of a laboratory that repeats what three of its tests measure', {
    tags: 'slow',
  }, async () => {
    const potassium = [...petri.world().services.catalogue.markers().values()].filter(
      ({ lab, results, is_orderable }) =>
        lab.slug === 'bioreference' &&
        is_orderable &&
        results.some(({ analyte }) => analyte.slug === 'potassium'),
    )
    const placed = await petri.post('/v3/order', {
      user_id: await createUser(petri, 'nina'),
      order_set: { add_on: { marker_ids: potassium.slice(0, 3).map(({ id }) => id) } },
      ...{ collection_method: 'walk_in_test', patient_details: patient },
      ...{
        patient_address: { ...address, state: 'NY', zip: '10001' },
        billing_type: 'patient_bill_passthrough',
      },
    })
    expect(placed).toAnswer(200)
    const { id } = placed.body.order
    await moveOrder(petri, id, 'completed', { force: true })
    const bundle: Bundle = await petri.read(`/v3/order/${id}/result/fhir`)
    const observations = resourcesOf(bundle, 'Observation')
    const { results } = await readResult(petri, id)
    expect(results.filter(({ slug }: { slug: string }) => slug === 'potassium')).toHaveLength(3)
    expect(new Set(observations.map((each) => each.id)).size).toBe(results.length)
  })

  it('keep their ids and are final, but for those that were replaced and those that are missing', {
    tags: 'slow',
  }, async () => {
    const user_id = await createUser(petri, 'nina')
    const placed = await petri.post('/v3/order', {
      user_id,
      order_set: { add_on: { marker_ids: analytes.map(codeOf) } },
      ...{ collection_method: 'walk_in_test', patient_details: patient, patient_address: address },
    })
    const { id } = placed.body.order
    const editions: Observation[][] = []
    for (const [status, results] of [
      ['partial_results', { interpretation: 'normal' }],
      ['partial_results', { interpretation: 'normal' }],
      ['completed', { interpretation: 'normal', missing: ['tsh'] }],
      ['corrected', { values: { potassium: 4.9 } }],
      ['corrected', { values: { glucose: 91 } }],
    ] as const) {
      const moved = await moveOrder(petri, id, status, { results, force: true })
      expect(moved).toAnswer(200)
      const bundle: Bundle = await petri.read(`/v3/order/${id}/result/fhir`)
      assertBundle(bundle)
      for (const { fullUrl, resource } of bundle.entry ?? [])
        expect(fullUrl).toBe(`${petri.world().baseUrl}/${resource?.resourceType}/${resource?.id}`)
      editions.push(resourcesOf(bundle, 'Observation'))
    }
    expect(editions.map((each) => each.length)).toEqual([2, 3, 4, 4, 4])
    const ids = new Set(editions.flat().map((each) => each.id))
    expect(ids.size).toBe(4)
    expect(
      new Set(
        editions
          .slice(0, 2)
          .flat()
          .map(({ status }) => status),
      ),
    ).toEqual(new Set(['final']))
    expect(editions.slice(2).map((each) => each.map(({ status }) => status).toSorted())).toEqual([
      ['cancelled', 'final', 'final', 'final'],
      ['cancelled', 'corrected', 'final', 'final'],
      ['cancelled', 'corrected', 'corrected', 'final'],
    ])
    const [, , , corrected = []] = editions
    const potassium = corrected.find(({ status }) => status === 'corrected')
    expect(potassium?.note).toEqual([{ text: expect.stringMatching(/^Previously reported as .* mmol/) }])
    const history: Bundle = await petri.read(`/_petri/users/${user_id}/fhir`)
    assertBundle(history)
    expect(statusOf(resourcesOf(history, 'Observation'))).toEqual(statusOf(editions.at(-1) ?? []))
    expect(resourcesOf(history, 'DiagnosticReport')).toMatchObject([{ status: 'corrected' }])
    for (const { fullUrl, resource } of history.entry ?? [])
      expect(fullUrl).toBe(`https://petri.example/${resource?.resourceType}/${resource?.id}`)
  })
})

describe('the history of a user', () => {
  const historyOf = async (user: string): Promise<Bundle> => {
    const { status, body } = await petri.get(`/_petri/users/${user}/fhir`)
    expect(status).toBe(200)
    return body
  }

  it('has the report of each order with results, with links to its observations', async () => {
    const { id, user_id, observations } = await reported(['ferritin', 'potassium'], {
      values: { ferritin: 7 },
    })
    await petri.post('/v3/order', {
      user_id,
      order_set: { add_on: { marker_ids: [codeOf('ferritin')] } },
      ...{ collection_method: 'walk_in_test', patient_details: patient, patient_address: address },
    })
    const history = await historyOf(user_id)
    expect(resourcesOf(history, 'DiagnosticReport')).toMatchObject([
      {
        ...{ status: 'final', subject: { reference: 'Patient/nina' }, conclusion: 'Abnormal' },
        identifier: [{ system: 'vital_order_id', value: id }],
        category: [{ coding: [{ system: `${HL7}/v2-0074`, code: 'LAB', display: 'Laboratory' }] }],
        code: { text: expect.any(String) },
        result: observations.map((each) => ({ reference: `Observation/${each.id}` })),
        effectiveDateTime: observations[0]?.effectiveDateTime,
        issued: expect.stringMatching(/-07:00$/),
      },
    ])
    expect(resourcesOf(history, 'Observation')).toEqual(observations)
    const [document] = resourcesOf(history, 'DocumentReference')
    expect(document?.content[0]?.attachment.url).toBe(`/v3/order/${id}/result/pdf`)
  })

  it('has conditions that are diagnosed or not, and those that have ended', async () => {
    const states = new Set<string>()
    for (let nth = 0; nth < 25; nth++) {
      const user = await createUser(petri, `user-${nth}`)
      const history = await historyOf(user)
      const listed = resourcesOf(history, 'Condition')
      for (const {
        code,
        onsetDateTime,
        abatementDateTime,
        clinicalStatus,
        verificationStatus,
        subject,
      } of listed) {
        expect(subject).toEqual({ reference: `Patient/user-${nth}` })
        expect(clinicalStatus?.coding).toEqual([
          {
            system: `${HL7}/condition-clinical`,
            code: abatementDateTime === undefined ? 'active' : 'resolved',
          },
        ])
        const [state] = verificationStatus?.coding ?? []
        expect(state).toEqual({
          system: `${HL7}/condition-ver-status`,
          code: expect.stringMatching(/^(un)?confirmed$/),
        })
        expect(onsetDateTime && onsetDateTime <= '2026-01-05').toBe(true)
        expect(code?.text).not.toContain('_')
        states.add(state?.code ?? '')
      }
      for (const { status, effectivePeriod, medicationCodeableConcept } of resourcesOf(
        history,
        'MedicationStatement',
      )) {
        expect(status).toBe(effectivePeriod?.end === undefined ? 'active' : 'completed')
        expect(medicationCodeableConcept?.text).not.toContain('_')
      }
    }
    expect([...states].sort()).toEqual(['confirmed', 'unconfirmed'])
  })

  it('has the demographics that were given, else what is made up, without a name', async () => {
    for (const name of ['a b', 'a'.repeat(65), 'a'.repeat(64), 'A-1.z']) {
      const user = await createUser(petri, name)
      const id = name.length === 65 || name === 'a b' ? user : name
      expect(resourcesOf(await historyOf(user), 'Patient')).toMatchObject([{ id }])
    }
    const user = await createUser(petri, 'known')
    const [before] = resourcesOf(await historyOf(user), 'Patient')
    for (const field of ['name', 'telecom', 'address']) expect(before).not.toHaveProperty(field)
    expect(before?.identifier).toEqual([{ system: 'vital_user_id', value: user }])
    await changeInfo(petri, user, {
      ...patient,
      address: { ...address, second_line: 'Unit 2' },
    })
    const [after] = resourcesOf(await historyOf(user), 'Patient')
    expect(after).toMatchObject({
      ...{ birthDate: '1990-01-01', gender: 'female', name: [{ family: 'Example', given: ['Ada'] }] },
      address: [{ line: ['1 Test Street', 'Unit 2'] }],
    })
  })
})
