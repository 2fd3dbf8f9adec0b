import { beforeAll, describe, expect, it } from 'vitest'
import {
  generatedSite,
  generatedSitesAround,
  milesBetween,
  offeredByQuest,
} from '../../src/resources/areas/generated-sites.ts'
import { findLab, findSite, placeOfZip } from '../../src/resources/areas/service.ts'
import { stateOfZip, zoneOfZip } from '../../src/resources/catalogue/homes.ts'
import type { PscSiteSeed } from '../../src/resources/catalogue/places.ts'
import type { World } from '../../src/world/world.ts'
import { startTestWorld } from '../support/petri.ts'

let world: World
beforeAll(async () => {
  world = (await startTestWorld()).world()
})

describe('the state and time zone of a ZIP code', () => {
  it.each([
    ['00112', 'AZ', 'America/New_York'],
    ['00499', 'AZ', 'America/New_York'],
    ['00501', 'NY', 'America/New_York'],
    ['00601', 'PR', 'America/Puerto_Rico'],
    ['00999', 'PR', 'America/Puerto_Rico'],
    ['01001', 'MA', 'America/New_York'],
    ['20199', 'VA', 'America/New_York'],
    ['20200', 'DC', 'America/New_York'],
    ['46204', 'IN', 'America/Indiana/Indianapolis'],
    ['60601', 'IL', 'America/Chicago'],
    ['80202', 'CO', 'America/Denver'],
    ['85004', 'AZ', 'America/Phoenix'],
    ['88599', 'TX', 'America/Denver'],
    ['79936', 'TX', 'America/Denver'],
    ['79606', 'TX', 'America/Chicago'],
    ['32501', 'FL', 'America/Chicago'],
    ['37902', 'TN', 'America/New_York'],
    ['46402', 'IN', 'America/Chicago'],
    ['83814', 'ID', 'America/Los_Angeles'],
    ['97914', 'OR', 'America/Boise'],
    ['73301', 'TX', 'America/Chicago'],
    ['00802', 'VI', 'America/Puerto_Rico'],
    ['94103', 'CA', 'America/Los_Angeles'],
    ['96801', 'HI', 'Pacific/Honolulu'],
    ['99999', 'AK', 'America/Anchorage'],
  ])('of %s are %s and %s', (zip, state, zone) => {
    expect([stateOfZip(zip), zoneOfZip(zip)]).toEqual([state, zone])
  })

  it.each(['00012', '26900', '42800', '96900', '96200', '88600', ''])('%j is in no state', (zip) => {
    expect([stateOfZip(zip), zoneOfZip(zip)]).toEqual([undefined, 'America/New_York'])
  })
})

describe('a distance', () => {
  const phoenix = { lat: 33.45, lng: -112.07 }
  it.each([
    ['itself', phoenix, 0],
    ['a degree to the north', { lat: 34.45, lng: -112.07 }, 69],
    ['a degree to the south', { lat: 32.45, lng: -112.07 }, 69],
    ['a degree to the east', { lat: 33.45, lng: -111.07 }, 58],
    ['New York', { lat: 40.7506, lng: -73.9972 }, 2140],
    ['London', { lat: 51.5074, lng: -0.1278 }, 5270],
    ['the other side of the earth', { lat: -33.45, lng: 67.93 }, 12_437],
    ['three quarters of a mile', { lat: 33.461, lng: -112.07 }, 1],
    ['a third of a mile', { lat: 33.455, lng: -112.07 }, 0],
  ])('from Phoenix to %s is in whole miles', (_, there, miles) => {
    expect(milesBetween(phoenix, there)).toBe(miles)
    expect(milesBetween(there, phoenix)).toBe(miles)
  })
})

describe('the place of a ZIP code', () => {
  it.each([
    ['of a visit at home is that of the area', '85004', 33.4421912, -112.0772235],
    ['of a listed town is that of the town', '59715', 45.67, -111.04],
    ['with a site is that of the site', '85006', 33.4631386, -112.0568538],
    ['of nine digits is that of the first five', '59715-1234', 45.67, -111.04],
  ])('%s', (_, zip, lat, lng) => {
    expect(placeOfZip(world, zip)).toMatchObject({ lat, lng })
  })

  it('is within five miles of the listed town with the nearest number, or unknown', () => {
    const bozeman = { lat: 45.67, lng: -111.04 }
    const one = placeOfZip(world, '59718')
    const other = placeOfZip(world, '59719')
    for (const place of [one, other])
      expect(milesBetween(place ?? { lat: 0, lng: 0 }, bozeman)).toBeLessThan(6)
    expect(one).not.toEqual(other)
    expect(placeOfZip(world, '59703')).not.toEqual(placeOfZip(world, '59701'))
    expect(milesBetween(placeOfZip(world, '59703') ?? bozeman, bozeman)).toBeGreaterThan(50)
    expect(placeOfZip(world, '00000')).toBeUndefined()
  })
})

