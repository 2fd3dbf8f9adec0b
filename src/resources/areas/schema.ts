import * as z from 'zod'
import { integer, maybe, oneOf, orNull, uuid } from '../../api/fields.ts'
import { anyObject, nullableText, schema, unnamed } from '../../api/schema.ts'
import { Billing, capabilities, LabLocationCapability, labSlugs, radii } from '../catalogue/schema.ts'

/** Laboratories with patient service centers, as the service lists them in errors. Source: docs/contract/areas.md. */
export const labsWithSites = ['quest', 'labcorp', 'bioreference', 'sonora_quest'] as const
/** Five digits. */
export const zip = () => z.string().regex(/^\d{5}$/)
/** Five digits, or nine. */
const longZip = () => z.string().regex(/^\d{5}(?:-?\d{4})?$/)
export const radius = () => oneOf(radii).default('25')

export const LngLat = schema('LngLat', () => ({
  lng: z.number().min(-180).max(180),
  lat: z.number().min(-90).max(90),
}))
export const AreaQuery = unnamed(() => ({
  zip_code: longZip(),
  radius: radius(),
  lab: maybe(oneOf(labsWithSites)),
  labs: maybe(z.array(oneOf(labsWithSites))),
  lab_account_id: maybe(uuid()),
}))

export const PscQuery = unnamed(() => ({
  zip_code: zip(),
  lab_id: integer(),
  radius: radius(),
  capabilities: orNull(z.array(oneOf(capabilities))),
  lab_account_id: maybe(uuid()),
}))

export const OrderPscQuery = unnamed(() => ({
  radius: radius(),
  capabilities: orNull(z.array(oneOf(capabilities))),
}))

const LabLocationMetadata = schema('LabLocationMetadata', () => ({
  name: z.string(),
  state: z.string(),
  city: z.string(),
  zip_code: z.string(),
  first_line: z.string(),
  second_line: nullableText(),
  phone_number: nullableText(),
  fax_number: nullableText(),
  hours: anyObject().nullable(),
  website: nullableText(),
}))

export const LabLocation = schema('LabLocation', () => ({
  metadata: LabLocationMetadata(),
  distance: z.int(),
  site_code: z.string(),
  supported_bill_types: z.array(Billing()),
  location: LngLat(),
  capabilities: z.array(LabLocationCapability()),
}))

export const PscInfo = schema('PscInfo', () => ({
  lab_id: z.int(),
  slug: z.enum(labSlugs),
  patient_service_centers: z.array(LabLocation()),
}))
