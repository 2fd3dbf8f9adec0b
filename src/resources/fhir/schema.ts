import * as z from 'zod'
import { instant, schema } from '../../api/schema.ts'
import { reportKindNames } from '../orders/lifecycle.ts'

const text = () => z.string().optional()
const coding = () => z.object({ system: z.string(), code: z.string(), display: text() })
const concept = () => z.object({ coding: z.array(coding()).optional(), text: text() })
const concepts = () => z.array(concept())
const reference = () => z.object({ reference: text(), display: text() })
const identifier = () => z.object({ system: z.string(), value: z.string() })

export const FhirPatient = schema('FhirPatient', () => ({
  resourceType: z.literal('Patient'),
  id: z.string(),
  identifier: z.array(identifier()),
  name: z.array(z.object({ family: text(), given: z.array(z.string()).optional() })).optional(),
  telecom: z.array(z.object({ system: z.enum(['phone', 'email']), value: z.string() })).optional(),
  gender: z.enum(['male', 'female', 'other', 'unknown']).optional(),
  birthDate: z.iso.date().optional(),
  address: z
    .array(
      z.object({
        line: z.array(z.string()),
        city: z.string(),
        state: z.string(),
        postalCode: z.string(),
        country: z.string(),
      }),
    )
    .optional(),
}))

const Quantity = () =>
  z.object({
    value: z.number(),
    /** The value is beyond what the method measures. */
    comparator: z.enum(['<', '<=', '>=', '>']).optional(),
    unit: text(),
    system: text(),
    code: text(),
  })

const finding = () => ({
  category: concepts(),
  code: concept(),
  subject: reference(),
  effectiveDateTime: instant().optional(),
  issued: instant(),
})

export const FhirObservation = schema('FhirObservation', () => ({
  resourceType: z.literal('Observation'),
  id: z.string(),
  status: z.enum(['final', 'corrected', 'cancelled']),
  ...finding(),
  performer: z.array(reference()).optional(),
  valueQuantity: Quantity().optional(),
  valueRange: z.object({ low: Quantity(), high: Quantity() }).optional(),
  valueString: text(),
  dataAbsentReason: concept().optional(),
  interpretation: concepts().optional(),
  note: z.array(z.object({ text: z.string() })).optional(),
  referenceRange: z
    .array(z.object({ low: Quantity().optional(), high: Quantity().optional(), text: text() }))
    .optional(),
}))

export const FhirDocument = schema('FhirDocumentReference', () => ({
  resourceType: z.literal('DocumentReference'),
  id: z.string(),
  status: z.literal('current'),
  type: concept(),
  subject: reference(),
  date: instant(),
  content: z.array(
    z.object({
      attachment: z.object({ contentType: z.string(), url: z.string(), title: z.string() }),
    }),
  ),
}))

export const FhirReport = schema('FhirDiagnosticReport', () => ({
  resourceType: z.literal('DiagnosticReport'),
  id: z.string(),
  identifier: z.array(identifier()),
  status: z.enum(reportKindNames),
  ...finding(),
  result: z.array(reference()),
  conclusion: z.string(),
}))

const FhirCondition = schema('FhirCondition', () => ({
  resourceType: z.literal('Condition'),
  id: z.string(),
  clinicalStatus: concept(),
  verificationStatus: concept(),
  code: concept(),
  subject: reference(),
  onsetDateTime: z.iso.date(),
  abatementDateTime: z.iso.date().optional(),
}))

const FhirMedication = schema('FhirMedicationStatement', () => ({
  resourceType: z.literal('MedicationStatement'),
  id: z.string(),
  status: z.enum(['active', 'completed']),
  medicationCodeableConcept: concept(),
  subject: reference(),
  effectivePeriod: z.object({ start: z.iso.date(), end: z.iso.date().optional() }),
}))

const bundleOf = <Resource extends z.ZodType>(resource: Resource) =>
  z.object({
    resourceType: z.literal('Bundle'),
    type: z.literal('collection'),
    timestamp: instant(),
    entry: z.array(z.object({ fullUrl: z.string(), resource })),
  })

/** The results of an order. Source: docs/contract/fhir.md. */
export const ResultBundle = schema('FhirResultBundle', () =>
  bundleOf(z.discriminatedUnion('resourceType', [FhirPatient(), FhirObservation(), FhirDocument()])),
)

/** Everything clinical about a user. */
export const UserBundle = schema('PetriFhirUser', () =>
  bundleOf(
    z.discriminatedUnion('resourceType', [
      FhirPatient(),
      FhirCondition(),
      FhirMedication(),
      FhirReport(),
      FhirObservation(),
      FhirDocument(),
    ]),
  ),
)
