import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { scenarioSchema } from '../../scripts/generate/scenario-schema.ts'
import { FeedFile } from '../../src/scenarios/feeds/file.ts'
import { ScenarioFile } from '../../src/scenarios/file.ts'

const orders = JSON.parse(scenarioSchema('A Petri scenario', ScenarioFile, true))
const feeds = JSON.parse(scenarioSchema('A Petri feed scenario', FeedFile))

/** All fields in a schema, by name. */
function fieldsIn(schema: unknown): [string, Record<string, unknown>][] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, inner]) => [
    ...(key === 'properties' ? Object.entries(inner as Record<string, Record<string, unknown>>) : []),
    ...fieldsIn(inner),
  ])
}

describe('the schema by which editors help', () => {
  const isValid = new Ajv2020({ strict: false, validateFormats: false }).compile(orders)
  const file = (method: string, step: object, more: object = {}) => ({
    name: 'mine',
    summary: 'x',
    method,
    steps: [step],
    ...more,
  })

  it('describes each field, with an example', () => {
    const { allOf: _, ...own } = orders
    const bare = [...fieldsIn(own), ...fieldsIn(feeds)].filter(
      ([, { description, examples }]) => !description || !examples,
    )
    expect([...new Set(bare.map(([name]) => name))]).toEqual([])
  })

  it.each([
    ['testkit', { after: '1h', status: 'transit_lab', only: 'registrable_kit' }, true],
    ['testkit', { after: '1h', status: 'collecting_sample.testkit.transit_lab' }, true],
    ['testkit', { after: '1h', status: 'requistion_created' }, false],
    ['testkit', { after: '1h', status: 'appointment_scheduled' }, false],
    ['walk_in_test', { after: '1h', status: 'appointment_scheduled' }, true],
    ['walk_in_test', { after: '1h', status: 'completed', only: 'registered_kit' }, false],
    ['walk_in_test', { at: 'appointment', appointment: 'start' }, true],
    ['walk_in_test', { at: 'appointment', appointment: 'begin' }, false],
  ])('knows the statuses and workflows of each method: %s %j %s', (method, step, valid) => {
    expect(isValid(file(method, step))).toBe(valid)
  })

  it('names the kinds of steps, and knows both forms of webhooks', () => {
    const titles = orders.properties.steps.items.anyOf.map(({ title }: { title: string }) => title)
    expect(titles).toEqual(['Wait for the customer', 'Event of the appointment', 'Status of the order'])
    const step = { after: '1h', status: 'cancelled' }
    for (const webhooks of [{ duplicate: 1 }, [{ event: 'completed', delay: '30h' }]])
      expect(isValid(file('testkit', step, { webhooks }))).toBe(true)
    expect(isValid(file('testkit', step, { webhooks: [{ dupicate: 1 }] }))).toBe(false)
  })
})
