import type { Bundle } from '@medplum/fhirtypes'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { conditionTable } from '../../src/people/conditions.ts'
import { assertBundle, assertOutcome, readDefinitions, resourcesOf } from '../support/fhir.ts'
import { changeUser, createUser, readOrder, readResult, standardTest } from '../support/orders.ts'
import { startTestWorld, type TestPetri } from '../support/petri.ts'
import { simulate } from '../support/simulation.ts'

// Orders and results as FHIR, as two public programs send and read them. Source: docs/contract/fhir.md.

const TESTS = 'https://docs.tryvital.io/api-reference/lab-testing/tests'
const ICD = 'http://hl7.org/fhir/sid/icd-10-cm'
const PATIENT_ID = '2f1c0b7e-6a54-4a5e-9d55-0f6a3f1d2c11'

// biome-ignore lint/suspicious/noExplicitAny: tests change resources of every shape.
type Json = any

const person = {
  resourceType: 'Patient',
  id: PATIENT_ID,
  name: [{ given: ['Nina', 'Maria'], family: 'Keller' }],
  birthDate: '1988-04-09',
  gender: 'female',
  telecom: [
    { system: 'phone', value: '+16025550123' },
    { system: 'email', value: 'nina@example.com' },
  ],
  address: [
    { line: ['1 Main St', 'Unit 2'], city: 'Phoenix', state: 'AZ', postalCode: '85004', country: 'US' },
  ],
}

const practitioner = {
  resourceType: 'Practitioner',
  identifier: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567893' }],
  name: [{ given: ['Robin'], family: 'Berg' }],
  telecom: [{ system: 'email', value: 'robin@example.com' }],
  address: [{ state: 'AZ' }],
}

const request = {
  resourceType: 'ServiceRequest',
  status: 'active',
  intent: 'order',
  subject: { reference: `Patient/${PATIENT_ID}` },
  code: { coding: [{ system: ICD, code: 'I10' }] },
  note: [{ text: 'Headaches for a week.' }],
  extension: [{ url: 'assessment_plan', valueString: 'Rule out anaemia.' }],
}

const performer = (value: string) => ({
  resourceType: 'Organization',
  identifier: [{ system: TESTS, value }],
})

const coverage = (more: object = {}) => ({
  resourceType: 'Coverage',
  status: 'active',
  subscriberId: 'M-1',
  beneficiary: { reference: `Patient/${PATIENT_ID}` },
  relationship: { coding: [{ code: 'self' }] },
  payor: [{ reference: 'Organization/payor' }],
  ...more,
})

const bundle = (...resources: Json[]) => ({
  resourceType: 'Bundle',
  type: 'transaction',
  entry: resources.map((resource) => ({ resource })),
})

let petri: TestPetri
let labTest: string
let user: string
beforeAll(() => readDefinitions())
beforeEach(async () => {
  petri = await startTestWorld({ world: { scenario: 'manual' } })
  labTest = await standardTest(petri, 'walk_in_test')
  user = await createUser(petri, PATIENT_ID)
})

const send = (body: unknown) =>
  petri.post('/v3/order/fhir', body, { 'content-type': 'application/fhir+json' })
const whole = () => bundle(practitioner, request, coverage(), performer(labTest), person)

/** The error of a call that must leave nothing behind. */
async function refusal(body: unknown) {
  const answer = await send(body)
  assertOutcome(answer.body)
  const [{ diagnostics, expression }] = answer.body.issue
  expect((await petri.read('/v3/orders')).total).toBe(0)
  expect((await petri.get(`/v2/user/${user}/insurance/latest`)).status).not.toBe(200)
  return [answer.status, diagnostics, expression?.[0]]
}

/** The code of a unit; where UCUM has none, or another spelling. */
const spellings: Record<string, string | null> = {
  'mL/min/1.73m2': 'mL/min/{1.73_m2}',
  'mg/dL (calc)': 'mg/dL',
  'g/dL (calc)': 'g/dL',
  '(calc)': null,
  ratio: '{ratio}',
  'Thousand/uL': '10*3/uL',
  'Million/uL': '10*6/uL',
  '% of total Hgb': '%{Hb}',
  'mIU/L': 'm[IU]/L',
}
const codeOf = (unit: string) => {
  const code = unit in spellings ? spellings[unit] : unit
  return code ? { code, system: 'http://unitsofmeasure.org' } : {}
}

