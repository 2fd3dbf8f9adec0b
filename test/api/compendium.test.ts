import { describe, expect, it } from 'vitest'
import { field } from '../support/field.ts'
import { standardTest } from '../support/orders.ts'
import { forEachTest, NOBODY } from '../support/petri.ts'

const petri = forEachTest()

interface Candidate {
  readonly provider_id: string
  readonly relation: string
  readonly reason_codes: readonly string[]
  readonly confidence: number
}

const search = (body: object) => petri.post('/v3/compendium/search', body)
const codes = (candidates: readonly Candidate[]) => candidates.map(field('provider_id'))

describe('the compendium, searched for canonical tests', () => {
  it('returns the best matches first, up to the limit', async () => {
    const { body } = await search({ mode: 'canonical', query: 'lipid panel', limit: 2 })
    expect(body.selected_canonical).toMatchObject({ display_name: 'Lipid Panel', confidence: 1 })
    expect(body.selected_canonical.loinc_codes).toContain('2093-3')
    expect(body.selected_canonical.provider_ids).toContain('7600')
    expect(body.canonical_candidates[0]).toEqual(body.selected_canonical)
    expect(body.canonical_candidates.length).toBeLessThanOrEqual(2)
    expect(body).toMatchObject({ mode: 'canonical', per_lab: {}, related: [] })
  })

  it('finds tests by a part of the name, by order code and by procedure code', async () => {
    const nameOf = async (change: object) =>
      (await search({ mode: 'canonical', ...change })).body.selected_canonical?.display_name
    expect(await nameOf({ query: '001453' })).toBe('Hemoglobin A1c')
    expect(await nameOf({ query: 'ferri' })).toBe('Ferritin')
    expect(await nameOf({ query: 'panel', cpt_codes: ['80061'] })).toBe('Lipid Panel')
    expect(await nameOf({ query: 'panel', cpt_codes: ['00000', '80061'] })).toBe('Lipid Panel')
    expect(await nameOf({ query: ' 3016-3 ' })).toBe('TSH')
    expect(await nameOf({ query: 'xylophone' })).toBeUndefined()
    const sure = { mode: 'canonical', query: 'Lipid Panel', cpt_codes: ['80061'] }
    expect((await search(sure)).body.selected_canonical.confidence).toBe(1)
  })

  it('has those of the wanted laboratories alone', async () => {
    const all = await search({ mode: 'canonical', query: 'panel', limit: 10 })
    const some = await search({ mode: 'canonical', query: 'panel', limit: 10, labs: ['quest'] })
    const namesOf = ({ body }: typeof all) => body.canonical_candidates.map(field('display_name'))
    expect(namesOf(some)).not.toEqual(namesOf(all))
  })
})

describe('the compendium, searched across laboratories', () => {
  it('compares the tests of each laboratory with the requested one', { tags: 'slow' }, async () => {
    const { body } = await search({ mode: 'crosswalk', query: 'Hemoglobin A1c', limit: 5 })
    expect(Object.keys(body.per_lab)).toEqual(['labcorp', 'quest', 'bioreference', 'sonora_quest'])
    expect(body.canonical_candidates).toEqual([body.selected_canonical])
    const [same, more] = body.per_lab.labcorp
    expect(same).toMatchObject({
      provider_id: '001453',
      relation: 'exact',
      confidence: 1,
      reason_codes: ['EXACT_LOINC_SET', 'NAME_MATCH'],
      result_names: ['Hemoglobin A1c'],
    })
    expect(more).toMatchObject({ relation: 'superset', reason_codes: expect.arrayContaining(['SUPERSET']) })
    expect(more.confidence).toBeLessThan(1)
    expect(body.per_lab.quest[0]).toMatchObject({ relation: 'exact', lab_slug: 'quest' })
  })

  it('ranks by relation and confidence, up to the limit', async () => {
    const { body } = await search({
      mode: 'crosswalk',
      query: 'Comp. Metabolic Panel (14)',
      labs: ['labcorp'],
      limit: 20,
    })
    expect(Object.keys(body.per_lab)).toEqual(['labcorp'])
    expect(body.related.length).toBeGreaterThan(0)
    const ranks = ['exact', 'superset', 'subset', 'overlap', 'suggested']
    for (const list of [body.related, body.per_lab.labcorp] as Candidate[][]) {
      const places = list.map(({ relation, confidence }) => ranks.indexOf(relation) - confidence / 10)
      expect(places).toEqual([...places].sort((a, b) => a - b))
    }
    const related = body.related.map(
      ({ canonical }: { canonical: { loinc_set_hash: string } }) => canonical.loinc_set_hash,
    )
    expect(related).not.toContain(body.selected_canonical.loinc_set_hash)
    const few = await search({
      mode: 'crosswalk',
      query: 'Comp. Metabolic Panel (14)',
      labs: ['labcorp'],
      limit: 2,
    })
    expect(few.body.related).toEqual(body.related.slice(0, 2))
    expect(few.body.per_lab.labcorp).toEqual(body.per_lab.labcorp.slice(0, 2))
    const bare = await search({ mode: 'crosswalk', query: 'TSH', include_related: false })
    expect(bare.body.related).toEqual([])
  })

  it('accepts the hash of a set of codes instead of a name', async () => {
    const named = (await search({ mode: 'crosswalk', query: 'TSH' })).body
    const { loinc_set_hash } = named.selected_canonical
    const hashed = (await search({ mode: 'crosswalk', loinc_set_hash })).body
    expect(hashed).toEqual(named)
    const nothing = { selected_canonical: null, canonical_candidates: [], per_lab: {}, related: [] }
    expect((await search({ mode: 'crosswalk', loinc_set_hash: 'ff' })).body).toMatchObject(nothing)
  })
})

