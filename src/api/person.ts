import * as z from 'zod'
import { Address, AddressInput } from './address.ts'
import { integer, orNull, personName, text } from './fields.ts'
import { nullableText, schema } from './schema.ts'

export const sexualOrientations = [
  'lesbian_gay_or_homosexual',
  'heterosexual_or_straight',
  'bisexual',
  'dont_know',
  'other',
] as const
export const genderIdentities = [
  'male',
  'female',
  'female_to_male_ftm_transgender_male_trans_man',
  'male_to_female_mtf_transgender_female_trans_woman',
  'genderqueer',
  'other',
] as const

export const GuarantorInput = schema('GuarantorDetailsInput', () => ({
  first_name: personName(),
  last_name: personName(),
  address: AddressInput(),
  phone_number: text(),
  household_income: orNull(integer()),
  household_size: orNull(integer()),
  email: orNull(text()),
}))

/** The guarantor of a patient. */
export const Guarantor = schema('GuarantorDetails', () => ({
  first_name: z.string(),
  last_name: z.string(),
  address: Address(),
  phone_number: z.string(),
  household_income: z.int().nullable(),
  household_size: z.int().nullable(),
  email: nullableText(),
}))
