import { feature } from '../../api/features.ts'
import type { Parsed } from '../../api/schema.ts'
import { atMidnight } from '../../kernel/instant.ts'
import { once } from '../../kernel/once.ts'
import type { World } from '../../world/world.ts'
import type { PatientAddressInput, PatientDetailsInput } from './patient.ts'
import type { NewKitOrder } from './requests.ts'
import type { OrderRow } from './table.ts'

/** Full names by two-letter code in capitals. */
const countryNames = once(() => {
  const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const codes = letters.flatMap((first) => letters.map((second) => `${first}${second}`))
  return new Map(codes.flatMap((code) => [[code, regions.of(code)] as const]))
})

/** Converts a two-letter code to the full name, unless `contract_form` is `live`; other values stay unchanged. Source: contract/README.md #21. */
const countryName = (world: World, country: string): string =>
  (feature(world, 'contract_form') === 'spec' && countryNames().get(country.toUpperCase())) || country

type Details = Parsed<typeof PatientDetailsInput>
type Address = Parsed<typeof PatientAddressInput>
type Shipping = Parsed<typeof NewKitOrder>['shipping_details']

export const patientDetails = (input: Details): NonNullable<OrderRow['patient_details']> => ({
  ...input,
  dob: atMidnight(input.dob),
})

/** Responses always have name and phone number; the patient's by default. */
export const patientAddress = (
  world: World,
  input: Address,
  details: Details,
): NonNullable<OrderRow['patient_address']> => ({
  ...input,
  receiver_name: input.receiver_name || nameOf(details),
  country: countryName(world, input.country),
  phone_number: input.phone_number ?? details.phone_number,
})

const nameOf = ({ first_name, last_name }: Details) => `${first_name} ${last_name}`

export const shippingDetails = (
  world: World,
  input: Shipping,
): NonNullable<OrderRow['shipping_details']> => ({
  ...input,
  country: countryName(world, input.country),
})

/** A kit for a named patient is sent to the patient's address. */
export const shippingToPatient = (
  world: World,
  input: Address,
  details: Details,
): NonNullable<OrderRow['shipping_details']> => ({
  receiver_name: input.receiver_name || nameOf(details),
  first_line: input.first_line,
  second_line: input.second_line,
  city: input.city,
  state: input.state,
  zip: input.zip,
  country: countryName(world, input.country),
  phone_number: input.phone_number ?? details.phone_number,
})
