import type { Parsed } from '../../api/schema.ts'
import { byName } from '../../kernel/fields.ts'
import { fromIso, toLocalIso, toWire } from '../../kernel/instant.ts'
import { compact } from '../../kernel/list.ts'
import { offsetSeconds } from '../../kernel/local-day.ts'
import type { World } from '../../world/world.ts'
import { type OrderRow, orderMetadata } from '../orders/table.ts'
import {
  BETWEEN,
  COMPARATOR,
  editionOf,
  findReport,
  type Report,
  type ResultLine,
  replacedBy,
  timesOf,
} from '../results/service.ts'
import { users } from '../users/table.ts'
import type { FhirDocument, FhirObservation, FhirPatient, FhirReport, ResultBundle } from './schema.ts'

type Patient = Parsed<typeof FhirPatient>
type Observation = Parsed<typeof FhirObservation>
type Comparator = NonNullable<NonNullable<Observation['valueQuantity']>['comparator']>

const LOINC = 'http://loinc.org'
const UCUM = 'http://unitsofmeasure.org'

/** A code of a system of HL7. */
export const hl7 = (system: string, code: string, display?: string) => ({
  coding: [{ system: `http://terminology.hl7.org/CodeSystem/${system}`, code, display }],
})

const laboratory = [hl7('observation-category', 'laboratory')]

const interpretations = byName<readonly [code: string, display: string]>({
  normal: ['N', 'Normal'],
  abnormal: ['A', 'Abnormal'],
  critical: ['AA', 'Critical abnormal'],
})
const indeterminate = ['IND', 'Indeterminate'] as const
const interpretationOf = (word: string | null) => interpretations[word ?? 'unknown'] ?? indeterminate

/** The results of an order as a bundle: the patient, an observation of each result, and a link to the PDF. */
export function resultBundle(world: World, order: OrderRow): Parsed<typeof ResultBundle> | undefined {
  const described = describeResults(world, order, world.baseUrl)
  return (
    described && {
      resourceType: 'Bundle',
      type: 'collection',
      timestamp: toWire(world.clock.now()),
      entry: [patientOf(world, order), ...described.observations, described.document].map((resource) =>
        entryOf(world.baseUrl, resource),
      ),
    }
  )
}

/** A resource of a bundle; relative references to it begin at `base`. */
export const entryOf = <Of extends { readonly resourceType: string; readonly id: string }>(
  base: string,
  resource: Of,
) => ({ fullUrl: `${base}/${resource.resourceType}/${resource.id}`, resource })

/** The resources of an order's report; undefined before the first. Links begin with `baseUrl`. */
export function describeResults(world: World, order: OrderRow, baseUrl: string) {
  const report = findReport(world, order)
  const edition = editionOf(order)
  if (!report || !edition) return undefined
  const { date_collected: collected, date_reported } = report.metadata
  const { zone } = timesOf(world, order)
  const about = {
    subject: subjectOf(world, order),
    issued: inZone(zone, date_reported),
    effectiveDateTime: collected === null ? undefined : inZone(zone, collected),
  }
  const idOf = (what: string) => world.ids.uuid(`fhir/${order.id}/${what}`)
  const former = world.db.find(orderMetadata, order.id)?.results?.former
  const idOfLine = lineIds(idOf)
  const observations: Observation[] = [
    ...report.results.map((line) => ({
      ...observationOf(line, idOfLine(line), about, quantityIn(world, line)),
      status: replacedBy(line, former) === undefined ? ('final' as const) : ('corrected' as const),
      issued: line.timestamp === null ? about.issued : inZone(zone, line.timestamp),
    })),
    ...(report.missing_results ?? []).map((line) => missingOf(line, idOfLine(line), about)),
  ]
  const [, conclusion] = interpretationOf(report.metadata.interpretation)
  const summary: Parsed<typeof FhirReport> = {
    resourceType: 'DiagnosticReport',
    id: idOf('report'),
    identifier: [{ system: 'vital_order_id', value: order.id }],
    ...about,
    status: edition.status,
    category: [hl7('v2-0074', 'LAB', 'Laboratory')],
    code: { text: order.lab_test.name },
    result: observations.map(({ id }) => ({ reference: `Observation/${id}` })),
    conclusion,
  }
  return { observations, summary, document: documentOf(order, idOf('document'), about, baseUrl) }
}

/** Ids of the lines of a report, the same in each edition: by what is measured, numbered where several lines measure it. */
function lineIds(idOf: (what: string) => string): (line: Pick<ResultLine, 'slug'>) => string {
  const counts = new Map<string, number>()
  return ({ slug }) => {
    const before = counts.get(slug) ?? 0
    counts.set(slug, before + 1)
    return idOf(before === 0 ? `result/${slug}` : `result/${slug}/${before}`)
  }
}

/** The PDF of a report. */
const documentOf = (
  order: OrderRow,
  id: string,
  { subject, issued }: About,
  baseUrl: string,
): Parsed<typeof FhirDocument> => ({
  resourceType: 'DocumentReference',
  id,
  status: 'current',
  type: { coding: [{ system: LOINC, code: '11502-2', display: 'Laboratory report' }] },
  subject,
  date: issued,
  content: [
    {
      attachment: {
        contentType: 'application/pdf',
        url: `${baseUrl}/v3/order/${order.id}/result/pdf`,
        title: 'report.pdf',
      },
    },
  ],
})

type About = Pick<Observation, 'subject' | 'issued' | 'effectiveDateTime'>
type Missing = NonNullable<Report['missing_results']>[number]

const codeOf = ({ name, loinc }: Pick<ResultLine, 'name' | 'loinc'>) => ({
  coding: loinc === null ? undefined : [{ system: LOINC, code: loinc, display: name }],
  text: name,
})

