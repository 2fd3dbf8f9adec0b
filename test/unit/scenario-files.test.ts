import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readScenario, ScenarioError } from '../../src/scenarios/read.ts'
import { makeFolder } from '../support/new-folder.ts'
import { orderKit, readOrder, untilIdle } from '../support/orders.ts'
import { startTestPetri } from '../support/petri.ts'

const file = (...steps: string[]) =>
  [
    'name: mine',
    'summary: A scenario of mine.',
    'method: testkit',
    'steps:',
    ...steps.map((step) => `  - { ${step} }`),
  ].join('\n')

function refusals(source: string): string[] {
  try {
    readScenario(source, 'mine.yaml')
    return []
  } catch (error) {
    if (error instanceof ScenarioError) return error.message.split('\n')
    throw error
  }
}

describe('a scenario file', () => {
  it('is refused when it breaks the lifecycle: file, line, step, and the legal moves are told', () => {
    expect(
      refusals(
        file(
          'after: 4h, status: requisition_created, only: registered_kit',
          'after: 1d, status: delivered_to_lab',
        ),
      ),
    ).toEqual([
      'mine.yaml:6: step 2: an order that is requisition_created (registered kit) cannot become delivered_to_lab; ' +
        'legal: transit_customer, cancelled, do_not_process, failure_to_deliver_to_customer',
      'mine.yaml:6: step 2: an order that is awaiting_registration (registrable kit) cannot become delivered_to_lab; ' +
        'legal: transit_customer, cancelled, registered, requisition_created, do_not_process',
    ])
  })

  it.each([
    [
      'after: 1d, status: transit_custmer',
      'status "transit_custmer" is not a status of an order. Did you mean "transit_customer"?',
    ],
    ['after: soon, status: transit_customer', 'after "soon" is not a duration'],
    [
      'after: 1d, status: transit_customer, sttus_detail: x',
      '"sttus_detail" is not known here. Did you mean "status_detail"?',
    ],
  ])('is refused for { %s }', (step, message) => {
    const [told] = refusals(file(step))
    expect(told).toContain('mine.yaml:5: step 1: ')
    expect(told).toContain(message)
  })

  it('is told what differs from the form and what breaks the lifecycle together', () => {
    const told = refusals(
      file(
        'after: 4 ours, status: requisition_created, only: registered_kit',
        'after: 1d, status: transit_customer, shipment: { outbound_curier: USPS }',
        'after: 1d, status: delivered_to_lab',
        'after: 1d, status: lost, results: { interpretation: abnrmal }',
      ),
    )
    expect(told.map((line) => line.slice(0, 60))).toEqual([
      expect.stringContaining('step 1: after "4 ours" is not a duration'),
      expect.stringContaining('step 2: "outbound_curier" is not known here.'),
      expect.stringContaining('step 4: interpretation must be one of'),
      expect.stringContaining('step 3: an order that is transit_customer'),
      expect.stringContaining('step 3: an order that is transit_customer'),
    ])
    expect(told[2]).toContain('it is "abnrmal". Did you mean "abnormal"?')
  })

  it('is told no more than fifty mistakes', () => {
    const unknown = Array.from({ length: 300 }, (_, at) => `k${at}: 1`)
    expect(refusals(`{ ${unknown.join(', ')} }`)).toHaveLength(50)
    const twice = Array.from({ length: 30 }, () => 'after: 1h, a: 1, b: 2')
    expect(refusals(file(...twice))).toHaveLength(50)
  })
})

describe("a folder of the user's scenarios", () => {
  const folderWith = (files: Record<string, string>) => {
    const folder = makeFolder('petri-scenarios-')
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    return folder
  }

  it('adds to the bundled ones and may replace them', async () => {
    const steps = [
      'after: 1h, status: requisition_created, only: registered_kit',
      'after: 1h, status: transit_customer',
    ]
    const mine = file(...steps)
    const folder = folderWith({
      'mine.yaml': mine,
      'happy-path.yaml': mine.replace('name: mine', 'name: happy-path'),
    })
    const petri = await startTestPetri({ scenarios: [folder] })
    const order = await orderKit(petri, { scenario: 'mine' })
    await untilIdle(petri)
    expect((await readOrder(petri, order.id)).last_event.status).toBe(
      'collecting_sample.testkit.transit_customer',
    )
    expect((await petri.read('/_petri/scenarios/happy-path')).summary).toBe('A scenario of mine.')
    expect((await petri.read('/_petri/scenarios')).data.length).toBeGreaterThan(25)
  })
})
