import { describe, expect, it } from 'vitest'
import { catalogueOf } from '../../src/resources/catalogue/service.ts'
import { advance } from '../support/orders.ts'
import { startTestWorld, type TestPetri } from '../support/petri.ts'

const wellness = {
  name: 'Wellness, Twice a Year!',
  method: 'walk_in_test',
  description: 'Lipids and metabolism.',
  marker_ids: [1975, 2075],
}

const create = (petri: TestPetri, change: object = {}) =>
  petri.post('/v3/lab_tests', { ...wellness, ...change })

describe('a new lab test', () => {
  it('is put together from the markers of one laboratory, and can be ordered at once', async () => {
    const petri = await startTestWorld()
    const { status, body } = await create(petri, { fasting: true })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: wellness.name,
      slug: `${petri.world().identity.teamId.slice(0, 8)}-wellness-twice-a-year`,
      lab: { slug: 'labcorp' },
      method: 'walk_in_test',
      sample_type: 'serum',
      fasting: true,
      status: 'active',
      is_active: true,
      auto_generated: false,
    })
    expect(body.markers.map(({ id }: { id: number }) => id)).toEqual([1975, 2075])
    expect((await petri.get(`/v3/lab_tests/${body.id}`)).body).toEqual(body)
    expect((await create(petri)).body.slug).toBe(`${body.slug}-2`)
  })

  it('may name its markers by order codes, with the laboratory where it is needed', async () => {
    const petri = await startTestWorld()
    const codes = { marker_ids: null, provider_ids: ['303756', '322000'] }
    expect((await create(petri, { ...codes, lab_slug: 'labcorp' })).body.markers).toHaveLength(2)
    expect(await create(petri, { ...codes, provider_ids: ['nope'] })).toMatchObject({
      status: 400,
      body: { detail: 'No lab has markers with provider_ids nope' },
    })
  })

  it('is refused when its markers cannot be drawn together', async () => {
    const petri = await startTestWorld()
    const quest = [...catalogueOf(petri.world()).markers().values()].find(
      ({ lab, isReflex }) => lab.slug === 'quest' && !isReflex,
    )
    const refusals: [object, number][] = [
      [{ marker_ids: [1975, quest?.id] }, 400],
      [{ marker_ids: [987654321] }, 400],
      [{ marker_ids: [] }, 400],
      [{ marker_ids: null }, 400],
      [{ provider_ids: ['303756'] }, 400],
      [{ method: 'testkit' }, 400],
      [{ lab_slug: 'quest' }, 400],
      [{ lab_account_id: '00000000-0000-4000-8000-000000000000' }, 404],
      [{ name: 7 }, 422],
    ]
    for (const [change, status] of refusals) expect((await create(petri, change)).status).toBe(status)
    expect((await petri.get('/v3/lab_tests')).body).toHaveLength(7)
  })

  it('waits a day for its approval where the team has a review', async () => {
    const petri = await startTestWorld()
    petri.world().setSettings({ features: { lab_test_approval: 'after_review' } })
    const { id, status, is_active } = (await create(petri)).body
    expect({ status, is_active }).toEqual({ status: 'pending_approval', is_active: false })
    expect((await petri.call('PATCH', `/v3/lab_tests/${id}`, { active: true })).status).toBe(400)
    await advance(petri, '1d')
    expect((await petri.get(`/v3/lab_tests/${id}`)).body.status).toBe('active')
  })
})

describe('a lab test', () => {
  it('can be renamed, and taken out of use and back', async () => {
    const petri = await startTestWorld()
    const { id, slug } = (await create(petri)).body
    const patch = (body: object) => petri.call('PATCH', `/v3/lab_tests/${id}`, body)
    expect((await patch({ name: 'Yearly' })).body).toMatchObject({ name: 'Yearly', slug, status: 'active' })
    expect((await patch({ active: false })).body).toMatchObject({ status: 'inactive', is_active: false })
    expect((await petri.get('/v3/lab_tests?status=inactive')).body).toHaveLength(1)
    expect((await patch({ active: true })).body).toMatchObject({ name: 'Yearly', status: 'active' })
    const nobody = '/v3/lab_tests/00000000-0000-4000-8000-000000000000'
    expect((await petri.call('PATCH', nobody, { name: 'x' })).status).toBe(404)
  })
})

describe('the markers of an order set', () => {
  it('are those of its lab tests and of its add-on, each once', async () => {
    const petri = await startTestWorld()
    const { id } = (await create(petri)).body
    const list = (body: object, query = '') =>
      petri.post(`/v3/lab_tests/list_order_set_markers${query}`, body)
    const set = { lab_test_ids: [id], add_on: { provider_ids: ['303756', '001453'] } }
    const { body } = await list(set)
    expect(body.markers.map(({ provider_id }: { provider_id: string }) => provider_id)).toEqual([
      '303756',
      '322000',
      '001453',
    ])
    expect(body).toMatchObject({ total: 3, page: 1, pages: 1 })
    expect(body.markers[0].expected_results).toHaveLength(6)
    expect((await list(set, '?page=2&size=2')).body.markers).toHaveLength(1)
    expect((await list({})).status).toBe(400)
    expect((await list({ add_on: {} })).status).toBe(400)
    expect((await list({ lab_test_ids: ['00000000-0000-4000-8000-000000000000'] })).status).toBe(400)
  })
})

describe('a marker', () => {
  it('is found by its laboratory and order code', async () => {
    const petri = await startTestWorld()
    const { body } = await petri.get('/v3/lab_tests/6/markers/303756')
    expect(body).toMatchObject({ id: 1975, lab_id: 6, provider_id: '303756', name: 'Lipid Panel' })
    expect(body).not.toHaveProperty('expected_results')
    const gone = { status: 404, body: { detail: 'Marker not found' } }
    expect(await petri.get('/v3/lab_tests/6/markers/000')).toMatchObject(gone)
    expect(await petri.get('/v3/lab_tests/999/markers/303756')).toMatchObject(gone)
    const account = petri.world().random.uuid('lab_account/platform-quest')
    expect(await petri.get(`/v3/lab_tests/6/markers/303756?lab_account_id=${account}`)).toMatchObject(gone)
  })
})
