import { describe, expect, it } from 'vitest'
import type { ResultPlan } from '../../src/resources/orders/table.ts'
import { correctionOf } from '../../src/resources/results/corrections.ts'
import { formulas } from '../../src/resources/results/derived.ts'
import { advance, readOrder } from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'
import {
  completedOrder,
  FERRITIN,
  LIPIDS,
  METABOLIC,
  orderMarkers,
  POTASSIUM,
  report,
  reportOf,
  storedOrder,
} from '../support/quest-reports.ts'

const petri = forEachTest()

/** A completed order of these markers. */
const completed = (codes: readonly (string | undefined)[], results: object = { interpretation: 'normal' }) =>
  completedOrder(petri, codes, { results })
const planFor = (id: string, change: ResultPlan = {}, hasPdf = false) =>
  correctionOf(petri.world(), storedOrder(petri, id), change, hasPdf)

const calculated = ['cholesterol-hdl-ratio', 'ldl-cholesterol-calc', 'non-hdl-cholesterol']
const measured = ['cholesterol-total', 'hdl-cholesterol', 'triglycerides']

describe('a correction that says what it changes', () => {
  it.each<[string, ResultPlan, boolean]>([
    ['values', { values: { '2276-4': 50 } }, false],
    ['a comment', { comment: 'Repeated.' }, false],
    ['a PDF', {}, true],
  ])('by %s leaves everything else as it was', async (_, change, hasPdf) => {
    const id = await completed([FERRITIN, LIPIDS])
    const { ferritin, ...others } = (await reportOf(petri, id)).values
    expect(planFor(id, change, hasPdf)).toEqual({
      interpretation: 'normal',
      missing: [],
      notes: {},
      values: {},
      unchanged: change.values ? others : { ferritin, ...others },
      former: expect.objectContaining({ ferritin: expect.objectContaining({ text: `${ferritin} ng/mL` }) }),
      ...change,
    })
  })

  it('leaves open what is calculated from a changed value, and no input of it', async () => {
    const id = await completed([FERRITIN, LIPIDS])
    const { values } = await reportOf(petri, id)
    const { unchanged } = planFor(id, { values: { 'hdl-cholesterol': 60 } })
    expect(Object.keys(unchanged ?? {}).sort()).toEqual(['cholesterol-total', 'ferritin', 'triglycerides'])
    expect(values).toMatchObject(unchanged ?? {})
  })

  it('leaves open what a changed calculated value is reached by', async () => {
    const id = await completed([FERRITIN, LIPIDS])
    const { unchanged } = planFor(id, { values: { 'ldl-cholesterol-calc': 150 } })
    expect(Object.keys(unchanged ?? {}).sort()).toEqual(['ferritin', 'hdl-cholesterol', 'triglycerides'])
  })

  it('keeps values, notes and comments of before, and its own win', async () => {
    const id = await orderMarkers(petri, [FERRITIN, LIPIDS])
    const first = { values: { ferritin: 50, triglycerides: 90 }, comment: 'First.' }
    await report(petri, id, 'partial_results', first)
    await report(petri, id, 'completed', { comment: 'All.' })
    expect(planFor(id, { values: { ferritin: 60 }, notes: { ferritin: 'Corrected.' } })).toMatchObject({
      values: { ferritin: 60, triglycerides: 90 },
      notes: { ferritin: 'Corrected.', triglycerides: 'First.' },
      comment: 'All.',
    })
    expect(planFor(id, { comment: 'New.' })).toMatchObject({
      values: { ferritin: 50, triglycerides: 90 },
      notes: { ferritin: 'First.', triglycerides: 'First.' },
      comment: 'New.',
    })
    expect(planFor(id, { values: { 'hdl-cholesterol': 60 } }).values).toEqual({
      ferritin: 50,
      triglycerides: 90,
      'hdl-cholesterol': 60,
    })
  })

  it('has no comment where nobody commented', async () => {
    expect(planFor(await completed([FERRITIN]), { values: { ferritin: 50 } })).not.toHaveProperty('comment')
  })

  it('still lacks what was missing, but for what it gives', async () => {
    const id = await completed([FERRITIN, LIPIDS, POTASSIUM], { missing: ['ferritin', 'potassium'] })
    expect(planFor(id, { comment: 'Why?' }).missing).toEqual(['potassium', 'ferritin'])
    expect(planFor(id, { values: { '2276-4': 50 } }).missing).toEqual(['potassium'])
    expect(planFor(id, { missing: ['triglycerides'], comment: 'Why?' }).missing).toEqual(['triglycerides'])
  })

  it.each<[ResultPlan, ResultPlan['interpretation'] | undefined]>([
    [{ interpretation: 'normal' }, 'normal'],
    [{ interpretation: 'unknown' }, 'unknown'],
    [{ interpretation: 'abnormal' }, undefined],
    [{ interpretation: 'critical' }, undefined],
    [{}, undefined],
  ])('of a report with %j has the interpretation %s', async (results, interpretation) => {
    const id = await completed([POTASSIUM], { ...results, types: ['comment'] })
    const plan = planFor(id, { comment: 'Repeated.' })
    expect([plan.interpretation, plan.types]).toEqual([interpretation, ['comment']])
    expect(planFor(id, { comment: 'Repeated.', interpretation: 'critical' }).interpretation).toBe('critical')
  })
})

