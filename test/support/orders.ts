import { type Answer, ok, type TestPetri } from './petri.ts'

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

export const postUser = (petri: TestPetri, client_user_id: string, headers?: Record<string, string>) =>
  petri.post('/v2/user', { client_user_id }, headers)

export async function createUser(petri: TestPetri, clientUserId = 'ada'): Promise<string> {
  return (await postUser(petri, clientUserId)).body.user_id
}

export const readUser = (petri: TestPetri, id: string) => petri.read(`/v2/user/${id}`)

export const changeUser = (petri: TestPetri, id: string, body: object) => petri.patch(`/v2/user/${id}`, body)

/** Changes the demographics of a user. */
export const changeInfo = (petri: TestPetri, id: string, body: object) =>
  petri.patch(`/v2/user/${id}/info`, body)

export const deleteUser = (petri: TestPetri, id: string) => petri.delete(`/v2/user/${id}`)

export const connectDemo = (petri: TestPetri, user_id: string, provider: string) =>
  petri.post('/v2/link/connect/demo', { user_id, provider })

/** The test kit of every team whose markers are listed. */
export const kitTestId = (petri: TestPetri): Promise<string> => standardTest(petri, 'testkit')

/** Orders a kit that is registered later. */
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

export const untilIdle = (petri: TestPetri) => petri.post('/_petri/clock/advance', { until: 'idle' })

export const statusesOf = (order: { events: { status: string }[] }) =>
  order.events.map(({ status }) => status)

export type LabMethod = 'walk_in_test' | 'at_home_phlebotomy' | 'on_site_collection'

/** The id of the lab test of every team for a method; its slug has the team's prefix. */
export async function standardTest(petri: TestPetri, method: string, headers = {}): Promise<string> {
  const body = await petri.read(`/v3/lab_tests?collection_method=${method}`, headers)
  return body.find(({ slug }: { slug: string }) => /^[0-9a-f]{8}-/.test(slug)).id
}

export const readLabTest = (petri: TestPetri, id: string) => petri.read(`/v3/lab_tests/${id}`)

/** Sends an order for the example patient, who is a user of the team; `more` wins. */
export async function sendOrder(
  petri: TestPetri,
  more: Record<string, unknown> = {},
  { path = '/v3/order', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const user_id = more.user_id ?? (await someUser(petri))
  return petri.post(path, { patient_details: patient, patient_address: address, ...more, user_id }, headers)
}

const someUser = async (petri: TestPetri): Promise<string> =>
  (await petri.read('/v2/user')).users[0]?.user_id ?? createUser(petri)

/** Places an order of a method; it follows no scenario. */
export async function orderBy(petri: TestPetri, method: LabMethod, more: Record<string, unknown> = {}) {
  const lab_test_id = more.order_set ? undefined : await standardTest(petri, method)
  const headers = { 'x-petri-scenario': 'manual' }
  const answer = await sendOrder(petri, { lab_test_id, ...more }, { headers })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body.order
}

export const readOrder = (petri: TestPetri, id: string) => petri.read(`/v3/order/${id}`)

export const readResult = (petri: TestPetri, id: string) => petri.read(`/v3/order/${id}/result`)

/** What the page shows of an order. */
export const readDetails = (petri: TestPetri, id: string) => petri.read(`/_petri/orders/${id}`)

/** Puts an order into a scenario from where it stands. */
export const followScenario = (petri: TestPetri, id: string, scenario: string) =>
  petri.put(`/_petri/orders/${id}/scenario`, { scenario })

/** Gives an order exact results. */
export const giveResults = (petri: TestPetri, id: string, body: object) =>
  petri.put(`/_petri/orders/${id}/results`, body)

/** The scenario that an order follows, and how far it is. */
export const readFollowed = (petri: TestPetri, id: string) => petri.read(`/_petri/orders/${id}/scenario`)

export const cancelOrder = (petri: TestPetri, id: string) => petri.post(`/v3/order/${id}/cancel`)

/** Moves an order by hand. */
export const moveOrder = (petri: TestPetri, id: string, status: string, more: object = {}) =>
  petri.post(`/_petri/orders/${id}/move`, { status, ...more })

export const setFeatures = (petri: TestPetri, features: Record<string, unknown>) =>
  petri.patch('/_petri/world', { features })

/** The id of the lab account of this name. */
export async function accountId(petri: TestPetri, name: string): Promise<string> {
  const { data } = await petri.read('/v3/lab_test/lab_account')
  return data.find(({ account_name }: { account_name: string }) => account_name === name).id
}

/** The body of an import of a walk-in order for the example patient. */
export const importedOrder = async (petri: TestPetri, more: object = {}) => ({
  user_id: await someUser(petri),
  billing_type: 'client_bill',
  order_set: { lab_test_ids: [await standardTest(petri, 'walk_in_test')] },
  collection_method: 'walk_in_test',
  patient_details: patient,
  patient_address: address,
  sample_id: 'A-1',
  ...more,
})

/** Gives a user insurance of an own. */
export async function insure(petri: TestPetri, userId: string, more: object = {}): Promise<void> {
  const { first_line, city, state, zip, country } = address
  const insured = { ...patient, address: { first_line, city, state, zip, country } }
  const record = { payor_code: 'UNITE', member_id: 'M1', relationship: 'Self', insured, ...more }
  await ok(petri.post(`/v2/user/${userId}/insurance`, record))
}
