import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { resources } from '../../src/resources/index.ts'
import { codeOf, sourceFiles } from '../support/sources.ts'

/** What each part of `src/` may import beside itself; everything may import what the lines above it may. */
const below = {
  world: ['storage', 'scheduler', 'kernel'],
  api: ['world', 'storage', 'scheduler', 'kernel'],
  faults: ['api', 'world', 'storage', 'scheduler', 'kernel'],
}

const mayImport: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  people: ['kernel'],
  storage: ['kernel'],
  scheduler: ['storage', 'kernel'],
  world: below.world,
  api: below.api,
  faults: below.faults,
  resources: ['people', 'faults', ...below.faults],
  http: ['faults', ...below.faults],
  webhooks: ['resources', 'faults', ...below.faults],
  scenarios: ['resources', 'people', 'faults', ...below.faults],
  management: ['webhooks', 'resources', 'faults', ...below.faults],
  control: ['scenarios', 'webhooks', 'resources', 'people', 'faults', ...below.faults],
  defaults: ['kernel'],
  // What the command and the kit take, read in one way.
  settings: ['defaults', 'world', 'kernel'],
  listen: ['kernel'],
  intercept: ['kernel'],
  mcp: below.faults,
  // What follows an event, a status of an order, and the opening of a world.
  hooks: ['tables', 'webhooks', 'resources', 'api', 'world'],
  'open-world': ['hooks', 'tables', 'webhooks', 'resources', ...below.api, 'api'],
  // The list of all tables of a world.
  tables: ['management', 'scenarios', 'webhooks', 'http', 'resources', 'faults', ...below.faults],
  operations: [
    'tables',
    'defaults',
    'mcp',
    'control',
    'management',
    'scenarios',
    'resources',
    ...below.faults,
  ],
  petri: [
    'operations',
    'hooks',
    'open-world',
    'defaults',
    'control',
    'management',
    'scenarios',
    'webhooks',
    'http',
    'resources',
    'faults',
    ...below.faults,
  ],
  // What the command line and the tools share: errors, output, and the client of a running Petri.
  terminal: ['client', 'api', 'kernel'],
  'tools/team-api': ['terminal', 'defaults', 'api', 'kernel'],
  'tools/drift': ['terminal', 'client', ...below.api, 'api'],
  'tools/verify': ['tools/drift', 'tools/team-api', 'terminal', 'client', 'resources', ...below.faults],
  'tools/record': ['tools/team-api', 'terminal', 'resources', ...below.faults],
  'tools/incidents': ['terminal', 'petri', 'scenarios', 'resources', ...below.faults],
  // A client of the control API, with the tables of what may legally happen.
  'tools/explore': ['tools/incidents', 'client', 'scenarios', 'webhooks', 'resources', ...below.faults],
  cli: [
    'settings',
    'tools/team-api',
    'tools/drift',
    'tools/verify',
    'tools/record',
    'tools/incidents',
    'tools/explore',
    'terminal',
    'client',
    'intercept',
    'mcp',
    'petri',
    'listen',
    'defaults',
    'webhooks',
    'scenarios',
    'resources',
    'people',
    'faults',
    ...below.faults,
  ],
  // A client of the control API. Its types are published, written out.
  client: ['settings', 'kernel'],
  // The browser's code: a client of the control API.
  page: ['client', 'kernel'],
  index: [
    'client',
    'tools/explore',
    'intercept',
    'petri',
    'listen',
    'defaults',
    'webhooks',
    'resources',
    'api',
    'kernel',
  ],
  // The fixtures for vitest.
  vitest: ['index', 'client'],
}

/** The nouns of `src/resources`; each may import those of the lines above its own. */
const nouns = [
  ['catalogue', 'etl', 'users'],
  ['demographics', 'diagnoses', 'lab-accounts', 'labs', 'payors', 'providers'],
  ['connections', 'insurance', 'markers', 'personas'],
  ['lab-tests'],
  ['compendium', 'orders'],
  ['areas', 'order-transactions', 'portal', 'team'],
  ['appointments'],
  ['checkout', 'results'],
  ['documents', 'fhir', 'order-tracking', 'report-parser', 'simulation', 'timeseries'],
  ['summaries', 'unmatched-results'],
  ['connecting'],
  ['link', 'sense'],
  ['mobile'],
  ['introspection'],
]

/** Whose *types* the clients of the API import besides: those of what it declares. */
const declaring = ['api', 'control', 'faults', 'resources']

/** Types that are generated for the kit, beside the clients in other languages. */
const GENERATED = '../clients/typescript/'

/** The files through which resources know each other; of large nouns those of their verbs too. */
const doors =
  /\/(table|service|schema)\.ts$|\/orders\/(lifecycle|directory|placing|requests|select-tests|redraws)\.ts$|\/results\/exact\.ts$|\/catalogue\/(places|homes)\.ts$|\/summaries\/(events|storing)\.ts$/

