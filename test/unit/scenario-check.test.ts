import { describe, expect, it } from 'vitest'
import { checkScenario } from '../../src/scenarios/check.ts'
import { passingThrough } from '../../src/scenarios/passing-through.ts'
import { plannedHistory, plannedSteps } from '../../src/scenarios/planned-steps.ts'
import { readScenario } from '../../src/scenarios/read.ts'
import { fieldsOf } from '../../src/scenarios/step-kinds.ts'
import { scenarioRefusals, scenarioText } from '../support/scenarios.ts'

const HOUR = 3_600_000
const planOf = (method: string, workflow: Parameters<typeof plannedHistory>[1], ...steps: string[]) =>
  plannedHistory(readScenario(scenarioText(method, steps), 'mine.yaml'), workflow)

describe('the statuses that a scenario brings', () => {
  const kit = [
    'after: 1h, status: requisition_created, only: registered_kit',
    'after: 1d, status: transit_customer',
    'await: registration, only: registrable_kit',
    'after: 2h, status: requisition_created, only: registrable_kit',
    'after: 30m, status: cancelled, status_detail: fulfillment_error, only: registrable_kit',
  ]
  const line = (low: string, afterMs: number | null, more: object = {}) => ({
    low,
    afterMs,
    beforeVisitMs: null,
    detail: null,
    waitsFor: null,
    ...more,
  })

  it('are those of the workflow, with their delays, details and waits', () => {
    expect(planOf('testkit', 'registrable_kit', ...kit)).toEqual([
      line('ordered', 0),
      line('awaiting_registration', 0),
      line('transit_customer', 24 * HOUR),
      line('registered', null, { waitsFor: 'registration' }),
      line('requisition_created', 2 * HOUR),
      line('cancelled', HOUR / 2, { detail: 'fulfillment_error' }),
    ])
    expect(planOf('testkit', 'registered_kit', ...kit)).toEqual([
      line('ordered', 0),
      line('requisition_created', HOUR),
      line('transit_customer', 24 * HOUR),
    ])
  })

  it('are shown with the other fields of their steps', () => {
    const steps = [
      'after: 1h, status: requisition_created, shipment: { notes: x }',
      'await: appointment',
      'before: appointment, by: 2h, appointment: moved',
      'at: appointment, appointment: start',
      'after: 1h, status: completed, in_parts: true, force: true, results: { pdf: a.pdf, missing: true }',
      'after: 30m, status: cancelled, status_detail: fulfillment_error, force: true',
    ]
    const scenario = readScenario(scenarioText('walk_in_test', steps), 'mine.yaml')
    const planned = plannedSteps(scenario, 'walk_in_test')
    expect(planned.map(({ atMs }) => atMs / HOUR)).toEqual([1, 1, 1, 1, 2, 2.5])
    expect(planned.map(({ step }) => fieldsOf(step))).toEqual([
      { shipment: { notes: 'x' } },
      { await: 'appointment' },
      { appointment: 'moved', before: 'the appointment by 2h' },
      { appointment: 'start', at: 'the appointment' },
      { in_parts: true, force: true, results: { missing: true }, pdf: 'a.pdf' },
      { status_detail: 'fulfillment_error', force: true },
    ])
  })

  it('come after all the steps that bring none', () => {
    const plan = planOf(
      'walk_in_test',
      'walk_in_test',
      'after: 1h, status: requisition_created',
      'await: appointment',
      'after: 1h, appointment: start',
      'after: 2h, appointment: complete',
      'after: 3h, status: partial_results',
      'after: 4h, status: completed',
    )
    expect(plan).toEqual([
      line('ordered', 0),
      line('requisition_created', HOUR),
      line('appointment_pending', null, { waitsFor: 'appointment' }),
      line('appointment_scheduled', 0),
      line('partial_results', 6 * HOUR),
      line('completed', 4 * HOUR),
    ])
  })

  it('come by the appointment that the steps before them go by, until one brings a status', () => {
    const plan = planOf(
      'walk_in_test',
      'walk_in_test',
      'after: 1h, status: requisition_created',
      'await: appointment',
      'at: appointment, appointment: start',
      'after: 2h, appointment: complete',
      'after: 3h, status: partial_results',
      'after: 4h, status: completed',
    )
    expect(plan.slice(-2)).toEqual([
      line('partial_results', 5 * HOUR, { beforeVisitMs: -5 * HOUR }),
      line('completed', 4 * HOUR),
    ])
  })
})

