import type { Parsed } from '../../api/schema.ts'
import { byName, entriesOf } from '../../kernel/fields.ts'
import { compact } from '../../kernel/list.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { NewInsurance } from '../insurance/schema.ts'
import { checkInsurance } from '../insurance/service.ts'
import { findLabTest } from '../lab-tests/service.ts'
import { assertKnownAnswers } from '../orders/placing.ts'
import { NewOrder } from '../orders/requests.ts'
import { findPayor } from '../payors/service.ts'
import { findByClientUserId } from '../users/service.ts'
import { users } from '../users/table.ts'
import { onlyOne, type Placed, type Resource, readBundle } from './bundle.ts'
import { asOutcome, outcome } from './outcome.ts'

/** Source: docs/contract/fhir.md. */
const LAB_TEST_SYSTEM = 'https://docs.tryvital.io/api-reference/lab-testing/tests'
const NPI_SYSTEM = 'http://hl7.org/fhir/sid/us-npi'
const ICD_10 = /\/icd-10(-cm)?$/
/** Words of `request-priority` for an order that does not wait. */
const URGENT = ['urgent', 'asap', 'stat']

/** An order as its bundle asks for it, checked without an order. */
export interface FhirOrder {
  readonly body: Parsed<typeof NewOrder>
  readonly insurance: Parsed<typeof NewInsurance> | undefined
  /** The FHIRPath of a field of the body. */
  readonly placeOf: (path: readonly PropertyKey[]) => string | undefined
}

/** Reads an order from a bundle. Throws an OperationOutcome. */
export function readOrder(world: World, bundle: unknown): FhirOrder {
  const all = readBundle(bundle)
  const patient = onlyOne('Patient', all('Patient'))
  const request = onlyOne('ServiceRequest', all('ServiceRequest'))
  const [practitioner, another] = all('Practitioner')
  if (another) onlyOne('Practitioner', all('Practitioner'))
  const userId = userOf(world, patient)
  const labTest = labTestOf(world, all('Organization'))
  const details = detailsOf(patient)
  const { resource } = request
  const input = {
    user_id: userId,
    lab_test_id: labTest,
    patient_details: details,
    patient_address: addressOf(patient),
    aoe_answers: all('QuestionnaireResponse').flatMap((response) => answersOf(world, response)),
    icd_codes: diagnosesOf(resource),
    clinical_notes: notesOf(resource),
    priority: URGENT.includes(resource.priority ?? ''),
    physician: practitioner && physicianOf(practitioner),
  }
  const placeOf = placesOf({
    patient: patient.path,
    practitioner: practitioner?.path ?? 'Bundle.entry',
    request: request.path,
  })
  const parsed = NewOrder().safeParse(input)
  if (!parsed.success)
    throw outcome(
      'invalid',
      parsed.error.issues.map(({ path, message }) => ({ diagnostics: message, expression: placeOf(path) })),
    )
  const insurance = insuranceOf(world, all, parsed.data)
  return { body: parsed.data, insurance, placeOf }
}

/** The user whose reference, or id, is the id of the patient. */
function userOf(world: World, { resource: { id }, path }: Placed<Resource<'Patient'>>): string {
  const user = findByClientUserId(world, id) ?? world.db.find(users, id)
  if (user) return user.user_id
  throw outcome('not_found', [
    { diagnostics: `No user has the client_user_id ${id}`, expression: `${path}.id` },
  ])
}

/** The id of the lab test that the performer names. */
function labTestOf(world: World, organizations: readonly Placed<Resource<'Organization'>>[]): string {
  const named = organizations.flatMap(({ resource, path, fullUrl }) =>
    compact(
      resource.identifier.map(
        ({ system, value }, nth) =>
          system === LAB_TEST_SYSTEM && {
            resource: value ?? '',
            path: `${path}.identifier[${nth}].value`,
            fullUrl,
          },
      ),
    ),
  )
  const { resource: id, path } = onlyOne(
    `Organization with an identifier of the system ${LAB_TEST_SYSTEM}`,
    named,
  )
  if (findLabTest(world, id)) return id
  throw outcome('bad_request', [{ diagnostics: 'Test does not exist', expression: path }])
}

const telecomOf = (telecom: Resource<'Patient'>['telecom'], system: string) =>
  telecom.find((each) => each.system === system)?.value

function nameOf(name: Resource<'Patient' | 'Practitioner'>['name']) {
  const [{ given = [], family } = {}] = name
  return { first_name: given.length > 0 ? given.join(' ') : undefined, last_name: family }
}

function detailsOf({ resource: { name, birthDate, gender, telecom } }: Placed<Resource<'Patient'>>) {
  return {
    ...nameOf(name),
    dob: birthDate,
    gender,
    phone_number: telecomOf(telecom, 'phone'),
    email: telecomOf(telecom, 'email'),
  }
}

function addressOf({ resource: { address } }: Placed<Resource<'Patient'>>) {
  const [{ line = [], city, state, postalCode: zip, country = 'US' } = {}] = address
  return { first_line: line[0], second_line: line[1] ?? null, city, state, zip, country }
}

function physicianOf({ resource: { name, identifier, telecom, address } }: Placed<Resource<'Practitioner'>>) {
  return {
    ...nameOf(name),
    npi: identifier.find(({ system }) => system === NPI_SYSTEM)?.value,
    email: telecomOf(telecom, 'email'),
    licensed_states: [...new Set(compact(address.map(({ state }) => state)))],
  }
}

