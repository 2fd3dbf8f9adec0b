import { describe, expect, it } from 'vitest'
import { type OrderRow, updateOrderMetadata } from '../../src/resources/orders/table.ts'
import { currentValues, findReport } from '../../src/resources/results/service.ts'
import { giveResults, readResult } from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'
import {
  completedOrder,
  FERRITIN,
  LIPIDS,
  orderMarkers,
  report,
  storedOrder,
} from '../support/quest-reports.ts'

/** An order code of quest. */
const A1C = '496'

const petri = forEachTest()

const routes = ['result', 'result/metadata', 'result/pdf']
const nobody = '5e0ac2f4-8d0e-4a55-9a38-0f2a3bfa1e11'

describe('the results of an order', () => {
  it.each(routes)('that has none yet are not found: %s', async (route) => {
    const id = await orderMarkers(petri, [FERRITIN])
    expect(await petri.get(`/v3/order/${id}/${route}`)).toRefuse(
      404,
      `Results are not available for order - ${id}. Did you receive a webhook for this order?`,
    )
  })

  it.each(routes)('that is not there are not found: %s', async (route) => {
    expect(await petri.get(`/v3/order/${nobody}/${route}`)).toRefuse(404, 'Order not found')
  })

  it('have their metadata on a route of its own', async () => {
    const id = await completedOrder(petri, [FERRITIN])
    const body = await readResult(petri, id)
    expect(await petri.read(`/v3/order/${id}/result/metadata`)).toEqual(body.metadata)
  })
})

describe('the current values of an order', () => {
  it('are none before the first report', async () => {
    const id = await orderMarkers(petri, [FERRITIN])
    expect(currentValues(petri.world(), storedOrder(petri, id))).toEqual({ values: new Map(), missing: [] })
  })

  it('are those of its lines, and the names of what is missing', async () => {
    const id = await completedOrder(petri, [FERRITIN, LIPIDS], {
      results: { values: { ferritin: 7 }, missing: ['triglycerides'] },
    })
    const { values, missing } = currentValues(petri.world(), storedOrder(petri, id))
    const lines = (await readResult(petri, id)).results as {
      slug: string
      value: number
    }[]
    expect(values.get('ferritin')).toBe(7)
    expect(missing).toContain('triglycerides')
    expect(values.size).toBe(lines.length)
    for (const { slug, value } of lines) if (values.has(slug)) expect(values.get(slug)).toBe(value)
  })

  it('are none of what could not be calculated', async () => {
    const id = await completedOrder(petri, [LIPIDS], { results: { values: { triglycerides: 3000 } } })
    const { values, missing } = currentValues(petri.world(), storedOrder(petri, id))
    expect(values.get('triglycerides')).toBe(3000)
    expect(values.has('ldl-cholesterol-calc')).toBe(false)
    expect(missing).toEqual([])
  })
})

describe('the lines of a report', () => {
  const firstLine = (id: string, nth = 0) => findReport(petri.world(), storedOrder(petri, id))?.results[nth]

  it('are kept while nothing of the order changes, and made anew when it does', async () => {
    const id = await completedOrder(petri, [FERRITIN], { results: { values: { ferritin: 7 } } })
    const line = firstLine(id)
    expect(firstLine(id)).toBe(line)
    await giveResults(petri, id, { values: { ferritin: 8 } })
    expect(firstLine(id)).toMatchObject({ value: 8 })
  })

  it('are those of the events that the order has', async () => {
    const id = await orderMarkers(petri, [FERRITIN, LIPIDS])
    for (const status of ['partial_results', 'completed'])
      await report(petri, id, status, { interpretation: 'normal' })
    const order = storedOrder(petri, id)
    const count = (events: OrderRow['events']) =>
      findReport(petri.world(), { ...order, events })?.results.length
    const whole = count(order.events)
    expect(count(order.events.slice(0, -1))).toBeLessThan(whole ?? 0)
    expect(count(order.events)).toBe(whole)
  })

  it('are made anew when the user becomes another person', async () => {
    const id = await completedOrder(petri, [A1C])
    expect(firstLine(id)).toMatchObject({ interpretation: 'normal' })
    const path = `/_petri/users/${storedOrder(petri, id).user_id}/persona`
    expect(await petri.put(path, { persona: 'type-2-diabetes' })).toAnswer(200)
    expect(firstLine(id)).toMatchObject({ interpretation: 'abnormal' })
  })

  it('of unknown interpretation have the values of what nobody judged', async () => {
    const id = await orderMarkers(petri, [LIPIDS, '10231', '6399'], { details: { dob: '1946-03-01' } })
    await report(petri, id, 'completed', { interpretation: 'unknown' })
    const valuesOf = () =>
      findReport(petri.world(), storedOrder(petri, id))?.results.map(({ slug, result }) => [slug, result])
    const unknown = valuesOf()
    updateOrderMetadata(petri.world(), id, { results: {} })
    expect(valuesOf()).toEqual(unknown)
    updateOrderMetadata(petri.world(), id, { results: { interpretation: 'normal' } })
    expect(valuesOf()).not.toEqual(unknown)
  })

  it('say that a value is beyond what is measured, unless it was given or asked for as a number', async () => {
    const ids: string[] = []
    for (let nth = 0; nth < 8; nth++) {
      ids.push(await orderMarkers(petri, ['6517']))
      await report(petri, ids[nth] ?? '', 'completed')
    }
    /** A urine with little albumin: its ratio to creatinine has a bound, too. */
    const id = ids.find((each) => firstLine(each, 1)?.type === 'range') ?? ''
    const creatinine = Number(firstLine(id)?.value)
    expect(firstLine(id, 1)).toMatchObject({ result: '<3.0', value: -1 })
    expect(firstLine(id, 2)).toMatchObject({ result: `<${Math.ceil((3 / creatinine) * 100)}`, type: 'range' })
    updateOrderMetadata(petri.world(), id, { results: { types: ['numeric'] } })
    expect(firstLine(id, 1)).toMatchObject({
      type: 'numeric',
      value: expect.toSatisfy((it) => it > 0 && it < 3),
    })
    updateOrderMetadata(petri.world(), id, { results: { values: { 'urine-albumin': 1.5 } } })
    expect(firstLine(id, 1)).toMatchObject({ type: 'numeric', value: 1.5, result: '1.5' })
  })
})
