import { describe, expect, it } from 'vitest'
import { orderBy, sendOrder } from '../support/orders.ts'
import { startTestPetri } from '../support/petri.ts'

const petri = await startTestPetri()

const methods = { t: 'testkit', h: 'at_home_phlebotomy', w: 'walk_in_test', o: 'on_site_collection' }
const samples = { d: 'dried_blood_spot', v: 'serum', s: 'saliva', u: 'urine', a: 'arm_collector' }

/** The laboratories in the order of the list: id, slug, name, street, city, ZIP code, methods, samples. */
const laboratories = `24|my_uti|MyUTI|No Address|Chicago|00000|t|d
25|sonora_quest|Sonora Quest|1255 West Washington Street|Tempe|85281|hwo|vsu
26|crl|CRL|11711 W 83rd Terrace|Lenexa|66214|t|a
27|mtl|Molecular Testing Labs|14401 SE 1st Street|Vancouver|98684|t|s
22|nexus|Nexus|313 Pleasant Street|Watertown|02472|t|ud
17|precision_analytical|Precision Analytical|3138 NE Rivergate Street|McMinnville|97128|t|d
20|boston_heart_at_home_kit|Boston Heart At-Home Kit|200 Crossing Boulevard|Framingham|01702|t|ds
7|diagnosticsolutions|Diagnostic Solutions| 5895 Shiloh Rd|Alpharetta|30005|hwt|vds
8|cellsciencesystems|Cell Science Systems|852 S. Military Trail|Deerfield Beach|33442|hwt|vds
6|labcorp|Labcorp|Labcorp|San Diego|92128|hwo|vsu
13|bioreference|BioReference|481 Edward H Ross Dr|Elmwood park|07407|who|vsu
40|us_biotek|US Biotek|16020 Linden Ave N|Shoreline|98133|t|d
21|ihd|IHD|1936 E Deere Ave. Suite 115|Santa Ana|92705|thw|uv
4|quest|Quest|Quest|San Diego|92128|hwo|vsu
23|sanocardio|SanoCardio|N/A|N/a|N/A|t|d
1|ayumetrix|Ayumetrix|17387 SW 63rd Ave|Lake Oswego|97035|t|ds
9|genova|Genova Diagnostics| P.O. Box 3220|Asheville|28802|hwt|vds
14|zrt|ZRT Laboratory|8605 SW Creekside Pl|Beaverton|97008|t|vds
3|ussl|USSL|15150 Avenue of Science, Suite 100|San Diego|92128|t|d
2|spiriplex|Spiriplex|100 Tri State International #100|Lincolnshire|60069|t|d`
  .split('\n')
  .map((line) => {
    const [id, slug = '', name, first_line_address, city, zipcode, ways, kinds] = line.split('|')
    return {
      id: Number(id),
      slug,
      name,
      first_line_address,
      city,
      zipcode,
      collection_methods: [...(ways ?? '')].map((letter) => methods[letter as keyof typeof methods]),
      sample_types: [...(kinds ?? '')].map((letter) => samples[letter as keyof typeof samples]),
      logo_url: null,
    }
  })

/** The three lab tests of every team. */
const standard = {
  cmp: {
    id: 'c533549c-1e62-4afe-9a0e-0567a9b2bcc2',
    slug: 'comprehensive_metabolic_panel',
    name: 'CMP',
    sample_type: 'serum',
    method: 'walk_in_test',
    price: 86,
    lab: 'labcorp',
    marker: 2075,
    days: [3, 5],
  },
  kit: {
    id: '0cb9f34f-c3df-4a13-8ca1-19429a82611b',
    slug: 'general_wellness_female_002',
    name: 'Female General Wellness',
    sample_type: 'dried_blood_spot',
    method: 'testkit',
    price: 45,
    lab: 'ussl',
    marker: null,
    days: [null, null],
  },
  home: {
    id: 'b439efda-1e07-4d2c-8afb-51771c7cc0cb',
    slug: 'lipid_panel_athome',
    name: 'Lipid Panel: At Home',
    sample_type: 'serum',
    method: 'at_home_phlebotomy',
    price: 450.9,
    lab: 'labcorp',
    marker: 1975,
    days: [3, 5],
  },
}
type Standard = (typeof standard)[keyof typeof standard]

const labTestKeys =
  'id slug name sample_type method price is_active status fasting lab markers is_delegated auto_generated source_sandbox_lab_test_id has_collection_instructions common_tat_days worst_case_tat_days'.split(
    ' ',
  )
const markerKeys =
  'id name slug description lab_id provider_id type unit price aoe a_la_carte_enabled common_tat_days worst_case_tat_days is_orderable'.split(
    ' ',
  )

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
  it.each(laboratories.map((lab, at) => [lab.slug, at, lab] as const))(
    'has the laboratory %s at place %i, as recorded',
    async (_, at, lab) => {
      const { body } = await petri.get('/v3/lab_tests/labs')
      expect(body).toHaveLength(20)
      expect(JSON.stringify(body[at])).toBe(JSON.stringify(lab))
    },
  )

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

