import { describe, expect, it } from 'vitest'
import { createCatalogue } from '../../src/resources/catalogue/service.ts'
import {
  compare,
  compendiumOf,
  nameSimilarity,
  rounded,
  toNameQuery,
} from '../../src/resources/compendium/compare.ts'

describe('two tests compared', () => {
  const test = (name: string, ...loincCodes: string[]) => ({ name, aliases: [], loincCodes })
  const wanted = test('A', '1', '2')

  it.each([
    ['the same', test('B', '1', '2'), 'exact', 1, ['EXACT_LOINC_SET']],
    ['the same under the same name', test('a', '2', '1'), 'exact', 1, ['EXACT_LOINC_SET', 'NAME_MATCH']],
    ['more', test('B', '1', '2', '3'), 'superset', 0.633, ['SUPERSET']],
    ['more under the same name', test('A.', '1', '2', '3'), 'superset', 0.683, ['SUPERSET', 'NAME_MATCH']],
    ['less', test('B', '1'), 'subset', 0.475, ['SUBSET']],
    ['partly the same', test('B', '1', '3'), 'overlap', 0.317, ['OVERLAP']],
    ['the name alone', test('a'), 'suggested', 0.4, ['NAME_MATCH']],
  ])('measure %s', (_, candidate, relation, confidence, reason_codes) =>
    expect(compare(wanted, candidate)).toEqual({ relation, confidence, reason_codes }),
  )

  it('may be called by the aliases of each other', () => {
    const synonym = { relation: 'suggested', reason_codes: ['SYNONYM_MATCH'] }
    expect(compare({ ...wanted, aliases: ['C-1'] }, test('c 1'))).toMatchObject(synonym)
    expect(compare(wanted, { ...test('B'), aliases: ['x', 'a'] })).toMatchObject(synonym)
  })

  it('are nothing to each other without a name or a code in common', () => {
    expect(compare(wanted, test('B', '3'))).toBeUndefined()
    expect(compare(test('A'), test('B'))).toBeUndefined()
  })
})

describe('a name', () => {
  const likeness = (query: string, name: string) => rounded(nameSimilarity(toNameQuery(query), name))

  it.each([
    ['LIPID, panel', 'Lipid Panel', 1],
    ['panel lipid', 'Lipid Panel', 0.95],
    ['lipid', 'Lipid Panel', 0.85],
    ['lip', 'Lipid Panel', 0.765],
    ['lipid test', 'Lipid Panel', 0.425],
    ['lipid panel panel', 'Lipid Panel', 0.95],
    ['zebra', 'Lipid Panel', 0],
    ['ipid', 'Lipid Panel', 0],
    ['', 'Lipid Panel', 0],
    ['lipid', '?', 0],
  ])('"%s" is like "%s" by %s', (query, name, share) => expect(likeness(query, name)).toBe(share))

  it('is compared by fifty words at most', () => {
    expect(toNameQuery('a '.repeat(60)).words).toHaveLength(50)
  })
})

describe('the compendium of a catalogue', () => {
  /** Made for each test, because it is cached with its catalogue. */
  const make = () => compendiumOf(createCatalogue())

  it('has the tests of central laboratories that can be ordered, by laboratory and code', {
    tags: 'slow',
  }, () => {
    const { entries, byCode } = make()
    expect([...byCode.keys()].sort()).toEqual(['bioreference', 'labcorp', 'quest', 'sonora_quest'])
    expect(byCode.get('labcorp')?.get('303756')?.name).toBe('Lipid Panel')
    for (const code of ['001974-R', '866-R'])
      expect(entries.some(({ marker }) => marker.provider_id === code)).toBe(false)
  })

  it('has a canonical test for each set of codes, with what all its tests have', () => {
    const { byCode, canonicals } = make()
    const lipids = byCode.get('labcorp')?.get('303756')
    const canonical = canonicals.get(lipids?.measured.loinc_set_hash ?? '')
    expect(canonical?.name).toBe('Lipid Panel')
    expect(canonical?.measured).toMatchObject({ cpt_codes: ['80061'], loinc_groups: ['lipids'] })
    expect(canonical?.measured.loinc_codes).toEqual([...(canonical?.measured.loinc_codes ?? [])].sort())
    for (const name of canonical?.measured.loinc_components ?? []) expect(name).not.toContain('[')
    expect(canonical?.aliases).not.toContain('Lipid Panel')
    for (const { loincCodes } of canonical?.entries ?? []) expect(loincCodes).toEqual(canonical?.loincCodes)
  })

  it('is popular by the share of laboratories', () => {
    const { canonicals } = make()
    for (const { entries: group, popularity } of canonicals.values()) {
      const labs = new Set(group.map(({ marker }) => marker.lab.slug))
      expect(popularity).toBe(labs.size / 4)
    }
    expect(new Set([...canonicals.values()].map(({ popularity }) => popularity)).size).toBeGreaterThan(1)
  })

  it('keeps tests without any code apart', () => {
    const { entries } = make()
    const uncoded = entries.filter(({ loincCodes }) => loincCodes.length === 0)
    const hashes = new Set(uncoded.map(({ measured }) => measured.loinc_set_hash))
    expect(uncoded.length).toBeGreaterThan(1)
    expect(hashes.size).toBeGreaterThan(1)
  })
})
