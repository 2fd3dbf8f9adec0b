/** @module-tag slow */
import { createServer } from 'node:http'
import type { Vital } from '@tryvital/vital-node'
import { Webhook } from 'svix'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { resources } from '../../src/resources/index.ts'
import { type Started, startPetri, stop } from '../support/cli.ts'
import { field } from '../support/field.ts'
import { listening } from '../support/listening.ts'
import { methodsOf, type OfficialClient, officialClient } from '../support/official-client.ts'
import { pageOf, pdfOf } from '../support/reports.ts'

// Every method of the official client that is about laboratories, against the built Petri; whatever it sends is verified,
// and read against the type it is declared to have.

const groups = ['labTests', 'testkit', 'order', 'insurance', 'payor', 'labReport'] as const

interface Heard {
  readonly event_type: string
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every event type.
  readonly data: any
}

/** Events that this client knows; order tracking came later. */
const isOfLabs = (type: string) =>
  /^(labtest\.(order|appointment|result|match_review)|lab_report)\./.test(type)
const declared = new Map(
  resources.flatMap(({ events = [] }) => events.map(({ name, data }) => [name, data] as const)),
)

let petri: Started
let client: OfficialClient['client']
let called: OfficialClient['called']
let call: OfficialClient['call']
let advance: OfficialClient['advance']
let heard: Heard[] = []
const typesHeard = new Set<string>()
const refused: unknown[] = []

function hear({ event_type: type, data }: Heard): void {
  if (!isOfLabs(type)) return
  const schema = declared.get(type)
  if (!schema) throw new Error(`${type} is declared nowhere`)
  expect(schema().parse(data), type).toEqual(data)
  typesHeard.add(type)
  heard.push({ event_type: type, data })
}

const receiver = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    try {
      const { webhook_secret: secret } = petri.ready
      hear(new Webhook(secret).verify(body, request.headers as Record<string, string>) as Heard)
    } catch (error) {
      refused.push(error)
    }
    response.writeHead(204).end()
  })
})

beforeAll(async () => {
  vi.unstubAllGlobals()
  const hook = `${await listening(receiver)}/hook`
  petri = await startPetri([
    '--frozen',
    '--now',
    '2026-01-05T09:00:00Z',
    '--webhook-url',
    hook,
    '--scenario',
    'manual',
  ])
  ;({ client, called, call, advance } = officialClient(petri))
})
beforeEach(() => {
  vi.unstubAllGlobals()
  heard = []
})
afterEach(() => expect(refused).toEqual([]))
afterAll(async () => {
  await stop(petri.child)
  receiver.close()
})

const setFeatures = (features: object) => call('PATCH', '/_petri/world', { features })
const move = (id: string, step: object) => call('POST', `/_petri/orders/${id}/move`, step)

const person = {
  firstName: 'Ada',
  lastName: 'Example',
  dob: '1990-01-01',
  gender: 'female' as Vital.Gender,
  phoneNumber: '+16025550123',
  email: 'ada@example.com',
}
const address = {
  receiverName: 'Ada Example',
  firstLine: '256 West Lincoln Street',
  city: 'Phoenix',
  state: 'AZ',
  zip: '85004',
  country: 'US',
}
const visit = { firstLine: '256 West Lincoln Street', city: 'Phoenix', state: 'AZ', zipCode: '85004' }
const far = { firstLine: '9 Main Street', city: 'La Crosse', state: 'WI', zipCode: '54650' }

const newUser = async (clientUserId: string) => (await client.user.create({ clientUserId })).userId

const testOf = async (collectionMethod: Vital.LabTestCollectionMethod) => {
  const labTests = await client.labTests.get({ collectionMethod })
  const ofTeam = labTests.find(({ slug }) => /^[0-9a-f]{8}-/.test(slug))
  if (!ofTeam) throw new Error(`the team has no lab test of ${collectionMethod}`)
  return ofTeam
}

