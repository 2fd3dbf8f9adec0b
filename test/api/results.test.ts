import { beforeEach, describe, expect, it } from 'vitest'
import { formulas, sampsonLdl } from '../../src/resources/results/derived.ts'
import { address, createUser, patient, standardTest } from '../support/orders.ts'
import { startTestWorld, type TestPetri } from '../support/petri.ts'

const NOBODY = '00000000-0000-4000-8000-000000000000'
/** The forms a range takes on the wire. Source: docs/contract/results.md. */
const RANGE = /^(([<>]=?|[<>] OR = )\d*(\.\d+)?|(\d*(\.\d+)?-\d*(\.\d+)?))$/

let petri: TestPetri
beforeEach(async () => {
  petri = await startTestWorld()
})

interface Line {
  readonly name: string
  readonly slug: string
  readonly value: number
  readonly result: string
  readonly type: string
  readonly interpretation: string
  readonly timestamp: string
  readonly [field: string]: unknown
}

interface Input {
  readonly codes?: readonly string[]
  readonly lab?: string
  readonly method?: string
  readonly details?: object
  readonly from?: TestPetri
}

/** An order for a patient that stays where it is put. */
async function order({
  codes,
  lab = 'quest',
  method = 'walk_in_test',
  details = {},
  from = petri,
}: Input = {}) {
  const users = (await from.get('/v2/user')).body.total
  const markers = from.world().services.catalogue
  const order_set = {
    add_on: { marker_ids: (codes ?? []).map((code) => markers.findMarker(lab, code)?.id) },
  }
  const body = {
    user_id: await createUser(from, `user-${users}`),
    ...(codes ? { order_set, collection_method: method } : { lab_test_id: await standardTest(from, method) }),
    patient_details: { ...patient, ...details },
    patient_address: address,
  }
  const answer = await from.post('/v3/order', body, { 'x-petri-scenario': 'manual' })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body.order
}

const move = async (orderId: string, status: string, results?: object) => {
  const answer = await petri.post(`/_petri/orders/${orderId}/move`, { status, results, force: true })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
}

const results = async (orderId: string) => {
  const answer = await petri.get(`/v3/order/${orderId}/result`)
  expect(answer.status).toBe(200)
  return answer.body as {
    metadata: Record<string, string>
    results: Line[]
    missing_results: { slug: string; provider_id: string; inferred_failure_type: string }[] | null
    sample_information: Record<string, { sample_id: string; date_collected: { timestamp: string } }>
    order_transaction: { id: string }
  }
}

const flagged = (lines: readonly Line[]) =>
  lines.filter(({ interpretation }) => interpretation === 'abnormal' || interpretation === 'critical')
const numberOf = (lines: readonly Line[], slug: string) =>
  Number(lines.find((line) => line.slug === slug)?.value)

