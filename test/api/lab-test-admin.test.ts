import { describe, expect, it } from 'vitest'
import { field } from '../support/field.ts'
import { accountId, advance, readLabTest, sendOrder, standardTest } from '../support/orders.ts'
import { forEachTest, NOBODY, ok } from '../support/petri.ts'

const petri = forEachTest()

const wellness = {
  name: 'Wellness, Twice a Year!',
  method: 'walk_in_test',
  description: 'Lipids and metabolism.',
  marker_ids: [1975, 2075],
}

const create = (change: object = {}) => petri.post('/v3/lab_tests', { ...wellness, ...change })

describe('a new lab test', () => {
  it('is put together from the markers of one laboratory, and can be ordered at once', async () => {
    const body = await ok(create({ fasting: true }))
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
    expect(body.markers.map(field('id'))).toEqual([1975, 2075])
    expect(await readLabTest(petri, body.id)).toEqual(body)
    expect((await create()).body).toMatchObject({ slug: `${body.slug}-2`, fasting: false })
    expect((await create()).body.slug).toBe(`${body.slug}-3`)
  })

  it('has a slug without the signs around its name, or a plain one if nothing else is left', async () => {
    const slug = async (name: string) => (await create({ name })).body.slug.slice(9)
    expect(await slug('-- Wellness! --')).toBe('wellness')
    expect(await slug('???')).toBe('lab-test')
  })

  it('costs what its markers cost together; those without a price add nothing', async () => {
    const [first, second] = [8001, 8006]
    const price = (id: number) => Number(petri.world().services.catalogue.markers().get(id)?.price)
    const { body } = await create({ marker_ids: [first, second] })
    expect(body.price).toBe(price(first) + price(second))
    expect(body.price).toBeGreaterThan(1)
    expect((await create()).body.price).toBe(0)
  })

  it('of a kit has dried blood and instructions, and others have serum and none', async () => {
    const kit = (await create({ method: 'testkit', marker_ids: [20001] })).body
    expect(kit).toMatchObject({ sample_type: 'dried_blood_spot', has_collection_instructions: true })
    expect((await create()).body).toMatchObject({
      sample_type: 'serum',
      has_collection_instructions: false,
    })
  })

  it('takes the laboratory of its account', async () => {
    const lab_account_id = await accountId(petri, 'Junction Labcorp Account')
    for (const lab_slug of [null, 'labcorp'])
      expect((await create({ lab_account_id, lab_slug })).body.lab.slug).toBe('labcorp')
  })

  it('may name its markers by order codes, with the laboratory where it is needed', async () => {
    const codes = { marker_ids: null, provider_ids: ['303756', '322000'] }
    expect((await create({ ...codes, lab_slug: 'labcorp' })).body.markers).toHaveLength(2)
    expect(await create({ ...codes, provider_ids: ['nope'] })).toRefuse(
      400,
      'No lab has markers with provider_ids nope',
    )
  })

  it('is refused when its markers cannot be drawn together', async () => {
    const quest = [...petri.world().services.catalogue.markers().values()].find(
      ({ lab, isReflex }) => lab.slug === 'quest' && !isReflex,
    )
    const account = await accountId(petri, 'Junction Labcorp Account')
    const needed = 'marker_ids or provider_ids must be set'
    const refusals: [object, number, unknown][] = [
      [{ marker_ids: [1975, quest?.id] }, 400, 'cannot create a lab test with markers from multiple labs'],
      [{ marker_ids: [987654321] }, 400, 'Marker 987654321 does not exist'],
      [{ marker_ids: [] }, 400, needed],
      [{ marker_ids: null }, 400, needed],
      [{ marker_ids: null, provider_ids: [] }, 400, needed],
      [{ provider_ids: ['303756'] }, 400, 'cannot set both marker_ids and provider_ids'],
      [
        { marker_ids: null, provider_ids: ['303756', 'no', 'yes'] },
        400,
        'No lab has markers with provider_ids 303756, no, yes',
      ],
      [{ method: 'testkit' }, 400, 'Lab labcorp does not support collection method testkit'],
      [{ lab_slug: 'quest' }, 400, 'Marker 1975 does not exist at lab quest'],
      [{ marker_ids: [2080] }, 400, 'Marker 2080 does not exist'],
      [{ lab_account_id: account, lab_slug: 'quest' }, 400, 'Lab account is not associated with lab quest'],
      [{ lab_account_id: NOBODY }, 404, expect.any(String)],
      [{ name: 7 }, 422, expect.any(Array)],
    ]
    for (const [change, status, detail] of refusals)
      expect(await create(change)).toMatchObject({ status, body: { detail } })
    expect(await petri.read('/v3/lab_tests')).toHaveLength(7)
  })

  it('waits a day for its approval where the team has a review', async () => {
    petri.world().setSettings({ features: { lab_test_approval: 'after_review' } })
    const { id, status, is_active } = (await create()).body
    expect({ status, is_active }).toEqual({ status: 'pending_approval', is_active: false })
    const patch = (body: object) => petri.patch(`/v3/lab_tests/${id}`, body)
    expect(await patch({ active: true })).toRefuse(400, 'Lab test is pending approval')
    expect((await patch({ name: 'Yearly' })).body).toMatchObject({
      name: 'Yearly',
      status: 'pending_approval',
    })
    await advance(petri, '1d')
    expect((await readLabTest(petri, id)).status).toBe('active')
  })

  it('is on the agenda only where the team has a review', async () => {
    const agenda = async () => (await petri.read('/_petri/agenda')).data
    await create()
    expect(await agenda()).toEqual([])
    petri.world().setSettings({ features: { lab_test_approval: 'after_review' } })
    await create()
    expect(await agenda()).toMatchObject([{ does: 'a lab test is approved' }])
  })
})

