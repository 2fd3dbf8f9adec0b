import type { Parsed } from '../../api/schema.ts'
import { atMidnight } from '../../kernel/instant.ts'
import { once } from '../../kernel/once.ts'
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

/** A two-letter code to the full name; anything else stays. Source: contract/README.md #21. */
export const countryName = (country: string): string => countryNames().get(country.toUpperCase()) ?? country

type Details = Parsed<typeof PatientDetailsInput>
type Address = Parsed<typeof PatientAddressInput>
type Shipping = Parsed<typeof NewKitOrder>['shipping_details']

export const patientDetails = (input: Details): NonNullable<OrderRow['patient_details']> => ({
  ...input,
  dob: atMidnight(input.dob),
})

/** The phone number is always there in answers: the patient's, where the address has none. */
export const patientAddress = (
  input: Address,
  details: Details,
): NonNullable<OrderRow['patient_address']> => ({
  ...input,
  country: countryName(input.country),
  phone_number: input.phone_number ?? details.phone_number,
})

export const shippingDetails = (input: Shipping): NonNullable<OrderRow['shipping_details']> => ({
  ...input,
  country: countryName(input.country),
})

/** A kit ordered for a named patient goes to the patient's own address. */
export const shippingToPatient = (
  input: Address,
  details: Details,
): NonNullable<OrderRow['shipping_details']> => ({
  receiver_name: input.receiver_name || `${details.first_name} ${details.last_name}`,
  first_line: input.first_line,
  second_line: input.second_line,
  city: input.city,
  state: input.state,
  zip: input.zip,
  country: countryName(input.country),
  phone_number: input.phone_number ?? details.phone_number,
})
