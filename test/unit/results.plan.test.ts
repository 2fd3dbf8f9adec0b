import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import { dotted, type LowStatus } from '../../src/resources/orders/lifecycle.ts'
import type { OrderRow, ResultPlan } from '../../src/resources/orders/table.ts'
import {
  type Edition,
  editionOf,
  lateResults,
  planIssues,
  withDerived,
} from '../../src/resources/results/plan.ts'
import { analyteOf, expectedOf, markerOf, patient, personOf } from '../support/results.ts'

const AT = (nth: number) => `2026-01-0${nth}T09:00:00+00:00`

const orderOf = (...statuses: LowStatus[]) =>
  ({
    events: statuses.map((low, nth) => ({ status: dotted('walk_in_test', low), created_at: AT(nth + 1) })),
  }) as unknown as OrderRow

describe('the edition of a report', () => {
  it.each<[LowStatus[], object | undefined]>([
    [['ordered'], undefined],
    [
      ['ordered', 'partial_results'],
      { status: 'partial', partials: [AT(2)], reportedAt: AT(2), corrections: 0 },
    ],
    [
      ['ordered', 'partial_results', 'partial_results', 'completed'],
      { status: 'final', partials: [AT(2), AT(3)], reportedAt: AT(4), corrections: 0 },
    ],
    [
      ['ordered', 'completed', 'corrected', 'corrected'],
      { status: 'corrected', partials: [], reportedAt: AT(4), corrections: 2 },
    ],
  ])('after %o is %o', (statuses, edition) => {
    expect(editionOf(orderOf(...statuses))).toEqual(edition && { ...edition, needsRedraw: false })
  })

  it('asks for another sample after a redraw became possible', () => {
    expect(editionOf(orderOf('ordered', 'partial_results', 'redraw_available'))).toMatchObject({
      needsRedraw: true,
      status: 'final',
    })
  })
})

/** Lipids of one marker, of which three are measured, iron of another, and a third without anything to calculate. */
const lipidSlugs = ['non-hdl-cholesterol', 'cholesterol-total', 'hdl-cholesterol', 'triglycerides']
const ironSlugs = ['ferritin', 'iron']
const hormoneSlugs = ['tsh', 'cortisol', 'prolactin']
const withResults = (id: number, slugs: readonly string[]) =>
  markerOf(id, { results: slugs.map((slug) => ({ analyte: analyteOf(slug) })) })
const lipids = withResults(1, lipidSlugs)
const iron = withResults(2, ironSlugs)
const hormones = withResults(3, hormoneSlugs)
/** A laboratory that has everything within the hour. */
const quick = Object.fromEntries([...lipidSlugs, ...ironSlugs, ...hormoneSlugs].map((slug) => [slug, 1]))
const of = (marker: typeof lipids, first: number, slugs: readonly string[]) =>
  slugs.map((slug, nth) => expectedOf(slug, { id: first + nth, marker }))
const all = [...of(lipids, 10, lipidSlugs), ...of(iron, 20, ironSlugs), ...of(hormones, 30, hormoneSlugs)]

const edition = (more: Partial<Edition> = {}): Edition => ({
  status: 'final',
  partials: [],
  reportedAt: AT(9),
  corrections: 0,
  needsRedraw: false,
  ...more,
})

interface Wish {
  readonly results?: typeof all
  readonly edition?: Edition
  readonly plan?: ResultPlan
  readonly earlier?: readonly ResultPlan[]
  readonly given?: readonly string[]
  readonly orderKey?: string
  readonly hours?: Readonly<Record<string, number>>
}

const turnaroundIn =
  (hours: Readonly<Record<string, number>>) =>
  ({ slug }: { slug: string }) =>
    hours[slug] ?? 24