describe("an order's results", () => {
  it('are one for each expected result of its markers, in its unit and range, with where they come from', async () => {
    const placed = await order()
    await move(placed.id, 'completed', { interpretation: 'normal' })
    const { results: lines, missing_results } = await results(placed.id)
    const markers = (await petri.get(`/v3/lab_tests/${placed.lab_test.id}/markers`)).body.markers
    const expected = markers.flatMap((marker: { expected_results: object[] }) => marker.expected_results)
    expect(new Set(lines.map(({ provider_id }) => provider_id))).toEqual(
      new Set(expected.map(({ provider_id }: { provider_id: string }) => provider_id)),
    )
    expect(missing_results).toBeNull()
    const cholesterol = lines.find(({ slug }) => slug === 'cholesterol-total')
    expect(cholesterol).toMatchObject({
      name: 'CHOLESTEROL, TOTAL',
      result: String(cholesterol?.value),
      type: 'numeric',
      unit: 'mg/dL',
      notes: null,
      reference_range: '<200',
      min_range_value: null,
      max_range_value: 200,
      is_above_max_range: false,
      is_below_min_range: false,
      interpretation: 'normal',
      loinc: '2093-3',
      loinc_slug: 'cholesterol-mass-vol',
      performing_laboratory: 'Quest',
      source_sample_id: (await petri.get(`/v3/order/${placed.id}`)).body.sample_id,
      source_markers: [{ name: 'Lipid Panel', provider_id: '7600', slug: 'lipid-panel' }],
    })
    for (const { type, reference_range, is_above_max_range } of lines.filter(
      (line) => line.type === 'numeric',
    )) {
      expect(type).toBe('numeric')
      expect(is_above_max_range).toBe(false)
      if (reference_range !== null) expect(reference_range).toMatch(RANGE)
    }
  })

  it('are consistent: panels add up', async () => {
    const placed = await order()
    await move(placed.id, 'completed')
    const { results: lines } = await results(placed.id)
    const of = (slug: string) => numberOf(lines, slug)
    const [total, hdl, fat] = [of('cholesterol-total'), of('hdl-cholesterol'), of('triglycerides')]
    expect(of('ldl-cholesterol-calc')).toBe(Math.round(sampsonLdl(total, hdl, fat)))
    expect(of('non-hdl-cholesterol')).toBe(of('cholesterol-total') - of('hdl-cholesterol'))
    expect(of('mcv')).toBe(Math.round((of('hematocrit') / of('red-blood-cell-count')) * 10))
    expect(of('globulin')).toBeCloseTo(of('protein-total') - of('albumin'), 5)
    const cells = ['neutrophils', 'lymphocytes', 'monocytes', 'eosinophils', 'basophils']
    expect(cells.reduce((sum, cell) => sum + of(cell), 0)).toBe(100)
    for (const cell of cells)
      expect(of(`${cell}-absolute`)).toBeCloseTo((of('white-blood-cell-count') * of(cell)) / 100, 0)
  })

  it('are 404 before the laboratory reports, and for an unknown order', async () => {
    const placed = await order()
    await move(placed.id, 'requisition_created')
    for (const path of ['result', 'result/metadata', 'result/pdf']) {
      expect(await petri.get(`/v3/order/${placed.id}/${path}`)).toMatchObject({
        status: 404,
        body: {
          detail: `Results are not available for order - ${placed.id}. Did you receive a webhook for this order?`,
        },
      })
      expect(await petri.get(`/v3/order/${NOBODY}/${path}`)).toMatchObject({
        status: 404,
        body: { detail: 'Order not found' },
      })
    }
  })

  it('are the same in two worlds of one seed, and other ones of another seed', async () => {
    const seeds = ['7', '7', '8']
    const reports = await Promise.all(
      seeds.map(async (seed) => {
        const world = await startTestWorld({ world: { seed } })
        const { id } = await order({ from: world })
        await world.post(`/v3/order/${id}/test`)
        const { body } = await world.get(`/v3/order/${id}/result`)
        return body
      }),
    )
    expect(reports[0]).toEqual(reports[1])
    expect(reports[0].results.map(({ result }: Line) => result)).not.toEqual(
      reports[2].results.map(({ result }: Line) => result),
    )
  })
})