/** Imports and re-exports of modules, of types too; files of data belong to no part. */
const IMPORT = /\b(?:import|export)\s+[^'"();]*?\bfrom\s*'(\.[^']+\.tsx?)'|\bimport\s*\(\s*'(\.[^']+\.tsx?)'/g

const imports = sourceFiles().flatMap((file) =>
  [...codeOf(file).matchAll(IMPORT)].map(([statement, target, lazy = '']) => ({
    from: file,
    to: posix.join(posix.dirname(file), target ?? lazy),
    isOfTypes: /^(import|export)\s+type\b/.test(statement),
  })),
)

/** A tool is a part by itself. */
const partOf = (file: string) => /^(tools\/)?[^/]+/.exec(file.replace(/\.tsx?$/, ''))?.[0] ?? ''
const isClient = (part: string) => /^(client|page|cli|tools\/drift)$/.test(part)
const nounOf = (file: string) => /^resources\/([^/]+)\//.exec(file)?.[1]
const told = ({ from, to }: { from: string; to: string }) => `${from} imports ${to}`

describe('imports', () => {
  it('are found at all', () => {
    expect(imports.length).toBeGreaterThan(50)
  })

  it('point one way', () => {
    const wrong = imports.filter(({ from, to, isOfTypes }) => {
      const part = partOf(from)
      const other = partOf(to)
      const isDeclared = isOfTypes && declaring.includes(other)
      if (part === other || (isClient(part) && isDeclared)) return false
      if (isOfTypes && to.startsWith(GENERATED)) return part !== 'client' && part !== 'index'
      return !mayImport[part]?.includes(other)
    })
    expect(wrong.map(told)).toEqual([])
  })

  it('of one resource by another go through its table, its service or its schema', () => {
    const wrong = imports.filter(({ from, to }) => {
      const noun = nounOf(from)
      const other = nounOf(to)
      return noun !== undefined && other !== undefined && noun !== other && !doors.test(to)
    })
    expect(wrong.map(told)).toEqual([])
  })

  it('of one resource by another point one way', () => {
    const lineOf = (noun: string) => nouns.findIndex((line) => line.includes(noun))
    const wrong = imports.filter(({ from, to }) => {
      const noun = nounOf(from)
      const other = nounOf(to)
      return noun !== undefined && other !== undefined && noun !== other && lineOf(noun) <= lineOf(other)
    })
    expect(wrong.map(told)).toEqual([])
  })

  it('of one resource by another have an order, with a place for each noun', () => {
    const named = resources.map(({ name }) => name)
    const problems = [
      ...named
        .filter((noun) => !nouns.flat().includes(noun))
        .map((noun) => `${noun} has no line in the order of nouns; see "Add a noun" in CONTRIBUTING.md`),
      ...nouns
        .flat()
        .filter((noun) => !named.includes(noun))
        .map((noun) => `${noun} has a line in the order of nouns, and is no resource`),
    ]
    expect(problems).toEqual([])
  })

  it('never go round in a circle, not even for a type', () => {
    expect(circles(imports)).toEqual([])
  })

  it('never go round in a circle of the files and folders of a folder, at any level', () => {
    const folders = new Set(sourceFiles().flatMap(foldersOf))
    const found = [...folders].flatMap((folder) => circles(importsWithin(folder)))
    expect(found).toEqual([])
    expect(folders).toContain('resources/')
    expect(folders).toContain('control/orders/')
  })
})

type Import = Pick<(typeof imports)[number], 'from' | 'to'>

function circles(all: readonly Import[]): string[] {
  const after = new Map<string, Set<string>>()
  for (const { from, to } of all) after.set(from, (after.get(from) ?? new Set()).add(to))
  const done = new Set<string>()
  const visit = (file: string, trail: readonly string[]): string[] => {
    if (trail.includes(file)) return [[...trail.slice(trail.indexOf(file)), file].join(' > ')]
    if (done.has(file)) return []
    const found = [...(after.get(file) ?? [])].flatMap((next) => visit(next, [...trail, file]))
    done.add(file)
    return found
  }
  return [...after.keys()].flatMap((file) => visit(file, []))
}

/** The folders that a file lies in, each with a slash at its end; that of all files is empty. */
const foldersOf = (file: string): string[] => {
  const parts = file.split('/')
  return parts.map((_, depth) =>
    parts
      .slice(0, depth)
      .map((part) => `${part}/`)
      .join(''),
  )
}

/** The imports between the files and subfolders of a folder; a subfolder is one, with all that lies in it. */
function importsWithin(folder: string): Import[] {
  const childOf = (file: string) => folder + file.slice(folder.length).replace(/\/.*/, '/')
  return imports
    .filter(({ from, to }) => from.startsWith(folder) && to.startsWith(folder))
    .map(({ from, to }) => ({ from: childOf(from), to: childOf(to) }))
    .filter(({ from, to }) => from !== to)
}
