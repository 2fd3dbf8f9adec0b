import { describe, expect, it } from 'vitest'
import { orderMetadata, updateOrderMetadata } from '../../src/resources/orders/table.ts'
import { findingsOf } from '../../src/resources/personas/service.ts'
import { assertPossible, putResults, settleReport } from '../../src/resources/results/exact.ts'
import { goalsOf } from '../../src/resources/results/service.ts'
import { resultPdfs } from '../../src/resources/results/table.ts'
import { createUser, giveResults, readOrder } from '../support/orders.ts'
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
  storedPlan,
} from '../support/quest-reports.ts'

const petri = forEachTest()

const PDF = Buffer.from('%PDF-1.7\n').toString('base64')
const pdfOf = (id: string) => petri.world().db.find(resultPdfs, id)?.pdf

describe('exact results before the laboratory reports', () => {
  it.each([
    [{ values: { ferritin: 7 } }, { values: { ferritin: 7 } }],
    [{ comment: 'Low.' }, { comment: 'Low.' }],
    [{ pdf: PDF }, {}],
  ])('are %j alone, too', async (body, given) => {
    const id = await orderMarkers(petri, [FERRITIN])
    expect(await giveResults(petri, id, body)).toAnswer(200, { applied: false })
    expect(storedPlan(petri, id).given_results).toEqual(given)
    expect(pdfOf(id)).toBe('pdf' in body ? PDF : undefined)
  })

  it('replace a PDF that was given before', async () => {
    const id = await orderMarkers(petri, [FERRITIN])
    await giveResults(petri, id, { pdf: PDF })
    await giveResults(petri, id, { comment: 'Low.' })
    expect(petri.world().db.has(resultPdfs, id)).toBe(false)
  })

  it.each(['requisition_created', 'partial_results'])('are kept when the order is at %s', async (status) => {
    const id = await orderMarkers(petri, [FERRITIN, LIPIDS])
    await report(petri, id, status)
    expect(await giveResults(petri, id, { values: { ferritin: 7 } })).toMatchObject({
      body: { applied: false },
    })
    await report(petri, id, 'completed')
    expect((await reportOf(petri, id)).values.ferritin).toBe(7)
  })

  it.each(['completed', 'corrected'])('come at once when the order is at %s', async (status) => {
    const id = await orderMarkers(petri, [FERRITIN])
    await report(petri, id, status)
    expect(await giveResults(petri, id, { pdf: PDF })).toMatchObject({ body: { applied: true } })
    expect(pdfOf(id)).toBe(PDF)
    expect(await giveResults(petri, id, { comment: 'Low.' })).toMatchObject({ body: { applied: true } })
    expect(pdfOf(id)).toBeUndefined()
    expect((await reportOf(petri, id)).lines[0]?.notes).toBe('Low.')
    const { events } = await readOrder(petri, id)
    expect(events.slice(-2).map((event: { status: string }) => event.status)).toEqual(
      Array(2).fill('completed.walk_in_test.corrected'),
    )
  })

  it('are nothing without values, a comment or a PDF', async () => {
    const id = await orderMarkers(petri, [FERRITIN])
    expect(() => putResults(petri.world(), id, { missing: ['ferritin'] })).toThrow(
      'Give values, a comment or a pdf.',
    )
  })
})

describe('exact results that cannot be', () => {
  it('are refused for one result under two names', async () => {
    const id = await orderMarkers(petri, [FERRITIN])
    const answer = await giveResults(petri, id, { values: { ferritin: 7, '2276-4': 8 } })
    const detail = '"ferritin" and "2276-4" are the same result; give one of them.'
    expect(answer).toRefuse(400, detail)
    expect(storedPlan(petri, id)).not.toHaveProperty('given_results')
  })

  it('are refused for an order that gets none', async () => {
    const id = await orderMarkers(petri, [FERRITIN])
    await report(petri, id, 'cancelled')
    expect(await giveResults(petri, id, { comment: 'Low.' })).toRefuse(
      409,
      'The order is cancelled.walk_in_test.cancelled; no results will come.',
    )
  })
})

describe('results that come with a step', () => {
  it('may have a PDF, which a correction without one takes away', async () => {
    const id = await completedOrder(petri, [FERRITIN], { results: { pdf: PDF } })
    expect(pdfOf(id)).toBe(PDF)
    await report(petri, id, 'corrected', { comment: 'Repeated.' })
    expect(petri.world().db.has(resultPdfs, id)).toBe(false)
  })

  it('change no value where a PDF is all that they correct', async () => {
    const id = await completedOrder(petri, [FERRITIN, LIPIDS])
    const { values } = await reportOf(petri, id)
    await giveResults(petri, id, { pdf: PDF })
    expect((await reportOf(petri, id)).values).toEqual(values)
  })

  it('keep a PDF that was given before', async () => {
    const id = await orderMarkers(petri, [FERRITIN])
    await giveResults(petri, id, { pdf: PDF })
    await report(petri, id, 'completed')
    expect(pdfOf(id)).toBe(PDF)
  })

  it('are a correction only of a report', async () => {
    const id = await orderMarkers(petri, [FERRITIN, LIPIDS])
    await report(petri, id, 'partial_results', { comment: 'First.' })
    await report(petri, id, 'completed', { comment: 'Second.' })
    expect(storedPlan(petri, id).results).toEqual({ comment: 'Second.' })
    const first = await orderMarkers(petri, [FERRITIN])
    await report(petri, first, 'corrected', { comment: 'At once.' })
    expect(storedPlan(petri, first).results).toEqual({ comment: 'At once.' })
  })
})

