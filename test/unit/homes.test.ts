import { beforeAll, describe, expect, it, vi } from 'vitest'
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
const users = Array.from({ length: 200 }, (_, at) => `user-${at}`)
const seedOf = ({ city, state }: Home) => seeds.find((seed) => seed.city === city && seed.state === state)

describe('the home of a user', () => {
  it('is a ZIP code of a city, with one of its area codes, always the same', () => {
    for (const user of users) {
      const home = homeOf(world, user, everywhere)
      expect(Object.keys(home)).toEqual(['city', 'state', 'zip', 'areaCode'])
      expect(seedOf(home)?.zips).toContain(home.zip)
      expect(seedOf(home)?.area_codes).toContain(home.areaCode)
      expect(homeOf(world, user, everywhere)).toEqual(home)
    }
  })

  it('is drawn by how many people live at each ZIP code of the cities', () => {
    const noise = vi.spyOn(world.random, 'noise')
    const everyone = seeds.reduce((sum, { people }) => sum + people, 0)
    let before = 0
    for (const { zips, people } of seeds)
      for (const zip of zips) {
        const share = people / zips.length / everyone
        noise.mockReturnValue(before + share / 2)
        expect(homeOf(world, 'ada', everywhere).zip).toBe(zip)
        before += share
      }
    noise.mockRestore()
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
