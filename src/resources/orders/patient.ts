import { feature } from '../../api/features.ts'
import type { Parsed } from '../../api/schema.ts'
import { omit } from '../../kernel/fields.ts'
import { atMidnight } from '../../kernel/instant.ts'
import { once } from '../../kernel/once.ts'
import { badRequest } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { findDemographics } from '../demographics/service.ts'
import { getUser } from '../users/service.ts'
import type { Method } from './lifecycle.ts'
import type { NewKitOrder, NewOrder, PatientAddressInput, PatientDetailsInput } from './requests.ts'
import { assertNotInFuture } from './rules.ts'
import type { OrderRow } from './table.ts'

type Body = Parsed<typeof NewOrder>

const UNKNOWN = 'User does not exist on this team'

export const assertUserOfTeam = (world: World, userId: string): void =>
  void getUser(world, userId, { unknown: UNKNOWN, deleted: UNKNOWN })

/** The checks that come before those of phone numbers. */
export function assertPatient(
  world: World,
  { user_id, patient_details: patient }: Pick<Body, 'user_id' | 'patient_details'>,
): void {
  assertNotInFuture(world, patient)
  assertUserOfTeam(world, user_id)
}

interface Reachable {
  readonly phone_number?: string | null | undefined
}

/** Throws for a well-formed number that cannot exist, if the feature is on. Source: docs/contract/placing.md#patients-and-addresses. */
export async function assertPossiblePhones(world: World, holders: readonly Reachable[]): Promise<void> {
  if (feature(world, 'phone_numbers') !== 'possible') return
  const { isValidPhoneNumber } = await import('libphonenumber-js/min')
  if (!holders.every(({ phone_number: number }) => !number || isValidPhoneNumber(number))) {
    throw badRequest('Phone number is not correct')
  }
}

/** The demographics in an order; omitted fields stay unchanged. Source: docs/contract/placing.md#orders-for-a-patient. */
export function demographicsOf(
  world: World,
  body: Pick<Body, 'user_id' | 'patient_details' | 'patient_address'>,
) {
  const { user_id, patient_details: patient, patient_address: address } = body
  const details = omit(patient, 'household_income', 'household_size')
  const { first_line, second_line, city, state, zip, country, access_notes } = address
  const known = findDemographics(world, user_id)
  return {
    ...details,
    medical_proxy: details.medical_proxy ?? known?.medical_proxy ?? null,
    race: details.race ?? known?.race ?? null,
    ethnicity: details.ethnicity ?? known?.ethnicity ?? null,
    sexual_orientation: details.sexual_orientation ?? known?.sexual_orientation ?? null,
    gender_identity: details.gender_identity ?? known?.gender_identity ?? null,
    address: { first_line, second_line: second_line ?? '', city, state, zip, country, access_notes },
  }
}

/** The patient, and for kits the shipping address. */
export const patientFields = (
  world: World,
  method: Method,
  body: Pick<Body, 'user_id' | 'patient_details'> & {
    readonly patient_address: Parameters<typeof patientAddress>[2]
  },
) => ({
  user_id: body.user_id,
  patient_details: patientDetails(body.patient_details),
  patient_address: patientAddress(world, method, body.patient_address, body.patient_details),
  shipping_details:
    method === 'testkit' ? shippingToPatient(world, body.patient_address, body.patient_details) : null,
})

const regions = once(() => new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' }))

/** Almost every order is for the United States; loading the names of all countries takes 25 ms. */
const nameOfCountry = (code: string) => (code === 'US' ? 'United States' : regions().of(code))

/** Converts a two-letter code to the full name, unless `contract_form` is `live`; other values stay unchanged. Source: docs/contract/placing.md. */
const countryName = (world: World, country: string): string =>
  (feature(world, 'contract_form') === 'spec' &&
    /^[A-Z]{2}$/i.test(country) &&
    nameOfCountry(country.toUpperCase())) ||
  country

type Details = Parsed<typeof PatientDetailsInput>
type Address = Parsed<typeof PatientAddressInput>
type Shipping = Parsed<typeof NewKitOrder>['shipping_details']

export function patientDetails(input: Details): NonNullable<OrderRow['patient_details']> {
  return { ...omit(input, 'household_income', 'household_size'), dob: atMidnight(input.dob) }
}

/** Responses always have name and phone number; the patient's by default. Kits show the full name of the country. */
export const patientAddress = (
  world: World,
  method: Method,
  input: Address,
  details: Details,
): NonNullable<OrderRow['patient_address']> => ({
  ...input,
  receiver_name: input.receiver_name || nameOf(details),
  country: method === 'testkit' ? countryName(world, input.country) : input.country,
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
const shippingToPatient = (
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