const issuesOf = ({ results = all, orderKey = 'order-1', hours = {}, ...wish }: Wish) =>
  planIssues(results, {
    random: createRandom('seed'),
    orderKey,
    key: `result/${orderKey}`,
    person: personOf(),
    date: '2026-01-05',
    patient,
    edition: wish.edition ?? edition(),
    plan: wish.plan ?? {},
    earlier: wish.earlier ?? [],
    given: new Set(wish.given),
    turnaroundOf: turnaroundIn(hours),
    late: lateResults(results, turnaroundIn(hours))?.results ?? new Set(),
  }).map(({ issue, newResults, missing, goal }) => ({
    issue,
    goal,
    found: newResults.map(({ result }) => result.analyte.slug),
    missing: missing.map(({ result }) => result.analyte.slug),
  }))
const slugsOf = (results: typeof all) => results.map(({ result }) => result.analyte.slug)
const orders = Array.from({ length: 30 }, (_, nth) => `order-${nth}`)

describe('a final report', () => {
  it('has every result once, at its instant, and none that is out of range or missing if nobody asked', () => {
    const [only, ...more] = issuesOf({})
    expect(more).toEqual([])
    expect(only).toMatchObject({
      issue: { at: AT(9), isPartial: false, plan: {} },
      missing: [],
      goal: undefined,
    })
    expect(new Set(only?.found)).toEqual(new Set(slugsOf(all)))
    expect(only?.found).toHaveLength(all.length)
  })

  it('has markers in the order of their slowest result, inputs before what is calculated', () => {
    const hours = { 'hdl-cholesterol': 2, cortisol: 30, iron: 90 }
    const orderOfMarkers = (orderKey: string) => {
      const found = issuesOf({ orderKey, hours: { ...quick, ...hours } })[0]?.found ?? []
      const at = (slug: string) => found.indexOf(slug)
      for (const input of ['cholesterol-total', 'hdl-cholesterol'])
        expect(at(input)).toBeLessThan(at('non-hdl-cholesterol'))
      return ['triglycerides', 'tsh', 'ferritin'].toSorted((a, b) => at(a) - at(b)).join()
    }
    // The marker that lacks its results if some are missing is the last one.
    expect(new Set(orders.map(orderOfMarkers))).toEqual(
      new Set(['triglycerides,tsh,ferritin', 'triglycerides,ferritin,tsh', 'tsh,ferritin,triglycerides']),
    )
  })

  it.each<[NonNullable<ResultPlan['missing']>, readonly string[] | number]>([
    [['ferritin'], ['ferritin']],
    [
      ['P-ferritin', 'lab-tsh'],
      ['ferritin', 'tsh'],
    ],
    [[], []],
    [false, []],
    [slugsOf(all), 8],
  ])('without %o lacks %o', (missing, lacking) => {
    const [issue] = issuesOf({ plan: { missing } })
    if (typeof lacking === 'number') expect(issue?.missing).toHaveLength(lacking)
    else expect(new Set(issue?.missing)).toEqual(new Set(lacking))
    expect([...(issue?.found ?? []), ...(issue?.missing ?? [])].sort()).toEqual(slugsOf(all).sort())
  })

  it('lacks the results of one marker if some are to be missing, or a redraw is needed', () => {
    const lacking = new Set<string>()
    for (const orderKey of orders) {
      const [asked] = issuesOf({ orderKey, plan: { missing: true } })
      const [redraw] = issuesOf({ orderKey, edition: edition({ needsRedraw: true }) })
      expect(redraw?.missing).toEqual(asked?.missing)
      expect(
        issuesOf({ orderKey, plan: { missing: false }, edition: edition({ needsRedraw: true }) })[0]?.missing,
      ).toEqual([])
      lacking.add([...(asked?.missing ?? [])].sort().join())
    }
    const markers = [lipids, iron, hormones].map(({ id }) =>
      all.filter(({ markers: [marker] }) => marker.id === id),
    )
    expect(lacking).toEqual(new Set(markers.map((results) => slugsOf(results).sort().join())))
  })

  it('of one marker lacks one measured result and what is calculated from it', () => {
    for (const orderKey of orders) {
      const missing =
        issuesOf({ orderKey, results: all.slice(0, 4), plan: { missing: true } })[0]?.missing ?? []
      expect([...missing].sort().join()).toMatch(
        /^(cholesterol-total,non-hdl-cholesterol|hdl-cholesterol,non-hdl-cholesterol|triglycerides|non-hdl-cholesterol)$/,
      )
    }
    expect(issuesOf({ results: all.slice(4, 5), plan: { missing: true } })[0]).toMatchObject({
      missing: ['ferritin'],
    })
  })

  it('never lacks what was given', () => {
    const given = slugsOf(all).filter((slug) => slug !== 'cortisol')
    for (const orderKey of orders)
      expect(issuesOf({ orderKey, given, plan: { missing: true } })[0]?.missing).toEqual(['cortisol'])
    expect(issuesOf({ given: slugsOf(all), plan: { missing: true } })[0]?.missing).toEqual([])
  })
})