describe('an interpretation', () => {
  it.each(['abnormal', 'critical'])(
    '%s puts a value outside its range, and flags what is outside alone',
    { tags: 'slow' },
    async (word) => {
      for (const method of ['walk_in_test', 'testkit', 'on_site_collection']) {
        const placed = await order({ method })
        await move(placed.id, 'completed', { interpretation: word })
        const { metadata, results: lines } = await results(placed.id)
        expect(metadata.interpretation).toBe(word)
        expect(flagged(lines).map(({ interpretation }) => interpretation)).toContain(word)
        for (const line of lines.filter(({ type }) => type === 'numeric')) {
          const isOutside = line.is_above_max_range || line.is_below_min_range
          expect(isOutside, line.slug).toBe(line.interpretation !== 'normal')
        }
        const first = lines.find(({ interpretation }) => interpretation === word)
        expect(first?.source_interpretation).toMatch(word === 'critical' ? /^(HH|LL)$/ : /^[HLA]$/)
      }
    },
  )

  it('critical is beyond the limits of an analyte that has them', async () => {
    const placed = await order({ codes: ['10165', '899'] })
    await move(placed.id, 'completed', { interpretation: 'critical' })
    const [line] = flagged((await results(placed.id)).results)
    const { critical } =
      petri
        .world()
        .services.catalogue.analytes()
        .get(line?.slug ?? '') ?? {}
    const value = Number(line?.value)
    expect(value > (critical?.high ?? Infinity) || value < (critical?.low ?? -Infinity)).toBe(true)
  })

  it('that nobody chose follows from the lines: a person of the population', { tags: 'slow' }, async () => {
    const words = new Set<string>()
    for (let nth = 0; nth < 12; nth++) {
      const placed = await order({ codes: ['10231', '7600', '6399'], details: { dob: '1956-03-01' } })
      await move(placed.id, 'completed')
      const { metadata, results: lines } = await results(placed.id)
      const worst = ['critical', 'abnormal'].find((word) =>
        lines.some((line) => line.interpretation === word),
      )
      expect(metadata.interpretation).toBe(worst ?? 'normal')
      expect((await petri.get(`/v3/order/${placed.id}`)).body.interpretation).toBe(worst ?? 'normal')
      for (const line of lines.filter(({ type }) => type === 'numeric')) {
        const isOutside = line.is_above_max_range || line.is_below_min_range
        expect(isOutside, line.slug).toBe(line.interpretation !== 'normal')
      }
      words.add(worst ?? 'normal')
    }
    expect(words).toContain('abnormal')
  })

  it('of the bundled scenarios of a happy path stays normal', async () => {
    for (const method of ['testkit', 'walk_in_test', 'at_home_phlebotomy', 'on_site_collection']) {
      const placed = await order({ method, details: { dob: '1946-03-01' } })
      await petri.post(`/v3/order/${placed.id}/test`)
      expect(flagged((await results(placed.id)).results)).toEqual([])
    }
  })

  it('unknown is that of every line', async () => {
    const placed = await order()
    await move(placed.id, 'completed', { interpretation: 'unknown' })
    const { metadata, results: lines } = await results(placed.id)
    expect(new Set([metadata.interpretation, ...lines.map((line) => line.interpretation)])).toEqual(
      new Set(['unknown']),
    )
  })

  it('of a qualitative test is its abnormal word', async () => {
    const placed = await order({ codes: ['11363'] })
    await move(placed.id, 'completed', { interpretation: 'abnormal' })
    const { results: lines } = await results(placed.id)
    expect(lines.map(({ result }) => result).sort()).toEqual(['Negative', 'Positive'])
    for (const line of lines) {
      expect(line).toMatchObject({ type: 'comment', value: -1, notes: line.result, is_above_max_range: null })
    }
  })

  it("uses the ranges of the patient's sex", async () => {
    const rangeOf = async (details: object, slug: string) => {
      const placed = await order({ codes: ['6399', '10165'], details })
      await move(placed.id, 'completed')
      return (await results(placed.id)).results.find((line) => line.slug === slug)
    }
    expect(await rangeOf({ gender: 'male' }, 'hemoglobin')).toMatchObject({ reference_range: '13.2-17.1' })
    expect(await rangeOf({ gender: 'female' }, 'hemoglobin')).toMatchObject({ reference_range: '11.7-15.5' })
    expect(await rangeOf({ gender: 'other' }, 'hemoglobin')).toMatchObject({ reference_range: '11.7-17.1' })
  })
})

describe('result types', () => {
  it('are those asked for, in turn', async () => {
    const placed = await order({ codes: ['10165'] })
    await petri.post(`/v3/order/${placed.id}/test`, { result_types: ['range', 'comment'] })
    const { results: lines } = await results(placed.id)
    expect(new Set(lines.map(({ type }) => type))).toEqual(new Set(['range', 'comment']))
    for (const line of lines) {
      expect(line).toMatchObject({
        value: -1,
        notes: line.result,
        is_above_max_range: null,
        is_below_min_range: null,
      })
      if (line.type === 'range') expect(line.result).toMatch(RANGE)
    }
  })

  it('show a flagged value beyond its bound', async () => {
    const placed = await order({ codes: ['10165'] })
    await petri.post(`/v3/order/${placed.id}/test`, { result_types: ['range'], interpretation: 'abnormal' })
    const [line] = flagged((await results(placed.id)).results)
    expect(line?.result).toMatch(/^[<>]=?\d/)
  })

  it('are coded for a cancer signal: one line without it, all of them with it', async () => {
    const galleri = async (interpretation: string) => {
      const { lab_test, ...placed } = await order()
      const world = petri.world()
      const { orders } = await import('../../src/resources/orders/table.ts')
      const { presentMarker } = await import('../../src/resources/markers/service.ts')
      const marker = world.services.catalogue.findMarker('quest', '86038987')
      if (!marker) throw new Error('quest has no Galleri')
      world.db.put(orders, { ...placed, lab_test: { ...lab_test, markers: [presentMarker(marker)] } })
      await move(placed.id, 'completed', { interpretation })
      return (await results(placed.id)).results
    }
    const [only, ...none] = await galleri('normal')
    expect(none).toEqual([])
    expect(only).toMatchObject({
      slug: 'galleri-cancer-signal',
      provider_id: '86038987',
      type: 'coded_value',
      result: 'NOT_DETECTED',
      value: -1,
      unit: null,
      reference_range: null,
      interpretation: 'normal',
    })
    const detected = await galleri('critical')
    expect(detected.map(({ slug, provider_id }) => [slug, provider_id])).toEqual([
      ['galleri-cancer-signal', '86038987'],
      ['galleri-cancer-origin', '86038987_1'],
      ['galleri-cancer-subcategory', '86038987_2'],
      ['galleri-comment-1', '86038987_3'],
    ])
    expect(detected.map(({ name }) => name)).toEqual([
      'Galleri Multi-Cancer Early Detection',
      'Galleri Cancer Signal Origin',
      'Galleri Cancer Signal Subcategory',
      'Galleri Additional Information',
    ])
    expect(detected.map(({ interpretation }) => interpretation)).toEqual(Array(4).fill('critical'))
  })
})