describe('the scenarios that pass through a status', () => {
  const of = (name: string, method: string, ...steps: string[]) =>
    readScenario(scenarioText(method, steps).replace('mine', name), 'mine.yaml')
  const [requisition, partial, completed] = ['requisition_created', 'partial_results', 'completed'].map(
    (status) => `after: 1h, status: ${status}`,
  ) as [string, string, string]
  const visit = ['await: appointment', 'at: appointment, appointment: start']

  it('are those of the method, then those that end so, then the shortest; five are named', () => {
    const scenarios = [
      of('other', 'on_site_collection', requisition, partial),
      of('goes-on', 'walk_in_test', requisition, partial, completed),
      of('with-visit', 'walk_in_test', requisition, ...visit, partial),
      of('short', 'walk_in_test', requisition, partial),
      of('without', 'walk_in_test', requisition, completed),
    ]
    const told = (...more: typeof scenarios) =>
      passingThrough('Partial-Results', [...scenarios, ...more], 'walk_in_test')
    const named = 'These pass through partial_results: short, with-visit, goes-on, other'
    expect(told()).toBe(`${named}.`)
    const [other] = scenarios
    if (other) expect(told(other, other)).toBe(`${named}, other and 1 more.`)
    expect(passingThrough('no-show', scenarios)).toBeUndefined()
  })
})

