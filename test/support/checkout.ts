import { address, createUser, patient, standardTest } from './orders.ts'
import type { TestPetri } from './petri.ts'

/** A quote of the standard lab test of a method. */
export async function makeQuote(petri: TestPetri, more: { modality?: string; us_state?: string } = {}) {
  const modality = more.modality ?? 'walk_in_test'
  const order_set = { lab_test_ids: [await standardTest(petri, modality)] }
  const body = { order_set, modality, priority: false, us_state: 'AZ', ...more }
  const answer = await petri.post('/checkout/v1/quote', body)
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body
}

export const hosted = {
  channel: 'stripe',
  method: 'checkout_session',
  success_url: 'https://app.test/done?session={JUNCTION_CHECKOUT_SESSION_ID}&stripe={CHECKOUT_SESSION_ID}',
  cancel_url: 'https://app.test/cart',
}

let users = 0

/** Asks for a session of the example patient; `more` wins. */
export async function openSession(
  petri: TestPetri,
  more: Record<string, unknown> = {},
  headers: Record<string, string> = {},
) {
  const user_id = more.user_id ?? (await createUser(petri, `payer ${++users}`))
  const quote_id = more.quote_id ?? (await makeQuote(petri)).id
  const body = { quote_id, payment: hosted, patient_details: patient, patient_address: address, ...more }
  return petri.post('/checkout/v1/session', { ...body, user_id }, headers)
}