describe('the towns of the seeds', () => {
  const prefixes = () => [...world.services.catalogue.towns()]
  const labs = ['labcorp', 'quest', 'sonora_quest', 'bioreference']
  const everywhere = { lat: 40, lng: -95 }

  it('are in the state of their prefix: one name a ZIP code, and none far from the others', () => {
    const cities = new Map<string, string>()
    for (const [prefix, { towns }] of prefixes())
      for (const { zip, city, lat, lng } of towns) {
        expect([zip.slice(0, 3), stateOfZip(zip)]).toEqual([prefix, expect.stringMatching(/^[A-Z]{2}$/)])
        expect([zip, cities.get(zip)]).toEqual([zip, undefined])
        cities.set(zip, city)
        const away = Math.max(...towns.map((town) => milesBetween(town, { lat, lng })))
        expect([zip, city, away < (prefix >= '995' ? 800 : 250)]).toEqual([zip, city, true])
      }
  })

  it('have all sites, as many in each prefix as its row says, at most a mile away and in its state', {
    tags: 'slow',
  }, () => {
    for (const lab of labs) {
      const sites = generatedSitesAround(world, lab, everywhere, Number.POSITIVE_INFINITY)
      const counts = new Map<string, number>()
      for (const { make } of sites) {
        const { zip_code, city, state, iana_timezone, lat, lng } = make()
        const prefix = zip_code.slice(0, 3)
        const town = world.services.catalogue
          .towns()
          .get(prefix)
          ?.towns.find(({ zip }) => zip === zip_code)
        expect({ zip_code, city, state, iana_timezone }).toEqual({
          zip_code,
          city: town?.city,
          state: stateOfZip(zip_code),
          iana_timezone: zoneOfZip(zip_code),
        })
        expect(milesBetween(town ?? everywhere, { lat, lng })).toBeLessThanOrEqual(1)
        counts.set(prefix, (counts.get(prefix) ?? 0) + 1)
      }
      for (const [prefix, { labcorp, quest, sonora_quest, bioreference }] of prefixes()) {
        const expected = { labcorp, quest: quest + sonora_quest, sonora_quest, bioreference }
        expect([prefix, lab, counts.get(prefix) ?? 0]).toEqual([prefix, lab, expected[lab as 'quest']])
      }
    }
  })

  it('are as they are around Bozeman and Bangor, far from the greatest city of the state', () => {
    const near = (zip: string) =>
      generatedSitesAround(world, 'labcorp', placeOfZip(world, zip) ?? everywhere, 20).map(({ make }) => {
        const { city, state } = make()
        return `${city}, ${state}`
      })
    expect(new Set(near('59718'))).toEqual(new Set(['Bozeman, MT']))
    expect(near('04401')).toContain('Bangor, ME')
    expect(near('04401')).not.toContain('Portland, ME')
  })
})

