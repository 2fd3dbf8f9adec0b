import fc from 'fast-check'
import { expect, it } from 'vitest'
import { address, createUser, patient, readOrder, setFeatures } from '../support/orders.ts'
import { pagesOf } from '../support/pdf-text.ts'
import { startTestWorld, type TestPetri } from '../support/petri.ts'
import { rounds } from '../support/rounds.ts'

// Whatever is ordered, for whomever, from whatever seed: results a laboratory could have written.

/** The forms a range takes on the wire. Source: docs/contract/results.md. */
const RANGE = /^([<>]=?\d*(\.\d+)?|(\d*(\.\d+)?-\d*(\.\d+)?))$/
/** A bound in place of a number: `>2000`, `<=33`. */
const BOUND = /^([<>])(=)?([\d.]+)$/
const REFERENCE = /^(?:([<>])\s*(=|OR =)?\s*([\d.]+)|([\d.]+)-([\d.]+))$/i

interface Line {
  readonly name: string
  readonly slug: string
  readonly value: number
  readonly result: string
  readonly type: string
  readonly unit: string | null
  readonly interpretation: string
  readonly reference_range: string | null
  readonly min_range_value: number | null
  readonly max_range_value: number | null
  readonly is_above_max_range: boolean | null
  readonly is_below_min_range: boolean | null
  readonly provider_id: string | null
  readonly loinc: string | null
}

const wishes = fc.record({
  seed: fc.nat().map(String),
  lab: fc.constantFrom('quest', 'labcorp', 'bioreference', 'sonora_quest', 'ussl'),
  picks: fc.noBias(fc.array(fc.nat({ max: 9999 }), { minLength: 1, maxLength: 16 })),
  gender: fc.constantFrom('female', 'male', 'other', 'unknown'),
  born: fc.constantFrom('2021-03-04', '2010-01-06', '2000-02-29', '1981-12-31', '1958-07-01', '1931-05-05'),
  interpretation: fc.constantFrom('normal', 'abnormal', 'critical', 'unknown'),
  missing: fc.boolean(),
})
type Input = typeof wishes extends fc.Arbitrary<infer Value> ? Value : never

async function report(petri: TestPetri, input: Input) {
  const { lab, picks, gender, born } = input
  await setFeatures(petri, { minor_ordering: true })
  const markers = [...petri.world().services.catalogue.markers().values()].filter(
    (marker) =>
      marker.lab.slug === lab &&
      marker.is_orderable &&
      !marker.isReflex &&
      !marker.aoe?.questions.some(({ required }) => required) &&
      (marker.results.length > 1 || marker.id % 7 === 0),
  )
  const chosen = [...new Set(picks.map((at) => markers[at % markers.length]?.id))]
  const method = lab === 'ussl' ? 'testkit' : 'walk_in_test'
  const made = { name: 'Any', method, description: 'x', marker_ids: chosen }
  const proxy = { ...patient, relationship: 'Parent', address: { ...address, access_notes: null } }
  const { receiver_name: _, ...home } = address
  const details = {
    ...patient,
    gender,
    dob: born,
    medical_proxy: { ...proxy, address: home, household: null },
  }
  const order = await petri.post('/v3/order', {
    user_id: await createUser(petri),
    lab_test_id: (await petri.post('/v3/lab_tests', made)).body.id,
    patient_details: details,
    patient_address: lab === 'bioreference' ? { ...address, state: 'NY', zip: '10001' } : address,
    ...(lab === 'bioreference' && { billing_type: 'patient_bill_passthrough' }),
  })
  if (order.status !== 200) throw new Error(JSON.stringify(order.body))
  const { id } = order.body.order
  await petri.post(`/v3/order/${id}/test`, {
    interpretation: input.interpretation,
    has_missing_results: input.missing,
  })
  const path = `/v3/order/${id}/result`
  const pdf = await petri.petri.app.request(`${path}/pdf`, { headers: { 'x-service-api-key': petri.key } })
  const texts = pagesOf(Buffer.from(await pdf.arrayBuffer())).flat()
  return {
    body: await petri.read(path),
    texts,
    order: await readOrder(petri, id),
    chosen,
  }
}

function checkFlags(line: Line): void {
  const { value, result, reference_range: range, min_range_value: low, max_range_value: high } = line
  const about = JSON.stringify(line)
  if (line.type === 'range') expect(result, about).toMatch(RANGE)
  const isNumber = line.type === 'numeric'
  if (isNumber) {
    expect(Number(result), about).toBe(value)
    expect(value, about).toBeGreaterThanOrEqual(0)
  } else expect(value, about).toBe(-1)
  const sides = [line.is_above_max_range, line.is_below_min_range]
  if (range === null) {
    expect([low, high], about).toEqual([null, null])
    if (!isNumber) expect(sides, about).toEqual([null, null])
    return
  }
  const [, sign, closed, bound, from, to] = REFERENCE.exec(range) ?? expect.fail(about)
  const bounds =
    sign === '<' ? [null, Number(bound)] : sign === '>' ? [Number(bound), null] : [Number(from), Number(to)]
  expect([low, high], about).toEqual(bounds)
  const leavesOut = sign !== undefined && closed === undefined
  const [, comparator, equal, limit] = BOUND.exec(result) ?? []
  const [least, most] = isNumber
    ? [value, value]
    : [comparator === '>' ? Number(limit) : 0, comparator === '<' ? Number(limit) : Number.POSITIVE_INFINITY]
  const atEnds = leavesOut || (!isNumber && equal === undefined)
  const above = high !== null && (atEnds ? least >= high : least > high)
  const below = low !== null && (atEnds ? most <= low : most < low)
  // A bound says on which side it lies, if all values beyond it lie there.
  const says = isNumber || (comparator !== undefined && (above || below))
  expect(sides, about).toEqual(says ? [above, below] : [null, null])
  if (line.interpretation === 'normal') expect(above || below, about).toBe(false)
  if (isNumber && (line.interpretation === 'abnormal' || line.interpretation === 'critical')) {
    expect(above || below, about).toBe(true)
  }
}