describe('missing results', () => {
  it('are those named, by slug or by code, with a reason', async () => {
    const placed = await order({ method: 'testkit' })
    await move(placed.id, 'completed', { missing: ['tsh', 'USSL-006'] })
    const { results: lines, missing_results } = await results(placed.id)
    expect(missing_results?.map(({ slug }) => slug).sort()).toEqual(['hemoglobin-a1c', 'tsh'])
    expect(missing_results?.[0]?.inferred_failure_type).toMatch(/_(failure|volume)$/)
    expect(lines.map(({ slug }) => slug)).not.toContain('tsh')
    expect((await petri.get(`/v3/order/${placed.id}`)).body.has_missing_results).toBe(true)
  })

  it('are some when none are named: at least one, never all, and none that others are calculated from', async () => {
    for (const codes of [['7600'], ['10231'], ['7600', '899', '496']]) {
      const placed = await order({ codes })
      await petri.post(`/v3/order/${placed.id}/test`, { has_missing_results: true })
      const { results: lines, missing_results } = await results(placed.id)
      expect(missing_results?.length).toBeGreaterThan(0)
      expect(lines.length).toBeGreaterThan(0)
      const gone = missing_results?.map(({ slug }) => slug) ?? []
      if (gone.includes('cholesterol-total'))
        expect(lines.map(({ slug }) => slug)).not.toContain('non-hdl-cholesterol')
    }
  })
})

