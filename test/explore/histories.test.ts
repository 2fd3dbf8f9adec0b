import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FindingFile, readFinding } from '../../src/scenarios/finding.ts'
import { plannedHistory } from '../../src/scenarios/planned-steps.ts'
import { toStep } from '../../src/scenarios/steps.ts'
import { workflowOf } from '../../src/tools/explore/anomalies.ts'
import { draftArbitrary } from '../../src/tools/explore/arbitrary.ts'
import { compile, happyHistory } from '../../src/tools/explore/compile.ts'
import { allEdges, type Coverage, count, edgeOf, newCoverage } from '../../src/tools/explore/coverage.ts'
import type { Draft } from '../../src/tools/explore/draft.ts'
import { writeFinding } from '../../src/tools/explore/finding-file.ts'
import { partNames, parts } from '../../src/tools/explore/parts.ts'
import { startTestPetri } from '../support/petri.ts'

/** The edges that the orders of a draft come along. */
function edgesOf(draft: Draft, coverage: Coverage): readonly string[] {
  const { orders } = compile(draft, { name: 'explored', seed: 'explored', coverage })
  return orders.flatMap((order) => {
    const workflow = workflowOf(order)
    const statuses = plannedHistory({ method: order.method, steps: order.steps.map(toStep) }, workflow)
    return statuses.slice(1).map(({ low }, at) => edgeOf(workflow, statuses[at]?.low ?? 'ordered', low))
  })
}

/** As `petri explore` wrote findings when they were scenarios. */
const earlier = `name: early
summary: Early.
method: testkit
steps: []
history:
  seed: a
  now: 2026-01-05T09:00:00Z
`

describe('a history', () => {
  it('is the same once it was written and read', () => {
    const history = happyHistory()
    expect(readFinding(writeFinding(history), 'explored')).toEqual(history)
  })

  it.each([
    ['an unknown status', 'lst', /lst.*Did you mean "lost"/],
    ['a move that the lifecycle does not have', 'completed', /cannot become completed/],
  ])('is refused with %s in one of its orders', (_, status, message) => {
    const order = { at: '1d', user: 1, method: 'testkit', steps: [{ after: '1h', status }] }
    const file = { ...happyHistory(), orders: [...happyHistory().orders, order] }
    expect(() => readFinding(writeFinding(file as FindingFile), 'mine.yaml')).toThrow(message)
  })

  it('names file, line and step of what is wrong, the earlier form, and what is not a finding', () => {
    const source = writeFinding(happyHistory()).replace('transit_lab', 'lst')
    expect(() => readFinding(source, 'a.yaml')).toThrow(/^a\.yaml:\d+: step 5: .*"lst".*Did you mean "lost"/)
    expect(() => readFinding(earlier, 'b.yaml')).toThrow(
      /^b\.yaml has the key "history".* kind: finding, name/,
    )
    const scenario = 'name: c\nsummary: C.\nmethod: testkit\nsteps: []\n'
    expect(() => readFinding(scenario, 'c.yaml')).toThrow(/^c\.yaml is not a finding/)
  })

  it('is no scenario, in both forms: a start passes over its file, and no order follows it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'petri-findings-'))
    mkdirSync(join(folder, 'found'))
    writeFileSync(join(folder, 'found', 'explored.yaml'), writeFinding(happyHistory()))
    writeFileSync(join(folder, 'found', 'early.yaml'), earlier)
    // The name of a finding is not taken from scenarios.
    const scenario = 'name: explored\nsummary: Mine.\nmethod: testkit\nsteps: []\n'
    writeFileSync(join(folder, 'explored.yaml'), scenario)
    const petri = await startTestPetri({ scenarios: [folder] })
    const { data } = (await petri.get('/_petri/scenarios')).body
    const own = data.filter(({ name }: { name: string }) => ['explored', 'early'].includes(name))
    expect(own).toMatchObject([{ name: 'explored', summary: 'Mine.' }])
    for (const source of [writeFinding({ ...happyHistory(), name: 'mine' }), earlier]) {
      const { status, body } = await petri.call('PUT', '/_petri/scenarios/mine', { source })
      expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('this is a finding')])
    }
    await petri.close()
  })

  it('comes along every edge of the lifecycles, because what none has covered is likelier', {
    tags: 'slow',
  }, () => {
    const coverage = newCoverage()
    const never = () => allEdges().filter((edge) => !coverage.edges.has(edge))
    for (let run = 1; run <= 1500 && never().length > 0; run++) {
      const drafts = fc.sample(draftArbitrary({ parts: new Set(partNames), coverage }), {
        seed: run,
        numRuns: 1,
      })
      for (const edge of drafts.flatMap((draft) => edgesOf(draft, coverage))) count(coverage.edges, edge)
    }
    expect(never()).toEqual([])
  })

  it('consists of parts whose reasons are written down', () => {
    for (const source of Object.values(parts)) {
      const [file = '', heading] = source.split('#')
      const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
      const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replace(/[^a-z0-9 -]/g, '')
          .replace(/ /g, '-'),
      )
      if (heading !== undefined) expect(headings).toContain(heading)
    }
  })
})
