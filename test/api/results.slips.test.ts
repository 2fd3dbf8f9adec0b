import { describe, expect, it } from 'vitest'
import type { ResultPlan } from '../../src/resources/orders/table.ts'
import { correctionOf } from '../../src/resources/results/corrections.ts'
import { currentValues } from '../../src/resources/results/service.ts'
import { createUser } from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'
import {
  completedOrder,
  FERRITIN,
  LIPIDS,
  orderMarkers,
  POTASSIUM,
  report,
  reportOf,
  storedOrder,
} from '../support/quest-reports.ts'

/** Order codes of quest; two sexually transmitted infections have one. */
const GGT = '482'
const URINALYSIS = '5463'
const INFECTIONS = '11363'

const petri = forEachTest()

const planFor = (id: string, change: ResultPlan = {}) =>
  correctionOf(petri.world(), storedOrder(petri, id), change, false)

/** The changes that corrections make by themselves in orders of these markers, each as [slug, before, after]. */
async function slipsOf(orders: number, codes: readonly (string | undefined)[], results: object) {
  const found: [slug: string, before: number, after: number][][] = []
  for (let nth = 0; nth < orders; nth++) {
    const id = await completedOrder(petri, codes, { results })
    const { values } = currentValues(petri.world(), storedOrder(petri, id))
    const changes = Object.entries(planFor(id).unchanged ?? {}).filter(
      ([slug, now]) => values.get(slug) !== now,
    )
    found.push(changes.map(([slug, now]) => [slug, Number(values.get(slug)), Number(now)]))
  }
  return found
}

describe('what a correction changes by itself', () => {
  it('is any of the measured values', { tags: 'slow' }, async () => {
    const slips = await slipsOf(8, [LIPIDS, POTASSIUM], { interpretation: 'normal' })
    expect(new Set(slips.flat().map(([slug]) => slug))).toEqual(
      new Set(['cholesterol-total', 'hdl-cholesterol', 'triglycerides', 'potassium']),
    )
  })

  it('rises as well as it falls where there is room on both sides', async () => {
    const slips = await slipsOf(8, [POTASSIUM], { values: { potassium: 4.3 } })
    expect(new Set(slips.flat().map(([, before, after]) => after > before))).toEqual(new Set([true, false]))
  })

  it.each([
    [5.2, 3.5, 5],
    [3.5, 3.6, 5.2],
  ])(
    'goes the other way by as much where the limit is near: %d to between %d and %d',
    {
      tags: 'slow',
    },
    async (potassium, low, high) => {
      // Four percent of it at least.
      for (const [[, , after]] of (await slipsOf(6, [POTASSIUM], { values: { potassium } })) as [
        [string, number, number],
      ][]) {
        expect(after).toBeGreaterThanOrEqual(low)
        expect(after).toBeLessThanOrEqual(high)
      }
    },
  )

  it('is a digit, up or down, where a few percent are more than the range is wide', {
    tags: 'slow',
  }, async () => {
    const whole = await completedOrder(petri, [URINALYSIS])
    const all = (await reportOf(petri, whole)).lines.map(({ slug }) => slug)
    const missing = all.filter((slug) => slug !== 'urine-specific-gravity')
    for (const [value, expected] of [
      [1.005, 1.006],
      [1.03, 1.029],
    ] as const) {
      const values = { 'urine-specific-gravity': value }
      const slips = await slipsOf(5, [URINALYSIS], { values, missing })
      expect(slips).toEqual(Array(5).fill([['urine-specific-gravity', value, expected]]))
    }
  })

  it('never falls to zero', { tags: 'slow' }, async () => {
    const slips = await slipsOf(6, [GGT], { values: { ggt: 1 } })
    expect(slips).toEqual(Array(6).fill([['ggt', 1, 2]]))
  })

  it('is no result in words', { tags: 'slow' }, async () => {
    const results = { interpretation: 'normal' }
    for (const slips of await slipsOf(4, [INFECTIONS, POTASSIUM], results))
      expect(slips.map(([slug]) => slug)).toEqual(['potassium'])
    const id = await completedOrder(petri, [INFECTIONS], { results })
    expect(planFor(id).unchanged).toEqual({ 'chlamydia-naa': 'Negative', 'gonorrhoeae-naa': 'Negative' })
  })
})

describe('a correction', () => {
  it('changes nothing of an order without a report', async () => {
    expect(planFor(await orderMarkers(petri, [FERRITIN]))).toMatchObject({
      unchanged: {},
      missing: [],
      values: {},
    })
  })

  it('of a result that the order does not have leaves the others as they were', async () => {
    const id = await completedOrder(petri, [POTASSIUM], { results: { values: { potassium: 4.2 } } })
    expect(planFor(id, { values: { glucose: 90 } })).toMatchObject({
      values: { potassium: 4.2, glucose: 90 },
      unchanged: { potassium: 4.2 },
    })
  })

  it('to normal draws what was out of range anew each time', async () => {
    const id = await orderMarkers(petri, [FERRITIN])
    const redrawn: unknown[] = []
    for (const status of ['completed', 'corrected', 'corrected']) {
      await report(petri, id, status, { values: { ferritin: 500 } })
      await report(petri, id, 'corrected', { interpretation: 'normal' })
      redrawn.push((await reportOf(petri, id)).values.ferritin)
    }
    expect(new Set(redrawn).size).toBeGreaterThan(1)
  })
})

it('two draws of a patient on one day have different values', async () => {
  const user = await createUser(petri, 'ada')
  const one = await orderMarkers(petri, [LIPIDS], { user })
  const other = await orderMarkers(petri, [LIPIDS], { user })
  for (const id of [one, other]) await report(petri, id, 'completed')
  expect((await reportOf(petri, one)).values).not.toEqual((await reportOf(petri, other)).values)
})