describe('partial reports', () => {
  const partly = (count: number, more: Partial<Edition> = {}) =>
    edition({
      status: 'partial',
      partials: [1, 2, 3].slice(0, count).map(AT),
      reportedAt: AT(count),
      ...more,
    })

  it('have half of the results, then two thirds, then three quarters, and never all', () => {
    const counts = issuesOf({ edition: partly(3) }).map(({ found }) => found.length)
    expect(counts).toEqual([5, 1, 1])
    expect(issuesOf({ edition: partly(1), results: all.slice(0, 1) })[0]?.found).toHaveLength(1)
    expect(issuesOf({ edition: partly(1), results: all.slice(0, 2) })[0]?.found).toHaveLength(1)
    expect(
      issuesOf({ edition: partly(3), results: all.slice(0, 3) }).map(({ found }) => found.length),
    ).toEqual([2, 0, 0])
  })

  it('leave to the next what takes two days more than the rest, with what is calculated from it', () => {
    const lateAfter = (hours: Readonly<Record<string, number>>) => {
      const late = lateResults(all, turnaroundIn({ ...quick, ...hours }))
      return late && { after: late.afterHours, slugs: slugsOf([...late.results]) }
    }
    expect(lateAfter({ iron: 48 })).toBeUndefined()
    expect(lateAfter({ iron: 49 })).toEqual({ after: 48, slugs: ironSlugs })
    expect(lateAfter({ iron: 49, tsh: 100 })).toEqual({ after: 99, slugs: [...ironSlugs, ...hormoneSlugs] })
    const hours = { ...quick, iron: 96 }
    const [first, second, last] = issuesOf({ edition: partly(2, { status: 'final' }), hours })
    expect(first?.found.toSorted()).toEqual([...lipidSlugs, ...hormoneSlugs].toSorted())
    expect(new Set([...(second?.found ?? []), ...(last?.found ?? [])])).toEqual(new Set(ironSlugs))
  })

  it('come at their instants, each with its own plan', () => {
    const first = { missing: ['tsh'] }
    const second = { comment: 'Second.' }
    const issues = issuesOf({ edition: partly(2), plan: second, earlier: [first] })
    expect(issues.map(({ issue }) => issue)).toEqual([
      { at: AT(1), isPartial: true, plan: first },
      { at: AT(2), isPartial: true, plan: second },
    ])
    const final = issuesOf({ edition: edition({ partials: [AT(1), AT(2)] }), earlier: [first] })
    expect(final.map(({ issue }) => issue)).toEqual([
      { at: AT(1), isPartial: true, plan: first },
      { at: AT(2), isPartial: true, plan: {} },
      { at: AT(9), isPartial: false, plan: {} },
    ])
    expect(final.flatMap(({ found }) => found).sort()).toEqual(slugsOf(all).sort())
    expect(final[0]?.found).not.toContain('tsh')
  })

  it('have the values that were given for them, by any name', () => {
    for (const orderKey of orders) {
      const values = { 'P-iron': 50, cortisol: 9 }
      const [first] = issuesOf({ orderKey, edition: partly(1), plan: { values } })
      expect(first?.found).toEqual(expect.arrayContaining(['iron', 'cortisol']))
      expect(first?.found).toHaveLength(5)
    }
    const values = Object.fromEntries(slugsOf(all).map((slug) => [slug, 1]))
    expect(issuesOf({ edition: partly(1), plan: { values } })[0]?.found).toHaveLength(8)
  })

  it('do not count when a report is corrected', () => {
    const corrected = edition({ status: 'corrected', partials: [AT(1)], corrections: 1 })
    const issues = issuesOf({ edition: corrected, earlier: [{ comment: 'Before.' }] })
    expect(issues).toHaveLength(1)
    expect(issues[0]).toMatchObject({ issue: { at: AT(9), isPartial: false, plan: {} }, missing: [] })
  })
})

