import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { builtScenarios } from '../../scripts/openapi.ts'
import type { AnalyteSeed } from '../../src/resources/catalogue/schema.ts'
import { listOwnFiles, listUngroupedFiles } from '../../src/scenarios/folders.ts'
import { OwnScenarios } from '../../src/scenarios/own-scenarios.ts'
import { inWords, readScenario } from '../../src/scenarios/read.ts'
import { openScenarios } from '../../src/scenarios/repository.ts'
import { type BundledContext, unreachablePdfs, validateFiles } from '../../src/scenarios/validate-files.ts'
import { makeFolder } from '../support/new-folder.ts'

const HEAD = 'summary: x\nmethod: testkit\n'
const scenario = (name: string, more = 'steps: []') => `name: ${name}\n${HEAD}${more}`
const feed = (name: string) => `name: ${name}\nsummary: x\nkind: feed\nsteps: [{ after: 1h, gap: 2h }]`
const withZip = (name: string, zip: string) => scenario(name, `match: { zip: "${zip}" }\nsteps: []`)
const reporting = (results: string) =>
  scenario(
    'mine',
    `steps:\n  - { after: 1h, status: cancelled, force: true }\n  - { after: 1h, status: completed, force: true, results: ${results} }`,
  )

const measured = { slug: 'glucose', kind: 'numeric', unit: 'mg/dL' } as AnalyteSeed
const told = { slug: 'blood', kind: 'comment' } as unknown as AnalyteSeed

const bundled: BundledContext = {
  bundledWithZip: (zip) => (zip === '00150' ? 'bundled' : undefined),
  bundledNames: (kind) => ({ order: ['bundled'], feed: ['night'], persona: ['owl'] })[kind],
  resultNames: () =>
    new Map([
      ['Glucose', [measured]],
      ['Blood', [measured, told]],
    ]),
}

const folderOf = () => makeFolder('petri-validation-')
function write(folder: string, files: Record<string, string | Uint8Array>) {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
}
/** What is wrong with the files of a folder, without its path. */
function refusals(files: Record<string, string | Uint8Array>, folder = folderOf()): string[] {
  write(folder, files)
  return validateFiles(listOwnFiles(folder), bundled)
    .flatMap(({ issues }) => issues.map(inWords))
    .map((line) => line.replaceAll(`${folder}/`, ''))
}

it.each([
  ['steps: [{ status: cancelled }]', 'after is missing; a step has one of after, at and before'],
  ['steps: [{ after: 1h, by: 1h, status: cancelled }]', 'by goes with before: appointment only'],
  ['steps: [{ at: appointment, by: 1h, status: cancelled }]', 'by goes with before: appointment only'],
  [
    'steps: [{ before: appointment, status: cancelled }]',
    'by is missing; it says how long before the appointment',
  ],
  ['steps: []\nwebhook_faults: [{ status: lost }]', 'names events and has no effect on them'],
  ['steps: []\nwebhook_faults: [{ event: lost }]', 'names events and has no effect on them'],
  ['steps: []\nwebhook_faults: [{ occurrence: 2 }]', 'names events and has no effect on them'],
  ['steps: []\nwebhook_faults: { event: daily.data.sleep.created, burst: 1 }', 'is neither an event about'],
  ['steps: []\nwebhook_faults: [{ status: lost, reorder: 2 }]', 'reorders several messages'],
  ['steps: []\nwebhook_faults: [{ occurrence: 2, burst: 2 }]', 'reorders several messages'],
  ['steps: []\nwebhook_faults: [{ occurrence: 2, delay: 1h }, { burst: 2 }]', undefined],
])('what does not go together is refused: %s', (more, reason) => {
  const [first] = refusals({ 'mine.yaml': scenario('mine', more) })
  expect(first).toEqual(reason && expect.stringContaining(reason))
})