describe('POST /v3/order/fhir', () => {
  it('places the order that the bundle describes', async () => {
    const { status, body } = await send(whole())
    expect(status).toBe(200)
    const order = await readOrder(petri, body.order.id)
    expect(order).toMatchObject({
      user_id: user,
      lab_test: { id: labTest },
      patient_details: {
        ...{ first_name: 'Nina Maria', last_name: 'Keller', gender: 'female' },
        ...{ dob: '1988-04-09T00:00:00+00:00', phone_number: '+16025550123', email: 'nina@example.com' },
      },
      patient_address: { first_line: '1 Main St', second_line: 'Unit 2', city: 'Phoenix', zip: '85004' },
      physician: { first_name: 'Robin', last_name: 'Berg', npi: '1234567893' },
      icd_codes: ['I10'],
      clinical_notes: 'Headaches for a week.\nRule out anaemia.',
      billing_type: 'client_bill',
      priority: false,
    })
  })

  it('answers the questions of the laboratory', { tags: 'slow' }, async () => {
    const { markers } = await petri.read('/v3/lab_tests/markers?name=lead&lab_id=6&size=100')
    const marker = markers.find(({ aoe }: Json) => aoe.questions.some(({ required }: Json) => required))
    const made = await petri.post('/v3/lab_tests', {
      ...{ name: 'Asked', method: 'walk_in_test', description: 'x', marker_ids: [marker.id] },
    })
    const answers = marker.aoe.questions.map(({ id, type, answers: [choice] }: Json) => ({
      linkId: String(id),
      answer: [
        type === 'numeric'
          ? { valueDecimal: 12 }
          : choice
            ? { valueCoding: { code: choice.code } }
            : { valueString: '20260101' },
      ],
    }))
    const response = (item: Json[]) => ({
      ...{ resourceType: 'QuestionnaireResponse', status: 'completed' },
      item: [{ linkId: String(marker.id), item }],
    })
    const asked = (item: Json[]) => bundle(response(item), request, performer(made.body.id), person)
    expect(await refusal(asked([]))).toMatchObject([
      400,
      expect.stringContaining('Missing required questions'),
      undefined,
    ])
    const unknown = { linkId: '999999', answer: [{ valueString: 'x' }] }
    expect(await refusal(asked([...answers, unknown]))).toEqual([
      400,
      `Invalid question_id 999999 for marker id ${marker.id}.`,
      `Bundle.entry[0].resource.item[0].item[${answers.length}]`,
    ])
    const ungrouped = { resourceType: 'QuestionnaireResponse', status: 'completed', item: answers }
    expect(await refusal(bundle(ungrouped, request, performer(made.body.id), person))).toMatchObject([
      expect.any(Number),
      expect.stringContaining('Answers belong to the items of a group that is linked to a marker'),
      expect.stringContaining('Bundle.entry[0].resource.item[0].answer'),
    ])
    expect(await send(asked(answers))).toAnswer(200)
  })

  it("keeps the patient's own policy of a known payor", async () => {
    const payor = { resourceType: 'Organization', id: 'payor', identifier: [{ value: 'UNITE' }] }
    const plan = { type: { coding: [{ code: 'group' }] }, value: 'G-7' }
    const insured = bundle(request, coverage({ class: [plan] }), payor, performer(labTest), person)
    expect(await send(insured)).toAnswer(200)
    const body = await petri.read(`/v2/user/${user}/insurance/latest`)
    expect(body).toMatchObject({
      payor_code: 'UNITE',
      member_id: 'M-1',
      group_id: 'G-7',
      relationship: 'Self',
    })
  })

  it('repeats its reply for an idempotency key', async () => {
    const headers = { 'x-idempotency-key': 'once' }
    const [one, two] = [
      await petri.post('/v3/order/fhir', whole(), headers),
      await petri.post('/v3/order/fhir', whole(), headers),
    ]
    expect(two.body).toEqual(one.body)
    expect((await petri.read('/v3/orders')).total).toBe(1)
  })

  it.each<[string, () => Json, number, string, string | undefined]>([
    ['no Bundle', () => person, 422, 'Bundle', 'Bundle.resourceType'],
    ['another type', () => ({ ...whole(), type: 'batch' }), 422, 'transaction', 'Bundle.type'],
    [
      'no Patient',
      () => bundle(request, performer(labTest)),
      422,
      'The bundle has no Patient',
      'Bundle.entry',
    ],
    [
      'two requests',
      () => bundle(request, request, performer(labTest), person),
      422,
      'The bundle has 2 resources ServiceRequest; one is expected',
      'Bundle.entry[1].resource',
    ],
    ['no lab test', () => bundle(request, person), 422, `The bundle has no Organization`, 'Bundle.entry'],
    [
      'an unknown lab test',
      () => bundle(request, performer(PATIENT_ID), person),
      400,
      'Test does not exist',
      'Bundle.entry[1].resource.identifier[0].value',
    ],
    [
      'an unknown patient',
      () => bundle(request, performer(labTest), { ...person, id: 'nobody' }),
      404,
      'No user has the client_user_id nobody',
      'Bundle.entry[2].resource.id',
    ],
    [
      'a birthday to come',
      () => bundle(request, performer(labTest), { ...person, birthDate: '2030-01-01' }),
      422,
      'dob cannot be in the future',
      'Bundle.entry[2].resource.birthDate',
    ],
    [
      'an unknown state',
      () =>
        bundle(request, performer(labTest), { ...person, address: [{ ...person.address[0], state: 'XX' }] }),
      422,
      'Invalid state: XX',
      'Bundle.entry[2].resource.address[0].state',
    ],
    [
      'a name that is no list',
      () => bundle(request, performer(labTest), { ...person, name: 'Nina' }),
      422,
      'expected array',
      'Bundle.entry[2].resource.name',
    ],
  ])(
    'refuses a bundle with %s, and stores nothing',
    { tags: 'slow' },
    async (_, made, status, text, expression) => {
      expect(await refusal(made())).toEqual([status, expect.stringContaining(text), expression])
    },
  )

  it.each([
    ['a list', '[]', 422, 'invalid', 'Bundle'],
    ['a text', '"text"', 422, 'invalid', 'Bundle'],
    ['null', 'null', 422, 'invalid', 'Bundle'],
    ['nothing', '', 422, 'invalid', 'Bundle'],
    ['broken JSON', '{', 422, 'invalid', 'Bundle'],
    ['JSON of great depth', `{"entry":${'['.repeat(100_000)}`, 422, 'invalid', 'Bundle'],
    ['an empty entry', JSON.stringify({ ...bundle(), entry: [null] }), 422, 'invalid', 'Bundle.entry[0]'],
    [
      'too many entries',
      JSON.stringify({ ...bundle(), entry: Array(5000).fill({}) }),
      422,
      'invalid',
      'Bundle.entry',
    ],
    ['too many bytes', `{"a":"${'x'.repeat(3 * 1024 * 1024)}"}`, 413, 'too-long', undefined],
  ])('refuses %s by an OperationOutcome', { tags: 'slow' }, async (_, text, status, code, expression) => {
    const refused = await send(text)
    assertOutcome(refused.body)
    const [issue] = refused.body.issue
    expect([refused.status, issue.code, issue.expression?.[0]]).toEqual([status, code, expression])
  })
})

