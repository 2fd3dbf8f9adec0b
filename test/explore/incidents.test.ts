import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createCatalogue } from '../../src/resources/catalogue/service.ts'
import { RecordReader } from '../../src/scenarios/incidents/record.ts'
import { writeScenario } from '../../src/scenarios/incidents/scenario-text.ts'
import { draftArbitrary } from '../../src/tools/explore/arbitrary.ts'
import { compile } from '../../src/tools/explore/compile.ts'
import { newCoverage } from '../../src/tools/explore/coverage.ts'
import { fitLabTest } from '../../src/tools/incidents/lab-test.ts'
import { play } from '../../src/tools/incidents/play.ts'
import type { TestPetri } from '../support/petri.ts'
import { startHeardPetri } from '../support/receiver.ts'
import { rounds } from '../support/rounds.ts'

const HISTORIES = 10
const REPORTS = /\.(partial_results|completed|corrected|redraw_available)$/

type FindingFile = ReturnType<typeof compile>

/** Plays the first order of a history, and returns what its receiver logged: webhooks and results. */
async function incidentOf({ name, summary, orders, ...history }: FindingFile): Promise<unknown[]> {
  const [first] = orders
  if (!first) throw new Error('a history without an order')
  const { method, steps, webhook_faults, registrable = false } = first
  const reports: unknown[] = []
  let petri: TestPetri | undefined
  const heard = await startHeardPetri(
    async ({ body }) => {
      const { event_type, data } = JSON.parse(body)
      if (event_type !== 'labtest.order.updated' || !REPORTS.test(data.last_event.status)) return 200
      const { status, body: report } = (await petri?.get(`/v3/order/${data.id}/result`)) ?? {}
      if (status === 200) reports.push([data.id, report])
      return 200
    },
    { world: { seed: history.seed, now: Date.parse(history.now) } },
  )
  petri = heard.petri
  await petri.patch('/_petri/world', { features: history.features })
  const file = { name, summary, method, steps, webhook_faults }
  expect(await petri.put(`/_petri/scenarios/${name}`, file)).toAnswer(200)
  const order = { scenario: name, registrable }
  const { id } = (await petri.post('/_petri/orders', order)).body
  for (let turn = 0; turn < 8; turn++) {
    await petri.post('/_petri/clock/advance', { until: 'idle' })
    const { waits_for } = await petri.read(`/_petri/orders/${id}/scenario`)
    if (waits_for === null) break
    await petri.post(`/_petri/orders/${id}/${waits_for === 'registration' ? 'register' : 'book'}`)
  }
  const log = heard.receiver.received
    .filter(({ body }) => [JSON.parse(body).data.id, JSON.parse(body).data.order_id].includes(id))
    .map(({ at, headers, body }) => ({ received_at: new Date(at).toISOString(), status: 200, headers, body }))
  const own = (reports as [string, unknown][]).filter(([of]) => of === id).map(([, report]) => report)
  return [...log, ...own]
}

it('a random incident becomes a scenario that gives the same statuses, intervals, results, patient and webhooks', {
  tags: 'slow',
  timeout: 300_000,
}, async () => {
  const coverage = newCoverage()
  const parts = new Set(['orders', 'webhook_faults', 'times'] as const)
  const drafts = fc.sample(draftArbitrary({ parts, coverage }), { numRuns: rounds(HISTORIES), seed: 57 })
  const wrong: unknown[] = []
  for (const [at, draft] of drafts.entries()) {
    const history = compile(draft, { name: 'incident', seed: `incident ${at}`, coverage })
    const reader = new RecordReader()
    reader.add(await incidentOf(history))
    const { record, labTest } = fitLabTest(reader.finish(), createCatalogue(), 'incident')
    const { source, leftOut } = writeScenario(record, 'incident')
    const { differences } = await play(source, 'incident', record, labTest)
    if ([...leftOut, ...differences].length > 0) wrong.push({ at, differences, leftOut, source })
  }
  expect(wrong).toEqual([])
})
