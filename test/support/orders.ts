import type { TestPetri } from './petri.ts'

export const patient = {
  first_name: 'Ada',
  last_name: 'Example',
  dob: '1990-01-01',
  gender: 'female',
  phone_number: '+16025550123',
  email: 'ada@example.com',
}

export const shipping = {
  receiver_name: 'Ada Example',
  first_line: '1 Test Street',
  city: 'Phoenix',
  state: 'AZ',
  zip: '85004',
  country: 'US',
  phone_number: '+16025550123',
}

const { phone_number: _, ...address } = shipping

export { address }

export async function createUser(petri: TestPetri, clientUserId = 'ada'): Promise<string> {
  return (await petri.post('/v2/user', { client_user_id: clientUserId })).body.user_id
}

/** The id of the standard test kit of every team. */
export async function kitTestId(petri: TestPetri): Promise<string> {
  const { body } = await petri.get('/v3/lab_tests?collection_method=testkit')
  return body[0].id
}

/** Orders a kit to be registered later. */
export async function orderKit(
  petri: TestPetri,
  { scenario, zip = '85004', user }: { scenario?: string; zip?: string; user?: string } = {},
) {
  const user_id = user ?? (await createUser(petri, `user-${zip}-${scenario}`))
  const body = { user_id, lab_test_id: await kitTestId(petri), shipping_details: { ...shipping, zip } }
  const answer = await petri.post('/v3/order/testkit', body, scenario ? { 'x-petri-scenario': scenario } : {})
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body.order
}

/** Orders a kit for a named patient. */
export async function orderForPatient(
  petri: TestPetri,
  { scenario, zip = '85004', user }: { scenario?: string; zip?: string; user?: string } = {},
) {
  const user_id = user ?? (await createUser(petri, `patient-${zip}-${scenario}`))
  const body = {
    user_id,
    lab_test_id: await kitTestId(petri),
    patient_details: patient,
    patient_address: { ...address, zip },
  }
  const answer = await petri.post('/v3/order', body, scenario ? { 'x-petri-scenario': scenario } : {})
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body.order
}

export const register = (petri: TestPetri, sampleId: string) =>
  petri.post('/v3/order/testkit/register', {
    sample_id: sampleId,
    patient_details: patient,
    patient_address: address,
  })

export const advance = (petri: TestPetri, by: string) => petri.post('/_petri/clock/advance', { by })

export const statusesOf = (order: { events: { status: string }[] }) =>
  order.events.map(({ status }) => status)
