import { describe, expect, it } from 'vitest'
import { orderBy } from '../support/orders.ts'
import { startTestPetri } from '../support/petri.ts'

const petri = await startTestPetri()

/** The ids that the live sandbox gives laboratories. */
const laboratories = {
  ...{
    ayumetrix: 1,
    spiriplex: 2,
    ussl: 3,
    quest: 4,
    labcorp: 6,
    diagnosticsolutions: 7,
    cellsciencesystems: 8,
  },
  ...{
    genova: 9,
    bioreference: 13,
    zrt: 14,
    precision_analytical: 17,
    boston_heart_at_home_kit: 20,
    ihd: 21,
  },
  ...{ nexus: 22, sanocardio: 23, my_uti: 24, sonora_quest: 25, crl: 26, mtl: 27, us_biotek: 40 },
}

/** Two panels of Labcorp as recorded: id, name, slug, order code, then LOINC id, name, slug, code and unit. */
const panels: Record<string, readonly [id: number, name: string, code: string, results: string]> = {
  lipid: [
    1975,
    'Lipid Panel',
    '303756',
    `1109|Cholesterol, Total|cholesterol-total|001065|11940|Cholesterol [Mass/Vol]|cholesterol-mass-vol|2093-3|mg/dL
1110|HDL Cholesterol|hdl-cholesterol|011817|11858|Cholesterol in HDL [Mass/Vol]|cholesterol-in-hdl-mass-vol|2085-9|mg/dL
1112|Triglycerides|triglycerides|001172|16384|Triglyceride [Mass/Vol]|triglyceride-mass-vol|2571-8|mg/dL
242764|LDL Calc Comment:|ldl-calc-comment|011926|53832|Service comment [Interp]|service-comment-interp|8251-1|
242780|VLDL Cholesterol Cal|vldl-cholesterol-cal|011925|5062|Cholesterol in VLDL Calc [Mass/Vol]|cholesterol-in-vldl-calc-mass-vol|13458-5|mg/dL
242790|LDL Chol Calc (NIH)|ldl-chol-calc-nih|012065|5060|Cholesterol in LDL Calc [Mass/Vol]|cholesterol-in-ldl-calc-mass-vol|13457-7|mg/dL`,
  ],
  metabolic: [
    2075,
    'Comp. Metabolic Panel (14)',
    '322000',
    `364|AST (SGOT)|ast-sgot|001123|10684|AST [Catalytic activity/Vol]|ast-catalytic-activity-vol|1920-8|U/L
471|ALT (SGPT)|alt-sgpt|001545|9362|ALT [Catalytic activity/Vol]|alt-catalytic-activity-vol|1742-6|U/L
1045|BUN|bun|001040|19958|Urea nitrogen [Mass/Vol]|urea-nitrogen-mass-vol|3094-0|mg/dL
1050|eGFR|egfr|100779|61049|GFR/1.73 sq M.predicted Creatinine-based formula (CKD-EPI 2021) (S/P/Bld) [Vol rate/Area]|gfr-1-73-sq-m-predicted-creatinine-based-formula-ckd-epi-2021-s-p-bld-vol-rate-area|98979-8|mL/min/{1.73_m2}
1051|Creatinine|creatinine|001370|12675|Creatinine [Mass/Vol]|creatinine-mass-vol|2160-0|mg/dL
1238|Protein, Total|protein-total|001073|18410|Protein [Mass/Vol]|protein-mass-vol|2885-2|g/dL
1266|Calcium|calcium|001016|9833|Calcium [Mass/Vol]|calcium-mass-vol|17861-6|mg/dL
1267|BUN/Creatinine Ratio|bun-creatinine-ratio|011577|19962|Urea nitrogen/Creatinine [Mass ratio]|urea-nitrogen-creatinine-mass-ratio|3097-3|mg/mg{creat}
1268|Carbon Dioxide, Total|carbon-dioxide-total|001578|11320|CO2 [Moles/Vol]|co2-moles-vol|2028-9|mmol/L
1269|Glucose|glucose|001032|14491|Glucose [Mass/Vol]|glucose-mass-vol|2345-7|mg/dL
1270|Potassium|potassium|001180|18272|Potassium [Moles/Vol]|potassium-moles-vol|2823-3|mmol/L
1271|Sodium|sodium|001198|18724|Sodium [Moles/Vol]|sodium-moles-vol|2951-2|mmol/L
1272|Chloride|chloride|001206|11738|Chloride [Moles/Vol]|chloride-moles-vol|2075-0|mmol/L
1370|Bilirubin, Total|bilirubin-total|001099|11239|Bilirubin [Mass/Vol]|bilirubin-mass-vol|1975-2|mg/dL
1956|Albumin|albumin|001081|9462|Albumin [Mass/Vol]|albumin-mass-vol|1751-7|g/dL
2304|Globulin, Total|globulin-total|012039|2951|Globulin Calc (S) [Mass/Vol]|globulin-calc-s-mass-vol|10834-0|g/L
13|Alkaline Phosphatase|alkaline-phosphatase|001107|45530|ALP [Catalytic activity/Vol]|alp-catalytic-activity-vol|6768-6|U/L`,
  ],
}

