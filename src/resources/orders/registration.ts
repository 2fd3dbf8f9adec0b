import type { Parsed } from '../../api/schema.ts'
import { makeIdentity } from '../../kernel/people.ts'
import { badRequest } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { homeOf } from '../catalogue/homes.ts'
import { findDemographics } from '../demographics/service.ts'
import { personOf } from '../personas/service.ts'
import { patientAddress, patientDetails } from './patient.ts'
import { KitRegistration } from './requests.ts'
import { assertLabAccepts, assertMayOrder, assertNotInFuture, choosePhysician } from './rules.ts'
import { labOf, type OrderMetadata, type OrderRow } from './table.ts'

type Registration = Parsed<typeof KitRegistration>

/** What is said of the patient who registers a kit. */
export type NamedPatient = {
  readonly [Field in 'first_name' | 'last_name' | 'dob' | 'gender' | 'phone_number' | 'email']?:
    | string
    | undefined
}

/** The person behind a user's data, under the name in the user's demographics. */
export function patientFor(world: World, userId: string, home = homeOf(world, userId, () => true)) {
  const { sex, birthDate, race, ethnicity } = personOf(world, userId)
  const { first_name, last_name, email, phone_number } =
    findDemographics(world, userId) ??
    makeIdentity(world.random, world.drawKey('user', userId), sex, home.areaCode)
  return { first_name, last_name, email, phone_number, gender: sex, dob: birthDate, race, ethnicity }
}

/** What the recipient of a kit sends to register it: the user's person, named as the kit is addressed. */
export function recipientOf(world: World, order: OrderRow, named: NamedPatient = {}): Registration {
  const { id, sample_id, user_id, shipping_details: shipping } = order
  if (sample_id === null || !shipping)
    throw badRequest(`The order ${id} is not a kit that its recipient registers.`)
  const [first_name = '', ...rest] = shipping.receiver_name.trim().split(/\s+/)
  const patient = patientFor(world, user_id)
  return KitRegistration().parse({
    sample_id,
    user_id,
    patient_details: {
      ...patient,
      first_name: first_name || patient.first_name,
      last_name: rest.join(' ') || patient.last_name,
      phone_number: shipping.phone_number ?? patient.phone_number,
      ...named,
    },
    patient_address: shipping,
    consents: ['terms-of-use', 'telehealth-informed-consent'].map((consentType) => ({
      consentType,
      version: '1.0',
      timeOfConsent: new Date(world.clock.now()).toISOString(),
    })),
  })
}

/** The order as its recipient registers it. Throws for a patient who is refused; stores nothing. */
export function registrationOf(
  world: World,
  order: OrderRow,
  named?: NamedPatient,
): { bound: OrderRow; consents: NonNullable<OrderMetadata['consents']> } {
  const body = recipientOf(world, order, named)
  assertNotInFuture(world, body.patient_details)
  assertPatientAccepted(world, order, body)
  const { state } = body.patient_address
  // The service's own physician, also where the account wants the customer to name one.
  const physician = choosePhysician(world, undefined, { named: undefined, state, userId: order.user_id })
  return { bound: bindPatient(world, order, body, physician), consents: body.consents }
}

/** Throws if the team or the laboratory does not accept the patient. */
export function assertPatientAccepted(
  world: World,
  order: OrderRow,
  { user_id, patient_details: patient }: Registration,
): void {
  assertMayOrder(world, user_id ?? order.user_id, patient)
  const lab = world.services.catalogue.labs().get(labOf(order))
  if (lab) assertLabAccepts(lab, patient.gender)
}

export function bindPatient(
  world: World,
  order: OrderRow,
  { user_id, patient_details: patient, patient_address: address }: Registration,
  physician: OrderRow['physician'],
): OrderRow {
  return {
    ...order,
    user_id: user_id ?? order.user_id,
    patient_details: patientDetails(patient),
    patient_address: patientAddress(world, 'testkit', address, patient),
    physician,
  }
}
