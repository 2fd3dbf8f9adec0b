import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Vital, VitalClient } from '@tryvital/vital-node'
import { Webhook } from 'svix'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { type Started, startPetri, stop } from '../support/cli.ts'
import { address, patient, shipping } from '../support/orders.ts'

// The official client and the official verifier, unchanged, against the built Petri over real sockets.

interface Heard {
  readonly event_type: string
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every event type.
  readonly data: any
}

let petri: Started
let client: VitalClient
let heard: Heard[] = []
let refused: unknown[] = []
const receiver = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    try {
      heard.push(
        new Webhook(petri.ready.webhook_secret).verify(
          body,
          request.headers as Record<string, string>,
        ) as Heard,
      )
    } catch (error) {
      refused.push(error)
    }
    response.writeHead(204).end()
  })
})

beforeAll(async () => {
  vi.unstubAllGlobals()
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo
  petri = await startPetri([
    '--frozen',
    '--now',
    '2026-01-05T09:00:00Z',
    '--webhook-url',
    `http://127.0.0.1:${port}/hook`,
  ])
  client = new VitalClient({ apiKey: petri.ready.api_key, environment: petri.ready.url })
})
beforeEach(() => {
  vi.unstubAllGlobals()
  heard = []
  refused = []
})
afterAll(async () => {
  await stop(petri.child)
  receiver.close()
})

async function advance(body: object) {
  const response = await fetch(`${petri.ready.url}/_petri/clock/advance`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-vital-api-key': petri.ready.api_key },
    body: JSON.stringify(body),
  })
  return response.json()
}

const statusesHeard = () =>
  heard
    .filter(({ event_type: type }) => type.startsWith('labtest.order.'))
    .map(({ data }) => data.last_event.status)

it('orders a kit that gets stuck, arrives, is registered, and completes, each move announced and verified', {
  tags: 'slow',
}, async () => {
  const { userId } = await client.user.create({ clientUserId: 'ada' })
  const labTest = (await client.labTests.get({ collectionMethod: 'testkit' })).at(-1)
  const { order } = await client.testkit.createOrder({
    userId,
    labTestId: labTest?.id ?? '',
    shippingDetails: {
      receiverName: shipping.receiver_name,
      firstLine: shipping.first_line,
      city: shipping.city,
      state: shipping.state,
      zip: '00112',
      country: shipping.country,
      phoneNumber: shipping.phone_number,
    },
  })
  await advance({ by: '20d' })
  expect((await client.labTests.getOrder(order.id)).events.at(-1)?.status).toBe(
    'collecting_sample.testkit.with_customer',
  )

  const registered = await client.testkit.register({
    sampleId: order.sampleId ?? '',
    patientDetails: {
      firstName: patient.first_name,
      lastName: patient.last_name,
      dob: patient.dob,
      gender: patient.gender as Vital.Gender,
      phoneNumber: patient.phone_number,
      email: patient.email,
    },
    patientAddress: {
      firstLine: address.first_line,
      city: address.city,
      state: address.state,
      zip: address.zip,
      country: address.country,
    },
    consents: [{ consentType: 'terms-of-use' }],
  })
  expect(registered.order.patientDetails?.firstName).toBe('Ada')
  await advance({ until: 'idle' })

  const done = await client.labTests.getOrder(order.id)
  expect(done).toMatchObject({ status: 'completed', interpretation: 'normal' })
  expect(refused).toEqual([])
  expect(statusesHeard()).toEqual(done.events.map(({ status }) => status))
  expect(statusesHeard()).toContain('collecting_sample.testkit.problem_in_transit_customer')
})

