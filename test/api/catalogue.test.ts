import { describe, expect, it } from 'vitest'
import type { World } from '../../src/world/world.ts'
import { field } from '../support/field.ts'
import { forEachTest, NOBODY } from '../support/petri.ts'

const petri = forEachTest()

interface Named {
  readonly name: string
  readonly id: number
  readonly lab_id: number
  readonly a_la_carte_enabled: boolean
}

const markersOf = (body: { markers: Named[] }) => body.markers
const account = (world: World, slug: string) => world.random.uuid(`lab_account/${slug}`)

describe('markers', () => {
  it('come fifty to a page, and all pages together are all of them', { tags: 'slow' }, async () => {
    const first = await petri.read('/v3/lab_tests/markers')
    expect(first).toMatchObject({ page: 1, size: 50, pages: Math.ceil(first.total / 50) })
    expect(first).not.toHaveProperty('pricing')
    const ids = new Set<number>()
    for (let page = 1; page <= first.pages; page++) {
      const body = await petri.read(`/v3/lab_tests/markers?page=${page}`)
      for (const { id } of markersOf(body)) ids.add(id)
    }
    expect(ids.size).toBe(first.total)
    expect(await petri.read(`/v3/lab_tests/markers?page=${first.pages + 1}`)).toMatchObject({
      markers: [],
      total: first.total,
    })
  })

  it('show their order code, questions and results', async () => {
    const [lipids] = (await petri.read('/v3/lab_tests/markers?name=303756')).markers
    const { aoe, expected_results, ...marker } = lipids
    expect(marker).toEqual({
      id: 1975,
      name: 'Lipid Panel',
      slug: 'lipid-panel',
      description: 'Lipid Panel',
      lab_id: 6,
      provider_id: '303756',
      type: 'biomarker',
      unit: null,
      price: 'N/A',
      a_la_carte_enabled: true,
      common_tat_days: 3,
      worst_case_tat_days: 5,
      is_orderable: true,
    })
    expect(aoe.questions).toMatchObject([{ code: 'FSTING', type: 'choice' }])
    expect(expected_results[0]).toEqual({
      id: 1109,
      name: 'Cholesterol, Total',
      slug: 'cholesterol-total',
      lab_id: 6,
      provider_id: '001065',
      required: true,
      loinc: {
        id: 11940,
        name: 'Cholesterol [Mass/Vol]',
        slug: 'cholesterol-mass-vol',
        code: '2093-3',
        unit: 'mg/dL',
      },
    })
    const comment = expected_results.find(({ slug }: { slug: string }) => slug === 'ldl-calc-comment')
    expect(comment.loinc.unit).toBeNull()
  })

  it('can be narrowed to laboratories, the slug before the ids', async () => {
    const labIds = async (query: string) => {
      const body = await petri.read(`/v3/lab_tests/markers?size=100&${query}`)
      return [...new Set(markersOf(body).map(field('lab_id')))].sort()
    }
    expect(await labIds('lab_id=6')).toEqual([6])
    expect(await labIds('lab_id=4&lab_id=6')).toEqual([4, 6])
    expect(await labIds('lab_id=6&lab_slug=quest')).toEqual([4])
    expect(await labIds('lab_slug=nowhere')).toEqual([])
  })

  it('are found by a part of their name or code, whatever its case', async () => {
    const found = async (name: string) =>
      markersOf(await petri.read(`/v3/lab_tests/markers?lab_slug=labcorp&name=${name}`))
    expect((await found('LIPID')).map(field('id'))).toEqual([1975])
    expect((await found('30375')).map(field('id'))).toEqual([1975])
    expect(await found('no%20such%20thing')).toEqual([])
  })

  it('can be narrowed to those ordered one by one, or the others', async () => {
    for (const wanted of [true, false]) {
      const body = await petri.read(`/v3/lab_tests/markers?size=100&a_la_carte_enabled=${wanted}`)
      expect(new Set(markersOf(body).map((marker) => marker.a_la_carte_enabled))).toEqual(new Set([wanted]))
    }
  })

  it('are those of an account’s laboratory when an account is named', async () => {
    const path = '/v3/lab_tests/markers?size=100&lab_account_id='
    const body = await petri.read(path + account(petri.world(), 'own-quest'))
    expect(new Set(markersOf(body).map(field('lab_id')))).toEqual(new Set([4]))
    expect(await petri.get(`${path}${NOBODY}`)).toRefuse(404, 'Lab account does not exist')
  })

  it('carry prices in cents on request', async () => {
    const body = await petri.read('/v3/lab_tests/markers?lab_slug=quest&name=86038987&include_pricing=true')
    const [{ id, price }] = body.markers
    expect(price).toBe('949.00')
    expect(body.pricing).toEqual({
      currency: 'USD',
      data: { [id]: { base_amount_minor: 94_900, modifiers: null } },
    })
  })

  it('never list what only a laboratory may add', async () => {
    const body = await petri.read('/v3/lab_tests/markers?name=reflex')
    expect(body).toMatchObject({ markers: [], total: 0, pages: 0 })
  })

  it('refuse pages out of bounds as the service does', async () => {
    const low = (field: string) => ({
      type: 'greater_than_equal',
      loc: ['query', field],
      msg: 'Input should be greater than or equal to 1',
      input: '0',
      ctx: { ge: 1 },
    })
    expect(await petri.get('/v3/lab_tests/markers?page=0&size=101')).toRefuse(422, [
      low('page'),
      {
        type: 'less_than_equal',
        loc: ['query', 'size'],
        msg: 'Input should be less than or equal to 100',
        input: '101',
        ctx: { le: 100 },
      },
    ])
    expect(await petri.read('/v3/lab_tests/markers?size=0')).toEqual({ detail: [low('size')] })
    expect((await petri.read('/v3/lab_tests/markers?page=x')).detail[0]).toMatchObject({
      type: 'int_parsing',
      loc: ['query', 'page'],
    })
  })
})
