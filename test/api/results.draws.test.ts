import { describe, expect, it } from 'vitest'
import { updateOrderMetadata } from '../../src/resources/orders/table.ts'
import { findReport } from '../../src/resources/results/service.ts'
import { advance, moveOrder, readResult, sendOrder } from '../support/orders.ts'
import { startTestWorld } from '../support/petri.ts'
import { orderMarkers, report, storedOrder } from '../support/quest-reports.ts'

const LIPIDS = 1975

/** The report of a walk-in order of one marker of a new world, and its sample. */
async function reportOf(markerId: number, aoe_answers?: object[]) {
  const petri = await startTestWorld({ world: { seed: 'draws', now: Date.UTC(2026, 1, 2, 15) } })
  const add_on = { marker_ids: [markerId] }
  const ordered = { order_set: { add_on }, collection_method: 'walk_in_test', aoe_answers }
  const headers = { 'x-petri-scenario': 'manual' }
  const { order } = (await sendOrder(petri, ordered, { headers })).body
  await advance(petri, '9d')
  await moveOrder(petri, order.id, 'completed', { force: true })
  const { results, sample_information } = await readResult(petri, order.id)
  const [sample] = Object.values<{
    date_collected: { timestamp: string; timezone_offset: number }
    clinical_information: { fasting: boolean }
  }>(sample_information)
  if (!sample) throw new Error('The report has no sample.')
  const numberOf = (slug: string): number =>
    results.find((line: { slug: string }) => line.slug === slug)?.value
  const { timestamp, timezone_offset } = sample.date_collected
  const local = new Date(Date.parse(timestamp) + timezone_offset * 1000).toISOString()
  return { numberOf, isFasting: sample.clinical_information.fasting, time: local.slice(11, 16), results }
}

describe('what an order says of its draw', () => {
  const said = (answer: string) => [{ marker_id: LIPIDS, question_id: 1, answer }]

  it('is a fast or a meal, which shows in triglycerides and is printed', async () => {
    const fasted = await reportOf(LIPIDS, said('Y'))
    const fed = await reportOf(LIPIDS, said('N'))
    expect([fasted.isFasting, fed.isFasting]).toEqual([true, false])
    expect(fed.numberOf('triglycerides') / fasted.numberOf('triglycerides')).toBeCloseTo(1.22, 1)
    expect(fed.numberOf('hdl-cholesterol')).toBe(fasted.numberOf('hdl-cholesterol'))
  })

  it('is the time of day, which is printed', async () => {
    const petri = await startTestWorld({})
    const { markers } = await petri.read('/v3/lab_tests/markers?lab_id=6&name=aldosterone')
    const [{ id, aoe }] = markers
    const at = (time: string) =>
      reportOf(id, [{ marker_id: id, question_id: aoe.questions[0].id, answer: time }])
    expect((await at('0830')).time).toBe('08:30')
    expect((await at('1405')).time).toBe('14:05')
    expect((await at('in the morning')).time).toBe((await reportOf(id)).time)
  })
})

it('cortisol falls from minute to minute of the morning', async () => {
  const petri = await startTestWorld()
  const id = await orderMarkers(petri, ['367'])
  await advance(petri, '9d')
  await report(petri, id, 'completed')
  const cortisolAt = (minute: number) => {
    updateOrderMetadata(petri.world(), id, { draw: { minute, is_fasting: true } })
    return Number(findReport(petri.world(), storedOrder(petri, id))?.results[0]?.value)
  }
  const eight = cortisolAt(8 * 60)
  const half = cortisolAt(8 * 60 + 30)
  const nine = cortisolAt(9 * 60)
  expect(half).toBeLessThan(eight)
  expect(nine).toBeLessThan(half)
})