async function place(
  clientUserId: string,
  collectionMethod: Vital.LabTestCollectionMethod,
  more: Partial<Vital.CreateOrderRequestCompatible> = {},
) {
  const input = {
    userId: more.userId ?? (await newUser(clientUserId)),
    labTestId: (await testOf(collectionMethod)).id,
    patientDetails: person,
    patientAddress: address,
    ...more,
  }
  return (await client.labTests.createOrder(input)).order
}

async function pdf(answer: PromiseLike<{ bytes?: () => Promise<Uint8Array> }>): Promise<string> {
  const bytes = Buffer.from((await (await answer).bytes?.()) ?? [])
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  return bytes.toString('latin1')
}

const namesHeard = () => heard.map(({ event_type: type }) => type)
const statusesHeard = (id: string) =>
  heard
    .filter(({ event_type: type, data }) => type.startsWith('labtest.order.') && data.id === id)
    .map(({ data }) => data.last_event.status.split('.').at(-1))
const visitsHeard = (id: string) =>
  heard
    .filter(({ event_type: type, data }) => type === 'labtest.appointment.updated' && data.order_id === id)
    .map(({ data }) => data.event_status)

it('reads the catalogue, and adds a lab test to it', async () => {
  expect((await client.labTests.getLabs()).map(field('slug'))).toContain('quest')
  const { markers, total } = await client.labTests.getMarkers({ labId: 6, name: 'lipid', size: 5 })
  expect([total, markers.length > 0]).toEqual([expect.any(Number), true])
  const lipids = markers.find(({ name }) => name === 'Lipid Panel')
  expect((await client.labTests.getMarkersByLabAndProviderId(lipids?.providerId ?? '', 6)).id).toBe(
    lipids?.id,
  )
  const made = await client.labTests.create({
    name: 'Lipids and sugar',
    description: 'Two panels',
    method: 'walk_in_test',
    markerIds: [lipids?.id ?? 0, 2011],
    fasting: true,
  })
  expect(made).toMatchObject({ slug: expect.stringMatching(/^[0-9a-f]{8}-lipids-and-sugar$/), fasting: true })
  expect((await client.labTests.updateLabTest(made.id, { name: 'Lipids & sugar' })).name).toBe(
    'Lipids & sugar',
  )
  expect((await client.labTests.getById(made.id)).name).toBe('Lipids & sugar')
  expect((await client.labTests.getMarkersForLabTest(made.id)).markers.length).toBeGreaterThan(1)
  expect((await client.labTests.getMarkersForOrderSet({ body: { labTestIds: [made.id] } })).total).toBe(2)
  const { data } = await client.labTests.getPaginated({ name: 'sugar', labTestLimit: 1 })
  expect(data.map(field('id'))).toEqual([made.id])
  const kit = await testOf('testkit')
  expect(await pdf(client.labTests.getLabTestCollectionInstructionPdf(kit.id))).toBeTruthy()
})

it('knows the places around a patient', async () => {
  const area = await client.labTests.getAreaInfo({ zipCode: '85004', radius: '50', labs: ['quest'] })
  expect(area).toMatchObject({
    zipCode: '85004',
    phlebotomy: { isServed: true },
    centralLabs: { quest: { patientServiceCenters: { appointmentWithVital: true } } },
  })
  const { patientServiceCenters: sites } = await client.labTests.getPscInfo({ zipCode: '85004', labId: 4 })
  expect(sites.length).toBeGreaterThan(0)
  expect(Number.isInteger(sites[0]?.distance)).toBe(true)
})

