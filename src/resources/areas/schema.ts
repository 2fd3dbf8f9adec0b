import * as z from 'zod'
import { integer, maybe, oneOf, orNull, uuid } from '../../api/fields.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { billingTypes, capabilities, labSlugs, serviceTypes } from '../catalogue/schema.ts'

/** Laboratories with patient service centers, in the order of replies. */
export const labsWithSites = ['sonora_quest', 'labcorp', 'bioreference', 'quest'] as const
/** Miles. */
export const radii = ['10', '20', '25', '50', '100'] as const
export const phlebotomyProviders = ['getlabs', 'phlebfinders', 'quest', 'sonora_quest'] as const

/** Five digits. */
export const zip = () => z.string().regex(/^\d{5}$/)
/** Five digits, or nine. */
const longZip = () => z.string().regex(/^\d{5}(?:-?\d{4})?$/)
export const radius = () => oneOf(radii).default('25')

export const LngLat = schema('LngLat', () =>
  z.object({ lng: z.number().min(-180).max(180), lat: z.number().min(-90).max(90) }),
)
const Billing = schema('Billing', () => z.enum(billingTypes))
const LabLocationCapability = schema('LabLocationCapability', () => z.enum(capabilities))
const AppointmentServiceType = schema('AppointmentServiceType', () => z.enum(serviceTypes))

export const AreaQuery = unnamed(() =>
  z.object({
    zip_code: longZip(),
    radius: radius(),
    lab: maybe(oneOf(labsWithSites)),
    labs: maybe(z.array(oneOf(labsWithSites))),
    lab_account_id: maybe(uuid()),
  }),
)

export const PscQuery = unnamed(() =>
  z.object({
    zip_code: zip(),
    lab_id: integer(),
    radius: radius(),
    capabilities: orNull(z.array(oneOf(capabilities))),
    lab_account_id: maybe(uuid()),
  }),
)

export const OrderPscQuery = unnamed(() =>
  z.object({ radius: radius(), capabilities: orNull(z.array(oneOf(capabilities))) }),
)

const PhlebotomyProvider = schema('PhlebotomyProvider', () =>
  z.object({
    name: z.enum(phlebotomyProviders),
    service_types: z.array(AppointmentServiceType()),
  }),
)

const PscArea = schema('PscArea', () =>
  z.object({
    patient_service_centers: z.object({
      appointment_with_vital: z.boolean(),
      within_radius: z.int(),
      radius: z.string(),
      capabilities: z.array(LabLocationCapability()),
    }),
    supported_bill_types: z.array(Billing()),
    lab_id: z.int(),
  }),
)

export const AreaInfo = schema('AreaInfo', () =>
  z.object({
    zip_code: z.string(),
    phlebotomy: z.object({ is_served: z.boolean(), providers: z.array(PhlebotomyProvider()) }),
    central_labs: z.record(z.string(), PscArea()),
  }),
)

const LabLocationMetadata = schema('LabLocationMetadata', () =>
  z.object({
    name: z.string(),
    state: z.string(),
    city: z.string(),
    zip_code: z.string(),
    first_line: z.string(),
    second_line: z.string().nullable(),
    phone_number: z.string().nullable(),
    fax_number: z.string().nullable(),
    hours: z.record(z.string(), z.unknown()).nullable(),
    website: z.string().nullable(),
  }),
)

export const LabLocation = schema('LabLocation', () =>
  z.object({
    metadata: LabLocationMetadata(),
    distance: z.int(),
    site_code: z.string(),
    supported_bill_types: z.array(Billing()),
    location: LngLat(),
    capabilities: z.array(LabLocationCapability()),
  }),
)

export const PscInfo = schema('PscInfo', () =>
  z.object({
    lab_id: z.int(),
    slug: z.enum(labSlugs),
    patient_service_centers: z.array(LabLocation()),
  }),
)