/** What is calculated, and from what, as laboratories do it. */
const sums: Record<string, readonly [from: readonly string[], compute: (...from: number[]) => number]> = {
  // The equation of Sampson and others, 2020.
  'ldl-cholesterol-calc': [
    ['cholesterol-total', 'hdl-cholesterol', 'triglycerides'],
    (total = 0, hdl = 0, tg = 0) =>
      total / 0.948 - hdl / 0.971 - (tg / 8.56 + (tg * (total - hdl)) / 2140 - tg ** 2 / 16_100) - 9.44,
  ],
  'vldl-cholesterol-calc': [
    ['cholesterol-total', 'hdl-cholesterol', 'ldl-cholesterol-calc'],
    (total = 0, hdl = 0, ldl = 0) => total - hdl - ldl,
  ],
  'cholesterol-hdl-ratio': [['cholesterol-total', 'hdl-cholesterol'], (total = 0, hdl = 1) => total / hdl],
  'bun-creatinine-ratio': [['bun', 'creatinine'], (bun = 0, creatinine = 1) => bun / creatinine],
  'globulin-total': [['protein-total', 'albumin'], (protein = 0, albumin = 0) => protein - albumin],
  mcv: [['hematocrit', 'rbc'], (hematocrit = 0, rbc = 1) => (hematocrit / rbc) * 10],
  mch: [['hemoglobin', 'rbc'], (hemoglobin = 0, rbc = 1) => (hemoglobin / rbc) * 10],
  mchc: [['hemoglobin', 'hematocrit'], (hemoglobin = 0, hematocrit = 1) => (hemoglobin / hematocrit) * 100],
  'neutrophils-absolute': [['wbc', 'neutrophils'], (wbc = 0, share = 0) => (wbc * share) / 100],
  neutrophils: [
    ['lymphocytes', 'monocytes', 'eosinophils', 'basophils'],
    (...others) => 100 - others.reduce((sum, other) => sum + other, 0),
  ],
}

let checked = 0
function checkSums(petri: TestPetri, lines: readonly Line[]): void {
  const catalogue = petri.world().services.catalogue
  const bySlug = new Map<string, number>()
  for (const line of lines.filter(({ type }) => type === 'numeric')) {
    for (const marker of catalogue.markers().values()) {
      const result = marker.results.find(
        ({ slug, provider_id }) => slug === line.slug && provider_id === line.provider_id,
      )
      if (result) bySlug.set(result.analyte.slug, line.value)
    }
  }
  for (const [slug, [from, compute]] of Object.entries(sums)) {
    const known = from.flatMap((each) => bySlug.get(each) ?? [])
    const value = bySlug.get(slug)
    if (value === undefined || known.length < from.length) continue
    const step = 10 ** -(catalogue.analytes().get(slug)?.decimals ?? 0)
    expect(Math.abs(value - compute(...known)), `${slug} ${value} of ${known}`).toBeLessThanOrEqual(
      step / 2 + 1e-6,
    )
    checked++
  }
}

// Random people, each with orders whose PDFs are read back.
it('results add up, agree with their ranges, and are all in the PDF', {
  timeout: rounds(60_000),
  tags: 'slow',
}, async () => {
  let lines = 0
  await fc.assert(
    fc.asyncProperty(wishes, async (input) => {
      const petri = await startTestWorld({ world: { seed: input.seed, scenario: 'manual' } })
      const { body, texts, order, chosen } = await report(petri, input)
      const results: Line[] = body.results
      lines += results.length
      const said = texts.join(' ')
      for (const line of results) {
        checkFlags(line)
        for (const word of line.name.split(' ')) expect(said, line.name).toContain(word)
        for (const word of line.result.split(' ')) expect(said, line.name).toContain(word)
        if (line.type === 'numeric') expect(texts, line.name).toContain(line.result)
        if (line.reference_range) expect(texts, line.name).toContain(line.reference_range)
      }
      checkSums(petri, results)
      const bad = results.map(({ interpretation }) => interpretation)
      if (input.interpretation === 'normal') expect(bad).not.toContain('abnormal')
      if (input.interpretation === 'unknown') expect(bad.filter((word) => word !== 'unknown')).toEqual([])
      const usual = input.interpretation === 'unknown' ? 'unknown' : 'normal'
      const worst = ['critical', 'abnormal'].find((word) => bad.includes(word)) ?? usual
      expect([order.interpretation, body.metadata.interpretation]).toEqual([worst, worst])
      const { markers } = petri.world().services.catalogue
      const expected = chosen.flatMap((id) => (id === undefined ? [] : (markers().get(id)?.results ?? [])))
      const there = new Set(expected.map(({ id }) => id)).size
      if (there > 1 && input.missing) {
        expect(body.missing_results.length).toBeGreaterThan(0)
        expect(results.length).toBeGreaterThan(0)
        for (const { name } of body.missing_results) expect(texts).toContain(name)
      }
    }),
    { numRuns: rounds(40) },
  )
  expect(lines).toBeGreaterThan(300)
  expect(checked).toBeGreaterThan(20)
})
