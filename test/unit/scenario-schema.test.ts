import { beforeAll, describe, expect, it } from 'vitest'
import { TextDocument } from 'vscode-languageserver-textdocument'
import type { LanguageService } from 'yaml-language-server'
import { scenarioSchema } from '../../scripts/generate/scenario-schema.ts'
import { FeedFile } from '../../src/scenarios/feeds/steps.ts'
import { ScenarioFile } from '../../src/scenarios/file.ts'
import { field } from '../support/field.ts'

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

/** The YAML plugin of editors, which finds the schema by the first line of a file, as Petri writes it. */
let plugin: LanguageService
beforeAll(async () => {
  // Takes seconds to load.
  const { getLanguageService } = await import('yaml-language-server')
  plugin = getLanguageService({
    schemaRequestService: async (uri) => JSON.stringify(uri.endsWith('feed.schema.json') ? feeds : orders),
    workspaceContext: { resolveRelativePath: (path) => new URL(path, 'file:///scenarios/').href },
  })
  plugin.configure({
    validate: true,
    hover: true,
    completion: true,
    schemas: [],
    customTags: [],
    yamlVersion: '1.2',
  })
})
let documents = 0

/** A document with the place of the cursor, written as `|`. */
function open(text: string, schema = 'scenario') {
  const whole = `# yaml-language-server: $schema=./${schema}.schema.json\n${text}`
  const at = whole.indexOf('|')
  const content = at < 0 ? whole : whole.slice(0, at) + whole.slice(at + 1)
  const document = TextDocument.create(`file:///scenarios/${documents++}.yaml`, 'yaml', 1, content)
  return { document, cursor: document.positionAt(at) }
}

async function marks(text: string, schema?: string): Promise<string[]> {
  const { document } = open(text, schema)
  return (await plugin.doValidation(document, false)).map(({ range }) => document.getText(range))
}

async function completions(text: string, schema?: string): Promise<string[]> {
  const { document, cursor } = open(text, schema)
  return (await plugin.doComplete(document, cursor, false)).items.map(field('label'))
}

async function hover(text: string, schema?: string): Promise<string> {
  const { document, cursor } = open(text, schema)
  return JSON.stringify((await plugin.doHover(document, cursor))?.contents)
}

describe('the schema by which editors help', { tags: 'slow' }, () => {
  const file = (method: string, step: string, more = '') =>
    `name: mine\nsummary: x\nmethod: ${method}\nsteps:\n  - { after: 1h, ${step} }\n${more}`

  it('describes each field, with an example', () => {
    const { allOf: _, ...own } = orders
    const bare = [...fieldsIn(own), ...fieldsIn(feeds)].filter(
      ([, { description, examples }]) => !description || !examples,
    )
    expect([...new Set(bare.map(([name]) => name))]).toEqual([])
  })

  it.each([
    ['testkit', 'status: transit_lab, only: registrable_kit'],
    ['testkit', 'status: collecting_sample.testkit.transit_lab'],
    ['walk_in_test', 'status: appointment_scheduled'],
    ['walk_in_test', 'appointment: start'],
  ])('has nothing against a step of its method: %s %s', async (method, step) => {
    expect(await marks(file(method, step))).toEqual([])
  })

  it.each([
    ['testkit', 'status: requistion_created', 'requistion_created'],
    ['testkit', 'status: appointment_scheduled', 'appointment_scheduled'],
    ['walk_in_test', 'status: completed, only: registered_kit', 'registered_kit'],
    ['walk_in_test', 'appointment: begin', 'begin'],
  ])('marks a wrong word, by method: %s %s', async (method, step, word) => {
    expect(await marks(file(method, step))).toContain(word)
  })

  it('marks a misspelt field in either form of webhooks', async () => {
    const step = 'status: cancelled'
    for (const rules of ['{ duplicate: 1 }', '[{ event: completed, delay: 30h }]'])
      expect(await marks(file('testkit', step, `webhook_faults: ${rules}\n`))).toEqual([])
    expect(await marks(file('testkit', step, 'webhook_faults: [{ dupicate: 1 }]\n'))).not.toEqual([])
  })

  it('names the kinds of steps', () => {
    const titles = orders.properties.steps.items.anyOf.map(field('title'))
    expect(titles).toEqual(['Wait for the customer', 'Event of the appointment', 'Status of the order'])
  })

  it('completes statuses and fields', async () => {
    const statuses = await completions('method: testkit\nsteps:\n  - after: 1h\n    status: |\n')
    expect(statuses).toEqual(expect.arrayContaining(['requisition_created', 'transit_lab']))
    expect(await completions('name: mine\n|\n')).toEqual(
      expect.arrayContaining(['summary', 'method', 'steps', 'webhook_faults']),
    )
    expect(await completions('kind: feed\nsteps:\n  - after: 1h\n    |\n', 'feeds/feed')).toEqual(
      expect.arrayContaining(['gap', 'correct', 'merge']),
    )
  })

  it('explains the field below the pointer', async () => {
    expect(await hover('name: mine\nsteps:\n  - aft|er: 1h\n    status: completed\n')).toContain(
      'Time since the previous step',
    )
    expect(await hover('kind: feed\nsteps:\n  - after: 1h\n    g|ap: 2d\n', 'feeds/feed')).toContain(
      'No data are recorded',
    )
  })
})
