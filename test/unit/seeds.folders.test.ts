import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { JsonText } from '../../src/kernel/json.ts'
import type { PrefixTowns } from '../../src/resources/catalogue/places.ts'
import { createCatalogue } from '../../src/resources/catalogue/service.ts'
import { seedFileNames } from '../../src/resources/catalogue/tables.ts'
import { seedFolder } from '../support/seeds.ts'

const payor = (payor_code: string, name: string) => ({
  payor_code,
  name,
  aliases: [],
  org_address: {
    first_line: '1 Main Street',
    second_line: null,
    city: 'Here',
    state: 'AZ',
    zip: '85004',
    country: 'US',
  },
})
const namesIn = (...contents: unknown[]) =>
  [
    ...createCatalogue(contents.map((content) => seedFolder({ 'payors.json': content })))
      .payors()
      .values(),
  ].map(({ name }) => name)

describe('folders of seeds', () => {
  it.each(seedFileNames)('are checked at once: %s.json', (name) => {
    const folder = seedFolder({ [`${name}.json`]: [{ wrong: true }] })
    expect(() => createCatalogue([folder])).toThrow(new RegExp(`/${name}\\.json: row 1`))
  })

  it('replace rows one after the other, and all of them with a complete list', { tags: 'slow' }, () => {
    const bundled = [...createCatalogue().payors().values()]
    const [first] = bundled
    const mine = namesIn([payor(first?.payor_code ?? '', 'Mine')], [payor('OURS', 'Ours')])
    expect([mine.length, mine[0], mine.at(-1)]).toEqual([bundled.length + 1, 'Mine', 'Ours'])
    const only = { complete: true, rows: [payor('A', 'A'), payor('B', 'B')] }
    expect(namesIn([payor('OURS', 'Ours')], only, [payor('B', 'Other'), payor('C', 'C')])).toEqual([
      'A',
      'Other',
      'C',
    ])
    expect(namesIn(only, { complete: false, rows: [payor('C', 'C')] })).toEqual(['A', 'B', 'C'])
  })

  it('change the cells that they have, one folder after the other', () => {
    const folders = [{ name: 'Mine' }, { aliases: ['Ours'] }].map((cells) =>
      seedFolder({ 'payors.json': [{ payor_code: 'AARPA', ...cells }] }),
    )
    const bundled = createCatalogue().payors().get('AARPA')
    const changed = createCatalogue(folders).payors().get('AARPA')
    expect(changed).toEqual({ ...bundled, name: 'Mine', aliases: ['Ours'] })
  })

  it('leave the other tables as they are bundled, which are read once', () => {
    const bundled = createCatalogue()
    const changed = createCatalogue([seedFolder({ 'payors.json': [payor('OURS', 'Ours')] })])
    expect(changed.diagnoses()).toBe(bundled.diagnoses())
    expect(createCatalogue().payors()).toBe(bundled.payors())
    expect(changed.payors()).not.toBe(bundled.payors())
  })

  it('change what follows from the cells, too', () => {
    const analyteWith = (cells: object) =>
      createCatalogue([seedFolder({ 'analytes.json': [{ slug: 'cholesterol-total', ...cells }] })])
        .analytes()
        .get('cholesterol-total')
    expect(analyteWith({ decimals: 1 })?.range).toEqual({ low: 100, high: 199, text: '100.0-199.0' })
  })

  it.each<[string, unknown, RegExp]>([
    ['no JSON', '[{', /payors\.json: .*JSON/],
    ['a number', 5, /payors\.json: should be a list of rows$/],
    ['null', null, /payors\.json: should be a list of rows$/],
    ['no rows', { complete: true }, /payors\.json: should be a list of rows$/],
    ['rows that are no list', { complete: true, rows: {} }, /payors\.json: should be a list of rows$/],
    ['more than rows', { complete: true, rows: [], more: 1 }, /: more is unknown next to rows and complete$/],
    ['rows alone', { rows: [] }, /payors\.json: complete should be true or false$/],
    [
      'a row twice',
      [payor('A', 'A'), payor('B', 'B'), payor('A', 'C')],
      /: row 3: A is there twice \(line 1\)$/,
    ],
    [
      'a wrong field',
      [payor('A', 'A'), { ...payor('B', 'B'), org_address: { city: 5 } }],
      /payors\.json: row 2\.org_address\.first_line: /,
    ],
    ['an unknown field', [{ ...payor('A', 'A'), colour: 'red' }], /payors\.json: row 1: .*colour/],
    ['a row that is none', [5], /payors\.json: row 1: should be an object \(line 1\)$/],
    ['a row without a key', [payor('A', 'A'), { name: 'B' }], /: row 2: payor_code is missing \(line 1\)$/],
    ['a new row with one cell', [{ payor_code: 'NEW', name: 'B' }], /payors\.json: row 1\.aliases: .*array/],
    [
      'a cell of another type',
      [{ payor_code: 'AARPA', aliases: 'A' }],
      /payors\.json: row 1\.aliases: .*array/,
    ],
  ])('are refused with %s', (_, content, reason) => {
    expect(() => namesIn(content)).toThrow(reason)
  })

  it('are refused if they are not there, are no folders, or have files that nobody reads', () => {
    const folder = seedFolder({ 'payors.json': [], 'notes.txt': 'mine' })
    expect(() => createCatalogue([seedFolder({ 'notes.txt': 'mine' })])).toThrow(
      /there is no seed file, such as labs\.json, in this folder$/,
    )
    expect(() => createCatalogue([folder])).not.toThrow()
    expect(() => createCatalogue([folder, join(folder, 'none')])).toThrow(/none: there is no such folder$/)
    expect(() => createCatalogue([join(folder, 'notes.txt')])).toThrow(
      /notes\.txt: this is a file, not a folder of seeds$/,
    )
    writeFileSync(join(folder, 'homs.json'), '[]')
    expect(() => createCatalogue([folder])).toThrow(
      /\/homs\.json: no seeds are read from a file of this name\. Did you mean "homes\.json"\?/,
    )
  })
})

