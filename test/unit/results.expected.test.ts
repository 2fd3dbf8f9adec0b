import { describe, expect, it } from 'vitest'
import type { Catalogue, Marker } from '../../src/resources/catalogue/service.ts'
import type { OrderRow } from '../../src/resources/orders/table.ts'
import { expectedOf, isCalled, reflexOf } from '../../src/resources/results/expected.ts'
import { expectedOf as expectedFor, markerOf } from '../support/results.ts'

const resultOf = (slug: string, id: number) => expectedFor(slug, { id }).result
const iron = resultOf('iron', 1)
const tsh = resultOf('tsh', 2)
const markers = [
  markerOf(10, { results: [iron] }),
  markerOf(20, { results: [tsh, iron], reflex: [30, 99] }),
  markerOf(30, { results: [resultOf('t4-free', 3)] }),
]
const catalogue = {
  markers: () => new Map(markers.map((marker) => [marker.id, marker])),
  labProfiles: () => new Map([['pure', { unsolicited: { iron: ['ferritin', 'tsh'] } }]]),
  resultOf: (_: string, slug: string) => (slug === 'ferritin' ? resultOf('ferritin', 4) : undefined),
  labTests: () => new Map([['listed-nowhere', { reports: [30, 10] }]]),
} as unknown as Catalogue

const expectedIn = (lab_test: object) =>
  expectedOf(catalogue, { lab_test } as unknown as OrderRow).map(({ result, markers: sources }) => [
    result.analyte.slug,
    sources.map(({ id }: Marker) => id),
  ])

describe('the results that an order expects', () => {
  it('are those of its markers, each once, with all markers that have it', () => {
    expect(expectedIn({ slug: 'panel', markers: [{ id: 10 }, { id: 20 }] })).toEqual([
      ['iron', [10, 20]],
      ['tsh', [20]],
    ])
  })

  it('are also those that the laboratory adds to them, if nobody ordered them', () => {
    const pure = { slug: 'panel', lab: { slug: 'pure' }, markers: [{ id: 10 }] }
    expect(expectedIn(pure)).toEqual([
      ['iron', [10]],
      ['ferritin', [10]],
    ])
  })

  it('are none of markers that the catalogue does not have', () => {
    expect(expectedIn({ slug: 'panel', markers: [{ id: 99 }, { id: 30 }] })).toEqual([['t4-free', [30]]])
    expect(expectedIn({ slug: 'listed-nowhere', markers: [] })).toEqual([])
  })

  it('are those that the lab test reports where it lists no markers', () => {
    expect(expectedIn({ slug: 'listed-nowhere', markers: null })).toEqual([
      ['t4-free', [30]],
      ['iron', [10]],
    ])
    expect(expectedIn({ slug: 'unheard', markers: null })).toEqual([])
  })
})

it('a reflex test is that of the markers whose result is out of range, once', () => {
  const flagged = { result: tsh, markers: [markers[1]] } as unknown as Parameters<typeof reflexOf>[1][number]
  const found = reflexOf(catalogue, [flagged, flagged])
  expect(found.map(({ result }) => result.analyte.slug)).toEqual(['t4-free'])
  expect(reflexOf(catalogue, [])).toEqual([])
})

it.each([
  ['P-iron', true],
  ['lab-iron', true],
  ['iron', true],
  ['2498-4', true],
  ['Iron', false],
  ['', false],
])('a result is called "%s": %s', (name, isName) => {
  expect(isCalled({ result: iron, markers: [markers[0] as Marker] }, name)).toBe(isName)
})