/** What a correction changes by itself: the measured results, and how. */
async function slipsOf(id: string, change: ResultPlan = {}) {
  const { values } = await reportOf(petri, id)
  const { unchanged = {} } = planFor(id, change)
  const slips = Object.entries(unchanged).filter(([slug, value]) => values[slug] !== value)
  return slips.map(([slug, value]) => ({ slug, before: Number(values[slug]), after: Number(value) }))
}

describe('a correction that says nothing', () => {
  it('changes one measured value or two by 4 to 12 percent, up or down, and no judgement', {
    tags: 'slow',
  }, async () => {
    const counts = new Set<number>()
    const directions = new Set<boolean>()
    const changes: number[] = []
    for (let nth = 0; nth < 12; nth++) {
      const id = await completed([LIPIDS, POTASSIUM])
      const before = await reportOf(petri, id)
      const slips = await slipsOf(id)
      counts.add(slips.length)
      for (const { slug, before: old, after } of slips) {
        expect([...measured, 'potassium']).toContain(slug)
        directions.add(after > old)
        if (slug !== 'potassium')
          changes.push(Math.abs(after - old) - old * 0.04, old * 0.12 - Math.abs(after - old))
      }
      await report(petri, id, 'corrected')
      const after = await reportOf(petri, id)
      expect(after.values).toMatchObject(Object.fromEntries(slips.map((slip) => [slip.slug, slip.after])))
      for (const slug of [...measured, 'potassium'])
        expect(after.line(slug)?.interpretation, slug).toBe(before.line(slug)?.interpretation)
    }
    expect(counts).toEqual(new Set([1, 2]))
    expect(directions).toEqual(new Set([true, false]))
    // Results are rounded to whole numbers.
    expect(Math.min(...changes)).toBeGreaterThan(-1)
  })

  it('changes another value in the next correction', async () => {
    const id = await completed([LIPIDS, METABOLIC])
    const first = planFor(id)
    expect(planFor(id)).toEqual(first)
    await report(petri, id, 'corrected')
    const second = await slipsOf(id)
    expect(second.length).toBeGreaterThan(0)
    expect(second).not.toEqual(await slipsOf(await completed([LIPIDS, METABOLIC])))
  })

  it.each([
    [6.1, 5.2, 6.2],
    [3.2, 2.8, 3.5],
    [2.9, 2.8, 3.5],
  ])(
    'changes %d to another value between %d and %d: as far out of range as before',
    async (potassium, low, high) => {
      for (let nth = 0; nth < 4; nth++) {
        const [slip, ...more] = await slipsOf(await completed([POTASSIUM], { values: { potassium } }))
        expect(more).toEqual([])
        expect(slip).toMatchObject({ slug: 'potassium', before: potassium })
        expect(slip?.after).toBeGreaterThanOrEqual(low)
        expect(slip?.after).toBeLessThanOrEqual(high)
      }
    },
  )

  it('leaves missing what was missing, also if others are calculated from it', async () => {
    for (let order = 0; order < 8; order++) {
      const plan = planFor(await completed([LIPIDS], { missing: ['triglycerides'] }))
      expect(plan.missing).toEqual(['triglycerides'])
      expect(Object.keys(plan.unchanged ?? {})).not.toContain('triglycerides')
    }
  })

  it('leaves words and calculated values out, and a report of nothing else as it was', async () => {
    const id = await completedOrder(petri, ['36127'], {
      results: { interpretation: 'normal', missing: ['tsh'] },
    })
    expect(planFor(id)).toMatchObject({ unchanged: {} })
  })
})

