import { describe, expect, it } from 'vitest'
import { orderReady } from '../support/appointments.ts'
import { accountId, orderBy, orderKit } from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'

const petri = forEachTest()

const LABCORP = 6
const QUEST = 4

interface Site {
  distance: number
  site_code: string
  capabilities: string[]
  metadata: { zip_code: string }
}
const sites = async (query: string): Promise<Site[]> =>
  (await petri.read(`/v3/order/psc/info?${query}`)).patient_service_centers

describe('the services around a ZIP code', () => {
  it('lists the laboratories that serve the area', async () => {
    const body = await petri.read('/v3/order/area/info?zip_code=85004')
    expect(Object.keys(body.central_labs)).toEqual(['sonora_quest', 'labcorp', 'quest'])
    expect(body.central_labs.quest.patient_service_centers).toMatchObject({
      radius: '25',
      capabilities: ['appointment_scheduling_via_junction'],
    })
    const nobody = await petri.get('/v3/order/area/info?zip_code=00000')
    expect(nobody.body.central_labs).toEqual({})
    const refused = await petri.read('/v3/order/area/info?zip_code=85004&lab=crl')
    expect(refused.detail[0].msg).toBe("Input should be 'quest', 'labcorp', 'bioreference' or 'sonora_quest'")
  })

  it('lists the billing types of an account', async () => {
    const account = await accountId(petri, 'Own Labcorp')
    const billsIn = async (zip: string) => {
      const body = await petri.read(`/v3/order/area/info?zip_code=${zip}&lab_account_id=${account}`)
      return body.central_labs.labcorp?.supported_bill_types
    }
    expect(await billsIn('85004')).toEqual(['client_bill', 'commercial_insurance'])
    expect(await billsIn('10001')).toEqual(['client_bill'])
    expect(await billsIn('04101')).toBeUndefined()
  })

  it.each(['zip_code=8500', 'zip_code=85004&radius=30', ''])('refuses %s', async (query) => {
    expect(await petri.get(`/v3/order/area/info?${query}`)).toAnswer(422)
  })
})

describe('patient service centers', () => {
  it('are listed with their address and hours, the closed ones left out', async () => {
    const near = await sites(`zip_code=10001&lab_id=${QUEST}&radius=10`)
    expect(near.map(({ site_code }) => site_code)).toEqual(expect.arrayContaining(['QNY2', 'QNY1']))
    expect(near.map(({ site_code }) => site_code)).not.toContain('QNY9')
    const around = await sites(`zip_code=85006&lab_id=${LABCORP}`)
    expect(around.find(({ distance, site_code }) => distance === 0 && site_code === '85091')).toEqual({
      metadata: {
        name: 'Labcorp',
        state: 'AZ',
        city: 'Phoenix',
        zip_code: '85006',
        first_line: '1300 N 12th St',
        second_line: 'Ste 300',
        phone_number: '480-878-3988',
        fax_number: '844-346-5903',
        hours: expect.any(Object),
        website: 'https://www.labcorp.com/',
      },
      distance: 0,
      site_code: '85091',
      supported_bill_types: ['client_bill'],
      location: { lng: -112.0568538, lat: 33.4631386 },
      capabilities: [],
    })
  })

  it.each(['32801', '44101', '45202', '19107'])(
    'are generated around %s, and can be booked',
    { tags: 'slow' },
    async (zip) => {
      const near = await sites(`zip_code=${zip}&lab_id=${QUEST}&radius=50`)
      expect(near.length).toBeGreaterThanOrEqual(2)
      expect(await sites(`zip_code=${zip}&lab_id=${QUEST}&radius=50`)).toEqual(near)
      expect(near[0]?.distance).toBeLessThanOrEqual(near[1]?.distance ?? 0)
      const order = await orderReady(petri, 'walk_in_test')
      const code = near[1]?.site_code
      const { body } = await petri.call(
        'POST',
        `/v3/order/psc/appointment/availability?lab=quest&site_codes=${code}`,
      )
      const { booking_key } = body.slots.at(-1).slots[0]
      const booked = await petri.post(`/v3/order/${order.id}/psc/appointment/book`, { booking_key })
      expect(booked).toAnswer(200, { status: 'confirmed', address: { zip_code: near[1]?.metadata.zip_code } })
    },
  )

  it.each([
    ['lab_id=9999', 404, 'Lab not found.'],
    ['lab_id=3', 404, 'Lab not supported for PSC info.'],
  ])('refuses %s', async (lab, status, detail) => {
    expect(await petri.get(`/v3/order/psc/info?zip_code=85004&${lab}`)).toRefuse(status, detail)
  })

  it('refuses an account of another laboratory', async () => {
    const account = await accountId(petri, 'Junction Labcorp Account')
    const query = `zip_code=85004&lab_id=${QUEST}&lab_account_id=${account}`
    expect(await petri.get(`/v3/order/psc/info?${query}`)).toRefuse(
      400,
      'Lab account is not associated with lab quest',
    )
  })

  it("are found around an order's patient, for the order's laboratory", async () => {
    const order = await orderBy(petri, 'walk_in_test')
    const body = await petri.read(`/v3/order/${order.id}/psc/info?radius=50`)
    expect(body).toMatchObject({
      lab_id: QUEST,
      slug: 'quest',
      patient_service_centers: expect.arrayContaining([expect.objectContaining({ site_code: 'PHX1' })]),
    })
    const kit = await orderKit(petri)
    expect(await petri.get(`/v3/order/${kit.id}/psc/info`)).toRefuse(404, 'Lab not supported for PSC info.')
    expect(await petri.get('/v3/order/7e57c0de-0000-4000-8000-000000000000/psc/info')).toRefuse(
      404,
      "This order doesn't exist.",
    )
  })
})
