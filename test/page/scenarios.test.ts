import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, it } from 'vitest'
import { readableDuration } from '../../src/kernel/readable.ts'
import { completionsFor } from '../../src/page/completions.ts'
import { inWords } from '../../src/page/format.ts'
import { FeedSteps, LifecycleStrip, StatusList } from '../../src/page/views/planned-statuses.tsx'
import { runPetri } from '../support/cli-in-process.ts'
import { field } from '../support/field.ts'
import { forAllTests } from '../support/petri.ts'
import { scenarioNames } from '../support/scenarios.ts'

const petri = forAllTests()

/** What the command line says will happen. */
const tried = async (name: string, ...options: string[]) =>
  JSON.parse((await runPetri(['scenario', 'try', name, '--json', ...options])).stdout)

const DAY_MS = 86_400_000

/** What stands in the attributes of some elements, in their order. */
const valuesOf = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map(([, ...values]) => values)

describe('what will happen', () => {
  it.each(scenarioNames())('is drawn as `petri scenario try` tells it: %s', async (name) => {
    const { statuses: planned } = await petri.read(`/_petri/scenarios/${name}`)
    const told = [
      await tried(name),
      ...('registrable_kit' in planned ? [await tried(name, '--registrable')] : []),
    ]
    expect(told.map(field('workflow')).sort()).toEqual(Object.keys(planned).sort())
    for (const { workflow, statuses } of told) {
      const html = renderToString(h(StatusList, { statuses: planned[workflow] }))
      let [elapsed, drawnAt] = [0, 0]
      const places: number[] = []
      const listed = valuesOf(html, /<li data-status="([^"]+)"(?: data-after="(\d+)")?>(.*?)<\/li>/g).map(
        ([status = '', after, text = '']) => {
          elapsed += Number(after ?? 0)
          drawnAt += Number(after ?? DAY_MS)
          places.push(drawnAt)
          const detail = /<small>(.*?)<\/small>/.exec(text)?.[1] ?? null
          return { at: readableDuration(elapsed), status, waits: after === undefined, detail }
        },
      )
      expect(listed).toEqual(
        statuses.map(
          (step: { at: string; status: string; waits: boolean; status_detail: string | null }) => ({
            ...{ at: step.at, status: step.status, waits: step.waits },
            detail: step.status_detail && inWords(step.status_detail),
          }),
        ),
      )
      const marks = valuesOf(html, /<circle cx="([\d.]+)".*?<text[^>]*>([^<]*)<\/text>/g)
      expect(marks.map(([, text]) => text)).toEqual(listed.map(({ status }) => inWords(status)))
      const [first = 0, last = 0] = [Number(marks[0]?.[0]), Number(marks.at(-1)?.[0])]
      for (const [at, [x]] of marks.entries())
        expect(Number(x) - first).toBeCloseTo(((places[at] ?? 0) / (places.at(-1) || 1)) * (last - first), 3)
    }
  })

  it.each(scenarioNames('feeds/'))('to a connection is told the same: %s', async (name) => {
    const { steps } = await petri.read(`/_petri/scenarios/${name}`)
    const html = renderToString(h(FeedSteps, { steps }))
    const listed = valuesOf(html, /<li data-at="(\d+)">.*?<span class="grow">(.*?)<\/span><\/li>/g)
    expect(listed.map(([at, does]) => ({ at: readableDuration(Number(at)), does }))).toEqual(
      (await tried(name)).steps,
    )
  })
})

describe('the lifecycle of a scenario, drawn small', () => {
  it('has a mark for each status of its longest workflow, further apart for longer waits', async () => {
    const { data } = await petri.read('/_petri/scenarios?kind=order&statuses=true')
    expect(data.map(field('name'))).toEqual(scenarioNames())
    for (const { statuses } of data) {
      const html = renderToString(h(LifecycleStrip, { statuses }))
      const xs = valuesOf(html, /<circle cx="([\d.]+)"/g).map(([x]) => Number(x))
      expect(xs).toHaveLength(Math.max(...Object.values<unknown[]>(statuses).map(field('length'))))
      expect(xs).toEqual([...xs].sort((a, b) => a - b))
    }
    const waits = [0, 3_600_000, 86_400_000, 30 * 86_400_000, null]
    const planned = waits.map((after_ms) => ({
      status: 'failed.testkit.lost',
      status_detail: null,
      after_ms,
      before_visit_ms: null,
    }))
    const html = renderToString(h(LifecycleStrip, { statuses: { kit: planned, other: [] } }))
    const xs = valuesOf(html, /<circle cx="([\d.]+)"/g).map(([x]) => Number(x))
    const [hour = 0, day = 0, month = 0, customer = 0] = xs.slice(1).map((x, at) => x - (xs[at] ?? 0))
    expect([hour < day, day < month, customer]).toEqual([true, true, expect.closeTo(day)])
    expect(html).toContain('<title>when the customer acts: lost</title>')
    expect(html).toContain('<title>after 1 h: lost</title>')
  })
})

describe('completions', () => {
  const labels = (...input: Parameters<typeof completionsFor>) => completionsFor(...input).map(field('label'))

  it.each<[kind: 'order' | 'feed', text: string, some: readonly string[], none: readonly string[]]>([
    ['order', 'na', ['name', 'steps', 'webhook_faults'], ['after', 'duplicate']],
    ['order', 'steps:\n  - { af', ['after', 'status', 'await'], ['name', 'duplicate']],
    ['order', 'steps:\n- after: 1d\n  st', ['status', 'results'], ['name', 'duplicate']],
    ['order', 'steps:\n  - after: 1d\n    results:\n      inter', ['interpretation', 'missing'], ['after']],
    ['order', 'steps:\n  - { after: 1d, results: { inter', ['interpretation', 'missing'], ['after']],
    ['order', 'steps:\n  - { results: { missing: [a] }, st', ['status'], ['interpretation']],
    ['order', 'steps:\n  - { after: 1d }\nwebhook_faults: { du', ['duplicate'], ['after', 'steps']],
    ['order', 'webhook_faults: [{ du', ['duplicate', 'event'], ['after', 'steps']],
    ['order', 'steps:\n  - { await: reg', ['registration', 'appointment'], ['true', 'testkit']],
    ['order', 'method: ', ['testkit', 'walk_in_test'], ['registration']],
    ['feed', 'steps:\n  - { af', ['after', 'gap', 'outage'], ['status', 'kind']],
    ['feed', 'steps:\n  - { after: 1d, error: tok', ['token_refresh_failed'], ['feed']],
    ['feed', 'kind: ', ['feed'], ['token_refresh_failed']],
  ])('are what the schema of %s has at the end of %j', (kind, text, some, none) => {
    const found = labels(kind, text, [])
    expect(found).toEqual(expect.arrayContaining([...some]))
    expect(found.filter((label) => none.includes(label))).toEqual([])
  })

  it('are the legal statuses where the check names them', () => {
    expect(labels('order', '  - { status: ', ['lost', 'with_customer'])).toEqual(['lost', 'with_customer'])
  })
})