describe('the standard lab tests', () => {
  /** The lab test as recorded, without its marker. */
  const bodyOf = ({ lab, marker: _, days: [common, worst], ...fields }: Standard) => ({
    ...fields,
    is_active: true,
    status: 'active',
    fasting: false,
    lab: laboratories.find(({ slug }) => slug === lab),
    is_delegated: false,
    auto_generated: false,
    source_sandbox_lab_test_id: null,
    has_collection_instructions: false,
    common_tat_days: common,
    worst_case_tat_days: worst,
  })

  it.each(Object.entries(standard))('%s is whole, in the recorded order of keys', async (_, labTest) => {
    const { body } = await petri.get(`/v3/lab_tests/${labTest.id}`)
    expect(Object.keys(body)).toEqual(labTestKeys)
    const { markers, ...fields } = body
    expect(fields).toEqual(bodyOf(labTest))
    if (labTest.marker === null) return expect(markers).toBeNull()
    expect(markers).toHaveLength(1)
    expect(Object.keys(markers[0])).toEqual(markerKeys)
    expect(markers[0]).toMatchObject({ id: labTest.marker, description: markers[0].name })
  })

  it('have the same ids in every world', async () => {
    const { body: world } = await petri.post('/_petri/worlds', { seed: '7' })
    const { body } = await petri.get('/v3/lab_tests', { 'x-service-api-key': world.api_key })
    const { kit, home, cmp } = standard
    expect(body.slice(0, 3).map(({ id }: { id: string }) => id)).toEqual([kit.id, home.id, cmp.id])
  })

  it('come first in both lists, each in its own order', async () => {
    const { cmp, kit, home } = standard
    const idsOf = (rows: { id: string }[]) => rows.slice(0, 3).map(({ id }) => id)
    const page = (await petri.get('/v3/lab_test')).body
    expect(Object.keys(page)).toEqual(['data', 'next_cursor'])
    expect(page.next_cursor).toBeNull()
    expect(idsOf(page.data)).toEqual([cmp.id, kit.id, home.id])
    expect(page.data.every((row: object) => 'source_sandbox_lab_test_id' in row)).toBe(true)
    const list = (await petri.get('/v3/lab_tests')).body
    expect(idsOf(list)).toEqual([kit.id, home.id, cmp.id])
    expect(
      page.data.slice(0, 3).some(({ method }: { method: string }) => method === 'on_site_collection'),
    ).toBe(false)
  })

  it.each(Object.entries(standard))('%s has pages of markers as recorded', async (_, { id, marker }) => {
    const { body } = await petri.get(`/v3/lab_tests/${id}/markers`)
    const count = marker === null ? 0 : 1
    expect(Object.keys(body)).toEqual(['markers', 'total', 'page', 'size', 'pages'])
    expect(body).toMatchObject({ total: count, page: 1, size: 50, pages: count })
    expect(body.markers).toHaveLength(count)
    for (const each of body.markers) {
      expect(Object.keys(each)).toEqual([...markerKeys, 'expected_results'])
      for (const result of each.expected_results) {
        expect(Object.keys(result)).toEqual([
          'id',
          'name',
          'slug',
          'lab_id',
          'provider_id',
          'required',
          'loinc',
        ])
        expect(Object.keys(result.loinc)).toEqual(['id', 'name', 'slug', 'code', 'unit'])
      }
    }
  })

  it('have no markers on a page past the end', async () => {
    const { body } = await petri.get(`/v3/lab_tests/${standard.cmp.id}/markers?page=2`)
    expect(body).toEqual({ markers: [], total: 0, page: 2, size: 50, pages: 1 })
  })

  it('describe each marker by its name', async () => {
    const { markers } = (await petri.get('/v3/lab_tests/markers?size=100')).body
    for (const { name, description } of markers) expect(description).toBe(name)
  })

  it.each(Object.values(standard).map((labTest) => [labTest.name, labTest] as const))(
    '%s can be ordered and reported',
    async (_, { id, method, marker }) => {
      const answer = await sendOrder(
        petri,
        { lab_test_id: id },
        { headers: { 'x-petri-scenario': 'manual' } },
      )
      expect(answer.status).toBe(200)
      const { order } = answer.body
      const { source_sandbox_lab_test_id: __, ...shown } = (await petri.get(`/v3/lab_tests/${id}`)).body
      const description = method === 'testkit' ? { description: expect.any(String) } : {}
      expect(order.lab_test).toEqual({ ...shown, ...description })
      await petri.post(`/_petri/orders/${order.id}/move`, { status: 'completed', force: true })
      const { results } = (await petri.get(`/v3/order/${order.id}/result`)).body
      expect(results.length).toBeGreaterThan(marker === 1975 ? 5 : 6)
    },
  )
})