describe('the name of a scenario', () => {
  it('is of one scenario of orders or of feeds alone', () => {
    expect(refusals({ 'mine.yaml': scenario('mine'), 'other.yaml': scenario('other') })).toEqual([])
    expect(refusals({ 'mine.yaml': scenario('mine'), 'feeds/mine.yaml': feed('mine') })).toEqual([
      'mine.yaml:1: mine is also the name of the scenario in feeds/mine.yaml',
      'feeds/mine.yaml:1: mine is also the name of the scenario in mine.yaml',
    ])
  })

  it('may be that of a bundled scenario of the same kind only', () => {
    expect(refusals({ 'bundled.yaml': scenario('bundled'), 'feeds/night.yaml': feed('night') })).toEqual([])
    expect(
      refusals({ 'night.yaml': `${HEAD}name: night\nsteps: []`, 'feeds/bundled.yaml': feed('bundled') }),
    ).toEqual([
      'night.yaml:3: night is the name of a bundled feed scenario',
      'feeds/bundled.yaml:1: bundled is the name of a bundled scenario of orders',
    ])
  })

  it('may be the same in two folders, of which the later one counts', () => {
    const [one, two] = [folderOf(), folderOf()]
    write(one, { 'mine.yaml': withZip('mine', '00160') })
    write(two, { 'mine.yaml': withZip('mine', '00160') })
    const files = [one, two].flatMap(listOwnFiles)
    expect(validateFiles(files, bundled).flatMap(({ issues }) => issues)).toEqual([])
  })

  it('need not be that of a pipe', () => {
    const folder = folderOf()
    write(folder, { pipe: scenario('mine'), 'other.json': scenario('mine') })
    const issuesOf = (file: string) => {
      const path = join(folder, file)
      return validateFiles(
        [{ path, name: 'other', kind: undefined, root: folder, group: '' }],
        bundled,
      )[0]?.issues.map(inWords)
    }
    expect(issuesOf('pipe')).toEqual([])
    expect(issuesOf('other.json')).toEqual([
      `${join(folder, 'other.json')}:1: the scenario is named mine, not as its file`,
    ])
  })
})

describe('the magic ZIP code of a scenario', () => {
  const taken = 'choose another, or leave out match'

  it('selects no other one', () => {
    expect(
      refusals({ 'mine.yaml': withZip('mine', '00160'), 'other.yaml': withZip('other', '00161') }),
    ).toEqual([])
    expect(
      refusals({ 'mine.yaml': withZip('mine', '00160'), 'other.yaml': withZip('other', '00160') }),
    ).toEqual([
      'mine.yaml:4: ZIP code 00160 already selects the scenario in other.yaml',
      'other.yaml:4: ZIP code 00160 already selects the scenario in mine.yaml',
    ])
    expect(refusals({ 'mine.yaml': withZip('mine', '00150'), 'other.yaml': scenario('other') })).toEqual([
      `mine.yaml:4: ZIP code 00150 already selects the bundled scenario bundled; ${taken}`,
    ])
  })

  it('may be that of a bundled one that is replaced', () => {
    expect(refusals({ 'bundled.yaml': withZip('bundled', '00150') })).toEqual([])
    expect(refusals({ 'bundled.yaml': scenario('bundled'), 'mine.yaml': withZip('mine', '00150') })).toEqual(
      [],
    )
  })
})

