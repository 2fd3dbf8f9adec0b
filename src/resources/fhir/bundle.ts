import * as z from 'zod'
import { schema } from '../../api/schema.ts'
import { outcome } from './outcome.ts'

const text = () => z.string().optional()
const some = <Item extends z.ZodType>(item: Item) => z.array(item).default([])
const list = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => some(z.looseObject(shape))

/** An identifier, or a phone number or an e-mail address. */
const tagged = () => z.looseObject({ system: text(), value: text() })
const identifiers = () => some(tagged())
const names = () => list({ family: text(), given: some(z.string()), text: text() })
const telecoms = () => some(tagged())
const addresses = () =>
  list({
    line: some(z.string()),
    city: text(),
    state: text(),
    postalCode: text(),
    country: text(),
  })
const reference = () =>
  z.looseObject({
    reference: text(),
    identifier: tagged().optional(),
  })
const concept = () =>
  z.looseObject({
    coding: list({ system: text(), code: text() }),
  })

const answer = () =>
  z.looseObject({
    valueString: text(),
    valueDecimal: z.number().optional(),
    valueInteger: z.number().optional(),
    valueBoolean: z.boolean().optional(),
    valueDate: text(),
    valueDateTime: text(),
    valueCoding: z.looseObject({ code: text(), display: text() }).optional(),
    valueQuantity: z.looseObject({ value: z.number().optional() }).optional(),
  })

/** The fields of the resources of an order that are read; others are accepted. */
const resourceSchemas = {
  Patient: () =>
    z.looseObject({
      id: z.string(),
      name: names(),
      birthDate: text(),
      gender: text(),
      telecom: telecoms(),
      address: addresses(),
    }),
  Practitioner: () =>
    z.looseObject({ identifier: identifiers(), name: names(), telecom: telecoms(), address: addresses() }),
  ServiceRequest: () =>
    z.looseObject({
      priority: text(),
      code: concept().optional(),
      reasonCode: some(concept()),
      note: list({ text: z.string() }),
      extension: list({ url: z.string(), valueString: text() }),
    }),
  Organization: () => z.looseObject({ id: text(), identifier: identifiers() }),
  Coverage: () =>
    z.looseObject({
      subscriberId: text(),
      class: list({ type: concept().optional(), value: text() }),
      relationship: concept().optional(),
      payor: some(reference()),
    }),
  QuestionnaireResponse: () =>
    z.looseObject({
      item: list({
        linkId: z.string(),
        answer: z.undefined('Answers belong to the items of a group that is linked to a marker').optional(),
        item: some(z.looseObject({ linkId: z.string(), answer: some(answer()) })),
      }),
    }),
}

type Type = keyof typeof resourceSchemas
export type Resource<Name extends Type> = z.output<ReturnType<(typeof resourceSchemas)[Name]>>

/** A resource of a bundle, and the FHIRPath to it. */
export interface Placed<Value> {
  readonly resource: Value
  readonly path: string
  readonly fullUrl: string | undefined
}

/** The bundle of an order in a request; its resources are read by `resourcesOf`, whose errors are OperationOutcomes. */
export const OrderBundle = schema('FhirOrderBundle', () =>
  z.looseObject({}).meta({
    description:
      'A FHIR R4 Bundle of type transaction: Patient, ServiceRequest, the Organization that names the lab test, and optionally ' +
      'Practitioner, Coverage and QuestionnaireResponse.',
  }),
)

const Envelope = () =>
  z.looseObject({
    resourceType: z.literal('Bundle'),
    type: z.literal('transaction'),
    entry: list({
      fullUrl: text(),
      resource: z.looseObject({ resourceType: z.string() }).optional(),
    }),
  })

/** `Bundle.entry[0].resource.birthDate`. */
export const toFhirPath = (root: string, path: readonly PropertyKey[]): string =>
  path.reduce<string>((at, key) => (typeof key === 'number' ? `${at}[${key}]` : `${at}.${String(key)}`), root)

/** The FHIRPath of a place in the body. In a body that is not JSON, it is an offset. */
export const placeInBundle = (path: readonly PropertyKey[]): string =>
  typeof path[0] === 'number' ? 'Bundle' : toFhirPath('Bundle', path)

/** Validates a value. Throws an OperationOutcome with the paths of all errors. */
function parseAt<Schema extends z.ZodType>(path: string, shape: Schema, input: unknown): z.output<Schema> {
  const result = shape.safeParse(input)
  if (result.success) return result.data
  throw outcome(
    'invalid',
    result.error.issues.map((issue) => ({
      diagnostics: issue.message,
      expression: toFhirPath(path, issue.path),
    })),
  )
}

/** The resources of a bundle by type. */
export function readBundle(bundle: unknown): <Name extends Type>(type: Name) => Placed<Resource<Name>>[] {
  const { entry } = parseAt('Bundle', Envelope(), bundle)
  const read = entry.map(({ resource, fullUrl }, nth) => {
    const type = resource?.resourceType as Type | undefined
    const shape =
      type !== undefined && Object.hasOwn(resourceSchemas, type) ? resourceSchemas[type]() : undefined
    const path = `Bundle.entry[${nth}].resource`
    return { type, fullUrl, path, resource: shape && parseAt(path, shape, resource) }
  })
  return <Name extends Type>(type: Name) =>
    read.filter((each) => each.type === type) as unknown as Placed<Resource<Name>>[]
}

/** The only resource of a type. Throws an OperationOutcome if there is none, or another. */
export function onlyOne<Value>(type: string, found: readonly Placed<Value>[]): Placed<Value> {
  const [first, second] = found
  if (!first)
    throw outcome('invalid', [{ diagnostics: `The bundle has no ${type}`, expression: 'Bundle.entry' }])
  if (second)
    throw outcome('invalid', [
      {
        diagnostics: `The bundle has ${found.length} resources ${type}; one is expected`,
        expression: second.path,
      },
    ])
  return first
}
