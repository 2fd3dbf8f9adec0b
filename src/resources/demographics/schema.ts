import * as z from 'zod'
import { Address, AddressInput } from '../../api/address.ts'
import { date, email, integer, maybe, oneOf, orNull, personName, phone, text } from '../../api/fields.ts'
import { Guarantor, GuarantorInput, genderIdentities, sexualOrientations } from '../../api/person.ts'
import { nullableText, schema, unnamed } from '../../api/schema.ts'
import { ethnicities, races } from '../../people/race.ts'
import { User, UserList } from '../users/schema.ts'

/** What a patient may say about origin and identity, in a request. */
export const backgroundInput = () => ({
  race: orNull(oneOf(races)),
  ethnicity: orNull(oneOf(ethnicities)),
  sexual_orientation: orNull(oneOf(sexualOrientations)),
  gender_identity: orNull(oneOf(genderIdentities)),
})

export const background = () => ({
  race: z.enum(races).nullable(),
  ethnicity: z.enum(ethnicities).nullable(),
  sexual_orientation: z.enum(sexualOrientations).nullable(),
  gender_identity: z.enum(genderIdentities).nullable(),
})

/** A user's demographics in a request; all fields are required. Source: docs/contract/users.md. */
export const DemographicsInput = schema('UserInfoInput', () => ({
  first_name: personName(),
  last_name: personName(),
  email: email(),
  phone_number: phone(),
  gender: text(),
  dob: date(),
  address: AddressInput(),
  medical_proxy: orNull(GuarantorInput()),
  ...backgroundInput(),
}))

export const Demographics = schema('UserInfo', () => ({
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone_number: z.string(),
  gender: z.string(),
  dob: z.iso.date(),
  address: Address(),
  medical_proxy: Guarantor().nullable(),
  ...background(),
}))

/** A user as the search returns it, with demographics. Source: docs/contract/users.md. */
export const FoundUser = schema('FoundUser', () =>
  User().extend({
    first_name: nullableText(),
    last_name: nullableText(),
    email: nullableText(),
    phone_number: nullableText(),
    dob: z.iso.date().nullable(),
    gender: nullableText(),
  }),
)

export const FoundUserList = schema('FoundUserList', () => UserList().extend({ users: z.array(FoundUser()) }))

export const UserSearch = unnamed(() => ({
  search_input: maybe(text()),
  offset: integer({ ge: 0 }).default(0),
  limit: integer({ ge: 0, le: 500 }).default(30),
  order_key: oneOf([
    'created_on',
    'client_user_id',
    'first_name',
    'last_name',
    'email',
    'phone_number',
  ]).default('created_on'),
  order_direction: oneOf(['asc', 'desc']).default('asc'),
}))
