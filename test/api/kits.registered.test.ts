import { describe, expect, it } from 'vitest'
import { advance, createUser, orderKit, readFollowed, readOrder, statusesOf } from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'
import { scenarioRefusals, uploadScenario } from '../support/scenarios.ts'

// A kit that is registered without a call of the customer is registered by somebody.

const petri = forEachTest()

const move = (id: string, body: object) => petri.post(`/_petri/orders/${id}/move`, body)
const ada = { first_name: 'Ada', last_name: 'Lovelace', dob: '1985-12-10', gender: 'female' }
const toTheCustomer = [
  { after: '1d', status: 'transit_customer' },
  { after: '1d', status: 'with_customer' },
].map((step) => ({ ...step, only: 'registrable_kit' }))
const toTheEnd = [
  { after: '1h', status: 'requisition_created' },
  { after: '1d', status: 'transit_lab' },
  { after: '1d', status: 'delivered_to_lab' },
  { after: '1d', status: 'completed' },
].map((step) => ({ ...step, only: 'registrable_kit' }))
const registered = { after: '1h', status: 'registered', only: 'registrable_kit' }

describe('a kit that becomes registered', () => {
  it('by a move has the patient whom its recipient would name, the address, the physician and the shipment', async () => {
    const kit = await orderKit(petri)
    expect(await move(kit.id, { status: 'registered' })).toAnswer(200)
    const moved = await readOrder(petri, kit.id)
    const other = await orderKit(petri, { user: await createUser(petri, 'grace') })
    await petri.post(`/_petri/orders/${other.id}/register`)
    const byRecipient = await readOrder(petri, other.id)
    for (const field of ['patient_details', 'patient_address', 'physician'] as const) {
      expect(Object.keys(moved[field]).sort()).toEqual(Object.keys(byRecipient[field]).sort())
    }
    expect(moved.patient_details).toMatchObject({ first_name: 'Ada', last_name: 'Example' })
    expect(moved.patient_address).toMatchObject({ first_line: moved.shipping_details.first_line })
    expect(moved.details.data.shipment).not.toBeNull()
    const events = await petri.get(`/_petri/webhooks/messages?order_id=${kit.id}`)
    expect(JSON.stringify(events.body)).not.toContain('"patient_details":null,"status":"registered"')
  })

  it('by a step has the patient that the step names, to the last webhook and the results', async () => {
    const steps = [...toTheCustomer, { ...registered, patient: ada }, ...toTheEnd]
    expect(await uploadScenario(petri, 'mine', 'testkit', steps)).toAnswer(200)
    const { id } = await orderKit(petri, { scenario: 'mine' })
    await advance(petri, '30d')
    const order = await readOrder(petri, id)
    expect(statusesOf(order).at(-1)).toBe('completed.testkit.completed')
    expect(order.patient_details).toMatchObject({
      first_name: 'Ada',
      last_name: 'Lovelace',
      dob: '1985-12-10T00:00:00+00:00',
      gender: 'female',
    })
    const result = await petri.get(`/v3/order/${id}/result/metadata`)
    expect(result.body).toMatchObject({ patient: 'Ada Lovelace' })
  })

  it('stays unregistered when its step names a patient who is refused, and the reason is listed', async () => {
    const minor = { ...registered, patient: { ...ada, dob: '2020-01-01' } }
    expect(await uploadScenario(petri, 'mine', 'testkit', [...toTheCustomer, minor, ...toTheEnd])).toAnswer(
      200,
    )
    const { id } = await orderKit(petri, { scenario: 'mine' })
    await advance(petri, '30d')
    const { dropped } = await readFollowed(petri, id)
    expect(dropped[0]).toMatch(/^registered \(.*under 18/)
    expect(dropped.map((text: string) => text.split(' ')[0])).toEqual([
      'registered',
      'requisition_created',
      'transit_lab',
      'delivered_to_lab',
      'completed',
    ])
    expect((await petri.read('/_petri/world')).failed_jobs).toEqual([])
    expect(statusesOf(await readOrder(petri, id)).at(-1)).toBe('collecting_sample.testkit.with_customer')
  })

  it('is refused for a patient whom the laboratory or the team refuses, and nothing changes', async () => {
    const { id } = await orderKit(petri)
    expect(await move(id, { status: 'registered', patient: { ...ada, dob: '2020-01-01' } })).toRefuse(
      400,
      expect.stringContaining('under 18'),
    )
    expect((await readOrder(petri, id)).patient_details).toBeNull()
    expect((await readFollowed(petri, id)).left_because).toBeNull()
  })
})

describe('a kit that gets results by force', () => {
  it('has a patient', async () => {
    const { id } = await orderKit(petri)
    expect(await move(id, { status: 'completed', force: true })).toAnswer(200)
    expect((await readOrder(petri, id)).patient_details).toMatchObject({ first_name: 'Ada' })
  })
})

describe('a step that names a patient', () => {
  it.each([
    [
      'of another status',
      'after: 1h, status: transit_customer, patient: { first_name: Ada }',
      'patient goes with registered',
    ],
    [
      'in a field that a patient has not',
      'after: 1h, status: registered, only: registrable_kit, patient: { nick: A }',
      '"nick"',
    ],
    [
      'with a day that is none',
      'after: 1h, status: registered, only: registrable_kit, patient: { dob: 1985-02-30 }',
      'dob "1985-02-30" is not a date',
    ],
    [
      'with an address that is none',
      'after: 1h, status: registered, only: registrable_kit, patient: { email: ada }',
      'email "ada" is not an email address',
    ],
  ])('is refused %s', (_, step, message) => {
    expect(scenarioRefusals('testkit', step).join()).toContain(message)
  })

  it('is refused beside another one', () => {
    const step = (name: string) =>
      `after: 1h, status: registered, force: true, only: registrable_kit, patient: { first_name: ${name} }`
    expect(scenarioRefusals('testkit', step('Ada'), step('Grace')).join()).toContain(
      'the kit is registered already, by another step',
    )
  })
})
