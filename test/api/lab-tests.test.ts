import { describe, expect, it } from 'vitest'
import { findLabTest, presentLabTest } from '../../src/resources/lab-tests/service.ts'
import { labTests } from '../../src/resources/lab-tests/table.ts'
import { field } from '../support/field.ts'
import { accountId, kitTestId, readLabTest, sendOrder } from '../support/orders.ts'
import { forEachTest, startTestWorld } from '../support/petri.ts'

const petri = forEachTest()

interface Named {
  readonly name: string
}

describe('lab tests', () => {
  it('are in a new world the standard ones and four more, one for each collection method', async () => {
    const own = (await petri.read('/v3/lab_tests')).slice(3)
    expect(own.map(field('method'))).toEqual([
      'testkit',
      'walk_in_test',
      'at_home_phlebotomy',
      'on_site_collection',
    ])
    const [kit] = own
    expect(kit).toMatchObject({
      name: 'Lipids Panel',
      slug: `${petri.world().identity.teamId.slice(0, 8)}-lipids-panel`,
      is_active: true,
      is_delegated: false,
      lab: { slug: 'ussl' },
      common_tat_days: 3,
      worst_case_tat_days: 5,
    })
    expect(kit.markers.map(({ name }: Named) => name)).toEqual([
      'Lipid Panel',
      'Glucose',
      'Hemoglobin A1c',
      'TSH',
    ])
    expect(await readLabTest(petri, kit.id)).toEqual(kit)
  })

  it('can be filtered and ordered', async () => {
    const names = async (query: string) =>
      (await petri.read(`/v3/lab_tests?${query}`)).map(({ name }: Named) => name)
    expect(await names('lab_slug=labcorp')).toEqual([
      'Lipid Panel: At Home',
      'CMP',
      'Hormone Panel At-home',
      'Metabolic On-site',
    ])
    expect(await names('collection_method=testkit')).toEqual(['Female General Wellness', 'Lipids Panel'])
    expect(await names('name=PANEL')).toEqual([
      'Lipid Panel: At Home',
      'Lipids Panel',
      'Hormone Panel At-home',
    ])
    expect(await names('marker_ids=2075')).toEqual(['CMP', 'Hormone Panel At-home', 'Metabolic On-site'])
    expect(await names('provider_ids=322000&provider_ids=001453')).toEqual(['Metabolic On-site'])
    expect(await names('status=inactive')).toEqual([])
    expect(await names('generation_method=auto')).toEqual([])
    expect((await names('order_key=price&order_direction=desc'))[0]).toBe('Lipid Panel: At Home')
    expect((await names('order_direction=desc')).at(-1)).toBe('Lipids Panel')
  })

  it('are paged with a cursor', async () => {
    const all = (await petri.read('/v3/lab_test')).data
    const first = await petri.read('/v3/lab_test?lab_test_limit=3')
    expect(first).toEqual({ data: all.slice(0, 3), next_cursor: expect.any(String) })
    const second = await petri.read(`/v3/lab_test?lab_test_limit=4&next_cursor=${first.next_cursor}`)
    expect(second).toEqual({ data: all.slice(3), next_cursor: null })
    expect(await petri.get('/v3/lab_test?next_cursor=nonsense')).toRefuse(400, 'Invalid cursor')
  })

  it('carry prices, and only those an account can order, on request', async () => {
    const id = petri.world().random.uuid('lab_account/platform-labcorp')
    const body = await petri.read(`/v3/lab_test?include_pricing=true&lab_account_id=${id}`)
    expect(body.data.map(({ lab }: { lab: { slug: string } }) => lab.slug)).toEqual(Array(4).fill('labcorp'))
    expect(body.pricing.data[body.data[0].id]).toMatchObject({
      pricing: { base_amount_minor: 8600 },
      marker_breakdown: { 2075: { unspecified: 'refer_to_contract' } },
    })
  })

  it('show their markers with results, those a laboratory may add included', async () => {
    const world = petri.world()
    const kit = { id: await kitTestId(petri) }
    const body = await petri.read(`/v3/lab_tests/${kit.id}/markers?size=2`)
    expect(body).toMatchObject({ total: 2, page: 1, size: 2, pages: 2 })
    expect(body.markers[0].expected_results).toHaveLength(5)

    const withReflex = world.services.catalogue.findMarker('labcorp', '330015')
    const row = findLabTest(world, kit.id)
    if (!row || !withReflex) throw new Error('the seeds lack what this test needs')
    world.db.put(labTests, { ...row, lab: 'labcorp', marker_ids: [withReflex.id] })
    expect((await readLabTest(petri, kit.id)).markers).toHaveLength(1)
    const after = await petri.read(`/v3/lab_tests/${kit.id}/markers`)
    expect(after.markers.map(({ name }: Named) => name)).toEqual([
      'TSH Rfx on Abnormal to Free T4',
      'T4, Free (Reflex)',
    ])
  })

  it('are of one laboratory: an account of another has none of them', async () => {
    const [labTest] = await petri.read('/v3/lab_tests?lab_slug=labcorp')
    const through = async (account: string) => {
      const id = await accountId(petri, account)
      return petri.get(`/v3/lab_tests/${labTest.id}?lab_account_id=${id}`)
    }
    expect(await through('Junction Labcorp Account')).toAnswer(200, labTest)
    expect(await through('Junction Quest Account')).toRefuse(404, 'Lab test does not exist')
  })

  it('take as long as the slowest of their markers, if all are known', async () => {
    const turnaround = async (marker_ids: number[]) => {
      const body = { name: 'T', method: 'walk_in_test', description: '', marker_ids }
      const { common_tat_days, worst_case_tat_days } = (await petri.post('/v3/lab_tests', body)).body
      return [common_tat_days, worst_case_tat_days]
    }
    expect(await turnaround([8001, 8003])).toEqual([2, 5])
    expect(await turnaround([8001, 8004])).toEqual([null, null])
  })

  it('are presented once per change', async () => {
    const world = (await startTestWorld()).world()
    const row = findLabTest(world, world.db.ids(labTests)[0] ?? '')
    if (!row) throw new Error('no lab test')
    expect(presentLabTest(world, row)).toBe(presentLabTest(world, row))
    const inactive = world.db.put(labTests, { ...row, status: 'inactive' })
    expect(presentLabTest(world, inactive)).toMatchObject({ status: 'inactive', is_active: false })
  })
})

