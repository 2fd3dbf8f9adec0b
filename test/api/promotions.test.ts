import { describe, expect, it } from 'vitest'
import { advance, orderBy, readLabTest, setFeatures, standardTest } from '../support/orders.ts'
import { forEachTest, NOBODY } from '../support/petri.ts'

const petri = forEachTest()

const promotions = (query = '') => petri.read(`/v3/lab_test_promotion${query}`)
const sourceOf = (id: string) => petri.get(`/v3/lab_test/${id}/promotion_source`)

describe('a promotion', () => {
  it('makes a lab test like its source, which it names', { tags: 'slow' }, async () => {
    const source = await standardTest(petri, 'walk_in_test')
    const before = await readLabTest(petri, source)
    expect(before.source_sandbox_lab_test_id).toBeNull()
    expect(await promotions()).toEqual([])
    const { body } = await sourceOf(source)
    expect(body).toEqual({
      name: before.name,
      description: 'Metabolism, cholesterol and blood count, drawn at a service center.',
      method: before.method,
      fasting: before.fasting,
      lab_slug: before.lab.slug,
      provider_ids: before.markers.map((marker: { provider_id: string }) => marker.provider_id),
      source_sandbox_lab_test_id: source,
    })
    const made = (await petri.post('/v3/lab_tests', body)).body
    expect(made).toMatchObject({ name: before.name, source_sandbox_lab_test_id: source })
    expect(await readLabTest(petri, made.id)).toEqual(made)
    const order = await orderBy(petri, 'walk_in_test', { lab_test_id: made.id })
    expect(order.lab_test).not.toHaveProperty('source_sandbox_lab_test_id')
  })

  it('has the status of the lab test, and is found by its source', async () => {
    const sources = [
      await standardTest(petri, 'walk_in_test'),
      await standardTest(petri, 'at_home_phlebotomy'),
    ]
    await setFeatures(petri, { lab_test_approval: 'after_review' })
    const made: string[] = []
    for (const id of sources)
      made.push((await petri.post('/v3/lab_tests', (await sourceOf(id)).body)).body.id)
    await setFeatures(petri, { lab_test_approval: 'at_once' })
    const [first, second] = await promotions()
    expect(first).toEqual({
      source_sandbox_lab_test_id: sources[0],
      production_lab_test_id: made[0],
      status: 'pending_approval',
    })
    const query = (ids: (string | undefined)[]) =>
      `?${ids.map((id) => `source_sandbox_lab_test_ids=${id}`).join('&')}`
    expect(await promotions(query([sources[1]]))).toEqual([second])
    expect(await promotions(query(sources))).toEqual([first, second])
    expect(await promotions(query([NOBODY]))).toEqual([])
    await advance(petri, '2d')
    expect((await promotions())[0].status).toBe('active')
  })

  it('has an empty description where its source has none', async () => {
    const [plain] = await petri.read('/v3/lab_tests?lab_slug=labcorp')
    expect((await sourceOf(plain.id)).body.description).toBe('')
  })

  it('is refused for what is no id, and for no lab test', async () => {
    expect(await sourceOf(NOBODY)).toAnswer(404)
    expect(await petri.get('/v3/lab_test_promotion?source_sandbox_lab_test_ids=x')).toAnswer(422)
    const body = { name: 'A', method: 'walk_in_test', description: '', marker_ids: [2075] }
    expect(await petri.post('/v3/lab_tests', { ...body, source_sandbox_lab_test_id: 7 })).toAnswer(422)
  })
})

describe('the collection instructions of a lab test', () => {
  const instructionsOf = (id: string) => petri.get(`/v3/lab_test/${id}/collection_instructions`)

  it('count the tubes, and name the laboratory', async () => {
    const id = await standardTest(petri, 'at_home_phlebotomy')
    const { lab, markers } = await readLabTest(petri, id)
    const labs = await petri.read('/v3/lab_tests/labs')
    expect((await instructionsOf(id)).body).toEqual({
      total_tubes: Math.ceil(markers.length / 5),
      lab: labs.find(({ slug }: { slug: string }) => slug === lab.slug),
    })
    const marker_ids = [8001, 8002, 8003, 8006, 8007, 8009]
    expect((await instructionsOf(await drawnAtHome(marker_ids))).body.total_tubes).toBe(2)
  })

  /** A lab test of these markers that is drawn at home. */
  const drawnAtHome = async (marker_ids: number[]) => {
    const body = { name: 'At home', method: 'at_home_phlebotomy', description: '', marker_ids }
    return (await petri.post('/v3/lab_tests', body)).body.id
  }

  it('are there at home only', async () => {
    for (const method of ['testkit', 'walk_in_test', 'on_site_collection'])
      expect(await instructionsOf(await standardTest(petri, method)), method).toRefuse(
        400,
        'Only lab tests for at-home phlebotomy have collection instructions',
      )
    expect(await instructionsOf(NOBODY)).toAnswer(404)
  })

  it.each([
    ['labcorp', 1975, 'approxdraw_labcorp', 'approxdraw'],
    ['quest', 8001, 'approxdraw', 'approxdraw_labcorp'],
  ])('at %s are there for teams that have them', async (lab, marker, own, other) => {
    const id = await drawnAtHome([marker])
    await setFeatures(petri, { [other]: false })
    expect(await instructionsOf(id)).toAnswer(200)
    await setFeatures(petri, { [own]: false })
    expect(await instructionsOf(id)).toRefuse(
      400,
      `Collection instructions at ${lab} are not enabled for your team`,
    )
  })
})
