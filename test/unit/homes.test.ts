import { beforeAll, describe, expect, it } from 'vitest'
import { type Home, homeAt, homeOf } from '../../src/resources/catalogue/homes.ts'
import type { HomeSeed } from '../../src/resources/catalogue/places.ts'
import type { World } from '../../src/world/world.ts'
import { startTestWorld } from '../support/petri.ts'

let world: World
let seeds: readonly HomeSeed[]
beforeAll(async () => {
  world = (await startTestWorld({ world: { seed: 'homes' } })).world()
  seeds = [...world.services.catalogue.homes().values()]
})

const everywhere = () => true
const nowhere = () => false
const phoenix = { city: 'Phoenix', state: 'AZ', zip: '85004', areaCode: '602' }
const users = Array.from({ length: 3000 }, (_, at) => `user-${at}`)
const seedOf = ({ city, state }: Home) => seeds.find((seed) => seed.city === city && seed.state === state)

describe('the home of a user', () => {
  it('is a ZIP code of a city, with one of its area codes, always the same', () => {
    for (const user of users.slice(0, 200)) {
      const home = homeOf(world, user, everywhere)
      expect(Object.keys(home)).toEqual(['city', 'state', 'zip', 'areaCode'])
      expect(seedOf(home)?.zips).toContain(home.zip)
      expect(seedOf(home)?.area_codes).toContain(home.areaCode)
      expect(homeOf(world, user, everywhere)).toEqual(home)
    }
  })

  it('is as often in a state as people live there', { tags: 'slow' }, () => {
    const homes = users.map((user) => homeOf(world, user, everywhere))
    const people = seeds.reduce((sum, seed) => sum + seed.people, 0)
    for (const state of ['CA', 'TX', 'FL', 'NY', 'WY', 'VT']) {
      const share =
        seeds.filter((seed) => seed.state === state).reduce((sum, seed) => sum + seed.people, 0) / people
      const found = homes.filter((home) => home.state === state).length / homes.length
      expect(Math.abs(found - share), state).toBeLessThan(0.02)
    }
  })

  it('is in each ZIP code and area code of a city alike', () => {
    const inLosAngeles = ({ city }: Home) => city === 'Los Angeles'
    const homes = users.slice(0, 1200).map((user) => homeOf(world, user, inLosAngeles))
    const { zips = [], area_codes = [] } = seeds.find(({ city }) => city === 'Los Angeles') ?? {}
    for (const zip of zips) {
      const share = homes.filter((home) => home.zip === zip).length / homes.length
      expect(Math.abs(share - 1 / zips.length), zip).toBeLessThan(0.06)
    }
    expect(new Set(homes.map(({ areaCode }) => areaCode))).toEqual(new Set(area_codes))
  })

  it('stays where it is if that is served, and is otherwise somewhere that is', () => {
    for (const user of users.slice(0, 100)) {
      const own = homeOf(world, user, everywhere)
      const isServed = ({ state }: Home) => state === own.state || state === 'OH'
      expect(homeOf(world, user, isServed)).toEqual(own)
      expect(homeOf(world, user, ({ state }) => state === 'OH').state).toBe('OH')
    }
  })

  it('is in Phoenix if nothing is served', () => {
    expect(homeOf(world, 'ada', nowhere)).toEqual(phoenix)
  })
})

describe('the home at a ZIP code', () => {
  it.each([
    ['98118', 'Seattle', 'WA'],
    ['90042', 'Los Angeles', 'CA'],
    ['98199', 'Seattle', 'WA'],
  ])('%s is in %s', (zip, city, state) => {
    const home = homeAt(world, 'ada', zip, everywhere)
    expect(home).toEqual({ city, state, zip, areaCode: expect.any(String) })
    expect(seedOf(home)?.area_codes).toContain(home.areaCode)
  })

  it('is that of the very ZIP code before that of its neighbours', () => {
    for (const { city, state, zips } of seeds)
      for (const zip of zips)
        expect(homeAt(world, 'ada', zip, everywhere)).toMatchObject({ city, state, zip })
  })

  it.each(['00112', '96200'])('%s is in Phoenix', (zip) => {
    expect(homeAt(world, 'ada', zip, everywhere)).toEqual({ ...phoenix, zip })
  })

  it('is in Phoenix if nobody can be billed in that place', () => {
    expect(homeAt(world, 'ada', '98118', ({ city }) => city !== 'Seattle')).toEqual({
      ...phoenix,
      zip: '98118',
    })
  })
})