it('sees a registrable kit through, to a corrected result', async () => {
  const userId = await newUser('kit')
  const { order } = await client.testkit.createOrder({
    userId,
    labTestId: (await testOf('testkit')).id,
    shippingDetails: { ...address, phoneNumber: '+16025550123' },
  })
  await pdf(client.labTests.getOrderCollectionInstructionPdf(order.id))
  await client.testkit.register({
    sampleId: order.sampleId ?? '',
    patientDetails: person,
    patientAddress: address,
    consents: [{ consentType: 'terms-of-use', version: '1.0', timeOfConsent: new Date('2026-01-05') }],
  })
  await client.labTests.simulateOrderProcess(order.id, {
    finalStatus: 'completed.testkit.completed',
    body: { interpretation: 'abnormal', hasMissingResults: true },
  })
  await move(order.id, { status: 'corrected', results: { interpretation: 'normal' } })
  await advance('1s')
  expect(statusesHeard(order.id)).toEqual([
    'ordered',
    'awaiting_registration',
    'testkit_registered',
    'requisition_created',
    'transit_customer',
    'out_for_delivery',
    'with_customer',
    'transit_lab',
    'delivered_to_lab',
    'completed',
    'corrected',
  ])
  expect((await client.labTests.getResultMetadata(order.id)).interpretation).toBe('normal')
  expect(await client.order.resendEvents({ orderIds: [order.id] })).toEqual({ orderIds: [order.id] })
  await advance('1s')
  expect(statusesHeard(order.id).slice(-2)).toEqual(['corrected', 'corrected'])
})

it('walks in by appointment, and comes to partial, critical and final results', {
  tags: 'slow',
}, async () => {
  await setFeatures({ partial_results_webhooks: true })
  const order = await place('walker', 'walk_in_test', {
    idempotencyKey: 'walk',
    passthrough: 'mine',
    priority: true,
    consents: [{ consentType: 'terms-of-use' }],
  })
  await client.labTests.simulateOrderProcess(order.id, {
    finalStatus: 'received.walk_in_test.requisition_created',
  })
  await pdf(client.labTests.getOrderRequistionPdf(order.id))
  await pdf(
    client.labTests.getLabelsPdf(order.id, { collectionDate: new Date('2026-01-06'), numberOfLabels: 2 }),
  )
  const { patientServiceCenters: sites } = await client.labTests.getOrderPscInfo(order.id, { radius: '50' })
  const siteCode = sites.find(({ capabilities }) =>
    capabilities.includes('appointment_scheduling_via_junction'),
  )?.siteCode
  const search = { lab: 'quest', siteCodes: [siteCode ?? ''] } as const
  const { slots } = await client.labTests.getPscAppointmentAvailability({
    ...search,
    siteCodes: [...search.siteCodes],
  })
  const [first, second] = slots.flatMap((day) => day.slots)
  const booked = await client.labTests.bookPscAppointment(order.id, { bookingKey: first?.bookingKey ?? '' })
  expect(booked).toMatchObject({ status: 'confirmed', externalId: expect.stringMatching(/^[A-Z]{6}$/) })
  const moved = await client.labTests.reschedulePscAppointment(order.id, {
    bookingKey: second?.bookingKey ?? '',
  })
  expect(moved.eventData).toEqual({ origin: 'patient', is_reschedule: true })
  const [reason] = await client.labTests.getPscAppointmentCancellationReason()
  await client.labTests.cancelPscAppointment(order.id, {
    cancellationReasonId: reason?.id ?? '',
    note: 'Ill',
  })
  const again = await client.labTests.getPscAppointmentAvailability({ lab: 'quest', zipCode: '85004' })
  const bookingKey = again.slots.flatMap((day) => day.slots)[3]?.bookingKey ?? ''
  await client.labTests.bookPscAppointment(order.id, { bookingKey })
  expect((await client.labTests.getPscAppointment(order.id)).eventStatus).toBe('scheduled')
  await move(order.id, { status: 'partial_results', results: { interpretation: 'critical' } })
  expect((await client.labTests.getResultMetadata(order.id)).status).toBe('partial')
  await move(order.id, { status: 'completed', results: { interpretation: 'critical' } })
  const { results, metadata } = await client.labTests.getResultRaw(order.id)
  expect(metadata).toMatchObject({ status: 'final', interpretation: 'critical', patient: 'Ada Example' })
  expect(Array.isArray(results) && results.some(({ interpretation }) => interpretation === 'critical')).toBe(
    true,
  )
  await pdf(client.labTests.getResultPdf(order.id))
  await advance('1s')
  expect(statusesHeard(order.id)).toEqual(
    (await client.labTests.getOrder(order.id)).events.map(({ status }) => status.split('.').at(-1)),
  )
  expect(visitsHeard(order.id)).toEqual(['scheduled', 'scheduled', 'cancelled', 'scheduled', 'completed'])
  expect(
    heard.filter(({ event_type: type }) => type === 'labtest.result.critical').map(({ data }) => data.status),
  ).toEqual(['partial', 'final'])
  expect(heard.find(({ data }) => data.id === order.id)?.data).toMatchObject({
    passthrough: 'mine',
    priority: true,
  })
  const listed = await client.labTests.getOrders({ orderIds: order.id, interpretation: 'critical' })
  expect(listed.orders.map(field('id'))).toEqual([order.id])
})