describe('the results of a scenario', () => {
  it('are those of the catalogue', () => {
    for (const values of ['{ Glucose: 5 }', '{ Blood: 5 }', '{ Blood: red }'])
      expect(refusals({ 'mine.yaml': reporting(`{ missing: [Glucose], values: ${values} }`) })).toEqual([])
    expect(refusals({ 'mine.yaml': reporting('{ values: { Glucose: low, Blood: -1 } }') })).toEqual([
      'mine.yaml:6: step 2: "Glucose" is measured as a number in mg/dL; it is "low"',
      'mine.yaml:6: step 2: "Blood" cannot be negative; it is -1',
    ])
    expect(refusals({ 'mine.yaml': reporting('{ missing: true }') })).toEqual([])
    expect(refusals({ 'mine.yaml': reporting('{ missing: [Glucose, Glukose] }') })).toEqual([
      'mine.yaml:6: step 2: "Glukose" is not a result of any marker. Did you mean "Glucose"?',
    ])
    expect(refusals({ 'mine.yaml': reporting('{ values: { zzzzzzzzzz: 1 } }') })).toEqual([
      'mine.yaml:6: step 2: "zzzzzzzzzz" is not a result of any marker.',
    ])
  })

  it('are told with their place and value', () => {
    const folder = folderOf()
    write(folder, { 'mine.yaml': reporting('{ missing: [Glucose, nothing], values: { never: 7 } }') })
    const [file] = validateFiles(listOwnFiles(folder), bundled)
    expect(file?.issues).toMatchObject([
      { path: ['steps', 1, 'results', 'missing', 1], value: 'nothing', step: 2 },
      { path: ['steps', 1, 'results', 'values', 'never'], value: 7, step: 2 },
    ])
  })
})

describe('the PDF of a scenario', () => {
  const named = (pdf: string) => ({ 'mine.yaml': reporting(`{ pdf: ${pdf} }`) })

  it('lies beside it, and is kept in Base64', () => {
    const folder = folderOf()
    write(folder, { ...named('papers/report.pdf'), 'papers/report.pdf': '%PDF-1.4 x' })
    const [file] = validateFiles(listOwnFiles(folder), bundled)
    expect(file?.issues).toEqual([])
    const steps = file?.parsed?.kind === 'order' ? file.parsed.scenario.steps : []
    expect(steps).toMatchObject([
      { kind: 'move', pdf: undefined },
      { pdf: { path: 'papers/report.pdf', content: Buffer.from('%PDF-1.4 x').toString('base64') } },
    ])
  })

  it('is refused where it is not there, is not a PDF, or is too long', () => {
    expect(refusals(named('report.pdf'))).toEqual(['mine.yaml:6: step 2: pdf: report.pdf is not there'])
    expect(refusals({ ...named('report.pdf'), 'report.pdf': 'text' })).toEqual([
      'mine.yaml:6: step 2: pdf: report.pdf is not a PDF',
    ])
    const folder = folderOf()
    const path = join(folder, 'report.pdf')
    writeFileSync(path, '%PDF-1.4')
    truncateSync(path, 2 * 1024 * 1024)
    expect(refusals(named('report.pdf'), folder)).toEqual([])
    truncateSync(path, 2 * 1024 * 1024 + 1)
    expect(refusals(named('report.pdf'), folder)).toEqual([
      'mine.yaml:6: step 2: pdf: report.pdf is longer than 2097152 bytes',
    ])
  })

  it('cannot be of an uploaded scenario', () => {
    const told = (source: string) => unreachablePdfs(readScenario(source, 'mine'), 'mine')
    expect(told(reporting('{ missing: true }'))).toEqual([])
    expect(told(reporting('{ pdf: report.pdf }'))).toEqual([
      {
        file: 'mine',
        line: 6,
        step: 2,
        path: ['steps', 1, 'results', 'pdf'],
        message:
          'pdf: an uploaded scenario has no folder; start Petri with --scenarios, or send the PDF with PUT /_petri/orders/{order_id}/results',
      },
    ])
  })
})

