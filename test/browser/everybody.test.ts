import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasBrowser, overhang, picture, seriousFlaws } from './browser.ts'
import { filledStage, nameOf } from './scene.ts'

/** Cells, badges and buttons whose text is cut off, and tables whose first or last column is out of sight. */
const CUT = `[
  ...[...document.querySelectorAll('main :is(td, th, .tag, .code, button, dd, h1, h2), .top button')]
    .filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0)
    .filter((part) => getComputedStyle(part).display !== 'inline')
    .map((part) => part.outerHTML.slice(0, 160)),
  ...[...document.querySelectorAll('main .rows tr > :is(:first-child, :last-child)')]
    .filter((cell) => {
      const { left, right, width } = cell.getBoundingClientRect()
      const panel = cell.closest('.panel').getBoundingClientRect()
      return width > 0 && (left < panel.left - 1 || right > panel.right + 1)
    })
    .map((cell) => 'out of sight: ' + cell.outerHTML.slice(0, 160)),
]`

/** The sizes of the text in the map of an order, in pixels of the screen. */
const MAP_TEXT = `[...document.querySelectorAll('.life .name')].map((text) =>
  Math.round(10 * parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a) / 10)`

describe.skipIf(!hasBrowser)('every view', { timeout: 240_000 }, () => {
  const filled = filledStage()

  it.each([1440, 1024, 390])('has room for what it says at a width of %i', async (width) => {
    const { page, trouble, show } = await filled.stage.open('/_petri/', { viewport: { width, height: 900 } })
    for (const place of filled.places) {
      await show(place)
      const cut: string[] = await page.evaluate(CUT)
      expect([place, cut, await overhang(page)]).toEqual([place, [], 0])
      const sizes: number[] = await page.evaluate(MAP_TEXT)
      if (place.startsWith('orders/')) expect([...new Set(sizes)]).toEqual([11.5])
      for (const colorScheme of ['light', 'dark'] as const) await inScheme(page, place, width, colorScheme)
    }
    expect(trouble).toEqual([])
    await page.context().close()
  })

  async function inScheme(page: Page, place: string, width: number, colorScheme: 'light' | 'dark') {
    await page.emulateMedia({ colorScheme })
    await picture(page, `${colorScheme}-${width}-${nameOf(place)}`)
    expect([place, colorScheme, await seriousFlaws(page)]).toEqual([place, colorScheme, []])
  }

  it('can be used by everybody at four times the size', async () => {
    const zoomed = { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 }
    const { page, show } = await filled.stage.open('/_petri/', zoomed)
    for (const place of filled.places) {
      await show(place)
      expect([place, await overhang(page), await seriousFlaws(page)]).toEqual([place, 0, []])
    }
    await page.context().close()
  })

  it('names in the tab what is open', async () => {
    const { page, show } = await filled.stage.open()
    const order = filled.places.find((place) => place.startsWith('orders/')) ?? ''
    for (const [place, title] of [
      ['orders', 'Orders · Petri'],
      [order, 'Alan Turing: with customer · Petri'],
      ['scenarios/lost-on-the-way-out', 'lost-on-the-way-out · Scenarios · Petri'],
      ['webhooks?tab=endpoints', 'Endpoints · Webhooks · Petri'],
      ['api/user_create', 'POST /v2/user · API · Petri'],
    ] as const) {
      await show(place)
      await page.waitForSelector('main .panel')
      expect([place, await page.title()]).toEqual([place, title])
    }
    await page.context().close()
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
    await page.context().close()
  })

  it('has the chosen scenario in sight', async () => {
    const { page, show } = await filled.stage.open()
    await show('scenarios/walk-in-redraw')
    const item = await page.locator('.list [aria-current]').boundingBox()
    const list = await page.locator('.list').boundingBox()
    expect(item?.y).toBeGreaterThanOrEqual(list?.y ?? 0)
    expect((item?.y ?? 0) + (item?.height ?? 0)).toBeLessThanOrEqual((list?.y ?? 0) + (list?.height ?? 0))
    await page.context().close()
  })
})
