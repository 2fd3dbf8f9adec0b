import { beforeAll, describe, expect, it } from 'vitest'
import { Problem } from '../../src/kernel/problem.ts'
import { readOrder } from '../../src/resources/fhir/order.ts'
import type { World } from '../../src/world/world.ts'
import { createUser, standardTest } from '../support/orders.ts'
import { startTestWorld } from '../support/petri.ts'

// How the fields of a bundle are read. Source: docs/contract/fhir.md.

const TESTS = 'https://docs.tryvital.io/api-reference/lab-testing/tests'
const NPI = 'http://hl7.org/fhir/sid/us-npi'

// biome-ignore lint/suspicious/noExplicitAny: tests change resources of every shape.
type Json = any

let world: World
let labTest: string
let user: string
let question: { readonly marker: string; readonly id: string }
beforeAll(async () => {
  const petri = await startTestWorld({ world: { scenario: 'manual' } })
  world = petri.world()
  labTest = await standardTest(petri, 'walk_in_test')
  user = await createUser(petri, 'nina')
  const [asking] = [...world.services.catalogue.markers().values()].flatMap(({ id, aoe }) =>
    (aoe?.questions ?? []).filter(({ type }) => type === 'text').map((each) => ({ marker: id, id: each.id })),
  )
  question = { marker: String(asking?.marker), id: String(asking?.id) }
})

const person = {
  ...{ resourceType: 'Patient', id: 'nina', birthDate: '1988-04-09', gender: 'female' },
  name: [{ given: ['Nina'], family: 'Keller' }],
  telecom: [
    { system: 'phone', value: '+16025550123' },
    { system: 'email', value: 'nina@example.com' },
  ],
  address: [{ line: ['1 Main St'], city: 'Phoenix', state: 'AZ', postalCode: '85004' }],
}
const practitioner = {
  resourceType: 'Practitioner',
  identifier: [
    { system: 'other', value: '1' },
    { system: NPI, value: '1234567893' },
  ],
  name: [{ given: ['Robin', 'Kim'], family: 'Berg' }],
}
const request = { resourceType: 'ServiceRequest', status: 'active', intent: 'order' }
const performer = () => ({ resourceType: 'Organization', identifier: [{ system: TESTS, value: labTest }] })

const bundleOf = (resources: readonly Json[], urls: readonly string[] = []) => ({
  ...{ resourceType: 'Bundle', type: 'transaction' },
  entry: resources.map((resource, nth) => ({ resource, fullUrl: urls[nth] })),
})
/** A bundle with changed or further resources. */
const bundle = ({
  patient = {},
  order = {},
  more = [],
}: {
  patient?: Json
  order?: Json
  more?: readonly Json[]
}) => bundleOf([{ ...person, ...patient }, { ...request, ...order }, performer(), ...more])

const bodyOf = (wish: Parameters<typeof bundle>[0]): Json => readOrder(world, bundle(wish)).body

/** The issues of a refusal: what is wrong, and where. */
function issuesOf(
  input: unknown,
): [kind: string, ...issues: [diagnostics: string, expression: string | undefined][]] {
  try {
    readOrder(world, input)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { issue } = error.extras.bare as Json
    return [error.kind, ...issue.map(({ diagnostics, expression }: Json) => [diagnostics, expression?.[0]])]
  }
  throw new Error('The bundle was read.')
}

