import { jsonOf, listOf } from '../../api/responses.ts'
import type { Parsed } from '../../api/schema.ts'
import { toDate, toWire } from '../../kernel/instant.ts'
import { type ConditionName, conditionTable } from '../../people/conditions.ts'
import type { World } from '../../world/world.ts'
import { findDemographics } from '../demographics/service.ts'
import { ordersOfUser } from '../orders/directory.ts'
import { personOf } from '../personas/service.ts'
import { describeResults, entryOf, hl7, makePatient, patientIdOf } from './result.ts'
import type { UserBundle } from './schema.ts'

interface Coding {
  readonly system: string
  readonly code: string
  readonly display: string
}

type Resource = Parsed<typeof UserBundle>['entry'][number]['resource']

/** Everything clinical about a user: who it is, conditions and treatments until today, and all reports. Links are relative, so that the same seed gives the same bytes. */
export const userBundle = (world: World, userId: string) =>
  jsonOf<Parsed<typeof UserBundle>>(writeBundle(world, userId))

function* writeBundle(world: World, userId: string): Generator<string> {
  yield `{"resourceType":"Bundle","type":"collection","timestamp":"${toWire(world.clock.now())}","entry":`
  yield* listOf(describeUser(world, userId), writeEntries)
  yield '}'
}

/** Not an address of this Petri, so that the same seed gives the same bytes. */
const BASE = 'https://petri.example'

const writeEntries = (resources: readonly Resource[]) =>
  resources.map((resource) => JSON.stringify(entryOf(BASE, resource))).join(',')

/** The person, then each order, which has no resources before its first report. */
function* describeUser(world: World, userId: string): Generator<Resource[]> {
  yield [describePatient(world, userId), ...describeHealth(world, userId)]
  for (const order of ordersOfUser(world, userId)) {
    const described = describeResults(world, order, '')
    yield described ? [described.summary, ...described.observations, described.document] : []
  }
}

/** The demographics of a user, or what is made up about the person. */
function describePatient(world: World, userId: string) {
  const known = findDemographics(world, userId)
  const { sex, birthDate } = personOf(world, userId)
  const nobody = { first_name: null, last_name: null, phone_number: null, email: null }
  return makePatient(world, userId, {
    details: known ?? { ...nobody, gender: sex, dob: birthDate },
    address: known?.address ?? null,
  })
}

function describeHealth(world: World, userId: string): Resource[] {
  const today = toDate(world.clock.now())
  const { conditions, treatments } = personOf(world, userId)
  const subject = { reference: `Patient/${patientIdOf(world, userId)}` }
  const idOf = (what: string) => world.ids.uuid(`fhir/${userId}/${what}`)
  const hasBegun = ({ since }: { readonly since: string }) => since <= today
  const hasEnded = (until: string | null): until is string => until !== null && until <= today
  return [
    ...conditions.filter(hasBegun).map(
      ({ name, since, until, isDiagnosed }, nth): Resource => ({
        resourceType: 'Condition',
        id: idOf(`condition/${name}/${since}/${nth}`),
        clinicalStatus: hl7('condition-clinical', hasEnded(until) ? 'resolved' : 'active'),
        verificationStatus: hl7('condition-ver-status', isDiagnosed ? 'confirmed' : 'unconfirmed'),
        code: codeOf(world, name),
        subject,
        onsetDateTime: since,
        abatementDateTime: hasEnded(until) ? until : undefined,
      }),
    ),
    ...treatments.filter(hasBegun).map(
      ({ name, since, until }, nth): Resource => ({
        resourceType: 'MedicationStatement',
        id: idOf(`treatment/${name}/${since}/${nth}`),
        status: hasEnded(until) ? 'completed' : 'active',
        medicationCodeableConcept: { text: inWords(name) },
        subject,
        effectivePeriod: { start: since, end: hasEnded(until) ? until : undefined },
      }),
    ),
  ]
}

const SNOMED = 'http://snomed.info/sct'
const ICD_10 = 'http://hl7.org/fhir/sid/icd-10-cm'

function codeOf(world: World, name: ConditionName): { coding?: Coding[]; text: string } {
  const { snomed, icd } = conditionTable.get(name).codes ?? {}
  const coding: Coding[] = []
  if (snomed) coding.push({ system: SNOMED, code: snomed[0], display: snomed[1] })
  const diagnosis = icd === undefined ? undefined : world.services.catalogue.diagnoses().get(icd)
  if (diagnosis) coding.push({ system: ICD_10, code: diagnosis.code, display: diagnosis.description })
  return coding.length > 0 ? { coding, text: inWords(name) } : { text: inWords(name) }
}

const inWords = (name: string) => name.replaceAll('_', ' ')
