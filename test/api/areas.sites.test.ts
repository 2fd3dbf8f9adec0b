import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sitesNear } from '../../src/resources/areas/service.ts'
import { LABCORP, QUEST, startWithFewPlaces } from '../support/few-places.ts'
import { accountId } from '../support/orders.ts'
import type { TestPetri } from '../support/petri.ts'

let petri: TestPetri
beforeAll(async () => {
  petri = await startWithFewPlaces()
})
afterAll(() => petri.close())

describe('the sites around a ZIP code', () => {
  const sitesOf = async (query: string) =>
    (await petri.read(`/v3/order/psc/info?zip_code=${query}`)).patient_service_centers.map(
      (one: { site_code: string; distance: number; supported_bill_types: string[] }) => [
        one.site_code,
        one.distance,
        ...one.supported_bill_types,
      ],
    )

  it.each([
    ['19107', LABCORP, '&radius=10', [['A9', 9, 'client_bill']]],
    [
      '19107',
      LABCORP,
      '&radius=20',
      [
        ['A9', 9, 'client_bill'],
        ['A10', 10, 'client_bill'],
      ],
    ],
    [
      '19107',
      LABCORP,
      '&radius=20&capabilities=stat',
      [
        ['A9', 9, 'client_bill'],
        ['A10', 10, 'client_bill'],
      ],
    ],
    [
      '19107',
      LABCORP,
      '&capabilities=stat&capabilities=appointment_scheduling_with_lab',
      [['A9', 9, 'client_bill']],
    ],
    [
      '85004',
      LABCORP,
      '',
      [
        ['85001', 4, 'client_bill'],
        ['P1', 5, 'client_bill'],
        ['85002', 7, 'client_bill'],
      ],
    ],
    ['96200', LABCORP, '', []],
  ])(
    '%s of laboratory %i with %j are those below the radius, nearest first',
    async (zip, lab, query, sites) => {
      expect(await sitesOf(`${zip}&lab_id=${lab}${query}`)).toEqual(sites)
    },
  )

  it('are those of all states in which the named account bills', async () => {
    const account = await accountId(petri, 'Every Billing Labcorp')
    const sites = await sitesOf(`19107&lab_id=${LABCORP}&radius=10&lab_account_id=${account}`)
    expect(sites.map(([code]: [string]) => code)).toEqual(['A3', 'A9'])
  })

  it.each([
    ['&radius=10', [['Q30', 1, 'patient_bill']]],
    [
      '&radius=20',
      [
        ['Q30', 1, 'patient_bill'],
        ['Q4', 10, 'patient_bill'],
      ],
    ],
    ['&radius=20&capabilities=stat', [['Q30', 1, 'patient_bill']]],
    ['&radius=25', [['Q4', 16, 'client_bill', 'commercial_insurance']]],
  ])('are those that the seeds list, up to their radius: %s', async (query, sites) => {
    expect(await sitesOf(`19109&lab_id=${QUEST}${query}`)).toEqual(sites)
  })

  it('that the seeds list are billed by a named account', async () => {
    const account = await accountId(petri, 'Every Billing Quest')
    const sites = await sitesOf(`19109&lab_id=${QUEST}&radius=20&lab_account_id=${account}`)
    const every = ['client_bill', 'commercial_insurance', 'patient_bill_passthrough', 'patient_bill']
    expect(sites).toEqual([
      ['Q30', 1, ...every],
      ['Q4', 10, ...every],
      ['Q4', 11, ...every],
    ])
  })

  it('are all that are listed, or the nearest anywhere, without a radius', () => {
    const near = (search: { lab: string; zip: string }, most?: number) =>
      sitesNear(petri.world(), search, most).map(({ site: { site_code }, distance }) => [site_code, distance])
    expect(near({ lab: 'quest', zip: '19109-1234' })).toEqual([
      ['Q30', 1],
      ['Q4', 10],
      ['Q4', 11],
    ])
    expect(near({ lab: 'quest', zip: '19109' }, 1)).toEqual([['Q30', 1]])
    expect(near({ lab: 'labcorp', zip: '19107' }, 3)).toEqual([
      ['A3', 3],
      ['A9', 9],
      ['A10', 10],
    ])
    expect(near({ lab: 'labcorp', zip: '19107' })).toHaveLength(6)
  })
})
