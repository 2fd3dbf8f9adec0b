import { describe, expect, it } from 'vitest'
import type { AnalyteSeed } from '../../src/resources/catalogue/schema.ts'
import { createCatalogue } from '../../src/resources/catalogue/service.ts'
import { NOT_PHONED } from '../../src/resources/results/lines.ts'
import { advance } from '../support/orders.ts'
import { startTestWorld } from '../support/petri.ts'
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

/** Four in a usual run; 200 of each lab test in the rounds of CI (`TEST_ROUNDS=50`). */
const SEEDS = rounds(4)

describe.each(['abnormal', 'critical'] as const)('an %s report', (interpretation) => {
  it('has a line that says so, and no value beyond what occurs, for every bundled lab test', {
    tags: 'slow',
  }, async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const petri = await startTestWorld({ world: { seed: `bounds ${seed}`, scenario: 'manual' } })
      const labTests: LabTest[] = (await petri.get('/v3/lab_tests')).body
      for (const { id, slug, lab } of labTests) {
        const placed = await petri.post('/_petri/orders', { lab_test_id: id })
        expect([slug, placed.status]).toEqual([slug, 201])
        const order = placed.body.id
        const status = 'completed'
        const body = { status, force: true, results: { interpretation } }
        expect((await petri.post(`/_petri/orders/${order}/move`, body)).status).toBe(200)
        await advance(petri, '1s')
        const lines: Line[] = (await petri.get(`/v3/order/${order}/result`)).body.results
        const where = `${slug}, seed ${seed}`
        expect([where, lines.some((line) => line.interpretation === interpretation)]).toEqual([where, true])
        const critical = lines.filter((line) => line.interpretation === 'critical')
        for (const line of lines) {
          const { slug: name, type, value } = line
          const analyte = analytes.get(`${lab.slug}/${line.provider_id}/${name}`)
          expect([where, name, analyte === undefined]).toEqual([where, name, false])
          if (type !== 'numeric' || !analyte?.possible) continue
          const { low, high } = analyte.possible
          expect([where, name, value, value >= low && value <= high]).toEqual([where, name, value, true])
          if (line.interpretation !== 'critical') continue
          const isPhoned = analyte.critical !== undefined
          expect([where, name, value, isPhoned || critical.length === 1]).toEqual([where, name, value, true])
          expect([where, name, line.notes === NOT_PHONED]).toEqual([where, name, !isPhoned])
        }
      }
    }
  })
})

it('a critical report of a panel that no laboratory phones shows triglycerides at which LDL is not calculated', async () => {
  const petri = await startTestWorld({ world: { seed: 'lipids' } })
  const labTests: LabTest[] = (await petri.get('/v3/lab_tests')).body
  const lab_test_id = labTests.find(({ slug }) => slug === 'general_wellness_female_002')?.id
  const { body } = await petri.post('/_petri/orders', { scenario: 'critical-result', lab_test_id })
  await petri.post('/_petri/clock/advance', { until: 'idle' })
  const lines: Line[] = (await petri.get(`/v3/order/${body.id}/result`)).body.results
  const lineOf = (slug: string) => lines.find((line) => line.slug === slug)
  expect(lineOf('triglycerides')).toMatchObject({ interpretation: 'critical', notes: NOT_PHONED })
  expect(lineOf('triglycerides')?.value).toBeGreaterThan(1000)
  expect(lineOf('ldl-cholesterol-calc')).toMatchObject({ type: 'comment', interpretation: 'unknown' })
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