describe('a correction to another interpretation', () => {
  it.each(['abnormal', 'critical'] as const)(
    '%s puts one measured value out of range',
    async (interpretation) => {
      for (let nth = 0; nth < 4; nth++) {
        const id = await completed([LIPIDS, POTASSIUM])
        const slips = await slipsOf(id, { interpretation })
        expect(slips).toHaveLength(1)
        await report(petri, id, 'corrected', { interpretation })
        const { line, body } = await reportOf(petri, id)
        expect(formulas[slips[0]?.slug ?? '']).toBeUndefined()
        expect(line(slips[0]?.slug ?? '')).toMatchObject({ value: slips[0]?.after, interpretation })
        expect(body.metadata.interpretation).toBe(interpretation)
      }
    },
  )

  it('normal draws again what was out of range, with all that depends on it', async () => {
    const id = await completed([LIPIDS, POTASSIUM, FERRITIN], {
      values: {
        triglycerides: 300,
        potassium: 4.2,
        ferritin: 60,
        'cholesterol-total': 150,
        'hdl-cholesterol': 60,
      },
    })
    const { unchanged, values } = planFor(id, { interpretation: 'normal' })
    expect(unchanged).toEqual({ potassium: 4.2, ferritin: 60 })
    expect(Object.keys(unchanged ?? {}).sort()).toEqual(['ferritin', 'potassium'])
    expect(Object.keys(values ?? {}).sort()).toEqual(['ferritin', 'potassium'])
    await report(petri, id, 'corrected', { interpretation: 'normal' })
    const { lines } = await reportOf(petri, id)
    expect(new Set(lines.map(({ interpretation }) => interpretation))).toEqual(new Set(['normal']))
  })

  it('normal changes a value or two where all were normal', async () => {
    const slips = await slipsOf(await completed([LIPIDS, POTASSIUM]), { interpretation: 'normal' })
    expect([1, 2]).toContain(slips.length)
  })
})

/** The hemoglobin of a blood count, and how its other values follow from the red cells. */
const BLOOD_COUNT = '6399'

describe('the lines of a corrected report', () => {
  it('say what they replace and when, and all others stay as they were', async () => {
    const id = await completed([LIPIDS, POTASSIUM], {
      values: { 'cholesterol-total': 150, 'hdl-cholesterol': 60, triglycerides: 90, potassium: 4.2 },
    })
    const before = await reportOf(petri, id)
    await petri.post('/_petri/clock', { frozen: true })
    await advance(petri, '2d')
    await report(petri, id, 'corrected', { values: { 'hdl-cholesterol': 50 } })
    const after = await reportOf(petri, id)
    const now = (await readOrder(petri, id)).last_event.created_at
    expect(after.body.metadata.date_reported).toBe(now)
    expect(after.line('hdl-cholesterol')).toMatchObject({
      timestamp: now,
      notes: 'Previously reported as 60 mg/dL',
    })
    for (const slug of calculated)
      expect(after.line(slug), slug).toMatchObject({ timestamp: now, notes: /^Previously reported as / })
    for (const slug of ['cholesterol-total', 'triglycerides', 'potassium'])
      expect(after.line(slug)).toEqual(before.line(slug))
    await advance(petri, '2d')
    await report(petri, id, 'corrected', { values: { potassium: 4.4 }, comment: 'Repeated.' })
    const last = await reportOf(petri, id)
    expect(last.line('potassium')?.notes).toBe('Previously reported as 4.2 mmol/L. Repeated.')
    expect(last.line('hdl-cholesterol')).toEqual(after.line('hdl-cholesterol'))
  })

  it('move hemoglobin, hematocrit and red cells together, and leave all else that is measured', {
    tags: 'slow',
  }, async () => {
    const id = await completed([BLOOD_COUNT])
    const before = await reportOf(petri, id)
    const hemoglobin = Number(((before.values.hemoglobin ?? 0) * 0.8).toFixed(1))
    await report(petri, id, 'corrected', { values: { hemoglobin } })
    const { values } = await reportOf(petri, id)
    const changed = Object.keys(values).filter((slug) => values[slug] !== before.values[slug])
    const redCells = ['hemoglobin', 'hematocrit', 'red-blood-cell-count']
    expect(changed).toEqual(expect.arrayContaining(redCells))
    expect(changed.filter((slug) => !formulas[slug] && !redCells.includes(slug))).toEqual([])
    for (const index of ['mchc', 'mch', 'mcv'])
      expect(Math.abs((values[index] ?? 0) - (before.values[index] ?? 0)), index).toBeLessThan(0.6)
  })

  it.each(['corrected-result', 'walk-in-corrected-result', 'on-site-corrected-result'])(
    'are newer than the first report where they changed, and nowhere else (%s)',
    { tags: 'slow' },
    async (scenario) => {
      const placed = await petri.post('/_petri/orders', { scenario })
      const { id } = placed.body
      await petri.post('/_petri/clock', { frozen: true })
      await petri.post('/_petri/clock/advance', { order_id: id, status: 'completed' })
      const first = await reportOf(petri, id)
      await advance(petri, '3d')
      const { lines, body } = await reportOf(petri, id)
      const isNew = (timestamp: string) => timestamp > first.body.metadata.date_reported
      const changed = lines.filter(({ slug, result }) => first.line(slug)?.result !== result)
      expect(changed.length).toBeGreaterThan(0)
      expect(lines.filter(({ timestamp }) => isNew(timestamp))).toEqual(changed)
      expect(lines.filter(({ notes }) => notes?.startsWith('Previously reported as'))).toEqual(changed)
      expect(body.metadata.interpretation).toBe('abnormal')
    },
  )
})
