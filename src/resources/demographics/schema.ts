import * as z from 'zod'
import { Address, AddressInput } from '../../api/address.ts'
import { date, email, oneOf, orNull, personName, phone, text } from '../../api/fields.ts'
import { schema } from '../../api/schema.ts'
import { ethnicities, races } from '../../people/race.ts'
import { Guarantor, GuarantorInput } from '../insurance/schema.ts'
import { genderIdentities, sexualOrientations } from '../orders/schema.ts'

/** A user's demographics in a request; all fields are required. Source: docs/contract/users.md. */
export const DemographicsInput = schema('UserInfoInput', () =>
  z.object({
    first_name: personName(),
    last_name: personName(),
    email: email(),
    phone_number: phone(),
    gender: text(),
    dob: date(),
    address: AddressInput(),
    medical_proxy: orNull(GuarantorInput()),
    race: orNull(oneOf(races)),
    ethnicity: orNull(oneOf(ethnicities)),
    sexual_orientation: orNull(oneOf(sexualOrientations)),
    gender_identity: orNull(oneOf(genderIdentities)),
  }),
)

export const Demographics = schema('UserInfo', () =>
  z.object({
    first_name: z.string(),
    last_name: z.string(),
    email: z.string(),
    phone_number: z.string(),
    gender: z.string(),
    dob: z.iso.date(),
    address: Address(),
    medical_proxy: Guarantor().nullable(),
    race: z.enum(races).nullable(),
    ethnicity: z.enum(ethnicities).nullable(),
    sexual_orientation: z.enum(sexualOrientations).nullable(),
    gender_identity: z.enum(genderIdentities).nullable(),
  }),
)