describe('values of an order', () => {
  it('can be missing under other names than those that have a value', async () => {
    const id = await orderMarkers(petri, [FERRITIN, POTASSIUM])
    const order = storedOrder(petri, id)
    const check = (entered: object) => () => assertPossible(petri.world(), order, entered)
    expect(check({ values: { ferritin: 7 }, missing: ['potassium'] })).not.toThrow()
    expect(check({ values: { ferritin: 7 }, missing: true })).not.toThrow()
    expect(check({ missing: ['ferritin'] })).not.toThrow()
    expect(check({})).not.toThrow()
    expect(check({ values: { ferritin: 7, potassium: 4 }, missing: ['2276-4'] })).toThrow(
      '"ferritin" has a value and is missing; give one of the two.',
    )
  })
})

describe('what a report shows of a patient', () => {
  const findings = (user: string) => findingsOf(petri.world(), user)

  it('is nothing if nobody asked for it', async () => {
    const user = await createUser(petri, 'ada')
    for (const results of [{}, { interpretation: 'normal' }, { values: { potassium: 7.1 } }]) {
      await completedOrder(petri, [POTASSIUM], { results, user })
      expect(findings(user)).toEqual([])
    }
  })

  it('stays with them: since the draw, in the degree of the result', async () => {
    const user = await createUser(petri, 'ada')
    const id = await completedOrder(petri, [POTASSIUM], { results: { interpretation: 'critical' }, user })
    const [goal] = goalsOf(petri.world(), storedOrder(petri, id))
    const { control: _, ...cause } = goal?.cause ?? { control: 0 }
    expect(findings(user)).toEqual([
      { ...cause, since: expect.stringMatching(/^2026-01-0/), until: expect.anything() },
    ])
    const [{ since, until } = { since: '', until: '' }] = findings(user)
    expect(since).toBe('2026-01-05')
    expect(String(until) > since).toBe(true)
  })

  it('is kept once, however often it is found', async () => {
    const user = await createUser(petri, 'ada')
    for (let nth = 0; nth < 3; nth++)
      await completedOrder(petri, [POTASSIUM], { results: { interpretation: 'abnormal' }, user })
    expect(findings(user)).toHaveLength(1)
  })

  it('is for good where the condition is', { tags: 'slow' }, async () => {
    const lasting = new Map<string, string | null>()
    for (const code of ['496', '899', '7600', '905', '457', POTASSIUM])
      for (let nth = 0; nth < 3; nth++) {
        const user = await createUser(petri, `user ${code} ${nth}`)
        await completedOrder(petri, [code], { results: { interpretation: 'abnormal' }, user })
        for (const { name, until } of findings(user)) lasting.set(name, until)
      }
    expect(lasting.get('other_finding') ?? '').toMatch(/^202\d-/)
    const rest = [...lasting].filter(([name]) => name !== 'other_finding')
    expect(rest.filter(([, until]) => until === null).length).toBeGreaterThan(2)
  })

  it('counts from the first report on', async () => {
    const user = await createUser(petri, 'ada')
    const first = await completedOrder(petri, [POTASSIUM], { results: { interpretation: 'abnormal' }, user })
    expect(storedPlan(petri, first).known_findings).toBe(0)
    const second = await completedOrder(petri, [POTASSIUM], { user })
    expect(storedPlan(petri, second).known_findings).toBe(1)
    await report(petri, first, 'corrected', { comment: 'Repeated.' })
    expect(storedPlan(petri, first).known_findings).toBe(0)
    const open = await orderMarkers(petri, [POTASSIUM], { user })
    expect(storedPlan(petri, open)).not.toHaveProperty('known_findings')
  })
})

describe('the interpretation of an order', () => {
  it.each([
    [{ values: { potassium: 4.2 } }, 'normal'],
    [{ values: { potassium: 6 } }, 'abnormal'],
    [{ values: { potassium: 7.5 } }, 'critical'],
    [{ values: { potassium: 7.5 }, interpretation: 'unknown' }, 'unknown'],
    [{ values: { potassium: 4.2 }, interpretation: 'critical' }, 'normal'],
  ])('with %j is %s', async (results, interpretation) => {
    const id = await completedOrder(petri, [POTASSIUM], { results })
    expect(await readOrder(petri, id)).toMatchObject({ interpretation, has_missing_results: false })
  })

  it('is not looked up in the lines of a report that is to be normal', async () => {
    const id = await completedOrder(petri, [POTASSIUM], { results: { interpretation: 'abnormal' } })
    updateOrderMetadata(petri.world(), id, { results: { interpretation: 'normal' } })
    settleReport(petri.world(), id)
    expect((await readOrder(petri, id)).interpretation).toBe('abnormal')
  })

  it('is the worst of what is natural, and what is missing is known', async () => {
    const id = await completedOrder(petri, [POTASSIUM, FERRITIN], {
      results: { values: { potassium: 7.5 }, missing: ['ferritin'] },
    })
    expect(await readOrder(petri, id)).toMatchObject({
      interpretation: 'critical',
      has_missing_results: true,
    })
  })

  it('is not decided before there is a report', async () => {
    const id = await orderMarkers(petri, [POTASSIUM])
    updateOrderMetadata(petri.world(), id, { results: { values: { potassium: 7.5 } } })
    const before = petri.world().db.get(orderMetadata, id)
    settleReport(petri.world(), id)
    expect(storedOrder(petri, id).interpretation).toBeNull()
    expect(petri.world().db.get(orderMetadata, id)).toEqual(before)
  })
})