it('is visited at home, by a phlebotomist booked and by one asked for', async () => {
  const order = await place('home', 'at_home_phlebotomy')
  await move(order.id, { status: 'requisition_created' })
  const { slots } = await client.labTests.getPhlebotomyAppointmentAvailability({ body: visit })
  expect(slots).toHaveLength(14)
  const [first, second, third] = slots.flatMap((day) => day.slots).slice(-3)
  await client.labTests.bookPhlebotomyAppointment(order.id, { bookingKey: first?.bookingKey ?? '' })
  const moved = await client.labTests.reschedulePhlebotomyAppointment(order.id, {
    bookingKey: second?.bookingKey ?? '',
  })
  expect(moved.startAt).toEqual(second?.start)
  const [reason] = await client.labTests.getPhlebotomyAppointmentCancellationReason()
  const cancellation = { cancellationReasonId: reason?.id ?? '' }
  expect((await client.labTests.cancelPhlebotomyAppointment(order.id, cancellation)).status).toBe('cancelled')
  await client.labTests.bookPhlebotomyAppointment(order.id, { bookingKey: third?.bookingKey ?? '' })
  expect((await client.labTests.getPhlebotomyAppointment(order.id)).provider).toBe('getlabs')
  await client.labTests.simulateOrderProcess(order.id)
  const asked = await place('asking', 'at_home_phlebotomy')
  await move(asked.id, { status: 'requisition_created' })
  const request = { address: far, provider: 'phlebfinders' } as const
  expect((await client.labTests.requestPhlebotomyAppointment(asked.id, request)).startAt ?? null).toBeNull()
  await advance('7d')
  expect((await client.labTests.getPhlebotomyAppointment(asked.id)).eventStatus).toBe('scheduled')
  expect(visitsHeard(order.id)).toEqual(['scheduled', 'scheduled', 'cancelled', 'scheduled', 'completed'])
  expect(visitsHeard(asked.id)).toEqual(['pending', 'scheduled'])
  expect(statusesHeard(asked.id)).toEqual([
    'ordered',
    'requisition_created',
    'appointment_pending',
    'appointment_scheduled',
  ])
})

it('is drawn on site, imports, and cancels', async () => {
  const order = await place('site', 'on_site_collection')
  await move(order.id, { status: 'requisition_created' })
  const { order: drawn } = await client.labTests.updateOnSiteCollectionOrderDrawCompleted(order.id)
  expect(drawn.events.at(-1)?.status).toBe('sample_with_lab.on_site_collection.draw_completed')
  await client.labTests.simulateOrderProcess(order.id)
  const { order: imported } = await client.labTests.importOrder({
    userId: order.userId,
    billingType: 'client_bill',
    orderSet: { labTestIds: [(await testOf('walk_in_test')).id] },
    collectionMethod: 'walk_in_test',
    patientDetails: person,
    patientAddress: address,
    sampleId: 'IMPORTED1',
  })
  expect(imported).toMatchObject({ sampleId: 'IMPORTED1' })
  expect((await client.labTests.cancelOrder(imported.id)).message).toBe('order cancelled')
  await advance('1s')
  expect(statusesHeard(imported.id)).toEqual(['ordered', 'requisition_bypassed', 'cancelled'])
  expect(statusesHeard(order.id)).toEqual(['ordered', 'requisition_created', 'draw_completed', 'completed'])
})

