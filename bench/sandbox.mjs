// Calls and test data for a world of a running Petri.
import { request } from 'undici'
import { requestBytes } from './load.mjs'

export const shipping_details = {
  receiver_name: 'Ada Example',
  first_line: '1 Test Street',
  city: 'Phoenix',
  state: 'AZ',
  zip: '85004',
  country: 'US',
  phone_number: '+16025550123',
}

/** The patient of kits that are ordered with one. */
export const patient = {
  patient_details: {
    first_name: 'Ada',
    last_name: 'Example',
    dob: '1985-06-07',
    gender: 'female',
    email: 'ada@example.com',
    phone_number: '+16025550123',
  },
  patient_address: shipping_details,
}

/** Calls Petri and answers the body; throws unless it is a success. */
export async function call(url, method, path, { key = 'sk_us_petri', body } = {}) {
  const reply = await request(`${url}${path}`, {
    method,
    headers: { 'x-service-api-key': key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const text = await reply.body.text()
  if (reply.statusCode >= 300) throw new Error(`${method} ${path}: ${reply.statusCode} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

/** Creates a frozen world with a user, and the requests to measure. */
export async function newSandbox(url, { endpoints = [] } = {}) {
  const { api_key: key } = await call(url, 'POST', '/_petri/worlds', { body: { frozen: true } })
  return sandbox(url, key, endpoints)
}

export async function sandbox(url, key = 'sk_us_petri', endpoints = []) {
  const headers = { 'x-service-api-key': key }
  for (const endpoint of endpoints) {
    await call(url, 'POST', '/_petri/webhooks/endpoints', { key, body: { url: endpoint } })
  }
  const user = await call(url, 'POST', '/v2/user', { key, body: { client_user_id: 'bench' } })
  const [{ id: lab_test_id }] = await call(url, 'GET', '/v3/lab_tests?collection_method=testkit', { key })
  const body = { user_id: user.user_id, lab_test_id, shipping_details }
  return {
    key,
    drop: async () => {
      const { team_id } = await call(url, 'GET', '/_petri/world', { key })
      await call(url, 'DELETE', `/_petri/worlds/${team_id}`)
    },
    ask: (method, path, given) => call(url, method, path, { key, body: given }),
    placeKit: () => call(url, 'POST', '/v3/order/testkit', { key, body }),
    patientRequest: requestBytes('POST', '/v3/order', {
      headers,
      body: { user_id: user.user_id, lab_test_id, ...patient },
    }),
    kitRequest: requestBytes('POST', '/v3/order/testkit', { headers, body }),
    markersRequest: requestBytes('GET', '/v3/lab_tests/markers?size=50', { headers }),
    orderRequest: (id) => requestBytes('GET', `/v3/order/${id}`, { headers }),
  }
}
