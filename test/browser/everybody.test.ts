import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { sampler } from '../support/rounds.ts'
import { COLOURS, hasBrowser, overhang, picture, type Stage, seriousFlaws, until } from './browser.ts'
import { filledStage, nameOf, placeKit } from './scene.ts'

/** Cells, badges and buttons whose text is cut off or broken, tables that hide a column, and controls that leave their panel. */
const CUT = `[
  ...[...document.querySelectorAll('main :is(td, th, .tag, .code, button, dd, h1, h2), .top button')]
    .filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0)
    .filter((part) => getComputedStyle(part).display !== 'inline')
    .map((part) => part.outerHTML.slice(0, 160)),
  ...[...document.querySelectorAll('.tag, .code, .method, .id[title], .interpretation, .verdict, .state')]
    .filter((badge) => badge.getBoundingClientRect().height > 30 || badge.getClientRects().length > 1)
    .map((badge) => 'broken: ' + badge.outerHTML),
  ...[...document.querySelectorAll('main .rows tr > :is(:first-child, :last-child)')]
    .filter((cell) => {
      const { left, right, width } = cell.getBoundingClientRect()
      const panel = cell.closest('.panel').getBoundingClientRect()
      return width > 0 && (left < panel.left - 1 || right > panel.right + 1)
    })
    .map((cell) => 'out of sight: ' + cell.outerHTML.slice(0, 160)),
  ...[...document.querySelectorAll('main .scroll:has(> .rows)')]
    .filter((part) => part.scrollWidth > part.clientWidth + 1)
    .map((part) => 'covered by its last column: ' + part.getAttribute('aria-label')),
  ...[...document.querySelectorAll('main .panel :is(select, input, button)')]
    .filter((control) => control.getBoundingClientRect().right > control.closest('.panel').getBoundingClientRect().right)
    .map((control) => 'beyond its panel: ' + control.outerHTML.slice(0, 160)),
]`

/** The sizes of the text in the map of an order, in pixels of the screen. */
const MAP_TEXT = `[...document.querySelectorAll('.life .name')].map((text) =>
  Math.round(10 * parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a) / 10)`

const NOBODY = 'http://127.0.0.1:9/webhooks/of-a-service-that-does-not-run'

/** What needs the most room: a long name, a person with a history, connections, every kind of fault, an endpoint that was disabled. */
async function addLongNames(stage: Stage): Promise<string[]> {
  const { user_id } = (await stage.call('POST', '/v2/user', { client_user_id: 'a-long-name' })).body
  await stage.call('PUT', `/_petri/users/${user_id}/persona`, { persona: 'athlete' })
  for (const provider of ['fitbit', 'freestyle_libre'])
    await stage.call('POST', '/v2/link/connect/demo', { user_id, provider })
  await stage.call('PUT', '/_petri/faults', {
    faults: [
      { operation: 'GET /v3/order/{order_id}/result', times: 1, respond: { status: 503 } },
      {
        operation: 'GET /v2/summary/sleep/{user_id}',
        rate: 0.3,
        after: 2,
        latency: { min: '200ms', max: '2s' },
      },
      { operation: 'GET /v3/orders', times: 5, drop: 'truncate' },
    ],
  })
  await stage.call('POST', '/_petri/webhooks/endpoints', { url: NOBODY, disabled: true })
  const walkIn = await stage.call('POST', '/_petri/orders', {
    scenario: 'walk-in-waits-for-booking',
    user_id,
  })
  const name = 'Wolfeschlegelsteinhausen Bergerdorff-Featherstonehaugh'
  const kit = await placeKit(stage, 'problem-in-transit-customer', { name })
  await stage.call('POST', '/_petri/clock/advance', { by: '11d2h' })
  return [`users/${user_id}`, `orders/${walkIn.body.id}`, `orders/${kit}`, 'orders?status=received']
}

