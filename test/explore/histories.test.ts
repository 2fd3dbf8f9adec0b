import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plannedHistory } from '../../src/scenarios/check.ts'
import { toStep } from '../../src/scenarios/steps.ts'
import { workflowOf } from '../../src/tools/explore/anomalies.ts'
import { draftArbitrary } from '../../src/tools/explore/arbitrary.ts'
import { compile, happyHistory } from '../../src/tools/explore/compile.ts'
import { allEdges, type Coverage, count, edgeOf, newCoverage } from '../../src/tools/explore/coverage.ts'
import type { Draft } from '../../src/tools/explore/draft.ts'
import { readHistory, writeHistory } from '../../src/tools/explore/history-file.ts'
import { partNames, parts } from '../../src/tools/explore/parts.ts'

/** The edges that the orders of a draft come along. */
function edgesOf(draft: Draft, coverage: Coverage): readonly string[] {
  const { method, steps, history } = compile(draft, { name: 'explored', seed: 'explored', coverage })
  return [{ method, steps, registrable: history.registrable }, ...(history.orders ?? [])].flatMap((order) => {
    const workflow = workflowOf(order)
    const statuses = plannedHistory({ method: order.method, steps: order.steps.map(toStep) }, workflow)
    return statuses.slice(1).map(({ low }, at) => edgeOf(workflow, statuses[at]?.low ?? 'ordered', low))
  })
}

describe('a history', () => {
  it('is the same once it was written and read', () => {
    const history = happyHistory()
    expect(readHistory(writeHistory(history), 'explored')).toEqual(history)
  })

  it.each([
    ['an unknown status', 'lst', /lst.*Did you mean "lost"/],
    ['a move that the lifecycle does not have', 'completed', /cannot become completed/],
  ])('is refused with %s in one of its orders', (_, status, message) => {
    const order = { at: '1d', user: 1, method: 'testkit', steps: [{ after: '1h', status }] }
    const history = { seed: 'a', now: '2026-01-05T09:00:00Z', orders: [order] }
    const file = { name: 'mine', summary: 'Two orders.', method: 'testkit', steps: [], history }
    expect(() => readHistory(JSON.stringify(file), 'mine.yaml')).toThrow(message)
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
