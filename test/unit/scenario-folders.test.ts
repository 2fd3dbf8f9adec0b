import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { packageFolder } from '../../src/kernel/package-folder.ts'
import { whyUnreadable } from '../../src/kernel/reason.ts'
import type { ScenarioChange } from '../../src/scenarios/own-scenarios.ts'
import { openScenarios } from '../../src/scenarios/repository.ts'
import { orderScenarios } from '../../src/scenarios/table.ts'
import { createUser, orderKit } from '../support/orders.ts'
import { startTestPetri } from '../support/petri.ts'
import { countTurns, makeStepsSlow } from '../support/timing.ts'

interface Wanted {
  readonly name?: string
  readonly zip?: string
  readonly after?: string
}

const text = ({ name = 'mine', zip, after = '1h' }: Wanted = {}) =>
  [
    `name: ${name}`,
    'summary: A scenario of mine.',
    'method: testkit',
    ...(zip === undefined ? [] : [`match: { zip: "${zip}" }`]),
    'steps:',
    `  - { after: ${after}, status: requisition_created, only: registered_kit }`,
    '  - { after: 1h, status: transit_customer }',
  ].join('\n')

const bundledText = (name: string) => readFileSync(join(packageFolder('scenarios'), `${name}.yaml`), 'utf8')

const feed = (name: string) => `name: ${name}\nsummary: x\nkind: feed\nsteps: [{ after: 1h, gap: 2h }]\n`

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'petri-folders-'))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

function scenariosIn(folder: string) {
  return openScenarios({
    folders: [folder],
    resultNames: () => new Map([['Glucose', []]]),
  })
}

const refusalOf = (folder: string): Promise<string> =>
  Promise.resolve(scenariosIn(folder).byKind.order.ready()).then(
    () => 'fine',
    (error: Error) => error.message.replaceAll(`${folder}/`, ''),
  )