describe('a lab test that is generated for an order', () => {
  const orderOf = (marker_ids: number[], collection_method = 'walk_in_test') =>
    sendOrder(petri, { order_set: { add_on: { marker_ids } }, collection_method })

  it('has the markers of the order, their price, and a code as its name', async () => {
    const { id } = (await orderOf([8006, 8001])).body.order.lab_test
    const body = await readLabTest(petri, id)
    expect(body.name).toMatch(/^[A-Z0-9]{8}$/)
    expect(body).toMatchObject({
      slug: `${petri.world().identity.teamId.slice(0, 8)}-${body.name.toLowerCase()}`,
      method: 'walk_in_test',
      sample_type: 'serum',
      price: 25.5 + 14.25,
      status: 'active',
      fasting: false,
      auto_generated: true,
      has_collection_instructions: false,
    })
    expect(body.markers.map(({ id: marker }: { id: number }) => marker)).toEqual([8001, 8006])
  })

  it('costs nothing when its markers have no price', async () => {
    const { id } = (await orderOf([1975])).body.order.lab_test
    expect((await readLabTest(petri, id)).price).toBe(0)
  })

  it('is the same for the same markers and method alone, and listed on request', async () => {
    const [first, again, less, elsewhere] = await Promise.all([
      orderOf([8001, 8006]),
      orderOf([8006, 8001]),
      orderOf([8001]),
      orderOf([8001, 8006], 'at_home_phlebotomy'),
    ])
    const idOf = ({ body }: typeof first) => body.order.lab_test.id
    expect(idOf(again)).toBe(idOf(first))
    expect(new Set([first, less, elsewhere].map(idOf)).size).toBe(3)
    const count = async (query: string) => (await petri.read(`/v3/lab_tests?${query}`)).length
    expect(await count('generation_method=auto')).toBe(3)
    expect(await count('generation_method=manual')).toBe(7)
    expect(await count('generation_method=all')).toBe(10)
  })
})

describe('an order without a lab test', () => {
  it('has one of the team that can be ordered, or else a standard one', async () => {
    const chosen = async () => (await petri.post('/_petri/orders', {})).body.lab_test.name
    expect(await chosen()).toBe('Lipids Panel')
    await petri.patch(`/v3/lab_tests/${await kitTestId(petri)}`, { active: false })
    expect(await chosen()).toBe('Female General Wellness')
  })
})
