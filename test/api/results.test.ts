import { describe, expect, it } from 'vitest'
import { field } from '../support/field.ts'
import { advance, orderBy, patient, readOrder, setFeatures } from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'
import { LIPIDS, type Line, METABOLIC, orderMarkers, report, reportOf } from '../support/quest-reports.ts'
import { simulate } from '../support/simulation.ts'

/** Order codes of quest. */
const BLOOD_COUNT = '6399'
const TSH = '899'
const A1C = '496'

const petri = forEachTest()

const flagged = (lines: readonly Line[]) =>
  lines.filter(({ interpretation }) => interpretation === 'abnormal' || interpretation === 'critical')

describe("an order's results", () => {
  it('are one for each expected result of its markers, in its unit and range, with where they come from', async () => {
    const placed = await orderBy(petri, 'walk_in_test')
    await report(petri, placed.id, 'completed', { interpretation: 'normal' })
    const { body, lines, line } = await reportOf(petri, placed.id)
    const { markers } = await petri.read(`/v3/lab_tests/${placed.lab_test.id}/markers`)
    const expected = markers.flatMap((marker: { expected_results: object[] }) => marker.expected_results)
    expect(new Set(lines.map(({ provider_id }) => provider_id))).toEqual(
      new Set(expected.map(field('provider_id'))),
    )
    expect(body.missing_results).toBeNull()
    expect(line('cholesterol-total')).toMatchObject({
      name: 'CHOLESTEROL, TOTAL',
      result: String(line('cholesterol-total')?.value),
      unit: 'mg/dL',
      reference_range: '<200',
      performing_laboratory: 'Quest',
      source_sample_id: (await readOrder(petri, placed.id)).sample_id,
      source_markers: [{ name: 'Lipid Panel', provider_id: LIPIDS, slug: 'lipid-panel' }],
    })
  })

  it.each(['walk_in_test', 'at_home_phlebotomy', 'on_site_collection'] as const)(
    'are normal in old age, too, in the simulation of %s',
    async (method) => {
      const { id } = await orderBy(petri, method, { patient_details: { ...patient, dob: '1946-03-01' } })
      await simulate(petri, id)
      expect(flagged((await reportOf(petri, id)).lines)).toEqual([])
    },
  )

  it.each([
    [{}, { interpretation: 'abnormal' }],
    [{ interpretation: 'normal' }, { interpretation: 'critical' }],
    [{ interpretation: 'abnormal' }, { interpretation: 'critical' }],
    [{ interpretation: 'critical' }, {}],
    [{ interpretation: 'unknown' }, { types: ['comment'] }],
    [{ interpretation: 'abnormal' }, { missing: true }],
  ])('reported as %j stay when the rest is reported as %j', async (first, last) => {
    for (const codes of [[LIPIDS], [METABOLIC, BLOOD_COUNT, TSH]]) {
      const id = await orderMarkers(petri, codes)
      await report(petri, id, 'partial_results', first)
      const half = await reportOf(petri, id)
      await advance(petri, '3d')
      await report(petri, id, 'completed', last)
      const { body, lines } = await reportOf(petri, id)
      expect(lines).toEqual(expect.arrayContaining(half.lines))
      expect(lines.length + (body.missing_results?.length ?? 0)).toBeGreaterThan(half.lines.length)
      expect(body.missing_results !== null).toBe('missing' in last)
      const { interpretation } = body.metadata
      expect((await readOrder(petri, id)).interpretation).toBe(interpretation)
      const isBad = interpretation === 'critical' || interpretation === 'abnormal'
      if (isBad) expect(lines.map((line) => line.interpretation)).toContain(interpretation)
      else expect(flagged(lines)).toEqual([])
    }
  })

  it('of a redrawn order are one report, the gaps filled', async () => {
    await setFeatures(petri, { redraws: true })
    const id = await orderMarkers(petri, [LIPIDS, TSH, A1C])
    await report(petri, id, 'requisition_created')
    await report(petri, id, 'redraw_available')
    const { body: before } = await reportOf(petri, id)
    expect(before.missing_results.length).toBeGreaterThan(0)
    const path = `/v3/order_transaction/${before.order_transaction.id}/result`
    expect((await petri.read(path)).results).toHaveLength(before.results.length)
    const { orders } = await petri.read('/v3/orders')
    const redraw = orders.find(({ origin }: { origin: string }) => origin === 'redraw')
    await report(petri, redraw.id, 'completed')
    const body = await petri.read(path)
    expect(body.missing_results).toBeNull()
    expect(body.metadata.specimen_number).toBe(redraw.sample_id)
    expect(body.results.map(({ slug }: Line) => slug).sort()).toEqual(
      [...before.results, ...before.missing_results].map(field('slug')).sort(),
    )
    expect(Object.keys(body.sample_information)).toHaveLength(2)
  })
})