describe('reports over time', () => {
  it('come in part in the order in which a laboratory has them: blood counts before hormones', async () => {
    const panels = { '6399': 4, '10231': 4, '899': 10, '457': 12, '873': 30 }
    const placed = await order({ codes: Object.keys(panels) })
    await petri.post('/_petri/clock/advance', { by: '2d' })
    await move(placed.id, 'partial_results', { interpretation: 'normal' })
    const first = await results(placed.id)
    await petri.post('/_petri/clock/advance', { by: '2d' })
    await move(placed.id, 'completed', { interpretation: 'normal' })
    const last = await results(placed.id)
    type Source = { provider_id: keyof typeof panels }
    const hoursOf = ({ source_markers }: Line) =>
      panels[(source_markers as Source[])[0]?.provider_id ?? '899']
    const early = new Set(first.results.map(({ slug }) => slug))
    const late = last.results.filter(({ slug }) => !early.has(slug))
    expect(Math.max(...first.results.map(hoursOf))).toBeLessThanOrEqual(Math.min(...late.map(hoursOf)))
    expect(late.map(hoursOf)).toContain(30)
  })

  it('come in part, more with each partial, and do not change when the rest comes', async () => {
    const placed = await order({ codes: ['10231', '6399', '899', '496', '457'] })
    await move(placed.id, 'partial_results', { interpretation: 'critical' })
    const first = await results(placed.id)
    expect(first.metadata.status).toBe('partial')
    expect(flagged(first.results).length).toBeGreaterThan(0)
    await petri.post('/_petri/clock/advance', { by: '1d' })
    await move(placed.id, 'partial_results', { interpretation: 'critical' })
    const second = await results(placed.id)
    await petri.post('/_petri/clock/advance', { by: '1d' })
    await move(placed.id, 'completed', { interpretation: 'critical' })
    const last = await results(placed.id)
    expect(last.metadata.status).toBe('final')
    const counts = [first, second, last].map((report) => report.results.length)
    expect(counts).toEqual([...new Set(counts)].sort((a, b) => a - b))
    for (const report of [first, second]) {
      for (const line of report.results) expect(last.results).toContainEqual(line)
    }
    const known = (report: typeof first) => new Set(report.results.map(({ slug }) => slug))
    const instants = (slugs: ReadonlySet<string>, without: ReadonlySet<string> = new Set()) =>
      last.results
        .filter(({ slug }) => slugs.has(slug) && !without.has(slug))
        .map(({ timestamp }) => Date.parse(timestamp))
    const later = instants(known(second), known(first))
    expect(Math.max(...instants(known(first)))).toBeLessThan(Math.min(...later))
    expect(Math.max(...later)).toBeLessThan(Math.min(...instants(known(last), known(second))))
  })

  it.each([
    [{}, { interpretation: 'abnormal' }],
    [{ interpretation: 'normal' }, { interpretation: 'critical' }],
    [{ interpretation: 'abnormal' }, { interpretation: 'critical' }],
    [{ interpretation: 'critical' }, {}],
    [{ interpretation: 'unknown' }, { types: ['comment'] }],
    [{ interpretation: 'abnormal' }, { missing: true }],
  ])('reported as %j stay when the rest is reported as %j', async (first, last) => {
    for (const codes of [undefined, ['7600'], ['10231', '6399', '899']]) {
      const { id } = await order(codes ? { codes } : {})
      await move(id, 'partial_results', first)
      const half = await results(id)
      await petri.post('/_petri/clock/advance', { by: '3d' })
      await move(id, 'completed', last)
      const whole = await results(id)
      expect(whole.results).toEqual(expect.arrayContaining(half.results))
      expect(whole.results.length + (whole.missing_results?.length ?? 0)).toBeGreaterThan(half.results.length)
      expect(whole.missing_results !== null).toBe('missing' in last)
      const { interpretation } = whole.metadata
      expect((await petri.get(`/v3/order/${id}`)).body.interpretation).toBe(interpretation)
      const lines = whole.results.map((line) => line.interpretation)
      const isBad = interpretation === 'critical' || interpretation === 'abnormal'
      if (isBad) expect(lines).toContain(interpretation)
      else expect(flagged(whole.results)).toEqual([])
    }
  })

  it.each([undefined, { interpretation: 'normal' }, { interpretation: 'abnormal' }])(
    'change in one or two values when corrected as %j, and in what is calculated from them',
    async (correction) => {
      const codes = ['10231', '6399', '7600']
      const placed = await order({ codes })
      await move(placed.id, 'completed', { interpretation: 'normal' })
      const before = await results(placed.id)
      await move(placed.id, 'corrected', correction)
      const after = await results(placed.id)
      const word = correction?.interpretation ?? 'normal'
      expect(after.metadata).toMatchObject({ status: 'final', interpretation: word })
      expect(after.results.map(({ slug }) => slug)).toEqual(before.results.map(({ slug }) => slug))
      const changed = after.results.filter((line, nth) => line.result !== before.results[nth]?.result)
      expect(changed.length).toBeGreaterThan(0)
      expect(changed.length).toBeLessThan(8)
      expect(flagged(after.results).length > 0).toBe(word === 'abnormal')
    },
  )

  it.each(['normal', 'abnormal'])(
    'change in one or two values when a simulation corrects %s ones, not in what they say',
    async (interpretation) => {
      const placed = await order({ codes: ['10231', '6399', '7600'] })
      await move(placed.id, 'completed', { interpretation })
      const before = await results(placed.id)
      const path = `/v3/order/${placed.id}/test?final_status=completed.walk_in_test.corrected`
      expect(await petri.post(path)).toMatchObject({ status: 200 })
      const after = await results(placed.id)
      expect(after.metadata.interpretation).toBe(before.metadata.interpretation)
      expect(after.results.map(({ slug }) => slug)).toEqual(before.results.map(({ slug }) => slug))
      const changed = after.results.filter((line, nth) => line.result !== before.results[nth]?.result)
      expect(changed.length).toBeGreaterThan(0)
      expect(changed.length).toBeLessThan(8)
      const measured = changed.filter(({ slug }) => !formulas[slug])
      expect([1, 2]).toContain(measured.length)
      for (const { slug, interpretation: said } of measured)
        expect(before.results.find((line) => line.slug === slug)).toMatchObject({ interpretation: said })
      expect(flagged(after.results)).toHaveLength(flagged(before.results).length)
      expect(after.results.filter(({ value }) => !Number.isFinite(value))).toEqual([])
    },
  )

  it('stay below what is phoned when a value close to it is corrected', { tags: 'slow' }, async () => {
    for (let nth = 0; nth < 12; nth++) {
      const placed = await order({ codes: ['733'] })
      await move(placed.id, 'completed', { values: { potassium: 6.1 } })
      expect(flagged((await results(placed.id)).results)).toMatchObject([{ interpretation: 'abnormal' }])
      await move(placed.id, 'corrected')
      const [line] = (await results(placed.id)).results
      expect([line?.value === 6.1, line?.interpretation]).toEqual([false, 'abnormal'])
    }
  })

  it('lose what is out of range when corrected to normal', async () => {
    const placed = await order({ codes: ['10231', '6399', '7600'] })
    await move(placed.id, 'completed', { interpretation: 'abnormal' })
    const before = await results(placed.id)
    await move(placed.id, 'corrected', { interpretation: 'normal' })
    const after = await results(placed.id)
    expect(after.metadata).toMatchObject({ interpretation: 'normal' })
    expect(flagged(before.results).length).toBeGreaterThan(0)
    expect(flagged(after.results)).toEqual([])
  })

  it('include reflex tests when a result is out of range', async () => {
    const reflex = async (interpretation: string) => {
      const placed = await order({ codes: ['36127'] })
      await move(placed.id, 'completed', { interpretation })
      return (await results(placed.id)).results.map(({ slug }) => slug)
    }
    expect(await reflex('normal')).toEqual(['tsh'])
    expect(await reflex('abnormal')).toEqual(['tsh', 't4-free'])
  })

  it('of a redrawn order are one report, the gaps filled', async () => {
    await petri.call('PATCH', '/_petri/world', { features: { redraws: true } })
    const placed = await order({ codes: ['7600', '899', '496'] })
    await move(placed.id, 'requisition_created')
    await petri.post(`/_petri/orders/${placed.id}/move`, { status: 'redraw_available' })
    const { order_transaction, missing_results, results: before } = await results(placed.id)
    expect(missing_results?.length).toBeGreaterThan(0)
    const path = `/v3/order_transaction/${order_transaction.id}/result`
    expect((await petri.get(path)).body.results).toHaveLength(before.length)
    const redraw = (await petri.get('/v3/orders')).body.orders.find(
      ({ origin }: { origin: string }) => origin === 'redraw',
    )
    await move(redraw.id, 'completed')
    const { status, body } = await petri.get(path)
    expect(status).toBe(200)
    expect(body.missing_results).toBeNull()
    expect(body.metadata.specimen_number).toBe(redraw.sample_id)
    expect(body.results.map(({ slug }: Line) => slug).sort()).toEqual(
      [...before, ...(missing_results ?? [])].map(({ slug }) => slug).sort(),
    )
    expect(Object.keys(body.sample_information)).toHaveLength(2)
  })

  it('of a transaction are not there before any order has some', async () => {
    const placed = await order()
    const { id } = placed.order_transaction
    expect((await petri.get(`/v3/order_transaction/${id}/result`)).status).toBe(404)
    expect((await petri.get(`/v3/order_transaction/${NOBODY}/result`)).status).toBe(404)
  })
})