function diagnosesOf({ code, reasonCode }: Resource<'ServiceRequest'>): string[] | null {
  const codes = compact(
    compact([code, ...reasonCode])
      .flatMap(({ coding }) => coding)
      .map(({ system = '', code: icd }) => (ICD_10.test(system) && icd ? icd : undefined)),
  )
  return codes.length > 0 ? codes : null
}

/** What the patient reports, and the plan of the physician. */
function notesOf({ note, extension }: Resource<'ServiceRequest'>): string | null {
  const plans = compact(
    extension.map(({ url, valueString }) =>
      /(^|\/)assessment_plan$/.test(url) && valueString ? valueString : undefined,
    ),
  )
  return [...note.map(({ text }) => text), ...plans].join('\n') || null
}

type Answer = Resource<'QuestionnaireResponse'>['item'][number]['item'][number]['answer'][number]

/** Answers to the laboratory's questions: groups are linked to markers, and items to questions. */
function answersOf(world: World, { resource, path }: Placed<Resource<'QuestionnaireResponse'>>) {
  return resource.item.flatMap((group, nthGroup) =>
    group.item.map(({ linkId, answer }, nth) => {
      const given = {
        marker_id: Number(group.linkId),
        question_id: Number(linkId),
        answer: answer.map(answerText).join(','),
      }
      try {
        assertKnownAnswers(world, [given])
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        const expression = `${path}.item[${nthGroup}].item[${nth}]`
        throw outcome(error.kind, [{ diagnostics: error.message, expression }])
      }
      return given
    }),
  )
}

function answerText(answer: Answer): string {
  const { valueString, valueDecimal, valueInteger, valueBoolean, valueDate, valueDateTime } = answer
  if (valueBoolean !== undefined) return valueBoolean ? 'Y' : 'N'
  const value =
    answer.valueCoding?.code ??
    valueString ??
    valueDecimal ??
    valueInteger ??
    valueDate ??
    valueDateTime ??
    answer.valueQuantity?.value
  return String(value ?? '')
}

/** The patient's own policy, if its payor is known by its code. */
function insuranceOf(
  world: World,
  all: ReturnType<typeof readBundle>,
  { user_id, patient_details: patient, patient_address: address }: Parsed<typeof NewOrder>,
): Parsed<typeof NewInsurance> | undefined {
  const [coverage] = all('Coverage')
  if (!coverage) return undefined
  const { subscriberId, relationship, payor, class: classes } = coverage.resource
  const isOwn = (relationship?.coding ?? [{ code: 'self' }]).some(({ code }) => code === 'self')
  const payorCode = payor
    .flatMap(({ reference, identifier }) =>
      compact([
        identifier,
        ...all('Organization')
          .filter(({ resource: { id }, fullUrl }) => isReferenceTo(reference, id, fullUrl))
          .flatMap(({ resource }) => resource.identifier),
      ]),
    )
    .find(({ value }) => value !== undefined && findPayor(world, value))?.value
  if (!isOwn || payorCode === undefined) return undefined
  const input = {
    payor_code: payorCode,
    member_id: subscriberId,
    group_id: classes.find(({ type }) => type?.coding.some(({ code }) => code === 'group'))?.value,
    relationship: 'Self',
    insured: { ...patient, address },
  }
  const parsed = NewInsurance().safeParse(input)
  if (!parsed.success)
    throw outcome('invalid', [
      {
        diagnostics: parsed.error.issues[0]?.message ?? '',
        expression: subscriberId === undefined ? `${coverage.path}.subscriberId` : coverage.path,
      },
    ])
  try {
    checkInsurance(world, user_id, parsed.data)
  } catch (error) {
    throw asOutcome(error, () => coverage.path)
  }
  return parsed.data
}

const isReferenceTo = (reference: string | undefined, id: string | undefined, fullUrl: string | undefined) =>
  reference !== undefined && [id && `Organization/${id}`, fullUrl].includes(reference)

/** The FHIRPaths of the fields of an order, by the resource that has them. */
const places = {
  patient: byName({
    'patient_details.first_name': 'name[0].given',
    'patient_details.last_name': 'name[0].family',
    'patient_details.dob': 'birthDate',
    'patient_details.gender': 'gender',
    'patient_details.phone_number': "telecom.where(system='phone').value",
    'patient_details.email': "telecom.where(system='email').value",
    'patient_address.first_line': 'address[0].line[0]',
    'patient_address.second_line': 'address[0].line[1]',
    'patient_address.city': 'address[0].city',
    'patient_address.state': 'address[0].state',
    'patient_address.zip': 'address[0].postalCode',
    'patient_address.country': 'address[0].country',
  }),
  practitioner: byName({
    'physician.first_name': 'name[0].given',
    'physician.last_name': 'name[0].family',
    'physician.npi': `identifier.where(system='${NPI_SYSTEM}').value`,
  }),
  request: byName({ clinical_notes: 'note', icd_codes: 'code' }),
}

/** Finds the FHIRPath of a field of an order in resources that are at these. */
const placesOf =
  (resources: Readonly<Record<keyof typeof places, string>>) =>
  (path: readonly PropertyKey[]): string | undefined => {
    const field = path.join('.')
    for (const [name, paths] of entriesOf(places)) {
      const place = paths[field] ?? paths[String(path[0])]
      if (place) return `${resources[name]}.${place}`
    }
    return path[0] === 'patient_address' ? resources.patient : undefined
  }
