import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { readClientModel } from '../../scripts/clients/model.ts'
import { tagOf } from '../../scripts/contract-operations.ts'
import { firstWorld } from '../../scripts/first-world.ts'
import { openApiDocument } from '../../scripts/openapi-document.ts'
import { wholeProgram } from '../../src/cli/program.ts'
import { isObject } from '../../src/kernel/json.ts'
import { createPetri } from '../../src/petri.ts'
import { eventTypes } from '../../src/resources/event-types.ts'
import { root } from '../support/root.ts'
import { codeOf } from '../support/sources.ts'

// Each thing has one name in commands, calls, kits and files. These are names that a thing had before.

const formerNames =
  /(^|_)(unread|trails?|roads?|happenings?|misbehave|behave|recover|follow|delivery_faults?|replay)(_|$)/

/** The words of a name in any spelling, joined by underscores. */
const wordsOf = (name: string) =>
  name
    .replace(/([a-z0-9])(?=[A-Z])/g, '$1_')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase()

/** The history of a finding is replayed by the exploration; what else is sent again is resent. */
const isOfExplore = (name: string) => /explore|^replay(_input)?$/.test(name)

const refused = (names: readonly string[]) =>
  names.filter((name) => formerNames.test(wordsOf(name)) && !isOfExplore(wordsOf(name)))

const commandNames = (command: Command, path = ''): string[] =>
  command.commands.flatMap((child) => {
    const name = `${path}${child.name()}`
    return [name, ...child.options.map(({ long }) => `${name} ${long}`), ...commandNames(child, `${name} `)]
  })

/** The names of properties anywhere in a JSON schema. */
function propertiesOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(propertiesOf)
  if (!isObject(schema)) return []
  const own = isObject(schema.properties) ? Object.keys(schema.properties) : []
  return [...own, ...Object.values(schema).flatMap(propertiesOf)]
}

async function controlNames(): Promise<string[]> {
  const petri = await createPetri({ firstWorld })
  await petri.close()
  const { objects, operations } = readClientModel(openApiDocument(petri.operations, eventTypes(), tagOf))
  return [
    ...objects.flatMap(({ name, fields }) => fields.map((field) => `${name}.${field.name}`)),
    ...operations.flatMap(({ name, path, query }) => [
      name,
      path,
      ...query.map((field) => `${name} ${field.name}`),
    ]),
  ]
}

/** The public names that a pattern finds in the files under a folder of `clients/`. */
const declaredIn = (folder: string, pattern: RegExp): string[] =>
  readdirSync(join(root, 'clients', folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(py|go|java)$/.test(file) && !/_test\.go$/.test(file))
    .flatMap((file) => [...readFileSync(join(root, 'clients', folder, file), 'utf8').matchAll(pattern)])
    .map(([, name = '']) => name)

const typescriptKit = ['client/kit.ts', 'client/inputs.ts', 'client/explore.ts']
const schemas = ['scenario.schema.json', 'feeds/feed.schema.json', 'personas/persona.schema.json']

// Each with the least number of names that it has, so that none is read as empty.
// biome-ignore format: a table is read by its columns.
const media: readonly (readonly [medium: string, least: number, names: () => string[] | Promise<string[]>])[] = [
  ['commands and flags', 300, async () => commandNames(await wholeProgram())],
  ['the control API', 500, controlNames],
  ['the kit for TypeScript', 150, () => typescriptKit.flatMap((file) => [...codeOf(file).matchAll(/^ +(?:readonly )?(\w+)\??[:(<]/gm)].map(([, name = '']) => name))],
  ['the kit for Python', 150, () => declaredIn('python/src', /^ *def ([a-z]\w*)/gm)],
  ['the kit for Go', 150, () => declaredIn('go', /^func (?:\([^)]*\) )?([A-Z]\w*)/gm)],
  ['the kit for Java', 150, () => declaredIn('java/src/main', /^ *public [^=;(]*\b(\w+)\(/gm)],
  ['scenario files', 60, () => schemas.flatMap((file) => propertiesOf(JSON.parse(readFileSync(join(root, 'scenarios', file), 'utf8'))))],
]

describe('no former name is in', () => {
  it.each(media)('%s', { tags: 'slow' }, async (_, least, names) => {
    const found = await names()
    expect(found.length).toBeGreaterThan(least)
    expect(refused(found)).toEqual([])
  })
})

it.each([
  'requests list --unread',
  'ScenarioView.trails',
  'setMisbehave',
  'DeliveryFaults',
  'orders_follow',
  'webhook recover',
  'NewWebhookEndpoint.replay',
])('%s is a former name', (name) => expect(refused([name])).toEqual([name]))

it.each(['ignored', 'order_scenario', 'followed_by', 'webhook_faults', 'broadcast', 'petri_explore_replay'])(
  '%s is not',
  (name) => expect(refused([name])).toEqual([]),
)