describe('a folder of scenarios', () => {
  it.each<[string, Record<string, string>, string]>([
    [
      'two files on one ZIP code',
      { 'mine.yaml': text({ zip: '00199' }), 'other.yaml': text({ name: 'other', zip: '00199' }) },
      'mine.yaml:4: ZIP code 00199 already selects the scenario in other.yaml',
    ],
    [
      'the ZIP code of a bundled scenario',
      { 'mine.yaml': text({ zip: '00100' }) },
      'mine.yaml:4: ZIP code 00100 already selects the bundled scenario happy-path; choose another, or leave out match',
    ],
    [
      'another name than the file',
      { 'other.yaml': text() },
      'other.yaml:1: the scenario is named mine, not as its file',
    ],
    [
      'two files of one name',
      { 'mine.yaml': text(), 'mine.yml': text() },
      'mine.yaml:1: mine is also the name of the scenario in mine.yml',
    ],
    [
      'a feed scenario with the name of a scenario of orders',
      { 'mine.yaml': text(), 'feeds/mine.yaml': feed('mine') },
      'mine.yaml:1: mine is also the name of the scenario in feeds/mine.yaml',
    ],
    [
      'two files of one name in subfolders',
      { 'kits/mine.yaml': text(), 'incidents/mine.yaml': text() },
      'kits/mine.yaml:1: mine is also the name of the scenario in incidents/mine.yaml',
    ],
    [
      'a scenario of orders among the feeds of a subfolder',
      { 'incidents/feeds/mine.yaml': text() },
      'incidents/feeds/mine.yaml:1: a scenario of orders is looked for in the folder above; move it there',
    ],
    ['a file in place of a subfolder', { feeds: '' }, 'feeds is a file, not a folder of scenarios.'],
    [
      'a feed scenario outside of feeds',
      { 'mine.yaml': feed('mine') },
      'mine.yaml:1: a feed scenario is looked for in the subfolder feeds; move it there',
    ],
    [
      'a scenario of orders among the feeds',
      { 'feeds/mine.yaml': text() },
      'feeds/mine.yaml:1: a scenario of orders is looked for in the folder above; move it there',
    ],
    [
      'a result nobody measures',
      {
        'missing-results.yaml': bundledText('missing-results').replace('missing: true', 'missing: [Glukose]'),
      },
      'missing-results.yaml:16: step 9: "Glukose" is not a result of any marker. Did you mean "Glucose"?',
    ],
    [
      'a file without end',
      { 'mine.yaml': 'x'.repeat(2 ** 20 + 1) },
      'mine.yaml is longer than 1048576 bytes',
    ],
  ])('is refused with %s', async (_, files, message) => {
    expect(await refusalOf(folderWith(files))).toContain(message)
  })

  it('may take over the name and the ZIP code of a bundled one', async () => {
    const folder = folderWith({
      'happy-path.yaml': text({ name: 'happy-path', zip: '00199' }),
      'mine.yaml': text({ zip: '00100' }),
    })
    const { order: orders } = scenariosIn(folder).byKind
    await orders.ready()
    expect([orders.byZip('00199')?.name, orders.byZip('00100')?.name]).toEqual(['happy-path', 'mine'])
  })

  it('is refused in a sentence if it or a file in it cannot be read', async () => {
    const folder = folderWith({ 'file.txt': '' })
    expect(await refusalOf(join(folder, 'none'))).toBe(`${folder}/none is not there.`)
    expect(await refusalOf(join(folder, 'file.txt'))).toBe(
      `${folder}/file.txt is a file, not a folder of scenarios.`,
    )
    mkdirSync(join(folder, 'mine.yaml'))
    symlinkSync('circle.yaml', join(folder, 'circle.yaml'))
    expect((await refusalOf(folder)).split('\n')).toEqual([
      'circle.yaml is a symbolic link that leads back to itself',
      'mine.yaml is a folder, not a file',
    ])
  })

  it('causes a warning without a scenario file, and none with one', async () => {
    const warnings: string[] = []
    const without = folderWith({ 'notes.txt': '' })
    const scenarios = [folderWith({ 'feeds/mine.yaml': feed('mine') }), without]
    await startTestPetri({ scenarios, warn: (message) => warnings.push(message) })
    expect(warnings).toEqual([
      `${without} has no scenario file (.yaml or .yml). Files are read when they appear.`,
    ])
  })

  it('is read with its subfolders, which group the scenarios', async () => {
    const folder = folderWith({
      'one.yaml': text({ name: 'one' }),
      'incidents/two.yaml': text({ name: 'two' }),
      'incidents/2026/05/three.yaml': text({ name: 'three' }),
      'incidents/feeds/four.yaml': feed('four'),
      'feeds/five.yaml': feed('five'),
      '.hidden/six.yaml': 'no scenario',
      'node_modules/seven.yaml': 'no scenario',
      'a/b/c/d/eight.yaml': 'too deep',
    })
    symlinkSync(folder, join(folder, 'again'))
    const { order: orders, feed: feeds } = scenariosIn(folder).byKind
    await orders.ready()
    const groups = (all: readonly { name: string; group?: string }[]) =>
      Object.fromEntries(all.flatMap(({ name, group }) => (group === undefined ? [] : [[name, group]])))
    expect(groups(orders.all())).toEqual({ one: '', two: 'incidents', three: 'incidents/2026/05' })
    expect(groups(feeds.all())).toEqual({ four: 'incidents', five: '' })
  })

  it('says in words what the codes of the file system mean', () => {
    const error = (code: string) => Object.assign(new Error('no words'), { code })
    expect(whyUnreadable('mine.yaml', error('EACCES'))).toBe('mine.yaml may not be read by this user')
    expect(whyUnreadable('mine.yaml', error('EIO'))).toBe('mine.yaml cannot be read: no words')
  })

  it('leaves out hidden files, such as those of an editor', async () => {
    expect(await refusalOf(folderWith({ '.#mine.yaml': 'name: [' }))).toBe('fine')
  })
})