describe('a lab test', () => {
  it('can be renamed, and taken out of use and back', async () => {
    const { id, slug } = (await create()).body
    const patch = (body: object) => petri.patch(`/v3/lab_tests/${id}`, body)
    expect((await patch({ name: 'Yearly' })).body).toMatchObject({ name: 'Yearly', slug, status: 'active' })
    expect((await patch({ active: false })).body).toMatchObject({ status: 'inactive', is_active: false })
    expect(await petri.read('/v3/lab_tests?status=inactive')).toHaveLength(1)
    expect((await patch({ active: true })).body).toMatchObject({ name: 'Yearly', status: 'active' })
  })

  it('cannot be ordered while it is out of use', async () => {
    const { id } = (await create()).body
    const set = { order_set: { lab_test_ids: [await standardTest(petri, 'at_home_phlebotomy'), id] } }
    await petri.patch(`/v3/lab_tests/${id}`, { active: false })
    const refused = { status: 400, body: { detail: 'test is not active' } }
    expect(await sendOrder(petri, { lab_test_id: id })).toMatchObject(refused)
    expect(await sendOrder(petri, { ...set, collection_method: 'walk_in_test' })).toMatchObject(refused)
  })
})

describe('the markers of an order set', () => {
  it('are those of its lab tests and of its add-on, each once', async () => {
    const { id } = (await create()).body
    const list = (body: object, query = '') =>
      petri.post(`/v3/lab_tests/list_order_set_markers${query}`, body)
    const set = { lab_test_ids: [id], add_on: { provider_ids: ['303756', '001453'] } }
    const { body } = await list(set)
    expect(body.markers.map(field('provider_id'))).toEqual(['303756', '322000', '001453'])
    expect(body).toMatchObject({ total: 3, page: 1, pages: 1 })
    expect(body.markers[0].expected_results).toHaveLength(6)
    expect((await list(set, '?page=2&size=2')).body.markers).toHaveLength(1)
    const added = await list({ add_on: { marker_ids: [1975] } })
    expect(added.body.markers.map(field('id'))).toEqual([1975])
  })

  it('are refused when they cannot be ordered together', async () => {
    const { id } = (await create()).body
    const lab_account_id = await accountId(petri, 'Junction Labcorp Account')
    const quest = { add_on: { marker_ids: [8001] } }
    const refusals: [object, string][] = [
      [{}, 'lab_test_ids or add_on must be set in order_set'],
      [{ lab_test_ids: [] }, 'lab_test_ids or add_on must be set in order_set'],
      [{ add_on: {} }, 'marker_ids or provider_ids must be set in add_on'],
      [
        { add_on: { marker_ids: [1975], provider_ids: ['303756'] } },
        'cannot set both marker_ids and provider_ids in add_on',
      ],
      [
        { lab_test_ids: [NOBODY] },
        'No markers found for the supplied lab tests. Please check the lab test ids',
      ],
      [{ lab_test_ids: [id], ...quest }, 'cannot order lab_tests from multiple labs'],
      [{ ...quest, lab_account_id }, 'Lab account is not associated with lab quest'],
      [{ add_on: { provider_ids: ['7600'] }, lab_account_id }, 'No lab has markers with provider_ids 7600'],
    ]
    for (const [body, detail] of refusals)
      expect(await petri.post('/v3/lab_tests/list_order_set_markers', body)).toRefuse(400, detail)
    const fits = { lab_test_ids: [id], lab_account_id }
    expect(await petri.post('/v3/lab_tests/list_order_set_markers', fits)).toAnswer(200)
  })
})

describe('a marker', () => {
  it('is found by its laboratory and order code', async () => {
    const body = await petri.read('/v3/lab_tests/6/markers/303756')
    expect(body).toMatchObject({ id: 1975, lab_id: 6, provider_id: '303756', name: 'Lipid Panel' })
    expect(body).not.toHaveProperty('expected_results')
    const gone = { status: 404, body: { detail: 'Marker not found' } }
    expect(await petri.get('/v3/lab_tests/6/markers/000')).toMatchObject(gone)
    expect(await petri.get('/v3/lab_tests/999/markers/303756')).toMatchObject(gone)
    const account = petri.world().random.uuid('lab_account/platform-quest')
    expect(await petri.get(`/v3/lab_tests/6/markers/303756?lab_account_id=${account}`)).toMatchObject(gone)
  })
})
