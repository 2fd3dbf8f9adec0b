import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Started, startPetri, stop } from '../support/cli.ts'
import { newestClient } from '../support/newest-client.ts'
import { openNetwork } from '../support/open-network.ts'

// The newest JavaScript client of the registry, unchanged, against the built Petri. It reads what it gets against its
// own types, and throws for a field that is missing or of another type.

let petri: Started
let client: Awaited<ReturnType<typeof newestClient>>
let userId: string

beforeAll(async () => {
  vi.unstubAllGlobals()
  petri = await startPetri(['--frozen', '--now', '2026-01-05T09:00:00Z', '--scenario', 'happy-path'])
  client = await newestClient({ apiKey: petri.ready.api_key, baseUrl: petri.ready.url })
  userId = (await client.user.create({ clientUserId: 'ada' })).userId
})
openNetwork()
afterAll(() => stop(petri.child))

// biome-ignore lint/suspicious/noExplicitAny: bodies that the client has no types for.
async function call(method: string, path: string, body?: object): Promise<any> {
  const response = await client.fetch(path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(response.status, `${method} ${path}`).toBe(200)
  return response.json()
}

const patientDetails = {
  firstName: 'Ada',
  lastName: 'Example',
  dob: '1990-01-01',
  gender: 'female',
  phoneNumber: '+16025550123',
  email: 'ada@example.com',
} as const
const patientAddress = {
  receiverName: 'Ada Example',
  firstLine: '256 West Lincoln Street',
  city: 'Phoenix',
  state: 'AZ',
  zip: '85004',
  country: 'US',
  phoneNumber: '+16025550123',
}

describe('the newest client', { tags: 'slow' }, () => {
  it('orders a lab test, follows it to its results, and reads them', async () => {
    const { data } = await client.labTests.getPaginated({ collectionMethod: 'walk_in_test' })
    const labTestId = data[0]?.id ?? ''
    const { order } = await client.labTests.createOrder({
      idempotencyKey: 'one',
      userId,
      labTestId,
      patientDetails,
      patientAddress,
    })
    await call('POST', '/_petri/clock/advance', { until: 'idle' })
    expect((await client.labTests.getOrder({ orderId: order.id })).status).toBe('completed')
    const result = await client.labTests.getResultRaw({ orderId: order.id })
    expect(result.metadata.patient).toContain('Example')
  })

  it('connects a provider, and reads summaries and series', async () => {
    await client.link.connectDemoProvider({ userId, provider: 'fitbit' })
    await call('POST', '/_petri/clock/advance', { by: '2h' })
    const window = { userId, startDate: '2026-01-01', endDate: '2026-01-05' }
    const { sleep } = await client.sleep.get(window)
    expect(sleep[0]?.total).toBeGreaterThan(0)
    const { groups } = await client.vitals.heartrateGrouped(window)
    expect(Object.keys(groups)).toEqual(['fitbit'])
  })

  it('calls what its types do not have yet: a quote that is paid', async () => {
    const { data } = await client.labTests.getPaginated({ collectionMethod: 'walk_in_test' })
    const quote = await call('POST', '/checkout/v1/quote', {
      order_set: { lab_test_ids: [data[0]?.id] },
      modality: 'walk_in_test',
      priority: false,
      us_state: 'AZ',
    })
    const session = await call('POST', '/checkout/v1/session', {
      quote_id: quote.id,
      user_id: userId,
      payment: { channel: 'stripe', method: 'payment_intent' },
      patient_details: {
        first_name: 'Ada',
        last_name: 'Example',
        dob: '1990-01-01',
        gender: 'female',
        phone_number: '+16025550123',
        email: 'ada@example.com',
      },
      patient_address: {
        first_line: '256 West Lincoln Street',
        city: 'Phoenix',
        state: 'AZ',
        zip: '85004',
        country: 'US',
      },
    })
    const pay = `/_petri/checkout/sessions/${session.checkout_session_id}/pay`
    const { order_id: orderId } = await call('POST', pay)
    expect((await client.labTests.getOrder({ orderId })).billingType).toBe('upfront_payment')
  })
})
