import { expect, it } from 'vitest'
import { scopeFor, scopesOf } from '../../src/resources/providers/scopes.ts'
import { deviceTypeFor, getProvider, providerName } from '../../src/resources/providers/service.ts'
import { startTestWorld } from '../support/petri.ts'

it('the device of a provider is the first that is wanted and that it has, else its main one', () => {
  expect(deviceTypeFor('fitbit')).toBe('watch')
  expect(deviceTypeFor('fitbit', ['scale'])).toBe('scale')
  expect(deviceTypeFor('fitbit', ['ring', 'scale', 'watch'])).toBe('scale')
  expect(deviceTypeFor('fitbit', ['ring'])).toBe('watch')
  expect(deviceTypeFor('quest', ['lab'])).toBe('unknown')
})

it('a permission of a provider without published ones is named after the resource', () => {
  expect(scopeFor('fitbit', 'sleep')).toBe('sleep')
  expect(scopesOf('freestyle_libre')).toEqual([])
  expect(scopeFor('freestyle_libre', 'glucose')).toBe('read:glucose')
})

it('a provider that is not there is named', () => {
  expect(getProvider('oura').slug).toBe('oura')
  expect(() => getProvider('nobody')).toThrow('no provider nobody')
})

it('a laboratory that sends data has its slug as name', async () => {
  const world = (await startTestWorld()).world()
  expect(providerName(world, 'fitbit')).toEqual({
    name: 'Fitbit',
    slug: 'fitbit',
    logo: 'http://127.0.0.1:4080/logos/fitbit.svg',
  })
  expect(providerName(world, 'labcorp')).toMatchObject({ name: 'labcorp', slug: 'labcorp' })
})

it('all providers are listed with their resources, or those of one kind of source', async () => {
  const petri = await startTestWorld()
  const list = (query = '') => petri.read(`/v2/providers${query}`)
  const all = await list()
  expect(all).toHaveLength(41)
  const oura = all.find(({ slug }: { slug: string }) => slug === 'oura')
  expect(oura.supported_resources).toEqual(expect.arrayContaining(['sleep', 'activity']))
  expect((await list('?source_type=ble')).length).toBe(6)
  expect(await list('?source_type=none')).toEqual([])
})