describe.skipIf(!hasBrowser)('every view', { timeout: 480_000 }, () => {
  const filled = filledStage()
  let places: readonly string[] = []
  beforeAll(async () => {
    places = [...filled.places, ...(await addLongNames(filled.stage))]
  })

  it('has room for what it says, and can be used by everybody, at each width in light and dark', async () => {
    const { page, trouble, settled, show } = await filled.stage.open()
    // One in five, as a place has six: at each place another width and scheme.
    const isTried = sampler(5)
    for (const place of places) {
      await show(place)
      for (const width of [1440, 1024, 390]) {
        await page.setViewportSize({ width, height: 900 })
        await settled()
        const at = `${place} at ${width}`
        const cut: string[] = await page.evaluate(CUT)
        expect([at, cut, await overhang(page)]).toEqual([at, [], 0])
        const sizes: number[] = await page.evaluate(MAP_TEXT)
        if (place.startsWith('orders/')) expect([at, [...new Set(sizes)]]).toEqual([at, [11.5]])
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          await picture(page, `${colorScheme}-${width}-${nameOf(place)}`)
          if (isTried()) await expectNoFlaws(page, place, width, colorScheme)
        }
      }
    }
    expect(trouble).toEqual([])
  })

  async function expectNoFlaws(page: Page, place: string, width: number, colorScheme: 'light' | 'dark') {
    const flaws = await seriousFlaws(page, colorScheme === 'dark' ? COLOURS : undefined)
    expect([place, width, colorScheme, flaws]).toEqual([place, width, colorScheme, []])
  }

  it('can be used by everybody at four times the size', async () => {
    const zoomed = { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 }
    const { page, show } = await filled.stage.open('/_petri/', zoomed)
    const isTried = sampler(4)
    for (const place of filled.places) {
      await show(place)
      expect([place, await overhang(page)]).toEqual([place, 0])
      if (isTried()) expect([place, await seriousFlaws(page)]).toEqual([place, []])
    }
  })

  it('names in the tab what is open', async () => {
    const { page, show } = await filled.stage.open()
    const order = filled.places.find((place) => place.startsWith('orders/')) ?? ''
    for (const [place, title] of [
      ['orders', 'Orders · Petri'],
      [order, 'Alan Turing: completed · Petri'],
      ['scenarios/lost-on-the-way-out', 'lost-on-the-way-out · Scenarios · Petri'],
      ['webhooks?tab=endpoints', 'Endpoints · Webhooks · Petri'],
      ['api/user_create', 'POST /v2/user · API · Petri'],
    ] as const) {
      await show(place)
      await page.waitForSelector('main .panel')
      expect([place, await page.title()]).toEqual([place, title])
    }
  })

  it('writes durations, numbers and reasons for people', async () => {
    const { page, show } = await filled.stage.open()
    await show('faults')
    const effects = await page.locator('[aria-label="Faults of this world"] tbody').textContent()
    expect(effects).toContain('200 ms to 2 s late')
    expect(effects).toContain('30 % of calls, after 2 calls')
    await show('webhooks?tab=endpoints')
    const faults = await page.locator('.switches .check').allTextContents()
    expect(faults.map((each) => each.trim()).slice(0, 3)).toEqual([
      'duplicate (1)',
      'reorder (2)',
      'delay (1 h)',
    ])
    await show(places.find((place) => place.startsWith('users/') && !filled.places.includes(place)) ?? '')
    await page.waitForSelector('.connections select')
    expect(await page.locator('main').textContent()).not.toMatch(/steady|world's/)
  })

  it('opens the operation of an order in the API', async () => {
    const { page, show } = await filled.stage.open()
    await show(places.find((place) => place.startsWith('orders/')) ?? '')
    await page.click('.menu > button')
    await page.click('text=Open in API')
    await page.waitForSelector('.detail .panel')
    expect(await page.title()).toBe('GET /v3/order/{order_id} · API · Petri')
  })

  it("shows the scenario of a user's next orders", async () => {
    const { page, show } = await filled.stage.open()
    const user = places.find((place) => place.startsWith('users/')) ?? ''
    await show(user)
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
    await page.getByLabel('Scenario of the next orders').selectOption('slow-lab')
    await saved
    await page.reload()
    await page.waitForSelector('select[aria-label="Scenario of the next orders"]')
    await until(
      page,
      `document.querySelector('select[aria-label="Scenario of the next orders"]').value === 'slow-lab'`,
    )
  })

  it('shows on a phone a list or what was chosen from it', async () => {
    const { page, show } = await filled.stage.open('/_petri/', { viewport: { width: 390, height: 800 } })
    for (const place of ['requests', 'scenarios', 'webhooks', 'api']) {
      await show(place)
      const [list, detail] = [page.locator('.list'), page.locator('.detail')]
      expect([place, await list.isVisible(), await detail.isVisible()]).toEqual([place, true, false])
      await list.locator('a:visible').first().click()
      await detail.waitFor({ state: 'visible' })
      expect([place, await list.isVisible()]).toEqual([place, false])
      await page.click('.back')
      await list.waitFor({ state: 'visible' })
    }
  })

  it('has the open view in sight on a phone', async () => {
    const { page, show } = await filled.stage.open('/_petri/', { viewport: { width: 390, height: 800 } })
    await show('settings')
    const link = await page.locator('.rail [aria-current]').boundingBox()
    expect((link?.x ?? 0) + (link?.width ?? 0)).toBeLessThanOrEqual(390)
  })

  it('has the chosen scenario in sight', async () => {
    const { page, show } = await filled.stage.open()
    await show('scenarios/walk-in-redraw')
    const item = await page.locator('.list [aria-current]').boundingBox()
    const list = await page.locator('.list').boundingBox()
    expect(item?.y).toBeGreaterThanOrEqual(list?.y ?? 0)
    expect((item?.y ?? 0) + (item?.height ?? 0)).toBeLessThanOrEqual((list?.y ?? 0) + (list?.height ?? 0))
    // Only the list is scrolled, not the view with its title.
    expect(await page.evaluate("document.querySelector('main').scrollTop")).toBe(0)
  })
})