it('the compendium refuses inconsistent parameters', async () => {
  const wrong: [object, string][] = [
    [{ mode: 'canonical' }, 'query is required in canonical mode'],
    [{ mode: 'canonical', query: '  ' }, 'query is required in canonical mode'],
    [
      { mode: 'canonical', query: 'TSH', loinc_set_hash: 'ff' },
      'loinc_set_hash is not allowed in canonical mode',
    ],
    [{ mode: 'canonical', query: 'TSH', limit: 11 }, 'limit must be between 1 and 10 in canonical mode'],
    [{ mode: 'crosswalk' }, 'exactly one of query and loinc_set_hash is required in crosswalk mode'],
    [
      { mode: 'crosswalk', query: 'TSH', loinc_set_hash: 'ff' },
      'exactly one of query and loinc_set_hash is required in crosswalk mode',
    ],
  ]
  for (const [body, text] of wrong)
    expect((await search(body)).body, JSON.stringify(body)).toMatchObject({
      detail: [{ type: 'value_error', loc: ['body'], msg: `Value error, ${text}`, ctx: { error: {} } }],
    })
  for (const body of [
    { mode: 'canonical', query: 'TSH', limit: 0 },
    { mode: 'crosswalk', query: 'TSH', limit: 21 },
    { mode: 'crosswalk', query: 'TSH', labs: ['ussl'] },
    { mode: 'fuzzy', query: 'TSH' },
  ])
    expect(await search(body)).toAnswer(422)
  for (const body of [
    { mode: 'canonical', query: 'TSH', limit: 10 },
    { mode: 'crosswalk', query: 'TSH', limit: 20 },
  ])
    expect(await search(body)).toAnswer(200)
})

describe('converting', () => {
  it('gives the codes of another laboratory, and lists what it could not convert', async () => {
    const body = { provider_ids: ['303756', '001453', 'nope'], target_lab: 'quest' }
    const converted = (await petri.post('/v3/compendium/convert', body)).body
    expect(converted).toMatchObject({
      source_lab_test_id: null,
      target_lab_slug: 'quest',
      source_provider_ids: body.provider_ids,
      unresolved_provider_ids: ['nope'],
    })
    expect(converted.converted_provider_ids).toEqual(['7600', '496'])
    expect(converted.source_lab_id).toBeNull()
    const known = { ...body, provider_ids: ['303756', '001453'] }
    expect((await petri.post('/v3/compendium/convert', known)).body).toMatchObject({
      source_lab_id: 6,
      unresolved_provider_ids: [],
    })
    const mixed = { ...body, provider_ids: ['303756', '10231'] }
    expect((await petri.post('/v3/compendium/convert', mixed)).body.source_lab_id).toBeNull()
    expect(converted.by_source_provider_id['001453'].candidates[0].relation).toBe('exact')
    expect(converted.by_source_provider_id.nope.candidates).toEqual([])
  })

  it('takes a whole lab test, but not both', async () => {
    const lab_test_id = await standardTest(petri, 'on_site_collection')
    const convert = (body: object) => petri.post('/v3/compendium/convert', { target_lab: 'quest', ...body })
    const { body } = await convert({ lab_test_id })
    expect(body).toMatchObject({ source_lab_test_id: lab_test_id, source_lab_id: 6, target_lab_id: 4 })
    expect(body.converted_provider_ids).toEqual(['10231', '496'])
    expect((await convert({ lab_test_id, provider_ids: ['303756'] })).body.detail[0].msg).toBe(
      'Value error, exactly one of lab_test_id and provider_ids is required',
    )
    expect(await convert({})).toAnswer(422)
    expect(await convert({ lab_test_id: NOBODY })).toAnswer(404)
  })

  it('finds orderable alternatives for each code', async () => {
    const find = (body: object) =>
      petri.post('/v3/compendium/search_orderable_tests', { target_lab: 'quest', ...body })
    const { candidates } = (await find({ provider_ids: ['303756', 'nope'] })).body
    expect(codes(candidates['303756'])).toEqual(['7600'])
    expect(candidates.nope).toEqual([])
    const more = await find({ provider_ids: ['001453'], per_provider_limit: 4 })
    expect(more.body.candidates['001453'].length).toBeGreaterThan(1)
    expect(await find({ provider_ids: Array(101).fill('303756') })).toAnswer(422)
  })
})
