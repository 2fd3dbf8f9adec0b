import { makePerson, makeStreet, type Person } from '../../kernel/people.ts'
import type { World } from '../../world/world.ts'
import { placeOrder } from '../orders/placing.ts'
import type { OrderRow } from '../orders/table.ts'
import { createUser } from '../users/service.ts'

/** A generated patient in Houston, for results without an order. */
export const makePatient = (world: World, key: string): Person =>
  makePerson(world.random, `unmatched/${key}`, '713')

export const newTestUser = (world: World, name: string): string =>
  createUser(world, {
    client_user_id: name,
    fallback_time_zone: null,
    fallback_birth_date: null,
    ingestion_start: null,
    ingestion_end: null,
  }).user_id

/** Orders a lab test for a user under this name; the order follows no scenario. */
export function placeForPatient(world: World, userId: string, labTestId: string, patient: Person): OrderRow {
  const { phone_number, email } = patient
  const body: Parameters<typeof placeOrder>[1] = {
    user_id: userId,
    lab_test_id: labTestId,
    priority: false,
    billing_type: 'client_bill',
    icd_codes: null,
    consents: [],
    activate_by: null,
    passthrough: null,
    clinical_notes: null,
    patient_details: {
      ...{ first_name: patient.first_name, last_name: patient.last_name },
      ...{ dob: patient.dob, gender: patient.gender },
      phone_number,
      email,
      ...{ medical_proxy: null, race: null, ethnicity: null, sexual_orientation: null },
      ...{ gender_identity: null, household_income: null, household_size: null },
    },
    patient_address: {
      receiver_name: `${patient.first_name} ${patient.last_name}`,
      first_line: makeStreet(world.random, `unmatched/${userId}`),
      second_line: null,
      city: 'Houston',
      state: 'TX',
      zip: '77002',
      country: 'US',
      access_notes: null,
      phone_number,
    },
  }
  const order = placeOrder(world, body, { scenario: undefined })
  world.parts.scenarios.leave(world, order.id, 'the order belongs to an unmatched result')
  return order
}
