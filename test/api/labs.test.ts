import { expect, it } from 'vitest'
import { field } from '../support/field.ts'
import { ok, startTestWorld } from '../support/petri.ts'

it('all laboratories are listed, in one order, without what the service keeps to itself', async () => {
  const petri = await startTestWorld()
  const body = await ok(petri.get('/v3/lab_tests/labs'))
  const slugs = body.map(field('slug'))
  expect(slugs).toHaveLength(20)
  expect(new Set(slugs).size).toBe(20)
  expect(slugs).toEqual(expect.arrayContaining(['labcorp', 'quest', 'bioreference']))
  expect(body[0]).toEqual({
    id: 24,
    slug: 'my_uti',
    name: 'MyUTI',
    first_line_address: 'No Address',
    city: 'Chicago',
    zipcode: '00000',
    collection_methods: ['testkit'],
    sample_types: ['dried_blood_spot'],
    logo_url: null,
  })
  expect(await petri.read('/v3/lab_tests/labs')).toEqual(body)
})