describe('the patient of a bundle', () => {
  it('has a name, contacts and an address, in the United States if it does not say', () => {
    expect(bodyOf({})).toMatchObject({
      user_id: user,
      lab_test_id: labTest,
      patient_details: {
        ...{ first_name: 'Nina', last_name: 'Keller', gender: 'female' },
        ...{ phone_number: '+16025550123', email: 'nina@example.com' },
      },
      patient_address: {
        ...{
          first_line: '1 Main St',
          second_line: null,
          city: 'Phoenix',
          state: 'AZ',
          zip: '85004',
          country: 'US',
        },
      },
      ...{ physician: undefined, priority: false, icd_codes: null, clinical_notes: null, aoe_answers: [] },
    })
  })

  it('can be named by the id of the user', () => {
    expect(bodyOf({ patient: { id: user } }).user_id).toBe(user)
  })

  it.each([
    [{ name: [{ family: 'Keller' }] }, 'name[0].given'],
    [{ name: [{ given: [], family: 'Keller' }] }, 'name[0].given'],
    [{ name: [{ given: ['Nina'] }] }, 'name[0].family'],
    [{ birthDate: undefined }, 'birthDate'],
    [{ gender: undefined }, 'gender'],
    [{ telecom: person.telecom.slice(1) }, "telecom.where(system='phone').value"],
    [{ telecom: person.telecom.slice(0, 1) }, "telecom.where(system='email').value"],
    [{ address: [{ ...person.address[0], line: [] }] }, 'address[0].line[0]'],
    [{ address: [{ ...person.address[0], city: undefined }] }, 'address[0].city'],
    [{ address: [{ ...person.address[0], state: undefined }] }, 'address[0].state'],
    [{ address: [{ ...person.address[0], postalCode: undefined }] }, 'address[0].postalCode'],
  ])('with %o is refused at its place: %s', (patient, place) => {
    const [kind, ...issues] = issuesOf(bundle({ patient }))
    expect(kind).toBe('invalid')
    expect(issues.map(([, expression]) => expression)).toEqual([`Bundle.entry[0].resource.${place}`])
  })

  it('without a name and an address is refused at each of their places', () => {
    const places = issuesOf(bundle({ patient: { name: undefined, address: undefined } })).slice(1)
    expect(
      places.map(([, expression]) => String(expression).replace('Bundle.entry[0].resource.', '')),
    ).toEqual([
      ...['name[0].given', 'name[0].family'],
      ...['address[0].line[0]', 'address[0].city', 'address[0].state', 'address[0].postalCode'],
    ])
  })

  it.each([
    [{ name: [{ given: 'Nina' }] }, 'name[0].given'],
    [{ name: [{ given: ['Nina'], family: 7 }] }, 'name[0].family'],
    [{ telecom: [{ system: 7 }] }, 'telecom[0].system'],
    [{ address: [{ line: [7] }] }, 'address[0].line[0]'],
    [{ address: [{ country: 7 }] }, 'address[0].country'],
    [{ birthDate: 7 }, 'birthDate'],
  ])('with %o is refused for its form: %s', (patient, place) => {
    expect(issuesOf(bundle({ patient }))[1]?.[1]).toBe(`Bundle.entry[0].resource.${place}`)
  })
})

