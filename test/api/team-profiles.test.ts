import { describe, expect, it } from 'vitest'
import { book, change, homeSlots, type Offer, orderReady, pscSlots, read } from '../support/appointments.ts'
import { advance, orderBy, setFeatures } from '../support/orders.ts'
import { forEachTest, startTestPetri } from '../support/petri.ts'
import { simulate } from '../support/simulation.ts'

const petri = forEachTest()

const like = (team: string | null, more: object = {}) => ({ like: team, ...more })

describe('a world like a standard team of the live sandbox', () => {
  it('has its scenario and features, in one call', async () => {
    const { body } = await petri.patch('/_petri/world', like('sandbox'))
    expect(body).toMatchObject({
      like: 'sandbox',
      scenario: 'manual',
      clock: { pace: 8640 },
      features: {
        contract_form: 'live',
        simulation: 'live',
        order_transactions: false,
        sandbox_limits: true,
        home_visits: 'sandbox',
        psc_time_zones: false,
        parity: 'sandbox',
        working_hours: true,
        idempotency_mismatch: 'replay',
        phone_numbers: 'possible',
        report_parser_limits: 'live',
        insurance_needs_demographics: true,
        insurance_guarantor_rule: true,
        arizona_scheduling: 'by_laboratory',
        appointment_created_events: false,
      },
    })
    expect(await petri.read('/_petri/world')).toEqual(body)
  })

  it('keeps each part settable alone, before and after', async () => {
    await setFeatures(petri, { simulation: 'documented' })
    await petri.patch('/_petri/world', like('sandbox', { scenario: 'happy-path' }))
    const { body } = await setFeatures(petri, { order_transactions: true, sandbox_limits: false })
    expect(body).toMatchObject({
      like: 'sandbox',
      scenario: 'happy-path',
      features: {
        simulation: 'documented',
        order_transactions: true,
        sandbox_limits: false,
        contract_form: 'live',
      },
    })
    const restored = await setFeatures(petri, { order_transactions: null })
    expect(restored.body.features.order_transactions).toBe(false)
    expect((await petri.patch('/_petri/world', like(null))).body).toMatchObject({
      like: null,
      scenario: 'happy-path',
      features: { contract_form: 'spec', simulation: 'documented', order_transactions: true },
    })
  })

  it('refuses an unknown team or scenario, and changes nothing', async () => {
    const before = await petri.read('/_petri/world')
    expect(await petri.patch('/_petri/world', like('sandbx'))).toAnswer(422)
    expect(await petri.patch('/_petri/world', like('sandbox', { scenario: 'no' }))).toAnswer(400)
    expect(await petri.read('/_petri/world')).toEqual(before)
  })

  it('is made by one call, and stays so after a reset', async () => {
    const petri = await startTestPetri()
    const made = await petri.post('/_petri/worlds', like('sandbox', { frozen: true }))
    const keyed = { 'x-service-api-key': made.body.api_key }
    expect(made.body).toMatchObject({ like: 'sandbox', scenario: 'manual' })
    await petri.patch('/_petri/world', like(null), keyed)
    const reset = await petri.post('/_petri/reset', {}, keyed)
    expect(reset.body).toMatchObject({ like: 'sandbox', scenario: 'manual' })
    await petri.close()
  })

  it('is what further worlds are like, too, unless they are told otherwise', async () => {
    const petri = await startTestPetri({ world: { like: 'sandbox', scenario: 'manual' } })
    expect((await petri.post('/_petri/worlds')).body).toMatchObject({ like: 'sandbox', scenario: 'manual' })
    expect((await petri.post('/_petri/worlds', like(null))).body).toMatchObject({ like: null })
    await petri.close()
  })

  it('redirects a trailing slash under /v3, and under /v2 answers it', async () => {
    const direct = (path: string, headers = {}) =>
      petri.petri.app.request(path, { headers: { 'x-service-api-key': petri.key, ...headers } })
    expect(await direct('/v3/lab_tests/')).toAnswer(200)
    await petri.patch('/_petri/world', like('sandbox'))
    const redirect = await direct('/v3/lab_tests/?name=a')
    expect(redirect).toAnswer(307)
    expect(redirect.headers.get('location')).toBe('http://localhost/v3/lab_tests?name=a')
    expect(await redirect.text()).toBe('')
    expect(await direct('/v3/lab_tests')).toAnswer(200)
    expect(await direct('/v2/user/')).toAnswer(200)
    expect(await direct('/v3/no_such/')).toAnswer(404)
    const post = await petri.petri.app.request('/v3/order/', {
      method: 'POST',
      body: 'no JSON',
      headers: { 'x-service-api-key': petri.key },
    })
    expect(post).toAnswer(307)
    expect([...petri.world().requests.all()].at(-1)).toAnswer(307)
  })

  it('refuses order transactions and their results', async () => {
    const order = await orderBy(petri, 'walk_in_test')
    const path = `/v3/order_transaction/${order.order_transaction.id}`
    expect(await petri.get(path)).toAnswer(200)
    await petri.patch('/_petri/world', like('sandbox'))
    for (const each of [path, `${path}/result`, `${path}/result/pdf`]) {
      const { status, body } = await petri.get(each)
      expect([status, body]).toEqual([403, { detail: 'This feature is not available to your team' }])
    }
  })

  it('has visits at home in 85004 and 54650 only', async () => {
    const zips = ['85004', '54650', '20001']
    const areas = await Promise.all(zips.map((zip) => petri.read(`/v3/order/area/info?zip_code=${zip}`)))
    expect(areas.map(({ phlebotomy }) => phlebotomy.is_served)).toEqual([true, true, true])
    const slotsIn = async (zip_code: string) =>
      (await petri.post('/v3/order/phlebotomy/appointment/availability', { ...washington, zip_code })).status
    const washington = { first_line: '1 Main St', city: 'Washington', state: 'DC' }
    expect(await slotsIn('20001')).toBe(200)
    await petri.patch('/_petri/world', like('sandbox'))
    expect(await slotsIn('20001')).toBe(400)
    expect(await homeSlots(petri)).not.toEqual([])
  })

  it('has sites of Quest in Arizona that the laboratory schedules', async () => {
    const order = await orderReady(petri, 'walk_in_test')
    await petri.patch('/_petri/world', like('sandbox'))
    const [slot, other] = (await pscSlots(petri)) as [Offer, Offer]
    expect((await book(petri, 'psc', order.id, slot)).body).toMatchObject({
      provider: 'quest',
      status: 'reserved',
      can_reschedule: false,
    })
    await advance(petri, '10m')
    expect((await read(petri, 'psc', order.id)).body).toMatchObject({
      status: 'confirmed',
      can_reschedule: false,
    })
    const reason = { cancellationReasonId: '226a6520-667c-495f-8500-c20722d231d0' }
    expect(await change(petri, 'psc', order.id, 'cancel', reason)).toAnswer(400)
    expect(await change(petri, 'psc', order.id, 'reschedule', other)).toAnswer(400)
  })
})

it('a world like a production team runs in real time, and cannot simulate', async () => {
  const { body } = await petri.patch('/_petri/world', like('production'))
  expect(body).toMatchObject({
    like: 'production',
    scenario: 'happy-path',
    clock: { pace: 1 },
    features: { parity: 'production', order_transactions: true, home_visits: 'everywhere' },
  })
  const { id } = await orderBy(petri, 'walk_in_test')
  expect(await simulate(petri, id)).toAnswer(404)
})