describe('a file', () => {
  it('in the wrong folder is refused', () => {
    expect(refusals({ 'mine.yaml': feed('mine') })).toEqual([
      'mine.yaml:1: a feed scenario is looked for in the subfolder feeds; move it there',
    ])
    expect(refusals({ 'feeds/mine.yaml': scenario('mine') })).toEqual([
      'feeds/mine.yaml:1: a scenario of orders is looked for in the folder above; move it there',
    ])
  })

  it('is one of YAML in the folder or a subfolder, and not a hidden one', () => {
    const folder = folderOf()
    const names = ['b.yml', 'a.yaml', '.c.yaml', 'd.json', 'e.yaml.bak', 'other/f.yaml', 'feeds/g.yml']
    write(folder, Object.fromEntries(names.map((name) => [name, ''])))
    const ofRoot = { root: folder, group: '' }
    expect(listOwnFiles(folder)).toEqual([
      { path: join(folder, 'a.yaml'), name: 'a', kind: 'order', ...ofRoot },
      { path: join(folder, 'b.yml'), name: 'b', kind: 'order', ...ofRoot },
      { path: join(folder, 'feeds/g.yml'), name: 'g', kind: 'feed', ...ofRoot },
      { path: join(folder, 'other/f.yaml'), name: 'f', kind: 'order', root: folder, group: 'other' },
    ])
    expect(listOwnFiles(join(folder, 'other'))).toMatchObject([{ name: 'f' }])
    expect(listUngroupedFiles(folder)).toMatchObject([{ name: 'a' }, { name: 'b' }, { name: 'g' }])
  })

  it('of a finding has its own form, and may have the name of a scenario', () => {
    const finding = (name: string, day = '05') =>
      `kind: finding\nname: ${name}\nsummary: x\nseed: x\nnow: 2026-01-${day}T09:00:00Z\norders: [{ at: 0s, user: 1, method: testkit, steps: [] }]`
    expect(
      refusals({ 'a.yaml': scenario('a'), 'odd/a.yaml': finding('a'), 'b.yaml': finding('c', '32') }),
    ).toEqual(['b.yaml:5: now "2026-01-32T09:00:00Z" is not an instant in UTC'])
    expect(refusals({ 'b.yaml': finding('c') })).toEqual([
      'b.yaml:2: the scenario is named c, not as its file',
    ])
  })

  it('is no folder of scenarios', () => {
    const folder = folderOf()
    write(folder, { 'a.yaml': '', 'deep/feeds': '' })
    const path = (name: string) => join(folder, name)
    expect(() => listOwnFiles(path('a.yaml'))).toThrow(
      `${path('a.yaml')} is a file, not a folder of scenarios`,
    )
    expect(() => listOwnFiles(path('deep'))).toThrow(
      `${path('deep/feeds')} is a file, not a folder of scenarios`,
    )
    expect(() => listOwnFiles(path('nowhere'))).toThrow(`${path('nowhere')} is not there.`)
  })

  it('that cannot be read has no other mistakes', () => {
    const folder = folderOf()
    const path = join(folder, 'mine.yaml')
    writeFileSync(path, scenario('mine'))
    expect(refusals({ 'mine.yaml/x': '' }, folderOf())).toEqual(['mine.yaml is a folder, not a file'])
    truncateSync(path, 1024 * 1024 + 1)
    const told = () => validateFiles(listOwnFiles(folder), bundled)
    expect(told()).toMatchObject([
      { parsed: undefined, issues: [{ file: path, message: 'is longer than 1048576 bytes' }] },
    ])
    truncateSync(path, 1024 * 1024)
    expect(told()[0]?.issues[0]?.message).not.toBe('is longer than 1048576 bytes')
  })
})

