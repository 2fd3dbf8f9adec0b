import { describe, expect, it } from 'vitest'
import { visitArea } from '../../src/resources/areas/service.ts'
import { files, LABCORP, QUEST, startWithFewPlaces, VIA } from '../support/few-places.ts'
import { accountId, setFeatures } from '../support/orders.ts'
import { forAllTests, startTestWorld } from '../support/petri.ts'

const petri = forAllTests(startWithFewPlaces)

const areaInfo = (query: string) => petri.read(`/v3/order/area/info?zip_code=${query}`)
const described = (lab_id: number, supported_bill_types: string[], centers: object) => ({
  lab_id,
  supported_bill_types,
  patient_service_centers: { appointment_with_vital: true, radius: '10', ...centers },
})
const bookable = { within_radius: 0, capabilities: [] }
const sonoraQuest = described(25, ['client_bill'], bookable)
const quest = described(QUEST, ['client_bill', 'commercial_insurance'], {
  within_radius: 1,
  capabilities: [VIA],
})
const labcorp = described(LABCORP, ['client_bill'], {
  appointment_with_vital: false,
  within_radius: 2,
  capabilities: ['stat', 'appointment_scheduling_with_lab'],
})

describe('what is around a ZIP code', () => {
  it('is counted below the radius, in all states, without what is closed', async () => {
    expect(await areaInfo('19107&radius=10')).toEqual({
      zip_code: '19107',
      phlebotomy: {
        is_served: true,
        providers: [{ name: 'getlabs', service_types: ['appointment-ready'] }],
      },
      central_labs: { sonora_quest: sonoraQuest, labcorp, quest },
    })
    expect((await areaInfo('19107&radius=20')).central_labs.labcorp.patient_service_centers).toEqual({
      appointment_with_vital: false,
      within_radius: 3,
      radius: '20',
      capabilities: ['stat', 'appointment_scheduling_with_lab'],
    })
  })

  it('is the same for the nine digits of a ZIP code', async () => {
    expect(await areaInfo('19107-1234&radius=10')).toEqual(await areaInfo('19107&radius=10'))
    expect(await areaInfo('191091234')).toEqual(await areaInfo('19109'))
  })

  it.each([
    ['lab=quest', { quest }],
    ['labs=labcorp&labs=quest', { labcorp, quest }],
    ['labs=labcorp&lab=quest', { labcorp, quest }],
    ['lab=bioreference', {}],
  ])('is limited to the laboratories of %s', async (query, labs) => {
    expect((await areaInfo(`19107&radius=10&${query}`)).central_labs).toEqual(labs)
  })

  it('is billed by the named account, if it is of the laboratory', async () => {
    const account = await accountId(petri, 'Every Billing Labcorp')
    const { central_labs } = await areaInfo(`19107&radius=10&lab_account_id=${account}`)
    const every = ['client_bill', 'commercial_insurance', 'patient_bill_passthrough', 'patient_bill']
    expect(central_labs).toEqual({
      sonora_quest: sonoraQuest,
      labcorp: { ...labcorp, supported_bill_types: every },
      quest,
    })
    expect((await areaInfo(`96200&lab_account_id=${account}`)).central_labs).toEqual({})
  })

  it('is what the seeds say, with the billing types of a named account', async () => {
    const account = await accountId(petri, 'Every Billing Labcorp')
    const { radius: _, ...seeded } = { radius: '', ...files['area-info.json'][0] }
    expect(await areaInfo('19109')).toEqual(seeded)
    expect(Object.keys((await areaInfo('19109&lab=quest')).central_labs)).toEqual(['quest'])
    const { central_labs } = await areaInfo(`19109&lab_account_id=${account}`)
    expect(central_labs.labcorp.supported_bill_types).toHaveLength(4)
    expect(central_labs.quest.supported_bill_types).toEqual(['patient_bill'])
    const nowhere = await areaInfo(`00012&lab_account_id=${account}`)
    expect(nowhere.central_labs.labcorp.supported_bill_types).toEqual(['patient_bill'])
  })

  it.each([
    ['20002', [{ name: 'phlebfinders', service_types: ['appointment-request'] }]],
    ['20003', []],
    ['20004', []],
    ['20005', [{ name: 'phlebfinders', service_types: ['appointment-request'] }]],
    ['20006', [{ name: 'getlabs', service_types: ['appointment-ready'] }]],
    ['30301', []],
  ])('names who visits %s by what the seeds say for another radius', async (zip, providers) => {
    expect((await areaInfo(`${zip}&radius=25`)).phlebotomy).toEqual({
      is_served: providers.length > 0,
      providers,
    })
  })
})

describe('the visits at home around a ZIP code', () => {
  it('have the place and street that the seeds know, or those of the ZIP code', () => {
    const request = { provider: 'phlebfinders', service_types: ['appointment-request'] }
    expect(visitArea(petri.world(), '20005-1234')).toEqual({
      ...request,
      zip_code: '20005',
      street: 'K Street',
      lat: 39,
      lng: -77,
      iana_timezone: 'America/Chicago',
    })
    expect(visitArea(petri.world(), '20002')).toEqual({
      ...request,
      zip_code: '20002',
      street: null,
      lat: expect.closeTo(38.846, 6),
      lng: expect.closeTo(-77.03, 6),
      iana_timezone: 'America/New_York',
    })
    expect(visitArea(petri.world(), '30301')).toBeUndefined()
  })

  it('are in two ZIP codes only where the sandbox is', async () => {
    const own = await startTestWorld()
    const world = own.world()
    const served = () => ['85004-1234', '54650', '20001'].map((zip) => visitArea(world, zip)?.zip_code)
    expect(served()).toEqual(['85004', '54650', '20001'])
    await setFeatures(own, { home_visits: 'sandbox' })
    expect(served()).toEqual(['85004', '54650', undefined])
    await own.close()
  })
})