describe('GET /v3/order/{id}/result/fhir', () => {
  async function resultOf(flags: object = {}, moves: Json[] = []): Promise<Bundle> {
    const { id } = (await send(whole())).body.order
    if (moves.length === 0) await petri.post(`/v3/order/${id}/test`, flags)
    for (const move of moves) await petri.post(`/_petri/orders/${id}/move`, { force: true, ...move })
    const { status, body } = await petri.get(`/v3/order/${id}/result/fhir`)
    expect(status).toBe(200)
    assertBundle(body)
    return body
  }

  /** As clocks in Phoenix show it. */
  const inPhoenix = (instant: string) =>
    `${new Date(Date.parse(instant) - 7 * 3_600_000).toISOString().slice(0, -5)}-07:00`

  it('has the patient, an observation for each result, and a link to the PDF', { tags: 'slow' }, async () => {
    const found = await resultOf()
    expect(found).toMatchObject({ resourceType: 'Bundle', type: 'collection' })
    const [patient] = resourcesOf(found, 'Patient')
    expect(patient).toMatchObject({ ...person, id: PATIENT_ID })
    const order = (await petri.read('/v3/orders')).orders[0]
    const { results, metadata } = await readResult(petri, order.id)
    const observations = resourcesOf(found, 'Observation')
    expect(observations).toHaveLength(results.length)
    for (const [nth, line] of results.entries()) {
      const observation = observations[nth]
      expect(observation).toMatchObject({
        status: 'final',
        code: { coding: [{ system: 'http://loinc.org', code: line.loinc }] },
        subject: { reference: `Patient/${PATIENT_ID}` },
        effectiveDateTime: inPhoenix(metadata.date_collected),
        issued: inPhoenix(metadata.date_reported),
        interpretation: [{ coding: [{ code: 'N', display: 'Normal' }] }],
      })
      if (line.type === 'numeric')
        expect(observation?.valueQuantity).toEqual({
          ...{ value: line.value, unit: line.unit, ...codeOf(line.unit) },
        })
      else expect(observation?.valueString).toBe(line.result)
    }
    const [document] = resourcesOf(found, 'DocumentReference')
    const { pathname } = new URL(document?.content[0]?.attachment.url ?? '')
    const pdf = await petri.petri.app.request(pathname, { headers: { 'x-service-api-key': petri.key } })
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
  })

  it('does not have the id of a patient that is no id in FHIR', async () => {
    await changeUser(petri, user, { client_user_id: 'ada@example.com' })
    const { id } = (await send(bundle(request, performer(labTest), { ...person, id: user }))).body.order
    await simulate(petri, id)
    const body = await petri.read(`/v3/order/${id}/result/fhir`)
    assertBundle(body)
    expect(resourcesOf(body, 'Patient')[0]?.id).toBe(user)
  })

  it('answers 404 for an unknown order, and before there are results', async () => {
    const { id } = (await send(whole())).body.order
    const early = await petri.get(`/v3/order/${id}/result/fhir`)
    const plain = await petri.get(`/v3/order/${id}/result`)
    expect([early.status, early.body.issue[0].diagnostics]).toEqual([404, plain.body.detail])
    assertOutcome(early.body)
    const unknown = await petri.get(`/v3/order/${user}/result/fhir`)
    expect([unknown.status, unknown.body.issue[0].diagnostics]).toEqual([404, 'Order not found'])
  })
})

