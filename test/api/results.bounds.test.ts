import { describe, expect, it } from 'vitest'
import { toDate } from '../../src/kernel/instant.ts'
import { groupBy } from '../../src/kernel/list.ts'
import { yearsBetween } from '../../src/people/dates.ts'
import type { AnalyteSeed } from '../../src/resources/catalogue/schema.ts'
import { createCatalogue, type Marker } from '../../src/resources/catalogue/service.ts'
import { canBe } from '../../src/resources/results/goals.ts'
import { field } from '../support/field.ts'
import {
  address,
  createUser,
  patient,
  readFollowed,
  readOrder,
  readResult,
  untilIdle,
} from '../support/orders.ts'
import { eventsOf, startTestWorld, type TestPetri } from '../support/petri.ts'
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

const markers = [...createCatalogue().markers().values()]
const sold = markers.filter(({ a_la_carte_enabled }) => a_la_carte_enabled)
const analytes = new Map<string, AnalyteSeed>(
  markers.flatMap(({ lab, results }) =>
    results.map(({ slug, provider_id, analyte }) => [`${lab.slug}/${provider_id}/${slug}`, analyte] as const),
  ),
)

/** Of the markers of all laboratories, one in so many is ordered with each seed, alone and all together: each of them in the rounds of CI. */
const SHARE = 40
const SEEDS = rounds(3)

const births = ['1990-02-03', '2001-05-06', '1948-07-08', '1975-09-10'] as const
/** People of both sexes and several ages, one for each report: more than 200 in the rounds of CI. */
const patientOf = (nth: number) => ({
  ...patient,
  gender: nth % 2 === 0 ? ('female' as const) : ('male' as const),
  dob: births[Math.floor(nth / 2) % births.length] ?? births[0],
})

interface Wanted {
  readonly labTest?: string
  readonly markers?: readonly Marker[]
}

const draws = ['quest', 'labcorp', 'bioreference', 'sonora_quest']

/** The lab test of an order: a listed one, or these markers, of which a kit is made where nobody draws blood. */
async function testOf(petri: TestPetri, { labTest, markers = [] }: Wanted) {
  if (labTest) return { lab_test_id: labTest }
  const marker_ids = markers.map(field('id'))
  const lab = markers[0]?.lab.slug ?? ''
  const kit = { name: 'A kit', description: 'Markers.', method: 'testkit', marker_ids }
  if (!draws.includes(lab)) return { lab_test_id: (await petri.post('/v3/lab_tests', kit)).body.id }
  const order = { order_set: { add_on: { marker_ids } }, collection_method: 'walk_in_test' }
  if (lab !== 'bioreference') return order
  const patient_address = { ...address, state: 'NY', zip: '10001' }
  return { ...order, patient_address, billing_type: 'patient_bill_passthrough' }
}

/** A report that was asked to be so, and the word of its order. */
async function reported(petri: TestPetri, nth: number, wanted: Wanted, interpretation: string) {
  const placed = await petri.post('/v3/order', {
    user_id: await createUser(petri, `person-${nth}`),
    patient_details: patientOf(nth),
    patient_address: address,
    ...(await testOf(petri, wanted)),
  })
  if (placed.status !== 200) return undefined
  const { id } = placed.body.order
  const body = { status: 'completed', force: true, results: { interpretation } }
  const moved = await petri.post(`/_petri/orders/${id}/move`, body)
  const lines: Line[] = (await readResult(petri, id)).results
  const { interpretation: word, lab_test } = await readOrder(petri, id)
  return { word, lab: lab_test.lab.slug, lines, status: moved.status }
}

describe.each(['normal', 'abnormal', 'critical'] as const)('a report that is to be %s', (asked) => {
  it('has the word of its worst line, which is so if a result can be, and no value beyond what occurs', {
    timeout: rounds(60_000),
    tags: 'slow',
  }, async () => {
    const reports = new Map<string, number>()
    for (let seed = 1; seed <= SEEDS; seed++) {
      const petri = await startTestWorld({ world: { seed: `bounds ${seed}`, scenario: 'manual' } })
      const labTests: LabTest[] = await petri.read('/v3/lab_tests')
      const some = sold.filter((_, nth) => nth % SHARE === seed % SHARE)
      const all: Wanted[] = [
        ...labTests.map(({ id }) => ({ labTest: id })),
        ...some.map((marker) => ({ markers: [marker] })),
        ...[...groupBy(some, ({ lab }) => lab.slug).values()].map((markers) => ({ markers })),
      ]
      for (const [nth, wanted] of all.entries()) {
        const found = await reported(petri, nth, wanted, asked)
        if (!found) continue
        reports.set(found.lab, (reports.get(found.lab) ?? 0) + 1)
        const { labTest, markers = [] } = wanted
        const where = `${labTest ?? markers.map(field('id'))}, seed ${seed}`
        const words = found.lines.map((line) => line.interpretation)
        const worst = ['critical', 'abnormal'].find((word) => words.includes(word)) ?? 'normal'
        expect([where, found.word]).toEqual([where, worst])
        const { gender, dob } = patientOf(nth)
        const who = { sex: gender, age: yearsBetween(dob, toDate(petri.world().clock.now())) }
        const able = markers
          .flatMap(({ results }) => results)
          .filter((result) => result.required && asked !== 'normal' && canBe(result, asked, who))
        if (able.length > 0) expect([where, worst]).toEqual([where, asked])
        for (const { provider_id, slug, type, value, interpretation } of found.lines) {
          const analyte = analytes.get(`${found.lab}/${provider_id}/${slug}`)
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
    expect(Math.min(...draws.map((lab) => reports.get(lab) ?? 0))).toBeGreaterThan(SEEDS * 8)
    expect(reports.size).toBeGreaterThan(7)
  })
})

/** The order of a kit scenario after its last step, and what the scenario could not do. */
async function played(petri: TestPetri, scenario: string, lab_test_id?: string) {
  const { body } = await petri.post('/_petri/orders', { scenario, lab_test_id })
  await untilIdle(petri)
  const { dropped } = await readFollowed(petri, body.id)
  const calls = eventsOf(petri).filter(({ event_type }) => event_type === 'labtest.result.critical').length
  return { dropped, calls, word: (await readOrder(petri, body.id)).interpretation }
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
  const source = (await petri.read('/_petri/scenarios/critical-result')).source.replace(
    'interpretation: critical',
    'interpretation: critical, values: { glucose: 90 }',
  )
  await petri.put('/_petri/scenarios/critical-result', { source })
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
    await untilIdle(petri)
    const lines: Line[] = (await readResult(petri, body.id)).results
    const critical = lines.filter((line) => line.interpretation === 'critical')
    expect(critical.map(field('slug'))).toEqual(['glucose'])
    const glucose = critical[0]?.value ?? 0
    expect(glucose < 40 || glucose > 450).toBe(true)
  }
})