describe('the request of a bundle', () => {
  it.each([
    ['routine', false],
    ['urgent', true],
    ['asap', true],
    ['stat', true],
    [undefined, false],
  ])('with the priority %s waits or does not: %s', (priority, isUrgent) => {
    expect(bodyOf({ order: { priority } }).priority).toBe(isUrgent)
  })

  const coding = (system: string | undefined, code: string | undefined) => ({ coding: [{ system, code }] })
  const [CM, ICD] = ['http://hl7.org/fhir/sid/icd-10-cm', 'http://hl7.org/fhir/sid/icd-10']

  it.each([
    [{ code: coding(CM, 'I10') }, ['I10']],
    [{ reasonCode: [coding(ICD, 'E78.5'), coding(CM, 'I10')] }, ['E78.5', 'I10']],
    [{ code: coding(CM, 'I10'), reasonCode: [coding(CM, 'E78.5')] }, ['I10', 'E78.5']],
    [{ code: coding('http://loinc.org', '2345-7') }, null],
    [{ code: coding('http://hl7.org/fhir/sid/icd-10-pcs', '0DJ'), reasonCode: [] }, null],
    [{ code: coding(undefined, 'I10') }, null],
    [{ code: coding(CM, undefined) }, null],
    [{ code: coding(CM, '') }, null],
    [{ code: {} }, null],
  ])('with %o has the diagnoses %o', (order, codes) => {
    expect(bodyOf({ order }).icd_codes).toEqual(codes)
  })

  it.each([
    [{ note: [{ text: 'One.' }, { text: 'Two.' }] }, 'One.\nTwo.'],
    [{ extension: [{ url: 'https://example.com/assessment_plan', valueString: 'Plan.' }] }, 'Plan.'],
    [
      { note: [{ text: 'One.' }], extension: [{ url: 'assessment_plan', valueString: 'Plan.' }] },
      'One.\nPlan.',
    ],
    [{ extension: [{ url: 'assessment_plan' }] }, null],
    [{ extension: [{ url: 'assessment_plan_of_others', valueString: 'x' }] }, null],
    [{ extension: [{ url: 'my_assessment_plan', valueString: 'x' }] }, null],
    [{ extension: [{ url: 'assessment_plan', valueString: '' }] }, null],
    [{ extension: [{ url: 'other', valueString: 'x' }] }, null],
    [{}, null],
  ])('with %o has the notes %s', (order, notes) => {
    expect(bodyOf({ order }).clinical_notes).toBe(notes)
  })

  it.each([
    [{ note: [{}] }, 'note[0].text'],
    [{ extension: [{ valueString: 'x' }] }, 'extension[0].url'],
    [{ reasonCode: [{ coding: [{ code: 7 }] }] }, 'reasonCode[0].coding[0].code'],
    [{ priority: 7 }, 'priority'],
  ])('with %o is refused for its form: %s', (order, place) => {
    expect(issuesOf(bundle({ order }))[1]?.[1]).toBe(`Bundle.entry[1].resource.${place}`)
  })

  it('with diagnoses or notes that no order can have is refused at their places', () => {
    const notes = issuesOf(bundle({ order: { note: [{ text: 'x'.repeat(100_000) }] } }))
    expect(notes.slice(1).map((issue) => issue[1])).toEqual(['Bundle.entry[1].resource.note'])
  })
})

describe('the physician of a bundle', () => {
  it('has a name, an NPI among other identifiers, and the states of the addresses, each once', () => {
    const address = [{ state: 'AZ' }, { city: 'Nowhere' }, { state: 'CA' }, { state: 'AZ' }]
    const telecom = [{ system: 'email', value: 'robin@example.com' }]
    expect(bodyOf({ more: [{ ...practitioner, address, telecom }] }).physician).toMatchObject({
      ...{ first_name: 'Robin Kim', last_name: 'Berg', npi: '1234567893', email: 'robin@example.com' },
      licensed_states: ['AZ', 'CA'],
    })
  })

  it.each([
    [{ name: [{ family: 'Berg' }] }, 'name[0].given'],
    [{ name: [{ given: ['Robin'] }] }, 'name[0].family'],
    [{ name: undefined }, 'name[0].given'],
    [{ identifier: [{ system: 'other', value: '1' }] }, `identifier.where(system='${NPI}').value`],
    [{ identifier: [{ value: 7 }] }, 'identifier[0].value'],
    [{ address: [{ state: 7 }] }, 'address[0].state'],
  ])('with %o is refused: %s', (changed, place) => {
    const [, first] = issuesOf(bundle({ more: [{ ...practitioner, ...changed }] }))
    expect(first?.[1]).toBe(`Bundle.entry[3].resource.${place}`)
  })

  it('is only one', () => {
    expect(issuesOf(bundle({ more: [practitioner, practitioner] }))).toEqual([
      'invalid',
      ['The bundle has 2 resources Practitioner; one is expected', 'Bundle.entry[4].resource'],
    ])
  })
})