function observationOf(
  line: ResultLine,
  id: string,
  about: About,
  quantityOf: QuantityOf,
): Omit<Observation, 'status'> {
  const [code, display] = interpretationOf(line.interpretation)
  const ranges = rangeOf(line, quantityOf)
  return {
    resourceType: 'Observation',
    id,
    ...about,
    category: laboratory,
    code: codeOf(line),
    performer: line.performing_laboratory === null ? undefined : [{ display: line.performing_laboratory }],
    ...valueIn(line, quantityOf),
    interpretation: [hl7('v3-ObservationInterpretation', code, display)],
    note: line.notes === null || line.notes === line.result ? undefined : [{ text: line.notes }],
    referenceRange: ranges && [ranges],
  }
}

function valueIn({ type, value, result }: ResultLine, quantityOf: QuantityOf): Partial<Observation> {
  if (type === 'numeric' && value !== null) return { valueQuantity: quantityOf(value) }
  const [, comparator, limit] = COMPARATOR.exec(result) ?? []
  if (type === 'range' && limit !== undefined)
    return {
      valueQuantity: { ...quantityOf(Number(limit)), comparator: comparator as Comparator },
    }
  const [, low, high] = BETWEEN.exec(result) ?? []
  if (type === 'range' && high !== undefined)
    return { valueRange: { low: quantityOf(Number(low)), high: quantityOf(Number(high)) } }
  return { valueString: result }
}

type QuantityOf = (value: number) => NonNullable<Observation['valueQuantity']>

/** Makes quantities in the unit of a line, with its code where UCUM has one. */
function quantityIn(world: World, { unit }: ResultLine): QuantityOf {
  const code = world.services.catalogue.units().get(unit ?? '')?.ucum
  const coded = code ? { system: UCUM, code } : {}
  return (value) => ({ value, unit: unit ?? undefined, ...coded })
}

function rangeOf(
  { min_range_value: low, max_range_value: high, reference_range: text }: ResultLine,
  quantityOf: QuantityOf,
) {
  // A range always has a text.
  if (text === null) return undefined
  return {
    low: low === null ? undefined : quantityOf(low),
    high: high === null ? undefined : quantityOf(high),
    text,
  }
}

/** A result that the laboratory could not give. */
const missingOf = (line: Missing, id: string, about: About): Observation => ({
  resourceType: 'Observation',
  id,
  ...about,
  status: 'cancelled',
  category: laboratory,
  code: codeOf(line),
  dataAbsentReason: {
    ...hl7('data-absent-reason', 'error'),
    text: line.inferred_failure_type.replaceAll('_', ' '),
  },
  note: line.note === null ? undefined : [{ text: line.note }],
})

/** The form of ids in FHIR. Source: hl7.org/fhir/R4/datatypes.html#id. */
const FHIR_ID = /^[A-Za-z0-9\-.]{1,64}$/

/** The customer's own id of the patient, which FHIR servers know; the user's id if that is not an id in FHIR. */
export function patientIdOf(world: World, userId: string): string {
  const { client_user_id = '' } = world.db.find(users, userId) ?? {}
  return FHIR_ID.test(client_user_id) ? client_user_id : userId
}

const subjectOf = (world: World, { user_id }: OrderRow) => ({
  reference: `Patient/${patientIdOf(world, user_id)}`,
})

/** The patient as the order names it. */
function patientOf(world: World, order: OrderRow): Patient {
  const { patient_details: details, patient_address: address, sample_id, user_id } = order
  return makePatient(world, user_id, {
    sampleId: sample_id,
    details: details && { ...details, dob: details.dob.slice(0, 10) },
    address,
  })
}

type Known = 'first_name' | 'last_name' | 'phone_number' | 'email'

interface PatientData {
  readonly sampleId?: string | null
  readonly details: Readonly<Record<Known, string | null> & Record<'gender' | 'dob', string>> | null
  readonly address: PatientAddress | null
}

type PatientAddress = Omit<
  NonNullable<OrderRow['patient_address']>,
  'receiver_name' | 'phone_number' | 'access_notes'
>

export function makePatient(
  world: World,
  userId: string,
  { sampleId, details, address }: PatientData,
): Patient {
  const { last_name: family, first_name: given, phone_number, email, dob } = details ?? {}
  const telecom = compact([
    phone_number ? { system: 'phone' as const, value: phone_number } : undefined,
    email ? { system: 'email' as const, value: email } : undefined,
  ])
  const name = { family: family || undefined, given: given ? given.split(' ') : undefined }
  return {
    resourceType: 'Patient',
    id: patientIdOf(world, userId),
    identifier: compact([
      { system: 'vital_user_id', value: userId },
      sampleId ? { system: 'vital_sample_id', value: sampleId } : undefined,
    ]),
    name: family || given ? [name] : undefined,
    gender: details ? genderOf(details.gender) : undefined,
    birthDate: dob,
    telecom: telecom.length > 0 ? telecom : undefined,
    address: address ? [addressOf(address)] : undefined,
  }
}

const addressOf = ({ first_line, second_line, city, state, zip, country }: PatientAddress) => ({
  line: compact([first_line, second_line || undefined]),
  city,
  state,
  postalCode: zip,
  country,
})

const genderOf = (gender: string): NonNullable<Patient['gender']> =>
  (['male', 'female', 'other'] as const).find((each) => each === gender.toLowerCase()) ?? 'unknown'

/** An instant of a report as the clocks showed it where the sample was drawn. */
const inZone = (zone: string, text: string): string => {
  const instant = fromIso(text) ?? 0
  return toLocalIso(instant, offsetSeconds(zone, instant))
}
