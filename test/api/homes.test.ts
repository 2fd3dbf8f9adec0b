import { describe, expect, it } from 'vitest'
import { stateOfZip } from '../../src/resources/catalogue/homes.ts'
import { createCatalogue } from '../../src/resources/catalogue/service.ts'
import { setFeatures } from '../support/orders.ts'
import { startTestWorld } from '../support/petri.ts'

const homes = [...createCatalogue().homes().values()]

interface Placed {
  readonly user_id: string
  readonly patient_details: { readonly phone_number: string }
  readonly patient_address: { readonly city: string; readonly state: string; readonly zip: string }
  readonly physician: { readonly npi: string; readonly first_name: string; readonly last_name: string }
}

async function placeAll(count: number, body: object = {}) {
  const petri = await startTestWorld({ world: { seed: 'homes' } })
  const all: Placed[] = []
  for (let nth = 0; nth < count; nth++) {
    const placed = await petri.post('/_petri/orders', body)
    expect([placed.status, placed.body.detail]).toEqual([201, undefined])
    all.push(placed.body)
  }
  return { petri, all }
}

/** Which home an address is in; undefined if its parts do not agree. */
const homeOf = ({ patient_address: { city, state, zip }, patient_details: { phone_number } }: Placed) =>
  homes.find(
    (home) =>
      home.city === city &&
      home.state === state &&
      home.zips.includes(zip) &&
      home.area_codes.includes(phone_number.slice(2, 5)),
  )

describe('homes', () => {
  it('are in every state, and their ZIP codes in their own', () => {
    for (const { city, state, zips } of homes)
      for (const zip of zips) expect([city, zip, stateOfZip(zip)]).toEqual([city, zip, state])
    expect(new Set(homes.map(({ state }) => state)).size).toBe(51)
  })

  it('of patients without data are in many states, with city, ZIP, state and phone in agreement', {
    tags: 'slow',
  }, async () => {
    const { all } = await placeAll(40)
    expect(all.filter((order) => homeOf(order) === undefined)).toEqual([])
    expect(new Set(all.map((order) => order.patient_address.state)).size).toBeGreaterThan(10)
    for (const { patient_details } of all) expect(patient_details.phone_number).toMatch(/^\+1\d{3}55501\d\d$/)
  })

  it('are where the lab test is collected: a visit at home can be booked', async () => {
    const { petri, all } = await placeAll(12, { scenario: 'at-home-happy-path' })
    for (const { patient_address } of all) {
      const address = { ...patient_address, first_line: '1 Test Street', zip_code: patient_address.zip }
      const path = '/v3/order/phlebotomy/appointment/availability'
      const slots = await petri.post(path, address)
      expect([patient_address.zip, slots.status]).toEqual([patient_address.zip, 200])
    }
  })

  it('are the same for each order of a user, and where a ZIP code says', async () => {
    const { petri, all } = await placeAll(1)
    const [{ user_id = '', patient_address, physician } = {} as Placed] = all
    const again: Placed = (await petri.post('/_petri/orders', { user_id })).body
    expect(again).toMatchObject({ patient_address, physician })
    const { body } = await petri.post('/_petri/orders', { zip: '98118' })
    expect(body.patient_address).toMatchObject({ city: 'Seattle', state: 'WA', zip: '98118' })
    const far = (await petri.post('/_petri/orders', { zip: '59718', method: 'at_home_phlebotomy' })).body
    expect(far.patient_address).toMatchObject({ city: 'Bozeman', state: 'MT', zip: '59718' })
  })
})

it('an order of a laboratory that its customers never pay is placed where patients pay, and billed to them', async () => {
  const petri = await startTestWorld()
  const [{ id: marker }] = (await petri.read('/v3/lab_tests/markers?lab_slug=bioreference')).markers
  const lab_test = { name: 'Iron', method: 'walk_in_test', description: '', marker_ids: [marker] }
  const { id: lab_test_id } = (await petri.post('/v3/lab_tests', lab_test)).body
  const { status, body } = await petri.post('/_petri/orders', { lab_test_id })
  expect([status, body.billing_type]).toEqual([201, 'patient_bill_passthrough'])
  expect(['NY', 'NJ']).toContain(body.patient_address.state)
})

it('an order for a child names a parent at the same address', async () => {
  const petri = await startTestWorld()
  await setFeatures(petri, { minor_ordering: true })
  const { user_id } = (await petri.post('/_petri/users', { persona: 'child' })).body
  const { status, body } = await petri.post('/_petri/orders', { user_id, method: 'walk_in_test' })
  const { last_name, medical_proxy } = body.patient_details
  expect([status, medical_proxy.last_name]).toEqual([201, last_name])
  expect(medical_proxy.address).toMatchObject({ zip: body.patient_address.zip })
})

it('an order of a laboratory that accepts women only is placed for a woman, each time', async () => {
  const petri = await startTestWorld()
  const [{ id: marker }] = (await petri.read('/v3/lab_tests/markers?lab_slug=my_uti')).markers
  const lab_test = { name: 'Urine', method: 'testkit', description: '', marker_ids: [marker] }
  const { id: lab_test_id } = (await petri.post('/v3/lab_tests', lab_test)).body
  for (let nth = 0; nth < 8; nth++) {
    const { status, body } = await petri.post('/_petri/orders', { lab_test_id })
    expect([status, body.detail, body.patient_details?.gender]).toEqual([201, undefined, 'female'])
    const { sample_id } = (await petri.post('/_petri/orders', { lab_test_id, registrable: true })).body
    expect(sample_id).toEqual(expect.any(String))
  }
  expect((await petri.read('/_petri/users')).data).toHaveLength(16)
})