describe('other entries of a bundle', () => {
  it('are accepted and not read: types that no order has, and entries without a resource', () => {
    const more = [{ resourceType: 'Device', name: 7 }, { resourceType: 'constructor' }, undefined]
    expect(bodyOf({ more }).user_id).toBe(user)
  })

  it('are lab tests of other systems, beside the one that is ordered', () => {
    const organization = { resourceType: 'Organization', identifier: [{ system: 'other' }, { value: 'x' }] }
    expect(bodyOf({ more: [organization] }).lab_test_id).toBe(labTest)
    const both = { ...organization, identifier: [{ system: 'other' }, { system: TESTS }] }
    expect(issuesOf(bundleOf([person, request, both]))).toEqual([
      'bad_request',
      ['Test does not exist', 'Bundle.entry[2].resource.identifier[1].value'],
    ])
    const [, issue] = issuesOf(bundle({ more: [performer()] }))
    expect(issue?.[0]).toContain('2 resources Organization with an identifier of the system')
  })

  it.each([
    [{ entry: [{ resource: {} }] }, 'Bundle.entry[0].resource.resourceType'],
    [{ entry: [{ fullUrl: 7 }] }, 'Bundle.entry[0].fullUrl'],
    [{ entry: {} }, 'Bundle.entry'],
  ])('of the form %o are refused: %s', (changed, place) => {
    expect(issuesOf({ ...bundle({}), ...changed })[1]?.[1]).toBe(place)
  })
})

describe('the answers of a bundle', () => {
  const answersOf = (answer: Json) =>
    bodyOf({
      more: [
        {
          resourceType: 'QuestionnaireResponse',
          item: [{ linkId: question.marker, item: [{ linkId: question.id, answer }] }],
        },
      ],
    }).aoe_answers

  it.each([
    [[{ valueString: 'text' }], 'text'],
    [[{ valueDecimal: 1.5 }], '1.5'],
    [[{ valueInteger: 0 }], '0'],
    [[{ valueBoolean: true }], 'Y'],
    [[{ valueBoolean: false }], 'N'],
    [[{ valueDate: '2026-01-05' }], '2026-01-05'],
    [[{ valueDateTime: '2026-01-05T09:00:00Z' }], '2026-01-05T09:00:00Z'],
    [[{ valueCoding: { code: 'I', display: 'Initial' } }], 'I'],
    [[{ valueQuantity: { value: 12 } }], '12'],
    [[{ valueCoding: { display: 'Initial' }, valueString: 'text' }], 'text'],
    [[{ valueString: 'one' }, { valueString: 'two' }], 'one,two'],
  ])('%o is "%s"', (answer, text) => {
    expect(answersOf(answer)).toEqual([
      { marker_id: Number(question.marker), question_id: Number(question.id), answer: text },
    ])
  })

  it.each([[[{}]], [[]]])('%o, which say nothing, are refused at their place', (answer) => {
    const response = { linkId: question.marker, item: [{ linkId: question.id, answer }] }
    const input = bundle({ more: [{ resourceType: 'QuestionnaireResponse', item: [response] }] })
    const [kind, issue] = issuesOf(input)
    expect([kind, issue?.[1]]).toEqual(['bad_request', 'Bundle.entry[3].resource.item[0].item[0]'])
    expect(issue?.[0]).toMatch(/^Invalid answer {2}for question/)
  })

  it('of another form are refused', () => {
    const response = (item: Json) => bundle({ more: [{ resourceType: 'QuestionnaireResponse', item }] })
    const place = 'Bundle.entry[3].resource'
    const at = (item: Json) => issuesOf(response(item))[1]?.[1]
    expect(at([{ item: [] }])).toBe(`${place}.item[0].linkId`)
    expect(at([{ linkId: '1', item: [{}] }])).toBe(`${place}.item[0].item[0].linkId`)
    const answer = (value: Json) => at([{ linkId: '1', item: [{ linkId: '2', answer: [value] }] }])
    const inside = `${place}.item[0].item[0].answer[0]`
    expect(answer({ valueString: 7 })).toBe(`${inside}.valueString`)
    expect(answer({ valueCoding: { code: 7 } })).toBe(`${inside}.valueCoding.code`)
    expect(answer({ valueQuantity: { value: 'x' } })).toBe(`${inside}.valueQuantity.value`)
  })
})

