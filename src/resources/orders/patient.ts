import * as z from 'zod'
import { AddressInput } from '../../api/address.ts'
import {
  date,
  dateTime,
  email,
  integer,
  maybe,
  oneOf,
  orNull,
  personName,
  phone,
  text,
  trimmed,
  usState,
} from '../../api/fields.ts'
import { schema } from '../../api/schema.ts'
import { ethnicities, genderIdentities, genders, races, sexualOrientations } from './schema.ts'

const ZIP = /^\d{5}(-\d{4})?$/
const zip = () => z.string().trim().regex(ZIP)
export const notes = () => z.string().max(1000)

const MedicalProxyInput = schema('MedicalProxyInput', () =>
  z.object({
    first_name: personName(),
    last_name: personName(),
    address: AddressInput(),
    phone_number: phone(),
    household_income: orNull(integer()),
    household_size: orNull(integer()),
    email: orNull(text()),
  }),
)

export const PatientDetailsInput = schema('PatientDetailsInput', () =>
  z.object({
    first_name: personName(),
    last_name: personName(),
    dob: date(),
    gender: oneOf(genders),
    phone_number: phone(),
    email: email(),
    medical_proxy: orNull(MedicalProxyInput()),
    race: orNull(oneOf(races)),
    ethnicity: orNull(oneOf(ethnicities)),
    sexual_orientation: orNull(oneOf(sexualOrientations)),
    gender_identity: orNull(oneOf(genderIdentities)),
    household_income: orNull(integer()),
    household_size: orNull(integer()),
  }),
)

/** An address, validated. */
const placeFields = () => ({
  first_line: trimmed(),
  second_line: orNull(trimmed()),
  city: trimmed(),
  state: usState(),
  zip: zip(),
  country: trimmed(),
})

export const PatientAddressInput = schema('PatientAddressInput', () =>
  z.object({
    receiver_name: trimmed().default(''),
    ...placeFields(),
    access_notes: orNull(notes()),
    phone_number: orNull(phone()),
  }),
)

/** The address of an imported order, not validated. Source: contract/lab-testing.md §4.5. */
export const ImportedAddressInput = schema('ImportedAddressInput', () =>
  z.object({
    receiver_name: text(),
    first_line: text(),
    second_line: orNull(text()),
    city: text(),
    state: text(),
    zip: text(),
    country: text(),
    access_notes: orNull(notes()),
    phone_number: orNull(text()),
  }),
)

export const ShippingInput = schema('ShippingInput', () =>
  z.object({
    receiver_name: trimmed(),
    ...placeFields(),
    phone_number: phone(),
  }),
)

const consentTypes = [
  'terms-of-use',
  'telehealth-informed-consent',
  'mobile-terms-and-conditions',
  'notice-of-privacy-practices',
  'privacy-policy',
  'hipaa-authorization',
] as const

/** Consents are camel case on the wire; snake case is also accepted. */
export const ConsentInput = schema('ConsentInput', () =>
  z.preprocess(
    (input) => {
      if (typeof input !== 'object' || input === null) return input
      const { consent_type: type, time_of_consent: time, ...rest } = input as Record<string, unknown>
      return {
        ...(type !== undefined && { consentType: type }),
        ...(time !== undefined && { timeOfConsent: time }),
        ...rest,
      }
    },
    z.object({
      consentType: oneOf(consentTypes),
      version: text().default('1.0'),
      timeOfConsent: maybe(dateTime()),
    }),
  ),
)

const physicianFields = () => ({
  first_name: trimmed(),
  last_name: trimmed(),
  email: orNull(text()),
  npi: trimmed(),
  licensed_states: z.array(text()).default([]),
})

const ImageInput = schema('ImageInput', () =>
  z.object({ content: text(), content_type: oneOf(['image/jpeg', 'image/png']) }),
)

export const PhysicianInput = schema('PhysicianInput', () =>
  z.object({ ...physicianFields(), signature_image: maybe(ImageInput()) }),
)
export const KitPhysicianInput = schema('KitPhysicianInput', () => z.object(physicianFields()))

const ResponsiblePerson = schema('ResponsiblePerson', () =>
  z.object({
    first_name: text(),
    last_name: text(),
    address: AddressInput(),
    phone_number: text(),
    phone_type: text().default('Mobile'),
  }),
)

/** Insurance in an order; ignored, as in the service since users have insurance records. */
export const OrderInsuranceInput = schema('OrderInsuranceInput', () =>
  z.object({
    front_image: maybe(ImageInput()),
    back_image: maybe(ImageInput()),
    patient_signature_image: maybe(ImageInput()),
    subjective: maybe(text()),
    assessment_plan: maybe(text()),
    payor_code: maybe(text()),
    insurance_id: maybe(text()),
    responsible_relationship: maybe(oneOf(['Self', 'Spouse', 'Other'])),
    responsible_details: maybe(ResponsiblePerson()),
    diagnosis_codes: maybe(z.array(text())),
  }),
)