describe('a scenario is refused', () => {
  it('when a kit that is registered early cannot go on', () => {
    const [told, ...others] = scenarioRefusals(
      'testkit',
      'after: 1h, status: do_not_process, only: registrable_kit',
    )
    expect(told).toBe(
      '1 an order that is registered (registrable kit) cannot become do_not_process; ' +
        'legal: requisition_created, cancelled (if the kit is registered before)',
    )
    expect(others).toEqual([])
    const registered = [
      'await: registration, only: registrable_kit',
      'after: 1h, status: requisition_created, only: registrable_kit',
    ]
    expect(
      scenarioRefusals('testkit', ...registered, 'after: 1h, status: do_not_process, only: registrable_kit'),
    ).toEqual(
      scenarioRefusals('testkit', ...registered, 'after: 1h, status: do_not_process').filter((one) =>
        one.includes('registrable'),
      ),
    )
    for (const status of ['transit_customer', 'cancelled'])
      expect(scenarioRefusals('testkit', `after: 1h, status: ${status}, only: registrable_kit`)).toEqual([])
  })

  it('when a status that is final is followed by another', () => {
    const [told] = scenarioRefusals(
      'on_site_collection',
      'after: 1h, status: cancelled',
      'after: 1h, status: requisition_created',
    )
    expect(told).toContain('legal: nothing, it is final')
  })

  it('at each step that is wrong, when the next shows where the order is then', () => {
    const steps = ['requisition_created', 'partial_results', 'requisition_created', 'completed'].map(
      (status) => `after: 1h, status: ${status}`,
    )
    const told = scenarioRefusals('walk_in_test', ...steps)
    expect(told).toHaveLength(1)
    expect(told[0]).toMatch(
      /^3 an order that is partial_results \(walk in test\) cannot become requisition_created/,
    )
    const stepsOf = (method: string, ...lows: string[]) =>
      scenarioRefusals(method, ...lows.map((low) => `after: 1h, status: ${low}, only: registered_kit`)).map(
        (message) => message.slice(0, 2).trim(),
      )
    const kit = ['requisition_created', 'transit_customer']
    // What follows shows that the order did not take the step, that it did, or neither.
    expect(stepsOf('testkit', ...kit, 'completed', 'with_customer', 'lost')).toEqual(['3', '5'])
    expect(stepsOf('testkit', ...kit, 'delivered_to_lab', 'completed', 'lost')).toEqual(['3', '5'])
    expect(stepsOf('testkit', ...kit, 'completed', 'requisition_created', 'lost')).toEqual(['3'])
  })

  it('for a status or an appointment of another method, and is checked up to there', () => {
    const completed = 'after: 1h, status: completed'
    expect(scenarioRefusals('walk_in_test', 'after: 1h, status: transit_customer', completed)).toEqual([
      '1 transit_customer is not a status of walk_in_test',
    ])
    expect(scenarioRefusals('walk_in_test', completed, 'after: 1h, status: transit_customer')).toEqual([
      '2 transit_customer is not a status of walk_in_test',
      expect.stringContaining('1 an order that is ordered (walk in test) cannot become completed'),
    ])
    expect(scenarioRefusals('testkit', 'after: 1h, appointment: start')).toEqual([
      '1 appointment: orders of testkit have no appointments',
    ])
    expect(scenarioRefusals('walk_in_test', 'await: registration')).toEqual([
      '1 await: registration does not happen to walk_in_test',
    ])
    expect(scenarioRefusals('on_site_collection', 'await: appointment')).toEqual([
      '1 await: appointment does not happen to on_site_collection',
    ])
    expect(scenarioRefusals('walk_in_test', 'after: 1h, status: cancelled, only: registered_kit')).toEqual([
      '1 only: registered_kit does not occur with method walk_in_test',
    ])
  })

  it('for a detail of another status, naming those that go with it', () => {
    const [one] = scenarioRefusals('testkit', 'after: 1h, status: cancelled, status_detail: sample_hemolyzed')
    expect(one).toBe('1 status_detail sample_hemolyzed does not go with cancelled; fulfillment_error do')
    const [other] = scenarioRefusals(
      'testkit',
      'after: 1h, status: transit_customer, status_detail: fulfillment_error',
    )
    expect(other).toBe('1 status_detail fulfillment_error does not go with transit_customer')
  })

  it('for a detail that goes with other statuses, naming all that go with its own', () => {
    const [told] = scenarioRefusals(
      'testkit',
      'after: 1h, status: sample_error, status_detail: fulfillment_error',
    )
    expect(told).toMatch(
      /^1 status_detail fulfillment_error does not go with sample_error; sample_quantity_not_sufficient, sample_contaminated, .* do$/,
    )
  })

  it('for exact results with a status that brings none', () => {
    const none = '1 an order that becomes cancelled gets no results with it'
    for (const results of ['{ comment: x }', '{ pdf: a.pdf }', '{ values: { ferritin: 1 } }'])
      expect(scenarioRefusals('testkit', `after: 1h, status: cancelled, results: ${results}`)).toContain(none)
    for (const results of ['{}', '{ interpretation: abnormal }', '{ missing: true }'])
      expect(scenarioRefusals('testkit', `after: 1h, status: cancelled, results: ${results}`)).toEqual([])
    const completed = 'after: 1h, status: completed, force: true, results: { comment: x, pdf: a.pdf }'
    expect(scenarioRefusals('testkit', completed)).toEqual([])
  })

  it('for parts of what is not a final report, or of orders without partial ones', () => {
    const [told] = scenarioRefusals('walk_in_test', 'after: 1h, status: cancelled, in_parts: true')
    expect(told).toBe('1 in_parts goes with completed, not with cancelled')
    expect(
      scenarioRefusals('walk_in_test', 'after: 1h, status: completed, in_parts: true, force: true'),
    ).toEqual([])
    const [other] = scenarioRefusals('testkit', 'after: 1h, status: completed, in_parts: true')
    expect(other).toBe('1 in_parts: orders of testkit have no partial_results')
  })

  it('never when it has no steps', () => {
    for (const method of ['testkit', 'walk_in_test', 'at_home_phlebotomy', 'on_site_collection'] as const) {
      const source = `name: mine\nsummary: x\nmethod: ${method}\nsteps: []`
      expect(checkScenario(readScenario(source, 'mine.yaml'))).toEqual([])
    }
  })
})