describe('the policy of a bundle', () => {
  const payor = {
    resourceType: 'Organization',
    id: 'payor',
    identifier: [{}, { value: 'unknown' }, { value: 'UNITE' }],
  }
  const coverage = (changed: Json = {}) => ({
    ...{ resourceType: 'Coverage', subscriberId: 'M-1', payor: [{ reference: 'Organization/payor' }] },
    ...changed,
  })
  const insuranceOf = (resources: readonly Json[], urls: readonly string[] = []) =>
    readOrder(world, bundleOf([person, request, performer(), ...resources], urls)).insurance

  it('is that of the patient, of the first known code of its payor', () => {
    const group = { type: { coding: [{ code: 'plan' }, { code: 'group' }] }, value: 'G-7' }
    const plan = { type: { coding: [{ code: 'plan' }] }, value: 'P-1' }
    expect(insuranceOf([coverage({ class: [{}, plan, group] }), payor])).toMatchObject({
      ...{ payor_code: 'UNITE', member_id: 'M-1', group_id: 'G-7', relationship: 'Self' },
      insured: { first_name: 'Nina', last_name: 'Keller', address: { first_line: '1 Main St' } },
    })
    expect(insuranceOf([coverage({ class: [plan] }), payor])?.group_id ?? null).toBeNull()
  })

  it.each<[string, Json, boolean]>([
    ['nobody', {}, true],
    ['the patient', { relationship: { coding: [{ code: 'self' }] } }, true],
    [
      'the patient, in words of two systems',
      { relationship: { coding: [{ code: '18' }, { code: 'self' }] } },
      true,
    ],
    ['a spouse', { relationship: { coding: [{ code: 'spouse' }] } }, false],
    ['no code', { relationship: { coding: [] } }, false],
    ['a payor that is not in the bundle', { payor: [{ reference: 'Organization/other' }] }, false],
    ['no payor', { payor: undefined }, false],
    ['a payor without a reference', { payor: [{}] }, false],
    ['a payor by its code', { payor: [{ identifier: { value: 'UNITE' } }] }, true],
    ['a payor by its address', { payor: [{ reference: 'urn:uuid:1' }] }, true],
  ])('that names %s is kept or is not', (_, changed, isKept) => {
    const urls = ['urn:uuid:7', 'urn:uuid:8', 'urn:uuid:9', 'urn:uuid:2', 'urn:uuid:1']
    expect(insuranceOf([coverage(changed), payor], urls) !== undefined).toBe(isKept)
  })

  it('is none where the bundle has no coverage', () => {
    expect(insuranceOf([payor])).toBeUndefined()
    expect(insuranceOf([coverage(), { ...payor, id: undefined }])).toBeUndefined()
  })

  it.each([
    [{ subscriberId: 7 }, 'subscriberId'],
    [{ class: [{ value: 7 }] }, 'class[0].value'],
    [{ payor: [{ identifier: { value: 7 } }] }, 'payor[0].identifier.value'],
    [{ subscriberId: undefined }, 'subscriberId'],
  ])('with %o is refused: %s', (changed, place) => {
    const input = bundleOf([person, request, performer(), coverage(changed), payor])
    expect(issuesOf(input)[1]?.[1]).toBe(`Bundle.entry[3].resource.${place}`)
  })

  it('without a number says what is missing', () => {
    const input = bundleOf([person, request, performer(), coverage({ subscriberId: undefined }), payor])
    expect(issuesOf(input)[1]?.[0]).toMatch(/string/i)
  })

  it('of somebody who is not born yet is refused as a whole', () => {
    const unborn = { ...person, birthDate: '2030-01-01' }
    const input = bundleOf([unborn, request, performer(), coverage(), payor])
    expect(issuesOf(input)).toEqual([
      'invalid',
      ['Value error, dob cannot be in the future', 'Bundle.entry[3].resource'],
    ])
  })
})