it('reads users, catalogue, accounts, orders, insurance and steps', { tags: 'slow' }, async () => {
  const { userId } = await client.user.create({ clientUserId: 'grace', fallbackTimeZone: 'America/Phoenix' })
  expect((await client.user.get(userId)).clientUserId).toBe('grace')
  expect((await client.user.getByClientUserId('grace')).userId).toBe(userId)
  await client.user.patch(userId, { fallbackBirthDate: '1990-01-01' })
  expect((await client.user.getAll({ limit: 10 })).users.length).toBeGreaterThan(0)
  expect((await client.labTests.getMarkers({ labId: 6, size: 10 })).markers).toHaveLength(10)
  expect((await client.labTests.getLabs()).length).toBeGreaterThan(10)
  const labTest = (await client.labTests.get({})).at(-1)
  expect((await client.labTests.getById(labTest?.id ?? '')).id).toBe(labTest?.id)
  expect((await client.labTests.getMarkersForLabTest(labTest?.id ?? '')).markers?.length).toBeGreaterThan(0)
  expect((await client.labTests.getPaginated({})).data.length).toBe(7)
  const insurance = await client.user.createInsurance(userId, {
    payorCode: 'UNITE',
    memberId: 'M1',
    relationship: 'Self',
    insured: {
      firstName: 'Grace',
      lastName: 'Example',
      gender: 'female',
      dob: '1990-01-01',
      email: 'grace@example.com',
      phoneNumber: '+16025550123',
      address: { firstLine: '1 Test Street', city: 'Phoenix', state: 'AZ', zip: '85004', country: 'US' },
    },
  })
  expect(insurance.company.name).toBeTruthy()
  expect((await client.user.getLatestInsurance(userId)).memberId).toBe('M1')
  expect(await client.link.connectDemoProvider({ userId, provider: 'fitbit' })).toMatchObject({
    success: true,
  })
  await advance({ by: '1d' })
  const steps = await client.vitals.stepsGrouped(userId, { startDate: '2026-01-01' })
  expect(steps.groups.fitbit?.[0]?.data.length).toBeGreaterThan(0)
  expect(refused).toEqual([])
  expect(heard.map(({ event_type: type }) => type)).toEqual(
    expect.arrayContaining([
      'provider.connection.created',
      'historical.data.steps.created',
      'daily.data.steps.created',
      'daily.data.activity.created',
      'daily.data.activity.updated',
    ]),
  )
  await client.user.delete(userId)
  await client.user.undoDelete({ userId })
})

it('orders for a patient once per idempotency key, simulates, cancels, lists, and hears events again', {
  tags: 'slow',
}, async () => {
  const { userId } = await client.user.create({ clientUserId: 'joan' })
  const labTest = (await client.labTests.get({ collectionMethod: 'testkit' })).at(-1)
  const place = (idempotencyKey: string) =>
    client.labTests.createOrder({
      idempotencyKey,
      userId,
      labTestId: labTest?.id ?? '',
      patientDetails: {
        firstName: 'Joan',
        lastName: 'Example',
        dob: '1980-02-03',
        gender: 'female',
        phoneNumber: '+16025550123',
        email: 'joan@example.com',
      },
      patientAddress: {
        receiverName: 'Joan',
        firstLine: '1 Test Street',
        city: 'Phoenix',
        state: 'AZ',
        zip: '85004',
        country: 'US',
      },
    })
  const [{ order }, repeated, { order: other }] = [await place('one'), await place('one'), await place('two')]
  expect(repeated.order.id).toBe(order.id)
  await client.labTests.simulateOrderProcess(order.id, {
    finalStatus: 'completed.testkit.completed',
    body: {},
  })
  expect((await client.labTests.cancelOrder(other.id)).order.status).toBe('cancelled')
  const listed = await client.labTests.getOrders({ userId })
  expect(listed.orders.map(({ id }) => id)).toEqual([other.id, order.id])
  await client.order.resendEvents({ orderIds: [order.id] })
  await advance({ by: '1s' })
  expect(statusesHeard().filter((status) => status === 'completed.testkit.completed')).toHaveLength(2)
  await expect(client.labTests.getOrder(userId)).rejects.toMatchObject({ statusCode: 404 })
})
