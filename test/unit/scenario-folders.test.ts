import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { whyUnreadable } from '../../src/kernel/reason.ts'
import { openScenarios } from '../../src/scenarios/repository.ts'
import { orderScenarios } from '../../src/scenarios/table.ts'
import { makeFolder } from '../support/new-folder.ts'
import { advance, createUser, orderKit, readFollowed, readOrder } from '../support/orders.ts'
import { startTestPetri } from '../support/petri.ts'
import { countTurns, makeStepsSlow } from '../support/timing.ts'

interface Wanted {
  readonly name?: string
  readonly zip?: string
}

const text = ({ name = 'mine', zip }: Wanted = {}) =>
  [
    `name: ${name}`,
    'summary: A scenario of mine.',
    'method: testkit',
    ...(zip === undefined ? [] : [`match: { zip: "${zip}" }`]),
    'steps:',
    '  - { after: 1h, status: requisition_created, only: registered_kit }',
    '  - { after: 1h, status: transit_customer }',
  ].join('\n')

const feed = (name: string) => `name: ${name}\nsummary: x\nkind: feed\nsteps: [{ after: 1h, gap: 2h }]\n`

function folderWith(files: Record<string, string>): string {
  const folder = makeFolder('petri-folders-')
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
      'two files of one name',
      { 'mine.yaml': text(), 'mine.yml': text() },
      'mine.yaml:1: mine is also the name of the scenario in mine.yml',
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
  ])('is refused with %s', async (_, files, message) => {
    expect(await refusalOf(folderWith(files))).toContain(message)
  })

  it('is refused in a sentence if it or a file in it cannot be read', async () => {
    const folder = folderWith({})
    expect(await refusalOf(join(folder, 'none'))).toBe(`${folder}/none is not there.`)
    symlinkSync('circle.yaml', join(folder, 'circle.yaml'))
    expect(await refusalOf(folder)).toBe('circle.yaml is a symbolic link that leads back to itself')
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
})

describe('a changed scenario file', () => {
  afterEach(() => void vi.restoreAllMocks())

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
        begun.push((await petri.put(late, { scenario: 'mine' })).status)
    })
    vi.restoreAllMocks()
    expect(told).toEqual(['mine changed'])
    expect(begun).toEqual([200])
    const after = await orderKit(petri, { scenario: 'mine', zip: '85003' })
    await advance(petri, '4h')
    const statusOf = async (id: string) => (await readOrder(petri, id)).last_event.status
    expect(await statusOf(after.id)).toBe('collecting_sample.testkit.transit_customer')
    for (const { id } of orders) {
      expect(await statusOf(id)).toBe('received.testkit.awaiting_registration')
      expect(await readFollowed(petri, id)).toMatchObject({
        left_because: 'the file of mine has changed',
      })
    }
    await petri.close()
  })
})