describe('a user as a bundle', () => {
  it('has the patient, conditions since their onset, treatments and reports', async () => {
    await petri.put(`/_petri/users/${user}/persona`, { persona: 'type-2-diabetes' })
    const { id } = (await send(whole())).body.order
    await simulate(petri, id)
    const { status, body } = await petri.get(`/_petri/users/${user}/fhir`)
    expect(status).toBe(200)
    assertBundle(body)
    const truth = await petri.read(`/_petri/users/${user}/truth`)
    expect(resourcesOf(body, 'Condition').map(({ onsetDateTime }) => onsetDateTime)).toEqual(
      truth.conditions.map(({ since }: Json) => since),
    )
    expect(resourcesOf(body, 'Condition').map(({ code }) => code?.text)).toContain('type 2 diabetes')
    expect(resourcesOf(body, 'MedicationStatement')).toHaveLength(truth.treatments.length)
    expect(resourcesOf(body, 'DiagnosticReport')).toMatchObject([
      { status: 'final', identifier: [{ value: id }] },
    ])
    expect(await petri.get(`/_petri/users/${user}/fhir`)).toMatchObject({ body })
  })

  it('has the codes of conditions in ICD-10-CM and SNOMED CT, and their onset', async () => {
    await petri.put(`/_petri/users/${user}/persona`, { persona: 'type-2-diabetes' })
    const body = await petri.read(`/_petri/users/${user}/fhir`)
    const diabetes = resourcesOf(body, 'Condition').find(({ code }) => code?.text === 'type 2 diabetes')
    expect(diabetes).toMatchObject({
      onsetDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      code: {
        coding: [
          { system: 'http://snomed.info/sct', code: '44054006', display: 'Diabetes mellitus type 2' },
          { system: ICD, code: 'E11.9', display: 'TYPE 2 DIABETES WITHOUT COMPLICATIONS' },
        ],
      },
    })
    for (const { codes: { icd } = {} } of conditionTable.values()) {
      if (!icd) continue
      const found = await petri.read(`/v3/insurance/search/diagnosis?diagnosis_query=${icd}`)
      expect(JSON.stringify(found)).toContain(`"${icd}"`)
    }
  })

  it('has a person without demographics and orders, too', async () => {
    const body = await petri.read(`/_petri/users/${await createUser(petri, 'new')}/fhir`)
    assertBundle(body)
    expect(resourcesOf(body, 'Patient')).toMatchObject([{ id: 'new', birthDate: expect.any(String) }])
    expect(await petri.get(`/_petri/users/${PATIENT_ID}/fhir`)).toAnswer(404)
  })
})