describe('scenarios in folders of the user', () => {
  /** Opens folders; a change is seen in the second look, once it has settled. */
  function opened(...folders: string[]) {
    const own = new OwnScenarios(folders, bundled)
    const calls: string[][] = []
    const look = () =>
      own.refresh(async (changes) => {
        calls.push(changes.map(({ what, name }) => `${what} ${name}`))
        return () => void calls.push([...own.byKind.order.keys(), ...own.byKind.feed.keys()])
      })
    return { own, calls, look, settle: async () => [await look(), await look()].flat() }
  }

  it('are read by kind, the later folder first, and not at all without folders', async () => {
    const [one, two] = [folderOf(), folderOf()]
    write(one, { 'mine.yaml': scenario('mine'), 'feeds/dusk.yaml': feed('dusk') })
    write(two, { 'mine.yaml': withZip('mine', '00160') })
    const { own } = opened(one, two)
    await own.read()
    expect([...own.byKind.order.keys()]).toEqual(['mine'])
    expect([...own.byKind.feed.keys()]).toEqual(['dusk'])
    expect(own.byKind.order.get('mine')?.zip).toBe('00160')
    const none = opened()
    await none.own.read()
    expect([none.own.byKind.order.size, none.own.byKind.feed.size]).toEqual([0, 0])
  })

  it('are refused whole when one is broken', async () => {
    const folder = folderOf()
    write(folder, { 'mine.yaml': scenario('mine'), 'other.yaml': scenario('another') })
    const { own } = opened(folder)
    await expect(own.read()).rejects.toThrow('the scenario is named another, not as its file')
    expect(own.byKind.order.size).toBe(0)
  })

  it('are read again once a change has settled, and not without one', async () => {
    const folder = folderOf()
    write(folder, { 'mine.yaml': scenario('mine'), 'other.yaml': scenario('other') })
    const { own, calls, look } = opened(folder)
    await own.read()
    expect([await look(), await look(), calls]).toEqual([[], [], []])
    write(folder, {
      'mine.yaml': withZip('mine', '00160'),
      'other.yaml': `# A comment.\n${scenario('other')}`,
      'third.yaml': scenario('third'),
      'feeds/dusk.yaml': feed('dusk'),
    })
    expect(await look()).toEqual([])
    expect(own.byKind.order.get('mine')?.zip).toBeUndefined()
    const path = (name: string) => join(folder, `${name}.yaml`)
    expect(await look()).toEqual([
      { kind: 'order', name: 'mine', file: path('mine'), what: 'changed', issues: [] },
      { kind: 'order', name: 'third', file: path('third'), what: 'added', issues: [] },
      { kind: 'feed', name: 'dusk', file: path('feeds/dusk'), what: 'added', issues: [] },
    ])
    expect(calls).toEqual([['changed mine'], ['mine', 'other']])
    expect(own.byKind.order.get('mine')?.zip).toBe('00160')
    expect([...own.byKind.order.keys(), ...own.byKind.feed.keys()]).toEqual([
      'mine',
      'other',
      'third',
      'dusk',
    ])
    expect([await look(), calls.length]).toEqual([[], 2])
  })

  it('are gone with their file', async () => {
    const folder = folderOf()
    write(folder, { 'mine.yaml': scenario('mine'), 'other.yaml': scenario('other') })
    const { own, calls, settle } = opened(folder)
    await own.read()
    rmSync(join(folder, 'mine.yaml'))
    expect(await settle()).toMatchObject([{ name: 'mine', what: 'removed', kind: 'order' }])
    expect(calls[0]).toEqual(['removed mine'])
    expect([...own.byKind.order.keys()]).toEqual(['other'])
  })

  it('stay in use while their file is broken, which is told once', async () => {
    const folder = folderOf()
    write(folder, { 'mine.yaml': scenario('mine'), 'feeds/dusk.yaml': feed('dusk') })
    const { own, settle } = opened(folder)
    await own.read()
    const file = join(folder, 'mine.yaml')
    write(folder, { 'mine.yaml': 'name: mine' })
    const [refused, ...others] = await settle()
    expect(others).toEqual([])
    expect(refused).toEqual({
      kind: 'order',
      name: 'mine',
      file,
      what: 'refused',
      issues: expect.arrayContaining([`${file}:1: summary is missing`]),
    })
    expect([...own.byKind.order.keys(), ...own.byKind.feed.keys()]).toEqual(['mine', 'dusk'])
    write(folder, { 'mine.yaml': 'name: mine\n' })
    expect(await settle()).toEqual([])
    write(folder, { 'mine.yaml': scenario('mine') })
    expect(await settle()).toEqual([])
    write(folder, { 'mine.yaml': 'name: mine' })
    expect(await settle()).toMatchObject([{ what: 'refused' }])
    write(folder, { 'mine.yaml': scenario('mine'), 'feeds/dusk.yaml': 'kind: feed' })
    expect(await settle()).toMatchObject([{ kind: 'feed', name: 'dusk', what: 'refused' }])
  })

  it('of a file that was never valid are not there', async () => {
    const folder = folderOf()
    write(folder, { 'mine.yaml': scenario('mine') })
    const { own, settle } = opened(folder)
    await own.read()
    write(folder, { 'broken.yaml': 'name: broken' })
    expect(await settle()).toMatchObject([{ name: 'broken', what: 'refused' }])
    expect([...own.byKind.order.keys()]).toEqual(['mine'])
  })
})

