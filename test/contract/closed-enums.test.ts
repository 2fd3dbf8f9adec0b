import { describe, expect, it } from 'vitest'
import {
  advance,
  createUser,
  moveOrder,
  orderKit,
  patient,
  readOrder,
  register,
  setFeatures,
  shipping,
  untilIdle,
} from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'
import { problemsInEvent, problemsInReply, publishedEvents } from '../support/published-models.ts'
import { pageOf, pdfOf, upload } from '../support/reports.ts'
import { told } from '../support/wearables.ts'

// Clients that close their enums cannot parse values that were not published. Other tests check every reply and event.

const SPECIFIED = 'received.testkit.testkit_registered'
const PUBLISHED = 'received.testkit.registered'
/** What vital-java sends with each call. */
const JAVA = { 'x-fern-language': 'JAVA' }

const petri = forEachTest()

const lastOf = (order: { events: { status: string }[] }) => order.events.at(-1)?.status

async function registeredKit() {
  const kit = await orderKit(petri, { scenario: 'manual' })
  await register(petri, kit.sample_id)
  return kit.id
}

describe('a registered kit', () => {
  it('has the name of the specification for other clients', async () => {
    const id = await registeredKit()
    for (const language of [undefined, 'JavaScript', 'Python', 'Go']) {
      const headers = language ? { 'x-fern-language': language } : {}
      const body = await petri.read(`/v3/order/${id}`, headers)
      expect([lastOf(body), body.last_event.status]).toEqual([SPECIFIED, SPECIFIED])
    }
  })

  it('has the published name in every reply to a client that closes its enums', async () => {
    const kit = await orderKit(petri, { scenario: 'manual' })
    const body = { sample_id: kit.sample_id, patient_details: patient, patient_address: shipping }
    const replies: [string, unknown][] = [
      ['testkit_register', (await petri.post('/v3/order/testkit/register', body, JAVA)).body],
      ['lab_tests_get_order', await petri.read(`/v3/order/${kit.id}`, JAVA)],
      ['lab_tests_get_orders', await petri.read('/v3/orders', JAVA)],
      ['lab_tests_cancel_order', (await petri.post(`/v3/order/${kit.id}/cancel`, undefined, JAVA)).body],
    ]
    for (const [operation, reply] of replies) {
      expect(problemsInReply(operation, reply), operation).toEqual([])
      expect(JSON.stringify(reply)).toContain(`"${PUBLISHED}"`)
    }
    expect(JSON.stringify(await readOrder(petri, kit.id))).toContain(`"${SPECIFIED}"`)
  })

  it('leaves a text that a customer sent as it is', async () => {
    const user_id = await createUser(petri)
    const passthrough = `{"status":"${SPECIFIED}"}`
    const lab_test_id = (await petri.read('/v3/lab_tests?collection_method=testkit')).at(-1).id
    const kit = { user_id, lab_test_id, shipping_details: shipping, passthrough }
    expect((await petri.post('/v3/order/testkit', kit, JAVA)).body.order.passthrough).toBe(passthrough)
  })

  it('is announced under the published name where contract_form is live', async () => {
    await setFeatures(petri, { contract_form: 'live' })
    const kit = await orderKit(petri, { scenario: 'happy-path' })
    await advance(petri, '10d')
    await register(petri, kit.sample_id)
    await untilIdle(petri)
    const messages = told(petri).filter(({ event_type }) => event_type === 'labtest.order.updated')
    expect(messages.some(({ data }) => data.last_event.status === PUBLISHED)).toBe(true)
    for (const message of told(petri))
      expect(problemsInEvent(message.event_type, message), message.event_type).toEqual([])
  })
})

describe('both names of a registered kit', () => {
  const low = ['registered', 'testkit_registered']
  const dotted = [PUBLISHED, SPECIFIED]

  it.each(low)('filter the list of orders: %s', async (status) => {
    const id = await registeredKit()
    const body = await petri.read(`/v3/orders?status=${status}`)
    expect(body.orders.map((order: { id: string }) => order.id)).toEqual([id])
  })

  it.each(dotted)('are targets of a simulation: %s', async (status) => {
    const { id } = await orderKit(petri, { scenario: 'manual' })
    const known = await petri.post(`/v3/order/${id}/test?final_status=${status}`)
    expect(known.status).not.toBe(422)
    expect(await petri.post(`/v3/order/${id}/test?final_status=x.${status}`)).toAnswer(422)
  })

  it.each([...low, ...dotted])('are taken by moves and waits: %s', async (status) => {
    const { id } = await orderKit(petri, { scenario: 'manual' })
    const moved = await moveOrder(petri, id, status, { force: true })
    expect([moved.status, lastOf(moved.body)]).toEqual([200, SPECIFIED])
    expect(await petri.post('/_petri/wait', { order_id: id, status })).toAnswer(200)
    expect((await petri.read(`/_petri/orders?status=${status}`)).data).toHaveLength(1)
  })

  it.each([...low, ...dotted])('are steps of a scenario: %s', async (status) => {
    const name = 'my-registration'
    const steps = [{ after: '1h', status: 'awaiting_registration' }, { status }]
    const scenario = { name, summary: 'x', method: 'testkit', steps }
    const put = await petri.put(`/_petri/scenarios/${name}`, scenario)
    const said = JSON.stringify(put.body)
    expect(said).not.toContain('not a status')
    expect(said).not.toContain('nknown status')
  })
})

describe('a report under review', () => {
  it('is started for a client that closes its enums', { tags: 'slow' }, async () => {
    const bytes = pdfOf([pageOf([['Glucose 90 mg/dL 70-99', 50, 700]])])
    const user_id = await createUser(petri)
    const { body } = await upload(petri, [{ name: 'r.pdf', bytes }], { user_id, needs_human_review: 'true' })
    await advance(petri, '1m')
    const statusFor = async (headers?: Record<string, string>) =>
      (await petri.read(`/lab_report/v1/parser/job/${body.id}`, headers)).status
    expect([await statusFor(), await statusFor(JAVA)]).toEqual(['pending_review', 'started'])
  })
})

it('the published events include all that are told of orders and reports', () => {
  for (const type of ['labtest.order.created', 'labtest.order.updated', 'lab_report.parsing_job.updated'])
    expect(publishedEvents).toContain(type)
})
