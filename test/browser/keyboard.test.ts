import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, type Stage, setStage, until } from './browser.ts'
import { placeKit, type Receiver, startReceiver } from './scene.ts'

describe.skipIf(!hasBrowser)('with the keyboard alone', { timeout: 60_000 }, () => {
  let stage: Stage
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
    stage = await setStage()
    await stage.call('POST', '/_petri/webhooks/endpoints', { url: receiver.url })
    await placeKit(stage, 'happy-path')
  }, 60_000)
  afterAll(async () => {
    await stage.close()
    receiver.close()
  })

  /** What has the focus; null when nothing has it, empty when it cannot be seen. */
  const focused = (page: Page): Promise<string | null> =>
    page.evaluate(`(() => {
      const element = document.activeElement
      if (!element || element === document.body) return null
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
      const isSeen = (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
      const { width, height } = element.getBoundingClientRect()
      return isSeen && width > 0 && height > 0 ? element.textContent.trim() || element.tagName : ''
    })()`)

  /** Presses a key, and waits for what it brings. */
  async function press(page: Page, key: string, selector: string): Promise<void> {
    await page.keyboard.press(key)
    await page.waitForSelector(selector)
  }

  /** Presses Tab until what has the focus says this; the focus must be seen on the whole way. */
  async function tabTo(page: Page, wanted: string | RegExp): Promise<void> {
    for (let presses = 0; presses < 120; presses++) {
      await page.keyboard.press('Tab')
      const text = await focused(page)
      // Between the last element and the first, nothing has it.
      if (text === null) continue
      expect(text).not.toBe('')
      if (typeof wanted === 'string' ? text === wanted : wanted.test(text)) return
    }
    throw new Error(`Tab never came to ${wanted}`)
  }

  it('an order is placed, moved on by the clock, opened, and moved manually', async () => {
    const { page } = await stage.open()
    await page.waitForSelector('table.rows tbody tr')
    const before = (await stage.call('GET', '/_petri/orders')).body.total
    await page.keyboard.press('Control+k')
    await page.keyboard.type('Place an order')
    await press(page, 'Enter', 'dialog button.primary:not([disabled])')
    await tabTo(page, 'Place')
    await press(page, 'Enter', '.life')
    expect((await stage.call('GET', '/_petri/orders')).body.total).toBe(before + 1)
    await press(page, '.', '.toast:has-text("The clock is at")')
    await page.keyboard.press('g')
    await press(page, 'o', '.phases')
    await page.keyboard.press('j')
    await press(page, 'Enter', '.life')
    const legal = await page.locator('[data-move]').first().textContent()
    await tabTo(page, /^Actions/)
    await page.keyboard.press('Enter')
    await tabTo(page, legal ?? '')
    await press(page, 'Enter', `[data-state=here]:has-text("${legal?.split(' ')[0]}")`)
    // The menu is closed; its button has the focus again.
    expect(await focused(page)).toMatch(/^Actions/)
  })

  it('the clock is advanced, and keeps the focus while it is', async () => {
    const { page } = await stage.open()
    await page.waitForSelector('table.rows tbody tr')
    await tabTo(page, /^Next due/)
    await press(page, 'Enter', '.toast:has-text("The clock is at")')
    expect(await focused(page)).toMatch(/^Next due/)
    await tabTo(page, /^Until idle/)
    await press(page, 'Enter', '.clock .state.frozen')
    expect(await focused(page)).toMatch(/^Until idle/)
  })

  it('a row has the focus again after Enter and Back', async () => {
    const { page, show } = await stage.open()
    await show('orders')
    await page.keyboard.press('j')
    const row = await page.evaluate("document.activeElement.getAttribute('href')")
    expect(row).toMatch(/^#.orders./)
    await press(page, 'Enter', '.life')
    await until(page, "document.activeElement?.matches('main h1')")
    await page.goBack()
    await until(page, `document.activeElement?.getAttribute('href') === '${row}'`)
  })

  it('a message is sent again', async () => {
    receiver.answer(500)
    await placeKit(stage, 'manual', { name: 'Again Example' })
    await stage.call('POST', '/_petri/clock/advance', { by: '1s' })
    receiver.answer(204)
    const { page } = await stage.open()
    await page.waitForSelector('table.rows tbody tr')
    await page.keyboard.press('g')
    await press(page, 'w', '.list a')
    await page.keyboard.press('j')
    await press(page, 'Enter', '.facts .tag.attention')
    await until(page, "document.activeElement?.matches('.detail')")
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Resend now')
    await press(page, 'Enter', '.facts .tag.completed:has-text("delivered")')
    expect(await focused(page)).toBe('Resend now')
  })

  it('a scenario is written and uploaded', async () => {
    const { page } = await stage.open()
    await page.waitForSelector('table.rows tbody tr')
    await page.keyboard.press('g')
    await press(page, 's', '.list a')
    await tabTo(page, 'New scenario')
    await press(page, 'Enter', '.editor .cm-content')
    for (let presses = 0; presses < 200; presses++) {
      await page.keyboard.press('Tab')
      if (await page.evaluate("document.activeElement?.classList.contains('editor')")) break
    }
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Shift+End')
    await page.keyboard.type('name: by-keyboard')
    await page.waitForSelector('.panel:has-text("by-keyboard.yaml") .ok')
    // Tab leaves the editor.
    await page.keyboard.press('Shift+Tab')
    await until(page, "document.activeElement?.textContent === 'Save to this world'")
    await press(page, 'Enter', '.toast:has-text("by-keyboard is saved")')
    expect(await stage.call('GET', '/_petri/scenarios/by-keyboard')).toAnswer(200)
  })

  /** Keeps what has the focus at the moment at which the dialog is gone. */
  const focusOnceClosed = `globalThis.focusedAtEnd = new Promise((resolve) => {
    new MutationObserver((_, observer) => {
      if (document.querySelector('dialog')) return
      observer.disconnect()
      resolve(document.activeElement.textContent.trim())
    }).observe(document.body, { childList: true, subtree: true })
  }); undefined`

  it('every dialog closes with Escape and gives the focus back', async () => {
    const { page, show } = await stage.open()
    for (const [place, button] of [
      ['orders', 'Place an order'],
      ['orders', /^Find or do/],
      ['orders', '⋯'],
      ['webhooks', 'Trigger an event'],
      ['requests', 'Send again'],
    ] as const) {
      await show(place)
      await tabTo(page, button)
      await press(page, 'Enter', 'dialog[open]')
      await page.evaluate(focusOnceClosed)
      await page.keyboard.press('Escape')
      expect(await page.evaluate('globalThis.focusedAtEnd')).toMatch(button)
      expect(await focused(page)).toMatch(button)
    }
  })

  it('what a toast says is spoken once', async () => {
    await placeKit(stage, 'happy-path')
    const { page } = await stage.open()
    await page.waitForSelector('table.rows tbody tr')
    await page.evaluate(`
      globalThis.spoken = []
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes) for (const node of addedNodes) globalThis.spoken.push(node.textContent)
      }).observe(document.querySelector('[role=status]'), { childList: true, subtree: true, characterData: true })`)
    await press(page, '.', '.toast:has-text("The clock is at")')
    await placeKit(stage, 'manual', { name: 'Some News' })
    await page.waitForSelector('main :text("Some News")')
    const spoken = await page.evaluate('globalThis.spoken')
    expect(spoken).toEqual([expect.stringContaining('The clock is at')])
  })
})