describe('a site', () => {
  it.each([
    ['quest', 'QNY1', { lab: 'quest', state: 'NY' }],
    ['quest', 'QNY9', { is_active: false }],
    ['quest', 'PHX1', { lab: 'quest', website: 'https://www.questdiagnostics.com/', state: 'AZ' }],
    ['sonora_quest', 'PHX1', { lab: 'sonora_quest', website: 'https://www.sonoraquest.com/' }],
    ['labcorp', '85091', { lab: 'labcorp', zip_code: '85006' }],
    ['labcorp', '85001', { lab: 'labcorp', zip_code: '85006' }],
    ['labcorp', '85006', { lab: 'labcorp', zip_code: '85003' }],
    ['labcorp', '5401', { name: expect.stringMatching(/^labcorp/i), state: 'VT' }],
    ['labcorp', '501', { lab: 'labcorp', zip_code: '00544', state: 'NY' }],
    ['bioreference', 'B00DX', { lab: 'bioreference', zip_code: '00544', state: 'NY' }],
    ['quest', '1TL6', { lab: 'quest', zip_code: '85003', name: 'Sonora Quest Laboratories' }],
    ['sonora_quest', '1TL6', { lab: 'sonora_quest', zip_code: '85003', name: 'Sonora Quest Laboratories' }],
  ])('of %s is found by its code %s', (lab, site_code, site) => {
    expect(findSite(world, lab, site_code)).toMatchObject({ site_code, ...site })
  })

  it.each([
    ['labcorp', '85000'],
    ['labcorp', '85007'],
    ['labcorp', '085001'],
    ['labcorp', '85001.0'],
    ['labcorp', ''],
    ['labcorp', 'x'],
    ['labcorp', '9401'],
    ['labcorp', 'PHX1'],
    ['labcorp', 'QNY1'],
    ['sonora_quest', 'QNY1'],
    ['bioreference', '00DX'],
    ['bioreference', 'b00DX'],
    ['bioreference', 'B0DX'],
    ['quest', '1tl6'],
    ['quest', '-'],
    ['ussl', '85001'],
  ])('of %s never has the code %j', (lab, code) => {
    expect(findSite(world, lab, code)).toBeUndefined()
  })

  it('of Sonora Quest is shown by Quest as its own, with everything else the same', () => {
    const site = generatedSite(world, 'sonora_quest', '1TL6') as PscSiteSeed
    expect(offeredByQuest(site)).toEqual({
      ...site,
      lab: 'quest',
      website: 'https://www.questdiagnostics.com/',
    })
  })

  it('that is made up has everything that a listed one has', () => {
    const text = expect.stringMatching(/./)
    expect(findSite(world, 'labcorp', '85001')).toEqual({
      lab: 'labcorp',
      site_code: '85001',
      name: expect.stringMatching(/^labcorp/i),
      first_line: text,
      second_line: '',
      city: text,
      state: 'AZ',
      zip_code: '85006',
      phone_number: expect.stringMatching(/^800-555-01\d\d$/),
      fax_number: expect.stringMatching(/^800-555-01\d\d$/),
      hours: expect.any(Object),
      website: 'https://www.labcorp.com/',
      lat: 33.4681,
      lng: -112.0518,
      iana_timezone: 'America/Phoenix',
      capabilities: [],
      is_active: true,
    })
  })

  it('of a partner of Quest has the partner’s name, and its capabilities', () => {
    const [site] = generatedSitesAround(world, 'quest', { lat: 44.5, lng: -73.2 }, 100).filter(
      ({ capabilities }) => capabilities.length === 0,
    )
    expect(site?.make()).toMatchObject({ name: 'Green Mountain Medical Laboratory', capabilities: [] })
    const [other] = generatedSitesAround(world, 'quest', placeOfZip(world, '85501') ?? { lat: 0, lng: 0 }, 10)
    expect(other?.capabilities).toEqual(['appointment_scheduling_with_lab'])
    expect(other?.make().capabilities).toEqual(['appointment_scheduling_with_lab'])
  })
})

describe('made-up sites', () => {
  const around = (lab: string, radius: number) =>
    generatedSitesAround(world, lab, { lat: 33.45, lng: -112.07 }, radius)

  it('are as many as the seeds say, one town after the other gets one', () => {
    const zips = around('labcorp', 12).map(({ make }) => make().zip_code)
    expect(zips.filter((zip) => zip.startsWith('850'))).toEqual([
      '85006',
      '85003',
      '85004',
      '85007',
      '85006',
      '85003',
    ])
  })

  it('are those within the radius, wherever the centre of their prefix is', () => {
    for (const lab of ['labcorp', 'quest', 'sonora_quest', 'bioreference']) {
      const all = around(lab, Number.POSITIVE_INFINITY)
      for (const radius of [1, 2, 4, 5, 6, 10, 20, 50]) {
        const near = all.filter(({ distance }) => distance < radius)
        expect(around(lab, radius).map(({ make }) => make().site_code)).toEqual(
          near.map(({ make }) => make().site_code),
        )
      }
    }
  })

  it.each([
    [99.4, true],
    [100.4, false],
  ])('%f miles to the north are below a radius of 100: %s', (miles, isNear) => {
    const [site] = around('labcorp', 12).map(({ make }) => make())
    const { lat = 0, lng = 0, site_code } = site ?? {}
    const here = { lat: lat - miles / 69.097, lng }
    const found = generatedSitesAround(world, 'labcorp', here, 100).map(({ make }) => make().site_code)
    expect(found.includes(site_code ?? '')).toBe(isNear)
  })

  it('differ in name and hours', () => {
    const sites = around('labcorp', 400).map(({ make }) => make())
    const kindsOf = (partOf: (site: PscSiteSeed) => unknown) => new Set(sites.map(partOf)).size
    expect(kindsOf(({ name }) => name)).toBe(3)
    expect(kindsOf(({ hours }) => hours?.Mon)).toBe(3)
    expect(kindsOf(({ hours }) => hours?.Sat)).toBe(2)
  })

  it('are none for a laboratory without sites', () => {
    expect(around('ussl', 100)).toEqual([])
  })
})

it('a laboratory is found by its id', () => {
  expect(findLab(world, 6)?.slug).toBe('labcorp')
  expect(findLab(world, 9999)).toBeUndefined()
})
