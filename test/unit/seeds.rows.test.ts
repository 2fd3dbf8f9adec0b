import { describe, expect, it } from 'vitest'
import type { LazySchema } from '../../src/api/schema.ts'
import { LabProfileSeed } from '../../src/resources/catalogue/lab-profiles.ts'
import { OrderableSeed } from '../../src/resources/catalogue/orderables.ts'
import {
  AreaInfoSeed,
  HomeSeed,
  PhlebotomyAreaSeed,
  PscInfoSeed,
  PscSiteSeed,
  TownsSeed,
} from '../../src/resources/catalogue/places.ts'
import { AnalyteSeed, TurnaroundSeed } from '../../src/resources/catalogue/schema.ts'

const site = {
  lab: 'quest',
  site_code: 'A_1',
  name: 'A',
  first_line: '1',
  second_line: null,
  city: 'B',
  state: 'AZ',
  zip_code: '85004',
  phone_number: null,
  fax_number: null,
  hours: { Mon: null },
  website: null,
  lat: 90,
  lng: -180,
  iana_timezone: 'America/Phoenix',
  capabilities: ['stat'],
  is_active: true,
}
const area = {
  zip_code: '85004',
  provider: 'getlabs',
  service_types: ['appointment-ready'],
  street: null,
  lat: -90,
  lng: 180,
  iana_timezone: 'America/Phoenix',
}
const home = { city: 'A', state: 'AZ', zips: ['85004'], area_codes: ['602'], people: 0.5 }
const towns = { towns: ['59715 Bozeman 45.67 -111.04'] }
const info = { zip_code: '85004', lab: 'quest', radius: '25', sites: [] }
const listed = { site_code: 'A', distance: 1, supported_bill_types: ['client_bill'] }
const answer = {
  zip_code: '85004',
  radius: '25',
  central_labs: {},
  phlebotomy: { is_served: false, providers: [] },
}
const orderable = { id: 1, analyte: 'iron', codes: { quest: '1' } }
const analyte = { slug: 'iron', name: 'Iron', category: 'nutrition', loinc: null }
const critical = { low: null, high: 500 }
const turnaround = { of: 'iron', hours: 4, source: 'a study' }
const profile = { lab: 'quest', known: 'assumed', source: 'a study' }

describe('a row of the seeds', () => {
  it.each([
    ['a site', PscSiteSeed, site, { zip_code: '85004-1234' }, { zip_code: '850041234' }],
    ['an area', PhlebotomyAreaSeed, area, { places: [{ street: 'A', lat: 1, lng: 1 }] }, { street: 'A' }],
    ['a home', HomeSeed, home, { zips: ['85004', '85005'] }],
    [
      'towns',
      TownsSeed,
      towns,
      { towns: ['00717 Ponce 18 -66.61', "31601 O'Fallon Park -1 1.5"] },
      { labcorp: 3, partner: 'A', capabilities: [] },
    ],
    ['the sites of a ZIP code', PscInfoSeed, info, { sites: [listed] }],
    ['the answer of a ZIP code', AreaInfoSeed, answer, { radius: '100' }],
    ['an orderable', OrderableSeed, orderable, { id: 99_999, asks: ['fasting'] }],
    ['an analyte', AnalyteSeed, analyte, { critical: { ...critical, source: 'a study' } }],
    ['a turnaround', TurnaroundSeed, turnaround, { hours: 0.5 }],
    ['a laboratory', LabProfileSeed, profile, { analytes: { iron: { source: 'a study' } } }],
  ] as const)('can be %s', (_, schema, row, ...changes) => {
    for (const change of [{}, ...changes])
      expect(schema().safeParse({ ...row, ...change }).error, JSON.stringify(change)).toBeUndefined()
  })

  const one = <Value>(field: string, ...values: readonly Value[]) =>
    values.map((value) => ({ [field]: value }))
  const stray = { more: 1 }
  const refused: readonly [string, LazySchema, object, readonly object[]][] = [
    [
      'a site',
      PscSiteSeed,
      site,
      [
        ...one('zip_code', '1234', 'x85004', '85004-123', '85004 1234', '850045'),
        ...one('site_code', 'A 1', 'A-1', ''),
        ...one('lat', 90.1, -90.1),
        ...one('lng', 180.1, -180.1),
        { lab: 'nobody' },
        { capabilities: ['none'] },
        stray,
      ],
    ],
    [
      'an area',
      PhlebotomyAreaSeed,
      area,
      [
        ...one('zip_code', '8500', '850041', 'x5004'),
        ...one('service_types', [], ['none']),
        { provider: 'quest' },
        { places: [{ street: 'A', lat: 1, lng: 1, ...stray }] },
        stray,
      ],
    ],
    [
      'a home',
      HomeSeed,
      home,
      [
        ...one('state', 'az', 'AZZ', 'xAZ', 'A'),
        ...one('zips', [], ['8500'], ['850045'], ['x85004']),
        ...one('area_codes', [], ['60'], ['6021'], ['x602']),
        ...one('people', 0, -1),
        stray,
      ],
    ],
    [
      'towns',
      TownsSeed,
      towns,
      [
        ...one(
          'towns',
          [],
          ['5971 Bozeman 45 -111'],
          ['59715 45 -111'],
          ['59715 Bozeman 45'],
          ['Bozeman 45 -111'],
        ),
        ...one('towns', ['59715 Bozeman 91 -111'], ['59715 Bozeman 45 -181'], ['59715 Bozeman 45 -111 1']),
        ...['labcorp', 'quest', 'bioreference', 'sonora_quest'].flatMap((lab) => one(lab, -1, 0.5)),
        { capabilities: ['none'] },
        stray,
      ],
    ],
    [
      'the sites of a ZIP code',
      PscInfoSeed,
      info,
      [
        { zip_code: '8500' },
        { lab: 'none' },
        { radius: '5' },
        stray,
        ...[{ distance: 0.5 }, { supported_bill_types: ['none'] }, stray].map((more) => ({
          sites: [{ ...listed, ...more }],
        })),
      ],
    ],
    ['the answer of a ZIP code', AreaInfoSeed, answer, [{ zip_code: '8500' }, { radius: '5' }, stray]],
    [
      'an orderable',
      OrderableSeed,
      orderable,
      [...one('id', 0, 100_000), { codes: { nobody: '1' } }, { asks: ['none'] }, stray],
    ],
    ['an analyte', AnalyteSeed, analyte, [{ critical }, { critical: { ...critical, source: '' } }]],
    ['a turnaround', TurnaroundSeed, turnaround, [...one('source', undefined, ''), { hours: 0 }]],
    ['a laboratory', LabProfileSeed, profile, one('source', undefined, '')],
  ]

  it.each(
    refused.flatMap(([what, schema, row, changes]) =>
      changes.map((change) => [what, JSON.stringify(change), schema, { ...row, ...change }] as const),
    ),
  )('is never %s with %s', (_, __, schema, row) => {
    expect(schema().safeParse(row).success).toBe(false)
  })

  it('has no sites by default', () => {
    expect(TownsSeed().parse(towns)).toEqual({
      towns: [{ zip: '59715', city: 'Bozeman', lat: 45.67, lng: -111.04 }],
      labcorp: 0,
      quest: 0,
      bioreference: 0,
      sonora_quest: 0,
    })
  })
})
