import { feature } from '../../api/features.ts'
import { futureBirth, invalidValue, tooLongText } from '../../api/issue.ts'
import { withoutUndefined } from '../../kernel/fields.ts'
import { atMidnight, toDate } from '../../kernel/instant.ts'
import { makePhysician } from '../../kernel/people.ts'
import { badRequest } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { FASTING, type LabSeed } from '../catalogue/schema.ts'
import type { Marker } from '../catalogue/service.ts'
import { findDemographics, isMinor } from '../demographics/service.ts'
import { checkIcdCodes } from '../diagnoses/service.ts'
import { latestInsurance } from '../insurance/service.ts'
import { needsPhysician } from '../lab-accounts/service.ts'
import type { LabAccountRow } from '../lab-accounts/table.ts'
import type { AoeAnswer, OrderMetadata, OrderRow } from './table.ts'

type Details = NonNullable<OrderRow['patient_details']>

/** Throws for a date of birth in the future. Source: docs/contract/placing.md#orders-for-a-patient. */
export function assertNotInFuture(world: World, { dob }: Pick<Details, 'dob'>): void {
  if (dob <= toDate(world.clock.now())) return
  throw invalidValue(futureBirth, ['body', 'patient_details', 'dob'], atMidnight(dob), { showsRead: true })
}

/** Throws for a minor, unless the team allows it and there is a medical proxy. Source: docs/contract/placing.md#patients-and-addresses. */
export function assertMayOrder(
  world: World,
  userId: string,
  { dob, medical_proxy }: Pick<Details, 'dob' | 'medical_proxy'>,
): void {
  if (!isMinor(world, dob)) return
  if (!feature(world, 'minor_ordering')) {
    throw badRequest('Ordering for patients under 18 is not enabled for this team')
  }
  if (!(medical_proxy ?? findDemographics(world, userId)?.medical_proxy))
    throw badRequest('medical_proxy must be set for patients under 18')
}

export const acceptsGender = ({ genders }: Pick<LabSeed, 'genders'>, gender: Details['gender']): boolean =>
  !genders || genders.some((each) => each === gender)

/** Throws if the laboratory does not accept the patient's gender. Source: docs/contract/placing.md#orders-for-a-patient. */
export function assertLabAccepts(lab: Pick<LabSeed, 'name' | 'genders'>, gender: Details['gender']): void {
  const { name } = lab
  if (!acceptsGender(lab, gender)) throw badRequest(`Lab ${name} does not allow gender ${gender}`)
}

/** The longest note for a laboratory. Source: docs/contract/placing.md. */
const NOTES_LENGTH = 1000

/** Joins the notes of the account and the customer, one line each. */
export function joinNotes(...notes: (string | null | undefined)[]): string | null {
  const joined = notes.filter(Boolean).join('\n')
  if (joined.length > NOTES_LENGTH)
    throw invalidValue(tooLongText(NOTES_LENGTH), ['body', 'clinical_notes'], joined)
  return joined || null
}

type BillingType = OrderRow['billing_type']

interface InsuranceInput {
  readonly user_id: string
  readonly billing_type: BillingType
  readonly icd_codes: readonly string[] | null
  readonly markers: readonly Marker[]
}

/** The insurance record of an order, or null. Source: docs/contract/insurance.md. */
export function insuranceFor(
  world: World,
  { user_id, billing_type, icd_codes, markers }: InsuranceInput,
): string | null {
  if (billing_type !== 'commercial_insurance') return null
  assertInsurable(markers)
  assertDiagnoses(world, icd_codes)
  const record = latestInsurance(world, user_id, true)
  if (!record) throw badRequest('The user has no primary insurance')
  return record.id
}

/** Throws for a marker that cannot be billed to insurance. Source: docs/contract/insurance.md. */
export function assertInsurable(markers: readonly Pick<Marker, 'name' | 'is_insurable'>[]): void {
  const marker = markers.find(({ is_insurable }) => !is_insurable)
  if (marker) throw badRequest(`Marker ${marker.name} cannot be billed to insurance`)
}

/** Validates the diagnosis codes of an order. */
function assertDiagnoses(world: World, codes: readonly string[] | null): void {
  if (!codes?.length)
    throw badRequest('Commercial insurance orders require at least one ICD code in icd_codes')
  const { errors, violations } = checkIcdCodes(world, codes)
  const conflicts = violations.map(({ code, conflicts_with: other }) => `${code} conflicts with ${other}`)
  const faults = [...errors, ...conflicts]
  if (faults.length > 0) throw badRequest(`Invalid icd_codes: ${faults.join(', ')}`)
}

/** How many physicians of the service are licensed in each state. */
const PHYSICIANS = 12

