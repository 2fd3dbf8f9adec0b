import { describe, expect, it } from 'vitest'
import { hasBrowser, picture, seriousFlaws, until } from './browser.ts'
import { filledStage } from './scene.ts'

describe.skipIf(!hasBrowser)('the page says', { timeout: 60_000 }, () => {
  const filled = filledStage()

  it('in a row of webhooks the event, the status, the person, and the receiver only if there are two', async () => {
    const { page, show } = await filled.stage.open()
    await show('webhooks?q=labtest.order.updated')
    const row = page.locator('.list a:has-text("with customer")').first()
    expect(await row.locator('b.mono').textContent()).toBe('labtest.order.updated')
    expect(await row.locator('small').first().textContent()).toBe(
      'with customer Alan Turing · The receiver answered 500',
    )
    const { body: added } = await filled.stage.call('POST', '/_petri/webhooks/endpoints', {
      url: 'http://127.0.0.1:9/second',
      disabled: true,
    })
    await page.reload()
    await page.waitForSelector('.list small:has-text("· clinic-api")')
    await filled.stage.call('DELETE', `/_petri/webhooks/endpoints/${added.id}`)
  })

  it('the same in the rows of an order, of a request and of the activity', async () => {
    const { page, show } = await filled.stage.open()
    await show(filled.places.find((place) => place.startsWith('orders/')) ?? '')
    const caused = page.locator('.panel:has-text("Webhooks it caused") tr')
    expect(await caused.first().locator('[data-row]').textContent()).toBe('labtest.order.updated')
    expect(await caused.first().locator('small').first().textContent()).toBe('with customer')
    expect(await caused.count()).toBeGreaterThan(1)
    await page.click('.panel:has-text("Requests about it") [data-row]')
    await page.waitForSelector('.facts :text("labtest.order.created")')
    expect(await page.textContent('.facts')).toMatch(/labtest\.order\.\w+: \w+/)
    const lines = await page.locator('.activity li:has(a[href^="#/orders/"])').allTextContents()
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d.*\d+ \w{3}.*[A-Z][a-z-]+ [A-Z][a-z]+$/)
  })

  it("a user's orders and results first, and fades a map where it is cut", async () => {
    const { page, show } = await filled.stage.open('/_petri/', { viewport: { width: 700, height: 900 } })
    await show(filled.places.find((place) => place.startsWith('users/')) ?? '')
    const panels = await page.locator('main .panel h2').allTextContents()
    expect(panels[0]).toMatch(/^Orders/)
    await show(filled.places.find((place) => place.startsWith('orders/')) ?? '')
    const map = "document.querySelector('.wide:has(> .life)')"
    const fade = `parseFloat(getComputedStyle(${map}).getPropertyValue('--fade'))`
    await page.evaluate(`${map}.scrollLeft = 0`)
    await until(page, `${fade} === 48`)
    await page.evaluate(`${map}.scrollLeft = 1e6`)
    await until(page, `${fade} < 1`)
  })

  it('first what the receiver replied and what was sent, with what changed since the event before', async () => {
    const { page, show, settled } = await filled.stage.open()
    await show('webhooks?q=labtest.order.updated')
    await page.click('.list a:has-text("with customer")')
    await page.waitForSelector('[aria-label=Payload] mark')
    await settled()
    const changed = await page.locator('[aria-label=Payload] mark').allTextContents()
    expect(changed.join()).toContain('with_customer')
    expect(changed.length).toBeLessThan(await page.locator('[aria-label=Payload] .j-string').count())
    await page.keyboard.press('n')
    await until(page, "document.activeElement === document.querySelector('[aria-label=Payload] mark')")
    await page.keyboard.press('n')
    await until(page, "document.activeElement === document.querySelectorAll('[aria-label=Payload] mark')[1]")
    await page.keyboard.press('p')
    await until(page, "document.activeElement === document.querySelector('[aria-label=Payload] mark')")
    const compared = page.getByLabel('Compare with')
    const [first] = await compared
      .locator('option:not([value=""])')
      .evaluateAll((all) => all.map((option) => option.getAttribute('value')).toReversed())
    await compared.selectOption(first ?? '')
    const { payload } = (await filled.stage.call('GET', `/_petri/webhooks/messages/${first}`)).body
    const told = `there: ${JSON.stringify(payload.data.status)}`
    await page.waitForSelector(`[aria-label=Payload] mark[title='${told}']`)
    const top = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y ?? 0
    expect(await top('.attempts')).toBeLessThan(await top('[aria-label=Payload]'))
    expect(await top('[aria-label=Payload]')).toBeLessThan(await top('.steps-list'))
    expect(await page.locator('[aria-label="Request headers"]').last().isVisible()).toBe(false)
    expect(await page.locator('.detail .panel:has(.attempts) > header button').allTextContents()).toEqual([
      'Resend now',
    ])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await picture(page, `page-message-${colorScheme}`)
      expect(await seriousFlaws(page)).toEqual([])
    }
  })

  it('an error next to its field, and in a toast that can be read and goes with the view', async () => {
    const { page, show } = await filled.stage.open()
    await show('webhooks?tab=endpoints')
    await page.getByLabel('URL').fill('ftp://127.0.0.1/hook')
    await page.click('button:text-is("Add")')
    const field = page.locator('[aria-invalid=true]')
    await field.waitFor()
    const reason = page.locator(`#${await field.getAttribute('aria-describedby')}`)
    expect(await reason.textContent()).not.toBe('')
    const [control, error] = [await field.boundingBox(), await reason.boundingBox()]
    expect((error?.y ?? 0) - ((control?.y ?? 0) + (control?.height ?? 0))).toBeLessThan(20)
    expect(await page.locator('.toast').count()).toBe(0)
    await page.route('**/_petri/clock/advance', (route) => route.fulfill({ status: 503, body: '"no room"' }))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.click('.clock button:has-text("+1h")')
      await page.waitForSelector('.toast')
      await field.focus()
      await picture(page, `page-error-${colorScheme}`)
      expect(await seriousFlaws(page)).toEqual([])
      expect(await page.locator('.toast').count()).toBe(1)
    }
    await page.click('.rail a:has-text("Users")')
    await page.waitForSelector('.toast', { state: 'detached' })
  })

  it('that an order of a scenario is placed, at once, from its page', async () => {
    const { page, show } = await filled.stage.open()
    await show('scenarios/lost-on-the-way-out')
    await page.click('button:text-is("Place an order")')
    await until(page, "location.hash.startsWith('#/orders/')")
    await page.waitForSelector('a[href="#/scenarios/lost-on-the-way-out"]', { state: 'attached' })
    await show('orders?dialog=place')
    expect(await page.locator('dialog .field').first().textContent()).toMatch(/^Patient/)
    const scenario = page.locator('dialog .field:has-text("Scenario")')
    expect(await scenario.locator('option').first().textContent()).toContain('happy-path')
    expect(await scenario.locator('small').textContent()).toMatch(/\w+ \w+.*\.$/)
    await picture(page, 'page-place')
  })
})