describe('the head of a report', () => {
  it('tells patient, laboratory and times, in the contract’s spelling and in that of its samples', async () => {
    const placed = await order({ method: 'testkit' })
    await move(placed.id, 'requisition_created')
    await petri.post('/_petri/clock/advance', { by: '3d' })
    await move(placed.id, 'delivered_to_lab')
    await petri.post('/_petri/clock/advance', { by: '2d' })
    await move(placed.id, 'completed', { interpretation: 'normal' })
    const { body } = await petri.get(`/v3/order/${placed.id}/result/metadata`)
    const { sample_id } = (await petri.get(`/v3/order/${placed.id}`)).body
    expect(body).toMatchObject({
      age: '36',
      dob: '01/01/1990',
      patient: 'Ada Example',
      'clia_#': '05D2130115',
      clia_number: '05D2130115',
      laboratory: 'USSL',
      specimen_number: sample_id,
      patient_id: placed.user_id,
      status: 'final',
      interpretation: 'normal',
      date_received: '2026-01-08T09:00:00+00:00',
    })
    const reportedAt = Date.parse('2026-01-10T09:00:00Z')
    expect(reportedAt - Date.parse(body.date_reported)).toBeGreaterThan(0)
    expect(reportedAt - Date.parse(body.date_reported)).toBeLessThan(3_600_000)
    const report = await results(placed.id)
    expect(report.metadata).toEqual(body)
    expect(report.sample_information[sample_id]).toMatchObject({
      sample_id,
      date_reported: { timestamp: body.date_reported, timezone_offset: -7 * 3600 },
      performing_laboratories: { '01': { name: 'USSL', address: { state: 'CA' } } },
    })
  })
})