const fasting = {
  ...{ id: 1, required: false, code: 'FSTING', value: 'FASTING', type: 'choice', sequence: 1 },
  answers: [
    { id: 1, code: 'N', value: 'No' },
    { id: 2, code: 'Y', value: 'Yes' },
  ],
  ...{ constraint: null, default: null },
}

describe('the catalogue recorded in the live sandbox', () => {
  it('has the laboratories under their ids', async () => {
    const { body } = await petri.get('/v3/lab_tests/labs')
    const found = body.map(({ slug, id }: { slug: string; id: number }) => [slug, id])
    expect(Object.fromEntries(found)).toEqual(laboratories)
  })

  it.each(Object.entries(panels))('has the %s panel whole', async (_, [id, name, code, results]) => {
    const { body } = await petri.get(`/v3/lab_tests/markers?lab_id=6&name=${code}`)
    const panel = body.markers.find((marker: { id: number }) => marker.id === id)
    const { expected_results, ...marker } = panel
    expect(marker).toMatchObject({
      ...{ id, name, provider_id: code, lab_id: 6, type: 'biomarker', unit: null, price: 'N/A' },
      ...{ common_tat_days: 3, worst_case_tat_days: 5, is_orderable: true, a_la_carte_enabled: true },
      aoe: { questions: [fasting] },
    })
    expect(expected_results).toEqual(
      results.split('\n').map((line) => {
        const [own, title, slug, provider_id, loincId, loincName, loincSlug, loincCode, unit] =
          line.split('|')
        const loinc = {
          id: Number(loincId),
          name: loincName,
          slug: loincSlug,
          code: loincCode,
          unit: unit || null,
        }
        return { id: Number(own), name: title, slug, lab_id: 6, provider_id, required: true, loinc }
      }),
    )
  })

  it('is large enough to be paged through and searched', async () => {
    const page = async (query: string) => (await petri.get(`/v3/lab_tests/markers?${query}`)).body
    const first = await page('size=100')
    expect(first.total).toBeGreaterThanOrEqual(1500)
    const last = await page(`size=100&page=${first.pages}`)
    expect(last.markers.length).toBeGreaterThan(0)
    const almonds = await page('name=almond')
    expect(almonds.markers.map(({ name }: { name: string }) => name)).toContain('Almond IgE')
    expect(almonds.total).toBeLessThan(10)
  })

  it('can be ordered, one marker at a time, and answers its questions or not', async () => {
    const { markers } = (await petri.get('/v3/lab_tests/markers?lab_id=6&name=aldosterone')).body
    const [{ id, aoe }] = markers
    const add_on = { marker_ids: [id] }
    const more = { order_set: { add_on }, collection_method: 'walk_in_test' }
    await orderBy(petri, 'walk_in_test', more)
    const [question] = aoe.questions
    const aoe_answers = [{ marker_id: id, question_id: question.id, answer: '0830' }]
    const order = await orderBy(petri, 'walk_in_test', { ...more, aoe_answers })
    await petri.post(`/v3/order/${order.id}/test`)
    const { results } = (await petri.get(`/v3/order/${order.id}/result`)).body
    expect(results.map(({ name }: { name: string }) => name)).toEqual(['Aldosterone'])
  })
})
