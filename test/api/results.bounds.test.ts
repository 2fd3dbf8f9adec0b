import { describe, expect, it } from 'vitest'
import { occurring } from '../../src/resources/results/models.ts'
import { advance } from '../support/orders.ts'
import { startTestWorld } from '../support/petri.ts'
import { rounds } from '../support/rounds.ts'

interface Line {
  readonly slug: string
  readonly type: string
  readonly value: number
  readonly interpretation: string
}

describe.each(['abnormal', 'critical'] as const)('an %s report', (interpretation) => {
  it('has a line that says so, and no value beyond what occurs, for every bundled lab test', async () => {
    for (let seed = 1; seed <= rounds(4); seed++) {
      const petri = await startTestWorld({ world: { seed: `bounds ${seed}`, scenario: 'manual' } })
      const labTests: { id: string; slug: string }[] = (await petri.get('/v3/lab_tests')).body
      for (const { id, slug } of labTests) {
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
        for (const { slug: name, type, value } of lines) {
          const [low, high] = occurring[name] ?? [0, Number.POSITIVE_INFINITY]
          if (type !== 'numeric') continue
          expect([where, name, value, value >= low && value <= high]).toEqual([where, name, value, true])
        }
      }
    }
  })
})

it('a critical report of a panel that no laboratory phones shows triglycerides at which LDL is not calculated', async () => {
  const petri = await startTestWorld({ world: { seed: 'lipids' } })
  const { body } = await petri.post('/_petri/orders', { scenario: 'critical-result' })
  await petri.post('/_petri/clock/advance', { until: 'idle' })
  const lines: Line[] = (await petri.get(`/v3/order/${body.id}/result`)).body.results
  const lineOf = (slug: string) => lines.find((line) => line.slug === slug)
  expect(lineOf('triglycerides')).toMatchObject({ interpretation: 'critical' })
  expect(lineOf('triglycerides')?.value).toBeGreaterThan(1000)
  expect(lineOf('ldl-cholesterol-calc')).toMatchObject({ type: 'comment', interpretation: 'unknown' })
})