describe('a result out of range', () => {
  const two = edition({ partials: [AT(1)] })

  it('is one of those that the report has, which was not given', () => {
    for (const orderKey of orders) {
      const missing = ['tsh', 'cortisol', 'prolactin', 'iron']
      const [issue] = issuesOf({ orderKey, plan: { interpretation: 'abnormal', missing } })
      expect(issue?.found).toContain(issue?.goal?.slug)
      expect(issue?.goal?.level).toBe('abnormal')
      const given = slugsOf(all).filter((slug) => slug !== 'cortisol')
      expect(issuesOf({ orderKey, given, plan: { interpretation: 'abnormal' } })[0]?.goal?.slug).toBe(
        'cortisol',
      )
    }
    expect(issuesOf({ given: slugsOf(all), plan: { interpretation: 'abnormal' } })[0]?.goal).toBeUndefined()
  })

  it.each(['normal', 'unknown', undefined] as const)('is not asked for by %s', (interpretation) => {
    expect(issuesOf({ plan: interpretation ? { interpretation } : {} })[0]?.goal).toBeUndefined()
  })

  it('is a new one only if a later report is worse', { tags: 'slow' }, () => {
    for (const orderKey of orders) {
      const goalsOf = (first: ResultPlan['interpretation'], second: ResultPlan['interpretation']) =>
        issuesOf({
          orderKey,
          edition: two,
          earlier: [first ? { interpretation: first } : {}],
          plan: second ? { interpretation: second } : {},
        })
      expect(goalsOf('abnormal', 'abnormal').map(({ goal }) => goal?.level)).toEqual(['abnormal', undefined])
      expect(goalsOf('abnormal', 'normal').map(({ goal }) => goal?.level)).toEqual(['abnormal', undefined])
      const [before, after] = goalsOf('abnormal', 'critical')
      expect(before?.found).toContain(before?.goal?.slug)
      // No laboratory phones what is reported here.
      expect(after?.goal?.level).toBe('abnormal')
      expect(after?.found).toContain(after?.goal?.slug)
    }
  })

  it('is none that follows from what was reported, if another can be', () => {
    // Of these two only iron does not depend on what was given.
    const results = [
      ...of(lipids, 10, ['non-hdl-cholesterol', 'cholesterol-total']),
      ...of(iron, 20, ['iron']),
    ]
    for (const orderKey of orders) {
      const [issue] = issuesOf({
        orderKey,
        results,
        given: ['cholesterol-total'],
        plan: { interpretation: 'abnormal' },
      })
      expect(issue?.goal?.slug).toBe('iron')
      const [none] = issuesOf({
        orderKey,
        results: results.slice(0, 2),
        given: ['cholesterol-total', 'hdl-cholesterol'],
        plan: { interpretation: 'abnormal' },
      })
      expect(none?.goal).toBeUndefined()
      const [open] = issuesOf({
        orderKey,
        results: results.slice(0, 2),
        given: ['non-hdl-cholesterol'],
        plan: { interpretation: 'abnormal' },
      })
      expect(open?.goal).toBeUndefined()
      // It is calculated from what is calculated, and all of that is open.
      const [alone] = issuesOf({
        orderKey,
        results: of(iron, 20, ['transferrin']),
        plan: { interpretation: 'abnormal' },
      })
      expect(alone?.goal?.slug).toBe('transferrin')
    }
  })
})

it('what is computed from an analyte changes with it, through several steps', () => {
  expect(withDerived(['albumin'])).toEqual(new Set(['albumin', 'globulin-total', 'ag-ratio']))
  expect(withDerived(['tsh', 'iron'])).toEqual(
    new Set(['tsh', 'iron', 'tibc', 'iron-saturation', 'transferrin']),
  )
  expect(withDerived([])).toEqual(new Set())
})
