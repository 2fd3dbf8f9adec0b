import { address, createUser, patient } from './orders.ts'
import type { Answer, TestPetri } from './petri.ts'

export type LabMethod = 'walk_in_test' | 'at_home_phlebotomy' | 'on_site_collection'

/** The id of the standard lab test of every team for a method. */
export const standardTest = async (petri: TestPetri, method: string): Promise<string> =>
  (await petri.get(`/v3/lab_tests?collection_method=${method}`)).body[0].id

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
  (await petri.get('/v2/user')).body.users[0]?.user_id ?? createUser(petri)

/** Places an order of a method; it follows no scenario. */
export async function orderBy(petri: TestPetri, method: LabMethod, more: Record<string, unknown> = {}) {
  const lab_test_id = more.order_set ? undefined : await standardTest(petri, method)
  const headers = { 'x-petri-scenario': 'manual' }
  const answer = await sendOrder(petri, { lab_test_id, ...more }, { headers })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body.order
}

export const readOrder = async (petri: TestPetri, id: string) => (await petri.get(`/v3/order/${id}`)).body

export const setFeatures = (petri: TestPetri, features: Record<string, unknown>) =>
  petri.call('PATCH', '/_petri/world', { features })

/** The id of the lab account of this name. */
export async function accountId(petri: TestPetri, name: string): Promise<string> {
  const { data } = (await petri.get('/v3/lab_test/lab_account')).body
  return data.find(({ account_name }: { account_name: string }) => account_name === name).id
}
