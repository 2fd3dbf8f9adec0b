import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { field } from '../support/field.ts'
import { makeFolder } from '../support/new-folder.ts'
import { hasBrowser, type OpenPage, type Stage, seriousFlaws, setStage, until } from './browser.ts'
import { placeKit } from './scene.ts'

/** Texts that the check refuses, each for another reason. */
const refused = {
  'an illegal move': 'name: a\nsummary: b\nmethod: testkit\nsteps:\n  - { after: 1d, status: completed }\n',
  'an unknown status': 'name: a\nsummary: b\nmethod: testkit\nsteps:\n  - { after: 1d, status: losst }\n',
  'an unknown field': 'name: a\nsummary: b\nmethod: testkit\nstep: []\n',
  'a duration that is none':
    'name: a\nsummary: b\nmethod: testkit\nsteps:\n  - { after: soon, status: lost }\n',
  'no YAML': 'name: [\n',
  'a feed with an illegal step':
    'name: a\nsummary: b\nkind: feed\nsteps:\n  - { after: 1d, disconnect: true }\n  - { after: 1d, gap: 4h }\n',
  'a feed with an unknown field': 'name: a\nsummary: b\nkind: feed\nsteps:\n  - { after: 1d, gapp: 4h }\n',
}

describe.skipIf(!hasBrowser)('scenarios and coverage', { timeout: 60_000 }, () => {
  let stage: Stage
  let page: Page
  let show: OpenPage['show']
  let trouble: OpenPage['trouble']
  beforeAll(async () => {
    const folder = makeFolder('petri-incidents-')
    mkdirSync(join(folder, 'incidents'))
    writeFileSync(
      join(folder, 'incidents/lost-kit.yaml'),
      'name: lost-kit\nsummary: b\nmethod: testkit\nsteps:\n  - { after: 4h, status: requisition_created, only: registered_kit }\n',
    )
    stage = await setStage({ scenarios: [folder] })
    await placeKit(stage, 'happy-path')
    ;({ page, show, trouble } = await stage.open())
  }, 60_000)
  afterAll(() => stage.close())

  const type = async (source: string) => {
    await page.locator('.editor .cm-content').click()
    await page.keyboard.press('Control+a')
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(source)})`)
    await page.keyboard.press('Control+v')
  }

  it.each(Object.entries(refused))('mark %s as the check tells it', async (_, source) => {
    await show('scenarios?new=1')
    await page.waitForSelector('.editor .cm-content')
    const { body } = await stage.call('POST', '/_petri/scenarios/check', { source })
    expect(body.refusals.length).toBeGreaterThan(0)
    const told = body.refusals.map(
      ({ line, step, message }: { line: number; step: number | null; message: string }) =>
        `line ${line}${step === null ? '' : ` step ${step}`}: ${message}`,
    )
    await type(source)
    await until(
      page,
      `JSON.stringify([...document.querySelectorAll('.issues li')].map((item) => item.textContent)) === ${JSON.stringify(JSON.stringify(told))}`,
    )
    await page.waitForSelector('.editor .cm-lint-marker-error')
    expect(await page.locator('button:has-text("Save to this world")').isDisabled()).toBe(true)
    expect(trouble).toEqual([])
  })

  it('keep what the last valid text does in sight while a text is broken', async () => {
    await show('scenarios?new=1')
    await page.waitForSelector('.editor .cm-content')
    await type('name: mine\nsummary: b\nmethod: testkit\nsteps:\n  - { after: 1d, status: lost }\n')
    const planned = page.locator('.panel:has(h2:text-is("What will happen")) li')
    await planned.first().waitFor()
    const lines = await planned.allTextContents()
    await type('name: mine\nsteps: [')
    await page.waitForSelector('.issues li')
    expect(await planned.allTextContents()).toEqual(lines)
  })

  it('keep a half-written text through a reload, and show it when it is saved', async () => {
    await show('scenarios/happy-path')
    await page.waitForSelector('.editor .cm-content')
    await type('name: mine\nsummary: b\nmethod: testkit\nsteps:\n  - { after: 1d, status: lost }\n')
    await page.waitForSelector('.issues li')
    await page.reload()
    await page.waitForSelector('.issues li')
    await type(
      'name: mine\nsummary: b\nmethod: testkit\nsteps:\n  - { after: 1d, status: transit_customer, only: registrable_kit }\n',
    )
    await page.waitForSelector('.ok')
    await page.click('button:has-text("Save to this world")')
    await page.waitForSelector('.list a[aria-current]:has-text("mine"):has-text("uploaded")')
    expect(await stage.call('GET', '/_petri/scenarios/mine')).toAnswer(200)
  })

  it('stand in the list with their lifecycle drawn small, those of a folder first', async () => {
    await show('scenarios')
    await page.waitForSelector('.list section[aria-label="incidents"] a:has-text("lost-kit")')
    const { data } = (await stage.call('GET', '/_petri/scenarios?kind=order&statuses=true')).body
    expect(await page.$$eval('.list h2', (all) => all.map((head) => head.textContent))).toEqual([
      'incidents',
      'others',
    ])
    const drawn = await page.$$eval('.list a', (all) =>
      all.flatMap((item) => {
        const marks = item.querySelectorAll('.strip circle').length
        return marks > 0 ? [[item.querySelector('b')?.textContent, marks]] : []
      }),
    )
    const longest = ({ statuses }: { statuses: object }) =>
      Math.max(...Object.values<unknown[]>(statuses as never).map(field('length')))
    expect(Object.fromEntries(drawn)).toEqual(
      Object.fromEntries(data.map((each: never) => [(each as { name: string }).name, longest(each)])),
    )
    expect(drawn[0]?.[0]).toBe('lost-kit')
    expect(await page.locator('.split a[aria-current]').count()).toBe(1)
    expect(await seriousFlaws(page)).toEqual([])
    expect(trouble).toEqual([])
  })

  it('draw the planned statuses of each scenario', async () => {
    for (const name of ['lost-on-the-way-out', 'walk-in-redraw', 'at-home-no-show']) {
      const { statuses } = (await stage.call('GET', `/_petri/scenarios/${name}`)).body
      await show(`scenarios/${name}`)
      await page.waitForSelector(`.panel:has-text("${name}.yaml") .ok`)
      for (const [workflow, planned] of Object.entries<{ status: string; after_ms: number | null }[]>(
        statuses,
      )) {
        const choice = page.locator(
          `.seg[aria-label=Workflow] button:text-is("${workflow.replaceAll('_', ' ')}")`,
        )
        if ((await choice.count()) > 0) await choice.click()
        const drawn = await page.$$eval('ol.statuses li', (all) =>
          all.map((item) => [item.getAttribute('data-status'), item.getAttribute('data-after')]),
        )
        expect([name, workflow, drawn]).toEqual([
          name,
          workflow,
          planned.map(({ status, after_ms }) => [status, after_ms === null ? null : String(after_ms)]),
        ])
      }
    }
  })

  it('are completed with what the kind of scenario knows, and kept for connections too', async () => {
    await show('scenarios?method=feed&new=1')
    await page.waitForSelector('.editor .cm-content')
    await type('name: my-own\nsummary: b\nkind: feed\nsteps:\n  - { after: 1d, ')
    await page.keyboard.type('outa')
    // By the pointer: the editor takes no Enter for a choice right after it offered one.
    await page.click('.cm-tooltip-autocomplete li:has-text("outage")')
    await page.keyboard.type(': 4h }')
    await page.waitForSelector('.panel:has-text("my-own.yaml") .ok')
    await page.waitForSelector(
      '.statuses:has-text("the provider hands over nothing for 4 h, then all of it")',
    )
    await page.click('button:has-text("Save to this world")')
    await page.waitForSelector('.list a[aria-current]:has-text("my-own"):has-text("uploaded")')
    expect((await stage.call('GET', '/_petri/scenarios/my-own')).body.steps).toHaveLength(1)
  })

  it.each([
    [
      'testkit',
      'status: requisition_created, only: registered_kit',
      'tr',
      ['transit_customer'],
      'transit_lab',
    ],
    ['walk_in_test', 'status: requisition_created', 'com', ['completed'], 'delivered_to_lab'],
  ])(
    'are completed with the statuses of %s that are legal in the step',
    async (method, step, typed, legal, not) => {
      await show('scenarios?new=1')
      await page.waitForSelector('.editor .cm-content')
      await type(
        `name: my-own\nsummary: b\nmethod: ${method}\nsteps:\n  - { after: 1h, ${step} }\n  - { after: 1d, status: `,
      )
      await page.keyboard.type(typed)
      await page.waitForSelector(`.cm-tooltip-autocomplete li:has-text("${legal[0]}")`)
      const offered = await page.locator('.cm-tooltip-autocomplete li').allTextContents()
      expect(offered).toEqual(expect.arrayContaining(legal))
      expect(offered).not.toContain(not)
      expect(await seriousFlaws(page)).toEqual([])
      await page.keyboard.press('Escape')
    },
  )

  it('count in each cell what the coverage counts', async () => {
    await show('coverage')
    const { body } = await stage.call('GET', '/_petri/coverage')
    const cellsOf = (title: string): Promise<Record<string, number>> =>
      page.$$eval(`.panel:has(h2:text-is("${title}")) .cell`, (all) =>
        Object.fromEntries(
          all.map((cell) => [cell.getAttribute('data-name'), Number(cell.getAttribute('data-count'))]),
        ),
      )
    const expected = (met: Record<string, number>, never: readonly string[]) => ({
      ...met,
      ...Object.fromEntries(never.map((name) => [name, 0])),
    })
    const { order_statuses, event_types, errors, operations } = body
    expect(await cellsOf('Order statuses')).toEqual(expected(order_statuses.met, order_statuses.never))
    // In the order of the lifecycle, not of the alphabet.
    const { phases, workflows } = (await stage.call('GET', '/_petri/lifecycle')).body
    const happy: string[] = workflows[0].happy_path
    const cells = Object.keys(await cellsOf('Order statuses')).filter((name) => name.includes('.testkit.'))
    const ranks = cells.map((name) => phases.indexOf(name.split('.')[0]))
    expect(ranks).toEqual([...ranks].sort((a, b) => a - b))
    expect(cells.map((name) => name.split('.')[2] ?? '').filter((low) => happy.includes(low))).toEqual(happy)
    expect(await cellsOf('Event types')).toEqual(expected(event_types.met, event_types.never))
    expect(await cellsOf('Errors')).toEqual(expected(errors.met, errors.never))
    const calls = operations.met.map(
      ({ route, statuses }: { route: string; statuses: Record<string, number> }) => [
        route,
        Object.values(statuses).reduce((sum, count) => sum + count, 0),
      ],
    )
    expect(await cellsOf('Operations')).toEqual(
      expected(Object.fromEntries(calls), operations.never.map(field('route'))),
    )
    await page.getByLabel('Search operations, statuses, events and errors').fill('out for delivery')
    await page.waitForFunction("document.querySelectorAll('.cell').length < 5")
    expect(await page.locator('.cell').allTextContents()).toEqual(
      expect.arrayContaining([expect.stringContaining('out for delivery')]),
    )
  })

  it('turn a cell that was never met by an order that follows a scenario there', async () => {
    await show('coverage')
    await page.waitForSelector('tr[data-missing] button')
    const status = await page.getAttribute('tr[data-missing]', 'data-missing')
    expect((await stage.call('GET', '/_petri/coverage')).body.order_statuses.never).toContain(status)
    await page.click(`tr[data-missing="${status}"] button`)
    await page.waitForSelector('.toast:has-text("Order placed")')
    await page.click('.clock button:has-text("Until idle")')
    await page.waitForSelector(`.cell[data-name="${status}"]:not([data-count="0"])`)
  })
})
