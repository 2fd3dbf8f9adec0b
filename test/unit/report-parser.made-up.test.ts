import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Contents,
  fixtureOf,
  fixtures,
  makeReport,
} from '../../src/resources/report-parser/made-up-report.ts'
import type { World } from '../../src/world/world.ts'
import { field } from '../support/field.ts'
import { startTestWorld } from '../support/petri.ts'

let world: World
beforeAll(async () => {
  world = (await startTestWorld()).world()
})

const report = (wanted?: Contents, text = 'one') =>
  makeReport(world, createHash('sha256').update(text).digest('hex'), wanted)
const contentsOf = (name: string) => fixtures[name] as Contents

describe('the name of a file', () => {
  it.each([
    ['petri-cbc.pdf', 'petri-cbc'],
    ['Petri-CBC (1).PDF', 'petri-cbc'],
    ['petri-cbc', 'petri-cbc'],
    ['petri-too-many-pages 2.png', 'petri-too-many-pages'],
    ['petri-cbc-.pdf', undefined],
    ['petri-cbcs.pdf', undefined],
    ['my-petri-cbc.pdf', undefined],
    ['petri-', undefined],
    ['scan.pdf', undefined],
  ])('%s is that of %s', (name, known) => {
    expect(fixtureOf(name)).toBe(known && fixtures[known])
  })
})

describe('a made-up report', () => {
  const flagged = (wanted: Contents, text: string) => {
    const { results } = report(wanted, text)
    const named = (flag: 'is_above_max_range' | 'is_below_min_range') =>
      results.filter((result) => result[flag]).map(field('test_name'))
    return [named('is_above_max_range'), named('is_below_min_range')]
  }

  it.each([
    [
      'petri-lipids',
      ['Cholesterol, Total', 'Triglycerides', 'LDL Cholesterol, calculated'],
      ['HDL Cholesterol'],
    ],
    ['petri-cbc', [], []],
    ['petri-cmp', ['Glucose'], []],
    ['petri-thyroid', ['TSH'], ['Thyroxine (T4)', 'T4, Free (Direct)']],
    ['petri-hormones', [], []],
  ])('of %s is too high in %j and too low in %j, as its disease is, whoever has it', (name, above, below) => {
    for (const text of ['1', '2', '3']) expect(flagged(contentsOf(name), text), text).toEqual([above, below])
  })

  it('is of one of the usual panels for a file of no known name', { tags: 'slow' }, () => {
    const panels = Array.from({ length: 20 }, (_, nth) => report(undefined, `${nth}`)).map(
      ({ results }) => results[0]?.source_panel_name,
    )
    expect([...new Set(panels)].sort()).toEqual([
      'CBC With Differential/Platelet',
      'Comp. Metabolic Panel (14)',
      'Lipid Panel',
      'Thyroid Panel With TSH',
    ])
  })

  it('has each analyte that a catalogue has, with its unit and as many decimals as that says', {
    tags: 'slow',
  }, () => {
    const analytes = [...world.services.catalogue.analytes().values()]
    const { results } = report({ analytes: ['unheard-of', ...analytes.map(field('slug'))] })
    expect(results.map(field('test_name'))).toEqual(analytes.map(field('name')))
    for (const [nth, { slug, unit, kind, decimals = 0, normal }] of analytes.entries()) {
      const { value, units } = results[nth] ?? expect.fail(slug)
      expect(units, slug).toBe(unit)
      if (kind === 'qualitative') expect(value, slug).toBe(normal)
      else expect(value.replace(/^[<>]/, '').split('.')[1]?.length ?? 0, slug).toBe(decimals)
    }
  })

  it('gives no range to what is not measured in numbers, and flags nothing of it', () => {
    expect(report({ analytes: ['hiv-ag-ab'] }).results).toMatchObject([
      {
        test_name: 'HIV Ag/Ab, 4th gen',
        value: 'Non Reactive',
        min_reference_range: null,
        max_reference_range: null,
        is_above_max_range: null,
        is_below_min_range: null,
        source_panel_name: null,
      },
    ])
  })

  it('has the ranges for the sex and the age of its patient', () => {
    const rangeOf = (gender: string) => {
      for (let nth = 0; nth < 50; nth++) {
        const { metadata, results } = report({ analytes: ['testosterone-total'] }, `${nth}`)
        if (metadata.gender === gender) return results[0]?.max_reference_range ?? 0
      }
      return expect.fail(`there is no ${gender} patient`)
    }
    expect(rangeOf('male')).toBeGreaterThan(5 * rangeOf('female'))
  })
})
