import * as z from 'zod'
import { Address, AddressInput } from '../../api/address.ts'
import { boolean, date, oneOf, orNull, personName, text } from '../../api/fields.ts'
import { Guarantor, GuarantorInput } from '../../api/person.ts'
import { nullableText, schema, unnamed } from '../../api/schema.ts'
import { genders } from '../catalogue/schema.ts'

const relationships = ['Self', 'Spouse', 'Other'] as const

const PersonInput = schema('PersonDetailsInput', () => ({
  first_name: personName(),
  last_name: personName(),
  gender: oneOf(genders, { fold: true }),
  address: AddressInput(),
  dob: date(),
  email: text(),
  phone_number: text(),
}))

/** The guarantor of a patient in a request. */
export const NewInsurance = schema('NewInsurance', () => ({
  payor_code: text(),
  member_id: text(),
  group_id: orNull(text()),
  relationship: oneOf(relationships, { fold: true }),
  insured: PersonInput(),
  guarantor: orNull(GuarantorInput()),
  is_primary: boolean().default(true),
}))

const Person = schema('PersonDetails', () => ({
  first_name: z.string(),
  last_name: z.string(),
  gender: z.enum(genders),
  address: Address(),
  dob: z.iso.date(),
  email: z.string(),
  phone_number: z.string(),
}))

export const Insurance = schema('Insurance', () => ({
  member_id: z.string(),
  payor_code: z.string(),
  relationship: z.enum(relationships),
  insured: Person(),
  company: z.object({ name: z.string(), address: Address() }),
  group_id: nullableText(),
  guarantor: Guarantor().nullable(),
  is_primary: z.boolean(),
}))

export const InsuranceUser = unnamed(() => ({ user_id: text() }))
export const LatestQuery = unnamed(() => ({ is_primary: boolean().default(true) }))
