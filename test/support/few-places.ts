import { startTestPetri, type TestPetri } from './petri.ts'
import { complete, seedFolder } from './seeds.ts'

export const VIA = 'appointment_scheduling_via_junction'
export const LABCORP = 6
export const QUEST = 4
const MILE = 1 / 69.094
const HERE = { lat: 40, lng: -75 }

const site = (lab: string, site_code: string, miles: number, more: object = {}) => ({
  lab,
  site_code,
  name: lab,
  first_line: '1 Main Street',
  second_line: null,
  city: 'Here',
  state: 'PA',
  zip_code: '19108',
  phone_number: null,
  fax_number: null,
  hours: null,
  website: null,
  lat: HERE.lat + miles * MILE,
  lng: HERE.lng,
  iana_timezone: 'America/New_York',
  capabilities: [],
  is_active: true,
  ...more,
})
const area = (zip_code: string, more: object = {}) => ({
  zip_code,
  provider: 'getlabs',
  service_types: ['appointment-ready'],
  street: null,
  lat: 39,
  lng: -77,
  iana_timezone: 'America/Chicago',
  ...more,
})
const centre = (within_radius: number, radius: string) => ({
  patient_service_centers: { appointment_with_vital: false, within_radius, radius, capabilities: [] },
  supported_bill_types: ['patient_bill'],
})
const answer = (zip_code: string, radius: string, providers: object[] = [], central_labs: object = {}) => ({
  zip_code,
  radius,
  phlebotomy: { is_served: providers.length > 0, providers },
  central_labs,
})
const listed = (site_code: string, distance: number, supported_bill_types = ['patient_bill']) => ({
  site_code,
  distance,
  supported_bill_types,
})

export const files = {
  'towns.json': [
    { towns: [`19107 Here ${HERE.lat} ${HERE.lng}`, `19109 There ${HERE.lat - 12 * MILE} ${HERE.lng}`] },
    { towns: ['20000 Washington 38.9 -77'] },
    { labcorp: 2, sonora_quest: 1, towns: ['85044 Phoenix 33.45 -112.07', '85081 Phoenix 33.5 -112.07'] },
  ],
  'psc-sites.json': [
    site('labcorp', 'A9', 9, { capabilities: ['stat', 'appointment_scheduling_with_lab'] }),
    site('labcorp', 'A10', 10, { capabilities: ['stat'] }),
    site('labcorp', 'A5', 5, { is_active: false }),
    site('labcorp', 'A3', 3, { state: 'NJ' }),
    site('quest', 'Q4', 4, { capabilities: [VIA] }),
    site('quest', 'Q30', 30, { capabilities: [VIA, 'stat'] }),
    site('labcorp', 'P1', 0, { lat: 33.47, lng: -112.076, state: 'AZ' }),
  ],
  'psc-info.json': [
    {
      zip_code: '19109',
      lab: 'quest',
      radius: '20',
      sites: [listed('Q30', 1), listed('Q4', 10), listed('Q4', 11, [])],
    },
  ],
  'phlebotomy-areas.json': [area('19107', HERE), area('20003'), area('20005', { street: 'K Street' })],
  'area-info.json': [
    answer('19109', '25', [], {
      labcorp: { ...centre(7, '25'), lab_id: LABCORP },
      quest: { ...centre(8, '25'), lab_id: QUEST },
    }),
    answer('00012', '25', [], { labcorp: { ...centre(1, '25'), lab_id: LABCORP } }),
    answer('20002', '50', [
      { name: 'quest', service_types: ['appointment-ready'] },
      { name: 'getlabs', service_types: [] },
      { name: 'phlebfinders', service_types: ['appointment-request'] },
    ]),
    answer('20003', '10'),
    answer('20005', '100', [{ name: 'phlebfinders', service_types: ['appointment-request'] }]),
    answer('20006', '10', [{ name: 'getlabs', service_types: ['appointment-ready'] }]),
    answer('30301', '10', [{ name: 'getlabs', service_types: ['appointment-ready'] }]),
  ],
}

/** A Petri with few places and sites, so that each answer is known in full. */
export const startWithFewPlaces = (): Promise<TestPetri> =>
  startTestPetri({ seeds: [seedFolder(complete(files))] })