describe('a changed scenario file', () => {
  afterEach(() => void vi.restoreAllMocks())

  /** Looks until the files have settled. */
  async function refreshed(scenarios: ReturnType<typeof scenariosIn>) {
    const replaced: string[] = []
    const note = async (all: readonly ScenarioChange[]) => () =>
      void replaced.push(...all.map(({ name }) => name))
    const changes = [...(await scenarios.refresh(note)), ...(await scenarios.refresh(note))]
    return { replaced, changes: changes.map(({ what, name }) => `${name} ${what}`), all: changes }
  }

  it('is read once it has settled, and a broken one leaves the last good one', async () => {
    const folder = folderWith({ 'mine.yaml': text() })
    const scenarios = scenariosIn(folder)
    await scenarios.byKind.order.ready()
    const zip = () => scenarios.byKind.order.find('mine')?.zip
    expect(await refreshed(scenarios)).toMatchObject({ changes: [] })

    writeFileSync(join(folder, 'mine.yaml'), text({ zip: '00199' }))
    expect(await scenarios.refresh(async () => () => undefined)).toEqual([])
    expect(zip()).toBeUndefined()
    expect(await refreshed(scenarios)).toMatchObject({ changes: ['mine changed'], replaced: ['mine'] })
    expect(zip()).toBe('00199')

    // Of another length: two writes can have the same time.
    writeFileSync(join(folder, 'mine.yaml'), text({ zip: '00100', after: '10h' }))
    const { all, changes } = await refreshed(scenarios)
    expect(changes).toEqual(['mine refused'])
    expect(all[0]?.issues).toEqual([
      expect.stringContaining('already selects the bundled scenario happy-path'),
    ])
    expect(zip()).toBe('00199')
    expect((await refreshed(scenarios)).changes).toEqual([])
  })

  it('adds, renames and removes scenarios, and a comment changes nothing', async () => {
    const folder = folderWith({ 'mine.yaml': text(), 'happy-path.yaml': text({ name: 'happy-path' }) })
    const scenarios = scenariosIn(folder)
    await scenarios.byKind.order.ready()
    writeFileSync(join(folder, 'mine.yaml'), `# a comment\n${text()}`)
    mkdirSync(join(folder, 'feeds'))
    writeFileSync(join(folder, 'feeds/night.yaml'), feed('night'))
    expect(await refreshed(scenarios)).toMatchObject({ changes: ['night added'], replaced: [] })
    expect(scenarios.byKind.feed.find('night')?.steps).toHaveLength(1)

    renameSync(join(folder, 'mine.yaml'), join(folder, 'yours.yaml'))
    expect((await refreshed(scenarios)).changes).toEqual(['mine removed', 'yours refused'])
    writeFileSync(join(folder, 'yours.yaml'), text({ name: 'yours' }))
    rmSync(join(folder, 'happy-path.yaml'))
    expect((await refreshed(scenarios)).changes).toEqual(['yours added', 'happy-path removed'])
    expect(scenarios.byKind.order.names()).not.toContain('mine')
    expect(scenarios.byKind.order.find('happy-path')?.zip).toBe('00100')
  })

  it('takes the orders that follow it out of the scenario; the next order follows what is there now', {
    tags: 'slow',
  }, async () => {
    const folder = folderWith({ 'mine.yaml': text() })
    const told: string[] = []
    let tell: (() => void) | undefined
    const petri = await startTestPetri({
      scenarios: [folder],
      onScenarioChange({ name, what }) {
        told.push(`${name} ${what}`)
        tell?.()
      },
    })
    const user = await createUser(petri)
    const orders: { readonly id: string }[] = []
    for (const scenario of ['manual', ...Array<string>(9).fill('mine')])
      orders.push(await orderKit(petri, { scenario, user }))
    const late = `/_petri/orders/${orders[0]?.id}/scenario`
    const changed = new Promise<void>((resolve) => {
      tell = resolve
    })
    writeFileSync(join(folder, 'mine.yaml'), text({ name: 'mine', zip: '00198' }))
    makeStepsSlow()
    const begun: unknown[] = []
    await countTurns(changed, async () => {
      const hasLeft = ({ id }: { id: string }) => petri.world().db.get(orderScenarios, id).left
      if (orders.slice(1, 5).every(hasLeft) && begun.length === 0)
        begun.push((await petri.call('PUT', late, { scenario: 'mine' })).status)
    })
    vi.restoreAllMocks()
    expect(told).toEqual(['mine changed'])
    expect(begun).toEqual([200])
    const after = await orderKit(petri, { scenario: 'mine', zip: '85003' })
    await petri.post('/_petri/clock/advance', { by: '4h' })
    const statusOf = async (id: string) => (await petri.get(`/v3/order/${id}`)).body.last_event.status
    expect(await statusOf(after.id)).toBe('collecting_sample.testkit.transit_customer')
    for (const { id } of orders) {
      expect(await statusOf(id)).toBe('received.testkit.awaiting_registration')
      expect((await petri.get(`/_petri/orders/${id}/scenario`)).body).toMatchObject({
        left_because: 'the file of mine has changed',
      })
    }
    await petri.close()
  })
})
