import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { version } from '../../src/api/version.ts'
import * as kept from '../../src/kernel/kept.ts'
import { resources } from '../../src/resources/index.ts'
import { areas } from '../mutants/areas.mjs'
import * as keptAnew from '../mutants/fresh/kept.ts'
import { field } from '../support/field.ts'
import { codeOf, sourceFiles } from '../support/sources.ts'

interface Rule {
  readonly name: string
  readonly pattern: RegExp
  /** The only files that may. */
  readonly allowed: readonly string[]
}

const rules: readonly Rule[] = [
  {
    name: "the machine's clock",
    pattern: /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b|\bhrtime\b/,
    allowed: ['kernel/clock.ts', 'page/api.ts'],
  },
  {
    name: 'chance',
    pattern: /\bMath\.random\b|\brandomUUID\b|\brandomBytes\b|\bgetRandomValues\b/,
    allowed: [],
  },
  {
    name: 'timers',
    pattern: /(?<!\bownTimers\.)\bset(Timeout|Interval)\s*\(|\bAbortSignal\.timeout\b|node:timers/,
    // All others use those of kernel/pause.ts, which no test can fake; the page's are a browser's.
    allowed: [
      'kernel/pause.ts',
      'page/api.ts',
      // In the process that reads PDFs, to end with Petri.
      'resources/report-parser/pdf-process.ts',
    ],
  },
  {
    name: 'the environment',
    pattern: /\bprocess\.env\b/,
    // The hook runs in programs of the user.
    allowed: ['terminal/context.ts', 'intercept/install-node-hook.ts'],
  },
  {
    name: 'the process',
    pattern: /\bprocess\.(exit|on|once|argv|stdout|stderr|stdin|cwd)\b/,
    allowed: [
      'cli/',
      'terminal/context.ts',
      // Files that may come from standard input.
      'tools/drift/document.ts',
      'tools/incidents/documents.ts',
      'resources/report-parser/pdf-process.ts',
    ],
  },
  {
    name: 'the library of caches',
    pattern: /'quick-lru'/,
    allowed: ['kernel/kept.ts'],
  },
  {
    name: 'the first letter, the first sentence or the end of a text',
    pattern:
      /(charAt\(0\)|slice\(0, 1\)|\[0\]\??)\.to(Lower|Upper)Case|\.split\('\. '\)|\b(message|error|reason|detail|sentence|advice|hint)\)?\??\.(split|replace|slice)\(|\bwhy\w*\([^()]*\)\.(split|replace|slice)\(/,
    // Whoever needs a part of a sentence gets it as a field from the module that writes the sentence. These change names
    // of fields and providers, the texts of libraries and of the user's program, or only the length.
    allowed: [
      'cli/program.ts',
      'kernel/bounded-message.ts',
      'kernel/reason.ts',
      'mcp/server.ts',
      'resources/appointments/booking.ts',
      'resources/documents/requisition.ts',
      'tools/drift/report.ts',
    ],
  },
]

describe('in src/', () => {
  it.each(rules)('only the files that may touch $name do', ({ pattern, allowed }) => {
    const offenders = sourceFiles()
      .filter((file) => !allowed.some((start) => file.startsWith(start)))
      .filter((file) => pattern.test(codeOf(file)))
    expect(offenders).toEqual([])
  })

  it('no file is called by a name that says nothing', () => {
    const vague = /^(utils?|helpers?|common|types|managers?|misc|shared|lib)\b/
    expect(sourceFiles().filter((file) => vague.test(basename(file)))).toEqual([])
  })

  it('what stands at the top of a module is set once and never altered', () => {
    const offenders = sourceFiles().filter((file) => {
      const code = codeOf(file)
      const variables = [...code.matchAll(/^(?:export )?(?:let|var) (\w+)/gm)].map(([, name]) => name)
      return variables.some((name) => new RegExp(`^\\s+${name} ([-+*/]?=|\\+\\+|--)`, 'm').test(code))
    })
    expect(offenders).toEqual([])
  })

  it('nothing costly is built or read when a module is loaded', () => {
    const costly =
      /^(?:export )?const \w+(?:: [^=]+)? = (?!.*=>).*(?:\bnew Intl\.|\bz\.\w+\(|\breadFileSync\()/m
    expect(sourceFiles().filter((file) => costly.test(codeOf(file)))).toEqual([])
  })

  it('what is imported from seeds/ is checked as a table, and not cast', () => {
    const offenders = sourceFiles().filter((file) => {
      const code = codeOf(file)
      const imported = [...code.matchAll(/^import (\w+) from '[./]+\/seeds\//gm)].map(([, name]) => name)
      const isTable = (name = '') => new RegExp(`bundledTable\\([^()]*\\b${name}\\b`).test(code)
      return (
        imported.some((name) => !isTable(name)) || (imported.length > 0 && code.includes('as unknown as'))
      )
    })
    expect(offenders).toEqual([])
  })

  it('a table with any names has no inherited ones: it is a Map, or made with byName', () => {
    const inherits =
      /^(?:export )?const \w+: (?:(?:Readonly|Partial)<)*(?:Record<string, |\{ (?:readonly )?\[\w+: string\])/m
    const castsName = /^(?!.*hasOwn).*\[[\w.]+ as keyof typeof \w+\]/m
    const asksForInherited =
      /(?:[!&|?:]|=>|[^r] \(|\(\() ?\(?(?:name|scenario|persona|seed|feature|key) in [a-z]/
    const offenders = sourceFiles()
      .filter((file) => !file.startsWith('page/'))
      .filter((file) => [inherits, castsName, asksForInherited].some((pattern) => pattern.test(codeOf(file))))
    expect(offenders).toEqual([])
  })

  it('every resource is listed once, under the name of its folder', () => {
    const folders = readdirSync(new URL('../../src/resources/', import.meta.url), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(field('name'))
    const list = readSource('resources/index.ts')
    expect(folders.filter((name) => !list.includes(`'./${name}/index.ts'`))).toEqual([])
    expect(resources.map(field('name')).sort()).toEqual(folders.sort())
  })
})

it('each resource, and what is generated of people, has its mutation tests', () => {
  const mutated = Object.values(areas).flatMap(({ mutate }) => mutate)
  const without = resources.filter(({ name }) => !mutated.some((glob) => glob.includes(`resources/${name}/`)))
  expect(without.map(field('name'))).toEqual([])
  expect(mutated.some((glob) => glob.startsWith('src/people/'))).toBe(true)
})

it('the areas of mutants name tests that are there', () => {
  const there = readdirSync(new URL('../', import.meta.url), { encoding: 'utf8', recursive: true })
  const lacks = (name: string) => {
    const [begin = '', end = ''] = `${name}.test.ts`.split('*')
    return !there.some((file) => file.startsWith(begin) && file.endsWith(end))
  }
  expect(
    Object.values(areas)
      .flatMap(({ tests }) => tests)
      .filter(lacks),
  ).toEqual([])
})

it('what tests of mutants take in place of the memory of people has all its functions', () => {
  expect(Object.keys(keptAnew)).toEqual(expect.arrayContaining(Object.keys(kept)))
})

it('the version Petri tells is the one of its package', () => {
  const { version: packaged } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  )
  expect(version.petri).toBe(packaged)
})

const readSource = (file: string) => readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8')