it('towns have the numbers of their row, and those of a later row or folder replace all of the same prefix', () => {
  const rows = [
    { labcorp: 2, towns: ['00801 One 1 2', '01001 Two 3 4', '00802 Three 5 6'] },
    { quest: 1, towns: ['01101 Four 7 8'] },
  ]
  const folder = seedFolder({ 'towns.json': { complete: true, rows } })
  const own = seedFolder({ 'towns.json': [{ quest: 4, towns: ['00809 Five 9 10'] }] })
  const counts = ([prefix, { labcorp, quest, towns }]: [string, PrefixTowns]) => [
    prefix,
    { labcorp, quest, cities: towns.map(({ city }) => city) },
  ]
  expect(Object.fromEntries([...createCatalogue([folder, own]).towns()].map(counts))).toEqual({
    '008': { labcorp: 0, quest: 4, cities: ['Five'] },
    '010': { labcorp: 2, quest: 0, cities: ['Two'] },
    '011': { labcorp: 0, quest: 1, cities: ['Four'] },
  })
})

describe('pages that are kept', () => {
  function pages() {
    const catalogue = createCatalogue()
    const made: string[] = []
    const page = (key: string, text = key) =>
      catalogue.remember(key, () => {
        made.push(key)
        return new JsonText(text)
      })
    return { page, made }
  }

  it('are the 256 that were asked for last', () => {
    const { page, made } = pages()
    const keys = Array.from({ length: 256 }, (_, at) => `page ${at}`)
    for (const key of keys) page(key)
    for (const key of keys) page(key)
    expect(made).toHaveLength(256)
    page('page 0')
    page('one more')
    page('page 0')
    expect(made).toHaveLength(257)
    page('page 1')
    expect(made.slice(256)).toEqual(['one more', 'page 1'])
  })

  it('have eight million characters at the most', () => {
    const { page, made } = pages()
    const long = 'x'.repeat(4_000_000)
    page('a', long)
    page('b', long)
    page('a', long)
    expect(made).toEqual(['a', 'b'])
    page('c', 'x')
    page('a', long)
    page('c', 'x')
    expect(made).toEqual(['a', 'b', 'c'])
    page('b', 'x'.repeat(3_999_999))
    page('a', long)
    page('c', 'x')
    expect(made).toEqual(['a', 'b', 'c', 'b'])
  })
})
