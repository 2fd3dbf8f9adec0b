import { describe, expect, it } from 'vitest'
import { kindOfText, nameIssue, readScenario, ScenarioError } from '../../src/scenarios/read.ts'
import { scenarioRefusals, scenarioText } from '../support/scenarios.ts'

describe('a step may have', () => {
  const accepts = (results: string) => scenarioRefusals('testkit', ...lifeOf(results))
  const lifeOf = (results: string) => [
    'after: 1h, status: requisition_created, only: registered_kit',
    `after: 1h, status: cancelled, only: registered_kit, ${results}`,
  ]

  it.each(['normal', 'abnormal', 'critical', 'unknown'])('results that are %s', (interpretation) => {
    expect(accepts(`results: { interpretation: ${interpretation} }`)).toEqual([])
    expect(accepts(`results: { interpretation: ${interpretation}x }`)).toHaveLength(1)
  })

  it.each(['numeric', 'range', 'comment', 'coded_value'])('results of the type %s', (type) => {
    expect(accepts(`results: { types: [${type}] }`)).toEqual([])
    expect(accepts(`results: { types: [${type}x] }`)).toHaveLength(1)
  })

  it('results that are missing, all or some', { tags: 'slow' }, () => {
    for (const missing of ['true', 'false', '[]', '[ferritin]'])
      expect(accepts(`results: { missing: ${missing} }`)).toEqual([])
    expect(accepts('results: { missing: ferritin }')).toHaveLength(1)
  })

  it('details of its shipment', () => {
    const shipment = [
      'outbound_courier',
      'inbound_courier',
      'outbound_tracking_number',
      'inbound_tracking_number',
      'notes',
    ]
    expect(accepts(`shipment: { ${shipment.map((name) => `${name}: x`).join(', ')} }`)).toEqual([])
    for (const name of shipment) expect(accepts(`shipment: { ${name}: 1 }`)).toHaveLength(1)
  })
})

describe('the webhook faults of a scenario', () => {
  const rulesOf = (rules: string) =>
    readScenario(
      `${scenarioText('testkit', ['after: 1h, status: cancelled'])}\nwebhook_faults: ${rules}`,
      'mine.yaml',
    ).webhookFaults

  it('is read into numbers and milliseconds, without what is not said', () => {
    expect(rulesOf('{}')).toEqual({})
    expect(rulesOf('{ reorder: true, delay: 1m }')).toEqual({ reorder: 2, delay_ms: 60_000 })
    expect(rulesOf('{ reorder: false }')).toEqual({ reorder: 0 })
    expect(rulesOf('{ reorder: 5, duplicate: 1, drop_first: 2 }')).toEqual({
      reorder: 5,
      duplicate: 1,
      drop_first: 2,
    })
    expect(rulesOf('{ occurrence: 2, respell: true }')).toEqual({ occurrence: 2, respell: true })
  })

  it.each([
    ['event: labtest.result.critical', ['labtest.result.critical'], undefined],
    ['event: labtest.order.updated, status: lost', ['labtest.order.updated'], 'lost'],
    ['event: lost', ['labtest.order.created', 'labtest.order.updated'], 'lost'],
    ['status: pending', ['labtest.appointment.created', 'labtest.appointment.updated'], 'pending'],
  ])('names the types of the events: %s', (conditions, event_types, status) => {
    expect(rulesOf(`[{ ${conditions}, respell: true }]`)).toEqual([{ event_types, status, respell: true }])
  })

  it('and the faults of a scenario are those of the file', () => {
    const source = scenarioText('testkit', ['after: 1h, status: cancelled'])
    const fault = '{ operation: "GET /v3/order/{order_id}", times: 2, respond: { status: 503 } }'
    expect(readScenario(`${source}\nfaults: [${fault}]`, 'mine.yaml').faults).toMatchObject([
      { times: 2, respond: { status: 503 } },
    ])
    expect(readScenario(source, 'mine.yaml').faults).toEqual([])
    expect(readScenario(source, 'mine.yaml').webhookFaults).toBeUndefined()
  })
})

describe('the line of a name that is another than its file’s', () => {
  it.each([
    ['name: mine', 1],
    ['summary: x\nname: mine', 2],
    ['summary: x\nname : mine', 2],
    ['{"summary":"x",\n"name":"mine"}', 2],
    ['{\n\t"summary": "x",\n\t"name": "mine"\n}', 3],
    ['summary: "my name: x"\nname: mine', 2],
    ['surname: x\nname: mine', 2],
    ['summary: x', 1],
  ])('is found in %j: %i', (source, line) => {
    expect(nameIssue({ name: 'mine', source }, 'other', 'other.yaml')?.line).toBe(line)
  })
})

it('an error of a scenario has a name of its own, and all messages', () => {
  const error = new ScenarioError([
    { file: 'a.yaml', line: 2, step: 1, message: 'is wrong' },
    { file: 'a.yaml', line: 3, message: 'is wrong too' },
    { file: 'b.yaml', message: 'cannot be read' },
  ])
  expect(error.name).toBe('ScenarioError')
  expect(error.message).toBe('a.yaml:2: step 1: is wrong\na.yaml:3: is wrong too\nb.yaml cannot be read')
})

it.each([
  ['kind: feed', true],
  ['name: a\n  kind:feed # night', true],
  ['{\n\t"kind" : "feed"\n}', true],
  ["'kind': 'feed'", true],
  ['kind:  feed', true],
  ['name: a', false],
  ['summary: of kind: feed', false],
  ['kind: feeds', false],
  ['kinds: feed', false],
  ['kind: a feed', false],
  ['mankind: feed', false],
])('a text that says of itself that it is a feed scenario is one: %j, %s', (source, isOne) => {
  expect(kindOfText(source) === 'feed').toBe(isOne)
})