it('bills an insurer, with a notice to the patient', async () => {
  await setFeatures({ abn: true })
  const userId = await newUser('insured')
  const home = { firstLine: '1 Test Street', city: 'Phoenix', state: 'AZ', zip: '85004', country: 'US' }
  await client.user.upsertUserInfo(userId, { ...person, address: home })
  expect((await client.insurance.searchGetPayorInfo({ insuranceName: 'united' })).length).toBeGreaterThan(0)
  expect((await client.insurance.searchPayorInfo({ insuranceName: 'united' })).length).toBeGreaterThan(0)
  const { payorCode } = await client.payor.createPayor({ name: 'Example Mutual', address: home })
  await client.user.createInsurance(userId, {
    payorCode,
    memberId: 'M1',
    relationship: 'Self',
    insured: { ...person, address: home },
  })
  expect((await client.user.getLatestInsurance(userId)).company.name).toBe('Example Mutual')
  const [diagnosis] = await client.insurance.searchDiagnosis({ diagnosisQuery: 'hyperlipidemia' })
  const icdCodes = [diagnosis?.diagnosisCode ?? '']
  expect(await client.labTests.validateIcdCodes({ codes: icdCodes })).toMatchObject({ valid: true })
  const order = await place('', 'walk_in_test', { userId, icdCodes, billingType: 'commercial_insurance' })
  expect(order.hasAbn).toBe(true)
  await pdf(client.labTests.getOrderAbnPdf(order.id))
  const portal = await client.user.createPortalUrl(userId, { context: 'launch', orderId: order.id })
  expect(portal.url).toContain(petri.ready.url)
})

it('reads a report', async () => {
  const userId = await newUser('reader')
  const bytes = pdfOf([
    pageOf([
      ['Patient: Ada Example', 40, 725],
      ['Cholesterol, Total', 40, 655],
      ['231', 220, 655],
      ['mg/dL', 300, 655],
      ['100 - 199', 380, 655],
    ]),
  ])
  const upload = { data: bytes, filename: 'report.pdf', contentType: 'application/pdf' }
  const job = await client.labReport.parserCreateJob(upload, { userId })
  expect(job.status).toBe('upload_pending')
  await advance('1h')
  const { status, data } = await client.labReport.parserGetJob(job.id)
  expect(status).toBe('completed')
  expect(data?.results).toMatchObject([
    { testName: 'Cholesterol, Total', value: '231', isAboveMaxRange: true },
  ])
  expect(heard.map(({ data: told }) => told.status)).toEqual(['started', 'completed'])
})

it('reviews a result that fits no order', async () => {
  const started = await call(
    'POST',
    '/v3/unmatched_result_test',
    { case: 'match_cancelled', order_source: 'managed', lab_test_id: (await testOf('walk_in_test')).id },
    { 'x-idempotency-key': 'astray' },
  )
  await advance('5m')
  const run = await call('GET', `/v3/unmatched_result_test/${started.run_id}`)
  const given = await call('POST', `/v3/unmatched_result/${run.raw_result_id}/accept`, {})
  await advance('1s')
  expect((await client.labTests.getOrder(given.id)).status).toBe('completed')
  expect(namesHeard()).toEqual(
    expect.arrayContaining(['labtest.match_review.created', 'labtest.match_review.updated']),
  )
})

it('leaves out no method, and hears every event of laboratories', () => {
  const all = groups.flatMap(methodsOf)
  expect(all.filter((name) => !called.has(name))).toEqual([])
  const types = [...declared.keys()].filter(isOfLabs)
  expect(types).toHaveLength(9)
  expect(types.filter((type) => !typesHeard.has(type))).toEqual([])
  console.log(`official client, laboratories: ${all.length} methods called`)
})