describe('the scenarios of Petri and of the user', () => {
  function opened(files?: Record<string, string>) {
    const own = folderOf()
    write(own, files ?? {})
    return openScenarios({ folders: files ? [own] : undefined, resultNames: () => new Map() })
  }
  async function ready(files?: Record<string, string>) {
    const scenarios = opened(files)
    await scenarios.byKind.order.ready()
    return scenarios
  }

  it('are ready at once without files of the user, and otherwise once these are read', async () => {
    expect(opened().byKind.order.ready()).toBeUndefined()
    const scenarios = opened({ 'mine.yaml': scenario('mine') })
    expect(scenarios.byKind.order.find('mine')).toBeUndefined()
    const waiting = scenarios.byKind.order.ready()
    expect(scenarios.byKind.feed.ready()).toBe(waiting)
    await waiting
    expect([scenarios.byKind.order.ready(), scenarios.byKind.feed.ready()]).toEqual([undefined, undefined])
    expect(scenarios.byKind.order.find('mine')?.name).toBe('mine')
  })

  it('are listed together, each once and sorted', async () => {
    const alone = (await ready()).byKind
    const { byKind } = await ready({
      'mine.yaml': scenario('mine'),
      'critical-result.yaml': scenario('critical-result'),
      'feeds/dusk.yaml': feed('dusk'),
    })
    const { order: orders, feed: feeds } = byKind
    expect(alone.order.names()).toEqual(expect.arrayContaining(['critical-result', 'happy-path']))
    expect(orders.names()).toEqual([...alone.order.names(), 'mine'].sort())
    expect(feeds.names()).toEqual([...alone.feed.names(), 'dusk'].sort())
    expect(orders.all().map(({ name }) => name)).toEqual(orders.names())
    expect(orders.find('critical-result')?.zip).toBeUndefined()
    expect([orders.find('third'), feeds.find('critical-result'), orders.find('dusk')]).toEqual(
      Array(3).fill(undefined),
    )
  })

  it('are selected by magic ZIP, those of the user first, and none that is replaced', async () => {
    const alone = await ready()
    const zips = ['00141', '00211', '00499', '0014', '85004']
    expect(zips.map((zip) => alone.byKind.order.byZip(zip)?.name)).toEqual([
      'critical-result',
      'walk-in-redraw',
      undefined,
      undefined,
      undefined,
    ])
    const { byKind, beside } = await ready({
      'critical-result.yaml': scenario('critical-result'),
      'mine.yaml': withZip('mine', '00141'),
    })
    expect(zips.map((zip) => byKind.order.byZip(zip)?.name)).toEqual([
      'mine',
      'walk-in-redraw',
      ...Array(3).fill(undefined),
    ])
    expect(['00141', '00499'].map(beside.bundledWithZip)).toEqual(['critical-result', undefined])
    const replaced = await ready({ 'critical-result.yaml': scenario('critical-result') })
    expect(replaced.byKind.order.byZip('00141')).toBeUndefined()
    expect(beside.bundledNames('feed')).toContain('steady')
  })

  it('are written by the build as they are parsed', () => {
    const built = builtScenarios()
    expect(Object.keys(built)).toEqual(['order', 'feed', 'persona'])
    // What has no value is left out.
    expect(JSON.parse(JSON.stringify(built))).toEqual(built)
  })
})