/** The service's own made-up physician of a patient, licensed in the state; used if the customer names none. */
function servicePhysician({ random, drawKey }: World, state: string, userId: string) {
  const number = random.integer(`physician/${drawKey('user', userId)}`, 1, PHYSICIANS)
  return makePhysician(random, `service/${state.toUpperCase()}/${number}`)
}

type Named = NonNullable<OrderRow['physician']>

interface PhysicianChoice {
  /** By the customer. */
  readonly named: Named | null | undefined
  /** The patient's. */
  readonly state: string
  readonly userId: string
}

/** The ordering physician: the given one, or the service's own if the account allows it. Source: docs/contract/lab-accounts.md. */
export function choosePhysician(
  world: World,
  account: LabAccountRow | undefined,
  { named, state, userId }: PhysicianChoice,
): Named {
  if (named) return { first_name: named.first_name, last_name: named.last_name, npi: named.npi }
  if (account && needsPhysician(account) && feature(world, 'physician_rule') === 'enforced') {
    throw badRequest('physician must be set, the lab account is delegated')
  }
  return servicePhysician(world, state, userId)
}

/** What is asked when a marker is ordered. */
type Asking = Pick<Marker, 'id' | 'aoe'>
type Question = NonNullable<Marker['aoe']>['questions'][number]

/** The code of the question when the sample is taken, which is answered with hours and minutes: `0830`. */
const COLLECTION_TIME = 'COLTIM'

/** Validates the answers and adds those of the lab test itself. Source: docs/contract/lab-tests.md. */
export function completeAnswers(
  markers: readonly Asking[],
  given: readonly AoeAnswer[],
  { fasting }: { readonly fasting: boolean },
): AoeAnswer[] {
  for (const answer of given)
    assertValidAnswer(
      markers.find(({ id }) => id === answer.marker_id),
      answer,
    )
  const asked = markers.flatMap((marker) =>
    (marker.aoe?.questions ?? []).map((question) => ({ marker_id: marker.id, question })),
  )
  const open = asked.filter(
    ({ marker_id, question }) =>
      !given.some((answer) => answer.marker_id === marker_id && answer.question_id === question.id),
  )
  const missing = open.filter(({ question }) => question.required && question.code !== FASTING)
  if (missing.length > 0) {
    const questions = [...new Set(missing.map(({ question }) => `"${question.value}"`))]
    throw badRequest(`Missing required questions - ${questions.join(', ')}`)
  }
  const answered = open
    .filter(({ question }) => question.code === FASTING)
    .map(({ marker_id, question }) => ({ marker_id, question_id: question.id, answer: fasting ? 'Y' : 'N' }))
  return [...given, ...answered]
}

/** What the customer's own answers say of the draw, if anything. */
export function drawSaidBy(
  markers: readonly Asking[],
  given: readonly AoeAnswer[],
): OrderMetadata['draw'] | undefined {
  const answerTo = (code: string) =>
    given.find(({ marker_id, question_id }) =>
      markers
        .find(({ id }) => id === marker_id)
        ?.aoe?.questions.some((question) => question.id === question_id && question.code === code),
    )?.answer
  const fasting = answerTo(FASTING)
  const [, hours, minutes] =
    /^([01]\d|2[0-3]):?([0-5]\d)$/.exec(answerTo(COLLECTION_TIME)?.trim() ?? '') ?? []
  const draw = withoutUndefined({
    is_fasting: fasting === undefined ? undefined : fasting.trim() === 'Y',
    minute: hours === undefined ? undefined : 60 * Number(hours) + Number(minutes),
  })
  return Object.keys(draw).length > 0 ? draw : undefined
}

/** Validates the answers before it is known what is ordered. */
export function assertKnownAnswers(world: World, given: readonly AoeAnswer[]): void {
  for (const answer of given)
    assertValidAnswer(world.services.catalogue.markers().get(answer.marker_id), answer)
}

function assertValidAnswer(marker: Asking | undefined, { marker_id, question_id, answer }: AoeAnswer): void {
  const questions = marker?.aoe?.questions
  if (!questions?.length) throw badRequest(`Marker id ${marker_id} does not have AOE.`)
  const question = questions.find(({ id }) => id === question_id)
  if (!question) {
    throw badRequest(`Invalid question_id ${question_id} for marker id ${marker_id}.`)
  }
  if (!answers(question, answer)) {
    throw badRequest(`Invalid answer ${answer.toUpperCase()} for question ${question.value}.`)
  }
}

/** Choices are answered by code, separated by commas. */
function answers({ type, answers: choices }: Question, answer: string): boolean {
  const isCode = (code: string) => choices.some((choice) => choice.code === code.trim())
  switch (type) {
    case 'choice':
      return isCode(answer)
    case 'multi_choice':
      return answer.split(',').every(isCode)
    case 'numeric':
      return /^\s*[+-]?(\d+\.?\d*|\.\d+)\s*$/.test(answer)
    default:
      return answer.trim() !== ''
  }
}
