import { describe, expect, it } from 'vitest'
import type { AnalyteSeed } from '../../src/resources/catalogue/schema.ts'
import { createCatalogue } from '../../src/resources/catalogue/service.ts'
import { events } from '../../src/world/events.ts'
import { address, createUser, patient } from '../support/orders.ts'
import { startTestWorld, type TestPetri } from '../support/petri.ts'
import { rounds } from '../support/rounds.ts'

interface LabTest {
  readonly id: string
  readonly slug: string
  readonly lab: { readonly slug: string }
}

interface Line {
  readonly slug: string
  readonly provider_id: string
  readonly type: string
  readonly value: number
  readonly notes: string | null
  readonly interpretation: string
}

const analytes = new Map<string, AnalyteSeed>(
  [...createCatalogue().markers().values()].flatMap(({ lab, results }) =>
    results.map(({ slug, provider_id, analyte }) => [`${lab.slug}/${provider_id}/${slug}`, analyte] as const),
  ),
)

/** Of the markers, one in so many is ordered with each seed, alone and all together: each of them in the rounds of CI. */
const SHARE = 20
const SEEDS = rounds(4)

const births = ['1990-02-03', '2001-05-06', '1948-07-08', '1975-09-10'] as const
/** People of both sexes and several ages, one for each report: more than 200 in the rounds of CI. */
const patientOf = (nth: number) => ({
  ...patient,
  gender: nth % 2 === 0 ? 'female' : 'male',
  dob: births[Math.floor(nth / 2) % births.length],
})

interface Wanted {
  readonly labTest?: string
  readonly markers?: readonly number[]
}

/** A report that was asked to be so, and the word of its order. */
async function reported(petri: TestPetri, nth: number, wanted: Wanted, interpretation: string) {
  const placed = await petri.post('/v3/order', {
    user_id: await createUser(petri, `person-${nth}`),
    ...(wanted.labTest && { lab_test_id: wanted.labTest }),
    ...(wanted.markers && {
      order_set: { add_on: { marker_ids: wanted.markers } },
      collection_method: 'walk_in_test',
    }),
    patient_details: patientOf(nth),
    patient_address: address,
  })
  if (placed.status !== 200) return undefined
  const { id } = placed.body.order
  const body = { status: 'completed', force: true, results: { interpretation } }
  const moved = await petri.post(`/_petri/orders/${id}/move`, body)
  const lines: Line[] = (await petri.get(`/v3/order/${id}/result`)).body.results
  return { word: (await petri.get(`/v3/order/${id}`)).body.interpretation, lines, status: moved.status }
}

describe.each(['normal', 'abnormal', 'critical'] as const)('a report that is to be %s', (asked) => {
  it('has the word of its worst line, which is so if a result can be, and no value beyond what occurs', {
    timeout: rounds(60_000),
    tags: 'slow',
  }, async () => {
    let reports = 0
    for (let seed = 1; seed <= SEEDS; seed++) {
      const petri = await startTestWorld({ world: { seed: `bounds ${seed}`, scenario: 'manual' } })
      const labTests: LabTest[] = (await petri.get('/v3/lab_tests')).body
      const some = [...petri.world().services.catalogue.markers().values()].filter(
        ({ id, lab, a_la_carte_enabled: isSold }) =>
          lab.slug === 'labcorp' && isSold && id % SHARE === seed % SHARE,
      )
      const ids = some.map(({ id }) => id)
      const all: Wanted[] = [
        ...labTests.map(({ id }) => ({ labTest: id })),
        ...ids.map((id) => ({ markers: [id] })),
      ]
      for (const [nth, wanted] of [...all, { markers: ids }].entries()) {
        const found = await reported(petri, nth, wanted, asked)
        if (!found) continue
        reports++
        const where = `${JSON.stringify(wanted)}, seed ${seed}`
        const words = found.lines.map((line) => line.interpretation)
        const worst = ['critical', 'abnormal'].find((word) => words.includes(word)) ?? 'normal'
        expect([where, found.word]).toEqual([where, worst])
        for (const { provider_id, slug, type, value, interpretation } of found.lines) {
          const analyte = analytes.get(`labcorp/${provider_id}/${slug}`)
          if (!analyte) continue
          if (interpretation === 'critical')
            expect([where, slug, analyte.critical?.source]).toEqual([where, slug, expect.any(String)])
          if (type === 'numeric' && analyte.possible)
            expect([where, slug, value >= analyte.possible.low && value <= analyte.possible.high]).toEqual([
              where,
              slug,
              true,
            ])
        }
      }
    }
    expect(reports).toBeGreaterThan(SEEDS * 15)
  })
})

/** The order of a kit scenario after its last step, and what the scenario could not do. */
async function played(petri: TestPetri, scenario: string, lab_test_id?: string) {
  const { body } = await petri.post('/_petri/orders', { scenario, lab_test_id })
  await petri.post('/_petri/clock/advance', { until: 'idle' })
  const { dropped } = (await petri.get(`/_petri/orders/${body.id}/scenario`)).body
  const calls = [...petri.world().db.all(events)].filter(
    ({ event_type }) => event_type === 'labtest.result.critical',
  ).length
  return { dropped, calls, word: (await petri.get(`/v3/order/${body.id}`)).body.interpretation }
}

it('a step that asks for what no result can be is listed with those that can, and nobody is called', async () => {
  const petri = await startTestWorld()
  const made = { name: 'Lipids', description: 'Cholesterol.', method: 'testkit', marker_ids: [20007] }
  const lipids = (await petri.post('/v3/lab_tests', made)).body.id
  expect(await played(petri, 'critical-result', lipids)).toEqual({
    dropped: ['completed (not critical: no result of this order can be)'],
    calls: 0,
    word: 'abnormal',
  })
  const source = (await petri.get('/_petri/scenarios/critical-result')).body.source.replace(
    'interpretation: critical',
    'interpretation: critical, values: { glucose: 90 }',
  )
  await petri.call('PUT', '/_petri/scenarios/critical-result', { source })
  expect((await played(petri, 'critical-result')).dropped).toEqual([
    'completed (not critical: of this order, glucose can be)',
  ])
})

it('the kit that is ordered if none is named can be critical: its glucose is phoned', {
  tags: 'slow',
}, async () => {
  for (let seed = 1; seed <= rounds(5); seed++) {
    const petri = await startTestWorld({ world: { seed: `kit ${seed}` } })
    const { body } = await petri.post('/_petri/orders', { scenario: 'critical-result' })
    await petri.post('/_petri/clock/advance', { until: 'idle' })
    const lines: Line[] = (await petri.get(`/v3/order/${body.id}/result`)).body.results
    const critical = lines.filter((line) => line.interpretation === 'critical')
    expect(critical.map(({ slug }) => slug)).toEqual(['glucose'])
    const glucose = critical[0]?.value ?? 0
    expect(glucose < 40 || glucose > 450).toBe(true)
  }
})
